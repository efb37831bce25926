"""What the tests of hearing look at."""

from __future__ import annotations

import shutil

import pytest
from small_editor import SmallEditor

from adstudio.core.timebase import Span
from adstudio.ui.hearing.film_narration import FilmNarration
from adstudio.ui.picture.playback_state import PlayerState

VOICE = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")

IN_STEP_MS = 50
"""No more than this may film and voice be apart; the benchmark measures it, here other work may come in between."""
STOOD_MS = 500
"""A film that has moved on by less while a line of some seconds was spoken has stood: pictures may be on their way."""
FIRST, SECOND = Span(900, 2_000), Span(3_400, 4_700)
"""Around the lines of the small film."""


class FilmLog:
    """All times at which the film is from now on, and those at which it begins to play and pauses."""

    def __init__(self, editor: SmallEditor) -> None:
        self.times: list[int] = []
        self.starts: list[int] = []
        self.pauses: list[int] = []
        self._playing = editor.player.state.playing
        editor.player.moved.connect(self.times.append)
        editor.player.changed.connect(self._changed)

    def first_from(self, ms: int) -> int:
        """The first picture at or after a time that was shown."""
        return next(each for each in self.times if each >= ms)

    def _changed(self, state: PlayerState) -> None:
        if state.playing != self._playing:
            self._playing = state.playing
            (self.starts if state.playing else self.pauses).append(state.time)


def narration(editor: SmallEditor) -> FilmNarration:
    return editor.hearing.narration.film_narration


def running(editor: SmallEditor) -> list:
    return [voice for voice in narration(editor)._active_voices.values() if voice.running]


def in_step(editor: SmallEditor, qtbot, line: Span | None) -> None:
    """A voice is speaking, and where the film is; a line is played again and again until both were looked at."""
    if line is not None:
        editor.player.set_loop(line)
    for voice in (*narration(editor)._free, *narration(editor)._active_voices.values()):
        voice.skew = None
    qtbot.waitUntil(
        lambda: any(voice.skew is not None and abs(voice.skew) < IN_STEP_MS for voice in running(editor)),
    )


def volume(editor: SmallEditor) -> float:
    return editor.player._mpv._mpv.volume
