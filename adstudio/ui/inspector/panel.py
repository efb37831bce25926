"""The inspector: what is in hand, all that can be said of it, and why the plan treats it so."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from adstudio.core.script import Eventuality
from adstudio.ui.actions.focus_order import stops
from adstudio.ui.background.idle_scheduler import IDLE_MS
from adstudio.ui.inspector.overview import FilmPage, SeveralPage
from adstudio.ui.inspector.page_base import Page
from adstudio.ui.session.change_event import ChangeEvent
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind
from adstudio.ui.widgets.theme import UNIT

if TYPE_CHECKING:
    from adstudio.ui.inspector.cue_page import CuePage, ScenePage
    from adstudio.ui.inspector.gap_page import GapPage, RegionPage
    from adstudio.ui.inspector.line_page import LinePage

LEAST_WIDTH = 70 * UNIT
LATER_MS = 30
"""After something has come of itself: the timeline is painted and the panels have put it in words by then."""


P = TypeVar("P", bound=Page)


class Inspector(QScrollArea):
    """One page for each kind of thing, made when it is first wanted. Looking at a thing changes nothing of it."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._session = context, context.session
        self._flushing = False
        self._line: Eventuality | None = None
        self.setAccessibleName("Inspector")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._pages: list[Page] = []
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(3 * UNIT, 2 * UNIT, 3 * UNIT, 3 * UNIT)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self.setWidget(inside)
        self.page: Page = self.film
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._fill_alone)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(LATER_MS)
        self._later.timeout.connect(self._show)
        session = context.session
        session.opened.connect(self._opened)
        session.current_plan.changed.connect(self._changed)
        session.cursor.selection_changed.connect(self._other)
        session.current_plan.proved.connect(self.film.show_now)
        session.idle.turn().connect(self._fill_alone)
        self._show()

    @cached_property
    def film(self) -> FilmPage:
        """Where nothing is in hand."""
        return self._new(FilmPage(self._context))

    @cached_property
    def line(self) -> LinePage:
        """A line."""
        from adstudio.ui.inspector.line_page import LinePage

        return self._new(LinePage(self._context))

    @cached_property
    def several(self) -> SeveralPage:
        """Several lines."""
        return self._new(SeveralPage(self._context))

    @cached_property
    def gap(self) -> GapPage:
        """A gap."""
        from adstudio.ui.inspector.gap_page import GapPage

        return self._new(GapPage(self._context))

    @cached_property
    def stretch(self) -> RegionPage:
        """A silence, or a stretch that was opened."""
        from adstudio.ui.inspector.gap_page import RegionPage

        return self._new(RegionPage(self._context))

    @cached_property
    def cue(self) -> CuePage:
        """A dialogue cue."""
        from adstudio.ui.inspector.cue_page import CuePage

        return self._new(CuePage(self._context))

    @cached_property
    def scene(self) -> ScenePage:
        """A scene."""
        from adstudio.ui.inspector.cue_page import ScenePage

        return self._new(ScenePage(self._context))

    @property
    def pages(self) -> tuple[Page, ...]:
        """Every page, whether it has been wanted so far or not."""
        return (self.film, self.line, self.several, self.gap, self.stretch, self.cue, self.scene)

    def _new(self, page: P) -> P:
        page.hide()
        self._column.insertWidget(self._column.count() - 1, page)
        self._pages.append(page)
        return page

    def edit_text(self) -> None:
        """Put the cursor into the text of the line in hand."""
        if self._session.cursor.line is not None and self.page is self.line:
            self.line.edit_text()

    def enter(self) -> bool:
        """Put the hand into the page, where its first field is; False where it has none."""
        first = next(iter(stops(self)), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)
        return first is not None

    def flush(self) -> None:
        """Take what is being typed now, before it is saved or closed."""
        self._flushing = True
        try:
            self.page.flush()
        finally:
            self._flushing = False
        self._show()

    def _wanted(self) -> Page:
        selection = self._session.cursor.selection
        match selection.kind:
            case Kind.LINE:
                return self.line if len(selection.ids) == 1 else self.several
            case Kind.GAP:
                return self.gap
            case Kind.SILENCE | Kind.OPENING:
                return self.stretch
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

    def _other(self) -> None:
        """Something else is in hand: what was typed is taken first, for what it was typed for."""
        self.flush()

    def _changed(self, news: ChangeEvent) -> None:
        # No hand waits for what has come of itself: the same line is shown in that state in a turn of its own.
        if news.urgent or self.page is not self._wanted() or self._session.cursor.line is not self._line:
            self._show()
        else:
            self._later.start()

    def _show(self) -> None:
        if self._flushing:
            return
        self._later.stop()
        self._line = self._session.cursor.line
        wanted = self._wanted()
        wanted.show_now()
        if wanted is not self.page or wanted.isHidden():
            self.page.hide()
            self.page = wanted
            wanted.show()
            self.verticalScrollBar().setValue(0)
        self._rest.start(IDLE_MS)

    def _fill_alone(self) -> None:
        """In a turn of its own."""
        if not self._session.idle.is_idle:
            return  # the session says when it has settled the plan
        self._fill()
        if self._session.project is not None and "line" not in self.__dict__:
            _ = self.line  # so that the first line that is taken in hand need not wait for its page

    def _fill(self) -> None:
        if self._later.isActive():
            self._show()
        self._rest.stop()
        self.page.fill()
