"""What came of the draft, to be read again as long as its project is open; suggested rules are set from here."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from adstudio.core.script import Rules, Script
from adstudio.core.steps import Step
from adstudio.drafting.report import Report
from adstudio.ui.actions.actions import Actions
from adstudio.ui.drafts.report_rows import (
    Row,
    Suggestion,
    not_set,
    report_rows,
    set_rule,
    set_rules,
    suggestions,
    summary,
)
from adstudio.ui.session.context import Theme
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.controls import Button
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.text import Label
from adstudio.ui.widgets.theme import UNIT

ITS_ROW = Qt.ItemDataRole.UserRole
NO_DRAFT = "No draft was made since this project was opened."
SET = "✓ set"
EXPANDED = 12
"""A section of more rows is closed at first."""


class ReportPage(QWidget):
    """The report as a tree: Return goes to what a row is about. `header` may be put elsewhere."""

    def __init__(self, session: Session, actions: Actions, theme: Theme) -> None:
        super().__init__()
        self._session, self._actions = session, actions
        self._report: Report | None = None
        self._waiting: list[Suggestion] = []
        self._seen: Rules | None = None
        self._head = Label()
        self._head.setAccessibleName("The draft in a sentence")
        self._head.setTextFormat(Qt.TextFormat.PlainText)
        self._head.setWordWrap(True)
        self._set = Button("Set this rule", self.set_current, "Set the rule of the row in hand")
        self._set_all = Button("Set all", self.set_all, "Set every rule that the lines suggest, as one step")
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Report of the draft")
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.setMinimumHeight(6 * UNIT)
        self.tree.itemActivated.connect(lambda item, _: self._go(item))
        self.tree.itemClicked.connect(lambda item, _: self._go(item))
        self.tree.itemExpanded.connect(self._show_rules)
        self.tree.currentItemChanged.connect(lambda *_: self._show_buttons())
        self.setFocusProxy(self.tree)
        self.header = QWidget()
        head = QHBoxLayout(self.header)
        head.setContentsMargins(UNIT, 0, 0, 0)
        head.setSpacing(2 * UNIT)
        head.addWidget(self._head, 1)
        head.addWidget(self._set)
        head.addWidget(self._set_all)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.tree, 1)
        session.opened.connect(lambda: self.tell(None))
        session.idle.became_idle.connect(self._renew_rules)
        theme.changed.connect(lambda: self.tell(None) if self._report is None else None)
        self.tell(None)

    @property
    def report(self) -> Report | None:
        """The report that is shown."""
        return self._report

    def tell(self, report: Report | None) -> None:
        """Show what came of a draft; None where none was made."""
        self._report, self._seen = report, None
        self._head.setText("" if report is None else summary(report))
        self._head.setVisible(report is not None)
        self.tree.clear()
        if report is None:
            nothing = QTreeWidgetItem([NO_DRAFT, ""])
            nothing.setForeground(0, self.tree.palette().placeholderText())
            self.tree.addTopLevelItem(nothing)
        else:
            for row in report_rows(report, self._session.script):
                section = self._item(row)
                self.tree.addTopLevelItem(section)
                section.addChildren([self._item(below) for below in row.below])
                section.setExpanded(len(row.below) <= EXPANDED)
            for first in [*_children(self.tree.invisibleRootItem())][:1]:
                self.tree.setCurrentItem(first)
        self._renew_rules()
        self._actions.refresh()

    def set_current(self) -> None:
        """Set the rule of the row in hand."""
        rule = self._current_rule()
        if rule is not None:
            self._set_one(rule)

    def set_all(self) -> None:
        """Set every suggested rule that is not set yet, as one step."""
        waiting = tuple(self._waiting)
        refused: list[int] = []

        def make(script: Script) -> Step | None:
            step, refusals = set_rules(script, waiting)
            refused.append(refusals)
            return step

        self._session.edits.attempt(make)
        count = len(waiting) - refused[-1]
        said = f"{counted(count, 'rule')} set."
        if refused[-1]:
            said += f" {refused[-1]:,} could not be: their lines are gone, or tied by another rule."
        self._session.messages.say(said)
        self._renew_rules()

    def _set_one(self, rule: Suggestion) -> None:
        if self._session.edits.attempt(lambda script: set_rule(script, rule)):
            self._session.messages.say("The rule is set.")
        self._renew_rules()

    def _item(self, row: Row) -> QTreeWidgetItem:
        item = QTreeWidgetItem([row.what, ""])
        item.setData(0, ITS_ROW, row)
        item.setToolTip(0, row.what)
        if row.below:
            font = item.font(0)
            font.setBold(True)
            item.setFont(0, font)
        return item

    def _add_button(self, item: QTreeWidgetItem, rule: Suggestion) -> None:
        button = Button("Set this rule", lambda: self._set_one(rule), name=f"Set this rule: {rule.reason}")
        # The keys have one button for the row in hand, above; Tab would have to pass each of these.
        button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        item.setSizeHint(1, button.sizeHint() + QSize(2 * UNIT, UNIT))
        self.tree.setItemWidget(item, 1, button)

    def _current_rule(self) -> Suggestion | None:
        """The rule of the row in hand, where it is not set yet."""
        item = self.tree.currentItem()
        row = item.data(0, ITS_ROW) if item is not None else None
        rule = row.rule if isinstance(row, Row) else None
        return rule if rule in self._waiting else None

    def _renew_rules(self) -> None:
        """A rule that is set, or taken away again, says so; asked whenever the hand rests."""
        script = self._session.script
        if script.rules is self._seen:
            return
        self._seen = script.rules
        self._waiting = [] if self._report is None else not_set(suggestions(self._report), script)
        for section in _children(self.tree.invisibleRootItem()):
            if section.isExpanded():
                self._show_rules(section)
        self._show_buttons()

    def _show_rules(self, section: QTreeWidgetItem) -> None:
        """Buttons cost time, so only a section that is open has them."""
        waiting = set(self._waiting)
        for item in _children(section):
            rule = item.data(0, ITS_ROW).rule
            if rule is None:
                continue
            done, there = rule not in waiting, self.tree.itemWidget(item, 1) is not None
            # Hiding it is not enough: the tree shows it again when it lays its rows out.
            if done and there:
                self.tree.removeItemWidget(item, 1)
            elif not done and not there:
                self._add_button(item, rule)
            item.setText(1, SET if done else "")

    def _show_buttons(self) -> None:
        waiting = len(self._waiting)
        offered = self._report is not None and bool(suggestions(self._report))
        self._set.setVisible(offered)
        self._set_all.setVisible(offered)
        self._set.setEnabled(self._current_rule() is not None)
        self._set_all.setEnabled(bool(waiting))
        self._set_all.setText(f"Set all {waiting:,}" if waiting > 1 else "Set all")

    def _go(self, item: QTreeWidgetItem) -> None:
        row = item.data(0, ITS_ROW)
        if not isinstance(row, Row):
            return
        session = self._session
        there = [line for line in row.lines if line in session.script.eventuality_index]
        if there:
            session.cursor.select_line(there[0], go=True)
            session.cursor.select(Selection(Kind.LINE, tuple(there)))
        elif row.lines:
            session.messages.say("Those lines are not in the script any more.")


def _children(item: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    for place in range(item.childCount()):
        child = item.child(place)
        if child is not None:
            yield child
