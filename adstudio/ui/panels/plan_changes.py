"""What the last step did to the plan. F8 goes from one changed line to the next; accepted lines can be kept.

In a project just opened it is what a command's steps did to it, all together, if there are any.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.editing.approval import ApprovedChanges, approved_counts_text, compare_approved
from adstudio.editing.labels import label_of
from adstudio.editing.machine_steps import contributions_text, script_before, trailing_automatic_steps
from adstudio.editing.pins import pin_as_planned
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.planning.film.plan_changes import PlanChanges, sentence
from adstudio.ui.panels.row_list import RowList
from adstudio.ui.session.context import Context
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.form import beside, column
from adstudio.ui.widgets.formatting import counted, duration, quoted, timecode
from adstudio.ui.widgets.theme import UNIT

MOST_SHOWN = 300
ADDED, LEFT_OUT, REWORDED, MOVED = "+", "−", "✎", "↔"


@dataclass(frozen=True)
class Row:
    """One changed line: a sign for what was changed, and a sentence."""

    line: str
    glyph: str
    what: str


def rows_of(changes: PlanChanges, script: Script, plan: Plan, before: Plan | None) -> list[Row]:
    """The changed lines: those that were added, then those left out, reworded, moved."""
    spoken = {**(before.by_element if before is not None else {}), **plan.by_element}

    def text(name: str) -> str:
        if name not in script.eventuality_index:
            return "a deleted line"
        variants, delivery = script.eventuality(name).variants, spoken.get(name)
        return quoted(variants[delivery.variant if delivery and delivery.variant < len(variants) else 0].text, 8)

    def at(name: str) -> str:
        return timecode(script.film, plan.by_element[name].start)

    rows = [Row(name, ADDED, f"added at {at(name)}: {text(name)}") for name in changes.added]
    rows += [Row(name, LEFT_OUT, f"left out: {text(name)}") for name in changes.dropped]
    rows += [Row(name, REWORDED, f"reworded at {at(name)}: {text(name)}") for name in changes.reworded]
    for shift in changes.moved:
        how = "later" if shift.by > 0 else "earlier"
        rows.append(
            Row(shift.element, MOVED, f"{duration(abs(shift.by))} {how}, at {at(shift.element)}: {text(shift.element)}")
        )
    return rows


@dataclass(frozen=True)
class CommandChanges:
    """What was changed (“2 scenes drafted by house”), and the plan as it was before."""

    what: str
    before: Plan

    def agreed(self, session: Session) -> ApprovedChanges:
        """What it did to the plan that is shown, and which lines among these people have agreed to."""
        return compare_approved(self.before, session.plan, session.script)


def command_changes(session: Session) -> CommandChanges | None:
    """What added to the open document last, before anybody did anything with it; None where nothing did."""
    document, project = session.edits.document, session.project
    steps = trailing_automatic_steps(document.past)
    if project is None or not steps:
        return None
    saved = project.saved_plan if len(steps) == len(document.past) == len(project.unsaved_steps) else None
    return CommandChanges(contributions_text(steps), saved or _planned(session, steps))


def _planned(session: Session, steps: tuple[Step, ...]) -> Plan:
    before = script_before(session.script, steps)
    return FilmPlanner(before, gaps_of(before).gaps).outcome.plan


class PlanChangesPanel(QWidget):
    """The changes of the last step that changed anything."""

    counted = Signal(int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session = context.session
        self._actions = context.actions
        self._theme = context.theme
        self._before: Plan | None = None
        self._command: CommandChanges | None = None
        self._lockable: tuple[str, ...] = ()
        self._shown: list[Row] = []
        self._head = QLabel()
        self._head.setProperty("quiet", "true")
        self._keep = QPushButton()
        self._keep.clicked.connect(self.keep_accepted)
        self._list = RowList("Plan changes", self._go)
        head = beside(self._head, self._keep, stretch=True)
        head.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        self.setLayout(column(head, self._list, spacing=0))
        self._latest = self._session.plan
        context.session.opened.connect(self._opened)
        context.session.current_plan.announced.connect(self._changed)
        context.theme.changed.connect(self._dress)
        context.actions.connect("plan.next_change", self.go_to_next, lambda: bool(self._shown))
        self._opened()

    @property
    def count(self) -> int:
        """How many lines have changed."""
        return len(self._shown)

    def go_to_next(self) -> None:
        """The next changed line after the one chosen last, after the last one the first."""
        if self._shown:
            self._session.messages.say(self._shown[self._list.go_to_next(len(self._shown))].what)

    def keep_accepted(self) -> None:
        """Lock the accepted lines as they were before the step."""
        before, lockable = self._before, self._lockable
        if before is not None:
            self._session.edits.attempt(lambda script: pin_as_planned(script, before, lockable))

    def _opened(self) -> None:
        self._before, self._latest = None, self._session.plan
        self._command = command_changes(self._session)
        if self._command is None:
            self._show(PlanChanges(), "No action has changed the plan yet.")
        else:
            self._show_command(self._command)

    def _show_command(self, command: CommandChanges) -> None:
        """What a command's steps did; if lines that people approved have changed, a message says so."""
        agreed = command.agreed(self._session)
        self._before = agreed.before
        lines = agreed.lines
        what = f"Keep {counted(len(lines), 'line')} you had accepted, as before"
        said, name = sentence(agreed.changes) or "the plan is the same", f"{command.what[:1].upper()}{command.what[1:]}"
        self._show(agreed.changes, f"{name}: {said}", lines, what if agreed.reviewed else "")
        if lines:
            is_one = len(lines) == 1
            self._session.messages.say(
                f"{name}: {approved_counts_text(agreed)} {'is' if is_one else 'are'} no longer spoken as before. "
                f"Plan changes shows which, and can keep {'it' if is_one else 'them'} as before."
            )

    def _changed(self, news: ChangeEvent) -> None:
        before, self._latest = self._latest, news.outcome.plan
        if not news.changes:
            return
        if self._command is not None and news.change is None:
            # A better plan of the state that was opened: still what the command's steps led to.
            self._show_command(self._command)
            return
        self._command, self._before = None, before
        said = sentence(news.changes)
        if news.change is None:
            done = "CP-SAT’s plan"
        else:
            done = label_of(news.change.step, self._session.script, self._latest, before)
        self._show(news.changes, f"{done}: {said}")
        self._session.messages.say(said)

    def _show(self, changes: PlanChanges, head: str, lockable: tuple[str, ...] | None = None, keep: str = "") -> None:
        self._lockable = changes.accepted if lockable is None else lockable
        self._head.setText(head)
        self._shown = rows_of(changes, self._session.script, self._session.plan, self._before)[:MOST_SHOWN]
        self._list.clear()
        for row in self._shown:
            self._list.add(f"{row.glyph}  {row.what}", row.what)
        self._dress()
        count = len(self._lockable)
        self._keep.setText(keep or f"Keep {counted(count, 'accepted line')} as before")
        self._keep.setVisible(bool(count))
        self._actions.refresh()
        self.counted.emit(self.count)

    def _dress(self) -> None:
        for place, row in enumerate(self._shown):
            if row.glyph == LEFT_OUT:
                self._list.item(place).setForeground(QColor(self._theme.tokens.quiet))

    def _go(self, row: int) -> None:
        name = self._shown[row].line
        if name in self._session.script.eventuality_index:
            self._session.cursor.select_line(name, go=True)
