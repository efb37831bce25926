"""The tab of drafts: the scenes that a model drafts, and the report of the draft that the project began with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from adstudio.ui.drafts.model_drafting import ModelDrafting
from adstudio.ui.drafts.model_request import OpenModels
from adstudio.ui.drafts.report_page import ReportPage
from adstudio.ui.drafts.scenes_page import ScenesPage
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Choice
from adstudio.ui.widgets.theme import UNIT

BY_MODEL, REPORT = range(2)
PAGES = (
    ("By a model", "Scenes drafted by a model, while you work"),
    ("Report", "What came of the draft that the project began with"),
)


class DraftsPanel(QWidget):
    """Two pages, each with a strip of its own above it."""

    counted = Signal(int)
    """Scenes that a model has still to draft."""

    def __init__(self, context: Context, open_models: OpenModels, cuts: Callable[[], Sequence[int]]) -> None:
        super().__init__()
        self.setMinimumHeight(9 * UNIT)
        self.drafts = ModelDrafting(context.session, context.jobs, self)
        self.page = ScenesPage(context, self.drafts, open_models, cuts)
        self.report = ReportPage(context.session, context.actions, context.theme)
        self._choice = Choice("Drafts", PAGES)
        self._choice.setFixedHeight(7 * UNIT)
        self._choice.chosen.connect(self._show)
        self._headers, self._pages = QStackedWidget(), QStackedWidget()
        for header, page in ((self.page.header, self.page), (self.report.header, self.report)):
            self._headers.addWidget(header)
            self._pages.addWidget(page)
        top = QHBoxLayout()
        top.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        top.setSpacing(4 * UNIT)
        top.addWidget(self._choice, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self._headers, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self._pages, 1)
        self.page.counted.connect(self.counted)
        self.show_page(BY_MODEL)

    @property
    def count(self) -> int:
        """Scenes that a model has still to draft."""
        course = self.drafts.course
        return len(course.scenes) - course.ended if self.drafts.busy else 0

    def show_page(self, place: int) -> None:
        """Bring one of the two to the front."""
        self._choice.show_choice(place)
        self._show(place)

    def _show(self, place: int) -> None:
        self._headers.setCurrentIndex(place)
        self._pages.setCurrentIndex(place)
        self.setFocusProxy(self.report if place == REPORT else self.page)
        if place == BY_MODEL:
            self.page.renew()
