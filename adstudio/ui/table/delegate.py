"""How the cells of the script table are edited."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from adstudio.editing.fit import fit_of
from adstudio.editing.lines import set_salience
from adstudio.editing.pins import pin_variant, set_note
from adstudio.editing.wordings import rewrite
from adstudio.ui.session.context import Context
from adstudio.ui.table.cell_content import LINE_ROLE
from adstudio.ui.table.cell_editors import CellPick, CellText, fit_words
from adstudio.ui.table.cell_painting import width_of
from adstudio.ui.table.line_facts import PLACEMENTS, Line, placement
from adstudio.ui.table.row_order import Column
from adstudio.ui.widgets.formatting import duration, quoted
from adstudio.ui.widgets.text_field import TextField
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.value_field import ValueField, salience_field

Index = QModelIndex | QPersistentModelIndex

ROW_HEIGHT = 7 * UNIT
COLUMNS = tuple(Column)


class ScriptDelegate(QStyledItemDelegate):
    """Each edit is one step, taken when the editor is left."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as its text and sign; all rows are equally high."""
        line = index.data(LINE_ROLE)
        wide = width_of(option.font, line, COLUMNS[index.column()]) if isinstance(line, Line) else 0
        return QSize(wide, ROW_HEIGHT)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """What edits a cell; its name is the column's and the line's."""
        del option
        line, column = index.data(LINE_ROLE), Column(index.column())
        makers = {
            Column.TEXT: self._text_editor,
            Column.NOTE: self._note_editor,
            Column.SALIENCE: self._salience_editor,
            Column.WORDING: self._wording_editor,
            Column.PIN: self._pin_editor,
        }
        return makers[column](parent, line, f"{column.title} of {quoted(line.text)}")

    def _note_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        field = CellText(name, parent)
        field.show_other(line.eventuality.note)
        self._ends_with_return(field)
        return field

    def _salience_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        number = salience_field(name)
        number.setParent(parent)
        number.show_other(line.eventuality.salience)
        number.refused.connect(self._context.session.messages.say)
        return number

    def _wording_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        held = line.pin.variant
        return self._choice(parent, name, self._wordings(line), 0 if held is None else held + 1)

    def _pin_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        return self._choice(parent, name, [each.word for each in PLACEMENTS], placement(line.pin))

    def _text_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        session, identity, variant = self._context.session, line.eventuality.id, line.variant
        field = CellText(name, parent, variant)

        def tell(text: str) -> None:
            if identity in session.script.eventuality_index:
                fit = fit_of(session.script, session.gaps, session.plan, identity, text)
                field.tell(fit_words(fit), good=fit.fits)

        field.typed.connect(tell)
        field.show_other(line.text)
        fit = fit_of(session.script, session.gaps, session.plan, identity, variant)
        field.tell(fit_words(fit), good=fit.fits)
        self._ends_with_return(field)
        return field

    def end(self, editor: QWidget) -> None:
        """Take what an editor holds and close it."""
        self.commitData.emit(editor)
        self.closeEditor.emit(editor)

    def _ends_with_return(self, field: TextField) -> None:
        field.moveCursor(QTextCursor.MoveOperation.End)
        field.returned.connect(lambda: self.end(field))

    def _wordings(self, line: Line) -> list[str]:
        script = self._context.session.script
        lengths = [duration(script.duration(variant)) for variant in line.eventuality.variants]
        return ["The planner chooses"] + [
            f"{place + 1} · {round(variant.rate * 100)} % · {length} · {quoted(variant.text)}"
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
        if isinstance(editor, CellText):
            text = editor.toPlainText()
            if editor.variant is None:
                attempt(lambda script: set_note(script, identity, text))
            else:
                variant = editor.variant
                attempt(lambda script: rewrite(script, identity, variant, text))
        elif isinstance(editor, ValueField):
            editor.flush()
            value = editor.value
            if value is not None:
                attempt(lambda script: set_salience(script, (identity,), value))
        elif isinstance(editor, QComboBox) and column is Column.WORDING:
            place = editor.currentIndex() - 1
            attempt(lambda script: pin_variant(script, identity, place if place >= 0 else None))
        elif isinstance(editor, QComboBox):
            lock = PLACEMENTS[editor.currentIndex()].edit
            attempt(lambda script: lock(script, (identity,)))
