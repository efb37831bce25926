"""What was sent: every request of this project, or of all, with the bytes out and in; read from the log's end."""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from adstudio.connections.egress_log import Batch, read_back, totals_by_host
from adstudio.connections.model_access import default_log
from adstudio.core.errors import AdstudioError
from adstudio.ui.ai_settings.egress_log_rows import (
    IN,
    OUT,
    OUTCOME,
    PLACE,
    PROJECT,
    WHAT,
    WHEN,
    EgressLogRows,
    sum_words,
)
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Picker, button
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.text import heading, note, note_text, say_in, sentence, title, warning
from adstudio.ui.widgets.theme import UNIT

ABOUT = (
    "Every request to a model’s server, from the editor, the command line or a test. Bytes are counted before "
    "encryption; contents are never recorded."
)
NOTHING = "Nothing has been sent."
NOTHING_HERE = "Nothing from this project has been sent."
AT_ONCE_MS = 8
"""How long is read at a time, so that the window stays quick."""
WIDTHS = {WHEN: 38, PLACE: 46, WHAT: 44, PROJECT: 30, OUT: 20, IN: 20}
LEAST_OUTCOME = 32
"""In steps of the grid, as `WIDTHS`: where there is less room, the table can be moved sideways."""


class EgressLogPage(QWidget):
    """Reads on while there is time, and says where it stopped."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._reading: Generator[Batch] | None = None
        self._more = False
        self._timer = QTimer(self)
        self._timer.setInterval(0)
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
        top = QHBoxLayout()
        top.setSpacing(2 * UNIT)
        top.addWidget(self.which)
        top.addWidget(self.again_button)
        top.addWidget(self.state, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3 * UNIT)
        layout.addWidget(title("Activity log"))
        layout.addWidget(note_text("About the log", ABOUT))
        layout.addLayout(top)
        layout.addWidget(self.problem)
        layout.addWidget(self.table, 1)
        layout.addWidget(heading("By server"))
        layout.addWidget(self.totals_by_host)
        self.setFocusProxy(self.which)

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setAccessibleName("Requests, newest first")
        table.setFrameShape(QFrame.Shape.StyledPanel)
        table.setModel(self.rows)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setWordWrap(False)
        table.setStyleSheet(f"QTableView::item {{ padding: 0 {2 * UNIT}px; }}")
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(6 * UNIT)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, width in WIDTHS.items():
            header.resizeSection(column, width * UNIT)
        return table

    def _fit(self) -> None:
        """How it came out has what is left, and never too little to be read."""
        header, others = self.table.horizontalHeader(), [column for column in WIDTHS if column != OUTCOME]
        taken = sum(header.sectionSize(each) for each in others if not header.isSectionHidden(each))
        header.resizeSection(OUTCOME, max(self.table.viewport().width() - taken, LEAST_OUTCOME * UNIT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, or less."""
        super().resizeEvent(event)
        self._fit()

    def renew(self) -> None:
        """It comes into sight, or another project is open: the log is read from its end."""
        is_open = self._context.session.project is not None
        self.which.setEnabled(is_open)
        if not is_open:
            self.which.setCurrentIndex(1)
        self.read()

    def flush(self) -> None:
        """Nothing is typed here."""

    def hideEvent(self, event: QHideEvent) -> None:
        """What is being read is given up."""
        super().hideEvent(event)
        self._end()

    @property
    def projects(self) -> frozenset[str] | None:
        """What the project is known by in the log; None for all."""
        project = self._context.session.project
        if project is None or self.which.currentIndex() == 1:
            return None
        return frozenset({project.path.name, str(project.path), project.identity})

    def read(self) -> None:
        """From the end again."""
        self._end()
        self.rows.clear()
        self.table.setColumnHidden(PROJECT, self.projects is not None)
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
                looked = next(self._reading, None)
                if looked is None:
                    self._end()
                    break
                self.rows.add(looked.requests)
                self._more = looked.more
        except AdstudioError as error:
            self._end()
            say_in(self.problem, sentence(str(error)))
        if self._reading is None:
            self.totals_by_host.addItems([sum_words(each) for each in totals_by_host(self.rows.requests)])
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
