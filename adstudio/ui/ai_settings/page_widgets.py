"""Small pieces that the pages about models are put together from."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QCompleter, QFrame, QLabel, QLineEdit, QListWidget, QSizePolicy, QVBoxLayout, QWidget

from adstudio.ui.widgets.dialog_form import note
from adstudio.ui.widgets.form import RETURN, Picker
from adstudio.ui.widgets.label import Label
from adstudio.ui.widgets.theme import UNIT

OF_ALL = "For all projects on this computer."
READ_ONLY = "This project is read-only: save it under another name to change anything here."
NONE_OPEN = "Open a project first."


def title(text: str) -> QLabel:
    """The heading of a page."""
    label = QLabel(text)
    font = label.font()
    font.setPointSizeF(font.pointSizeF() * 1.3)
    font.setBold(True)
    label.setFont(font)
    return label


class Wrapped(Label):
    """A text beside a form's labels, as wide as there is room and no higher than its lines: forms leave gaps."""

    def __init__(self, name: str, *, warns: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("warning" if warns else "quiet", "true")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        """Another text, and the height for it."""
        super().setText(text)
        self._fit()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(60 * UNIT, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        """It can be narrow."""
        return QSize(40 * UNIT, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks the lines elsewhere."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = QRect(0, 0, max(self.width(), 1), 10_000)
        lines = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, self.text()).height()
        if lines != self.height():
            self.setFixedHeight(lines)


class NameField(QLineEdit):
    """A field whose undo is the script's where nothing was typed in it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)

    def event(self, event: QEvent) -> bool:
        """Undo and redo that would do nothing here are everybody's."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo, redo = event.matches(QKeySequence.StandardKey.Undo), event.matches(QKeySequence.StandardKey.Redo)
            if (undo and not self.isUndoAvailable()) or (redo and not self.isRedoAvailable()):
                event.ignore()
                return False
        return super().event(event)


class TypedPick(Picker):
    """A text that is typed, or chosen from a list; Return takes it, and Alt+Down or the arrow opens the list."""

    def __init__(self, name: str, hint: str) -> None:
        super().__init__(name)
        self.setEditable(True)
        self.setInsertPolicy(Picker.InsertPolicy.NoInsert)
        self.setMaxVisibleItems(20)
        self.edit = NameField(name)
        # The frame around it is the list's.
        self.edit.setStyleSheet("QLineEdit { border: 0; padding: 0; min-height: 0; background: transparent; }")
        self.setLineEdit(self.edit)
        self.edit.setPlaceholderText(hint)
        # What is typed stays as it is typed; what would match is only shown.
        completer = self.completer()
        if completer is not None:
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return is the field's."""
        if event.key() in RETURN:
            self.edit.returnPressed.emit()
            self.edit.editingFinished.emit()
        else:
            super().keyPressEvent(event)


def column(*parts: QWidget, spacing: int = 2 * UNIT) -> QVBoxLayout:
    """Parts under one another."""
    built = QVBoxLayout()
    built.setContentsMargins(0, 0, 0, 0)
    built.setSpacing(spacing)
    for part in parts:
        built.addWidget(part)
    return built


def note_text(name: str, text: str) -> QLabel:
    """A quiet text that stays as it is."""
    label = note(name)
    label.setText(text)
    return label


def names_list(name: str) -> QListWidget:
    """A list of names beside what is said of the one in hand."""
    built = QListWidget()
    built.ensurePolished()  # or rows are measured before they are dressed
    built.setAccessibleName(name)
    built.setFrameShape(QFrame.Shape.StyledPanel)
    built.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
    built.setFixedWidth(44 * UNIT)
    built.setMinimumHeight(20 * UNIT)
    built.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    built.setTextElideMode(Qt.TextElideMode.ElideRight)
    return built


def sentence(text: str) -> str:
    """A fault's own words as a sentence of its own; the name of a machine or file stays as it is written."""
    text = text.strip().rstrip(".")
    if text.split(" ")[0].replace("’", "").isalpha():
        text = f"{text[:1].upper()}{text[1:]}"
    return f"{text}." if text else ""
