"""The plan along with the film: from the playhead, and after a pause, a seek, another speed, a loop and frame steps."""

from __future__ import annotations

import io
import wave
from dataclasses import replace

import pytest
from along_film import FIRST, SECOND, VOICE, FilmLog, in_step, narration, running
from small_editor import SmallEditor, script_of

from adstudio.core.narration import Take
from adstudio.core.steps import Replace
from adstudio.core.timebase import Span
from adstudio.editing.pins import pin_out
from adstudio.speech.sound import Sound
from adstudio.speech.takes import encoded_recording
from adstudio.ui.hearing.plan_narration import UNTIL_PICTURE_MS

pytest.importorskip("mpv", exc_type=(ImportError, OSError))


@pytest.fixture
def along(editor: SmallEditor, qtbot) -> SmallEditor:
    """Everything is rendered; the film stands at its start."""
    editor.context.actions["hear.film"].trigger()
    qtbot.waitUntil(lambda: len(narration(editor)._sounds) == 2)
    return editor


@VOICE
def test_from_here_film_and_voice_start_together_in_the_middle_of_a_line(editor, qtbot):
    player, action = editor.player, editor.context.actions["hear.here"]
    player.seek(3_800)
    log = FilmLog(editor)
    action.trigger()
    assert not player.state.playing  # the voice has to speak first
    assert editor.hearing.busy
    qtbot.waitUntil(lambda: player.state.playing)
    assert log.starts == [3_800]
    assert "Playing from 00:00:03:20 with narration." in editor.said
    in_step(editor, qtbot, SECOND)
    assert editor.context.actions["hear.film"].isChecked()
    action.trigger()
    assert not player.state.playing
    assert running(editor) == []


@VOICE
def test_from_here_where_nothing_is_spoken_soon_the_film_starts_at_once(editor, qtbot):
    editor.player.seek(5_600)
    editor.context.actions["hear.here"].trigger()
    qtbot.waitUntil(lambda: editor.player.state.playing)


@VOICE
def test_from_here_again_before_it_has_begun_is_quiet(editor, qtbot):
    action = editor.context.actions["hear.here"]
    action.trigger()
    action.trigger()
    assert not editor.hearing.busy
    assert not editor.player.state.playing


@VOICE
def test_narration_that_is_switched_off_before_it_has_begun_starts_no_film_later(editor, qtbot):
    ready: list[bool] = []
    editor.hearing.narration.ready.connect(lambda: ready.append(True))
    editor.player.seek(3_800)
    editor.context.actions["hear.here"].trigger()
    for _ in ("off", "on"):
        editor.context.actions["hear.film"].trigger()
    qtbot.waitUntil(lambda: bool(ready) and narration(editor).in_place and not editor.player.busy)
    qtbot.wait(2 * UNTIL_PICTURE_MS)  # a film that was to start has started: its timer is due before this one
    assert not editor.player.state.playing


@VOICE
def test_from_here_ends_a_loop_and_a_gap(editor, qtbot):
    editor.player.set_loop(Span(0, 4_000))
    editor.context.actions["hear.gap"].trigger()
    editor.context.actions["hear.here"].trigger()
    assert editor.player.loop is None
    qtbot.waitUntil(lambda: editor.player.state.playing)
    editor.player.seek(3_950)
    qtbot.waitUntil(lambda: editor.player.state.time > 4_300)  # the gap would have ended at 4 s


def test_from_here_without_lines_is_the_film(edit, clip, qtbot):
    editor = edit(script_of(clip, lines=()))
    editor.context.actions["hear.here"].trigger()
    qtbot.waitUntil(lambda: editor.player.state.playing)


@VOICE
def test_a_pause_within_a_line_is_one_and_then_it_goes_on_where_it_was(along, qtbot):
    player = along.player
    player.seek(3_500)
    player.play()
    in_step(along, qtbot, SECOND)
    player.pause()
    assert running(along) == []
    qtbot.waitUntil(lambda: player.ducked == 0)
    qtbot.waitUntil(lambda: narration(along).in_place)
    (voice,) = narration(along)._active_voices.values()
    assert voice.sound[1] + voice._at == player.state.time
    player.play()
    in_step(along, qtbot, SECOND)


@VOICE
def test_after_a_seek_the_line_there_is_heard_from_there(along, qtbot):
    player = along.player
    player.seek(900)
    player.play()
    in_step(along, qtbot, FIRST)
    player.seek(3_900)
    assert running(along) == []
    in_step(along, qtbot, SECOND)
    player.seek(5_600)
    assert running(along) == []


@VOICE
@pytest.mark.parametrize("speed", [0.5, 0.75, 1.5, 2.0])
def test_at_another_speed_the_voice_keeps_step(along, qtbot, speed: float):
    player = along.player
    player.set_speed(speed)
    player.seek(3_500)
    player.play()
    in_step(along, qtbot, SECOND)


@VOICE
def test_a_speed_at_which_nobody_would_understand_is_silent_and_said_once(along, qtbot):
    player = along.player
    player.seek(900)
    player.set_loop(FIRST)
    player.play()
    qtbot.waitUntil(lambda: bool(running(along)))
    player.set_speed(4.0)
    qtbot.waitUntil(lambda: running(along) == [] and player.ducked == 0)
    assert [said for said in along.said if "silent" in said] == ["At this speed, narration is silent."]


@VOICE
def test_a_loop_speaks_its_line_every_time(along, qtbot):
    player = along.player
    begun: list[int] = []
    for voice in (*narration(along)._free, *narration(along)._active_voices.values()):
        start = voice._voice.start
        voice._voice.start = lambda pace=1.0, start=start: (begun.append(player.state.time), start(pace))
    player.set_loop(Span(3_400, 4_300))
    player.seek(3_400)
    player.play()
    qtbot.waitUntil(lambda: len(begun) >= 3)
    assert all(3_300 <= at <= 4_300 for at in begun[-2:])


@VOICE
def test_frame_steps_move_the_voice_with_the_picture(along, qtbot):
    """Ten pictures on, and five back: the voice starts where the picture is, 0.2 s further on."""
    player = along.player
    player.seek(3_600)
    qtbot.waitUntil(lambda: narration(along).in_place)
    for _ in range(10):
        at = player.state.time
        player.step(1)
        qtbot.waitUntil(lambda at=at: player.state.time == at + 40)
    for _ in range(5):
        at = player.state.time
        player.step(-1)
        qtbot.waitUntil(lambda at=at: player.state.time == at - 40)
    assert player.state.time == 3_800
    assert running(along) == []
    qtbot.waitUntil(lambda: narration(along).in_place)
    (voice,) = narration(along)._active_voices.values()
    assert voice.sound[1] + voice._at == 3_800
    player.play()
    in_step(along, qtbot, SECOND)


def test_a_take_is_heard_along_with_the_film_without_any_voice(monkeypatch, edit, clip, tmp_path, qtbot):
    """Half a second of a tone that was recorded for the second line; no engine is asked."""
    import numpy as np

    monkeypatch.setenv("PATH", str(tmp_path))
    tone = np.sin(np.arange(24_000) / 20).astype(np.float32) / 4
    editor = edit(script_of(clip))
    key = editor.session.project.store_sound(encoded_recording(Sound(tone, 48_000)))
    line = editor.session.script.eventuality("e2")
    take = Take("t", key, 500, line.variants[0].text)
    variant = replace(line.variants[0], duration=None, takes=(take,), take="t")
    editor.session.edits.do(Replace(line, replace(line, variants=(variant,))))
    editor.session.edits.attempt(lambda script: pin_out(script, ("e1",)))
    editor.player.seek(3_000)
    editor.context.actions["hear.here"].trigger()
    qtbot.waitUntil(lambda: editor.player.state.playing)
    ((segment, sound),) = narration(editor)._sounds.items()
    with wave.open(io.BytesIO(sound.path.read_bytes())) as file:
        found = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    at = 48 * (editor.session.plan.deliveries[0].start - segment.span.start)
    assert not found[:at].any()
    assert np.abs(found[at + 500 : at + 23_500] - tone[500:23_500] * 32767).max() <= 2
    assert not found[at + 24_000 :].any()
