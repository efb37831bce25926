"""Hearing, with the real voice where there is one: what is asked for, where it falls, how loud the film is."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from along_film import VOICE, running, volume
from small_editor import LINES, SmallEditor, script_of

from adstudio.core.narration import Pronunciation, VoiceSettings
from adstudio.core.script import Variant
from adstudio.core.steps import Replace
from adstudio.core.timebase import Span
from adstudio.editing.pins import pin_out
from adstudio.editing.voicing import change_line_voice, set_pronunciation, set_voice
from adstudio.speech.engine import Style
from adstudio.speech.messages import PROTOCOL, Placed, Render, Say
from adstudio.ui.picture.mpv_core import NO_SOUND, has_sound
from adstudio.ui.session.selection import NOTHING

pytest.importorskip("mpv", exc_type=(ImportError, OSError))
TOGETHER_MS = 50
"""No more than this may film and voice be apart."""


def said_by_worker(monkeypatch, program: str) -> None:
    monkeypatch.setattr(PROTOCOL, "command", lambda: [sys.executable, "-c", program])


@VOICE
def test_a_line_is_spoken_in_the_wording_of_the_plan(editor, asked, qtbot):
    editor.session.cursor.select_line("e1")
    editor.context.actions.refresh()
    editor.context.actions["hear.line"].trigger()
    assert editor.hearing.busy
    assert editor.context.actions["hear.stop"].isEnabled()
    qtbot.waitUntil(lambda: not editor.hearing.busy, timeout=15_000)
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
    qtbot.waitUntil(lambda: not editor.hearing.busy, timeout=20_000)
    assert [request.text for request in asked] == ["One two three.", "One two.", "One."]
    assert [sentence.partition(":")[0] for sentence in editor.said[-3:]] == [f"Wording {n} of 3" for n in (1, 2, 3)]


@VOICE
def test_a_gap_is_heard_with_a_second_around_it_in_step_and_the_film_ducked(editor, asked, qtbot):
    revision = editor.session.edits.revision
    editor.session.cursor.seek(2000)
    editor.context.actions["hear.gap"].trigger()
    assert editor.session.cursor.playhead == 0  # the gap is 1–3 s
    times: list[int] = []
    editor.player.moved.connect(times.append)
    qtbot.waitUntil(lambda: editor.player.state.playing, timeout=15_000)
    assert asked == [
        Render(Span(0, 4000), (Placed("She turns.", editor.session.plan.deliveries[0].start, Style("", 200)),))
    ]
    levels: list[tuple[int, float, float]] = []
    skews: list[float] = []

    def look(ms: int) -> None:
        levels.append((ms, volume(editor), editor.player.ducked))
        skews.extend(voice.skew for voice in running(editor) if voice.skew is not None)

    editor.player.moved.connect(look)
    qtbot.waitUntil(lambda: not editor.hearing.busy, timeout=15_000)
    assert not editor.player.state.playing
    assert 4000 <= editor.session.cursor.playhead <= 4080
    start, end = editor.session.plan.deliveries[0].start, editor.session.plan.deliveries[0].end
    # The house preset: −9 dB, on mpv's cubic scale 100 · 10^(−9/60) = 70.8; ramps of 0.3 s, within the gap.
    assert {down for ms, _, down in levels if ms < max(1000, start - 300)} == {0}
    assert {down for ms, _, down in levels if start + 120 <= ms < end - 40} == {-9}
    assert {down for ms, _, down in levels if ms > end + 340} == {0}
    assert 70.8 in {round(level, 1) for ms, level, _ in levels if start + 120 <= ms < end - 40}
    assert round(levels[-1][1], 1) == 100.0
    assert skews
    assert abs(skews[-1]) < TOGETHER_MS
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
    qtbot.waitUntil(lambda: any(voice.skew is not None for voice in running(editor)), timeout=10_000)
    player.pause()
    assert running(editor) == []
    qtbot.waitUntil(lambda: player.ducked == 0)
    player.seek(3800)  # in the second line
    player.play()
    qtbot.waitUntil(lambda: any(voice.skew is not None for voice in running(editor)), timeout=10_000)
    (voice,) = running(editor)
    qtbot.waitUntil(lambda: abs(voice.skew) < TOGETHER_MS, timeout=3000)
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
    qtbot.waitUntil(lambda: editor.player.state.playing, timeout=15_000)
    editor.context.actions["hear.stop"].trigger()
    assert not editor.player.state.playing
    assert not editor.hearing.busy
    assert running(editor) == []


@VOICE
def test_a_pause_while_a_gap_is_played_is_one(editor, qtbot):
    """The voice gets ready where the film was paused, which must not start the film again."""
    player = editor.player
    editor.context.actions["hear.gap"].trigger()
    qtbot.waitUntil(lambda: bool(running(editor)), timeout=15_000)
    player.pause()
    qtbot.waitUntil(lambda: editor.hearing.narration.in_place and not player.busy, timeout=10_000)
    qtbot.wait(100)  # several times what starting takes
    assert not player.state.playing
    player.play()
    qtbot.waitUntil(lambda: not editor.hearing.busy, timeout=15_000)  # it still ends with the gap


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
    qtbot.waitUntil(lambda: sentence in editor.said, timeout=10_000)
    qtbot.waitUntil(lambda: editor.session.cursor.playhead >= 400)
    assert editor.said.count(sentence) == 1
    editor.player.pause()
    editor.context.actions["hear.gap"].trigger()
    qtbot.waitUntil(lambda: editor.player.state.playing, timeout=10_000)  # the film at least
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
    start = voice._voice.start

    def noting(pace: float = 1.0) -> None:
        path, at = voice.sound
        begun.append((path.stem, at, editor.player.now))
        start(pace)

    voice._voice.start = noting
    editor.player.seek(600)
    editor.player.play()
    qtbot.waitUntil(lambda: len(begun) == 1, timeout=10_000)
    editor.player.seek(2600)
    qtbot.waitUntil(lambda: len(begun) == 3, timeout=10_000)
    editor.player.pause()
    assert [(name, at) for name, at, _ in begun] == [("880", 1000), ("587", 3000), ("880", 3500)]
    late = sorted(abs(now - at) for _, at, now in begun)
    assert late[1] <= TOGETHER_MS  # one of them may fall into a moment when the machine has other work
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
