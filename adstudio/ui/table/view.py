"""The table itself: keys for a describer, rows that stay where they are while the plan changes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QMenu, QTableView, QWidget

from adstudio.ui.session.context import Context
from adstudio.ui.table.cell_content import text_shown
from adstudio.ui.table.cell_painting import PADDING
from adstudio.ui.table.columns import FROZEN, ColumnChoice, ColumnHeader
from adstudio.ui.table.delegate import CellPick, CellText, Index, ScriptDelegate
from adstudio.ui.table.model import ScriptModel
from adstudio.ui.table.row_heights import RowHeights
from adstudio.ui.table.row_order import Column
from adstudio.ui.table.row_painting import RowPainter
from adstudio.ui.widgets.controls import RETURN
from adstudio.ui.widgets.focus_ring import OWN_RING
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.value_field import ValueField

MENU = (
    ("line.edit", "line.wording_add", "line.note"),
    ("line.keep_in", "line.keep_out", "line.free", "line.pin_wording", "line.pin_start", "line.override"),
    ("line.accept", "line.confirm", "line.salience_up", "line.salience_down"),
    ("line.split", "line.merge", "line.join", "line.up", "line.down"),
    ("rule.alternatives", "rule.requires", "rule.together", "rule.penalty", "rule.remove"),
    ("hear.line", "hear.variants"),
    ("edit.delete",),
)


LEAST_CHARACTERS = 8
"""The text column has room for so many at least, however narrow the table is."""
FEW_CHARACTERS = 22
"""With less room than for so many, the out time gives its to the text, unless it was chosen."""
EASY_CHARACTERS = 40
"""With less room than for so many, the words beside the sign of the state give theirs to the text."""
ENSURE_VISIBLE = QAbstractItemView.ScrollHint.EnsureVisible
COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class ScriptView(QTableView):
    """Rows as high as their text, whole rows selected, Return edits the cell."""

    activated_row = Signal(str)
    """The line is to be gone to in the film."""
    left_empty = Signal()
    """Escape where no row is shown."""

    def __init__(self, context: Context, model: ScriptModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._rows = model
        self.empty = ""
        self.setAccessibleName("Script")
        self.setProperty(OWN_RING, "true")
        self.columns = ColumnHeader(self)
        self.setHorizontalHeader(self.columns)
        self.setModel(model)
        self.choice = ColumnChoice(self.columns, context.preferences, self._fit_text, context.session.messages.say)
        self._delegate = ScriptDelegate(context, self)
        self.setItemDelegate(self._delegate)
        self._delegate.returned.connect(self._take_and_go_on)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)  # Tab leads out of the table
        self.setCornerButtonEnabled(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.heights = RowHeights(self, model)
        self.painter = RowPainter(context, self, self.columns, model, self.heights)
        self.choice.apply()

    @property
    def editing(self) -> bool:
        """Whether a cell is being edited. Qt forgets its own state when rows come or go; the editor stays."""
        return self.state() is QAbstractItemView.State.EditingState or bool(self._editors())

    @property
    def current(self) -> str | None:
        """The line of the current row."""
        return self._rows.identity(self.currentIndex())

    def end_editing(self) -> None:
        """Take what is being typed in a cell."""
        for editor in self._editors():
            self._delegate.end(editor)

    def _take_and_go_on(self, editor: CellText) -> None:
        """Take a text and go to the next line. A new line stays the current one, and so does one that was refused."""
        row, column = self.currentIndex().row(), self.currentIndex().column()
        current, text = self.current, editor.toPlainText()
        is_new = current is not None and column == Column.TEXT and not self._rows.line(current).text.strip()
        following = self._rows.ids[row + 1] if 0 <= row < len(self._rows.ids) - 1 else None
        self._delegate.end(editor)
        if current is None or is_new:
            return
        there = self._rows.row_of(current) is not None
        if there and column == Column.TEXT and text.strip() and self._rows.text(current) != text_shown(text):
            return
        place = None if following is None else self._rows.row_of(following)
        if place is not None:
            flags = QItemSelectionModel.SelectionFlag
            index = self._rows.index(place, column)
            self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.scrollTo(index)
        elif following is None:
            self._context.session.messages.say("That was the last line.")

    def _editors(self) -> list[CellText | CellPick | ValueField]:
        kinds = (CellText, CellPick, ValueField)
        return [each for each in self.viewport().children() if isinstance(each, kinds) and each.isVisible()]

    def edit_cell(self, column: Column) -> bool:
        """Edit a cell of the current row; False where there is none."""
        index = self._rows.index(self.currentIndex().row(), column)
        if not index.isValid() or self.isColumnHidden(column):
            return False
        # Not by the view: that would have a key that is held down, as in Ctrl+Return, let go of the row.
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)
        self._begin_editing(index)
        return True

    def show_confidence_column(self, doubts: bool, *, anew: bool = False) -> None:
        """Show the confidence column once any time is uncertain; hide it if none is in a script opened `anew`."""
        if doubts or anew:
            self.choice.show_doubts(doubts)

    def _begin_editing(self, index: Index) -> None:
        """Edit a cell. Orca learns of its caret before it learns of the focus, and would not say that it is a field."""
        self.edit(index)
        if self.editing and QAccessible.isActive():
            self._context.session.messages.say(f"Editing {Column(index.column()).title.lower()}.")

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """If Escape closes the editor of a text, the text is given up."""
        current = self.current
        super().closeEditor(editor, hint)
        given_up = hint is QAbstractItemDelegate.EndEditHint.RevertModelCache and isinstance(editor, CellText)
        if given_up and current is not None and not self._rows.line(current).text.strip():
            self._context.session.edits.text_given_up.emit(current)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The text column takes the rest of the width."""
        super().resizeEvent(event)
        self._fit_text()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll; the frozen columns stay."""
        super().scrollContentsBy(dx, dy)
        if dx:
            self.viewport().update()
            self.columns.viewport().update()

    def _fit_text(self) -> None:
        choice = self.choice
        rest = choice.fit(self.viewport().width(), choice.usual_width(Column.TEXT, FEW_CHARACTERS * "n"))
        if choice.is_shown(Column.STATE) and not choice.is_sized(Column.STATE):
            wide, narrow = choice.usual_width(Column.STATE), choice.usual_width(Column.STATE, "")
            easy = rest - (wide - narrow) >= choice.usual_width(Column.TEXT, EASY_CHARACTERS * "n")
            self.columns.resizeSection(Column.STATE, wide if easy else narrow)
            rest -= wide - narrow if easy else 0
        self.columns.resizeSection(Column.TEXT, max(self._least_text, rest))
        self.heights.fit_all()

    @property
    def _least_text(self) -> int:
        return LEAST_CHARACTERS * self.fontMetrics().averageCharWidth() + 2 * PADDING

    def visualRect(self, index: Index) -> QRect:
        """Where a cell is seen: a frozen one does not scroll sideways."""
        rect = super().visualRect(index)
        if index.isValid() and index.column() in FROZEN:
            rect.moveLeft(self.columns.left_of(Column(index.column())))
        return rect

    def indexAt(self, pos: QPoint) -> QModelIndex:
        """The cell that is seen at a place."""
        scrolled = self.columns.offset() if pos.x() < self.columns.frozen_width else 0
        return super().indexAt(QPoint(pos.x() - scrolled, pos.y()))

    def scrollTo(self, index: Index, hint: QAbstractItemView.ScrollHint = ENSURE_VISIBLE) -> None:
        """Bring a cell into sight beside the frozen columns; where its text can be seen so, nothing is scrolled."""
        bar, columns = self.horizontalScrollBar(), self.columns
        before = bar.value()
        super().scrollTo(index, hint)
        if not index.isValid():
            return
        column = Column(index.column())
        if column in FROZEN:
            bar.setValue(before)
            return
        ends = columns.sectionPosition(column) + min(columns.sectionSize(column), self.choice.usual_width(Column.TEXT))
        if ends <= self.viewport().width() or (column is Column.TEXT and columns.visualIndex(column) <= column):
            bar.setValue(0)
        hidden = columns.frozen_width - columns.sectionViewportPosition(column)
        if hidden > 0:
            bar.setValue(bar.value() - hidden)

    def changeEvent(self, event: QEvent) -> None:
        """Another font."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self.painter.forget_font()
            self.heights.take_font()
            self.choice.apply()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows, or the message in place of them."""
        painter = QPainter(self.viewport())
        cells = self.painter.paint(painter, event.rect())
        if self.empty:
            cells.note(painter, self._room_of_note(), self.empty)
        painter.end()

    def _room_of_note(self) -> QRect:
        """Where the message in place of rows is: below the header, or higher if there is little room."""
        room = self.viewport().rect().adjusted(4 * UNIT, 0, -4 * UNIT, 0)
        needs = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, self.empty).height()
        return room.adjusted(0, max(0, min(4 * UNIT, (room.height() - needs) // 2)), 0, 0)

    def show_empty_message(self, sentence: str) -> None:
        """Show a sentence in place of rows; none if empty."""
        if sentence != self.empty:
            self.empty = sentence
            self.setAccessibleDescription(sentence)
            self.viewport().update()

    def event(self, event: QEvent) -> bool:
        """Escape is handled here while it shows all rows again."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._shows_all(event):
            event.accept()
            return True
        return super().event(event)

    def _shows_all(self, event: QKeyEvent) -> bool:
        return bool(self.empty) and event.key() == Qt.Key.Key_Escape

    def focusInEvent(self, event: QFocusEvent) -> None:
        """If no cell is current, the first text becomes so: Return then edits what one would expect.

        With a screen reader, which reads it, it is selected too.
        """
        if not self.currentIndex().isValid():
            first, flags = self._rows.index(0, Column.TEXT), QItemSelectionModel.SelectionFlag
            chosen = flags.ClearAndSelect | flags.Rows if QAccessible.isActive() else flags.NoUpdate
            self.selectionModel().setCurrentIndex(first, chosen)
        super().focusInEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """A screen reader asks what is in the row and column that the keys go to now."""
        if current.isValid():
            self._rows.read_column = Column(current.column())
        super().currentChanged(current, previous)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Ctrl+Home and Ctrl+End go to the first and the last line and stay in the column."""
        index = super().moveCursor(action, modifiers)
        ends = (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd)
        if action in ends and modifiers & Qt.KeyboardModifier.ControlModifier and self.currentIndex().isValid():
            return self._rows.index(index.row(), self.currentIndex().column())
        return index

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """A row that a key goes to is selected, with Ctrl too: what is read is what keys act on."""
        flags = QItemSelectionModel.SelectionFlag
        if isinstance(event, QKeyEvent) and event.modifiers() & CONTROL_SHIFT == Qt.KeyboardModifier.ControlModifier:
            return flags.ClearAndSelect | flags.Rows
        return super().selectionCommand(index, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The row that is pressed is one of the script as it is now."""
        self._context.session.current_plan.catch_up()
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return edits the cell, or goes to the line in the film where there is nothing to edit."""
        self._context.session.current_plan.catch_up()
        if self._shows_all(event):
            self.left_empty.emit()
        elif event.text().isprintable() and event.text().strip() and not event.modifiers() & COMMANDS:
            event.ignore()  # letters are for actions; the window says why one cannot be done
        elif event.key() in RETURN and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self._act_on(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are for actions; searching is done in the find box."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A cell without an editor leads to the line in the film."""
        self._context.session.current_plan.catch_up()
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and not index.flags() & Qt.ItemFlag.ItemIsEditable:
            self._act_on(index)
        else:
            super().mouseDoubleClickEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the selected lines."""
        self._context.session.current_plan.catch_up()
        menu = QMenu(self)
        for group in MENU:
            for name in group:
                menu.addAction(self._context.actions[name])
            menu.addSeparator()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        place = self.visualRect(self.currentIndex()).bottomLeft() if keyboard else event.pos()
        menu.popup(self.viewport().mapToGlobal(place))

    def _act_on(self, index: QModelIndex) -> None:
        identity = self._rows.identity(index)
        if identity is None:
            return
        if index.flags() & Qt.ItemFlag.ItemIsEditable:
            self._begin_editing(index)
        else:
            self.activated_row.emit(identity)
