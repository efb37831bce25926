"""Labels: plain text, its tone by what it means, and sentences that appear only while there is something to say."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QFont, QResizeEvent, Qt, QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QLabel, QSizePolicy, QWidget

from adstudio.ui.widgets.theme import UNIT, time_font

MNEMONIC = re.compile("&(.)", re.DOTALL)


def unmarked(text: str) -> str:
    """A caption as it is seen and read aloud: without its mnemonic mark; a doubled one stands for itself."""
    return MNEMONIC.sub(r"\1", text)


class Label(QLabel):
    """A label that may be given a topic, as its accessible name: that is then read before what the label shows.

    Screen readers read a label's name and not its description, so the name holds both. The description is what it
    shows alone, and Qt reports every new one.
    """

    topic = ""

    def setText(self, text: str) -> None:
        """Set the text."""
        super().setText(text)
        self._describe()

    def clear(self) -> None:
        """No text."""
        super().clear()
        self._describe()

    def setAccessibleName(self, name: str) -> None:
        """What the text is about."""
        self.topic = name
        self._describe()

    def setAccessibleDescription(self, description: str) -> None:
        """All of what the text says, where it is cut or shown by a sign."""
        super().setAccessibleDescription(description)
        self._name(description)

    def _describe(self) -> None:
        if not self.topic:
            return
        text, form = self.text(), self.textFormat()
        if form is Qt.TextFormat.RichText or (form is Qt.TextFormat.AutoText and Qt.mightBeRichText(text)):
            text = QTextDocumentFragment.fromHtml(text).toPlainText()
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
        else:
            self._name(text)

    def _name(self, text: str) -> None:
        if self.topic:
            super().setAccessibleName(f"{self.topic}: {text}" if text else "")


class TabStopLabel(Label):
    """A text that the Tab key stops at, so that a screen reader reads it there; it wraps."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)


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
        """Set the text, and the height for it."""
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


def words(text: str = "", *, quiet: bool = False, figures: bool = False, wrap: bool = False) -> QLabel:
    """A label of plain text: what is in a film's script is never taken for markup."""
    label = Label(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    if figures:
        label.setFont(time_font())
    if quiet:
        tone(label, quiet=True)
    return label


def tone(widget: QWidget, *, quiet: bool = False, warning: bool = False, good: bool = False) -> None:
    """Give words their colour by what they mean (the style sheet knows these three)."""
    wanted = {"quiet": quiet, "warning": warning, "good": good}
    if any(bool(widget.property(name)) != on for name, on in wanted.items()):
        for name, on in wanted.items():
            widget.setProperty(name, on)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class Heading(Label):
    """A bold text, so many times as large as others, whatever size those have."""

    def __init__(self, text: str, scale: float) -> None:
        super().__init__(text)
        self._scale = scale
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of text, with which the program is styled anew."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit()

    def _fit(self) -> None:
        font = QFont()
        if self._scale != 1:
            font.setPointSizeF(QApplication.font().pointSizeF() * self._scale)
        font.setBold(True)
        if font != self.font():
            self.setFont(font)


def heading(text: str, scale: float = 1) -> QLabel:
    """What a section is about."""
    return Heading(text, scale)


def title(text: str) -> QLabel:
    """The heading of a page."""
    return heading(text, 1.3)


def note(name: str) -> QLabel:
    """A quiet line of text; `name` is what a screen reader calls it."""
    return note_text(name, "")


def note_text(name: str, text: str) -> QLabel:
    """A quiet text that stays as it is."""
    label = words(text, quiet=True, wrap=True)
    label.setAccessibleName(name)
    return label


def warning(name: str) -> QLabel:
    """A line of text that says what is wrong; it is not there while nothing is."""
    label = words(wrap=True)
    tone(label, warning=True)
    label.setAccessibleName(name)
    label.hide()
    return label


def say_in(label: QLabel, text: str) -> None:
    """Put a sentence into a line of text, which is there only while it says something."""
    if label.text() != text:
        label.setText(text)
    label.setVisible(bool(text))


def sentence(text: str) -> str:
    """A fault's own words as a sentence of its own; the name of a machine or file stays as it is written."""
    text = text.strip().rstrip(".")
    if text.split(" ")[0].replace("’", "").isalpha():
        text = f"{text[:1].upper()}{text[1:]}"
    return f"{text}." if text else ""
