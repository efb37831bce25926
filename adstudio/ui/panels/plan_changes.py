"""How the plan differs from the one before the describer's last act. F8 goes from one changed line to the next.

In a project just opened it is what a command's steps did to it, all together, if there are any. Accepted lines among
them can be put back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from adstudio.core.fusions import wording_of
from adstudio.core.plan import Plan
from adstudio.core.script import Approval, Script
from adstudio.editing.approval import ApprovedChanges, accepted_by, approved_among, approved_counts_text
from adstudio.planning.film.plan_changes import PlanChanges, sentence
from adstudio.ui.panels.row_list import RowList
from adstudio.ui.session.act_messages import act_result, new_conflict
from adstudio.ui.session.context import Context
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.restoring import restore_lines
from adstudio.ui.widgets.form import beside, column
from adstudio.ui.widgets.formatting import as_sentence, counted, duration, quoted_line, timecode
from adstudio.ui.widgets.theme import UNIT

MOST_SHOWN = 300
ADDED, LEFT_OUT, REWORDED, MOVED = "+", "−", "✎", "↔"


@dataclass(frozen=True)
class Row:
    """One changed line: a sign for what was changed, and a sentence."""

    line: str
    glyph: str
    what: str


def rows_of(changes: PlanChanges, script: Script, plan: Plan, before: Plan) -> list[Row]:
    """The changed lines: those that were added, then those left out, reworded, moved."""
    spoken = {**before.by_line, **plan.by_line}

    def text(name: str) -> str:
        if name not in script.eventuality_index:
            return "a deleted line"
        fused = plan.spoken_as(name)
        if fused is not None and fused.members and (wording := wording_of(script, fused)) is not None:
            return quoted_line(wording.text, 8)
        variants, delivery = script.eventuality(name).variants, spoken.get(name)
        return quoted_line(variants[delivery.variant if delivery and delivery.variant < len(variants) else 0].text, 8)

    def at(name: str) -> str:
        return timecode(script.film, plan.by_line[name].start)

    rows = [Row(name, ADDED, f"added at {at(name)}: {text(name)}") for name in changes.added]
    rows += [Row(name, LEFT_OUT, f"left out: {text(name)}") for name in changes.dropped]
    rows += [Row(name, REWORDED, f"reworded at {at(name)}: {text(name)}") for name in changes.reworded]
    for shift in changes.moved:
        how = "later" if shift.by > 0 else "earlier"
        rows.append(
            Row(shift.element, MOVED, f"{duration(abs(shift.by))} {how}, at {at(shift.element)}: {text(shift.element)}")
        )
    return rows


class PlanChangesPanel(QWidget):
    """The changes since the describer's last act, whatever brought them."""

    counted = Signal(int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session = context.session
        self._actions = context.actions
        self._theme = context.theme
        self._affected = ApprovedChanges(self._session.plan, self._session.plan, PlanChanges())
        self._shown: list[Row] = []
        self._conflicts = self._session.current_plan.outcome.conflicts
        self._head = QLabel()
        self._head.setProperty("quiet", "true")
        self._keep = QPushButton()
        self._keep.clicked.connect(self.keep_accepted)
        self._list = RowList("Plan changes", self._go)
        head = beside(self._head, self._keep, stretch=True)
        head.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        self.setLayout(column(head, self._list, spacing=0))
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
        """Lock the accepted lines as they were before the act."""
        spoken = self._affected.before.by_line
        wanted = {name: Approval(spoken[name].variant, spoken[name].start) for name in self._affected.lines}
        restore_lines(self._session, wanted)

    def _opened(self) -> None:
        name = self._renew()
        self._conflicts = self._session.current_plan.outcome.conflicts
        lines = self._affected.lines
        if lines:
            is_one = len(lines) == 1
            self._session.messages.say(
                f"{name}: {approved_counts_text(self._affected)} {'is' if is_one else 'are'} no longer spoken as "
                f"before. Plan changes shows which, and can keep {'it' if is_one else 'them'} as before."
            )

    def _changed(self, news: ChangeEvent) -> None:
        known = self._affected.changes
        name = self._renew()
        affected = approved_counts_text(self._affected)
        said = sentence(news.changes) + (f"; {affected} changed" if affected else "")
        conflict = new_conflict(self._session, self._conflicts, news.outcome)
        self._conflicts = news.outcome.conflicts
        result = act_result(self._session, news)
        is_last_act = news.change is not None and news.last_act.change is news.change
        parts = (result, conflict, said if is_last_act else "")
        if any(parts):
            urgent = bool(conflict) and bool(news.outcome.conflicts)
            self._session.messages.say(" ".join(as_sentence(part) for part in parts if part), urgent=urgent)
        elif not is_last_act and news.changes != known:
            came = "Improved plan" if news.change is None else name
            self._session.messages.say(f"{came}: {said or 'the plan is as before your change'}")

    def _renew(self) -> str:
        """Show the comparison as it is now; the name of what is compared with."""
        plan, script, last = self._session.current_plan, self._session.script, self._session.current_plan.last_act
        name, changes = last.label(script, plan.plan), plan.changes
        affected = self._affected = self._departed(approved_among(changes, last.before, plan.plan, script))
        if name or changes:
            self._head.setText(f"{name or 'Since opening'}: {sentence(changes) or 'the plan is the same'}")
        else:
            self._head.setText("No action has changed the plan yet.")
        self._shown = rows_of(changes, script, plan.plan, last.before)[:MOST_SHOWN]
        self._list.clear()
        for row in self._shown:
            self._list.add(f"{row.glyph}  {row.what}", row.what)
        self._dress()
        count = len(affected.lines)
        every = f"Keep {counted(count, 'line')} you had accepted, as before"
        self._keep.setText(every if affected.reviewed else f"Keep {counted(count, 'accepted line')} as before")
        self._keep.setVisible(bool(count))
        self._actions.refresh()
        self.counted.emit(self.count)
        return name

    def _departed(self, affected: ApprovedChanges) -> ApprovedChanges:
        """Without the lines that such a change accepts, or has put back: they are spoken as approved."""
        departed = {each.line for each in self._session.current_plan.departures}
        script, last = self._session.script, self._session.current_plan.last_act
        fresh = accepted_by(*last.since, *(() if last.change is None else (last.change.step,)))

        def is_other(name: str) -> bool:
            return name not in fresh and (name in departed or script.eventuality(name).approval is None)

        accepted, reviewed = (tuple(filter(is_other, names)) for names in (affected.accepted, affected.reviewed))
        return replace(affected, accepted=accepted, reviewed=reviewed)

    def _dress(self) -> None:
        for place, row in enumerate(self._shown):
            if row.glyph == LEFT_OUT:
                self._list.item(place).setForeground(QColor(self._theme.tokens.quiet))

    def _go(self, row: int) -> None:
        name = self._shown[row].line
        if name in self._session.script.eventuality_index:
            self._session.cursor.select_line(name, go=True)
