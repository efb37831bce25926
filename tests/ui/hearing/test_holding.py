"""“Pause for description”: the picture waits for a line that is longer than its gap, and goes on where it stopped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from along_film import VOICE, narration, running
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
    qtbot.waitUntil(lambda: len(narration(editor)._sounds) == 2, timeout=15_000)
    editor.player.seek(4800)
    editor.player.play()
    return editor


@VOICE
def test_the_picture_waits_for_a_line_that_is_longer_than_its_gap(long_line, qtbot):
    player = long_line.player
    qtbot.waitUntil(lambda: player.held, timeout=10_000)
    at = player.state.time
    assert 5500 <= at <= 5600
    (voice,) = running(long_line)
    heard: list[float] = []
    jumped: list[int] = []
    player.jumped.connect(jumped.append)
    voice._voice.measure(lambda ms, _at: heard.append(ms))
    qtbot.waitUntil(lambda: not player.held, timeout=15_000)
    assert player.state.time - at <= 40  # what was on its way when it was held
    assert player.state.playing
    assert heard[0] < 3600  # the voice was still in the middle of it
    qtbot.waitUntil(lambda: player.state.time >= 5800)
    assert jumped == []


@VOICE
def test_a_pause_while_the_picture_waits_is_a_pause(long_line, qtbot):
    player = long_line.player
    qtbot.waitUntil(lambda: player.held, timeout=10_000)
    player.toggle()
    assert (player.held, player.state.playing) == (False, False)
    assert running(long_line) == []
    player.toggle()
    qtbot.waitUntil(lambda: player.state.time >= 5800 or player.held, timeout=10_000)


@VOICE
def test_a_seek_while_the_picture_waits_goes_on_there(long_line, qtbot):
    player = long_line.player
    qtbot.waitUntil(lambda: player.held, timeout=10_000)
    player.seek(0)
    assert not player.held
    qtbot.waitUntil(lambda: 200 <= player.state.time < 2000)


@VOICE
def test_closing_while_the_picture_waits(long_line, qtbot):
    qtbot.waitUntil(lambda: long_line.player.held, timeout=10_000)
    long_line.shut_down()
