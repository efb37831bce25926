"""Short texts made ready for painting, cut to the room they have: a text is measured once, whatever the zoom."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from typing import cast
from unicodedata import bidirectional

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QStaticText, QTextLayout, QTextOption

LEAST_LABEL = 22
"""A label of fewer pixels is useless and left out."""
CACHED_TEXTS = 8000
CACHED_LABELS = 6000
"""For each font; the oldest go first."""
LONGEST = 400
"""Characters of a text that are looked at."""
ELLIPSIS = "…"
PLAIN = re.compile(
    "[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2015\u2018-\u2027\u2030-\u205e"
    "\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3]*"
)
"""Characters that follow each other from the left and do not combine: Latin, Greek,
Cyrillic, Han, kana, Hangul. Texts of them can be cut anywhere by their letters' places."""


class _Text:
    """A text that has been measured: its width, where each of its letters ends, and the labels made of it."""

    __slots__ = ("ends", "labels", "shown", "width")

    def __init__(self, shown: str, width: float) -> None:
        self.shown = shown
        self.width = width
        self.ends: array[float] | None = None
        self.labels: dict[int, tuple[QStaticText, float]] = {}


class LabelLayout:
    """Short texts made ready for painting, elided to a width; one for each font.

    Cutting a text by Qt means that it is laid out three times for each width, and while somebody zooms every width is
    another. So the places of its letters are kept, and a width is looked up in them.
    """

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.laid_out = 0
        """Labels laid out so far: for tests, that painting again lays out nothing."""
        self.measured = 0
        """Texts measured letter by letter so far."""
        self._metrics = QFontMetricsF(font)
        self.height = self._metrics.height()
        self._ellipsis = self._metrics.horizontalAdvance(ELLIPSIS)
        self._option = QTextOption()
        self._option.setWrapMode(QTextOption.WrapMode.NoWrap)
        self._texts: dict[str, _Text] = {}
        self._order: deque[tuple[_Text, int]] = deque()

    def width(self, text: str) -> float:
        """How wide a text is when it is not cut."""
        return self._text(text).width

    def draw(self, painter: QPainter, text: str, left: float, right: float, middle: float, colour: QColor) -> float:
        """Write a text between two edges, centred on a height; right-to-left texts begin on the right.

        Gives the pixels it took, 0 where there was no room.
        """
        room = int(right - left)
        if room < max(LEAST_LABEL, 1.5 * self.height) or not text:
            return 0
        painter.setPen(colour)
        painter.setFont(self.font)
        label, width = self._prepared(text, room)
        x = right - width if right_to_left(text) else left
        painter.drawStaticText(QPointF(x, round(middle - self.height / 2)), label)
        return width

    def _text(self, text: str) -> _Text:
        found = self._texts.get(text)
        if found is None:
            shown = text[:LONGEST]
            found = self._texts[text] = _Text(shown, self._metrics.horizontalAdvance(shown))
            if len(self._texts) > CACHED_TEXTS:
                del self._texts[next(iter(self._texts))]
        return found

    def _prepared(self, text: str, room: int) -> tuple[QStaticText, float]:
        found = self._text(text)
        if found.width <= room:
            return found.labels.get(-1) or self._label(found, -1, found.shown, found.width)
        if found.ends is None:
            found.ends = self._ends(found.shown)
        if not found.ends:
            # cut by Qt, for each width anew
            return found.labels.get(room) or self._label_by_qt(found, room)
        # as Qt does it: letters for as long as they leave room for the dots
        count = bisect_left(found.ends, room - self._ellipsis)
        label = found.labels.get(count)
        if label is None:
            width = (found.ends[count - 1] if count else 0.0) + self._ellipsis
            label = self._label(found, count, found.shown[:count] + ELLIPSIS, width)
        return label

    def _label_by_qt(self, found: _Text, room: int) -> tuple[QStaticText, float]:
        shown = self._metrics.elidedText(found.shown, Qt.TextElideMode.ElideRight, room)
        return self._label(found, room, shown, self._metrics.horizontalAdvance(shown))

    def _label(self, found: _Text, key: int, shown: str, width: float) -> tuple[QStaticText, float]:
        label = QStaticText(shown)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setPerformanceHint(QStaticText.PerformanceHint.ModerateCaching)
        label.prepare(font=self.font)
        found.labels[key] = entry = label, width
        self.laid_out += 1
        self._order.append((found, key))
        if len(self._order) > CACHED_LABELS:
            # one at a time: many at once would be noticed
            oldest, key = self._order.popleft()
            del oldest.labels[key]
        return entry

    def _ends(self, shown: str) -> array[float]:
        """Where each letter ends, in pixels; empty where a text has to be cut by those who know its script."""
        if not PLAIN.fullmatch(shown):
            return array("d")
        self.measured += 1
        layout = QTextLayout(shown, self.font)
        layout.setTextOption(self._option)
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        # the Python binding returns the cursor with the position
        place = cast("Callable[[int], tuple[float, int]]", line.cursorToX)
        return array("d", [place(number)[0] for number in range(1, len(shown) + 1)])


@lru_cache(maxsize=8192)
def right_to_left(text: str) -> bool:
    """Whether a text's first letter with a direction is of a script that runs from right to left."""
    for letter in text[:80]:
        direction = bidirectional(letter)
        if direction == "L":
            return False
        if direction in ("R", "AL"):
            return True
    return False
