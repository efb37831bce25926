"""What needs attention: conflicts, lines that do not fit, odd cues, what a command changed. F9 goes to the next."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from adstudio.core.plan import HoldConflict
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.ui.panels.plan_changes import CommandChanges, command_changes
from adstudio.ui.panels.plan_status import planned_apart
from adstudio.ui.panels.row_list import RowList
from adstudio.ui.session.context import Context
from adstudio.ui.session.session import Session
from adstudio.ui.sync.monitor import SyncMonitor
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.formatting import MANNER, quoted

MOST_SHOWN = 500
_WAYS_OUT = ("Move it, unlock it, or make room.", "Unlock or move one of them, or make room.")
_FROM_RULES = "Unlock one of them, or remove the rule."


@dataclass(frozen=True)
class Problem:
    """One thing that needs attention: a sentence, and the line or the time to go to."""

    what: str
    line: str | None = None
    at: int | None = None
    offered: bool = False
    """Whether a banner above the picture offers to fix it."""


def problems_of(session: Session) -> list[Problem]:
    """Conflicts first, then locked lines outside their gap, then oddities of the dialogue."""
    script = session.script
    found: list[Problem] = []
    for conflict in session.current_plan.outcome.conflicts:
        lines = [hold.element for hold in conflict if isinstance(hold, HoldConflict)]
        what = conflict_message(script, session.gaps, conflict, MANNER)
        way_out = _FROM_RULES if len(lines) < len(conflict) else _WAYS_OUT[len(set(lines)) > 1]
        found += [Problem(f"{what} {way_out}", line=line) for line in lines[:1]]
    for line in (line for line in script.eventualities if line.pin.override):
        delivery = session.plan.by_element.get(line.id)
        gap = None if delivery is None else session.current_plan.gap_at(delivery.start)
        if delivery is not None and (gap is None or gap.end < delivery.end):
            text = quoted(line.variants[delivery.variant].text)
            found.append(Problem(f"{text} overlaps dialogue, as you allowed.", line.id, delivery.start))
    oddities = session.current_plan.dialogue_oddities
    found += [Problem(oddity.what) for oddity in oddities[:MOST_SHOWN]]
    return found


def changed_by(command: CommandChanges, session: Session) -> list[Problem]:
    """Lines that people approved and that are not spoken as they were before a command's steps."""
    agreed, script = command.agreed(session), session.script
    gone = frozenset(agreed.changes.dropped)
    found: list[Problem] = []
    for name in agreed.lines:
        out, before = name in gone, agreed.before.by_element[name]
        text = quoted(script.eventuality(name).variants[0].text)
        kind = "is accepted" if name in agreed.accepted else "is in a reviewed scene"
        now = "is left out" if out else "is no longer spoken as it was"
        found.append(Problem(f"{text} {kind}, but {now} because of {command.what}.", name, before.start))
    return found


class ProblemsPanel(QWidget):
    """The list, renewed when the user is idle."""

    counted = Signal(int)
    offer_asked = Signal()
    """The banner is to be focused."""

    def __init__(self, context: Context, watch: SyncMonitor | None = None) -> None:
        super().__init__()
        self._session = context.session
        self._theme = context.theme
        self._list = RowList("Problems", self._go)
        self.setFocusProxy(self._list)
        self.setLayout(column(self._list))
        self._shown: list[Problem] | None = None
        self._noted = ""
        self._command: CommandChanges | None = None
        self._command_revision = 0
        self._changed_then: frozenset[str | None] = frozenset()
        """The lines that the command's steps changed, before anybody did anything."""
        self._watch = watch
        if watch is not None:
            watch.changed.connect(self._renew)
        context.session.idle.turn().connect(self._renew)
        context.session.opened.connect(self._opened)
        context.session.storage.saved_changed.connect(self._saved)
        context.theme.changed.connect(self._dress)
        context.actions.connect("plan.next_problem", self.go_to_next, lambda: bool(self._shown))
        self._actions = context.actions
        self._renew()

    @property
    def count(self) -> int:
        """How many problems there are."""
        return len(self._shown or ())

    def go_to_next(self) -> None:
        """The next problem after the one chosen last, after the last one the first."""
        if self._shown:
            self._session.messages.say(self._shown[self._list.go_to_next(len(self._shown))].what)

    def _opened(self) -> None:
        self._command, self._command_revision = command_changes(self._session), self._session.edits.revision
        self._renew()

    def _saved(self) -> None:
        if self._command is not None and not self._session.edits.document.changed:
            self._renew()

    def _dress(self) -> None:
        self._shown = None
        self._renew()

    def _renew(self) -> None:
        found = [*self._offered(), *self._of_command(), *problems_of(self._session)]
        note = planned_apart(self._session.script)
        if (found, note) == (self._shown, self._noted):
            return
        self._shown, self._noted = found, note
        self._list.clear()
        tokens = self._theme.tokens
        for problem in found:
            self._list.add(f"▨ {problem.what}", problem.what, tokens.warning if problem.line else tokens.text)
        for quiet in ([] if found else ["Nothing needs your attention."]) + ([f"· {note}"] if note else []):
            self._list.add(quiet, quiet.removeprefix("· "), tokens.quiet, selectable=False)
        self._actions.refresh()
        self.counted.emit(self.count)

    def _of_command(self) -> list[Problem]:
        """What the command changed, until that is saved, and so approved."""
        if self._command is None or not self._session.edits.document.changed:
            return []
        found = changed_by(self._command, self._session)
        if self._session.edits.revision == self._command_revision:
            self._changed_then = frozenset(problem.line for problem in found)
        return [problem for problem in found if problem.line in self._changed_then]

    def _offered(self) -> list[Problem]:
        offer = None if self._watch is None else self._watch.offer
        return [] if offer is None else [Problem(f"{offer.sentence} {offer.button}, or leave it.", offered=True)]

    def _go(self, row: int) -> None:
        if self._shown is None or row >= len(self._shown):
            return
        problem = self._shown[row]
        if problem.offered:
            self.offer_asked.emit()
        elif problem.line is not None and problem.line in self._session.script.eventuality_index:
            self._session.cursor.select_line(problem.line, go=True)
        elif problem.at is not None:
            self._session.cursor.seek(problem.at)
