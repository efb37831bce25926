"""The editors in the cells of the script table, and what they change."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QComboBox, QLabel, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from adstudio.core.counts import percent
from adstudio.editing.fit import Fit
from adstudio.editing.lines import set_salience
from adstudio.editing.pins import pin_variant, set_note
from adstudio.editing.wordings import rewrite, rewrite_spoken
from adstudio.ui.session.context import Context
from adstudio.ui.session.cursor import TextPlace
from adstudio.ui.session.typed_fit import displaced_words, typed_fit
from adstudio.ui.table.cell_content import LINE_ROLE
from adstudio.ui.table.cell_painting import width_of
from adstudio.ui.table.line_facts import PLACEMENTS, Line, placement
from adstudio.ui.table.row_order import Column
from adstudio.ui.widgets.controls import RETURN, Picker
from adstudio.ui.widgets.formatting import counted, duration, free, lacking, quoted_line
from adstudio.ui.widgets.text import tone, words
from adstudio.ui.widgets.text_field import TextField
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.value_field import ValueField, salience_field

FOOT = 5 * UNIT
"""The least height of the line of figures under a text."""
LEAST_WIDTH = 90 * UNIT

Index = QModelIndex | QPersistentModelIndex

COLUMNS = tuple(Column)


def spare_words(fit: Fit) -> str:
    """The room that a wording leaves, or lacks; nothing of one without words, which lacks none."""
    if not fit.words:
        return ""
    if fit.room <= 0:
        return "no room"
    if fit.too_long:
        return f"{lacking(fit.too_long)} too long"
    if not fit.fits:
        return "too short for its locked time"
    return f"{free(fit.spare)} to spare{' in another gap' if fit.elsewhere else ''}"


class CellText(TextField):
    """Edits a wording (`variant` says which) or, without one, a note.

    Return takes it, and the table goes to the next line; Escape cancels.
    """

    def __init__(self, name: str, parent: QWidget, variant: int | None = None) -> None:
        self.variant = variant
        self._foot: QLabel | None = None
        super().__init__(name, parent, least_lines=2, rests=False)
        self.setAutoFillBackground(True)
        if variant is not None:
            self._foot = words(figures=True, quiet=True, wrap=True)
            self._foot.setParent(self)
            self._fit_foot()

    def show_fit(self, fit: Fit, displaced: str = "", *, clashes: bool = False) -> None:
        """Show words, length and room under the text, and what becomes of other lines."""
        if self._foot is not None:
            parts = (counted(fit.words, "word"), duration(fit.duration), "" if clashes else spare_words(fit), displaced)
            sentence = " · ".join(filter(None, parts))
            self._foot.setText(sentence)
            self.setAccessibleDescription(sentence)
            fits = fit.fits and not clashes
            tone(self._foot, warning=not fits, quiet=fits)
            self._fit_foot()

    def _fit_foot(self) -> None:
        """Make the line of figures as high as its words need, at the bottom."""
        if self._foot is None:
            return
        wide = self.width() - 4 * UNIT
        high = max(FOOT, self._foot.heightForWidth(wide) + UNIT)
        if high != self.extra:
            self.extra = high
            self.setViewportMargins(0, 0, 0, high)
            self._fit_height()
        self._foot.setGeometry(2 * UNIT, self.height() - high - 2, wide, high)

    def take_place(self, cell: QRect) -> None:
        """Cover a cell, as high as the text needs, inside the table as far as there is room."""
        view, width = self.parentWidget(), max(LEAST_WIDTH, cell.width())
        bottom = cell.top() if view is None else view.height() - self.minimumHeight()
        top = max(0, min(cell.top(), bottom))
        self.setGeometry(cell.left(), top, width, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words and length stay at the bottom."""
        super().resizeEvent(event)
        self._fit_foot()


class CellPick(Picker):
    """Chooses in a cell: a click in the opened list is taken at once, the arrow keys wait for Return."""

    chosen = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self._opened = False
        self.activated.connect(self._activated)

    def showPopup(self) -> None:
        """The list is open: the next choice is made in it."""
        self._opened = True
        super().showPopup()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys only go through the list; the table takes Return."""
        self._opened = False
        if event.key() not in RETURN:
            QComboBox.keyPressEvent(self, event)

    def _activated(self) -> None:
        if self._opened:
            self._opened = False
            self.chosen.emit()


class ScriptDelegate(QStyledItemDelegate):
    """Each edit is one step, taken when the editor is left."""

    returned = Signal(QWidget)
    """Return was pressed in the editor of a text."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as its text and sign; the view makes rows as high as their texts are."""
        line = index.data(LINE_ROLE)
        wide = width_of(option.font, line, COLUMNS[index.column()]) if isinstance(line, Line) else 0
        return QSize(wide, QFontMetrics(option.font).lineSpacing() + 3 * UNIT)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """What edits a cell; its name is the column's and the line's."""
        del option
        line, column = index.data(LINE_ROLE), Column(index.column())
        name = f"{column.title} of {quoted_line(line.text)}"
        match column:
            case Column.TEXT:
                return self._text_editor(parent, line, name)
            case Column.NOTE:
                return self._begun(CellText(name, parent), line.eventuality.note)
            case Column.SALIENCE:
                return self._salience_editor(parent, line, name)
            case Column.WORDING:
                locked = line.pin.variant
                return self._choice(parent, name, self._wordings(line), 0 if locked is None else locked + 1)
            case _:
                return self._choice(parent, name, [each.word for each in PLACEMENTS], placement(line.pin))

    def _salience_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        number = salience_field(name)
        number.setParent(parent)
        number.show_other(line.eventuality.salience)
        number.refused.connect(self._context.session.messages.say)
        return number

    def _text_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        session, identity, variant = self._context.session, line.eventuality.id, line.variant
        field = CellText(name, parent, variant)

        def show_fit(text: str) -> None:
            if identity in session.script.eventuality_index:
                found = typed_fit(session, identity, variant, text)
                field.show_fit(found.fit, displaced_words(session, found), clashes=found.clashes)

        def show_cursor(offset: int) -> None:
            session.cursor.text_place = TextPlace(identity, variant, offset)

        field.typed.connect(show_fit)
        field.cursor_moved.connect(show_cursor)
        self._begun(field, line.text)
        show_fit(line.text)
        return field

    def end(self, editor: QWidget) -> None:
        """Take what an editor holds and close it."""
        self.commitData.emit(editor)
        self.closeEditor.emit(editor)

    def _begun(self, field: CellText, text: str) -> CellText:
        field.show_other(text)
        field.moveCursor(QTextCursor.MoveOperation.End)
        field.returned.connect(lambda: self.returned.emit(field))
        field.check_spelling(self._context.spelling)
        return field

    def _wordings(self, line: Line) -> list[str]:
        script = self._context.session.script
        voice = line.eventuality.voice
        lengths = [duration(script.duration(variant, voice)) for variant in line.eventuality.variants]
        return ["The planner chooses"] + [
            f"{place + 1} · {percent(variant.rate)} · {length} · {quoted_line(variant.text)}"
            for place, (variant, length) in enumerate(zip(line.eventuality.variants, lengths, strict=True))
        ]

    def _choice(self, parent: QWidget, name: str, words: list[str], current: int) -> QComboBox:
        box = CellPick(name, parent)
        box.addItems(words)
        box.setCurrentIndex(current)
        box.chosen.connect(lambda: self.end(box))
        return box

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Nothing: the editor was filled when it was made, and a later change must not overwrite what is typed."""
        del editor, index

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Over its cell; a text grows down over the rows below, a choice is as wide as its words."""
        del index
        rect = QRect(option.rect)
        if isinstance(editor, CellText):
            editor.take_place(rect)
        elif isinstance(editor, QComboBox):
            editor.setGeometry(rect.x(), rect.y(), max(rect.width(), editor.sizeHint().width()), rect.height())
        else:
            editor.setGeometry(rect)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Take the edit as one step."""
        del model
        line, column, attempt = index.data(LINE_ROLE), Column(index.column()), self._context.session.edits.attempt
        if not isinstance(line, Line):
            return
        identity = line.eventuality.id
        match editor:
            case CellText(variant=None):
                attempt(lambda script: set_note(script, identity, editor.toPlainText()))
            case CellText(variant=int(variant)):
                plan, text = self._context.session.plan, editor.toPlainText()
                if line.fused is None:
                    attempt(lambda script: rewrite(script, identity, variant, text))
                elif text != line.text:
                    attempt(lambda script: rewrite_spoken(script, plan, identity, text))
            case ValueField():
                editor.flush()
                if (value := editor.value) is not None:
                    attempt(lambda script: set_salience(script, (identity,), value))
            case QComboBox() if column is Column.WORDING:
                place = editor.currentIndex() - 1
                attempt(lambda script: pin_variant(script, identity, place if place >= 0 else None))
            case QComboBox():
                lock = PLACEMENTS[editor.currentIndex()].edit
                attempt(lambda script: lock(script, (identity,)))
