"""A gap, heard with a second of film around it and its narration over it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from adstudio.core.timebase import Span
from adstudio.ui.hearing.plan_narration import FilmStart, PlanNarration
from adstudio.ui.picture.player import Player
from adstudio.ui.picture.transport import with_a_second
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import timecode


class GapAudition(QObject):
    """Ends at the end of what is played, or when the film jumps out of it."""

    over = Signal()

    def __init__(
        self, session: Session, player: Player, narration: PlanNarration, film_start: FilmStart, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._player = session, player
        self._narration, self._film_start = narration, film_start
        self._gap: Span | None = None
        player.moved.connect(self._film_moved)
        player.jumped.connect(self._film_jumped)

    @property
    def busy(self) -> bool:
        """Whether a gap is played, or about to be."""
        return self._gap is not None

    def start(self, gap: Span) -> None:
        """Play it; nothing else is being heard, and the film is paused."""
        script, messages = self._session.script, self._session.messages
        self._player.seek(self._around(gap).start)
        self._gap = gap
        speaks = self._narration.speaks_in(gap)
        said = f"Playing the gap at {timecode(script.film, gap.start)}"
        messages.say(f"{said}." if speaks else f"{said}; nothing is spoken in it.")
        if speaks and self._narration.prepare():
            self._narration.start(gap)
            self._film_start.begin()
        else:
            self._player.play()

    def leave(self) -> None:
        """No longer take care of it; `over` is for what ends by itself."""
        self._gap = None

    def _film_moved(self, ms: int) -> None:
        player = self._player
        if self._gap is None or not player.state.playing or player.loop is not None:
            return
        if ms >= self._around(self._gap).end:
            player.pause()
            self._end()

    def _film_jumped(self, ms: int) -> None:
        if self._gap is not None:
            around = self._around(self._gap)
            if not around.start <= ms <= around.end:
                self._end()

    def _around(self, gap: Span) -> Span:
        return with_a_second(gap, self._session.script.film.end)

    def _end(self) -> None:
        self._gap = None
        self.over.emit()
