"""The plan along with the film, or the lines of one gap: what is spoken, how loud the film is, how both are started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.core.fusions import as_spoken
from adstudio.core.timebase import Span
from adstudio.ui.hearing.audio_player import AudioPlayers
from adstudio.ui.hearing.film_level import chosen_envelope
from adstudio.ui.hearing.film_narration import (
    FASTEST_SPEECH,
    SLOWEST_SPEECH,
    FilmNarration,
    NarrationSegment,
    narration_in,
    narrations,
)
from adstudio.ui.hearing.held_lines import HeldLines, held_lines
from adstudio.ui.hearing.narration_rendering import NarrationRendering
from adstudio.ui.hearing.speech_requests import SpeechRequests
from adstudio.ui.hearing.synced_sound import SyncedSound
from adstudio.ui.picture.player import Player
from adstudio.ui.picture.transport import with_a_second
from adstudio.ui.session.context import Context

if TYPE_CHECKING:
    from adstudio.core.plan import Delivery
    from adstudio.mix.duck import Breakpoint

UNTIL_PICTURE_MS = 10
SILENT = "At this speed, narration is silent."


class PlanNarration(QObject):
    """Speaks what `start` is given, once `prepare` has started its players."""

    ready = Signal()
    """Everything that sounds at the film's position has been rendered."""

    def __init__(
        self,
        context: Context,
        player: Player,
        requests: SpeechRequests,
        rendering: NarrationRendering,
        players: AudioPlayers,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._session, self._player = context, context.session, player
        self._requests, self._rendering, self._players = requests, rendering, players
        self.film_narration: FilmNarration | None = None
        self.held_lines: HeldLines | None = None
        self._gap: Span | None = None
        """The only one whose lines are spoken, if any."""
        self._active = False

    @property
    def in_place(self) -> bool:
        """Whether the film can be started now, with all that is spoken here."""
        return self.film_narration is not None and self.film_narration.in_place

    def speaks_in(self, gap: Span) -> bool:
        """Whether a gap has lines, or pictures that are held for lines."""
        return bool(self._segments(gap) or held_lines(self._session.script, self._requests.style, gap))

    def prepare(self) -> bool:
        """Start the players, unless that has been done; false where nothing can be heard."""
        if self.film_narration is None:
            voices = [voice for voice in (self._players.start() for _ in range(3)) if voice is not None]
            if len(voices) == 3:
                synced = [SyncedSound(self._player, voice, self) for voice in voices[1:]]
                film = FilmNarration(self._player, synced, self._rendering.render, self)
                film.ready.connect(self.ready)
                film.too_fast.connect(lambda: self._session.messages.say(SILENT))
                held = HeldLines(self._player, voices[0], self._rendering.say_held, self._is_audible, self)
                held.began.connect(film.wait)
                self.film_narration, self.held_lines = film, held
        return self.film_narration is not None

    def start(self, gap: Span | None = None) -> None:
        """Speak the plan, or the lines of a gap, along with the film from now on; what failed is tried once more."""
        self._active, self._gap = True, gap
        if self.film_narration is not None:
            self.film_narration.start(self._segments(gap), self._envelope())
            self._hold_lines()

    def stop(self) -> None:
        """Be quiet, and bring the film back."""
        self._active = False
        if self.film_narration is not None and self.held_lines is not None:
            self.film_narration.stop()
            self.held_lines.set_lines(())

    def forget(self) -> None:
        """Have everything spoken anew: the files may be gone, or the voice may have changed."""
        if self.film_narration is not None and self.held_lines is not None:
            self.film_narration.forget()
            self.held_lines.forget()
        if self._active:
            self.start(self._gap)

    def follow_plan(self) -> None:
        """Go on with the current plan; a line that is being spoken is not cut off."""
        if self._active and self.film_narration is not None:
            self.film_narration.change(self._segments(self._gap), self._envelope())
            self._hold_lines()

    def _hold_lines(self) -> None:
        if self.held_lines is not None:
            self.held_lines.set_lines(held_lines(self._session.script, self._requests.style, self._gap))

    def _segments(self, gap: Span | None) -> tuple[NarrationSegment, ...]:
        """A gap's lines; else the whole plan. Where the picture may wait, no segment reaches over a gap's end."""
        plan, style = self._session.plan, self._requests.style
        script, deliveries = as_spoken(self._session.script, plan), plan.deliveries
        if gap is not None:
            segment = narration_in(script, deliveries, with_a_second(gap, script.film.end), style, gap)
            return (segment,) if segment.lines else ()
        holds, gap_at = self._rendering.holds, self._session.current_plan.gap_at

        def separate(one: Delivery, other: Delivery) -> bool:
            return holds and gap_at(one.start) != gap_at(other.start)

        return narrations(script, deliveries, style, separate)

    def _envelope(self) -> tuple[Breakpoint, ...]:
        """How far the film is down at each time, as in the mix; for the lines of one gap, or for all."""
        spoken, gap = self._session.plan.deliveries, self._gap
        if gap is not None:
            spoken = tuple(delivery for delivery in spoken if gap.start <= delivery.start < gap.end)
        return chosen_envelope(self._context, spoken)

    def _is_audible(self) -> bool:
        return SLOWEST_SPEECH <= self._player.state.pace <= FASTEST_SPEECH


class FilmStart(QObject):
    """Starts the film once the picture is there and what is spoken with it is ready.

    It waits from `begin` until the film plays, whoever starts it: a pause after that is one.
    """

    def __init__(self, player: Player, narration: PlanNarration, parent: QObject) -> None:
        super().__init__(parent)
        self._player, self._narration = player, narration
        self.waiting = False
        """Whether the film is about to be started."""
        self._timer = QTimer(self, interval=UNTIL_PICTURE_MS)
        self._timer.timeout.connect(self._start)
        narration.ready.connect(self._look)
        player.changed.connect(self._film_changed)

    def begin(self) -> None:
        """Start the paused film as soon as that can be."""
        self.waiting = True
        self._look()

    def cancel(self) -> None:
        """Leave it paused."""
        self.waiting = False
        self._timer.stop()

    def _look(self) -> None:
        if self.waiting and self._narration.in_place and not self._player.state.playing:
            self._timer.start()

    def _start(self) -> None:
        if not self._player.busy:
            self.cancel()
            self._player.play()

    def _film_changed(self, _state: object) -> None:
        if self._player.state.playing:
            self.cancel()
