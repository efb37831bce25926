"""The scenes while a model drafts them: what it will take, start, stop and retry, each scene's state, what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_

from PySide6.QtCore import QItemSelectionModel, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSplitter

from adstudio.core.script import Scene
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.run_state import Hold, models_lines, scenes_to_draft
from adstudio.store.project import ProjectFile
from adstudio.ui.commands.scenes import current_scene
from adstudio.ui.drafts.messages import WILL_WAIT, detail, progress_words
from adstudio.ui.drafts.model_drafting import ModelDrafting
from adstudio.ui.drafts.model_options import ModelOptionsButton
from adstudio.ui.drafts.model_panel import ModelPanel, PanelTexts
from adstudio.ui.drafts.model_request import RAISE, Obstacle, OpenModels, estimated, find_obstacle, over_limit
from adstudio.ui.drafts.scene_detail import SceneDetail
from adstudio.ui.drafts.scenes_table import ScenesDelegate, ScenesModel, ScenesTable
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.widgets.controls import Button, Check
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.theme import UNIT

BRING_IN = "Insert the waiting scenes; undone steps can then no longer be redone"
NEW, SELECTED, UNREVIEWED = range(3)
NOTHING_LEFT = "A model has drafted every scene that is not reviewed."
NOTHING_SELECTED = "Select scenes in the list."
TEXTS = PanelTexts(
    model_tip="The model to be asked",
    which="Scenes to draft",
    which_tip="Which scenes to draft; your own lines stay as they are",
    start="Draft",
    start_tip="Have the model draft these scenes; you can work on meanwhile",
    progress="Drafting status",
    bar="Scenes drafted",
)


class ScenesPage(ModelPanel):
    """The table of scenes, and beside it what the model says of the current one; `header` is put above by its owner."""

    def __init__(
        self, context: Context, drafts: ModelDrafting, open_models: OpenModels, cuts: Callable[[], Sequence[int]]
    ) -> None:
        super().__init__(context, open_models, TEXTS)
        self.drafts, self._cuts = drafts, cuts
        self._obstacle: Obstacle | None = None
        self._wanted: tuple[Scene, ...] = ()
        self._seen: tuple[object, ...] = ()
        self._project: ProjectFile | None = None
        self._stale = False
        """Whether something was not renewed as nobody saw it."""
        self._build_header()
        self._build_table()
        self.detail = SceneDetail()
        self.detail.heading.setFixedHeight(self.table.horizontalHeader().sizeHint().height())
        both = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for widget, stretch in ((self.table, 3), (self.detail, 2)):
            both.addWidget(widget)
            both.setStretchFactor(both.indexOf(widget), stretch)
        self.setLayout(column(self.bar, both, spacing=0))
        self.setFocusProxy(self.table)
        drafts.moved.connect(self._moved)
        drafts.turned.connect(self.choice_changed)
        session = context.session
        session.opened.connect(self._opened)
        session.storage.saved_changed.connect(self._saved)
        session.idle.turn().connect(self._follow_changes)
        context.theme.changed.connect(self.table.viewport().update)
        can = lambda: session.project is not None and current_scene(session) is not None  # noqa: E731 - a predicate to pass on
        context.actions.connect("scene.by_model", self.draft_current_scene, can)
        self.renew()

    def _build_header(self) -> None:
        identity = lambda: project.identity if (project := self._session.project) else ""  # noqa: E731 - to pass on
        self.more = ModelOptionsButton(self._context.preferences, self.choice_changed, identity)
        self.which.setMinimumWidth(32 * UNIT)
        tip = "Ask the model again instead of using its earlier answers"
        self.anew = Check("Ask anew", lambda _: self._show_progress(), tip)
        self.retry_button = Button("Retry", self.retry, "Request the incomplete scenes again")
        self.in_button = Button("Bring in", self.drafts.insertions.let_in, BRING_IN)
        asked = (self.model, self.more, self.which, self.anew, self.start_button, self.stop_button, self.retry_button)
        self.header.fill(asked, self.progress, (self.in_button, self.out_button))

    def _build_table(self) -> None:
        self.rows = ScenesModel(self)
        self.table = ScenesTable(self._go)
        self.table.setModel(self.rows)
        self.table.setItemDelegate(ScenesDelegate(self._context.theme, self.rows, self.table))
        self.table.fit()
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._scenes_selected())
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_detail())

    def _find_obstacle(self) -> Obstacle | None:
        """What keeps the chosen model from being asked."""
        session, named = self._session, self.model.named
        self.more.show_model(named)
        return find_obstacle(session.project, session.script, named) or over_limit(session.script, self.limit)

    @property
    def _limit_was_reached(self) -> bool:
        """Whether the last run has come to the limit."""
        return bool(self.drafts.run.counts.get(SceneState.LIMITED))

    @property
    def count(self) -> int:
        """Scenes that a model has still to draft."""
        return len(self.drafts.run.scenes) - self.drafts.run.ended if self.drafts.busy else 0

    def renew(self) -> None:
        """Read everything again: the known models, the policy, the scenes."""
        self.model.read()
        self._project = self._session.project
        self._seen = ()
        self.drafts.check_policy()
        self._follow_changes(anew=True)
        self.choice_changed()

    def _opened(self) -> None:
        """Another project, or none: choices in the last one do not apply to it."""
        self.table.clearSelection()
        self.which.setCurrentIndex(NEW)
        self.anew.setChecked(False)
        self.renew()

    def start(self) -> None:
        """Have the model draft the scenes that are chosen."""
        if not self._wanted and not self.drafts.busy:
            self._session.messages.say(self.progress.whole)
            return
        self._start(self._wanted, anew=self.anew.isChecked())

    def retry(self) -> None:
        """Ask once more for the scenes that are incomplete."""
        unhappy = set(self.drafts.run.unhappy)
        self._start(
            [scene for scene in self._session.script.scenes if scene.id in unhappy],
            again=True,
            anew=self.anew.isChecked(),
        )

    def draft_current_scene(self) -> None:
        """Have the model draft the current scene, whatever is chosen in the list."""
        scene = current_scene(self._session)
        if scene is not None:
            self._start([scene])

    def _start(self, scenes: Sequence[Scene], *, again: bool = False, anew: bool = False) -> None:
        self.model.read()
        named = self.model.named
        self.more.flush()
        self._obstacle = self._find_obstacle()
        if self._obstacle is not None or named is None:
            self.choice_changed()
            self._session.messages.say(self.progress.whole)
            return
        focused = self.header.isAncestorOf(focus) if (focus := self.window().focusWidget()) is not None else False
        options = ModelOptions(thinking=self.more.thinking, again=again, anew=anew, most_micro_usd=self.limit)
        if not self.drafts.start(named, scenes, options):
            return
        self.anew.setChecked(False)
        self.rows.show_run(self.drafts.run)
        rows = self.rows.rows_of(scene.id for scene in scenes)
        if rows and self.table.currentIndex().row() not in rows:
            keep = QItemSelectionModel.SelectionFlag.NoUpdate
            self.table.selectionModel().setCurrentIndex(self.rows.index(rows[0], 0), keep)
            self.table.scrollTo(self.rows.index(rows[0], 0))
        if focused:
            self.stop_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def stop(self) -> None:
        """Ask the run to end; what has come is kept."""
        self.drafts.stop()

    def open_limit(self) -> None:
        """Open the options at the limit of what the film may cost."""
        self.more.open_limit()

    def _follow_changes(self, *, anew: bool = False) -> None:
        """Follow changes of the script; called whenever the describer pauses, skipped while unseen."""
        script = self._session.script
        seen = (script.eventualities, script.scenes, script.film, script.people)
        if not anew and self._seen and all(map(is_, seen, self._seen)):
            return
        if not anew and self._is_passed_over():
            return
        self._seen = seen
        self.rows.show_scenes(script.film, script.scenes, models_lines(script))
        self.choice_changed()

    def _saved(self) -> None:
        """The project may be in another file now, which can be written where the first could not."""
        if self._session.project is not self._project:
            self.renew()

    def _is_passed_over(self) -> bool:
        """Whether nobody sees it; it is then renewed once somebody does."""
        self._stale = self._stale or self.is_unseen
        return self.is_unseen

    def paintEvent(self, event: QPaintEvent) -> None:
        """It is visible, perhaps again."""
        super().paintEvent(event)
        if self._stale:
            self._stale = False
            QTimer.singleShot(0, self, self.renew)

    def _moved(self, scenes: frozenset[str]) -> None:
        """The state of some scenes has changed: repaint those that are on the screen."""
        if self._is_passed_over():
            return
        first, last = self.table.rowAt(0), self.table.rowAt(self.table.viewport().height() - 1)
        last = len(self.rows.scenes) - 1 if last < 0 else last
        self.rows.renew(row for row in self.rows.rows_of(scenes) if first <= row <= last)
        current = self._current()
        if current is not None and current.id in scenes:
            self._show_detail()
        self._show_progress()

    def choice_changed(self) -> None:
        """A run began or ended, or another one may be started."""
        if not self.drafts.busy:
            self._obstacle = self._find_obstacle()
            self.rows.show_run(self.drafts.run)
        self._show_plan()
        self._show_detail()

    def _show_plan(self) -> None:
        """The buttons, and beside them what a draft will take, how far it is, or what keeps it from being started."""
        busy, way = self.drafts.busy, self._obstacle
        if not busy:
            self._show_scene_choices()
        count = len(self._wanted)
        raisable = RAISE if self._limit_was_reached else None
        ready = way is None and count > 0
        self.show_run(busy=busy, stopping=self.drafts.stopping, ready=ready, way_out=way or raisable)
        self.more.setEnabled(not busy)
        self.which.setEnabled(not busy and bool(self.rows.scenes))
        self.start_button.setText(f"Draft {counted(count, 'scene')}" if count else "Draft")
        there = self._session.script.scene_by_id
        again = () if busy else tuple(scene for scene in self.drafts.run.unhappy if scene in there)
        unhappy = len(again)
        # Of the same scenes retrying asks for more: for what was withheld, or cut short, too.
        same = unhappy > 0 and {scene.id for scene in self._wanted} == set(again)
        self.start_button.setVisible(not busy and not same)
        self.anew.setVisible(not busy)
        self.retry_button.setText(f"Retry {counted(unhappy, 'scene')}")
        self.retry_button.setAccessibleName(self.retry_button.text())
        self.retry_button.setVisible(unhappy > 0)
        self.retry_button.setEnabled(way is None)
        held = sum(why is Hold.REDO for why in self.drafts.held.values())
        self.in_button.setVisible(held > 0)
        self.in_button.setText(f"Bring in {held:,}")
        self.in_button.setAccessibleName(f"Bring in {counted(held, 'scene')}")
        self._show_progress()
        self.counted.emit(self.count)

    def _show_scene_choices(self) -> None:
        """Which scenes there are to choose, and those that are chosen."""
        script = self._session.script
        selected = {index.row() for index in self.table.selectionModel().selectedRows()}
        choices = (
            ("not drafted", scenes_to_draft(script, self.drafts.insertions.waiting)),
            ("selected", tuple(self.rows.scenes[row] for row in sorted(selected))),
            ("not reviewed", scenes_to_draft(script, anew=True)),
        )
        # The number first: where there is little room it is the words that are cut.
        place = self.show_choices([f"{len(scenes):,} {text}" for text, scenes in choices])
        self._wanted = choices[place][1]

    def _show_progress(self) -> None:
        run, way = self.drafts.run, self._obstacle
        busy = self.drafts.busy
        if self.drafts.stopping:
            text = "Stopping…"
        elif busy:
            text = f"{WILL_WAIT if self.drafts.will_wait else ''} {progress_words(run)}".lstrip()
        elif way is not None and not (way.limit and self._limit_was_reached and self.drafts.said):
            text = way.sentence
        elif self.drafts.said and (way is not None or not self._wanted_now()):
            text = self.drafts.said
        else:
            text = self._estimate()
        cuts, total = run.detecting_cuts, len(run.scenes)
        share = run.drafted / total if total else 0.0
        if busy:
            share = cuts if cuts is None or cuts < 1 else share
        self.show_progress(text, quiet=busy or way is None, share=share)

    def _wanted_now(self) -> bool:
        """Whether somebody has chosen scenes, or how they are asked for, since the last run."""
        return (
            self.anew.isChecked()
            or self.which.hasFocus()
            or (self.which.currentIndex() == SELECTED and bool(self._wanted))
        )

    def _estimate(self) -> str:
        named = self.model.named
        if not self._wanted:
            return NOTHING_SELECTED if self.which.currentIndex() == SELECTED else NOTHING_LEFT
        if named is None or self._session.project is None or self._is_passed_over():
            return ""
        script, cuts, anew = self._session.script, self._cuts(), self.anew.isChecked()
        found = estimated(script, self._wanted, named, cuts, anew=anew, thinking=self.more.thinking)
        return f"{found}{self.more.summary}"

    def _scenes_selected(self) -> None:
        """Other scenes are selected: those are then the ones to draft."""
        if self.drafts.busy:
            return
        if self.table.selectionModel().hasSelection():
            self.which.setCurrentIndex(SELECTED)
        self._show_plan()

    def _current(self) -> Scene | None:
        row = self.table.currentIndex().row()
        return self.rows.scenes[row] if 0 <= row < len(self.rows.scenes) else None

    def _show_detail(self) -> None:
        scene = self._current()
        if scene is None:
            self.detail.show_scene("", "", "", "")
            return
        run, view = self.drafts.run, self.rows.view(self.table.currentIndex().row())
        why = view.why if view.held is None else view.help
        notes = view.status.notes if view.status is not None else ()
        sign, word = view.state
        heading = f"{view.title} · {word}" if sign == "·" else f"{view.title} · {sign} {word}"
        text = detail(why, run.description(scene.id), run.elements(scene.id), notes)
        self.detail.show_scene(scene.id, heading, view.help, text)

    def _go(self, row: int) -> None:
        """To a scene in the film."""
        scene = self.rows.scenes[row]
        if scene.id in self._session.script.scene_by_id:
            self._session.cursor.select(Selection(Kind.SCENE, (scene.id,)))
            self._session.cursor.seek(scene.span.start)
