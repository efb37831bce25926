"""The narration along with the film: rendered ahead, started at its time, quiet when the film stands or jumps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.ui.hearing.narration_segments import NarrationSegment, at_or_after, is_spoken
from adstudio.ui.hearing.synced_sound import SyncedSound
from adstudio.ui.picture.player import Player

RENDERED_AHEAD = 3
READY_AHEAD_MS = 6000
DUCKED_DB = -12.0
"""How far the film goes down under a line; broadcasters ask for 9 to 15 dB."""
FADE_MS = 150
SLOWEST_SPEECH, FASTEST_SPEECH = 0.5, 2.0
"""Outside, speech is not understood."""

LONGEST_HOLD_MS = 60_000


@dataclass(frozen=True)
class Sound:
    """A stretch as it was spoken: to the film time `until`, if the picture did not wait.

    Where its last line is longer than its gap and the picture shall wait for it, it does so at the film time `hold_at`.
    """

    path: Path
    hold_at: int | None = None
    until: int = 0


Render = Callable[[NarrationSegment, Callable[[Sound | None], None]], None]
"""Has a stretch spoken; then tells its sound, or None where that failed."""


class FilmNarration(QObject):
    """Follows the player. Two voices take turns, so that the next stretch stands ready while one is heard."""

    ready = Signal()
    """Everything that sounds where the film stands is there: it can be started in step."""

    def __init__(
        self, player: Player, voices: Sequence[SyncedSound], render: Render, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._player = player
        self._render = render
        self._free = list(voices)
        self._taken: dict[NarrationSegment, SyncedSound] = {}
        self._stretches: tuple[NarrationSegment, ...] = ()
        self._sounds: dict[NarrationSegment, Sound | None] = {}
        self._asked: set[NarrationSegment] = set()
        self._active = False
        self._pace = 0.0
        self._ducked = False
        self._hold_over = QTimer(self)
        self._hold_over.setSingleShot(True)
        self._hold_over.timeout.connect(player.release)
        for voice in voices:
            voice.ready.connect(self.ready)
            voice.over.connect(self._line_over)
        player.moved.connect(self._film_moved)
        player.changed.connect(self._film_changed)
        player.jumped.connect(self._film_jumped)

    @property
    def active(self) -> bool:
        """Whether it speaks along."""
        return self._active

    def start(self, stretches: tuple[NarrationSegment, ...]) -> None:
        """Speak these along with the film from now on."""
        self.stop()
        self._active = True
        self._stretches = stretches
        # What failed is tried once more.
        self._sounds = {stretch: path for stretch, path in self._sounds.items() if path is not None}
        self._pace = self._player.state.pace if self._player.state.playing else 0.0
        self._tick()

    def change(self, stretches: tuple[NarrationSegment, ...]) -> None:
        """The plan is another: the line that is heard goes on to its end, the next one is the new one."""
        if self._active and stretches != self._stretches:
            self._stretches = stretches
            wanted = set(stretches)
            self._sounds = {stretch: path for stretch, path in self._sounds.items() if stretch in wanted}
            self._tick()

    def stop(self) -> None:
        """Be quiet, and bring the film back."""
        self._active = False
        self._silence()
        self._duck(spoken=False)

    def forget(self) -> None:
        """Render everything anew: the files may be gone, or the voice another."""
        self._sounds.clear()
        self._asked.clear()

    def _film_moved(self, _ms: int) -> None:
        if self._active:
            self._tick()

    def _film_jumped(self, _ms: int) -> None:
        if self._active:
            self._silence()
            self._tick()

    def _film_changed(self, _state: object) -> None:
        if not self._active:
            return
        state = self._player.state
        pace = state.pace if state.playing else 0.0
        if pace != self._pace:
            was, self._pace = self._pace, pace
            if was:
                self._silence()
            self._tick()
            for voice in self._taken.values():
                voice.film_plays()

    def _tick(self) -> None:
        state = self._player.state
        now = self._player.now
        if state.shuttle < 0 or not SLOWEST_SPEECH <= state.pace <= FASTEST_SPEECH:
            self._silence()
            self._duck(spoken=False)
            return
        self._hold(now)
        self._let_go(now)
        first = at_or_after(self._stretches, now)
        for stretch in self._stretches[first : first + RENDERED_AHEAD]:
            self._ask(stretch)
        for stretch in self._stretches[first : first + 2]:
            self._take(stretch, now)
        current = self._stretches[first] if first < len(self._stretches) else None
        audible = current is not None and self._sounds.get(current) is not None and state.playing
        self._duck(spoken=audible and current is not None and is_spoken(current.spoken, now, FADE_MS))

    def _hold(self, now: float) -> None:
        """Let the picture wait at the end of a gap for a line that is longer."""
        if not self._player.state.playing or self._player.held:
            return
        for stretch, voice in self._taken.items():
            sound = self._sounds.get(stretch)
            if sound is not None and sound.hold_at is not None and voice.running and sound.hold_at <= now < sound.until:
                voice.run_free()
                self._player.hold()
                self._hold_over.start(LONGEST_HOLD_MS)
                return

    def _line_over(self) -> None:
        self._hold_over.stop()
        self._player.release()

    def _let_go(self, now: float) -> None:
        """Free the voices of what is over, or is no longer said and has come to the end of its line."""
        for stretch, voice in tuple(self._taken.items()):
            sound = self._sounds.get(stretch)
            end = stretch.span.end if sound is None else max(stretch.span.end, sound.until)
            over = voice.sound is None or now >= end
            said = stretch in self._stretches
            if over or not (said or (voice.running and is_spoken(stretch.spoken, now, 0))):
                voice.cancel()
                del self._taken[stretch]
                self._free.append(voice)

    def _take(self, stretch: NarrationSegment, now: float) -> None:
        sound = self._sounds.get(stretch)
        near = stretch.span.start - now < READY_AHEAD_MS * self._player.state.pace
        old = any(other not in self._stretches and other.span.overlap(stretch.span) for other in self._taken)
        if sound is not None and sound.path.exists() and near and not old and stretch not in self._taken and self._free:
            voice = self._free.pop(0)
            self._taken[stretch] = voice
            voice.prepare(sound.path, stretch.span.start)

    def _ask(self, stretch: NarrationSegment) -> None:
        if stretch in self._sounds or stretch in self._asked:
            return
        self._asked.add(stretch)

        def rendered(sound: Sound | None) -> None:
            self._asked.discard(stretch)
            if self._active:
                self._sounds[stretch] = sound
                self._tick()
                if sound is None and not self._player.state.playing:
                    self.ready.emit()

        self._render(stretch, rendered)

    def _silence(self) -> None:
        self._hold_over.stop()
        for voice in self._taken.values():
            voice.cancel()
            self._free.append(voice)
        self._taken.clear()

    def _duck(self, *, spoken: bool) -> None:
        if spoken != self._ducked:
            self._ducked = spoken
            self._player.duck(DUCKED_DB if spoken else 0.0, FADE_MS)
