"""What the last step did to the plan. F8 goes from one changed line to the next; accepted lines can be kept.

Where a project is opened with steps that a command made in it, that is what these did to it, all together.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.editing.approval import approved_counts_text
from adstudio.editing.labels import label_of
from adstudio.editing.pins import pin_as_planned
from adstudio.planning.film.plan_changes import PlanChanges, sentence
from adstudio.ui.panels.command_changes import CommandChanges, command_changes
from adstudio.ui.session.change_event import ChangeEvent
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.formatting import duration, quoted, timecode
from adstudio.ui.widgets.theme import UNIT

MOST_SHOWN = 300
ROW = 6 * UNIT
ITS_LINE = Qt.ItemDataRole.UserRole

CAME_IN, WENT_OUT, REWORDED, MOVED = "+", "−", "✎", "↔"


@dataclass(frozen=True)
class Row:
    """One changed line: what became of it, and a sentence."""

    line: str
    glyph: str
    what: str


def rows_of(changes: PlanChanges, script: Script, plan: Plan) -> list[Row]:
    """The changed lines: first those that came, then those that went, were reworded, moved."""

    def text(name: str) -> str:
        delivery = plan.by_element.get(name)
        if name not in script.eventuality_index:
            return "a deleted line"
        return quoted(script.eventuality(name).variants[delivery.variant if delivery else 0].text, 8)

    def at(name: str) -> str:
        return timecode(script.film, plan.by_element[name].start)

    rows = [Row(name, CAME_IN, f"added at {at(name)}: {text(name)}") for name in changes.added]
    rows += [Row(name, WENT_OUT, f"left out: {text(name)}") for name in changes.dropped]
    rows += [Row(name, REWORDED, f"reworded at {at(name)}: {text(name)}") for name in changes.reworded]
    for shift in changes.moved:
        how = "later" if shift.by > 0 else "earlier"
        rows.append(
            Row(shift.element, MOVED, f"{duration(abs(shift.by))} {how}, at {at(shift.element)}: {text(shift.element)}")
        )
    return rows


class PlanChangesPanel(QWidget):
    """The changes of the last step that changed anything."""

    counted = Signal(int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session = context.session
        self._actions = context.actions
        self._theme = context.theme
        self._before: Plan | None = None
        self._came: CommandChanges | None = None
        self._lockable: tuple[str, ...] = ()
        self._shown: list[Row] = []
        self._head = QLabel()
        self._head.setProperty("quiet", "true")
        self._keep = QPushButton()
        self._keep.clicked.connect(self.keep_accepted)
        self._keep.hide()
        self._list = QListWidget()
        self._list.setAccessibleName("Plan changes")
        self._list.setUniformItemSizes(True)
        self._list.setProperty("inset", "true")
        self._list.setMinimumHeight(ROW)
        self._list.itemActivated.connect(self._go)
        self._list.itemClicked.connect(self._go)
        head = QHBoxLayout()
        head.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        head.addWidget(self._head, 1)
        head.addWidget(self._keep)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._list, 1)
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
        """The next changed line after the one chosen last, round and round."""
        if self._shown:
            row = (self._list.currentRow() + 1) % len(self._shown)
            self._list.setCurrentRow(row)
            self._go(self._list.item(row))
            self._session.messages.say(self._shown[row].what)

    def keep_accepted(self) -> None:
        """Pin the accepted lines as they were before the step."""
        before, lockable = self._before, self._lockable
        if before is not None:
            self._session.edits.attempt(lambda script: pin_as_planned(script, before, lockable))

    def _opened(self) -> None:
        self._before, self._latest = None, self._session.plan
        self._came = command_changes(self._session)
        if self._came is None:
            self._show(PlanChanges(), "No action has changed the plan yet.")
        else:
            self._show_came(self._came)

    def _show_came(self, came: CommandChanges) -> None:
        """What steps did that a command made; that lines which people agreed to are others is said aloud."""
        agreed = came.agreed(self._session)
        self._before = agreed.before
        lines = agreed.lines
        what = f"Keep {len(lines)} {'line' if len(lines) == 1 else 'lines'} you had accepted, as before"
        said, name = sentence(agreed.changes) or "the plan is the same", f"{came.what[:1].upper()}{came.what[1:]}"
        self._show(agreed.changes, f"{name}: {said}", lines, what if agreed.reviewed else "")
        if lines:
            is_one = len(lines) == 1
            self._session.messages.say(
                f"{name} came in: {approved_counts_text(agreed)} {'is' if is_one else 'are'} not spoken as before. "
                f"Plan changes shows which, and keeps {'it' if is_one else 'them'} as before."
            )

    def _changed(self, news: ChangeEvent) -> None:
        before, self._latest = self._latest, news.outcome.plan
        if not news.changes:
            return
        if self._came is not None and news.change is None:
            # Of the state that was opened a better plan is known: it is still what the command's steps made of it.
            self._show_came(self._came)
            return
        self._came, self._before = None, before
        said = sentence(news.changes)
        done = "CP-SAT’s plan" if news.change is None else label_of(news.change.step, self._session.script)
        self._show(news.changes, f"{done}: {said}")
        self._session.messages.say(said)

    def _show(self, changes: PlanChanges, head: str, lockable: tuple[str, ...] | None = None, keep: str = "") -> None:
        self._lockable = changes.accepted if lockable is None else lockable
        self._head.setText(head)
        self._shown = rows_of(changes, self._session.script, self._session.plan)[:MOST_SHOWN]
        self._list.clear()
        for row in self._shown:
            item = QListWidgetItem(f"{row.glyph}  {row.what}")
            item.setData(ITS_LINE, row.line)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, row.what)
            self._list.addItem(item)
        self._dress()
        count = len(self._lockable)
        self._keep.setText(keep or f"Keep {count} accepted {'line' if count == 1 else 'lines'} as before")
        self._keep.setVisible(bool(count))
        self._actions.refresh()
        self.counted.emit(self.count)

    def _dress(self) -> None:
        for place, row in enumerate(self._shown):
            if row.glyph == WENT_OUT:
                self._list.item(place).setForeground(QColor(self._theme.tokens.quiet))

    def _go(self, item: QListWidgetItem) -> None:
        name = item.data(ITS_LINE)
        if isinstance(name, str) and name in self._session.script.eventuality_index:
            self._session.cursor.select_line(name, go=True)
