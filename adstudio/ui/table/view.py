"""The table itself: keys for a describer, rows that stay where they are while the plan changes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from adstudio.ui.session.context import Context
from adstudio.ui.table.cell_painting import CellPainter
from adstudio.ui.table.delegate import ROW_HEIGHT, CellPick, CellText, Index, ScriptDelegate
from adstudio.ui.table.model import ScriptModel
from adstudio.ui.table.row_order import Column
from adstudio.ui.widgets.controls import RETURN
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


LEAST_TEXT = 30 * UNIT
ENSURE_VISIBLE = QAbstractItemView.ScrollHint.EnsureVisible
DESCRIPTION = "Every line of the script: Return edits a cell, the arrow keys move"
COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class ScriptView(QTableView):
    """Rows of one height, whole rows selected, Return edits the cell."""

    activated_row = Signal(str)
    """The line is to be gone to in the film."""
    left_empty = Signal()
    """Escape where no row is shown."""

    def __init__(self, context: Context, model: ScriptModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._rows = model
        self._painter: CellPainter | None = None
        self.empty = ""
        self.setAccessibleName("Script")
        self.setAccessibleDescription(DESCRIPTION)
        self.setModel(model)
        self._delegate = ScriptDelegate(context, self)
        self.setItemDelegate(self._delegate)
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
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(ROW_HEIGHT)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        columns = self.horizontalHeader()
        columns.setHighlightSections(False)
        columns.setSectionsMovable(True)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        columns.setMinimumSectionSize(10 * UNIT)
        columns.setAccessibleName("Columns of the script")
        for column in Column:
            columns.resizeSection(column, column.width)

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
        self.edit(index)
        return True

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

    def show_confidence_column(self, doubts: bool, *, anew: bool = False) -> None:
        """Show the confidence column once any time is uncertain; hide it if none is in a script opened `anew`."""
        hidden = not doubts and (anew or self.isColumnHidden(Column.SURE))
        if hidden != self.isColumnHidden(Column.SURE):
            self.setColumnHidden(Column.SURE, hidden)
            self._fit_text()

    def _fit_text(self) -> None:
        columns, room = self.horizontalHeader(), self.viewport().width()
        others = sum(columns.sectionSize(column) for column in Column if column is not Column.TEXT)
        # Where there is no room for all columns, time, state and text are still in sight together.
        beside_time = room - columns.sectionSize(Column.TIME) - columns.sectionSize(Column.STATE)
        least = max(LEAST_TEXT, min(Column.TEXT.width, beside_time))
        columns.resizeSection(Column.TEXT, max(least, room - others))

    def scrollTo(self, index: Index, hint: QAbstractItemView.ScrollHint = ENSURE_VISIBLE) -> None:
        """Bring a cell into sight; where its text can be seen without it, the columns are not scrolled: Time stays."""
        super().scrollTo(index, hint)
        columns, column = self.horizontalHeader(), index.column()
        ends = columns.sectionPosition(column) + min(columns.sectionSize(column), Column.TEXT.width)
        if ends <= self.viewport().width() or (column == Column.TEXT and columns.visualIndex(column) <= column):
            self.horizontalScrollBar().setValue(0)

    def changeEvent(self, event: QEvent) -> None:
        """Another font."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._painter = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """The visible rows, all at once: cell by cell through the delegate takes five times as long."""
        tokens = self._context.theme.tokens
        if self._painter is None or self._painter.tokens is not tokens:
            self._painter = CellPainter(tokens, self.font())
        cells, exposed = self._painter, event.rect()
        painter = QPainter(self.viewport())
        cells.ground(painter, exposed, chosen=False)
        header = self.horizontalHeader()
        cells_of_row = [
            (column, QRect(header.sectionViewportPosition(column), 0, header.sectionSize(column), ROW_HEIGHT))
            for column in Column
            if not header.isSectionHidden(column)
        ]
        columns = [
            each for each in cells_of_row if each[1].left() <= exposed.right() and each[1].right() >= exposed.left()
        ]
        selection = self.selectionModel().selection()
        chosen = [(selection.at(each).top(), selection.at(each).bottom()) for each in range(selection.count())]
        ids, news = self._rows.ids, self._rows.news
        first, last = self.rowAt(exposed.top()), self.rowAt(exposed.bottom())
        for row in range(max(first, 0), len(ids) if last < 0 else last + 1):
            top = self.rowViewportPosition(row)
            if any(begin <= row <= end for begin, end in chosen):
                cells.ground(painter, QRect(exposed.left(), top, exposed.width(), ROW_HEIGHT), chosen=True)
            line = self._rows.line(ids[row])
            for column, rect in columns:
                cells.cell(painter, rect.translated(0, top), line, column)
                if column is Column.TIME and ids[row] in news:
                    cells.news(painter, rect.translated(0, top), news[ids[row]])
        current = self.currentIndex()
        if current.isValid() and self.hasFocus():
            cells.frame(painter, self.visualRect(current))
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
            self.setAccessibleDescription(sentence or DESCRIPTION)
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
        """If no cell is current, the first text becomes so: Return then edits what one would expect."""
        if not self.currentIndex().isValid():
            first = self._rows.index(0, Column.TEXT)
            self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
        super().focusInEvent(event)

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
            self.edit(index)
        else:
            self.activated_row.emit(identity)
