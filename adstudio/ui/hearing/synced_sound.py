"""A sound that is tied to the film: it is started so that each of its samples falls on its film time.

The start is aimed by what earlier starts missed by; 0.2 s later both players are asked where they are heard to be, and
what is left is made up by playing a little faster or slower, or at once where it is much.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from adstudio.ui.hearing.audio_player import AudioPlayer
from adstudio.ui.picture.player import Player

CHECK_MS = 200
AGAIN_MS = 1000
"""Between two looks at whether both are still together."""
NEAR_MS = 20.0
"""Near enough: less than anybody hears."""
FAR_MS = 150.0
"""Beyond this, the sound is started anew instead of being stretched."""
STRETCH = 0.06
"""By what share it goes faster or slower until it is right."""
LATE_MS = 60.0
"""A start that would come later than this is aimed again, further on."""
AIM_AHEAD_MS = 120.0
MOST_LEAD_MS = 400.0


class SyncedSound(QObject):
    """Keeps a voice with the film. `prepare` may be called at any time, playing or not."""

    ready = Signal()
    """The film stands, and so does the sound: both can go."""
    over = Signal()
    """It was heard to its end."""

    def __init__(
        self, player: Player, voice: AudioPlayer, parent: QObject | None = None, *, correct: bool = True
    ) -> None:
        super().__init__(parent)
        self._player = player
        self._voice = voice
        self._correct = correct
        self._sound: tuple[Path, int] | None = None
        self._at = 0.0
        self._lead = 0.0
        self._running = False
        self._first = True
        self.skew: float | None = None
        """By how many milliseconds the sound was late when it was looked at last (early: below 0)."""
        self._start = self._timer(self._go)
        self._check = self._timer(self._look)
        self._back = self._timer(self._normal)
        voice.ready.connect(self._aim)
        voice.ended.connect(self._over)
        voice.failed.connect(self._over)

    @property
    def sound(self) -> tuple[Path, int] | None:
        """The file and the film time of its first sample; None where there is none."""
        return self._sound

    @property
    def running(self) -> bool:
        """Whether it is heard now."""
        return self._running

    def prepare(self, path: Path, film_start: int) -> None:
        """Have a file ready whose first sample belongs at a film time; started when the film plays there."""
        self.cancel()
        self._sound = (path, film_start)
        self._load()

    def cancel(self) -> None:
        """Be quiet."""
        for timer in (self._start, self._check, self._back):
            timer.stop()
        if self._sound is not None:
            self._sound = None
            self._running = False
            self._voice.stop()

    def run_free(self) -> None:
        """The film waits for it: no longer keep it with the film."""
        for timer in (self._start, self._check, self._back):
            timer.stop()
        self._normal()

    def film_plays(self) -> None:
        """The film has begun to play: start what stands ready."""
        if self._sound is not None and not self._running and self._voice.is_ready:
            self._aim()

    def _timer(self, do: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(do)
        return timer

    def _load(self) -> None:
        if self._sound is None:
            return
        path, film_start = self._sound
        ahead = AIM_AHEAD_MS * self._player.state.pace if self._player.state.playing else 0.0
        now = self._player.now
        self._at = max(0.0, now + ahead - film_start) if now > film_start - ahead else 0.0
        self._running = False
        self._voice.load(path, self._at)

    def _aim(self) -> None:
        state = self._player.state
        if self._sound is None or self._running or state.shuttle < 0:
            return
        if not state.playing:
            self.ready.emit()
            return
        wait = (self._sound[1] + self._at - self._player.now) / state.pace - self._lead
        if wait < -LATE_MS:
            self._load()
        else:
            self._start.start(max(0, round(wait)))

    def _go(self) -> None:
        state = self._player.state
        if self._sound is None or not state.playing:
            return
        # The timer may have waited for a time that has been moved by a stalled film.
        wait = (self._sound[1] + self._at - self._player.now) / state.pace - self._lead
        if wait > NEAR_MS:
            self._start.start(round(wait))
            return
        self._running = True
        self._first = True
        self._voice.start(state.pace)
        if self._correct:
            self._check.start(CHECK_MS)

    def _look(self) -> None:
        sound = self._sound
        if sound is None or not self._running:
            return
        found: dict[str, tuple[float, float]] = {}

        def on_position(whose: str, ms: float, at: float) -> None:
            found[whose] = (ms, at)
            if len(found) == 2 and self._sound == sound and self._running and self._player.state.playing:
                pace = self._player.state.pace
                (film, film_at), (voice, voice_at) = found["film"], found["voice"]
                self._mend((film - film_at * pace) - (sound[1] + voice - voice_at * pace))

        self._player.measure(partial(on_position, "film"))
        self._voice.measure(partial(on_position, "voice"))
        self._check.start(AGAIN_MS)

    def _mend(self, skew: float) -> None:
        self.skew = skew
        if self._first:
            self._first = False
            self._lead = max(-MOST_LEAD_MS, min(MOST_LEAD_MS, self._lead + skew / 2))
        if abs(skew) > FAR_MS:
            self._check.stop()
            self._load()
        elif abs(skew) > NEAR_MS:
            pace = self._player.state.pace
            self._voice.set_pace(pace * (1 + STRETCH if skew > 0 else 1 - STRETCH))
            self._back.start(round(abs(skew) / STRETCH / pace))

    def _normal(self) -> None:
        self._voice.set_pace(self._player.state.pace)

    def _over(self) -> None:
        for timer in (self._start, self._check, self._back):
            timer.stop()
        self._running = False
        self._sound = None
        self.over.emit()
