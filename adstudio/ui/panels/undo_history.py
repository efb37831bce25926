"""The undo list: every step by name; choosing one goes back, or forward, to just after it."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont, QShowEvent
from PySide6.QtWidgets import QWidget

from adstudio.core.steps import Step
from adstudio.editing.labels import label_of
from adstudio.ui.session.context import Context
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.row_table import LetterlessList
from adstudio.ui.widgets.theme import UNIT

Index = QModelIndex | QPersistentModelIndex

NO_PARENT = QModelIndex()


class _Steps(QAbstractListModel):
    """The opened state, the steps taken and those undone, in order."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session: Session = context.session
        self._theme = context.theme
        self._labels = ["Opened"]
        self._known: tuple[Step, ...] = ()
        self.past = 0

    def renew(self) -> None:
        """Read the list again; only what differs is reported as changed."""
        document = self._session.edits.document
        past, script = document.past, self._session.script
        steps, known = (*past, *document.future), self._known
        same = next((n for n, (a, b) in enumerate(zip(known, steps, strict=False)) if a is not b), None)
        same = 1 + (min(len(known), len(steps)) if same is None else same)
        self._known = steps
        labels = [*self._labels[:same], *(label_of(step, script) for step in steps[same - 1 :])]
        if same < len(self._labels):
            self.beginRemoveRows(QModelIndex(), same, len(self._labels) - 1)
            del self._labels[same:]
            self.endRemoveRows()
        if same < len(labels):
            self.beginInsertRows(QModelIndex(), same, len(labels) - 1)
            self._labels += labels[same:]
            self.endInsertRows()
        before, self.past = self.past, len(past)
        first, last = sorted((min(before, len(labels) - 1), self.past))
        self.dataChanged.emit(self.index(first), self.index(last))

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """The opened state and every step."""
        return 0 if parent.isValid() else len(self._labels)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The label; undone steps are said to be so and are set in italics."""
        label, undone = self._labels[index.row()], index.row() > self.past
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return f"▸ {label}" if index.row() == self.past else f"    {label}"
            case Qt.ItemDataRole.AccessibleTextRole:
                state = "undone" if undone else "current state" if index.row() == self.past else "done"
                return f"{label}, {state}"
            case Qt.ItemDataRole.FontRole:
                font = QFont()
                font.setItalic(undone)
                return font
            case Qt.ItemDataRole.ForegroundRole if undone:
                return QColor(self._theme.tokens.quiet)
            case _:
                return None


class HistoryPanel(QWidget):
    """Shows the undo list, and undoes or redoes up to a chosen step."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session = context.session
        self._steps = _Steps(context)
        self._list = LetterlessList(uniformItemSizes=True)
        self._list.setAccessibleName("History")
        self._list.setProperty("inset", "true")
        self._list.setMinimumHeight(6 * UNIT)
        self._list.setModel(self._steps)
        self._list.activated.connect(lambda index: self.go_to(index.row()))
        self.setLayout(column(self._list))
        self._steps.setParent(self)
        context.session.current_plan.announced.connect(lambda _: self._renew())
        context.session.opened.connect(self._renew)
        self._renew()

    def go_to(self, past: int) -> None:
        """Undo or redo until so many steps are done."""
        document = self._session.edits.document
        while len(document.past) > past and self._session.undo():
            pass
        while len(document.past) < past and self._session.redo():
            pass

    def _renew(self) -> None:
        self._steps.renew()
        if self.isVisible():
            self._show_present()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the present state when the list becomes visible."""
        super().showEvent(event)
        self._show_present()

    def _show_present(self) -> None:
        self._list.scrollTo(self._steps.index(self._steps.past))
