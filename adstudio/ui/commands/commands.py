"""Connects every action of the script: lines, gaps, scenes, rules, the way through the film, and the plan."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from adstudio.editing.pins import pin_as_planned
from adstudio.ui.commands.lines import LineCommands
from adstudio.ui.commands.regions import RegionCommands
from adstudio.ui.commands.rules import RuleCommands
from adstudio.ui.commands.scenes import SceneCommands
from adstudio.ui.commands.timing_confidence import TimingConfidenceCommands
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.film_loader import FilmLoader


class NavigationCommands:
    """The spoken line after the one in hand, and the one before it; where none is in hand, from the playhead."""

    def __init__(self, context: Context, is_open: Callable[[], bool]) -> None:
        self._session = context.session
        context.actions.connect("play.line_next", self.go_to_next, is_open)
        context.actions.connect("play.line_previous", self.go_to_previous, is_open)

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


class PlanCommands:
    """Keeps lines as the plan speaks them now."""

    def __init__(self, context: Context, is_open: Callable[[], bool]) -> None:
        self._session = context.session
        context.actions.connect(
            "plan.keep", self.keep, lambda: is_open() and bool(self._session.cursor.selection.lines())
        )

    def keep(self) -> None:
        """Pin the selected lines: said, in this wording, at this time."""
        ids, plan = self._session.cursor.selection.lines(), self._session.plan
        self._session.edits.attempt(lambda script: pin_as_planned(script, plan, ids))


def connect_commands(context: Context, window: QWidget, films: FilmLoader) -> None:
    """Connect all of them; `window` is where questions are asked, `films` knows the shots."""
    actions, session = context.actions, context.session
    is_open = lambda: session.project is not None  # noqa: E731 - a predicate to hand on
    actions.connect("edit.undo", session.undo, lambda: bool(session.edits.document.past))
    actions.connect("edit.redo", session.redo, lambda: bool(session.edits.document.future))
    LineCommands(context, window, is_open)
    RegionCommands(context, is_open)
    SceneCommands(context, window, films, is_open)
    RuleCommands(context, window)
    NavigationCommands(context, is_open)
    TimingConfidenceCommands(context, is_open)
    PlanCommands(context, is_open)
