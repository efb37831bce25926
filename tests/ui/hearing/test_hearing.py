"""Hearing, with the real voice where there is one: what is asked for, where it falls, how loud the film is."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from along_film import FIRST, IN_STEP_MS, SECOND, VOICE, FilmLog, in_step, running, volume
from small_editor import LINES, SmallEditor, script_of

from adstudio.core.narration import Pronunciation, VoiceSettings
from adstudio.core.script import Variant
from adstudio.core.steps import Replace
from adstudio.core.timebase import Span
from adstudio.editing.pins import pin_out
from adstudio.editing.voicing import change_line_voice, set_pronunciation, set_voice
from adstudio.speech.engine import Style
from adstudio.speech.messages import PROTOCOL, Placed, Render, Say
from adstudio.ui.hearing.plan_narration import UNTIL_PICTURE_MS
from adstudio.ui.picture.mpv_core import NO_SOUND, has_sound
from adstudio.ui.session.selection import NOTHING

pytest.importorskip("mpv", exc_type=(ImportError, OSError))


def said_by_worker(monkeypatch, program: str) -> None:
    monkeypatch.setattr(PROTOCOL, "command", lambda: [sys.executable, "-c", program])


@VOICE
def test_a_line_is_spoken_in_the_wording_of_the_plan(editor, asked, qtbot):
    editor.session.cursor.select_line("e1")
    editor.context.actions.refresh()
    editor.context.actions["hear.line"].trigger()
    assert editor.hearing.busy
    assert editor.context.actions["hear.stop"].isEnabled()
    qtbot.waitUntil(lambda: not editor.hearing.busy)
    assert [(request.text, request.style.rate, request.language) for request in asked] == [("She turns.", 200, "en")]
    assert editor.said == ([] if has_sound() else [NO_SOUND])
    assert not editor.context.actions["hear.stop"].isEnabled()


@VOICE
def test_wordings_are_spoken_the_longest_first(edit, clip, asked, qtbot):
    line = replace(LINES[0], variants=(Variant("One two three."), Variant("One."), Variant("One two.")))
    editor = edit(script_of(clip, lines=(line,)))
    editor.session.cursor.select_line("e1")
    editor.context.actions.refresh()
    editor.context.actions["hear.variants"].trigger()
    qtbot.waitUntil(lambda: not editor.hearing.busy)
    assert [request.text for request in asked] == ["One two three.", "One two.", "One."]
    assert [sentence.partition(":")[0] for sentence in editor.said[-3:]] == [f"Wording {n} of 3" for n in (1, 2, 3)]


@VOICE
def test_a_gap_is_heard_with_a_second_around_it_in_step_and_the_film_ducked(editor, asked, qtbot):
    player, hear_gap = editor.player, editor.context.actions["hear.gap"]
    revision = editor.session.edits.revision
    editor.session.cursor.seek(2000)
    hear_gap.trigger()
    assert editor.session.cursor.playhead == 0  # the gap is 1–3 s
    log = FilmLog(editor)
    qtbot.waitUntil(lambda: player.state.playing)
    start, end = editor.session.plan.deliveries[0].start, editor.session.plan.deliveries[0].end
    assert asked == [Render(Span(0, 4000), (Placed("She turns.", start, Style("", 200)),))]
    before: set[float] = set()
    under: set[float] = set()
    after: set[float] = set()
    skews: list[float] = []
    volumes: set[float] = set()

    def look(ms: int) -> None:
        """The house preset: −9 dB, with ramps of 0.3 s, within the gap."""
        if player.state.playing:
            if player.now < max(1000, start - 300):
                before.add(player.ducked)
            elif start <= ms and player.now < end:
                under.add(player.ducked)
            elif end + 300 < ms < 4000:
                after.add(player.ducked)
        skews.extend(voice.skew for voice in running(editor) if voice.skew is not None)
        volumes.add(round(volume(editor), 1))

    player.moved.connect(look)
    qtbot.waitUntil(lambda: not editor.hearing.busy)
    assert log.pauses == [log.first_from(4000)]

    def sounded() -> bool:
        """It is played until all has been looked at; −9 dB on mpv's cubic scale: 100 · 10^(−9/60) = 70.8."""
        if not editor.hearing.busy:
            player.seek(2000)
            hear_gap.trigger()
        seen = before and under and after and 70.8 in volumes
        return bool(seen and skews) and abs(skews[-1]) < IN_STEP_MS

    qtbot.waitUntil(sounded)
    editor.hearing.stop()
    assert (before, under, after) == ({0}, {-9}, {0})
    qtbot.waitUntil(lambda: volume(editor) == 100)
    assert editor.session.edits.revision == revision
    assert not editor.session.edits.document.changed


@VOICE
def test_the_plan_is_spoken_along_with_the_film_and_stops_with_it(editor, asked, qtbot):
    player, actions = editor.player, editor.context.actions
    actions["hear.film"].trigger()
    assert actions["hear.film"].isChecked()
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert [line.text for request in asked for line in request.lines] == ["She turns.", "He lifts his hand."]
    player.play()
    in_step(editor, qtbot, FIRST)
    player.pause()
    assert running(editor) == []
    qtbot.waitUntil(lambda: player.ducked == 0)
    player.seek(3800)  # in the second line
    player.play()
    in_step(editor, qtbot, SECOND)
    qtbot.waitUntil(lambda: player.ducked < 0)
    player.shuttle(-1)
    assert running(editor) == []
    actions["hear.film"].trigger()
    assert not actions["hear.film"].isChecked()
    player.pause()
    assert len(asked) == 2  # nothing is rendered twice


@VOICE
def test_an_edit_is_heard_from_the_next_line_on(editor, asked, qtbot):
    editor.context.actions["hear.film"].trigger()
    qtbot.waitUntil(lambda: len(asked) == 2)
    line = editor.session.script.eventuality("e2")
    new = replace(line, variants=(replace(line.variants[0], text="He waves."),))
    editor.session.edits.do(Replace(line, new))
    qtbot.waitUntil(lambda: len(asked) == 3)
    assert [line.text for line in asked[2].lines] == ["He waves."]
    editor.context.actions["hear.film"].trigger()


@VOICE
def test_stop_is_quiet_at_once(editor, qtbot):
    editor.context.actions["hear.gap"].trigger()
    qtbot.waitUntil(lambda: editor.player.state.playing)
    editor.context.actions["hear.stop"].trigger()
    assert not editor.player.state.playing
    assert not editor.hearing.busy
    assert running(editor) == []


@VOICE
def test_a_pause_while_a_gap_is_played_is_one(editor, qtbot):
    """The voice gets ready where the film was paused, which must not start the film again."""
    player = editor.player
    editor.context.actions["hear.gap"].trigger()
    qtbot.waitUntil(lambda: bool(running(editor)))
    player.pause()
    ready: list[bool] = []
    editor.hearing.narration.ready.connect(lambda: ready.append(True))
    qtbot.waitUntil(lambda: bool(ready) and not player.busy)
    qtbot.wait(2 * UNTIL_PICTURE_MS)  # a film that was to start has started: its timer is due before this one
    assert not player.state.playing
    player.play()
    qtbot.waitUntil(lambda: not editor.hearing.busy)  # it still ends with the gap


@VOICE
@pytest.mark.parametrize("after", [0, 30, 300])
def test_closing_during_speech_leaves_nothing(editor, qtbot, after):
    editor.session.cursor.select_line("e1")
    editor.context.actions.refresh()
    editor.context.actions["hear.line"].trigger()
    qtbot.wait(after)
    editor.context.actions["hear.gap"].trigger()
    qtbot.wait(after)
    editor.shut_down()
    assert not editor.hearing._speaking._client.running


def test_a_gap_without_lines_is_only_the_film(edit, clip, qtbot):
    editor = edit(script_of(clip, lines=()))
    editor.session.cursor.seek(2000)
    editor.context.actions["hear.gap"].trigger()
    assert any(said.endswith("; nothing is spoken in it.") for said in editor.said)
    assert editor.player.state.playing
    editor.player.seek(3960)
    qtbot.waitUntil(lambda: not editor.player.state.playing)
    assert not editor.hearing.busy


def failing(editor: SmallEditor, qtbot, sentence: str) -> None:
    editor.context.actions["hear.film"].trigger()
    editor.player.play()
    qtbot.waitUntil(lambda: sentence in editor.said)
    qtbot.waitUntil(lambda: editor.session.cursor.playhead >= 400)
    assert editor.said.count(sentence) == 1
    editor.player.pause()
    editor.context.actions["hear.gap"].trigger()
    qtbot.waitUntil(lambda: editor.player.state.playing)  # the film at least
    editor.context.actions["hear.stop"].trigger()


def test_no_voice_is_said_once_and_the_film_plays(monkeypatch, edit, clip, qtbot):
    answer = """import sys, json
for line in sys.stdin:
    print(json.dumps({"type": "Failed", "message": "No voice: install espeak-ng"}), flush=True)
"""
    said_by_worker(monkeypatch, answer)
    failing(edit(script_of(clip)), qtbot, "No voice: install espeak-ng")


def test_a_voice_that_dies(monkeypatch, edit, clip, qtbot):
    said_by_worker(monkeypatch, "import sys; sys.stdin.readline(); sys.exit(7)")
    failing(edit(script_of(clip)), qtbot, "The speech engine has crashed: try again, or choose another voice")


def test_without_libmpv_a_sentence(monkeypatch, edit, clip):
    monkeypatch.setitem(sys.modules, "mpv", None)
    editor = edit(script_of(clip))
    editor.session.cursor.select_line("e1")
    editor.context.actions.refresh()
    for name in ("hear.line", "hear.variants", "hear.film", "hear.cues", "hear.gap"):
        editor.context.actions[name].trigger()
    assert editor.said.count("Nothing can be heard: libmpv is not installed.") == 1
    assert not editor.context.actions["hear.film"].isChecked()
    editor.context.actions["hear.stop"].trigger()


def test_tones_at_a_gaps_in_and_out(editor, qtbot):
    editor.context.actions["hear.cues"].trigger()
    assert editor.context.actions["hear.cues"].isChecked()
    voice = editor.hearing.cues.tones["hear.cues"]._voice
    begun: list[tuple[str, int, float]] = []
    player, start = editor.player, voice._voice.start

    def noting(pace: float = 1.0) -> None:
        path, at = voice.sound
        begun.append((path.stem, at, player.now))
        start(pace)

    voice._voice.start = noting

    def sounds(pitch: str, at: int) -> bool:
        """The film is played there until the tone comes in time, which it does where the machine has no other work."""
        if not player.state.playing or not at - 500 <= player.state.time <= at + 300:
            player.seek(at - 400)
            player.play()
        return any((name, due) == (pitch, at) and abs(now - at) <= IN_STEP_MS for name, due, now in begun)

    tones = (("880", 1000), ("587", 3000), ("880", 3500), ("587", 5500))
    for pitch, at in tones:
        qtbot.waitUntil(lambda pitch=pitch, at=at: sounds(pitch, at))
    player.pause()
    assert {(name, at) for name, at, _ in begun} == set(tones)
    editor.context.actions["hear.cues"].trigger()
    assert not editor.context.actions["hear.cues"].isChecked()


def test_line_cue_tones_are_of_the_spoken_lines_and_of_other_pitches_than_the_gaps(editor):
    for name in ("hear.cues", "hear.line_cues"):
        editor.context.actions[name].trigger()
        assert editor.context.actions[name].isChecked()
    tones = editor.hearing.cues.tones
    assert tones["hear.line_cues"]._spans == tuple(each.span for each in editor.session.plan.deliveries)
    assert tones["hear.cues"]._spans == editor.session.gaps
    pitches = [{path.stem for path in tones[name]._files.values()} for name in tones]
    assert not pitches[0] & pitches[1]
    first = editor.session.plan.deliveries[0].element
    editor.session.edits.attempt(lambda script: pin_out(script, (first,)))
    assert first not in editor.session.plan.by_element
    assert tones["hear.line_cues"]._spans == tuple(each.span for each in editor.session.plan.deliveries)
    editor.context.actions["hear.line_cues"].trigger()
    assert tones["hear.line_cues"]._spans == ()
    editor.context.actions["hear.cues"].trigger()


def test_the_voice_says_nothing_of_a_project_that_is_gone(editor, monkeypatch):
    editor.context.actions["hear.film"].trigger()
    editor.session.close_project()
    assert not editor.context.actions["hear.film"].isChecked()
    assert not editor.hearing.busy


def test_everything_is_spoken_in_the_project_s_voice_by_its_lexicon(editor, asked, qtbot):
    """A line's own voice goes before it; the preferences' voice speaks only where there is none."""
    session, preferences = editor.session, editor.context.preferences
    preferences.store("voice", "default")
    editor.hearing.hear_text("Hello.")
    assert (asked[-1].engine, asked[-1].style.voice) == ("", "default")
    session.edits.attempt(lambda script: set_voice(script, VoiceSettings("espeak-ng", "gmw/en", pitch=10, volume=-20)))
    session.edits.attempt(lambda script: set_pronunciation(script, "turns", "tuhns"))
    session.edits.attempt(lambda script: change_line_voice(script, ("e1",), lambda own: replace(own, rate=300)))
    session.cursor.select_line("e1")
    editor.hearing.hear_line()
    assert asked[-1] == Say(
        "She turns.",
        Style("gmw/en", 300, 10, -20),
        "espeak-ng",
        "en",
        (Pronunciation("turns", "tuhns"),),
    )
    editor.hearing.hear_pronounced("turns", "", (Pronunciation("turns", "other"),))
    assert (asked[-1].text, asked[-1].lexicon) == ("turns", (Pronunciation("turns", "other"),))
    assert asked[-1].style == Style("gmw/en", 200, 10, -20)
    editor.hearing.stop()


def test_another_pronunciation_is_heard_along_with_the_film_at_once(editor, asked, qtbot):
    editor.context.actions["hear.film"].trigger()
    qtbot.waitUntil(lambda: len(asked) == 2)
    editor.session.edits.attempt(lambda script: set_pronunciation(script, "lifts", "lihfts"))
    qtbot.waitUntil(lambda: len(asked) >= 4)
    assert [request.lexicon for request in asked[2:]] == [(Pronunciation("lifts", "lihfts"),)] * 2  # each once
    editor.hearing.stop()


def test_the_voice_is_tried_with_the_first_line_where_none_is_selected(editor, asked):
    editor.session.cursor.select(NOTHING)
    editor.hearing.try_voice()
    assert asked[-1].text == "She turns."
    editor.session.cursor.select_line("e2")
    editor.hearing.try_voice()
    assert asked[-1].text == "He lifts his hand."
    editor.hearing.stop()
