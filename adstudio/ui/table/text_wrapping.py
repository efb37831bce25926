"""Breaking texts into lines, for thousands of rows at once: Qt's own layout takes ten times as long.

Qt breaks where it may between words; so does this, with the widths of the words remembered. What has a word wider than
a line is left to Qt.
"""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QTextLayout, QTextOption

from adstudio.ui.widgets.theme import UNIT

MOST_LINES = 12
"""A row is no higher than this many lines; the last one is elided."""
MOST_CACHED = 20_000


class TextWrapper:
    """Breaks texts in one font. Widths and heights are in device-independent pixels."""

    def __init__(self, font: QFont) -> None:
        self._font = QFont(font)
        self._metrics = QFontMetricsF(font)
        self._whole = QFontMetrics(font)
        self._widths: dict[str, float] = {}
        self._space = self._metrics.horizontalAdvance(" ")
        self._broken: dict[tuple[str, int], tuple[str, ...]] = {}
        self.spacing = math.ceil(self._metrics.lineSpacing())
        """From one line of a text to the next."""
        self.row = max(7 * UNIT, self.spacing + 3 * UNIT)
        """The height of a row of one line."""

    def height(self, lines: int) -> int:
        """The height of a row of so many lines."""
        return self.row + (max(1, lines) - 1) * self.spacing

    def lines(self, text: str, width: int) -> tuple[str, ...]:
        """The lines of a text without line breaks."""
        found = self._broken.get((text, width))
        if found is None:
            if len(self._broken) >= MOST_CACHED:
                self._broken.clear()
            found = self._broken[text, width] = self._elided(self._break(text, width), width)
        return found

    def _break(self, text: str, width: int) -> list[str]:
        found: list[str] = []
        begin = at = 0
        used = 0.0
        for word in text.split(" "):
            wide = self._width(word)
            if wide > width:
                return self._break_anywhere(text, width)
            if used and used + self._space + wide > width:
                found.append(text[begin : at - 1])
                begin, used = at, wide
            else:
                used += wide + (self._space if used else 0.0)
            at += len(word) + 1
        return [*found, text[begin:]]

    def _width(self, word: str) -> float:
        width = self._widths.get(word)
        if width is None:
            if len(self._widths) >= MOST_CACHED:
                self._widths.clear()
            width = self._widths[word] = self._metrics.horizontalAdvance(word)
        return width

    def _break_anywhere(self, text: str, width: int) -> list[str]:
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout = QTextLayout(text, self._font)
        layout.setTextOption(option)
        units = text.encode("utf-16-le")  # Qt counts UTF-16 code units
        found: list[str] = []
        layout.beginLayout()
        while len(found) <= MOST_LINES and (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, width))
            begin, end = 2 * line.textStart(), 2 * (line.textStart() + line.textLength())
            found.append(units[begin:end].decode("utf-16-le", "replace").strip())
        layout.endLayout()
        return found or [text]

    def _elided(self, lines: list[str], width: int) -> tuple[str, ...]:
        if len(lines) <= MOST_LINES:
            return tuple(lines)
        last = self._whole.elidedText(" ".join(lines[MOST_LINES - 1 :]), Qt.TextElideMode.ElideRight, width)
        return (*lines[: MOST_LINES - 1], last)
