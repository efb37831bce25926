"""The editor: the panels, docks and players that show a project.

Not needed before a project is open, and slower to build than the whole welcome page: the window builds it once that
has been painted, or as soon as a project is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QListView,
    QMainWindow,
    QSplitter,
    QTabWidget,
    QToolButton,
    QWidget,
)

from adstudio.drafting.report import Report
from adstudio.ui.actions.focus_order import FocusOrder, FocusPanel
from adstudio.ui.ai_settings.window import open_ai_settings
from adstudio.ui.app.docks import Docks, show_count, split_around
from adstudio.ui.app.last_view import LastViews
from adstudio.ui.app.layouts import Layouts
from adstudio.ui.app.lazy_panel import LazyPanel
from adstudio.ui.app.seen_results import SeenResults
from adstudio.ui.app.tool_bar import tool_bar
from adstudio.ui.background.thread_bridge import ThreadBridge
from adstudio.ui.booth.panel import BoothPanel
from adstudio.ui.cast.sound_jobs import SoundJobs
from adstudio.ui.cast.speaker_asking import SpeakerAsking
from adstudio.ui.commands.commands import connect_commands
from adstudio.ui.commands.scenes import current_scene
from adstudio.ui.commands.selection_link import SelectionLink
from adstudio.ui.drafts.model_drafting import ModelDrafting
from adstudio.ui.drafts.redraft_banner import RedraftBanner
from adstudio.ui.faces.opening import FacesOpening
from adstudio.ui.files.unwritten_banner import UnwrittenBanner
from adstudio.ui.hearing.hearing import Hearing
from adstudio.ui.hearing.length_measuring import LengthMeasuring
from adstudio.ui.hearing.narration_waves import NarrationWaves
from adstudio.ui.hearing.sound_track_menu import SoundTrackMenu
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.panels.plan_changes import PlanChangesPanel
from adstudio.ui.panels.plan_status import PlanStatus
from adstudio.ui.panels.problems import ProblemsPanel
from adstudio.ui.panels.quality import QualityPanel
from adstudio.ui.panels.scenes import ScenesPanel
from adstudio.ui.panels.tasks import TasksPanel
from adstudio.ui.panels.undo_history import HistoryPanel
from adstudio.ui.picture.picture import Picture
from adstudio.ui.picture.player import make_player
from adstudio.ui.picture.transport import Transport
from adstudio.ui.session.context import Context
from adstudio.ui.session.second_opinion import SecondOpinion
from adstudio.ui.session.selection import Kind
from adstudio.ui.sync.banner import SyncBanner
from adstudio.ui.sync.monitor import SyncMonitor
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.timeline.film_check import FilmCheck
from adstudio.ui.timeline.timeline import Timeline
from adstudio.ui.voice.asked_word import asked_word
from adstudio.ui.voice.voice_bar import VoiceBar
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.icons import program_icon
from adstudio.ui.widgets.stable_size import StableSize
from adstudio.ui.widgets.theme import UNIT

if TYPE_CHECKING:
    from adstudio.ui.drafts.panel import DraftsPanel
    from adstudio.ui.polish.panel import PolishPanel
    from adstudio.ui.voice.lexicon_panel import LexiconPanel

LEAST_DRAFTS, LEAST_POLISH, LEAST_LEXICON = 18 * UNIT, 14 * UNIT, 9 * UNIT
"""Heights, whatever the panels ask for: a low window cuts them rather than grow."""


class Editor:
    """The parts of the window that show a project: built in it, hidden, and ended by `close`.

    `page` belongs into the middle of the window; once it is there, `connect` ties the parts together. `announce` has a
    screen reader read a sentence.
    """

    def __init__(self, window: QMainWindow, context: Context, announce: Callable[[str], None]) -> None:
        self._window = window
        self._announce = announce
        self.docks = Docks(window, self._focus_table)
        self.context = context
        self.marshal = ThreadBridge(window)
        self.player = make_player(context, self.marshal)
        self.opinions = SecondOpinion(context.session, context.jobs, context.actions)
        self.picture = Picture(context, self.player)
        self.table = ScriptTable(context)
        self.timeline = Timeline(context)
        self.watch = SyncMonitor(context, self.timeline.films)
        self.film_check = FilmCheck(context, self.timeline.films)
        self.sound_jobs, self.speaker_asking = SoundJobs(context, self.timeline.films), SpeakerAsking(context)
        self.offer = SyncBanner(self.watch, context.theme)
        self.faces = FacesOpening(context, self.timeline, window)
        self.inspector = Inspector(context)
        self.hearing = Hearing(context, self.player)
        self.measuring = LengthMeasuring(context)
        self.waves = NarrationWaves(context, self.hearing.requests, self.timeline.films.data, window)
        self.waves.changed.connect(self.timeline.canvas.invalidate)
        self.hearing.spoken.connect(self.waves.follow_speech)
        self.sound_tracks = SoundTrackMenu(context, self.player, self.timeline.films, window)
        context.actions.insert_menu(window.menuBar(), "play.mute", self.sound_tracks)
        self.problems = ProblemsPanel(context, self.watch)
        self.drafting = ModelDrafting(context.session, context.jobs, window)
        self.voice_bar = VoiceBar(context)
        self.voice_bar.hide()
        self.voice_bar.try_asked.connect(self.hearing.try_voice)
        self.booth = BoothPanel(context, self.player)
        self.booth.front_asked.connect(self._show_booth)
        self.hearing.others_busy = lambda: self.booth.browser.audition.busy
        self.work = self._work()
        self.last_views = LastViews(context, self.timeline)
        self.page = QWidget()
        banners = UnwrittenBanner(context), self.offer, RedraftBanner(context)
        stacked = column(*banners, self.work, self.voice_bar, spacing=0)
        stacked.setStretchFactor(self.work, 1)
        self.page.setLayout(stacked)
        self.scenes = self.docks.add("scenes", "Scenes", ScenesPanel(context), Qt.DockWidgetArea.LeftDockWidgetArea)
        inspector = self.docks.add("inspector", "Inspector", self.inspector, Qt.DockWidgetArea.RightDockWidgetArea)
        inspector.setWidget(split_around(self.inspector))
        self.tabs = self._tabbed()
        self.status = PlanStatus(context)
        QApplication.setWindowIcon(program_icon())
        self.bar = tool_bar(context, window, Transport(context, self.player), StableSize(self.status))

    def connect(self) -> None:
        """Tie the parts to each other, to the session and to the actions."""
        session, actions = self.context.session, self.context.actions
        self.layouts = Layouts(self.context, self._window, self.picture, self.table, self.work, self.voice_bar)
        connect_commands(self.context, self._window, self.timeline.films, lambda: self.focus_order.current)
        self.link = SelectionLink(self.context, self.player, self.table)
        self.focus_order = FocusOrder(self._window, self.panels, actions, self._announce, self._is_open)
        self.table.edit_asked.connect(self._edit_text)
        actions.connect("file.models", lambda: self._open_models("connections"))
        actions.connect("edit.cast", self._open_cast, self._is_open)
        actions.connect("edit.speakers", lambda: self._open_cast(speakers=True), self._is_open)
        actions.connect("line.pronounce", self._pronounce, self._is_open)
        actions.connect("line.inspect", self._inspect, self._is_open)
        actions["play.line_here"].triggered.connect(lambda *_: self.table.setFocus())
        has_line, has_wordings = (lambda: session.cursor.line is not None), self._has_wordings
        actions.connect("line.wording_length", lambda: self._on_wording(self.inspector.edit_length), has_line)
        actions.connect("line.wording_remove", lambda: self._on_wording(self.inspector.remove_wording), has_wordings)
        session.flush_asked.connect(self.table.flush)
        session.flush_asked.connect(self.inspector.flush)
        self.problems.offer_asked.connect(self.offer.enter)
        self.offer.left.connect(self.table.setFocus)
        self.timeline.current_changed.connect(self._announce_current)
        self.status.problems_asked.connect(self.show_problems)
        self.seen_results = SeenResults(self.context, self.player, self.timeline, self._announce)
        actions.connect("plan.report", lambda: self._enter_drafts(report=True), self._has_report)
        actions.connect("plan.by_model", self._enter_drafts, self._is_open)
        actions.connect("view.close_panel", self._close_panel, self._is_open)

    def _close_panel(self) -> None:
        """Close the panel at hand, but never the inspector or the timeline."""
        self.docks.close_one((*self.tabs, self.scenes), self.tabs, self.context.session.messages)

    def _focus_table(self) -> None:
        self.table.setFocus()

    def close(self) -> None:
        """End playing, speaking and planning; asking twice does no harm."""
        self.booth.close_recorder()
        self.hearing.close()
        self.measuring.close()
        self.waves.close()
        self.player.close()
        self.opinions.close()

    def panels(self) -> tuple[FocusPanel, ...]:
        """The parts of the window in the order of the Tab key."""
        action, buttons = self.context.actions["play.toggle"], self.bar.findChildren(QToolButton)
        play = next(button for button in buttons if button.defaultAction() is action)
        return (
            FocusPanel("Picture and transport", (self.bar, self.picture), play),
            FocusPanel("Subtitles and speech", (self.offer,)),
            FocusPanel("Script table", self.table.in_order, self.table.view),
            FocusPanel("Voice", (self.voice_bar,)),
            FocusPanel("Inspector", (self.inspector,)),
            FocusPanel("Timeline", (self.timeline,), self.timeline.canvas),
            FocusPanel("Scenes", (self.scenes.widget(),), self.scenes.widget().findChild(QListView)),
            *(FocusPanel(dock.objectName().capitalize(), (dock.widget(),)) for dock in self.tabs),
        )

    def _work(self) -> QSplitter:
        work = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        work.setObjectName("work")
        work.addWidget(self.picture)
        work.addWidget(StableSize(self.table))
        return work

    def _tabbed(self) -> list[QDockWidget]:
        """The timeline, and the tabs below it."""
        window, bottom = self._window, Qt.DockWidgetArea.BottomDockWidgetArea
        timeline = self.docks.add("timeline", "Timeline", self.timeline, bottom)
        tabs: list[QDockWidget] = []
        checks = self.checks = QualityPanel(self.context)
        checks.found.connect(self.problems.show_findings)
        for name, title, panel in (
            ("problems", "Problems", self.problems),
            ("changes", "Plan changes", PlanChangesPanel(self.context)),
            ("tasks", "Tasks", TasksPanel(self.context)),
            ("drafts", "Drafts", None),
            ("polish", "Polish", None),
            ("lexicon", "Pronunciation", None),
            ("checks", "Quality checks", checks),
        ):
            dock = self.docks.add(name, title, panel or QWidget(), bottom)
            if panel is not None:
                self.docks.set_panel(dock, panel, panel.counted, panel.count)
            tabs.append(dock)
        self._add_lazy_panels(*tabs[3:6])
        tabs.append(self.docks.add("booth", "Booth", self.booth, bottom))
        self.booth.set_in_front(False)
        tabs[-1].visibilityChanged.connect(self.booth.set_in_front)
        tabs.append(self.docks.add("history", "History", HistoryPanel(self.context), bottom))
        window.splitDockWidget(timeline, tabs[0], Qt.Orientation.Vertical)
        for tab in tabs[1:]:
            window.tabifyDockWidget(tabs[0], tab)
        tabs[0].raise_()
        window.setTabPosition(bottom, QTabWidget.TabPosition.North)
        return tabs

    def _add_lazy_panels(self, drafts: QDockWidget, polish: QDockWidget, lexicon: QDockWidget) -> None:
        """Give what is not seen at first, and takes long to build, its dock and its actions only."""
        session, actions = self.context.session, self.context.actions
        self._drafts = LazyPanel(drafts, self._new_drafts, LEAST_DRAFTS)
        self._polish = LazyPanel(polish, self._new_polish, LEAST_POLISH)
        self._lexicon = LazyPanel(lexicon, self._new_lexicon, LEAST_LEXICON)
        polish.visibilityChanged.connect(lambda seen: self.polish.renew() if seen else None)
        session.opened.connect(self._count_words)
        session.current_plan.announcement_turn().connect(lambda _: self._count_words())
        has_scene = lambda: self._is_open() and current_scene(session) is not None  # noqa: E731 - a predicate to hand on
        actions.connect_lazily("scene.by_model", lambda: self.drafts, has_scene)
        actions.connect_lazily("plan.polish", lambda: self.polish, self._is_open)
        actions.connect_lazily("scene.polish", lambda: self.polish, has_scene)

    @property
    def drafts(self) -> DraftsPanel:
        """The panel of drafts, built when it is first asked for."""
        return self._drafts.panel

    @property
    def polish(self) -> PolishPanel:
        """The panel of polished lines, built when it is first asked for."""
        return self._polish.panel

    @property
    def lexicon(self) -> LexiconPanel:
        """The panel of pronunciations, built when it is first asked for."""
        return self._lexicon.panel

    def _new_drafts(self) -> DraftsPanel:
        from adstudio.ui.drafts.panel import DraftsPanel

        panel = DraftsPanel(self.context, self.drafting, self._open_models, self._known_cuts)
        panel.close_asked.connect(self._drafts.dock.close)
        self.docks.set_panel(self._drafts.dock, panel, panel.counted, panel.count)
        return panel

    def _new_polish(self) -> PolishPanel:
        from adstudio.ui.polish.panel import PolishPanel

        panel = PolishPanel(self.context, self._open_models)
        panel.hear_asked.connect(self.hearing.hear_text)
        panel.front_asked.connect(self._show_polish)
        panel.limit_asked.connect(self._show_limit)
        self.docks.set_panel(self._polish.dock, panel, panel.counted, panel.count)
        return panel

    def _new_lexicon(self) -> LexiconPanel:
        from adstudio.ui.voice.lexicon_panel import LexiconPanel

        panel = LexiconPanel(self.context)
        panel.hear_asked.connect(self.hearing.hear_pronounced)
        self.docks.set_panel(self._lexicon.dock, panel, panel.counted, panel.count)
        return panel

    def _count_words(self) -> None:
        show_count(self._lexicon.dock, len(self.context.session.script.lexicon))

    def bring(self, panel: QWidget, *, to_read: bool = False) -> None:
        """Show a panel in front of the others, `to_read` as high as that needs where the window has so much."""
        self.docks.bring(panel)
        if to_read:
            # A layout that is just being set up gives its docks their heights first.
            QTimer.singleShot(0, self._window, lambda: self.docks.make_room(panel, self.timeline))

    def show_problems(self) -> None:
        """Bring the problems to the front and focus them."""
        self.bring(self.problems)
        self.problems.setFocus()

    def show_draft_report(self, report: Report, *, fresh: bool) -> None:
        """A drafted project is open: keep its report, and where it is new show it; focus stays in the table."""
        from adstudio.ui.drafts.report_page import summary

        self.drafts.report.tell(report)
        if fresh:
            self._show_drafts(report=True)
            self.context.session.messages.say(summary(report))

    def prepare_model_draft(self, model: str) -> None:
        """A new project is to be drafted by a model: everything is chosen, nothing is sent, focus is on the start."""
        self.bring(self.drafts, to_read=True)
        self.context.session.messages.say(self.drafts.preselect(model))

    def _is_open(self) -> bool:
        return self.context.session.project is not None

    def _announce_current(self, sentence: str) -> None:
        """What is selected is said, unless that is done anyhow: the table's current row is read, and a scene named."""
        table = self.table.view
        if self.context.session.cursor.selection.kind is Kind.SCENE:
            return
        if not table.hasFocus() or table.current != self.context.session.cursor.selection.current:
            self._announce(sentence)

    def _open_models(self, page: str) -> None:
        open_ai_settings(self.context, page)

    def _open_cast(self, *, speakers: bool = False) -> None:
        # Imported when first opened, so that the editor starts sooner.
        from adstudio.ui.cast.window import open_cast

        open_cast(self.context, speakers=speakers)

    def _edit_text(self) -> None:
        """Edit the text of the current line: in the inspector where that is shown, else in the table."""
        if self.inspector.isVisible():
            self.inspector.edit_text()
        else:
            self.table.setFocus()
            self.table.edit_text()

    def _has_report(self) -> bool:
        drafts = self._drafts.built
        return drafts is not None and drafts.report.report is not None

    def _has_wordings(self) -> bool:
        line = self.context.session.cursor.line
        return line is not None and len(line.variants) > 1

    def _on_wording(self, do: Callable[[], None]) -> None:
        """Do something with the current wording, in the inspector, which shows all of them."""
        self.bring(self.inspector)
        do()

    def _inspect(self) -> None:
        """Show the inspector, where it was hidden, and focus it."""
        if self.context.session.cursor.selection.kind is Kind.NOTHING:
            self.context.session.messages.say("Select a line first.")
            return
        self.bring(self.inspector)
        self.inspector.enter()

    def _pronounce(self) -> None:
        """Show how a word is spoken, and focus it."""
        word, came_from = asked_word(self.context), self._window.focusWidget()
        self.bring(self.lexicon, to_read=True)
        self.lexicon.open_for(word, came_from)

    def _show_drafts(self, *, report: bool) -> None:
        from adstudio.ui.drafts.panel import BY_MODEL, REPORT

        self.drafts.show_page(REPORT if report else BY_MODEL)
        self.bring(self.drafts, to_read=True)

    def _enter_drafts(self, *, report: bool = False) -> None:
        self._show_drafts(report=report)
        self.drafts.setFocus()

    def _show_polish(self) -> None:
        self.bring(self.polish, to_read=True)
        self.polish.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_booth(self) -> None:
        self.bring(self.booth, to_read=True)
        self.booth.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_limit(self) -> None:
        self.context.actions["plan.by_model"].trigger()
        self.drafts.page.more.open_limit()

    def _known_cuts(self) -> tuple[int, ...]:
        """The film's cuts, as far as they have been found."""
        shots = self.timeline.films.data.shots
        return () if shots is None else shots.cuts
