"""What needs attention: conflicts, changed approved lines, cues that the sound contradicts. F9 goes to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from adstudio.characters.word_messages import contradiction_message
from adstudio.characters.word_times import contradicted
from adstudio.core.plan import HoldConflict
from adstudio.editing.approval import approved_counted
from adstudio.editing.departures import Departure, approved_text
from adstudio.editing.measured_lengths import take_measured
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.planning.film.spoken_lengths import LengthDeparture, length_departures
from adstudio.ui.panels.plan_status import planned_apart
from adstudio.ui.panels.row_list import RowList
from adstudio.ui.session.context import Context
from adstudio.ui.session.restoring import became, restore_lines
from adstudio.ui.session.session import Session
from adstudio.ui.sync.monitor import SyncMonitor
from adstudio.ui.widgets.form import beside, column
from adstudio.ui.widgets.formatting import MANNER, counted, duration, quoted_line, timecode
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
    """Conflicts first, then approved lines that changed, then oddities of the dialogue."""
    script = session.script
    found = conflicts_of(session)
    found += [problem_of(each, session) for each in session.current_plan.departures[:MOST_SHOWN]]
    found += [length_problem_of(each, session) for each in length_departures(script)[:MOST_SHOWN]]
    found += list(islice(contradictions_of(session), MOST_SHOWN))
    oddities = session.current_plan.dialogue_oddities
    found += [Problem(oddity.what) for oddity in oddities[:MOST_SHOWN]]
    return found


def contradictions_of(session: Session) -> Iterator[Problem]:
    """The cues whose times the sound contradicts."""
    script = session.script
    cues = {cue.id: cue for cue in script.cues} if script.word_times else {}
    for each in contradicted(script.cues, script.words_by_cue) if cues else ():
        cue = cues[each.cue]
        yield Problem(f"{contradiction_message(cue, each)}.", at=max(each.spoken.start, 0))


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
    text = quoted_line(approved_text(line, approval))
    approved = "accepted" if departure.accepted else "reviewed"
    return Problem(
        f"{text}, {approved} at {timecode(film, approval.start)}, {became(departure, line)}.",
        departure.line,
        approval.start,
    )


def length_problem_of(departure: LengthDeparture, session: Session) -> Problem:
    """An accepted line that takes another time to speak than when it was accepted."""
    line, spoken = session.script.eventuality(departure.line), session.plan.by_line.get(departure.line)
    text = quoted_line(line.variants[departure.variant].text)
    accepted, measured = duration(departure.accepted), duration(departure.measured)
    return Problem(
        f"{text} was accepted at {accepted}, but the voice takes {measured}.",
        departure.line,
        None if spoken is None else spoken.start,
    )


class ProblemsPanel(QWidget):
    """The list, renewed when the user is idle."""

    counted = Signal(int)
    offer_asked = Signal()
    """The banner is to be focused."""

    def __init__(self, context: Context, watch: SyncMonitor | None = None) -> None:
        super().__init__()
        self._session = context.session
        self._theme, self._actions = context.theme, context.actions
        self._list = RowList("Problems", self._go)
        self.setFocusProxy(self._list)
        self._departed = QLabel()
        self._departed.setProperty("quiet", "true")
        self._restore = QPushButton()
        self._restore.clicked.connect(self.restore)
        self._restore.setToolTip(context.actions["plan.restore"].toolTip())
        self._head = _strip(self._departed, self._restore)
        self._otherwise = QLabel()
        self._otherwise.setProperty("quiet", "true")
        self._take = QPushButton()
        self._take.clicked.connect(lambda: self._take_measured(whole=True))
        self._take.setToolTip(context.actions["plan.take_measured"].toolTip())
        self._lengths = _strip(self._otherwise, self._take)
        self.setLayout(column(self._head, self._lengths, self._list, spacing=0))
        self._shown: list[Problem] | None = None
        self._noted = ("", "")
        """What was shown beside the problems: a note, and what the quality checks have found."""
        self._findings = ""
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
        is_otherwise = lambda: bool(length_departures(context.session.script, least=1))  # noqa: E731 - a predicate to hand on
        context.actions.connect("plan.take_measured", self._take_measured, is_otherwise)
        self._renew()

    @property
    def count(self) -> int:
        """How many problems there are."""
        return len(self._shown or ())

    @property
    def nothing(self) -> str:
        """What is said where there is no problem: that the quality checks have found some, where they have."""
        if not self._findings:
            return "Nothing needs your attention."
        return f"No problems in the plan. {self._findings}"

    def show_findings(self, findings: str) -> None:
        """What the quality checks have found, as a sentence; empty for nothing."""
        self._findings = findings
        self._renew()

    def go_to_next(self) -> None:
        """The next problem after the one chosen last, after the last one the first."""
        if self._shown:
            self._session.messages.say(self._shown[self._list.go_to_next(len(self._shown))].what)

    def restore(self) -> None:
        """Have the approved lines that changed spoken as they were approved, as far as possible."""
        restore_lines(self._session, {each.line: each.approval for each in self._session.current_plan.departures})

    def _take_measured(self, *, whole: bool = False) -> None:
        """Plan accepted lines at their measured lengths: the selected ones, if they have others, or all (`whole`)."""
        session = self._session
        every = {each.line for each in length_departures(session.script, least=1)}
        some = every & set(session.cursor.selection.lines())
        lines = every if whole or not some else some
        step = take_measured(session.script, lines)
        if step is not None:
            _, planner = session.current_plan.plan_with(step)
            session.edits.do(take_measured(session.script, lines, planner.outcome.plan))

    def _dress(self) -> None:
        self._shown = None
        self._renew()

    def _renew(self) -> None:
        found = [*self._offered(), *problems_of(self._session)]
        note = planned_apart(self._session.script)
        if (found, note, self._findings) == (self._shown, *self._noted):
            return
        self._shown, self._noted = found, (note, self._findings)
        departures = self._session.current_plan.departures
        count, accepted = len(departures), sum(each.accepted for each in departures)
        self._head.setVisible(count > 0)
        self._departed.setText(f"{approved_counted(accepted, count - accepted)} changed")
        self._restore.setText(f"Put {counted(count, 'line')} back")
        others = len(length_departures(self._session.script))
        self._lengths.setVisible(others > 0)
        self._otherwise.setText(f"{counted(others, 'accepted line')} with another length")
        self._take.setText(f"Use {'the measured length' if others == 1 else f'{others:,} measured lengths'}")
        tokens = self._theme.tokens
        with self._list.refilled():
            for problem in found:
                self._list.add(f"▨ {problem.what}", problem.what, tokens.warning if problem.line else tokens.text)
            for quiet in ([] if found else [self.nothing]) + ([f"· {note}"] if note else []):
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


def _strip(label: QLabel, button: QPushButton) -> QWidget:
    """What some problems have in common, and a button that settles all of them."""
    strip = beside(label, button, stretch=True)
    strip.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
    head = QWidget()
    head.setLayout(strip)
    return head
