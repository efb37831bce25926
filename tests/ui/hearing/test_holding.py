"""“Pause for description”: the picture waits for a line that is longer than its gap, and goes on where it stopped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from along_film import STOOD_MS, VOICE, narration, running
from small_editor import LINES, SmallEditor, script_of

from adstudio.core.script import Variant

pytest.importorskip("mpv", exc_type=(ImportError, OSError))

LONG = "He lifts his hand, looks at the clock, and slowly walks along the platform to the last carriage of the train."
"""Takes the voice about five seconds; planned as 1.2 s, from 3.5 s, in a gap that ends at 5.5 s."""


@pytest.fixture
def long_line(edit, clip, qtbot) -> SmallEditor:
    line = replace(LINES[1], variants=(Variant(LONG, duration=1200),))
    editor = edit(script_of(clip, lines=(LINES[0], line)))
    editor.context.preferences.store("hear/hold", "on")
    editor.context.actions["hear.film"].trigger()
    qtbot.waitUntil(lambda: len(narration(editor)._sounds) == 2)
    editor.player.seek(4500)
    qtbot.waitUntil(lambda: narration(editor).in_place)
    editor.player.play()
    return editor


@VOICE
def test_the_picture_waits_for_a_line_that_is_longer_than_its_gap(long_line, qtbot):
    player = long_line.player
    qtbot.waitUntil(lambda: player.held)
    at = player.state.time
    assert at >= 5500
    (voice,) = running(long_line)
    heard: list[float] = []
    jumped: list[int] = []
    player.jumped.connect(jumped.append)
    voice._voice.measure(lambda ms, _at: heard.append(ms))
    qtbot.waitUntil(lambda: not player.held)
    assert player.state.time - at < STOOD_MS
    assert player.state.playing
    ((segment, sound),) = ((key, value) for key, value in narration(long_line)._sounds.items() if value.hold_at)
    assert heard[0] < sound.until - segment.span.start - 1000  # the voice was still in the middle of it
    qtbot.waitUntil(lambda: player.state.time >= 5800)
    assert jumped == []


@VOICE
def test_a_pause_while_the_picture_waits_is_a_pause(long_line, qtbot):
    player = long_line.player
    qtbot.waitUntil(lambda: player.held)
    player.toggle()
    assert (player.held, player.state.playing) == (False, False)
    assert running(long_line) == []
    player.toggle()
    qtbot.waitUntil(lambda: player.state.time >= 5800 or player.held)


@VOICE
def test_a_seek_while_the_picture_waits_goes_on_there(long_line, qtbot):
    player = long_line.player
    qtbot.waitUntil(lambda: player.held)
    player.seek(0)
    assert not player.held
    qtbot.waitUntil(lambda: 200 <= player.state.time < 5000)


@VOICE
def test_closing_while_the_picture_waits(long_line, qtbot):
    qtbot.waitUntil(lambda: long_line.player.held)
    long_line.shut_down()
