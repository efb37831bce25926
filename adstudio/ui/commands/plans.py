"""The actions on the plan: go through what it changed, and keep lines as they are."""

from __future__ import annotations

from collections.abc import Callable

from adstudio.editing.pins import pin_as_planned
from adstudio.ui.session.context import Context


class PlanCommands:
    """Keeps lines as the plan speaks them now."""

    def __init__(self, desk: Context, is_open: Callable[[], bool]) -> None:
        self._session = desk.session
        desk.actions.connect("plan.keep", self.keep, lambda: is_open() and bool(self._session.cursor.selection.lines()))

    def keep(self) -> None:
        """Pin the selected lines: said, in this wording, at this time."""
        ids, plan = self._session.cursor.selection.lines(), self._session.plan
        self._session.edits.attempt(lambda script: pin_as_planned(script, plan, ids))
