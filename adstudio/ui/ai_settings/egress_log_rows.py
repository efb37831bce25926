"""The requests that the log tells of, as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QDateTime, QLocale, QModelIndex, QPersistentModelIndex, Qt

from adstudio.connections.egress_log import HostTotal, LoggedRequest
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.theme import time_font

Index = QModelIndex | QPersistentModelIndex

NO_PARENT = QModelIndex()
COLUMNS = ("When", "Server", "What", "Project", "Out", "In", "Outcome")
WHEN, PLACE, WHAT, PROJECT, OUT, IN, OUTCOME = range(len(COLUMNS))
_OUTCOMES = {
    "refused": "not sent: the project does not allow it",
    "closed": "stopped",
    "failed": "connection lost",
    "sent": "sent; in progress, or result unknown",
    "unknown": "in progress, or result unknown",
}


class EgressLogRows(QAbstractTableModel):
    """Rows are only ever added at the end, as they are read from the newest back."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[LoggedRequest] = []

    def clear(self) -> None:
        """Begin anew."""
        self.beginResetModel()
        self.requests = []
        self.endResetModel()

    def add(self, requests: Sequence[LoggedRequest]) -> None:
        """Older ones."""
        if requests:
            first = len(self.requests)
            self.beginInsertRows(QModelIndex(), first, first + len(requests) - 1)
            self.requests += requests
            self.endInsertRows()

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """A row for each request."""
        return 0 if parent.isValid() else len(self.requests)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """See `COLUMNS`."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The names of the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        if (
            orientation is Qt.Orientation.Horizontal
            and role == Qt.ItemDataRole.TextAlignmentRole
            and section in (OUT, IN)
        ):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, figures to the right, the whole in a tip."""
        request, column = self.requests[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _text(request, column)
            case Qt.ItemDataRole.ToolTipRole:
                return description(request)
            case Qt.ItemDataRole.TextAlignmentRole if column in (OUT, IN):
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.FontRole if column in (WHEN, OUT, IN):
                return time_font()
            case _:
                return None


def size(count: int) -> str:
    """Bytes, as people say them."""
    return QLocale().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def outcome(request: LoggedRequest) -> str:
    """How a request ended."""
    if request.outcome == "answered":
        return f"status {request.status}"
    return _OUTCOMES[request.outcome]


def description(request: LoggedRequest) -> str:
    """A request in a sentence."""
    where = f"{request.method} {request.place}{request.path}"
    return f"{_when(request.at)}: {where}, {size(request.sent)} out, {size(request.received)} in, {outcome(request)}"


def sum_words(one: HostTotal) -> str:
    """What went to a machine."""
    return f"{one.place}: {counted(one.requests, 'request')}, {size(one.sent)} out, {size(one.received)} in"


def _text(request: LoggedRequest, column: int) -> str:
    texts = (
        _when(request.at),
        request.place,
        f"{request.method} {request.path}",
        request.project or "–",
        size(request.sent),
        size(request.received),
        outcome(request),
    )
    return texts[column]


def _when(at: str) -> str:
    """The time here, to the second; what is no time stays as it is written."""
    found = QDateTime.fromString(at, Qt.DateFormat.ISODateWithMs)
    return found.toLocalTime().toString("yyyy-MM-dd HH:mm:ss") if found.isValid() else at
