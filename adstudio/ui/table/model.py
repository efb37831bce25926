"""The rows of the script table over stable ids. Only what a step, or its plan, changed is touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from adstudio.core.script import Eventuality, Script
from adstudio.ui.session.session import Session
from adstudio.ui.table import cell_content
from adstudio.ui.table.cell_content import RowChange
from adstudio.ui.table.changed_rows import ChangedRows, affected
from adstudio.ui.table.line_facts import Filter, Line, Lines
from adstudio.ui.table.row_order import SORT_KEYS, Column, Key, RowFilter, ranges, shifts

Index = QModelIndex | QPersistentModelIndex

MANY = 64
"""Beyond this many row operations the rows are laid out anew."""
NOWHERE = QModelIndex()
_SELECTABLE = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
_EDITABLE = _SELECTABLE | Qt.ItemFlag.ItemIsEditable
_FLAGS = tuple(_EDITABLE if each in cell_content.EDITED else _SELECTABLE for each in Column)


class ScriptModel(QAbstractTableModel):
    """Rows in the order wanted. `follow` brings them up to date with the session."""

    anew_about_to_be_shown = Signal()
    shown_anew = Signal()
    """The rows were laid out anew: whoever shows them selects and scrolls again."""
    counted = Signal()
    """How many lines pass each filter may have changed, or how many are shown."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._lines = Lines(session.script, session.current_plan.outcome, session.gaps)
        self._rows: dict[str, Line] = {}
        self._passed: dict[str, frozenset[Filter]] = {}
        self._keys: dict[str, Key] = {}
        self._visible: set[str] = set()
        self._shown: list[str] = []
        self._row: dict[str, int] | None = None
        self._wanted = RowFilter()
        self._finds = self._wanted.finder()
        self._sorted_by: Column | None = None
        self._descending = False
        self.selected: frozenset[str] = frozenset()
        """Lines that stay although they pass no more: what the hand holds does not vanish under it."""
        self.busy = False
        """Whether a cell is being edited: then rows are never laid out anew."""
        self.counts: dict[Filter, int] = dict.fromkeys(Filter, 0)
        self.news: Mapping[str, RowChange] = {}
        """What the plan has just done to lines."""
        self.take_all()

    # What is shown

    @property
    def ids(self) -> list[str]:
        """The lines shown, from top to bottom."""
        return self._shown

    @property
    def total(self) -> int:
        """How many lines the script has."""
        return len(self._passed)

    @property
    def wanted(self) -> RowFilter:
        """The filter in use."""
        return self._wanted

    @property
    def sorted_by(self) -> Column | None:
        """The column that the rows are sorted by; None for textual order."""
        return self._sorted_by

    def row_of(self, identity: str) -> int | None:
        """The row of a line, if it is shown."""
        if self._row is None:
            self._row = dict(zip(self._shown, range(len(self._shown)), strict=True))
        return self._row.get(identity)

    def line(self, identity: str) -> Line:
        """Everything about a line; KeyError where there is none."""
        line = self._rows.get(identity)
        if line is None:
            line = self._rows[identity] = self._lines.of(identity)
        return line

    def identity(self, index: Index) -> str | None:
        """The line of a cell."""
        row = index.row()
        return self._shown[row] if 0 <= row < len(self._shown) else None

    @property
    def script(self) -> Script:
        """The script that is shown."""
        return self._lines.script

    # Qt's questions

    def rowCount(self, parent: Index = NOWHERE) -> int:
        """How many rows are shown."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        """How many columns there are."""
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What a cell answers in a role."""
        identity = self.identity(index)
        if identity is None or identity not in self.script.eventuality_index:
            return None
        return cell_content.value(self.line(identity), Column(index.column()), role, self.news.get(identity))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What stands over a column, and what it means."""
        if orientation is Qt.Orientation.Vertical:
            return section + 1 if role == Qt.ItemDataRole.DisplayRole else None
        column = Column(section)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return column.title
            case Qt.ItemDataRole.ToolTipRole | Qt.ItemDataRole.AccessibleDescriptionRole:
                return column.meaning
            case Qt.ItemDataRole.TextAlignmentRole:
                return cell_content.alignment(column)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """What can be done with a cell."""
        return _FLAGS[index.column()] if index.isValid() else Qt.ItemFlag.NoItemFlags

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; a negative one stands for textual order."""
        self._sorted_by = Column(column) if column >= 0 else None
        self._descending = order is Qt.SortOrder.DescendingOrder
        self._keys = {} if self._sorted_by is None else {identity: self._key(identity) for identity in self._passed}
        self._lay_out_anew()

    # Changes

    def want(self, wanted: RowFilter) -> None:
        """Show other lines."""
        if wanted == self._wanted:
            return
        self._wanted = wanted
        self._finds = wanted.finder()
        self.selected = frozenset()
        self._visible = {each.id for each in self.script.eventualities if self._passes(each)}
        self._lay_out_anew()
        self.counted.emit()

    def take_all(self) -> None:
        """Another document is open."""
        self._take_lines()
        self._rows.clear()
        self.news = {}
        self.selected = frozenset()
        script = self.script
        self._passed = {each.id: self._lines.filters(each) for each in script.eventualities}
        self._keys = {} if self._sorted_by is None else {identity: self._key(identity) for identity in self._passed}
        self._visible = {each.id for each in script.eventualities if self._passes(each)}
        self._count()
        self._lay_out_anew()
        self.counted.emit()

    def follow(self, respoken: AbstractSet[str]) -> ChangedRows:
        """Bring the rows up to date with the session, whose plan speaks these lines otherwise; what was touched."""
        old = self._lines
        self._take_lines()
        difference = affected(old, self._lines, respoken, self._rows)
        if difference.everything:
            self.take_all()
            return difference
        for identity in difference.dirty:
            self._rows.pop(identity, None)
        passed_before = {identity: self._passed.get(identity) for identity in difference.changed}
        visible_before = {identity for identity in difference.changed if identity in self._visible}
        for identity in difference.changed:
            place = self.script.eventuality_index.get(identity)
            if place is None:
                self._passed.pop(identity, None)
                self._keys.pop(identity, None)
                self._visible.discard(identity)
                continue
            self._passed[identity] = self._lines.filters(self.script.eventualities[place])
            self._refilter(identity)
        rearranged = difference.reordered or visible_before != difference.changed & self._visible
        if self._sorted_by is not None:
            keys = {identity: self._key(identity) for identity in difference.dirty & self._passed.keys()}
            rearranged |= any(self._keys.get(identity) != key for identity, key in keys.items())
            self._keys.update(keys)
        moved = rearranged and self._arrange(difference.dirty)
        self._touch(difference.dirty)
        if moved or any(self._passed.get(identity) != passed for identity, passed in passed_before.items()):
            self._count()
            self.counted.emit()
        return difference

    def keep(self, identities: Iterable[str]) -> None:
        """The hand takes these lines as well."""
        self.selected |= frozenset(identities) & self._visible

    def hold(self, identities: Iterable[str]) -> None:
        """The hand holds these lines now; what it let go, and passes no more, goes."""
        let_go = self.selected - frozenset(identities)
        self.selected = frozenset(identities) & self._visible
        for identity in let_go & self._visible:
            self._refilter(identity)
        if self._arrange(let_go):
            self.counted.emit()

    def mark(self, news: Mapping[str, RowChange]) -> None:
        """Show what the plan has just done; what was marked before is marked no more."""
        touched = self.news.keys() | news.keys()
        self.news = news
        self._touch(touched)

    def _take_lines(self) -> None:
        session = self._session
        self._lines = Lines(session.script, session.current_plan.outcome, session.gaps)

    def _passes(self, eventuality: Eventuality) -> bool:
        return self._wanted.chip in self._passed[eventuality.id] and self._finds(eventuality)

    def _refilter(self, identity: str) -> None:
        if self._passes(self.script.eventuality(identity)) or (identity in self.selected and identity in self._visible):
            self._visible.add(identity)
        else:
            self._visible.discard(identity)

    def _key(self, identity: str) -> Key:
        return () if self._sorted_by is None else SORT_KEYS[self._sorted_by](self.line(identity))

    def _ordered(self) -> list[str]:
        ids = list(self.script.eventuality_index)
        if len(self._visible) < len(ids):
            ids = [identity for identity in ids if identity in self._visible]
        if self._sorted_by is not None:
            ids.sort(key=self._keys.__getitem__, reverse=self._descending)
        return ids

    def _arrange(self, changed: frozenset[str]) -> bool:
        """Bring the rows into the order wanted, when only these lines changed; tells whether any row moved."""
        wanted = self._ordered()
        if wanted == self._shown:
            return False
        operations = shifts(self._shown, wanted, changed)
        if operations is None or (len(operations) > MANY and not self.busy):
            self._lay_out_anew(wanted)
            return True
        for each in operations:
            self._row = None
            if each.to is None and each.row is not None:
                self.beginRemoveRows(NOWHERE, each.row, each.row)
                del self._shown[each.row]
                self.endRemoveRows()
            elif each.row is None and each.to is not None:
                self.beginInsertRows(NOWHERE, each.to, each.to)
                self._shown.insert(each.to, each.identity)
                self.endInsertRows()
            elif each.row is not None and each.to is not None:
                # Qt names the row that it comes to stand before, counted with the moving row still in its old place.
                before = each.to if each.to < each.row else each.to + 1
                self.beginMoveRows(NOWHERE, each.row, each.row, NOWHERE, before)
                self._shown.insert(each.to, self._shown.pop(each.row))
                self.endMoveRows()
        return True

    def _lay_out_anew(self, wanted: list[str] | None = None) -> None:
        self.anew_about_to_be_shown.emit()
        self.beginResetModel()
        self._shown = self._ordered() if wanted is None else wanted
        self._row = None
        self.endResetModel()
        self.shown_anew.emit()

    def _touch(self, identities: Iterable[str]) -> None:
        rows = [row for identity in identities if (row := self.row_of(identity)) is not None]
        for first, last in ranges(rows):
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(Column) - 1))

    def _count(self) -> None:
        self.counts = dict.fromkeys(Filter, 0)
        for passed, number in Counter(self._passed.values()).items():
            for each in passed:
                self.counts[each] += number
