"""Lists of faces as cards: a picture and a caption, chosen with arrow keys, Space and Shift, read by screen readers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QElapsedTimer,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListView

from adstudio.ui.background.timers import single_shot
from adstudio.ui.widgets.theme import UNIT

SIDE = 24 * UNIT
"""Pixels of a picture."""
CHARACTERS = 20
"""Room for about so many in a line of a caption."""

SLICE_MS = 4
"""So long are pictures decoded before the window gets a turn."""

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()


@dataclass(frozen=True)
class Card:
    """A face to be shown: its picture, its caption, and what a screen reader says."""

    picture: bytes
    caption: str
    spoken: str


def _no_card(key: int) -> Card:
    raise LookupError(f"there is no card {key}")


class _CardRows(QAbstractListModel):
    """Cards by their keys. Each is made when it is first asked for, its picture decoded once it should be painted.

    Pictures are decoded in slices, so that the window gets turns in between; until then their place is empty.
    """

    def __init__(self, parent: Cards) -> None:
        super().__init__(parent)
        self.keys: Sequence[int] = ()
        self.size = QSize()
        self.elided: Callable[[str], str] = str
        self._card_of: Callable[[int], Card] = _no_card
        self._cards: dict[int, Card] = {}
        self._icons: dict[bytes, QIcon] = {}
        self._former_icons: dict[bytes, QIcon] = {}
        """Of the cards shown before, many of which are shown again."""
        self._wanted: dict[int, bytes] = {}
        """The rows whose pictures are to be decoded."""
        nothing = QPixmap(1, 1)
        nothing.fill(Qt.GlobalColor.transparent)
        self._empty = QIcon(nothing)
        self._turn = single_shot(self, 0, self._decode)

    def show_cards(self, keys: Sequence[int], card_of: Callable[[int], Card]) -> None:
        self.beginResetModel()
        self.keys, self._card_of = keys, card_of
        self._cards = {}
        self._former_icons, self._icons = self._icons, {}
        self._wanted = {}
        self.endResetModel()

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """As many as there are keys."""
        return 0 if parent.isValid() else len(self.keys)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What a view asks of a card."""
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return "\n".join(map(self.elided, self._card(index.row()).caption.split("\n")))
            case Qt.ItemDataRole.DecorationRole:
                return self._icon(index.row(), self._card(index.row()).picture)
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                return self._card(index.row()).spoken
            case Qt.ItemDataRole.SizeHintRole:
                return self.size
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignHCenter
            case _:
                return None

    def _card(self, row: int) -> Card:
        if row not in self._cards:
            self._cards[row] = self._card_of(self.keys[row])
        return self._cards[row]

    def _icon(self, row: int, picture: bytes) -> QIcon:
        icon = self._icons.get(picture) or self._former_icons.get(picture)
        if icon is None:
            self._wanted[row] = picture
            self._turn.start()
            return self._empty
        self._icons[picture] = icon
        return icon

    def _decode(self) -> None:
        began = QElapsedTimer()
        began.start()
        while self._wanted and began.elapsed() < SLICE_MS:
            row = next(iter(self._wanted))
            picture = self._wanted.pop(row)
            if picture not in self._icons:
                pixmap = QPixmap()
                pixmap.loadFromData(picture)
                icon = self._icons[picture] = QIcon(pixmap)
                icon.addPixmap(pixmap, QIcon.Mode.Selected)  # not tinted
            place = self.index(row)
            self.dataChanged.emit(place, place, [Qt.ItemDataRole.DecorationRole])
        if self._wanted:
            self._turn.start()


class Cards(QListView):
    """Several cards may be chosen; they are made, and their pictures decoded, as they are shown."""

    chosen_changed = Signal()
    """Others are chosen."""
    current_changed = Signal()
    """Another one is current."""

    def __init__(self, name: str, *, side: int = SIDE, characters: int = CHARACTERS, lines: int = 2) -> None:
        super().__init__()
        self._side, self._characters, self._lines = side, characters, lines
        self._rows = _CardRows(self)
        self.setModel(self._rows)
        self.selectionModel().selectionChanged.connect(self.chosen_changed)
        self.selectionModel().currentChanged.connect(self.current_changed)
        self.setAccessibleName(name)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMovement(QListView.Movement.Static)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setIconSize(QSize(side, side))
        self.setUniformItemSizes(True)
        self.setSpacing(UNIT)
        self.setTabKeyNavigation(False)

    @property
    def chosen(self) -> list[int]:
        """The keys of the chosen cards, in their order."""
        return [self._rows.keys[row] for row in sorted(index.row() for index in self.selectedIndexes())]

    def show_cards(self, keys: Sequence[int], card_of: Callable[[int], Card], choose: Collection[int] = ()) -> None:
        """Show others, with those of these keys chosen and the first of them, or of all, current.

        `card_of` makes the card of a key. What is too long is elided.
        """
        metrics = self.fontMetrics()
        width = max(self._side, self._characters * metrics.averageCharWidth()) + 6 * UNIT
        self._rows.size = QSize(width, self._side + self._lines * metrics.lineSpacing() + 4 * UNIT)
        self._rows.elided = lambda line: metrics.elidedText(line, Qt.TextElideMode.ElideRight, width - 2 * UNIT)
        self.setGridSize(self._rows.size + QSize(UNIT, UNIT))
        self._rows.show_cards(keys, card_of)
        chosen = [row for row, key in enumerate(keys) if key in choose]
        selection = QItemSelection()
        for row in chosen:
            selection.select(self._rows.index(row), self._rows.index(row))
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.Select)
        if keys:
            self.set_current(chosen[0] if chosen else 0)

    def set_current(self, row: int) -> None:
        """Make the card in a row the current one; the same ones are chosen."""
        self.selectionModel().setCurrentIndex(self._rows.index(row), QItemSelectionModel.SelectionFlag.NoUpdate)

    def spoken(self, row: int) -> str:
        """What a screen reader says of the card in a row; empty where there is none."""
        return self._rows.index(row).data(Qt.ItemDataRole.AccessibleTextRole) or ""
