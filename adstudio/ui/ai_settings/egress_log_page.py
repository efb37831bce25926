"""The activity log: every request of this project, or of all, with the bytes out and in; read from the log's end."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from enum import IntEnum

from PySide6.QtCore import QDateTime, QElapsedTimer, QLocale, QModelIndex, Qt, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListWidget

from adstudio.connections.egress_log import Batch, HostTotal, LoggedRequest, read_back, totals_by_host
from adstudio.connections.model_access import default_log
from adstudio.core.errors import AdstudioError
from adstudio.ui.ai_settings.page import SettingsPage
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Picker, button
from adstudio.ui.widgets.form import row
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.row_table import Index, RowModel, RowTable
from adstudio.ui.widgets.text import heading, note, note_text, say_in, sentence, warning
from adstudio.ui.widgets.theme import UNIT, time_font

ABOUT = (
    "Every request to a model’s server, from the editor, the command line or a test. Bytes are counted before "
    "encryption; contents are never recorded."
)
NOTHING = "Nothing has been sent."
NOTHING_HERE = "Nothing from this project has been sent."
AT_ONCE_MS = 8
"""How long is read at a time, so that the window stays responsive."""
LEAST_OUTCOME = 32
"""In steps of the grid, as `WIDTHS`: with less room, the table scrolls sideways."""


class Column(IntEnum):
    """The columns of the table."""

    WHEN = 0
    PLACE = 1
    WHAT = 2
    PROJECT = 3
    OUT = 4
    IN = 5
    OUTCOME = 6


WIDTHS = {Column.WHEN: 38, Column.PLACE: 46, Column.WHAT: 44, Column.PROJECT: 30, Column.OUT: 20, Column.IN: 20}
TITLES = dict(zip(Column, ("When", "Server", "What", "Project", "Out", "In", "Outcome"), strict=True))
_OUTCOMES = {
    "refused": "not sent: the project does not allow it",
    "closed": "stopped",
    "failed": "connection lost",
    "sent": "sent; in progress, or result unknown",
    "unknown": "in progress, or result unknown",
}


class EgressLogRows(RowModel[Column]):
    """Logged requests; rows are only ever added at the end, as they are read from the newest back."""

    columns = Column
    titles = TITLES
    figures = frozenset({Column.OUT, Column.IN})

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[LoggedRequest] = []

    def clear(self) -> None:
        """Start again."""
        self.beginResetModel()
        self.requests = []
        self.endResetModel()

    def add(self, requests: Sequence[LoggedRequest]) -> None:
        """Add older requests."""
        if requests:
            first = len(self.requests)
            self.beginInsertRows(QModelIndex(), first, first + len(requests) - 1)
            self.requests += requests
            self.endInsertRows()

    def count(self) -> int:
        """One row per request."""
        return len(self.requests)

    def text(self, row: int, column: Column) -> str:
        """What a cell shows."""
        request = self.requests[row]
        texts = (
            _when(request.at),
            request.place,
            f"{request.method} {request.path}",
            request.project or "–",
            _size(request.sent),
            _size(request.received),
            _outcome(request),
        )
        return texts[column]

    def help(self, row: int, column: Column) -> str:
        """The whole request in a sentence, whatever the column."""
        del column
        request = self.requests[row]
        at = f" at {request.address}" if request.address and request.address not in request.place else ""
        what = f"{request.method} {request.place}{request.path}{at}"
        bytes_moved = f"{_size(request.sent)} out, {_size(request.received)} in"
        return f"{_when(request.at)}: {what}, {bytes_moved}, {_outcome(request)}"

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Times and sizes in figures of one width."""
        column = Column(index.column())
        if role == Qt.ItemDataRole.FontRole and (column is Column.WHEN or column in self.figures):
            return time_font()
        return super().data(index, role)


class EgressLogPage(SettingsPage):
    """Reads the log in small slices, and says how far it has read."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._reading: Generator[Batch] | None = None
        self._more = False
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._read_on)
        self.which = Picker("Project")
        self.which.addItems(["This project", "All projects, and requests outside projects"])
        self.which.activated.connect(lambda _: self.read())
        self.again_button = button("&Refresh", "Refresh the log", self.read)
        self.state = note("Range shown")
        self.problem = warning("Problem with the log")
        self.rows = EgressLogRows()
        self.rows.setParent(self)
        self.table = self._make_table()
        self.totals_by_host = QListWidget()
        self.totals_by_host.setAccessibleName("Totals by server")
        self.totals_by_host.setFrameShape(QFrame.Shape.StyledPanel)
        self.totals_by_host.setFixedHeight(26 * UNIT)
        self._lay_out(
            "Activity log",
            note_text("About the log", ABOUT),
            row(self.which, self.again_button, self.state, grows=self.state),
            self.problem,
            self.table,
            heading("By server"),
            self.totals_by_host,
            grows=self.table,
        )
        self.setFocusProxy(self.which)

    def _make_table(self) -> RowTable:
        table = RowTable("Requests, newest first", "", "Columns of the log")
        table.setFrameShape(QFrame.Shape.StyledPanel)
        table.setModel(self.rows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        table.setAlternatingRowColors(True)
        table.setStyleSheet(f"QTableView::item {{ padding: 0 {2 * UNIT}px; }}")
        table.set_row_height(6 * UNIT)
        for column, width in WIDTHS.items():
            table.horizontalHeader().resizeSection(column, width * UNIT)
        return table

    def _fit(self) -> None:
        """The last column gets the remaining width, and never too little to be read."""
        header = self.table.horizontalHeader()
        taken = sum(header.sectionSize(each) for each in WIDTHS if not header.isSectionHidden(each))
        header.resizeSection(Column.OUTCOME, max(self.table.viewport().width() - taken, LEAST_OUTCOME * UNIT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the new width."""
        super().resizeEvent(event)
        self._fit()

    def renew(self) -> None:
        """Read the log again, from its end."""
        is_open = self._context.session.project is not None
        self.which.setEnabled(is_open)
        if not is_open:
            self.which.setCurrentIndex(1)
        self.read()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop reading."""
        super().hideEvent(event)
        self._end()

    @property
    def projects(self) -> frozenset[str] | None:
        """The names of the open project in the log; None for all projects."""
        project = self._context.session.project
        if project is None or self.which.currentIndex() == 1:
            return None
        return frozenset({project.path.name, str(project.path), project.identity})

    def read(self) -> None:
        """Read the log from its end."""
        self._end()
        self.rows.clear()
        self.table.setColumnHidden(Column.PROJECT, self.projects is not None)
        self._fit()
        self.totals_by_host.clear()
        self._more = False
        say_in(self.problem, "")
        self._reading = read_back(default_log(), self.projects)
        self._timer.start()
        self._show_state()

    @property
    def is_reading(self) -> bool:
        """Whether there is more to come."""
        return self._reading is not None

    def _end(self) -> None:
        self._timer.stop()
        reading, self._reading = self._reading, None
        if reading is not None:
            reading.close()

    def _read_on(self) -> None:
        clock = QElapsedTimer()
        clock.start()
        try:
            while self._reading is not None and clock.elapsed() < AT_ONCE_MS:
                batch = next(self._reading, None)
                if batch is None:
                    self._end()
                    break
                self.rows.add(batch.requests)
                self._more = batch.more
        except AdstudioError as error:
            self._end()
            say_in(self.problem, sentence(str(error)))
        if self._reading is None:
            self.totals_by_host.addItems([_total(each) for each in totals_by_host(self.rows.requests)])
        self._show_state()

    def _show_state(self) -> None:
        count = len(self.rows.requests)
        if self.is_reading:
            text = f"Reading: {counted(count, 'request')} so far…"
        elif self._more:
            text = f"The last {counted(count, 'request')}, with totals; older ones are in the log files."
        elif count:
            text = f"{counted(count, 'request')}: the whole log."
        else:
            text = "" if self.problem.text() else NOTHING if self.projects is None else NOTHING_HERE
        self.state.setText(text)


def _outcome(request: LoggedRequest) -> str:
    if request.outcome == "answered":
        return f"status {request.status}"
    return _OUTCOMES[request.outcome]


def _total(host: HostTotal) -> str:
    return f"{host.place}: {counted(host.requests, 'request')}, {_size(host.sent)} out, {_size(host.received)} in"


def _size(count: int) -> str:
    return QLocale().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def _when(at: str) -> str:
    """The local time, to the second; what is not a time stays as it is written."""
    found = QDateTime.fromString(at, Qt.DateFormat.ISODateWithMs)
    return found.toLocalTime().toString("yyyy-MM-dd HH:mm:ss") if found.isValid() else at
