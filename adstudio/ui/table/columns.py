"""The columns of the script table: the frozen ones, and which are shown, in what order and how wide."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import NamedTuple, cast

from PySide6.QtCore import QPointF, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from adstudio.ui.session.preferences import Preferences
from adstudio.ui.table.cell_painting import PADDING, inset
from adstudio.ui.table.row_order import Column
from adstudio.ui.widgets.theme import UNIT

FROZEN = (Column.NUMBER, Column.TIME)
"""They stay where they are while the others are scrolled, in front of these."""
ALWAYS = frozenset({Column.TIME, Column.TEXT})
USUAL = frozenset(
    {Column.NUMBER, Column.TIME, Column.OUT, Column.STATE, Column.TEXT, Column.SECONDS, Column.ROOM, Column.DRIFT}
)
"""What is shown until something else is chosen; the confidence in times comes where there is something to say of it."""
PREFERENCE = "table.columns"
LEAST_WIDTH = 8 * UNIT
MOST_WIDTH = 400 * UNIT


class BesideText(NamedTuple):
    """The columns in front of the text, and those behind it that are whole beside it."""

    width: int
    in_sight: int
    """How many columns are, the text included and the out time not; 0 where the text does not have enough."""


class ColumnHeader(QHeaderView):
    """The header of the script table. What is drawn or pressed in front of scrolled columns belongs to the frozen."""

    menu_asked = Signal()
    resized_by_user = Signal(int)
    """A column."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._pressed_frozen: bool | None = None
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setSectionsMovable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setMinimumSectionSize(LEAST_WIDTH)
        self.setAccessibleName("Columns of the script")
        self.setToolTip("")
        self.sectionMoved.connect(self._keep_in_front)
        self.sectionResized.connect(self._resized)

    @property
    def frozen_width(self) -> int:
        """How far the frozen columns reach."""
        return sum(self.sectionSize(column) for column in FROZEN)

    def left_of(self, column: Column) -> int:
        """Where a column begins in the viewport."""
        return self.sectionPosition(column) if column in FROZEN else self.sectionViewportPosition(column)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frozen columns over the scrolled ones."""
        super().paintEvent(event)
        if self.offset():
            painter = QPainter(self.viewport())
            for column in FROZEN:
                if not self.isSectionHidden(column):
                    place = QRect(self.sectionPosition(column), 0, self.sectionSize(column), self.height())
                    painter.fillRect(place, self.palette().window())
                    self.paintSection(painter, place, column)
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Sort, move or resize the column that is seen there."""
        self._pressed_frozen = self._is_frozen(event)
        super().mousePressEvent(self._placed(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with it."""
        super().mouseMoveEvent(self._placed(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End it."""
        super().mouseReleaseEvent(self._placed(event))
        self._pressed_frozen = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Make the column as wide as it needs."""
        super().mouseDoubleClickEvent(self._placed(event))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Which columns are shown."""
        event.accept()
        self.menu_asked.emit()

    def _is_frozen(self, event: QMouseEvent) -> bool:
        return event.position().x() < self.frozen_width

    def _placed(self, event: QMouseEvent) -> QMouseEvent:
        """The event where the frozen column would be if it had been scrolled."""
        frozen = self._is_frozen(event) if self._pressed_frozen is None else self._pressed_frozen
        if not frozen or not self.offset():
            return event
        place = event.position() - QPointF(self.offset(), 0)
        kind, buttons = event.type(), event.buttons()
        screen, keys = event.globalPosition(), event.modifiers()
        return QMouseEvent(kind, place, screen, event.button(), buttons, keys, event.pointingDevice())

    def _keep_in_front(self) -> None:
        for place, column in enumerate(FROZEN):
            if self.visualIndex(column) != place:
                self.moveSection(self.visualIndex(column), place)
                return  # which brings it back here

    def _resized(self, column: int) -> None:
        if self._pressed_frozen is not None:
            self.resized_by_user.emit(column)


class ColumnChoice:
    """What the describer has chosen about the columns, and the menu to choose it.

    `fit` is called when other columns are shown, or when their widths changed; `say` with what was moved.
    """

    def __init__(
        self,
        header: ColumnHeader,
        preferences: Preferences,
        fit: Callable[[], None],
        say: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._header, self._preferences, self._fit, self._say = header, preferences, fit, say
        self._shown: dict[Column, bool] = {}
        """The columns that were chosen, or taken out; of the others the program decides."""
        self._widths: dict[Column, int] = {}
        self._doubts = self._narrow = False
        self._read()
        header.resized_by_user.connect(self._resized)
        header.sectionMoved.connect(lambda *_: self._store())
        header.menu_asked.connect(self.open_menu)

    def is_shown(self, column: Column) -> bool:
        """Whether a column is shown."""
        usual = self._doubts if column is Column.SURE else column in USUAL
        if column is Column.OUT and self._narrow:
            usual = False
        return column in ALWAYS or self._shown.get(column, usual)

    def is_sized(self, column: Column) -> bool:
        """Whether the describer has given it a width."""
        return column in self._widths

    def show_doubts(self, doubts: bool) -> None:
        """Whether any time is uncertain: then the column that says so is shown, unless it was taken out."""
        if doubts != self._doubts:
            self._doubts = doubts
            self.apply()

    def fit(self, room: int, few: int) -> int:
        """How wide the text is in so many pixels, where no column may be cut at their edge; `few` is enough for it.

        The columns behind the text that are whole beside it are in sight, the others are scrolled to. The out time is
        taken out where the text would not have enough beside it, or where that brings another column into sight.
        """
        there, without = self._beside_text(room - few, out=True), self._beside_text(room - few, out=False)
        narrow = there.in_sight < max(1, without.in_sight)
        if narrow != self._narrow:
            self._narrow = narrow
            self._header.setSectionHidden(Column.OUT, not self.is_shown(Column.OUT))
            if self.is_shown(Column.OUT):  # the font may have changed while it was hidden
                self._header.resizeSection(Column.OUT, self._width_beside_text(Column.OUT))
        return room - (there if self.is_shown(Column.OUT) else without).width

    def _beside_text(self, room: int, *, out: bool) -> BesideText:
        """What has so many pixels beside the text, with or without the out time."""
        header = self._header
        shown = [each for each in Column if self.is_shown(each) and each is not Column.OUT]
        order = sorted([*shown, Column.OUT] if out else shown, key=header.visualIndex)
        place = order.index(Column.TEXT)
        width = sum(map(self._width_beside_text, order[:place]))
        seen = 0
        if width <= room:
            seen = 1
            for column in order[place + 1 :]:
                wider = width + self._width_beside_text(column)
                if wider > room:
                    break
                width, seen = wider, seen + (column is not Column.OUT)
        return BesideText(width, seen)

    def _width_beside_text(self, column: Column) -> int:
        """The width of a column; where only the sign of the state has room, that."""
        if column in self._widths or column not in (Column.STATE, Column.OUT):
            return self._widths.get(column) or self._header.sectionSize(column)
        return self.usual_width(column, "" if column is Column.STATE else None)

    def apply(self) -> None:
        """Show the columns, as wide as they were made, or as their words need in the present font."""
        header = self._header
        for column in Column:
            header.setSectionHidden(column, not self.is_shown(column))
            if column is not Column.TEXT and self.is_shown(column):
                header.resizeSection(column, self._widths.get(column) or self.usual_width(column))
        self._fit()

    def usual_width(self, column: Column, sample: str | None = None) -> int:
        """The width for a column's title and for the longest words that are usual in it."""
        metrics = QFontMetricsF(self._header.font())
        words = metrics.horizontalAdvance(column.sample if sample is None else sample) + inset(column, metrics)
        title = metrics.horizontalAdvance(column.title)
        return math.ceil((max(words, title) + 2 * PADDING) / UNIT) * UNIT

    def open_menu(self) -> None:
        """Choose the columns."""
        menu = QMenu(self._header)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column in Column:
            if column not in ALWAYS:
                entry = menu.addAction(column.title)
                entry.setCheckable(True)
                entry.setChecked(self.is_shown(column))
                entry.setToolTip(column.meaning)
                entry.triggered.connect(lambda on, column=column: self.choose(column, on))
        menu.addSeparator()
        for title, by in (("Move &left", -1), ("Move &right", 1)):
            movable = menu.addMenu(title)
            for column in self._in_order:
                entry = movable.addAction(column.title, lambda column=column, by=by: self.move(column, by))
                entry.setEnabled(self._neighbour(column, by) is not None)
        menu.addAction("Reset columns", self.reset)
        menu.popup(self._header.mapToGlobal(self._header.rect().bottomLeft()))

    def choose(self, column: Column, shown: bool) -> None:
        """Show a column, or take it out."""
        self._shown[column] = shown
        self._store()
        self.apply()

    def move(self, column: Column, by: int) -> None:
        """Move a column in front of the shown one to its left (−1), or behind the one to its right (1)."""
        other, header = self._neighbour(column, by), self._header
        if other is not None:
            header.moveSection(header.visualIndex(column), header.visualIndex(other))
            side = "in front of" if by < 0 else "behind"
            self._say(f"“{column.title}” is now {side} “{other.title}”.")

    @property
    def _in_order(self) -> list[Column]:
        """The columns that are shown and can be moved, from left to right."""
        places = map(self._header.logicalIndex, range(len(Column)))
        return [each for each in map(Column, places) if each not in FROZEN and self.is_shown(each)]

    def _neighbour(self, column: Column, by: int) -> Column | None:
        order = self._in_order
        place = order.index(column) + by
        return order[place] if 0 <= place < len(order) else None

    def reset(self) -> None:
        """All columns as they are at first."""
        self._shown.clear()
        self._widths.clear()
        for column in Column:
            self._header.moveSection(self._header.visualIndex(column), int(column))
        self._store()
        self.apply()

    def _resized(self, column: int) -> None:
        if column != Column.TEXT:
            self._widths[Column(column)] = self._header.sectionSize(column)
            self._store()
        self._fit()

    def _store(self) -> None:
        order = [Column(self._header.logicalIndex(place)).name for place in range(len(Column))]
        shown = {column.name: on for column, on in self._shown.items()}
        widths = {column.name: width for column, width in self._widths.items()}
        self._preferences.store(PREFERENCE, json.dumps({"order": order, "shown": shown, "widths": widths}))

    def _read(self) -> None:
        """Take what was stored; what makes no sense is passed over."""
        try:
            found = json.loads(self._preferences.text(PREFERENCE) or "{}")
        except (json.JSONDecodeError, RecursionError):
            return
        stored = cast("dict[str, object]", found) if isinstance(found, dict) else {}
        shown, widths, order = (stored.get(name) for name in ("shown", "widths", "order"))
        columns = Column.__members__
        for name, on in shown.items() if isinstance(shown, dict) else ():
            if name in columns and isinstance(on, bool):
                self._shown[columns[name]] = on
        for name, width in widths.items() if isinstance(widths, dict) else ():
            if name in columns and isinstance(width, int) and LEAST_WIDTH <= width <= MOST_WIDTH:
                self._widths[columns[name]] = width
        names = [name for name in order if isinstance(name, str)] if isinstance(order, list) else []
        for place, name in enumerate(dict.fromkeys(name for name in names if name in columns)):
            self._header.moveSection(self._header.visualIndex(columns[name]), place)
