"""Small helps for words on the panel: how they look by what they mean."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from adstudio.ui.widgets.label import Label
from adstudio.ui.widgets.theme import time_font


def tone(widget: QWidget, *, quiet: bool = False, warning: bool = False, good: bool = False) -> None:
    """Give words their colour by what they mean (the style sheet knows these three)."""
    wanted = {"quiet": quiet, "warning": warning, "good": good}
    if any(bool(widget.property(name)) != on for name, on in wanted.items()):
        for name, on in wanted.items():
            widget.setProperty(name, on)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


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
