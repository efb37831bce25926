"""The width of a field, after the longest text that is usual in it, whatever the size of text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from adstudio.ui.widgets.theme import UNIT

TIME_SAMPLE = "00:00:00:00"


class FittedWidth(QObject):
    """Keeps a widget as wide as a text in its font, and some room around that."""

    def __init__(self, widget: QWidget, sample: str, around: int = 5 * UNIT) -> None:
        super().__init__(widget)
        self._widget, self._sample, self._around = widget, sample, around
        widget.installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Text has another size."""
        if event.type() == QEvent.Type.FontChange:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        self._widget.setFixedWidth(self._widget.fontMetrics().horizontalAdvance(self._sample) + self._around)
