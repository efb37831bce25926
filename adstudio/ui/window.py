"""The editor's one window: it makes the parts, puts them in their places and lets them go in order."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QDockWidget,
    QLabel,
    QListView,
    QMainWindow,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from adstudio.drafting.report import Report
from adstudio.planning.film_live import Engines
from adstudio.ui.actions.actions import Actions
from adstudio.ui.commands.commands import connect_commands
from adstudio.ui.desk import Desk, Theme
from adstudio.ui.files.files import Files
from adstudio.ui.files.recent_menu import RecentMenu
from adstudio.ui.files.unwritten import UnwrittenBanner
from adstudio.ui.files.welcome import Welcome, dropped
from adstudio.ui.geometry import place, remember
from adstudio.ui.grip import Grip
from adstudio.ui.hearing.hearing import Hearing
from adstudio.ui.in_step.banner import InStepBanner
from adstudio.ui.in_step.watch import InStepWatch
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.jobs import Jobs
from adstudio.ui.layouts import TABS, Layouts
from adstudio.ui.looks import connect_looks
from adstudio.ui.marshal import Marshal
from adstudio.ui.opinions import Opinions
from adstudio.ui.panels.changes import ChangesPanel
from adstudio.ui.panels.draft_rows import summary
from adstudio.ui.panels.drafts import BY_MODEL, REPORT, DraftsPanel
from adstudio.ui.panels.history import HistoryPanel
from adstudio.ui.panels.problems import ProblemsPanel
from adstudio.ui.panels.redraft import RedraftBanner
from adstudio.ui.panels.scenes import ScenesPanel
from adstudio.ui.panels.status import PlanStatus
from adstudio.ui.panels.tasks import TasksPanel
from adstudio.ui.picture.icons import SIZE, icon
from adstudio.ui.picture.picture import Picture
from adstudio.ui.picture.player import make_player
from adstudio.ui.picture.transport import Transport
from adstudio.ui.preferences import Preferences
from adstudio.ui.selection import Kind
from adstudio.ui.session import Session
from adstudio.ui.still import Still
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.theme import UNIT
from adstudio.ui.timeline.timeline import Timeline
from adstudio.ui.walk import Panel, Walk

SAID_MS = 8000
"""How long a sentence stays in the status line."""
LEAST_BAR = 160 * UNIT
"""Room for the transport and for what is most urgent of the plan."""
ROOM_FOR_PLAN = 244 * UNIT
"""A window as wide as this has room for transport and plan in one bar."""
ROOM_TO_READ = 60 * UNIT
"""The height in which the report of a draft is read without much scrolling."""
BAR_SIGNS = {"edit.undo": "undo", "edit.redo": "redo"}


class Window(QMainWindow):
    """Welcome page or editor; owns everything that has to be ended."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("adstudio")
        self.setAccessibleName("adstudio")
        self.setAcceptDrops(True)
        preferences = Preferences(self)
        self.jobs = Jobs(self)
        self.session = Session(self)
        self.actions_ = Actions(self, preferences.keys)
        self.desk = Desk(self.session, self.actions_, preferences, Theme(preferences), self.jobs)
        self.marshal = Marshal(self)
        self.player = make_player(self.desk, self.marshal)
        self.opinions = Opinions(self.desk)
        self.picture = Picture(self.desk, self.player)
        self.table = ScriptTable(self.desk)
        self.timeline = Timeline(self.desk)
        self.watch = InStepWatch(self.desk, self.timeline.films)
        self.offer = InStepBanner(self.watch, self.desk.theme)
        self.inspector = Inspector(self.desk)
        self.hearing = Hearing(self.desk, self.player)
        self.files = Files(self.desk, self)

        self._open: bool | None = None
        self._walk: Walk | None = None
        self._build()
        connect_commands(self.desk, self, self.timeline.films)
        self._walk = Walk(self, self._panels(), self.actions_, self._announce, self._is_open)
        self._listen()
        place(self, preferences)
        self._show_page()

    def _build(self) -> None:
        self.work = QSplitter(Qt.Orientation.Vertical)
        self.work.setObjectName("work")
        self.work.setChildrenCollapsible(False)
        self.work.addWidget(self.picture)
        self.work.addWidget(Still(self.table))
        self.pages = QStackedWidget()
        self.welcome = Welcome(self.desk, self.files)
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(_stacked((UnwrittenBanner(self.desk), self.offer, RedraftBanner(self.desk)), self.work))
        self.setCentralWidget(self.pages)
        self.setDockNestingEnabled(True)
        for corner, area in (
            (Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea),
            (Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.BottomDockWidgetArea),
        ):
            self.setCorner(corner, area)
        bottom = Qt.DockWidgetArea.BottomDockWidgetArea
        self.scenes = self._dock("scenes", "Scenes", ScenesPanel(self.desk), Qt.DockWidgetArea.LeftDockWidgetArea)
        self._dock("inspector", "Inspector", self.inspector, Qt.DockWidgetArea.RightDockWidgetArea)
        timeline = self._dock("timeline", "Timeline", self.timeline, bottom)
        problems, changes, tasks = ProblemsPanel(self.desk, self.watch), ChangesPanel(self.desk), TasksPanel(self.desk)
        self.problems, self.drafts = problems, DraftsPanel(self.desk, self._open_models, self._known_cuts)
        tabs = [
            self._dock("problems", "Problems", problems, bottom),
            self._dock("changes", "Plan changes", changes, bottom),
            self._dock("tasks", "Tasks", tasks, bottom),
            self._dock("drafts", "Drafts", self.drafts, bottom),
            self._dock("history", "History", HistoryPanel(self.desk), bottom),
        ]
        self._tabs = tabs
        for panel, dock in zip((problems, changes, tasks, self.drafts), tabs[:4], strict=True):
            title = dock.windowTitle()
            panel.counted.connect(lambda count, dock=dock, title=title: _count(dock, title, count))
            _count(dock, title, panel.count)
        self.splitDockWidget(timeline, tabs[0], Qt.Orientation.Vertical)
        for tab in tabs[1:]:
            self.tabifyDockWidget(tabs[0], tab)
        tabs[0].raise_()
        self.setTabPosition(bottom, QTabWidget.TabPosition.North)
        self.bar = QToolBar("Transport and plan")
        self.bar.setObjectName("bar")
        self.bar.setMovable(False)
        self.bar.setIconSize(QSize(SIZE, SIZE))
        self.bar.setMinimumWidth(LEAST_BAR)
        for name in BAR_SIGNS:
            self.actions_[name].setIconVisibleInMenu(False)
            self.bar.addAction(self.actions_[name])
        self._dress()
        self.desk.theme.changed.connect(self._dress)
        self.bar.addSeparator()
        self.bar.addWidget(Transport(self.desk, self.player))
        self.status = PlanStatus(self.desk)
        self.bar.addWidget(Still(self.status))
        self.narrow_status: PlanStatus | None = None
        self.addToolBar(self.bar)
        self.actions_.fill(self.menuBar())
        RecentMenu(self.desk.preferences, self.files, self).insert_after(self.actions_["file.open"], self.menuBar())
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setContentsMargins(2 * UNIT, 0, 2 * UNIT, 0)
        self.message = QLabel()
        self.message.setAccessibleName("Message")
        self.statusBar().addWidget(self.message, 1)
        self.layouts = Layouts(self.desk, self)

    def _panels(self) -> tuple[Panel, ...]:
        """The parts of the window in the order of the Tab key."""
        play = next(
            button
            for button in self.bar.findChildren(QToolButton)
            if button.defaultAction() is self.actions_["play.toggle"]
        )
        return (
            Panel("Picture and transport", (self.bar, self.picture), play),
            Panel("Subtitles and speech", (self.offer,)),
            Panel("Script table", self.table.in_order, self.table.view),
            Panel("Inspector", (self.inspector,)),
            Panel("Timeline", (self.timeline,), self.timeline.canvas),
            Panel("Scenes", (self.scenes.widget(),), self.scenes.widget().findChild(QListView)),
            *(Panel(dock.objectName().capitalize(), (dock.widget(),)) for dock in self._tabs),
        )

    def _dock(self, name: str, title: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(content)
        dock.setAccessibleName(title)
        dock.setTitleBarWidget(Grip(dock, UNIT if name in TABS else 2 * UNIT))
        self.addDockWidget(area, dock)
        return dock

    def _listen(self) -> None:
        session = self.session
        self.desk.preferences.changed.connect(
            lambda name: self._use_engines() if name in ("backend", "limit") else None
        )
        self._use_engines()
        connect_looks(self.desk)
        self.table.edit_asked.connect(self._edit_text)
        self.actions_.connect("file.models", lambda: self._open_models("connections"))
        session.models_changed.connect(self.drafts.page.renew)
        self.actions_.connect("line.inspect", self._inspect, self._is_open)
        session.flush_asked.connect(self.table.flush)
        session.flush_asked.connect(self.inspector.flush)
        self.problems.offer_asked.connect(self.offer.enter)
        self.offer.left.connect(self.table.setFocus)
        self.timeline.current_changed.connect(self._announce)
        session.said.connect(self._say)
        self.status.problems_asked.connect(self._show_problems)
        self.files.drafted.connect(self._drafted)
        self.actions_.connect("plan.report", self._read_report, lambda: self.drafts.report.report is not None)
        self.actions_.connect("plan.by_model", self._watch_drafts, self._is_open)
        session.opened.connect(self._show_page)
        session.saved_changed.connect(self._title)
        # Told after every change and every opening too.
        session.saved_changed.connect(self.actions_.refresh)
        session.selection_changed.connect(self.actions_.refresh)

    def _dress(self) -> None:
        tokens = self.desk.theme.tokens
        for name, sign in BAR_SIGNS.items():
            self.actions_[name].setIcon(icon(sign, tokens.text, tokens.faint))

    def _use_engines(self) -> None:
        preferences = self.desk.preferences
        self.session.use(Engines(preferences.backend, preferences.limit))

    def _edit_text(self) -> None:
        """Edit the text of the line in hand: in the inspector where that is shown, else in the table."""
        if self.inspector.isVisible():
            self.inspector.edit_text()
        else:
            self.table.setFocus()
            self.table.edit_text()

    def _is_open(self) -> bool:
        return self.session.project is not None

    def _inspect(self) -> None:
        """The hand goes to what the inspector says of the thing in hand; it is shown where it was not."""
        if self.session.selection.kind is Kind.NOTHING:
            self.session.say("Select a line first.")
            return
        for dock in self.findChildren(QDockWidget, "inspector"):
            dock.show()
            dock.raise_()
        self.inspector.enter()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key that nobody took: where it acts on lines and cannot now, that is said instead of nothing."""
        name = self.actions_.refused(QKeySequence(event.keyCombination())) if self._is_open() else ""
        if name.startswith("line."):
            one = self.session.line is None
            self.session.say("Select a line first." if one else "That cannot be done with what is selected.")
            return
        super().keyPressEvent(event)

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """The Tab key goes down a panel and on to the next one."""
        if self._walk is not None and self._walk.tab(1 if forwards else -1):
            return True
        return super().focusNextPrevChild(forwards)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the bar has no room for the plan's state, that stands in the status line."""
        super().resizeEvent(event)
        narrow = self.width() < ROOM_FOR_PLAN
        if narrow and self.narrow_status is None:
            self.narrow_status = PlanStatus(self.desk)
            self.narrow_status.problems_asked.connect(self._show_problems)
            self.statusBar().addPermanentWidget(self.narrow_status)
        if self.narrow_status is not None:
            self.narrow_status.setVisible(narrow and bool(self._open))

    def _show_problems(self) -> None:
        """Bring the list of what cannot hold to the front, the hand on it."""
        self._bring(self.problems)
        self.problems.setFocus()

    def _drafted(self, report: Report, fresh: bool) -> None:
        """A project was just drafted and is open: what came of it is told, the hand stays in the table."""
        self.drafts.report.tell(report)
        if not fresh:
            return
        self.drafts.show_page(REPORT)
        self._bring(self.drafts, ROOM_TO_READ)
        self.session.say(summary(report))

    def _read_report(self) -> None:
        """The hand goes to the report of the draft."""
        self.drafts.show_page(REPORT)
        self._bring(self.drafts, ROOM_TO_READ)
        self.drafts.setFocus()

    def _watch_drafts(self) -> None:
        """The hand goes to the scenes that a model drafts."""
        self._bring(self.drafts, ROOM_TO_READ)
        self.drafts.show_page(BY_MODEL)
        self.drafts.setFocus()

    def _known_cuts(self) -> tuple[int, ...]:
        """The film's cuts, as far as they have been found."""
        shots = self.timeline.films.data.shots
        return () if shots is None else shots.cuts

    def _open_models(self, page: str) -> None:
        """A page of the models' settings: policy, connections, people, prompts or log."""
        from adstudio.ui.models.opening import open_models

        open_models(self.desk, page)

    def _bring(self, panel: QWidget, least: int = 0) -> None:
        """Show a panel in front of the others, as high as it needs to be where the window has that."""
        for dock in self.findChildren(QDockWidget):
            if dock.widget() is panel:
                dock.show()
                dock.raise_()
                if dock.height() < least and not dock.isFloating():
                    self.resizeDocks([dock], [min(least, self.height() // 4)], Qt.Orientation.Vertical)

    def _say(self, sentence: str) -> None:
        self.statusBar().showMessage(sentence, SAID_MS)
        self._announce(sentence)

    def _announce(self, sentence: str) -> None:
        """Have a screen reader say it."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    def _show_page(self) -> None:
        is_open = self.session.project is not None
        if is_open == self._open:
            return
        if self._open:
            self.layouts.remember()
        self._open = is_open
        self.layouts.hold_size()
        self.pages.setCurrentIndex(int(is_open))
        # What is not shown asks for no room.
        policy = QSizePolicy.Policy.Ignored if is_open else QSizePolicy.Policy.Preferred
        self.welcome.setSizePolicy(policy, policy)
        self.bar.setVisible(is_open)
        if self.narrow_status is not None:
            self.narrow_status.setVisible(is_open and self.width() < ROOM_FOR_PLAN)
        if is_open:
            self.layouts.restore()
            self.table.setFocus()
        else:
            for dock in self.findChildren(QDockWidget):
                dock.hide()
        self._title()

    def _title(self) -> None:
        project = self.session.project
        read_only = " (opened to read)" if project is not None and project.read_only else ""
        title = "" if project is None else f"{project.path.name}{read_only}[*]"
        changed = project is not None and self.session.document.changed
        # After every edit; the window system takes a millisecond for each word that it is told.
        if title != self.windowTitle():
            self.setWindowTitle(title)
        if changed != self.isWindowModified():
            self.setWindowModified(changed)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A project, a video or subtitles may be dropped anywhere."""
        if dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped, or set a project up with it."""
        path = dropped(event)
        if path is not None:
            event.acceptProposedAction()
            self.files.take(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, then let everything go."""
        if not self.files.may_leave():
            event.ignore()
            return
        if self._open:
            self.layouts.remember()
        remember(self, self.desk.preferences)
        self.shut_down()
        event.accept()

    def shut_down(self) -> None:
        """End playing, speaking, planning and every process; asking twice does no harm."""
        self.hearing.close()
        self.player.close()
        self.opinions.close()
        self.jobs.shut_down()
        self.session.close_project()
        self.marshal.close()


def _stacked(above: Sequence[QWidget], below: QWidget) -> QWidget:
    """One over the other, all the room for the lowest."""
    both = QWidget()
    column = QVBoxLayout(both)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for each in above:
        column.addWidget(each)
    column.addWidget(below, 1)
    return both


def _count(dock: QDockWidget, title: str, count: int) -> None:
    """What a tab holds, where it holds anything."""
    dock.setWindowTitle(f"{title} · {count}" if count else title)
