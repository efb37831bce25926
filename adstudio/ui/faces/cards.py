"""Lists of faces as cards: a picture and a caption, chosen with arrow keys, Space and Shift, read by screen readers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QSize, Qt
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from adstudio.ui.widgets.theme import UNIT

SIDE = 24 * UNIT
"""Pixels of a picture."""
CHARACTERS = 20
"""Room for about so many in a line of a caption."""


@dataclass(frozen=True)
class Card:
    """A face to be shown: what it stands for, its picture, its caption, and what a screen reader says."""

    key: int
    picture: bytes
    caption: str
    spoken: str


class _Item(QListWidgetItem):
    """A card in a list; its picture is decoded when it is first painted."""

    def __init__(self, picture: bytes, text: str) -> None:
        super().__init__(text)
        self._picture = picture
        self._icon: QIcon | None = None

    def data(self, role: int) -> Any:  # noqa: ANN401 - of whatever type the role has
        """As Qt's own, but for the picture."""
        if role != Qt.ItemDataRole.DecorationRole:
            return super().data(role)
        if self._icon is None:
            picture = QPixmap()
            picture.loadFromData(self._picture)
            self._icon = QIcon(picture)
            self._icon.addPixmap(picture, QIcon.Mode.Selected)  # not tinted
        return self._icon


class Cards(QListWidget):
    """Several cards may be chosen; the pictures are decoded as they are shown."""

    def __init__(self, name: str, *, side: int = SIDE, characters: int = CHARACTERS, lines: int = 2) -> None:
        super().__init__()
        self._side, self._characters, self._lines = side, characters, lines
        self.setAccessibleName(name)
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setMovement(QListWidget.Movement.Static)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setIconSize(QSize(side, side))
        self.setUniformItemSizes(True)
        self.setSpacing(UNIT)
        self.setTabKeyNavigation(False)

    @property
    def chosen(self) -> list[int]:
        """What the chosen cards stand for, in their order."""
        rows = sorted(index.row() for index in self.selectedIndexes())
        return [self.item(row).data(Qt.ItemDataRole.UserRole) for row in rows]

    def show_cards(self, cards: Sequence[Card], choose: Collection[int] = ()) -> None:
        """Show others, with these chosen and the first of them, or of all, current. What is too long is elided."""
        self.clear()
        metrics = self.fontMetrics()
        width = max(self._side, self._characters * metrics.averageCharWidth())
        size = QSize(width + 6 * UNIT, self._side + self._lines * metrics.lineSpacing() + 4 * UNIT)
        self.setGridSize(size + QSize(UNIT, UNIT))
        first: QListWidgetItem | None = None
        for card in cards:
            lines = (
                metrics.elidedText(line, Qt.TextElideMode.ElideRight, size.width() - 2 * UNIT)
                for line in card.caption.split("\n")
            )
            item = _Item(card.picture, "\n".join(lines))
            self.addItem(item)
            item.setData(Qt.ItemDataRole.UserRole, card.key)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, card.spoken)
            item.setToolTip(card.spoken)
            item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter)
            item.setSizeHint(size)
            if card.key in choose:
                item.setSelected(True)
                first = first or item
        if self.count():
            self.setCurrentItem(first or self.item(0), QItemSelectionModel.SelectionFlag.NoUpdate)
