"""From line to line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from adstudio.ui.desk import Desk


class NavigationCommands:
    """The spoken line after the playhead, and the one before it."""

    def __init__(self, desk: Desk, is_open: Callable[[], bool]) -> None:
        self._session = desk.session
        desk.actions.connect("play.line_next", self.go_to_next, is_open)
        desk.actions.connect("play.line_previous", self.go_to_previous, is_open)

    def go_to_next(self) -> None:
        """The next spoken line."""
        deliveries = self._session.plan.deliveries
        self._go_to(bisect_right(deliveries, self._session.playhead, key=lambda delivery: delivery.start))

    def go_to_previous(self) -> None:
        """The spoken line before."""
        deliveries = self._session.plan.deliveries
        self._go_to(bisect_left(deliveries, self._session.playhead, key=lambda delivery: delivery.start) - 1)

    def _go_to(self, place: int) -> None:
        deliveries = self._session.plan.deliveries
        if 0 <= place < len(deliveries):
            self._session.select_line(deliveries[place].element, go=True)
        else:
            self._session.say("There is no further line.")
