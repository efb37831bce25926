"""The player: one film, its position, pace, loop and volume, whatever plays it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, QVariantAnimation, Signal

from adstudio.core.timebase import Span
from adstudio.ui.picture.canvas import Canvas, ImageCanvas, NoGlError, make_canvas
from adstudio.ui.picture.mpv_core import MpvCore, NoMpvError
from adstudio.ui.picture.playback import Clock, ClockPlayback, Measured, MpvPlayback, Playback, now_ms
from adstudio.ui.picture.playback_state import LOUDEST, Frames, PlayerState, clamped_speed, mpv_volume, next_shuttle

if TYPE_CHECKING:
    from adstudio.ui.background.thread_bridge import ThreadBridge
    from adstudio.ui.session.context import Context

log = logging.getLogger(__name__)

BACKWARDS_MS = 80
"""Between two pictures of the shuttle that goes back."""
LONGEST_GUESS_MS = 250
STANDING_MS = 100
"""At the end of a film mpv says when the sound ends, not when its last picture began: what was sought stands."""


class Player(QObject):
    """Drives mpv where there is a film to be seen, else a clock. Times are film time in milliseconds.

    It never touches the document. mpv is loaded with the first film, so that the window need not wait for it; `reason`
    then says in one sentence why there can be no picture, and is empty where there can. `loop` is what is played again
    and again, `ducked` by how many decibels the film is turned down (0 or less), `held` whether the picture waits for
    a line to be spoken. Others only read these.
    """

    changed = Signal(object)
    """PlayerState: something other than the time has changed."""
    moved = Signal(int)
    """The film is at this time: the start of a picture where the rate is known and steady."""
    jumped = Signal(int)
    """The film goes on from this time: a seek or a loop, not the passing of time."""
    canvas_changed = Signal()
    """The canvas was replaced: views of it must be made anew."""
    closing = Signal()
    """It is about to end: its picture may not be shown any more."""

    def __init__(
        self,
        marshal: ThreadBridge,
        canvas: Canvas | None = None,
        start_mpv: Callable[[], MpvCore] | None = None,
        clock: Clock = now_ms,
    ) -> None:
        super().__init__()
        self.marshal = marshal
        self.reason = ""
        self.canvas = canvas
        self._start_mpv = start_mpv
        self._mpv: MpvCore | None = None
        self._clock = clock
        self.state = PlayerState()
        self.frames = Frames()
        self.loop: Span | None = None
        self.held = self._sought = False
        self.ducked = 0.0
        self._sound_track: int | None = None
        self._clockwork = ClockPlayback(self, clock)
        self._film: MpvPlayback | None = None
        self._playback: Playback = self._clockwork
        self._listen(self._clockwork)
        self._last = (0.0, clock())
        self._back_from = (0.0, 0)
        self._back = QTimer(self, interval=BACKWARDS_MS)
        self._back.timeout.connect(self._go_back)
        self._fade = QVariantAnimation(self)
        self._fade.valueChanged.connect(self._set_ducked)

    @property
    def busy(self) -> bool:
        """Whether the picture asked for last has yet to come."""
        return self._playback.busy

    @property
    def now(self) -> float:
        """The film time between two pictures, as near as can be said without asking."""
        ms, at = self._last
        runs = self.state.playing and not self.busy and not self.held
        passed = min(LONGEST_GUESS_MS, self._clock() - at) if runs else 0.0
        return max(0.0, ms + passed * self.state.pace)

    def measure(self, reply: Measured) -> None:
        """Ask where the film is, to the millisecond; `reply` also gets the time of the clock at which that was so."""
        self._playback.measure(reply)

    def open_film(self, path: Path | None, end: int, frames: Frames, at: int = 0) -> None:
        """Open a film: its file, or None where there is no picture; `end` is its length."""
        self._stop_everything()
        if path != self.state.file:
            self._sound_track = None
        self.frames = frames
        self._clockwork.end = end
        state = replace(self.state, file=None, duration=end, time=0, playing=False, shuttle=0, error="")
        self._set_state(state)
        if path is not None:
            self.load_mpv()
        if path is not None and self._film is not None:
            self._playback = self._film
            self._film.set_sound_track(self._sound_track)
            self._film.open(path, frames, at)
            self._set_state(replace(state, file=path))
        else:
            self._playback = self._clockwork
            if self._film is not None:
                self._film.unload()
        self._show(at)
        self._playback.seek(at)

    def set_sound_track(self, number: int | None) -> None:
        """Hear a sound track of the film by its number; None leaves the choice to mpv."""
        if number != self._sound_track:
            self._sound_track = number
            if self._film is not None:
                self._film.set_sound_track(number)

    def load_mpv(self) -> None:
        """Start mpv unless it is running; takes a fifth of a second, once."""
        start, self._start_mpv = self._start_mpv, None
        if start is None or self.canvas is None:
            return
        try:
            self._mpv = start()
        except NoMpvError as error:
            self.reason = str(error)
            return
        try:
            self.canvas.attach(self._mpv)
        except NoGlError as error:
            log.warning("the picture is drawn without OpenGL: %s", error)
            self.canvas.close()
            self.canvas = ImageCanvas(self.marshal)
            self.canvas.attach(self._mpv)
            self.canvas_changed.emit()
        self._film = MpvPlayback(self._mpv, self)
        self._film.set_pace(self.state.pace)
        self._sound()
        self._listen(self._film)

    def _listen(self, playback: Playback) -> None:
        playback.timed.connect(self._timed)
        playback.ended.connect(self._ended)
        playback.failed.connect(self._failed)
        playback.stuck.connect(lambda: self.seek(self.frames.moved(self.state.time, 1)))

    def play(self) -> None:
        """Play at the chosen speed, from the start if it is at the end."""
        state = self.state
        if not state.playing and state.time >= self.frames.moved(state.duration, -1) and state.duration:
            self.seek(self.loop.start if self.loop else 0)
        self._run(0)

    def pause(self) -> None:
        """Pause."""
        self.held = False
        self._back.stop()
        self._playback.halt()
        self._set_state(replace(self.state, playing=False, shuttle=0))

    def hold(self) -> None:
        """Let the picture wait where it is while it counts as playing; `release`, a seek or a pause ends that."""
        if self.state.playing and not self.held:
            self.held = True
            self._playback.halt()

    def release(self) -> None:
        """Continue where it waited."""
        if self.held:
            self.held = False
            self._last = (float(self.state.time), self._clock())
            self._playback.run()

    def toggle(self) -> None:
        """Play or pause."""
        if self.state.playing:
            self.pause()
        else:
            self.play()

    def shuttle(self, direction: int) -> None:
        """Do what J (−1) or L (1) does: play in that direction, faster each time."""
        state = self.state
        # L while the film plays at its own pace is the second press.
        pace = state.shuttle or (1 if state.playing else 0)
        self._run(next_shuttle(pace, direction))

    def seek(self, ms: int) -> None:
        """Go to the picture nearest to a time, playing or not; a loop that is left ends."""
        ms = self._clamped(ms)
        if self.loop and not self.loop.start <= ms <= self.loop.end:
            self.set_loop(None)
        self._go(ms)

    def step(self, by: int) -> None:
        """Pause and move some pictures forward or back."""
        if self.state.playing:
            self.pause()
        if self._playback.step(by):
            self._sought = False
            return
        start = self.state.time if self.busy else self.frames.moved(self.state.time, self._playback.ahead)
        if by < 0:  # at the end of the film its last picture is still shown
            start = min(start, self.frames.moved(self.state.duration, -1))
        self.seek(self.frames.moved(start, by))

    def set_loop(self, span: Span | None) -> None:
        """Play a span again and again, or no longer."""
        if span != self.loop:
            self.loop = span
            self.changed.emit(self.state)

    def set_speed(self, speed: float) -> None:
        """Set the speed, from a quarter of the film's own to eight times."""
        self._set_state(replace(self.state, speed=clamped_speed(speed)))
        if not self.state.shuttle:
            self._playback.set_pace(self.state.speed)

    def set_volume(self, volume: int) -> None:
        """Set the volume, in per cent."""
        self._set_state(replace(self.state, volume=max(0, min(LOUDEST, volume))))
        self._sound()

    def set_mute(self, mute: bool) -> None:
        """Mute or unmute the film."""
        self._set_state(replace(self.state, mute=mute))
        self._sound()

    def duck(self, decibels: float, fade_ms: int = 0) -> None:
        """Turn the film down by so many decibels (0 or less; 0 brings it back), within a time."""
        self._fade.stop()
        if not fade_ms:
            self._set_ducked(min(0.0, decibels))
            return
        self._fade.setStartValue(self.ducked)
        self._fade.setEndValue(min(0.0, decibels))
        self._fade.setDuration(fade_ms)
        self._fade.start()

    def close(self) -> None:
        """End mpv: first what it draws with, then itself. Nothing is reported afterwards."""
        self._stop_everything()
        self._start_mpv = None
        self._clockwork.halt()
        if self._film is not None:
            self._film.unload()
        self.closing.emit()
        canvas, self.canvas = self.canvas, None
        if canvas is not None:
            canvas.close()
        if self._mpv is not None:
            self._mpv.close()

    def _run(self, shuttle: int) -> None:
        self.held = self._sought = False
        # Before others are told: they ask for the time, which has stood still until now.
        self._last = (float(self.state.time), self._clock())
        self._set_state(replace(self.state, playing=True, shuttle=shuttle))
        if shuttle < 0:
            self._playback.halt()
            self._back_from = (self._clock(), self.state.time)
            self._back.start()
        else:
            self._back.stop()
            self._playback.set_pace(self.state.pace)
            if not self.held:  # by somebody who was told that it plays
                self._playback.run()

    def _go_back(self) -> None:
        since, start = self._back_from
        ms = round(start + (self._clock() - since) * self.state.shuttle)
        if ms <= 0:
            self.pause()
            self._go(0)
        elif not self._playback.busy:
            self._go(ms)

    def _go(self, ms: int) -> None:
        ms = self.frames.snapped(self._clamped(ms))
        self._sought = not self.state.playing
        self._playback.seek(ms)
        self._show(ms)
        self.release()
        self.jumped.emit(ms)

    def _timed(self, ms: int) -> None:
        if self.sender() is not None and self.sender() is not self._playback:
            return
        state = self.state
        if self.loop and state.playing and state.shuttle >= 0 and ms >= self.loop.end:
            self._go(self.loop.start)
        elif state.shuttle < 0 and ms > state.time:
            return  # reported late, of a picture that the shuttle has already left behind
        elif not self._sought or abs(ms - state.time) > STANDING_MS:
            self._show(self.frames.snapped(self._clamped(ms)))

    def _ended(self) -> None:
        if self.loop and self.state.playing:
            self._go(self.loop.start)
            self._playback.run()
        elif self.state.playing and self.state.shuttle >= 0:
            self.pause()

    def _failed(self, sentence: str) -> None:
        """The file is broken: the clock takes over where it stands."""
        self._stop_everything()
        self._playback = self._clockwork
        self._clockwork.seek(self.state.time)
        self._set_state(replace(self.state, file=None, playing=False, shuttle=0, error=sentence))

    def _clamped(self, ms: int) -> int:
        return max(0, min(ms, self.state.duration))

    def _show(self, ms: int) -> None:
        self._last = (float(ms), self._clock())
        if ms != self.state.time:
            self.state = replace(self.state, time=ms)
            self.moved.emit(ms)

    def _set_state(self, state: PlayerState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)

    def _sound(self) -> None:
        if self._mpv is not None:
            self._mpv.set("volume", mpv_volume(self.state.volume, self.ducked))
            self._mpv.set("mute", "yes" if self.state.mute else "no")

    def _set_ducked(self, decibels: float) -> None:
        self.ducked = decibels
        self._sound()

    def _stop_everything(self) -> None:
        self.held = False
        self._back.stop()
        self._fade.stop()
        self._playback.halt()
        self.loop = None
        self._set_ducked(0.0)


def make_player(context: Context, marshal: ThreadBridge) -> Player:
    """The player of the window, connected to its session: it seeks what is asked for and moves the playhead.

    Without libmpv a clock moves the playhead, and `reason` says so.
    """
    canvas = make_canvas(marshal, context.preferences.text("picture", "auto"))
    player = Player(marshal, canvas, lambda: MpvCore(marshal))
    session = context.session
    session.cursor.seek_asked.connect(player.seek)
    player.moved.connect(session.cursor.show_playhead)
    return player
