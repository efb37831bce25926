"""The rows of the script table over stable ids. Only what a step, or its plan, changed is touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import cast

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from adstudio.core.script import Eventuality, Script
from adstudio.editing.replacing import Shown, texts
from adstudio.planning.film.plan_changes import PlanChanges
from adstudio.ui.session.reason_texts import reason_text
from adstudio.ui.session.session import Session
from adstudio.ui.table import cell_content
from adstudio.ui.table.cell_content import RowChange
from adstudio.ui.table.changed_rows import ChangedRows, affected
from adstudio.ui.table.line_facts import Filter, Line, lines_of
from adstudio.ui.table.row_order import SORT_KEYS, Column, Key, RowFilter, ranges, shifts

Index = QModelIndex | QPersistentModelIndex

MANY = 64
"""After more row operations than this the rows are laid out anew."""
NOWHERE = QModelIndex()
_SELECTABLE = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
_EDITABLE = _SELECTABLE | Qt.ItemFlag.ItemIsEditable
_FLAGS = tuple(_EDITABLE if each in cell_content.EDITED else _SELECTABLE for each in Column)


class ScriptModel(QAbstractTableModel):
    """Rows in the order wanted. `follow` brings them up to date with the session."""

    anew_about_to_be_shown = Signal()
    shown_anew = Signal()
    """The rows were laid out anew: whoever shows them selects and scrolls again."""
    renumbered = Signal()
    """Lines have other numbers, be they touched by a step or not."""
    counted = Signal()
    """The numbers of lines that pass each filter, or are shown, may have changed."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._lines = lines_of(session)
        self._rows: dict[str, Line] = {}
        self._passed: dict[str, frozenset[Filter]] = {}
        self._keys: dict[str, Key] = {}
        self._visible: set[str] = set()
        self.ids: list[str] = []
        """The lines shown, from top to bottom."""
        self._row: dict[str, int] | None = None
        self.wanted = RowFilter()
        self.finder = self.wanted.search.finder()
        self.sorted_by: Column | None = None
        """None for script order."""
        self.read_column = Column.TEXT
        """The column that the keys are in. A screen reader reads a whole row: of the other columns only the text."""
        self._descending = False
        self.selected: frozenset[str] = frozenset()
        """Lines that stay although they no longer pass: what is selected does not vanish."""
        self._retained: frozenset[str] = frozenset()
        """Lines that stay until others are wanted, although they no longer pass: what was replaced can be checked."""
        self.busy = False
        """Whether a cell is being edited: then rows are never laid out anew."""
        self.counts: dict[Filter, int] = dict.fromkeys(Filter, 0)
        self.news: Mapping[str, RowChange] = {}
        """How lines differ from the plan before the describer's last act."""
        self.take_all()

    # What is shown

    @property
    def total(self) -> int:
        """How many lines the script has."""
        return len(self._passed)

    def row_of(self, identity: str) -> int | None:
        """The row of a line, if it is shown."""
        if self._row is None:
            self._row = dict(zip(self.ids, range(len(self.ids)), strict=True))
        return self._row.get(identity)

    def line(self, identity: str) -> Line:
        """Everything about a line; KeyError if there is none."""
        line, number = self._rows.get(identity), self._lines.numbers.get(identity, 0)
        if line is None:
            line = self._rows[identity] = self._lines.of(identity)
        elif line.number != number:
            # A line that comes in or goes numbers all that are spoken later anew.
            line = self._rows[identity] = replace(line, number=number)
        return line

    def text(self, identity: str) -> str:
        """The text of a row as it is shown; KeyError if there is none."""
        lines = self._lines
        number = lines.numbers.get(identity, 0) if lines.is_said_elsewhere(identity) else 0
        line = self._rows.get(identity)
        return cell_content.text_shown(lines.text(identity) if line is None else line.text, number)

    def identity(self, index: Index) -> str | None:
        """The line of a cell."""
        row = index.row()
        return self.ids[row] if 0 <= row < len(self.ids) else None

    @property
    def script(self) -> Script:
        """The script that is shown."""
        return self._lines.script

    def has_match(self, eventuality: Eventuality) -> bool:
        """Whether a line has what is looked for, or nothing is."""
        if not self.wanted.search.text:
            return True
        found = texts(self._lines.as_shown(eventuality), self.wanted.where, self._lines.variant)
        return any(map(self.finder.contains, found))

    def as_shown(self, eventuality: Eventuality) -> Eventuality:
        """A line with the wordings that its row stands for."""
        return self._lines.as_shown(eventuality)

    @property
    def variant(self) -> Shown:
        """Which wording of a line its row shows."""
        return self._lines.variant

    # Qt's questions

    def rowCount(self, parent: Index = NOWHERE) -> int:
        """How many rows are shown."""
        return 0 if parent.isValid() else len(self.ids)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        """How many columns there are."""
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A cell's data in a role."""
        identity = self.identity(index)
        if identity is None or identity not in self.script.eventuality_index:
            return None
        column = index.column()
        if role == Qt.ItemDataRole.AccessibleTextRole:
            self._session.reading.asked.emit()
            if column not in (Column.TEXT, self.read_column):
                return cell_content.SILENT
        shown = cell_content.value(self.line(identity), Column(column), role, self.news.get(identity))
        if role == Qt.ItemDataRole.ToolTipRole and column == Column.STATE:
            return "\n".join(filter(None, (cast("str | None", shown), reason_text(self._session, identity).short)))
        return shown

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A column's title, and what it means."""
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
        """Sort by a column; a negative one stands for script order."""
        self.sorted_by = Column(column) if column >= 0 else None
        self._descending = order is Qt.SortOrder.DescendingOrder
        self._renew_keys()
        self._lay_out_anew()

    # Changes

    def want(self, wanted: RowFilter) -> None:
        """Show other lines."""
        if wanted == self.wanted:
            return
        self.wanted = wanted
        self.finder = wanted.search.finder()
        self.selected = self._retained = frozenset()
        self._visible = {each.id for each in self.script.eventualities if self._passes(each)}
        self._lay_out_anew()
        self.counted.emit()

    def take_all(self) -> None:
        """Another document is open."""
        self._take_lines()
        self._rows.clear()
        self.selected = self._retained = frozenset()
        script = self.script
        self._passed = {each.id: self._lines.filters(each) for each in script.eventualities}
        self._renew_keys()
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
        if self.sorted_by is not None:
            keys = {identity: self._key(identity) for identity in difference.dirty & self._passed.keys()}
            rearranged |= any(self._keys.get(identity) != key for identity, key in keys.items())
            self._keys.update(keys)
        moved = rearranged and self._arrange(difference.dirty)
        self._touch(difference.dirty)
        if old.numbers != self._lines.numbers:
            self._touch(filter(self._lines.is_said_elsewhere, self._lines.fused_members))  # their texts name a number
            self.renumbered.emit()
        if moved or any(self._passed.get(identity) != passed for identity, passed in passed_before.items()):
            self._count()
            self.counted.emit()
        return difference

    def keep(self, identities: Iterable[str]) -> None:
        """These lines are selected as well."""
        self.selected |= frozenset(identities) & self._visible

    def retain(self, identities: Iterable[str]) -> None:
        """These lines stay until others are wanted, whatever becomes of them."""
        self._retained |= frozenset(identities)

    def hold(self, identities: Iterable[str]) -> None:
        """These lines are selected now; those that no longer are, and no longer pass, go."""
        deselected = self.selected - frozenset(identities)
        self.selected = frozenset(identities) & self._visible
        for identity in deselected & self._visible:
            self._refilter(identity)
        if self._arrange(deselected):
            self.counted.emit()

    def mark(self, changes: PlanChanges) -> None:
        """Mark what has changed, instead of what was marked before."""
        news = {name: change for change, names in _marks(changes) for name in names}
        if news != self.news:
            touched = self.news.keys() | news.keys()
            self.news = news
            self._touch(touched)

    def _take_lines(self) -> None:
        session = self._session
        self._lines = lines_of(session)

    def _passes(self, eventuality: Eventuality) -> bool:
        return self.wanted.chip in self._passed[eventuality.id] and self.has_match(eventuality)

    def _refilter(self, identity: str) -> None:
        stays = identity in self._visible and (identity in self.selected or identity in self._retained)
        if stays or self._passes(self.script.eventuality(identity)):
            self._visible.add(identity)
        else:
            self._visible.discard(identity)

    def _renew_keys(self) -> None:
        self._keys = {} if self.sorted_by is None else {identity: self._key(identity) for identity in self._passed}

    def _key(self, identity: str) -> Key:
        return () if self.sorted_by is None else SORT_KEYS[self.sorted_by](self.line(identity))

    def _ordered(self) -> list[str]:
        ids = list(self.script.eventuality_index)
        if len(self._visible) < len(ids):
            ids = [identity for identity in ids if identity in self._visible]
        if self.sorted_by is not None:
            ids.sort(key=self._keys.__getitem__, reverse=self._descending)
        return ids

    def _arrange(self, changed: frozenset[str]) -> bool:
        """Bring the rows into the order wanted, when only these lines changed; tells whether any row moved."""
        wanted = self._ordered()
        if wanted == self.ids:
            return False
        operations = shifts(self.ids, wanted, changed)
        if operations is None or (len(operations) > MANY and not self.busy):
            self._lay_out_anew(wanted)
            return True
        for each in operations:
            self._row = None
            if each.to is None and each.row is not None:
                self.beginRemoveRows(NOWHERE, each.row, each.row)
                del self.ids[each.row]
                self.endRemoveRows()
            elif each.row is None and each.to is not None:
                self.beginInsertRows(NOWHERE, each.to, each.to)
                self.ids.insert(each.to, each.identity)
                self.endInsertRows()
            elif each.row is not None and each.to is not None:
                # Qt names the row that it comes to stand before, counted with the moving row still in its old place.
                before = each.to if each.to < each.row else each.to + 1
                self.beginMoveRows(NOWHERE, each.row, each.row, NOWHERE, before)
                self.ids.insert(each.to, self.ids.pop(each.row))
                self.endMoveRows()
        return True

    def _lay_out_anew(self, wanted: list[str] | None = None) -> None:
        self.anew_about_to_be_shown.emit()
        self.beginResetModel()
        self.ids = self._ordered() if wanted is None else wanted
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


def _marks(changes: PlanChanges) -> Iterator[tuple[RowChange, Iterable[str]]]:
    yield RowChange.CAME, changes.added
    yield RowChange.WENT, changes.dropped
    yield RowChange.REWORDED, changes.reworded
    yield RowChange.MOVED, (shift.element for shift in changes.moved)
