"""The main window: welcome page or editor, title, status line, and the order in which everything ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import (
    QAccessible,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSizePolicy, QStackedWidget

from adstudio.delivery.spoken_counts import spoken_counts
from adstudio.planning.film.live_plan import Engines
from adstudio.ui.actions.actions import Actions
from adstudio.ui.app.announcer import Announcer
from adstudio.ui.app.long_message import LongMessage
from adstudio.ui.app.program_dialogs import ProgramDialogs
from adstudio.ui.app.window_geometry import place, remember
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.timers import single_shot
from adstudio.ui.files.project_files import ProjectFiles
from adstudio.ui.files.recent_menu import RecentMenu
from adstudio.ui.files.welcome_page import WelcomePage, dropped
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session
from adstudio.ui.versions.versions import Versions
from adstudio.ui.widgets.focus_ring import FocusRings
from adstudio.ui.widgets.formatting import described_in_lines
from adstudio.ui.widgets.theme import UNIT

if TYPE_CHECKING:
    from adstudio.store.project import ProjectFile
    from adstudio.ui.app.editor import Editor
    from adstudio.ui.panels.plan_status import PlanStatus

NOT_POSSIBLE = "Not possible with the current selection."
NOTHING_TO_DO = {
    "edit.undo": "Nothing to undo.",
    "edit.redo": "Nothing to redo.",
    "plan.next_change": "No plan changes.",
    "plan.next_finding": "The quality checks found nothing.",
    "hear.stop": "Nothing is being spoken.",
}
"""Why a key does nothing, by its action."""
MESSAGE_MS = 8000
"""How long a message stays in the status line at least."""
WORD_MS = 400
"""How long each word of a long one keeps it there."""
ROOM_FOR_PLAN = 244 * UNIT
"""A window this wide has room for transport and plan status in one bar."""
QUIET_MS = 3000
"""From opening or activating the window until a screen reader has asked what it is: what comes meanwhile is dropped."""
EDITOR_DELAY_MS = 40
"""From the first paint until the editor is built: the welcome page is on the screen by then."""


class Window(QMainWindow):
    """Shows the welcome page or the editor, and owns everything that has to be ended.

    The editor is built at its first use, or shortly after the welcome page has been painted.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("adstudio")
        self.setAccessibleName("adstudio")
        self.setAcceptDrops(True)
        preferences = Preferences(self)
        self.jobs = Jobs(self)
        self.session = Session(self)
        self.actions_ = Actions(self, preferences.keys)
        self.context = Context(self.session, self.actions_, preferences, Theme(preferences), self.jobs)
        self.files = ProjectFiles(self.context, self)
        self.versions = Versions(self.context, self)
        FocusRings(self)
        self.dialogs = ProgramDialogs(self.context, self)
        self.narrow_status: PlanStatus | None = None
        self._editor: Editor | None = None
        self._editor_timer = single_shot(self, EDITOR_DELAY_MS, self._load_editor)
        self._painted = self._shut = False
        self._announced: ProjectFile | None = None
        self._open: bool | None = None
        self.pages = QStackedWidget()
        self.welcome = WelcomePage(self.context, self.files)
        self.pages.addWidget(self.welcome)
        self.setCentralWidget(self.pages)
        self.actions_.fill(self.menuBar())
        self.actions_.insert_menu(self.menuBar(), "file.open", RecentMenu(preferences, self.files, self))
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setContentsMargins(2 * UNIT, 0, 2 * UNIT, 0)
        self.statusBar().setAccessibleName("Message")
        self.statusBar().messageChanged.connect(lambda message: self.statusBar().setAccessibleDescription(message))
        LongMessage(self)
        self.session.messages.said.connect(self._show_message)
        self.announcer = Announcer(self)
        self.session.messages.said.connect(
            lambda message: self.announcer.say(message, urgent=self.session.messages.urgent)
        )
        self._quiet = single_shot(self, QUIET_MS, self._announce_opened)
        self.session.opened.connect(self._await_quiet)
        self.session.opening.connect(self.build_editor)
        place(self, preferences)
        self._renew_title()

    @property
    def editor(self) -> Editor:
        """The parts that show a project, built at their first use.

        Raises:
            RuntimeError: where the window was shut down before they were built, or building them failed.
        """
        self.build_editor()
        if self._editor is None:
            raise RuntimeError("the window has no editor")
        return self._editor

    def _load_editor(self) -> None:
        """Import the editor's modules now and build it on the next turn, so that a key press can come between."""
        from adstudio.ui.app import editor  # noqa: F401 - it is needed soon

        QTimer.singleShot(0, self, self.build_editor)

    def build_editor(self) -> None:
        """Build what a project needs, unless that has been done; it is hidden until a project is open."""
        if self._editor is not None or self._shut:
            return
        self._editor_timer.stop()
        from adstudio.ui.app.editor import Editor

        editor = self._editor = Editor(self, self.context, self.announcer.say)
        self.pages.addWidget(editor.page)
        editor.connect()
        self.context.preferences.changed.connect(
            lambda name: self._use_engines() if name in ("backend", "limit") else None
        )
        self._use_engines()
        self.files.drafted.connect(lambda report, fresh: editor.show_draft_report(report, fresh=fresh))
        self.files.for_model.connect(editor.prepare_model_draft)
        editor.checks.found.connect(self.files.show_findings)
        self.session.opened.connect(self._show_page)
        self.session.storage.saved_changed.connect(self._renew_title)
        # Emitted after every change and every opening too.
        self.session.storage.saved_changed.connect(self.actions_.refresh)
        self.session.cursor.selection_changed.connect(self.actions_.refresh)
        self._place_status()
        self._show_page()

    def _show_message(self, message: str) -> None:
        self.statusBar().showMessage(message, max(MESSAGE_MS, len(message.split()) * WORD_MS))

    def _use_engines(self) -> None:
        preferences = self.context.preferences
        self.session.current_plan.use(Engines(preferences.backend, preferences.limit))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key that nobody took: if it is a disabled action's on lines, say so instead of doing nothing."""
        name = self.actions_.refused(QKeySequence(event.keyCombination())) if self.session.project is not None else ""
        if name:
            none = name.startswith("line.") and self.session.cursor.line is None
            says = NOTHING_TO_DO.get(name, NOT_POSSIBLE)
            if name == "plan.next_problem" and self._editor is not None:
                says = self._editor.problems.nothing
            self.session.messages.say("Select a line first." if none else says)
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """The Tab key goes down a panel and on to the next one."""
        moved = self._editor is not None and self._editor.focus_order.tab(1 if forwards else -1)
        return moved or super().focusNextPrevChild(forwards)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """If the bar has no room for the plan status, the status line shows it."""
        super().resizeEvent(event)
        self._place_status()
        if self._editor is not None and self._open:
            self._editor.layouts.resized()

    def _place_status(self) -> None:
        if self._editor is None:
            return
        narrow = self.width() < ROOM_FOR_PLAN
        if narrow and self.narrow_status is None:
            from adstudio.ui.panels.plan_status import PlanStatus

            self.narrow_status = PlanStatus(self.context)
            self.narrow_status.problems_asked.connect(self._editor.show_problems)
            self.statusBar().addPermanentWidget(self.narrow_status)
        if self.narrow_status is not None:
            self.narrow_status.setVisible(narrow and bool(self._open))

    def paintEvent(self, event: QPaintEvent) -> None:
        """After the first paint there is time for what is not visible yet."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self._editor_timer.start()

    def _show_page(self) -> None:
        is_open = self.session.project is not None
        if is_open == self._open:
            return
        editor = self.editor
        if self._open:
            editor.layouts.remember()
        self._open = is_open
        editor.layouts.hold_size()
        self.pages.setCurrentIndex(int(is_open))
        for page in (self.welcome, editor.page):
            shown = page is self.pages.currentWidget()
            policy = QSizePolicy.Policy.Preferred if shown else QSizePolicy.Policy.Ignored  # which needs no room
            page.setSizePolicy(policy, policy)
        editor.bar.setVisible(is_open)
        if self.narrow_status is not None:
            self.narrow_status.setVisible(is_open and self.width() < ROOM_FOR_PLAN)
        if is_open:
            editor.layouts.restore()
            editor.table.setFocus()
        else:
            for dock in self.findChildren(QDockWidget):
                dock.hide()
            self.welcome.enter()
        self._renew_title()

    def _await_quiet(self) -> None:
        if self.session.project is not None and QAccessible.isActive():
            self._quiet.start()

    def _announce_opened(self) -> None:
        """Say how much is spoken of what was opened, once, in the window that is read; its name is the window's."""
        project, script = self.session.project, self.session.script
        if project is None or project is self._announced or not self.isActiveWindow():
            return
        self._announced = project
        counts = spoken_counts(script, self.session.plan, self.session.gaps)
        self.announcer.say(f"Open: {described_in_lines(counts) if counts.items else 'no lines yet'}.")

    def changeEvent(self, event: QEvent) -> None:
        """The window is activated: what was opened meanwhile is said."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self._await_quiet()

    def _renew_title(self) -> None:
        project = self.session.project
        read_only = " (read-only)" if project is not None and project.read_only else ""
        title = "" if project is None else f"{project.path.name}{read_only}[*]"
        changed = project is not None and self.session.edits.document.changed
        # After every edit; the window system takes a millisecond for each word of it.
        if title != self.windowTitle():
            self.setWindowTitle(title)
            self.setAccessibleName("adstudio" if project is None else f"{project.path.stem}, adstudio")
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
        """Ask about unsaved work and audio being exported, then end everything."""
        if not self.files.may_quit():
            event.ignore()
            return
        if self._open:
            self.editor.layouts.remember()
        remember(self, self.context.preferences)
        self.shut_down()
        event.accept()

    def shut_down(self) -> None:
        """End playing, speaking, planning and every process; asking twice does no harm."""
        self._shut = True
        self._editor_timer.stop()
        self._quiet.stop()
        if self._editor is not None:
            self._editor.close()
        self.announcer.close()
        self.jobs.shut_down()
        self.session.close_project()
        if self._editor is not None:
            self._editor.marshal.close()
