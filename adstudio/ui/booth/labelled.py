"""A label and its control as one item of a row, as high as the buttons beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from adstudio.ui.widgets.text import words
from adstudio.ui.widgets.theme import UNIT


class Labelled(QWidget):
    """`beside` is a button of the same row."""

    def __init__(self, label: str, *controls: QWidget, beside: QWidget) -> None:
        super().__init__()
        self._beside = beside
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        if label:
            layout.addWidget(words(label, quiet=True))
        for control in controls:
            layout.addWidget(control)
        self._fit()

    def _fit(self) -> None:
        self.setMinimumHeight(self._beside.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Text of another size has higher buttons."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()
