"""Extended lines: the picture is held at the start of the action, the line is spoken, and the film goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from along_film import SECOND, STOOD_MS, VOICE, FilmLog, in_step
from small_editor import LINES, SmallEditor, script_of

from adstudio.core.script import Eventuality, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.speech.engine import Style
from adstudio.ui.hearing.held_lines import held_lines

pytest.importorskip("mpv", exc_type=(ImportError, OSError))

AT = 2_000
HELD = Eventuality("x", (Variant("A letter lies on the table."),), Span(AT, 2_500), 500_000, extended=True)


def plain(_line: Eventuality | None) -> Style:
    return Style()


def test_which_lines_hold_the_picture_and_where():
    """In order; not those that are locked out, that never happen, or have no words; in the wording that is locked."""
    lines = (
        replace(HELD, id="b", occurrence=Span(5_000, 6_000)),
        replace(HELD, id="a", variants=(Variant("Long."), Variant("Short.")), pin=Pin(variant=1)),
        replace(HELD, id="out", pin=Pin(selected=False)),
        replace(HELD, id="never", occurrence=None),
        replace(HELD, id="wordless", variants=(Variant(" "),)),
        replace(HELD, id="spoken", extended=False),
    )
    script = Script(script_of(None).film, eventualities=lines)
    found = held_lines(script, plain, None)
    assert [(line.start, line.text) for line in found] == [(2_000, "Short."), (5_000, "A letter lies on the table.")]
    assert [line.start for line in held_lines(script, plain, Span(2_000, 5_000))] == [2_000]


@pytest.fixture
def held(edit, clip, qtbot) -> SmallEditor:
    editor = edit(script_of(clip, lines=(HELD, LINES[1])))
    qtbot.waitUntil(lambda: not editor.player.busy and editor.player.canvas.shape.width() > 0)
    editor.context.actions["hear.film"].trigger()
    editor.player.seek(1_500)
    return editor


def is_holding(editor: SmallEditor, qtbot) -> None:
    qtbot.waitUntil(lambda: editor.player.held)


@VOICE
def test_the_picture_is_held_for_as_long_as_the_line_is_spoken_once(held, qtbot):
    player = held.player
    began: list[int] = []
    jumped: list[int] = []
    log = FilmLog(held)
    held.hearing.narration.held_lines.began.connect(lambda: began.append(player.state.time))
    player.jumped.connect(jumped.append)
    player.play()
    is_holding(held, qtbot)
    assert began == [log.first_from(AT - 20)]  # half a picture
    assert player.state.playing
    qtbot.waitUntil(lambda: not player.held)
    assert player.state.time - began[0] < STOOD_MS
    qtbot.waitUntil(lambda: player.state.time >= 2_800)
    assert not player.held
    assert jumped == []


@VOICE
def test_a_pause_while_it_is_held_is_one_and_the_line_goes_on(held, qtbot):
    player, lines = held.player, held.hearing.narration.held_lines
    player.play()
    is_holding(held, qtbot)
    qtbot.waitUntil(lambda: lines._voice._is_loaded)
    player.toggle()
    assert not player.state.playing
    assert lines.busy
    at = player.state.time
    player.toggle()
    assert player.held
    qtbot.waitUntil(lambda: not player.held)
    assert player.state.time - at < STOOD_MS
    qtbot.waitUntil(lambda: player.state.time >= 2_600)


@VOICE
def test_a_seek_while_it_is_held_goes_on_there_and_back_to_it_holds_again(held, qtbot):
    player = held.player
    player.play()
    is_holding(held, qtbot)
    player.seek(2_600)
    assert not player.held
    assert not held.hearing.narration.held_lines.busy
    qtbot.waitUntil(lambda: player.state.time >= 2_700)
    player.seek(AT)  # just where it happens
    is_holding(held, qtbot)


@VOICE
def test_switching_narration_off_while_it_is_held_lets_the_film_go_on(held, qtbot):
    held.player.play()
    is_holding(held, qtbot)
    held.context.actions["hear.film"].trigger()
    assert not held.player.held
    qtbot.waitUntil(lambda: held.player.state.time >= 2_400)


@VOICE
def test_a_gap_is_played_with_its_extended_line_though_nothing_else_is_spoken_in_it(held, qtbot):
    held.context.actions["hear.film"].trigger()
    held.session.cursor.seek(2_000)
    log = FilmLog(held)
    held.context.actions["hear.gap"].trigger()
    is_holding(held, qtbot)
    qtbot.waitUntil(lambda: not held.hearing.busy)
    assert log.pauses == [log.first_from(4_000)]


@VOICE
def test_narration_after_the_hold_keeps_step(held, qtbot):
    held.player.play()
    is_holding(held, qtbot)
    qtbot.waitUntil(lambda: not held.player.held)
    in_step(held, qtbot, SECOND)
    assert held.player.state.time >= 3_000


def test_without_a_voice_the_film_goes_on(edit, clip, qtbot, monkeypatch):
    from test_hearing import said_by_worker

    said_by_worker(monkeypatch, "import sys; sys.stdin.readline(); sys.exit(7)")
    editor = edit(script_of(clip, lines=(HELD,)))
    editor.context.actions["hear.film"].trigger()
    editor.player.seek(1_800)
    editor.player.play()
    qtbot.waitUntil(lambda: editor.player.state.time >= 2_400)
    assert not editor.player.held
    assert any("speech engine has crashed" in said for said in editor.said)
