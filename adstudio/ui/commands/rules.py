"""The actions on rules between lines."""

from __future__ import annotations

from PySide6.QtWidgets import QInputDialog, QWidget

from adstudio.core.script import SALIENCE_UNIT
from adstudio.editing import rules
from adstudio.ui.session.context import Context


class RuleCommands:
    """Each ties the selected lines, in the order in which they were selected."""

    def __init__(self, context: Context, window: QWidget) -> None:
        self._session = context.session
        self._window = window
        connect = context.actions.connect
        pair, several, tied = lambda: len(self._ids()) == 2, lambda: len(self._ids()) > 1, self._is_tied
        connect("rule.alternatives", self.alternatives, several)
        connect("rule.requires", self.requires, pair)
        connect("rule.together", self.together, several)
        connect("rule.penalty", self.penalty, pair)
        connect("rule.remove", self.remove, tied)

    def alternatives(self) -> None:
        """At most one of them."""
        ids = self._ids()
        self._session.edits.attempt(lambda script: rules.make_alternatives(script, ids))

    def requires(self) -> None:
        """The one selected first only with the second."""
        dependent, needed = self._ids()
        self._session.edits.attempt(lambda script: rules.make_requires(script, dependent, needed))

    def together(self) -> None:
        """All or none."""
        ids = self._ids()
        self._session.edits.attempt(lambda script: rules.make_together(script, ids))

    def penalty(self) -> None:
        """What saying both costs; the worth of the lesser line is proposed, with which both are said no more."""
        first, second = self._ids()
        cost, agreed = QInputDialog.getDouble(
            self._window,
            "Mark as repetitive",
            "What it costs the plan to speak both:",
            self._proposed(first, second),
            0.0,
            10_000.0,
            2,
        )
        if agreed:
            millionths = round(cost * SALIENCE_UNIT)
            self._session.edits.attempt(lambda script: rules.make_penalty(script, first, second, millionths))

    def remove(self) -> None:
        """Untie them."""
        ids = self._ids()
        self._session.edits.attempt(lambda script: rules.remove_rules_between(script, ids))

    def _proposed(self, first: str, second: str) -> float:
        script = self._session.script
        worths: list[int] = []
        for name in (first, second):
            line = script.eventuality(name)
            delivery = self._session.plan.by_element.get(name)
            wording = line.variants[0 if delivery is None else delivery.variant]
            worths.append((line.salience or 0) * script.duration(wording))
        return max(0, min(worths)) / (SALIENCE_UNIT * 1000)

    def _ids(self) -> tuple[str, ...]:
        return self._session.cursor.selection.lines()

    def _is_tied(self) -> bool:
        mentioned = self._session.script.rules.mentioned
        return any(identity in mentioned for identity in self._ids())
