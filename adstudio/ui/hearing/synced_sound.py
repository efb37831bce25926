"""A sound in sync with the film: it is started so that each of its samples falls on its film time.

The start takes into account by how much earlier starts missed. 0.2 s later both players are asked for their audible
position; what is left is corrected by playing a little faster or slower, or at once if it is much.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import copysign
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from adstudio.ui.hearing.audio_player import AudioPlayer
from adstudio.ui.picture.player import Player

CHECK_MS = 200
AGAIN_MS = 1000
"""Between two checks of whether both are in sync."""
NEAR_MS = 20.0
"""Near enough: less is not audible."""
FAR_MS = 150.0
"""Beyond this, the sound is started anew instead of being stretched."""
STRETCH = 0.06
"""The share by which it plays faster or slower until it is in sync."""
LATE_MS = 60.0
"""A start that would come later than this is aimed again, further on."""
WAIT_MS = 20
"""Between two looks whether the film, which is held, goes on."""
AIM_AHEAD_MS = 120.0
MOST_LEAD_MS = 400.0


class SyncedSound(QObject):
    """Keeps a voice in sync with the film. `prepare` may be called at any time, playing or not."""

    ready = Signal()
    """Film and sound are both paused in position: they can be started together."""
    over = Signal()
    """It was played to its end."""

    def __init__(
        self, player: Player, voice: AudioPlayer, parent: QObject | None = None, *, correct: bool = True
    ) -> None:
        super().__init__(parent)
        self._player = player
        self._voice = voice
        self._correct = correct
        self.sound: tuple[Path, int] | None = None
        """The file and the film time of its first sample."""
        self.running = False
        """Whether it is playing."""
        self._at = 0.0
        self._lead = self._missed = 0.0
        self._first = True
        self.skew: float | None = None
        """By how many milliseconds the sound was late at the last check (early: below 0)."""
        self._start = self._timer(self._go)
        self._check = self._timer(self._measure_skew)
        self._restore_pace = self._timer(self._film_pace)
        voice.ready.connect(self._aim)
        voice.ended.connect(self._over)
        voice.failed.connect(self._over)

    def prepare(self, path: Path, film_start: int) -> None:
        """Have a file ready whose first sample belongs at a film time; started when the film plays there."""
        self.cancel()
        self.sound = (path, film_start)
        self._load()

    def place_again(self) -> None:
        """Be ready where the film is now, after it was paused or has jumped; a sound that has ended is not."""
        self._stop_timers()
        self._load()

    def cancel(self) -> None:
        """Stop it."""
        self._stop_timers()
        if self.sound is not None:
            self.sound = None
            self.running = False
            self._voice.stop()

    @property
    def in_place(self) -> bool:
        """Whether the paused film can be started with it, at once."""
        return self.sound is not None and self._voice.is_ready and not self._is_elsewhere()

    def film_stands(self) -> None:
        """Be in place again after the paused film has moved on by some pictures."""
        if self.sound is not None and not self.running and self._voice.is_ready and self._is_elsewhere():
            self._load()

    def run_free(self) -> None:
        """No longer keep it in sync: the film is waiting for it."""
        self._stop_timers()
        self._film_pace()

    def film_plays(self) -> None:
        """Start the sound that is ready, as the film has begun to play."""
        if self.sound is not None and not self.running and self._voice.is_ready:
            self._aim()

    def _stop_timers(self) -> None:
        for timer in (self._start, self._check, self._restore_pace):
            timer.stop()

    def _timer(self, do: Callable[[], None]) -> QTimer:
        timer = QTimer(self, singleShot=True)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(do)
        return timer

    def _load(self) -> None:
        if self.sound is None:
            return
        path, film_start = self.sound
        ahead = AIM_AHEAD_MS * self._player.state.pace if self._player.state.playing else 0.0
        now = self._player.now
        self._at = max(0.0, now + ahead - film_start) if now > film_start - ahead else 0.0
        self.running = False
        self._voice.load(path, self._at)

    def _is_elsewhere(self) -> bool:
        """Whether it would be started at another moment of the film than the one that is shown."""
        return self.sound is not None and abs(max(0.0, self._player.now - self.sound[1]) - self._at) > 1

    def _aim(self) -> None:
        state = self._player.state
        if self.sound is None or self.running or state.shuttle < 0:
            return
        if not state.playing:
            if self._is_elsewhere():
                self._load()
            else:
                self.ready.emit()
            return
        wait = (self.sound[1] + self._at - self._player.now) / state.pace - self._lead
        if wait < -LATE_MS:
            self._load()
        else:
            self._start.start(max(0, round(wait)))

    def _go(self) -> None:
        state = self._player.state
        if self.sound is None or not state.playing:
            return
        if self._player.held:
            self._start.start(WAIT_MS)
            return
        # The timer may have waited for a time that has been moved by a stalled film.
        wait = (self.sound[1] + self._at - self._player.now) / state.pace - self._lead
        if wait > NEAR_MS:
            self._start.start(round(wait))
            return
        self.running = True
        self._first = True
        self._voice.start(state.pace)
        if self._correct:
            self._check.start(CHECK_MS)

    def _measure_skew(self) -> None:
        sound = self.sound
        if sound is None or not self.running:
            return
        found: dict[str, tuple[float, float]] = {}

        def on_position(whose: str, ms: float, at: float) -> None:
            found[whose] = (ms, at)
            if len(found) == 2 and self.sound == sound and self.running and self._player.state.playing:
                pace = self._player.state.pace
                (film, film_at), (voice, voice_at) = found["film"], found["voice"]
                self._correct_skew((film - film_at * pace) - (sound[1] + voice - voice_at * pace))

        self._player.measure(partial(on_position, "film"))
        self._voice.measure(partial(on_position, "voice"))
        self._check.start(AGAIN_MS)

    def _correct_skew(self, skew: float) -> None:
        self.skew = skew
        if self._first:
            self._first = False
            self._learn_lead(skew)
        if abs(skew) > FAR_MS:
            self._check.stop()
            self._load()
        elif abs(skew) > NEAR_MS:
            pace = self._player.state.pace
            self._voice.set_pace(pace * (1 + STRETCH if skew > 0 else 1 - STRETCH))
            self._restore_pace.start(round(abs(skew) / STRETCH / pace))

    def _learn_lead(self, skew: float) -> None:
        """Start earlier by half of what this start and the one before have both missed; one alone may be a stall's."""
        both = min(abs(skew), abs(self._missed)) if skew * self._missed > 0 else 0.0
        change = copysign(both, skew) / 2
        self._lead = max(-MOST_LEAD_MS, min(MOST_LEAD_MS, self._lead + change))
        self._missed = skew - change

    def _film_pace(self) -> None:
        self._voice.set_pace(self._player.state.pace)

    def _over(self) -> None:
        self._stop_timers()
        self.running = False
        self.sound = None
        self.over.emit()
