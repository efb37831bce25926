"""The editor's one window: it makes the parts, puts them in their places and lets them go in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from adstudio.planning.film.live_plan import Engines
from adstudio.ui.actions.actions import Actions
from adstudio.ui.app.appearance import connect_looks
from adstudio.ui.app.window_geometry import place, remember
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.files.project_files import Files
from adstudio.ui.files.recent_menu import RecentMenu
from adstudio.ui.files.welcome_page import Welcome, dropped
from adstudio.ui.session.context import Desk, Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.selection import Kind
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.theme import UNIT

if TYPE_CHECKING:
    from PySide6.QtWidgets import QSplitter, QToolBar

    from adstudio.drafting.report import Report
    from adstudio.ui.actions.focus_order import Walk
    from adstudio.ui.app.editor import Editor
    from adstudio.ui.app.layouts import Layouts
    from adstudio.ui.background.thread_bridge import Marshal
    from adstudio.ui.drafts.panel import DraftsPanel
    from adstudio.ui.hearing.hearing import Hearing
    from adstudio.ui.inspector.panel import Inspector
    from adstudio.ui.panels.plan_status import PlanStatus
    from adstudio.ui.panels.problems import ProblemsPanel
    from adstudio.ui.picture.picture import Picture
    from adstudio.ui.picture.player import Player
    from adstudio.ui.session.second_opinion import Opinions
    from adstudio.ui.sync.banner import InStepBanner
    from adstudio.ui.sync.monitor import InStepWatch
    from adstudio.ui.table.panel import ScriptTable
    from adstudio.ui.timeline.timeline import Timeline

SAID_MS = 8000
"""How long a sentence stays in the status line."""
ROOM_FOR_PLAN = 244 * UNIT
"""A window as wide as this has room for transport and plan in one bar."""
FURNISHING_MS = 40
"""From the first painting until all that a project needs is made: by then the welcome page is on the screen."""
IN_THE_EDITOR = frozenset(
    {
        *("bar", "drafts", "hearing", "inspector", "marshal", "offer", "opinions", "picture", "player", "problems"),
        *("scenes", "status", "table", "tabs", "timeline", "watch", "work"),
    }
)
"""The parts of the editor that are the window's too, by their names."""


class Window(QMainWindow):
    """Welcome page or editor; owns everything that has to be ended.

    The editor is made when it is needed first: its parts are attributes of the window all the same.
    """

    if TYPE_CHECKING:
        bar: QToolBar
        drafts: DraftsPanel
        hearing: Hearing
        inspector: Inspector
        layouts: Layouts
        marshal: Marshal
        offer: InStepBanner
        opinions: Opinions
        picture: Picture
        player: Player
        problems: ProblemsPanel
        scenes: QDockWidget
        status: PlanStatus
        table: ScriptTable
        tabs: list[QDockWidget]
        timeline: Timeline
        watch: InStepWatch
        work: QSplitter

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
        self.files = Files(self.desk, self)
        self.narrow_status: PlanStatus | None = None
        self._editor: Editor | None = None
        self._furnishing = QTimer(self)
        self._furnishing.setSingleShot(True)
        self._furnishing.setInterval(FURNISHING_MS)
        self._furnishing.timeout.connect(self._fetch)
        self._painted = self._furnished = self._shut = False
        self._open: bool | None = None
        self._walk: Walk | None = None
        self.pages = QStackedWidget()
        self.welcome = Welcome(self.desk, self.files)
        self.pages.addWidget(self.welcome)
        self.setCentralWidget(self.pages)
        self.actions_.fill(self.menuBar())
        RecentMenu(preferences, self.files, self).insert_after(self.actions_["file.open"], self.menuBar())
        connect_looks(self.desk)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setContentsMargins(2 * UNIT, 0, 2 * UNIT, 0)
        self.statusBar().setAccessibleName("Message")
        self.statusBar().messageChanged.connect(lambda said: self.statusBar().setAccessibleDescription(said))
        self.session.said.connect(self._say)
        self.session.opening.connect(self.furnish)
        place(self, preferences)
        self._title()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """A part of the editor, which is made for it where it is not there yet."""
            if name == "layouts" or name in IN_THE_EDITOR:
                self.furnish()
                if name in self.__dict__:
                    return self.__dict__[name]
            raise AttributeError(f"the window has no {name}")

    def _fetch(self) -> None:
        """Load the editor, and make it in the next turn: the hand is not kept waiting for both."""
        from adstudio.ui.app import editor  # noqa: F401 - it is needed soon

        QTimer.singleShot(0, self, self.furnish)

    def furnish(self) -> None:
        """Make all that a project needs, where that has not been done; it is hidden until there is one."""
        if self._furnished or self._shut:
            return
        self._furnished = True  # once, even where it fails: what is told then is why
        self._furnishing.stop()
        from adstudio.ui.actions.focus_order import Walk
        from adstudio.ui.app.editor import Editor
        from adstudio.ui.app.layouts import Layouts
        from adstudio.ui.commands.commands import connect_commands

        self.setDockNestingEnabled(True)
        for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner):
            self.setCorner(corner, Qt.DockWidgetArea.BottomDockWidgetArea)
        editor = self._editor = Editor(self, self._open_models)
        for name in IN_THE_EDITOR:
            setattr(self, name, getattr(editor, name))
        self.pages.addWidget(editor.page)
        self.layouts = Layouts(self.desk, self)
        connect_commands(self.desk, self, self.timeline.films)
        self._walk = Walk(self, editor.panels(), self.actions_, self._announce, self._is_open)
        self._listen()
        self._stand_status()
        self._show_page()

    def _listen(self) -> None:
        session = self.session
        self.desk.preferences.changed.connect(
            lambda name: self._use_engines() if name in ("backend", "limit") else None
        )
        self._use_engines()
        self.table.edit_asked.connect(self._edit_text)
        self.actions_.connect("file.models", lambda: self._open_models("connections"))
        session.models_changed.connect(self.drafts.page.renew)
        self.actions_.connect("line.inspect", self._inspect, self._is_open)
        session.flush_asked.connect(self.table.flush)
        session.flush_asked.connect(self.inspector.flush)
        self.problems.offer_asked.connect(self.offer.enter)
        self.offer.left.connect(self.table.setFocus)
        self.timeline.current_changed.connect(self._announce)
        self.status.problems_asked.connect(self._show_problems)
        self.files.drafted.connect(self._drafted)
        self.files.for_model.connect(self._stand_ready)
        self.actions_.connect("plan.report", self._read_report, lambda: self.drafts.report.report is not None)
        self.actions_.connect("plan.by_model", self._watch_drafts, self._is_open)
        session.opened.connect(self._show_page)
        session.saved_changed.connect(self._title)
        # Told after every change and every opening too.
        session.saved_changed.connect(self.actions_.refresh)
        session.selection_changed.connect(self.actions_.refresh)

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
        self._stand_status()
        if self._editor is not None and self._open:
            self.layouts.resized()

    def _stand_status(self) -> None:
        if self._editor is None:
            return
        narrow = self.width() < ROOM_FOR_PLAN
        if narrow and self.narrow_status is None:
            from adstudio.ui.panels.plan_status import PlanStatus

            self.narrow_status = PlanStatus(self.desk)
            self.narrow_status.problems_asked.connect(self._show_problems)
            self.statusBar().addPermanentWidget(self.narrow_status)
        if self.narrow_status is not None:
            self.narrow_status.setVisible(narrow and bool(self._open))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Once it has been painted there is time for what is not to be seen yet."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self._furnishing.start()

    def _show_problems(self) -> None:
        """Bring the list of what cannot hold to the front, the hand on it."""
        self._bring(self.problems)
        self.problems.setFocus()

    def _drafted(self, report: Report, fresh: bool) -> None:
        """A project was just drafted and is open: what came of it is told, the hand stays in the table."""
        from adstudio.ui.drafts.panel import REPORT
        from adstudio.ui.drafts.report_rows import summary

        self.drafts.report.tell(report)
        if not fresh:
            return
        self.drafts.show_page(REPORT)
        self._bring(self.drafts, to_read=True)
        self.session.say(summary(report))

    def _stand_ready(self, model: str) -> None:
        """A project was made for a model to draft: all is chosen, nothing is asked yet, the hand is on what is next."""
        from adstudio.ui.drafts.preselection import stand_ready

        self._bring(self.drafts, to_read=True)
        self.session.say(stand_ready(self.drafts, self.desk.preferences, model))

    def _read_report(self) -> None:
        """The hand goes to the report of the draft."""
        from adstudio.ui.drafts.panel import REPORT

        self.drafts.show_page(REPORT)
        self._bring(self.drafts, to_read=True)
        self.drafts.setFocus()

    def _watch_drafts(self) -> None:
        """The hand goes to the scenes that a model drafts."""
        from adstudio.ui.drafts.panel import BY_MODEL

        self._bring(self.drafts, to_read=True)
        self.drafts.show_page(BY_MODEL)
        self.drafts.setFocus()

    def _open_models(self, page: str) -> None:
        """A page of the models' settings: policy, connections, people, prompts or log."""
        from adstudio.ui.ai_settings.window_opener import open_models

        open_models(self.desk, page)

    def _bring(self, panel: QWidget, *, to_read: bool = False) -> None:
        if self._editor is not None:
            self._editor.bring(panel, to_read=to_read)

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
        for number in range(self.pages.count()):
            shown = number == int(is_open)
            policy = QSizePolicy.Policy.Preferred if shown else QSizePolicy.Policy.Ignored
            page = self.pages.widget(number)
            if page is not None:
                page.setSizePolicy(policy, policy)
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
        self._shut = True
        self._furnishing.stop()
        if self._editor is not None:
            self._editor.close()
        self.jobs.shut_down()
        self.session.close_project()
        if self._editor is not None:
            self._editor.marshal.close()
