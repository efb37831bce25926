"""From line to line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from adstudio.ui.session.context import Context


class NavigationCommands:
    """The spoken line after the one in hand, and the one before it; where none is in hand, from the playhead."""

    def __init__(self, desk: Context, is_open: Callable[[], bool]) -> None:
        self._session = desk.session
        desk.actions.connect("play.line_next", self.go_to_next, is_open)
        desk.actions.connect("play.line_previous", self.go_to_previous, is_open)

    def go_to_next(self) -> None:
        """The next spoken line."""
        place = self._current_position()
        self._go_to(self._first_from_playhead() if place is None else place + 1)

    def go_to_previous(self) -> None:
        """The spoken line before."""
        place = self._current_position()
        self._go_to((self._first_from_playhead() if place is None else place) - 1)

    def _current_position(self) -> int | None:
        line = self._session.cursor.line
        delivery = None if line is None else self._session.plan.by_element.get(line.id)
        return None if delivery is None else self._session.plan.deliveries.index(delivery)

    def _first_from_playhead(self) -> int:
        deliveries = self._session.plan.deliveries
        return bisect_left(deliveries, self._session.cursor.playhead, key=lambda delivery: delivery.start)

    def _go_to(self, place: int) -> None:
        deliveries = self._session.plan.deliveries
        if 0 <= place < len(deliveries):
            self._session.cursor.select_line(deliveries[place].element, go=True)
        else:
            self._session.messages.say("No more lines.")
