"""The tab of drafts: the scenes that a model drafts, and the report of the draft that the project began with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from adstudio.ui.drafts.model_drafting import ModelDrafting
from adstudio.ui.drafts.model_request import OpenModels
from adstudio.ui.drafts.report_page import ReportPage
from adstudio.ui.drafts.scenes_page import NEW, ScenesPage
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Choice, Tool
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.theme import UNIT

BY_MODEL, REPORT = range(2)
PAGES = (
    ("By a model", "Scenes drafted by a model, while you work"),
    ("Report", "The report of the draft that the project began with"),
)
GONE = "There is no connection “{}” any more: choose another model."


class DraftsPanel(QWidget):
    """Two pages, each with a strip of its own above it."""

    counted = Signal(int)
    """Scenes that a model has still to draft."""
    close_asked = Signal()
    """The tab is to be closed."""

    def __init__(
        self, context: Context, drafts: ModelDrafting, open_models: OpenModels, cuts: Callable[[], Sequence[int]]
    ) -> None:
        super().__init__()
        self._preferences = context.preferences
        self.drafts = drafts
        self.page = ScenesPage(context, self.drafts, open_models, cuts)
        self.report = ReportPage(context.session, context.actions, context.theme)
        self._choice = Choice("Drafts", PAGES)
        self._choice.setFixedHeight(7 * UNIT)
        self._choice.chosen.connect(self._show)
        self._headers, self._pages = QStackedWidget(), QStackedWidget()
        for page in (self.page, self.report):
            self._headers.addWidget(page.header)
            self._pages.addWidget(page)
        top = QHBoxLayout()
        top.setSpacing(4 * UNIT)
        top.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        top.addWidget(self._choice, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self._headers, 1)
        close = Tool("×", "Close drafts", self.close_asked.emit)
        top.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        layout = column(top, self._pages, spacing=0)
        layout.setStretchFactor(self._pages, 1)
        self.setLayout(layout)
        self.page.counted.connect(self.counted)
        context.session.storage.models_changed.connect(self.page.renew)
        self.show_page(BY_MODEL)

    @property
    def count(self) -> int:
        """Scenes that a model has still to draft."""
        return self.page.count

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

    def preselect(self, model: str) -> str:
        """Choose a model and all scenes, and focus the button that is next; a sentence about what is chosen.

        Consent is asked for as always: only the page's own button starts the draft, once the project allows it.
        """
        page = self.page
        self._preferences.store("model", model)
        page.which.setCurrentIndex(NEW)
        page.anew.setChecked(False)
        self.show_page(BY_MODEL)
        buttons = (page.start_button, page.out_button)
        target = next((each for each in buttons if each.isVisibleTo(page.header) and each.isEnabled()), page.table)
        target.setFocus(Qt.FocusReason.OtherFocusReason)
        named = page.model.named
        if named is None or named.name != model:
            return f"{GONE.format(model)} {page.progress.whole}".strip()
        scenes = counted(len(page.rows.scenes), "scene")
        return f"{scenes} for {model} to draft. {page.progress.whole}".strip()
