"""What needs attention: conflicts, approved lines that have changed, odd cues. F9 goes to the next."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from adstudio.core.plan import HoldConflict
from adstudio.editing.departures import Departure, approved_text
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.ui.panels.plan_status import planned_apart
from adstudio.ui.panels.row_list import RowList
from adstudio.ui.session.context import Context
from adstudio.ui.session.restoring import became, restore_lines
from adstudio.ui.session.session import Session
from adstudio.ui.sync.monitor import SyncMonitor
from adstudio.ui.widgets.form import beside, column
from adstudio.ui.widgets.formatting import MANNER, counted, quoted, timecode
from adstudio.ui.widgets.theme import UNIT

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
    """Conflicts first, then approved lines that changed, locked lines outside their gap, oddities of the dialogue."""
    script = session.script
    found = conflicts_of(session)
    found += [problem_of(each, session) for each in session.current_plan.departures[:MOST_SHOWN]]
    for line in (line for line in script.eventualities if line.pin.override):
        delivery = session.plan.by_element.get(line.id)
        gap = None if delivery is None else session.current_plan.gap_at(delivery.start)
        if delivery is not None and (gap is None or gap.end < delivery.end):
            text = quoted(line.variants[delivery.variant].text)
            found.append(Problem(f"{text} overlaps dialogue, as you allowed.", line.id, delivery.start))
    oddities = session.current_plan.dialogue_oddities
    found += [Problem(oddity.what) for oddity in oddities[:MOST_SHOWN]]
    return found


def conflicts_of(session: Session) -> list[Problem]:
    """The locks that cannot hold together, each with what can be done."""
    found: list[Problem] = []
    for conflict in session.current_plan.outcome.conflicts:
        lines = [hold.element for hold in conflict if isinstance(hold, HoldConflict)]
        what = conflict_message(session.script, session.gaps, conflict, MANNER)
        way_out = _FROM_RULES if len(lines) < len(conflict) else _WAYS_OUT[len(set(lines)) > 1]
        found += [Problem(f"{what} {way_out}", line=line) for line in lines[:1]]
    return found


def problem_of(departure: Departure, session: Session) -> Problem:
    """An approved line that is spoken otherwise."""
    film, approval = session.script.film, departure.approval
    line = session.script.eventuality(departure.line)
    text = quoted(approved_text(line, approval))
    approved = "accepted" if departure.accepted else "reviewed"
    return Problem(
        f"{text}, {approved} at {timecode(film, approval.start)}, {became(departure, line)}.",
        departure.line,
        approval.start,
    )


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
        self._departed = QLabel()
        self._departed.setProperty("quiet", "true")
        self._restore = QPushButton()
        self._restore.clicked.connect(self.restore)
        self._restore.setToolTip(context.actions["plan.restore"].toolTip())
        strip = beside(self._departed, self._restore, stretch=True)
        strip.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        self._head = QWidget()
        self._head.setLayout(strip)
        self.setLayout(column(self._head, self._list, spacing=0))
        self._shown: list[Problem] | None = None
        self._noted = ""
        self._watch = watch
        if watch is not None:
            watch.changed.connect(self._renew)
        context.session.idle.turn().connect(self._renew)
        context.session.current_plan.announcement_turn().connect(lambda _: self._renew())
        context.session.opened.connect(self._renew)
        context.theme.changed.connect(self._dress)
        context.actions.connect("plan.next_problem", self.go_to_next, lambda: bool(self._shown))
        is_departed = lambda: bool(context.session.current_plan.departures)  # noqa: E731 - a predicate to hand on
        context.actions.connect("plan.restore", self.restore, is_departed)
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

    def restore(self) -> None:
        """Have the approved lines that changed spoken as they were approved, as far as possible."""
        restore_lines(self._session, {each.line: each.approval for each in self._session.current_plan.departures})

    def _dress(self) -> None:
        self._shown = None
        self._renew()

    def _renew(self) -> None:
        found = [*self._offered(), *problems_of(self._session)]
        note = planned_apart(self._session.script)
        if (found, note) == (self._shown, self._noted):
            return
        self._shown, self._noted = found, note
        count = len(self._session.current_plan.departures)
        self._head.setVisible(count > 0)
        self._departed.setText(f"{counted(count, 'approved line')} changed")
        self._restore.setText(f"Put {counted(count, 'line')} back")
        self._list.clear()
        tokens = self._theme.tokens
        for problem in found:
            self._list.add(f"▨ {problem.what}", problem.what, tokens.warning if problem.line else tokens.text)
        for quiet in ([] if found else ["Nothing needs your attention."]) + ([f"· {note}"] if note else []):
            self._list.add(quiet, quiet.removeprefix("· "), tokens.quiet, selectable=False)
        self._actions.refresh()
        self.counted.emit(self.count)

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
