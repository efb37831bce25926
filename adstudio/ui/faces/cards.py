"""Lists of faces as cards: a picture and a caption, chosen with arrow keys, Space and Shift, read by screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from adstudio.ui.widgets.theme import UNIT

SIDE = 24 * UNIT
"""Pixels of a picture."""


@dataclass(frozen=True)
class Card:
    """A face to be shown: what it stands for, its picture (JPEG), its caption, and what a screen reader says."""

    key: int
    picture: bytes
    caption: str
    spoken: str


class Cards(QListWidget):
    """Several cards may be chosen; the pictures are decoded as they are shown."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setMovement(QListWidget.Movement.Static)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setIconSize(QSize(SIDE, SIDE))
        self.setUniformItemSizes(True)
        self.setWordWrap(True)
        self.setSpacing(UNIT)
        self.setTabKeyNavigation(False)

    @property
    def chosen(self) -> list[int]:
        """What the chosen cards stand for, in their order."""
        rows = sorted(index.row() for index in self.selectedIndexes())
        return [self.item(row).data(Qt.ItemDataRole.UserRole) for row in rows]

    def show_cards(self, cards: Sequence[Card], choose: Sequence[int] = ()) -> None:
        """Show others, with these chosen and the first of them current."""
        self.clear()
        metrics = self.fontMetrics()
        size = QSize(SIDE + 6 * UNIT, SIDE + 2 * metrics.lineSpacing() + 4 * UNIT)
        self.setGridSize(size + QSize(UNIT, UNIT))
        wanted = set(choose)
        first: QListWidgetItem | None = None
        for card in cards:
            picture = QPixmap()
            picture.loadFromData(card.picture, "JPG")
            item = QListWidgetItem(QIcon(picture), card.caption, self)
            item.setData(Qt.ItemDataRole.UserRole, card.key)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, card.spoken)
            item.setToolTip(card.spoken)
            item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter)
            item.setSizeHint(size)
            if card.key in wanted:
                item.setSelected(True)
                first = first or item
        current = first or self.item(0)
        if current is not None:
            self.setCurrentItem(current)
            if not wanted:
                current.setSelected(True)
        for key in wanted:
            for row in range(self.count()):
                if self.item(row).data(Qt.ItemDataRole.UserRole) == key:
                    self.item(row).setSelected(True)
