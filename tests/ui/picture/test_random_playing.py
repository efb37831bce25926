"""Random hands on everything that plays: whenever the film then stands, the picture is that of the playhead."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from film_clips import number_in
from small_editor import script_of

from adstudio.core.script import Variant
from adstudio.core.steps import Replace

pytest.importorskip("mpv", exc_type=(ImportError, OSError))

PLAYING = (
    *("play.toggle", "play.back", "play.stop", "play.forward", "play.frame_back", "play.frame_forward"),
    *("play.second_back", "play.second_forward", "play.loop_gap", "play.mute", "hear.line", "hear.variants"),
    *("hear.gap", "hear.film", "hear.cues", "hear.stop", "view.second_screen", "view.subtitles", "view.timecode"),
)


@pytest.mark.parametrize(
    ("seed", "actions"), [(1, 90), *(pytest.param(seed, 800, marks=pytest.mark.slow) for seed in range(2, 6))]
)
def test_random_hands(edit, clip, qtbot, seed, actions):
    chance = random.Random(seed)
    editor = edit(script_of(clip))
    session, player = editor.session, editor.player
    edits = 0
    before = session.edits.revision

    def another_wording() -> None:
        nonlocal edits
        line = session.script.eventuality(chance.choice(["e1", "e2"]))
        wording = Variant(f"Words {chance.randrange(99)}.", duration=chance.randrange(300, 1500))
        edits += session.edits.do(Replace(line, replace(line, variants=(wording,))))

    def stand() -> None:
        editor.context.actions["hear.stop"].trigger()
        player.pause()
        editor.picture.show()
        # The last picture stands from 5.96 s until the film ends at 6 s.
        qtbot.waitUntil(
            lambda: not player.busy and number_in(player.canvas.shown) == min(149, session.cursor.playhead // 40)
        )
        assert session.cursor.playhead == player.state.time
        assert not player.state.playing
        qtbot.waitUntil(lambda: player.ducked == 0)

    for number in range(actions):
        dice = chance.random()
        if dice < 0.65:
            editor.context.actions[chance.choice(PLAYING)].trigger()
        elif dice < 0.8:
            session.cursor.seek(chance.randrange(-100, 6200))
        elif dice < 0.85:
            player.set_speed(chance.choice([0.25, 0.5, 1, 1, 2, 8]))
        elif dice < 0.9:
            session.cursor.select_line(chance.choice(["e1", "e2"]))
            editor.context.actions.refresh()
        elif dice < 0.95:
            another_wording()
        else:
            editor.picture.setVisible(not editor.picture.isVisible())
        qtbot.wait(chance.choice([0, 5, 20, 60, 150]))
        if number % 18 == 17:
            stand()
    assert session.edits.revision == before + edits
