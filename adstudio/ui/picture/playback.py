"""What moves film time: mpv playing a file, or a clock where there is no picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from adstudio.core.errors import OutsideFailureError
from adstudio.ui.background.timers import single_shot
from adstudio.ui.picture.mpv_core import EndReason, MpvCore
from adstudio.ui.picture.playback_state import Frames

TICK_MS = 20
LOOSE_FORMATS = ("mpegts", "mpeg", "vob")
"""FFmpeg finds no key picture before a time in these, but some way after it; so it is asked for an earlier time."""
LOOSE_SECONDS = 3
LONGEST_STEP_MS = 700
"""A step that shows nothing is over after this long: there is no further picture, or mpv has lost it, as it may."""
Clock = Callable[[], float]
Measured = Callable[[float, float], object]
"""Called with a film time, and the time of the clock (`now_ms`) at which the film was there."""


def now_ms() -> float:
    """Milliseconds of a clock that never goes back."""
    return time.monotonic() * 1000


class Playback(QObject):
    """Plays at a pace from a position, and reports where it is. Times are in milliseconds."""

    timed = Signal(int)
    """The film is at this time; pictures passed on the way to a position asked for are not reported."""
    ended = Signal()
    """It has reached the end, and stays there."""
    loaded = Signal()
    failed = Signal(str)
    """One sentence: the file cannot be played."""
    stuck = Signal()
    """The next picture was asked for by a step and has not come, although there is one."""

    busy = False
    """Whether it has yet to reach the position asked for last."""

    ahead = 0
    """How many pictures the steps under way have yet to move, which no reported time shows."""

    def run(self) -> None:
        """Play."""
        raise NotImplementedError

    def halt(self) -> None:
        """Pause."""
        raise NotImplementedError

    def seek(self, ms: int) -> None:
        """Go to the picture nearest to a time, playing or not."""
        raise NotImplementedError

    def step(self, by: int) -> bool:
        """Show the next picture (1), or the one before (−1); False where that is done by seeking."""
        del by
        return False

    def set_pace(self, pace: float) -> None:
        """Set the speed."""
        raise NotImplementedError

    def measure(self, reply: Measured) -> None:
        """Reply with where the film is, to the millisecond, and when it was there."""
        raise NotImplementedError


class ClockPlayback(Playback):
    """A clock, so that playhead, loops and narration work without a picture."""

    def __init__(self, parent: QObject | None = None, clock: Clock = now_ms) -> None:
        super().__init__(parent)
        self._clock = clock
        self._since: float | None = None
        self._place = 0.0
        self._pace = 1.0
        self.end = 0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.tick)

    def run(self) -> None:
        """Start the clock."""
        self._place, self._since = self._at(), self._clock()
        self._timer.start()

    def halt(self) -> None:
        """Stop the clock."""
        self._place, self._since = self._at(), None
        self._timer.stop()

    def seek(self, ms: int) -> None:
        """Set the clock."""
        self._place = float(ms)
        if self._since is not None:
            self._since = self._clock()
        self.timed.emit(ms)

    def set_pace(self, pace: float) -> None:
        """Film milliseconds for each of the clock's."""
        self._place = self._at()
        if self._since is not None:
            self._since = self._clock()
        self._pace = pace

    def measure(self, reply: Measured) -> None:
        """Reply at once."""
        reply(self._at(), self._clock())

    def tick(self) -> None:
        """Report the time, and the end once it is reached."""
        at = self._at()
        if at >= self.end:
            self.halt()
            self._place = float(self.end)
            self.timed.emit(self.end)
            self.ended.emit()
        else:
            self.timed.emit(int(at))

    def _at(self) -> float:
        return self._place if self._since is None else self._place + (self._clock() - self._since) * self._pace


class MpvPlayback(Playback):
    """mpv plays a film. Nothing here waits for it."""

    def __init__(self, core: MpvCore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._core = core
        self._frames = Frames()
        self._latest: int | None = None
        self._target = self._place = self._stepped_from = 0
        self._asked = self._taken = 0
        self._is_loaded = False
        self._settled = True
        self._at_end = self._step_forced = False
        self._step_by = 0
        self._then: list[Callable[[], object]] = []
        self._stepping = single_shot(self, LONGEST_STEP_MS, self._step_over)
        self._wanted: int | None = None
        core.observe("time-pos", _milliseconds, self._time_is)
        core.observe("eof-reached", bool, self._end_is)
        core.on_event(self._on_mpv_event, "file-loaded", "end-file", "playback-restart")

    def open(self, path: Path, frames: Frames, at: int) -> None:
        """Load a film, paused at a time."""
        self._forget_film()
        self._frames, self._wanted, self._latest = frames, at, None
        self._core.set("pause", "yes")
        # An absolute path is never taken for an address or an option.
        self._core.send("loadfile", _file_name(path), "replace")

    def set_sound_track(self, number: int | None) -> None:
        """Play a sound track by its number, now and in what is opened from now on; None: mpv's own choice."""
        self._core.set("aid", "auto" if number is None else number)

    def unload(self) -> None:
        """Stop, and forget the file."""
        self._forget_film()
        self._wanted = None
        self._core.send("stop")

    def run(self) -> None:
        """Play."""
        self._when_stepped(self._run)

    def _run(self) -> None:
        self._step_forced = False
        self._core.set("pause", "no")

    def halt(self) -> None:
        """Pause."""
        self._when_stepped(lambda: self._core.set("pause", "yes"))

    def seek(self, ms: int) -> None:
        """Show the picture nearest to a time."""
        if not self._is_loaded:
            self._wanted = ms
            return
        self._asked += 1
        self._target = self._place = ms
        self.busy, self._settled = True, False
        number = self._asked
        aim = self._frames.aim(ms)
        self._when_stepped(lambda: self._seek(aim, number))

    def _seek(self, aim: float, number: int) -> None:
        if self._step_forced:
            # A step that found no further picture, or that mpv has lost, would be made up after the seek.
            self._core.set("pause", "yes")
            self._step_forced = False
        self._core.send("seek", aim, "absolute+exact", reply=lambda done: self._seek_taken(number, done))

    def step(self, by: int) -> bool:
        """Show the next picture without decoding from a key picture; the one before, if no grid gives its time."""
        if self.busy or not self._is_loaded or by not in {1, -1} or (by == -1 and self._frames.rate is not None):
            return False
        self.ahead += by
        self._when_stepped(lambda: self._step(by))
        return True

    def _step(self, by: int) -> None:
        self._stepped_from = self._place
        self._step_by = by
        self._step_forced = True
        self._stepping.start()
        self._core.send("frame-step" if by == 1 else "frame-back-step")

    def _when_stepped(self, do: Callable[[], object]) -> None:
        """Do it at once, or after the step that is under way."""
        if self._stepping.isActive() or self._then:
            self._then.append(do)
        else:
            do()

    def _forget_film(self) -> None:
        self._stepping.stop()
        self._then.clear()
        self.ahead = self._step_by = 0
        self._is_loaded = self.busy = False
        self._settled = True

    def _stepped(self) -> None:
        self._stepping.stop()
        self.ahead -= self._step_by
        self._step_by = 0
        while self._then and not self._stepping.isActive():
            self._then.pop(0)()

    def _step_over(self) -> None:
        """A step has shown nothing. Where more is waiting, that shows another picture anyway."""
        lost = not self._then and not self._at_end and self._frames.rate is not None
        self._stepped()
        if lost:
            self.stuck.emit()

    def set_pace(self, pace: float) -> None:
        """Set the speed; the pitch stays."""
        self._core.set("speed", pace)

    def measure(self, reply: Measured) -> None:
        """Reply by the sound, as that is what speech must fit; by the picture where the film has none."""

        def read(text: str, at: float) -> None:
            for part in text.split():
                try:
                    reply(float(part) * 1000, at)
                except ValueError:
                    continue
                return

        self._core.ask("${=audio-pts} ${=time-pos}", read)

    def _seek_taken(self, number: int, done: bool) -> None:
        if done:
            self._taken = number
        elif number == self._asked:
            self.busy, self._settled = False, True

    def _time_is(self, ms: int | None) -> None:
        self._latest = ms
        if ms is None or not self._is_loaded:
            return
        if self._settled:
            self._place = ms  # the next step starts here
        if self._stepping.isActive() and self._is_another(ms, self._stepped_from):
            self._stepped()
        if not self._settled:
            if abs(ms - self._target) > self._frames.length / 2 + 1:
                return  # on the way
            self._settled = True
        self._place = ms
        self.timed.emit(ms)

    def _is_another(self, ms: int, other: int) -> bool:
        """Whether two times belong to two pictures. The time of one asked for is reported after it is shown."""
        return abs(ms - other) > (0 if self._frames.rate is None else self._frames.length / 2)

    def _end_is(self, reached: bool | None) -> None:
        self._at_end = bool(reached)
        if reached and self._stepping.isActive():
            self._stepped()
        self._report_end()

    def _report_end(self) -> None:
        if self._at_end and self._is_loaded and not self.busy:
            self.ended.emit()

    def _on_mpv_event(self, event: str, why: EndReason | None) -> None:
        if event == "file-loaded":
            self._core.ask("${file-format}", lambda form, _: self._format_is(form))
        elif event == "playback-restart" and self.busy and self._taken == self._asked:
            self.busy = False
            if self._latest is not None and not self._settled:
                self.timed.emit(self._latest)
            self._settled = True
            self._report_end()
        elif event == "end-file" and why is EndReason.ERROR:
            self._forget_film()
            self.failed.emit("The video cannot be played: it is damaged, or no video at all")

    def _format_is(self, form: str) -> None:
        """The file is open: go to the position asked for."""
        loose = any(name in form for name in LOOSE_FORMATS)
        self._core.set("hr-seek-demuxer-offset", LOOSE_SECONDS if loose else 0)
        self._is_loaded = True
        self.loaded.emit()
        if self._wanted is not None:
            self.seek(self._wanted)


def _milliseconds(seconds: Any) -> int | None:  # noqa: ANN401 - whatever mpv says
    return round(seconds * 1000) if isinstance(seconds, int | float) else None


def _file_name(path: Path) -> bytes:
    import os

    try:
        return os.fsencode(path.absolute())
    except ValueError as error:
        raise OutsideFailureError(f"{path} cannot be opened") from error
