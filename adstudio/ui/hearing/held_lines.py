"""Extended lines along with the film: where one is due the picture is held, the line is spoken, the film goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.delivery.lines import extended_lines
from adstudio.speech.engine import Style
from adstudio.speech.messages import Placed
from adstudio.ui.hearing.audio_player import AudioPlayer
from adstudio.ui.picture.player import Player

AHEAD_MS = 6000
"""Lines that are due within this are spoken into files already."""

Say = Callable[[Placed, Callable[[Path | None], None]], None]
"""Speaks a line, then passes on its file, or None if that failed."""


def held_lines(script: Script, style: Callable[[Eventuality | None], Style], within: Span | None) -> tuple[Placed, ...]:
    """The extended lines of a script, in order, each at the start of its occurrence; or only those in a span."""
    return tuple(
        Placed(each.wording.text, each.start, style(each.line), each.wording.chosen_take)
        for each in extended_lines(script)
        if within is None or within.start <= each.start < within.end
    )


class HeldLines(QObject):
    """Follows the player; only while it plays forwards, at speeds at which narration is heard (`is_audible`)."""

    began = Signal()
    """The picture is held now."""
    ended = Signal()
    """The film goes on."""

    def __init__(
        self,
        player: Player,
        voice: AudioPlayer,
        say: Say,
        is_audible: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._player, self._voice, self._say, self._is_audible = player, voice, say, is_audible
        self._lines: tuple[Placed, ...] = ()
        self._files: dict[Placed, Path] = {}
        self._asked: set[Placed] = set()
        self._queue: list[Placed] = []
        self._current: Placed | None = None
        self._paused = False
        self._passed = -1
        """The time up to which lines have been spoken, or left behind."""
        self._done = -1
        """Where the last line was spoken."""
        voice.ended.connect(self._next)
        voice.failed.connect(self._next)
        player.moved.connect(self._tick)
        player.jumped.connect(self._jumped)
        player.changed.connect(self._film_changed)

    @property
    def busy(self) -> bool:
        """Whether a line is being spoken while the picture is held."""
        return self._current is not None

    def set_lines(self, lines: Iterable[Placed]) -> None:
        """Speak these; one that is being spoken goes on unless there are none."""
        self._lines = tuple(lines)
        if not self._lines:
            self._cancel()
        now = self._player.state.time
        self._passed = now if now == self._done else now - 1

    def forget(self) -> None:
        """Speak everything anew: the files may be gone, or the voice may have changed."""
        self._files.clear()
        self._asked.clear()

    def _tick(self, ms: int) -> None:
        if not self._lines or self.busy:
            return
        state = self._player.state
        if not state.playing or state.shuttle < 0 or not self._is_audible():
            self._passed = ms if ms == self._done else ms - 1
            return
        # A picture is shown at its start: the one in which the action begins may start a little before it.
        now = ms + self._player.frames.length / 2
        for line in self._lines:
            if self._passed < line.start < now + AHEAD_MS * state.pace:
                self._prepare(line)
        due = [line for line in self._lines if self._passed < line.start <= now]
        self._passed = round(now)
        if due:
            self._done = ms
            self._queue = due
            self._player.hold()
            self.began.emit()
            self._next()

    def _prepare(self, line: Placed) -> None:
        if line in self._asked or line in self._files:
            return
        self._asked.add(line)

        def spoken(file: Path | None) -> None:
            self._asked.discard(line)
            if file is not None:
                self._files[line] = file
            if self._current == line:
                if file is None:
                    self._next()
                else:
                    self._play(file)

        self._say(line, spoken)

    def _next(self) -> None:
        if not self._queue:
            was_busy, self._current = self.busy, None
            if was_busy:
                self._player.release()
                self.ended.emit()
            return
        self._current = self._queue.pop(0)
        file = self._files.get(self._current)
        if file is not None and file.exists():
            self._play(file)
        else:
            self._files.pop(self._current, None)
            self._prepare(self._current)

    def _play(self, file: Path) -> None:
        if self._paused:
            self._voice.load(file)
        else:
            self._voice.say(file)
            self._voice.set_pace(self._player.state.pace)

    def _film_changed(self, _state: object) -> None:
        if not self.busy:
            return
        state = self._player.state
        if not state.playing:
            self._paused = True
            self._voice.rest()
        elif state.shuttle < 0 or not self._is_audible():
            self._cancel()
        elif self._paused:
            self._paused = False
            self._player.hold()
            self._voice.start(state.pace)
        else:
            self._voice.set_pace(state.pace)

    def _jumped(self, ms: int) -> None:
        self._cancel()
        self._passed, self._done = ms - 1, -1

    def _cancel(self) -> None:
        self._queue.clear()
        self._paused = False
        if self.busy:
            self._current = None
            self._voice.stop()
            self._player.release()
            self.ended.emit()
