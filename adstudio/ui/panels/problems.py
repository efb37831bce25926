"""What needs the describer: conflicts, lines that do not fit, odd cues, what a command changed. F9 goes round."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from adstudio.core.plan import HoldConflict
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.ui.panels.command_changes import CommandChanges, command_changes
from adstudio.ui.panels.plan_status import planned_apart
from adstudio.ui.session.context import Context
from adstudio.ui.session.session import Session
from adstudio.ui.sync.monitor import SyncMonitor
from adstudio.ui.widgets.formatting import MANNER, quoted
from adstudio.ui.widgets.theme import UNIT

MOST_SHOWN = 500
_WAYS_OUT = ("Move it, unlock it, or make room.", "Unlock or move one of them, or make room.")
_FROM_RULES = "Unlock one of them, or remove the rule."
ITS_PROBLEM = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Problem:
    """One thing that needs somebody: a sentence, and the line or the time to go to."""

    what: str
    line: str | None = None
    at: int | None = None
    offered: bool = False
    """Whether a strip over the work area offers what mends it."""


def problems_of(session: Session) -> list[Problem]:
    """Conflicts first, then pinned lines outside their gap, then what is odd about the dialogue."""
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


def changed_by(came: CommandChanges, session: Session) -> list[Problem]:
    """Lines that people agreed to and that are not spoken as they were before a command's steps."""
    agreed, script = came.agreed(session), session.script
    gone = frozenset(agreed.changes.dropped)
    found: list[Problem] = []
    for name in agreed.lines:
        out, before = name in gone, agreed.before.by_element[name]
        text = quoted(script.eventuality(name).variants[0].text)
        kind = "is accepted" if name in agreed.accepted else "is of a reviewed scene"
        now = "is out" if out else "is not spoken as it was"
        found.append(Problem(f"{text} {kind}, and {now} since {came.what} came in.", name, before.start))
    return found


class ProblemsPanel(QWidget):
    """The list, renewed when the hand rests."""

    counted = Signal(int)
    offer_asked = Signal()
    """The hand is to go to what is offered."""

    def __init__(self, context: Context, watch: SyncMonitor | None = None) -> None:
        super().__init__()
        self._session = context.session
        self._theme = context.theme
        self._list = QListWidget()
        self._list.setAccessibleName("Problems")
        self._list.setUniformItemSizes(True)
        self._list.setProperty("inset", "true")
        self._list.setMinimumHeight(6 * UNIT)
        self._list.itemActivated.connect(self._go)
        self._list.itemClicked.connect(self._go)
        self.setFocusProxy(self._list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._list)
        self._shown: list[Problem] | None = None
        self._noted = ""
        self._came: CommandChanges | None = None
        self._came_at = 0
        self._changed_then: frozenset[str | None] = frozenset()
        """The lines that were others by what came in, before anybody did anything."""
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
        """How much needs somebody."""
        return len(self._shown or ())

    def go_to_next(self) -> None:
        """The next problem after the one chosen last, round and round."""
        if self._shown:
            row = (self._list.currentRow() + 1) % len(self._shown)
            self._list.setCurrentRow(row)
            self._go(self._list.item(row))
            self._session.messages.say(self._shown[row].what)

    def _opened(self) -> None:
        self._came, self._came_at = command_changes(self._session), self._session.edits.revision
        self._renew()

    def _saved(self) -> None:
        if self._came is not None and not self._session.edits.document.changed:
            self._renew()

    def _dress(self) -> None:
        self._shown = None
        self._renew()

    def _renew(self) -> None:
        found = [*self._offered(), *self._of_what_came(), *problems_of(self._session)]
        note = planned_apart(self._session.script)
        if (found, note) == (self._shown, self._noted):
            return
        self._shown, self._noted = found, note
        self._list.clear()
        for problem in found:
            item = QListWidgetItem(f"▨ {problem.what}")
            item.setData(ITS_PROBLEM, problem)
            item.setToolTip(problem.what)
            item.setForeground(QColor(self._theme.tokens.warning if problem.line else self._theme.tokens.text))
            self._list.addItem(item)
        for quiet in ([] if found else ["Nothing needs your attention."]) + ([f"· {note}"] if note else []):
            item = QListWidgetItem(quiet)
            item.setToolTip(quiet.removeprefix("· "))
            item.setForeground(QColor(self._theme.tokens.quiet))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self._list.addItem(item)
        self._actions.refresh()
        self.counted.emit(self.count)

    def _of_what_came(self) -> list[Problem]:
        """Until it is saved, which says that it may be so."""
        if self._came is None or not self._session.edits.document.changed:
            return []
        found = changed_by(self._came, self._session)
        if self._session.edits.revision == self._came_at:
            self._changed_then = frozenset(problem.line for problem in found)
        return [problem for problem in found if problem.line in self._changed_then]

    def _offered(self) -> list[Problem]:
        offer = None if self._watch is None else self._watch.offer
        return [] if offer is None else [Problem(f"{offer.sentence} {offer.button}, or leave it.", offered=True)]

    def _go(self, item: QListWidgetItem) -> None:
        problem = item.data(ITS_PROBLEM)
        if not isinstance(problem, Problem):
            return
        if problem.offered:
            self.offer_asked.emit()
        elif problem.line is not None and problem.line in self._session.script.eventuality_index:
            self._session.cursor.select_line(problem.line, go=True)
        elif problem.at is not None:
            self._session.cursor.seek(problem.at)
