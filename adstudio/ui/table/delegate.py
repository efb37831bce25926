"""How the cells of the script table are painted and edited."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QTextCursor
from PySide6.QtWidgets import QComboBox, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from adstudio.editing.fit import fit_of
from adstudio.editing.holds import free, keep_in, keep_out, pin_variant, set_note
from adstudio.editing.lines import set_salience
from adstudio.editing.wordings import rewrite
from adstudio.ui.desk import Desk
from adstudio.ui.inspector.fields import TextField
from adstudio.ui.inspector.values import ValueField, salience_field
from adstudio.ui.table.cells import LINE_ROLE, NEWS_ROLE, is_right_to_left
from adstudio.ui.table.editors import CellPick, CellText, fit_words
from adstudio.ui.table.lines import Line, State
from adstudio.ui.table.marks import NEWS_WIDTH, STATE_WIDTH, draw_news, draw_state
from adstudio.ui.table.order import TITLES, Column
from adstudio.ui.theme import UNIT, Tokens, time_font
from adstudio.ui.words import duration, quoted

Index = QModelIndex | QPersistentModelIndex

ROW_HEIGHT = 7 * UNIT
PADDING = 2 * UNIT
MARGIN = 5
"""What is added to the style's own margin of 3 pixels."""
NEWS_BAR = 3
_FIGURES = frozenset({Column.TIME, Column.WORDING, Column.SECONDS, Column.ROOM, Column.SALIENCE})
_QUIET = frozenset({Column.WORDING, Column.ORIGIN, Column.SEEN, Column.NOTE})
_PINS = (("Free", free), ("In", keep_in), ("Out", keep_out))


class ScriptDelegate(QStyledItemDelegate):
    """Paints and edits; each edit is one step, taken when the editor is left."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk = desk
        self._figures = time_font()

    # Painting

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as its text and sign; all rows are equally high."""
        size = super().sizeHint(option, index)
        return QSize(size.width() + self._inset(Column(index.column())) + 2 * MARGIN, ROW_HEIGHT)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Figures of one width; what is left out quieter; text in its own direction."""
        super().initStyleOption(option, index)
        line, column = index.data(LINE_ROLE), Column(index.column())
        if not isinstance(line, Line):
            return
        if column in _FIGURES:
            option.font = self._figures
        tokens = self._desk.theme.tokens
        colour = _ink(line, column, tokens)
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
            option.palette.setColor(role, QColor(colour))
        if column in {Column.TEXT, Column.NOTE} and is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The cell, its sign before the text, and a frame about the cell that the keys go to."""
        tokens, column = self._desk.theme.tokens, Column(index.column())
        cell = QStyleOptionViewItem(option)
        rect = QRect(option.rect)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        cell.state &= ~QStyle.StateFlag.State_HasFocus
        chosen = bool(cell.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, QColor(tokens.accent_wash if chosen else tokens.panel))
        cell.rect = rect.adjusted(self._inset(column) + MARGIN, 0, -MARGIN, 0)
        super().paint(painter, cell, index)
        line, news = index.data(LINE_ROLE), index.data(NEWS_ROLE)
        middle = rect.top() + rect.height() / 2
        if column is Column.STATE and isinstance(line, Line):
            draw_state(painter, line, tokens, rect.left() + PADDING, middle)
        elif column is Column.TIME and news is not None:
            painter.fillRect(QRect(rect.left(), rect.top(), NEWS_BAR, rect.height()), QColor(tokens.accent))
            draw_news(painter, news, tokens, rect.left() + NEWS_BAR + UNIT, middle)
        if focused:
            painter.setPen(QColor(tokens.accent))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    @staticmethod
    def _inset(column: Column) -> int:
        return {Column.STATE: STATE_WIDTH + UNIT, Column.TIME: NEWS_BAR + UNIT + NEWS_WIDTH}.get(column, 0)

    # Editing

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
        return makers[column](parent, line, f"{TITLES[column]} of {quoted(line.text)}")

    def _note_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        field = CellText(name, parent)
        field.show_other(line.eventuality.note)
        self._ends_with_return(field)
        return field

    def _salience_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        number = salience_field(name)
        number.setParent(parent)
        number.show_other(line.eventuality.salience)
        number.refused.connect(self._desk.session.say)
        return number

    def _wording_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        held = line.pin.variant
        return self._choice(parent, name, self._wordings(line), 0 if held is None else held + 1)

    def _pin_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        held = 2 if line.pin.selected is False else 1 if line.pin.selected or line.pin.start is not None else 0
        return self._choice(parent, name, [word for word, _ in _PINS], held)

    def _text_editor(self, parent: QWidget, line: Line, name: str) -> QWidget:
        session, identity, variant = self._desk.session, line.eventuality.id, line.variant
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
        script = self._desk.session.script
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
        line, column, attempt = index.data(LINE_ROLE), Column(index.column()), self._desk.session.attempt
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
            hold = _PINS[editor.currentIndex()][1]
            attempt(lambda script: hold(script, (identity,)))


def _ink(line: Line, column: Column, tokens: Tokens) -> str:
    if line.state is State.CONFLICT and column is Column.STATE:
        return tokens.warning
    if column is Column.ROOM and line.room is not None and line.room < 0:
        return tokens.warning
    return tokens.quiet if not line.spoken or column in _QUIET else tokens.text
