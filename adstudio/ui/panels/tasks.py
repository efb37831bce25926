"""The list of background tasks, each with its progress, its stages if it has any, and a button that stops it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QScrollArea, QWidget

from adstudio.ui.background.jobs import Job
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.stage_list import StageList
from adstudio.ui.widgets.text import words
from adstudio.ui.widgets.theme import UNIT

STEPS = 1000


class _Row(QWidget):
    """One task."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.setAccessibleName(job.title)
        self._what = words(quiet=True)
        self._bar = QProgressBar(textVisible=False)
        self._bar.setRange(0, 0)
        self._bar.setFixedWidth(50 * UNIT)
        self._bar.setAccessibleName(f"Progress: {job.title}")
        stop = QPushButton("Stop")
        stop.setAccessibleName(f"Stop: {job.title}")
        stop.clicked.connect(job.stop)
        line = QHBoxLayout()
        line.setSpacing(3 * UNIT)
        for widget in (QLabel(job.title), self._bar, self._what, stop):
            line.addWidget(widget, 1 if widget is self._what else 0)
        rows = column(line)
        rows.setContentsMargins(3 * UNIT, 0, 2 * UNIT, 0)
        self.setLayout(rows)
        self._job = job
        self._stages = StageList(f"Stages: {job.title}") if job.stages else None
        if self._stages is not None:
            rows.addWidget(self._stages)
        job.progressed.connect(self._progress)
        self._progress(job.fraction, "")

    def _progress(self, fraction: float, what: str) -> None:
        self._bar.setRange(0, 0 if fraction < 0 else STEPS)
        self._bar.setValue(round(max(0.0, fraction) * STEPS))
        self._what.setText(what)
        if self._stages is not None:
            self._stages.show_stages(self._job.stages)


class TasksPanel(QScrollArea):
    """What runs in the background now, or a sentence that nothing does."""

    counted = Signal(int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setAccessibleName("Tasks")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setMinimumHeight(6 * UNIT)
        content = QWidget()
        self._idle = words("Nothing is running in the background.", quiet=True)
        self._idle.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        self._layout = column(self._idle, spacing=0)
        self._layout.setContentsMargins(0, UNIT, 0, UNIT)
        self._layout.addStretch(1)
        content.setLayout(self._layout)
        self._layout.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setWidget(content)
        self._rows: dict[Job, _Row] = {}
        context.jobs.started.connect(self._started)
        context.jobs.finished.connect(self._finished)
        for job in context.jobs.running:
            self._started(job)

    @property
    def count(self) -> int:
        """How many tasks run."""
        return len(self._rows)

    def _started(self, job: Job) -> None:
        row = self._rows[job] = _Row(job)
        self._layout.insertWidget(0, row)
        self._idle.hide()
        self.counted.emit(self.count)

    def _finished(self, job: Job) -> None:
        row = self._rows.pop(job, None)
        if row is not None:
            row.hide()
            row.deleteLater()
        self._idle.setVisible(not self._rows)
        self.counted.emit(self.count)
