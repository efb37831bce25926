"""The inspector: what is selected, everything about it, and why the plan treats it so."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from adstudio.core.script import Eventuality
from adstudio.ui.actions.focus_order import stops
from adstudio.ui.background.idle_scheduler import IDLE_MS
from adstudio.ui.background.timers import single_shot
from adstudio.ui.inspector.film_pages import CuePage, GapPage, RegionPage, ScenePage
from adstudio.ui.inspector.line_page import LinePage
from adstudio.ui.inspector.overview import FilmPage, SeveralPage
from adstudio.ui.inspector.page_base import Page
from adstudio.ui.session.context import Context
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.reading import AfterReading
from adstudio.ui.session.selection import Kind
from adstudio.ui.widgets.theme import UNIT

LEAST_WIDTH = 70 * UNIT
SOON_MS = 10
"""After a selection while the plan is settled: by then the selection is painted."""
LATER_MS = 30
"""After a change that nobody waits for: by then the timeline is painted and the panels have announced it."""


P = TypeVar("P", bound=Page)


def _page(kind: type[P]) -> cached_property[P]:
    return cached_property(lambda inspector: inspector.new_page(kind))


class Inspector(QScrollArea):
    """One page for each kind of thing, built at its first use. Looking at a thing does not change it."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._session = context, context.session
        self._flushing = False
        self._line: Eventuality | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._pages: list[Page] = []
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(3 * UNIT, 2 * UNIT, 3 * UNIT, 3 * UNIT)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self.setWidget(inside)
        self.page: Page = self.film
        self._rest = single_shot(self, IDLE_MS, self._fill_alone)
        self._later = single_shot(self, LATER_MS, self._show)
        session = context.session
        self._after_reading = AfterReading(session.reading, self._show, self)
        session.opened.connect(self._opened)
        session.current_plan.changed.connect(self._changed)
        session.cursor.selection_changed.connect(self.flush)
        session.current_plan.proved.connect(self.film.show_now)
        session.idle.turn().connect(self._fill_alone)
        self._show()

    def minimumSizeHint(self) -> QSize:
        """As wide as its content needs, whatever the size of the text."""
        content = self.widget()
        inside = 0 if content is None else content.minimumSizeHint().width()
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(max(LEAST_WIDTH, inside + bar), super().minimumSizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Other content may need another width."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    film = _page(FilmPage)
    line = _page(LinePage)
    several = _page(SeveralPage)
    gap = _page(GapPage)
    region = _page(RegionPage)
    cue = _page(CuePage)
    scene = _page(ScenePage)

    @property
    def pages(self) -> tuple[Page, ...]:
        """Every page, whether it has been wanted so far or not."""
        return (self.film, self.line, self.several, self.gap, self.region, self.cue, self.scene)

    def new_page(self, kind: type[P]) -> P:
        """A page, hidden until something of its kind is selected."""
        page = kind(self._context)
        page.hide()
        self._column.insertWidget(self._column.count() - 1, page)
        self._pages.append(page)
        return page

    def edit_text(self) -> None:
        """Put the cursor into the text of the selected line."""
        self._catch_up()
        if self._session.cursor.line is not None and self.page is self.line:
            self.line.edit_text()

    def edit_length(self) -> None:
        """Put the cursor into the length of the current wording."""
        self._catch_up()
        if self._session.cursor.line is not None and self.page is self.line:
            self.line.wordings.row_of(self._session.cursor.line).set_length()

    def remove_wording(self) -> None:
        """Remove the current wording."""
        self._catch_up()
        if self._session.cursor.line is not None and self.page is self.line:
            self.line.wordings.row_of(self._session.cursor.line).remove_wording()

    def enter(self) -> bool:
        """Focus the page's first field, of a line its state and reason; False where it has none."""
        self._catch_up()
        self.page.fill()
        first = self.page.first or next(iter(stops(self)), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)
        return first is not None

    def flush(self) -> None:
        """Take what is being typed, for what it was typed for: before another selection, saving or closing."""
        self._flushing = True
        try:
            self.page.flush()
        finally:
            self._flushing = False
        self._show_when_read()

    def _wanted(self) -> Page:
        selection = self._session.cursor.selection
        match selection.kind:
            case Kind.LINE:
                return self.line if len(selection.ids) == 1 else self.several
            case Kind.GAP:
                return self.gap
            case Kind.SILENCE | Kind.OPENING:
                return self.region
            case Kind.CUE:
                return self.cue
            case Kind.SCENE:
                return self.scene
            case Kind.NOTHING:
                return self.film

    def _opened(self) -> None:
        for page in self._pages:
            page.forget()
        self._show()

    def _changed(self, news: ChangeEvent) -> None:
        # Nobody waits for a change that is not urgent: the same line is shown anew in a turn of its own.
        if news.urgent or self.page is not self._wanted() or self._session.cursor.line is not self._line:
            self._show_when_read()
        else:
            self._later.start()

    def _show_when_read(self) -> None:
        """Show another thing at once, but with a screen reader only after it has been read.

        Orca before version 45 hears of each field that is filled before it reads the line, and drops what is to be
        announced while more than fifty events wait for it, which a page that is filled anew brings.
        """
        focus = QApplication.focusWidget()
        if QAccessible.isActive() and focus is not None and not self.isAncestorOf(focus):
            self._after_reading.start()
        else:
            self._show()

    def _catch_up(self) -> None:
        if self._after_reading.is_due:
            self._show()

    def _show(self) -> None:
        if self._flushing:
            return
        self._later.stop()
        self._after_reading.stop()
        self._line = self._session.cursor.line
        wanted = self._wanted()
        wanted.show_now()
        if wanted is not self.page or wanted.isHidden():
            self.page.hide()
            self.page = wanted
            wanted.show()
            self.verticalScrollBar().setValue(0)
        self._rest.start(SOON_MS if self._session.idle.is_idle else IDLE_MS)

    def _fill_alone(self) -> None:
        if not self._session.idle.is_idle:
            return  # the session says when it has settled the plan
        self._fill()
        if self._session.project is not None and "line" not in self.__dict__:
            _ = self.line  # so that the first line selected need not wait for its page

    def _fill(self) -> None:
        if self._later.isActive():
            self._show()
        self._rest.stop()
        self.page.fill()
