"""A scene drafted again: a strip over the work area that asks, shows how far it is, and says what it did.

Never modal: the describer works on meanwhile, and what is worked on stays, since the fresh lines are laid over the
script as it is when they come.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QWidget

from adstudio.core.cast import without_pictures
from adstudio.core.errors import AdstudioError
from adstudio.core.film import SourceFile
from adstudio.core.progress import StageState, stage_name
from adstudio.core.script import Rules, Scene
from adstudio.drafting.events import Failed, Finished, ModelFinished
from adstudio.drafting.landing import redraft_step
from adstudio.drafting.model.events import SceneDraft, SceneState
from adstudio.drafting.request import DraftRequest, Sources, text_stages
from adstudio.editing.names import scene_name
from adstudio.store.media import locate_source, source_file
from adstudio.ui.commands.scenes import current_scene
from adstudio.ui.drafts.draft_process import DraftProcess
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.banner import Banner
from adstudio.ui.widgets.controls import Button
from adstudio.ui.widgets.file_dialogs import ALL, DESCRIPTION_FILES, SCREENPLAY_FILES, ask_open
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.theme import UNIT

BAR_STEPS = 1000
STOPPED = "Stopped. The scene is as it was; what was finished is kept for the next time."
UNKNOWN_TEXT = "The source of this film’s draft is not known: choose its screenplay, or a description in prose."
CUT_ANEW = "The scene’s bounds changed while it was being drafted, so its old lines stay: draft it again."


@dataclass(frozen=True)
class _Requested:
    """A scene as it was when its draft was requested, and the text that was chosen for it, if any."""

    scene: Scene
    sources: Sources = field(default_factory=Sources)


class RedraftBanner(Banner):
    """Does the actions `scene.redraft` and `scene.redraft_from`; hidden while there is nothing to say."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__("A scene drafted again", parent)
        self._session, self._theme = context.session, context.theme
        self._requested: _Requested | None = None
        self._draft: SceneDraft | None = None
        self._result_revision = -1
        self._drafter = DraftProcess(context.jobs, self)
        self._drafter.progressed.connect(self._show_progress)
        self._drafter.drafted.connect(self._drafted)
        self._drafter.ended.connect(self._ended)
        self._bar = QProgressBar(textVisible=False)
        self._bar.setAccessibleName("Progress of the scene")
        self._bar.setFixedWidth(50 * UNIT)
        choose = partial(self._choose_text, "Choose the screenplay", SCREENPLAY_FILES)
        self.screenplay = Button("Screenplay…", choose, "Draft the scene from this screenplay")
        choose = partial(self._choose_text, "Choose the description", DESCRIPTION_FILES)
        self.description = Button("Description…", choose, "Draft the scene from a text in prose")
        self.stop = Button("Stop", self._drafter.stop, "Stop drafting the scene again", "Stop drafting the scene again")
        self.close_button = Button("Close", self._close, "Put this strip away", "Close the strip")
        self._parts = (self._bar, self.screenplay, self.description, self.stop, self.close_button)
        self.fill(self.text, *self._parts)
        has_scene = lambda: self._session.project is not None and current_scene(self._session) is not None  # noqa: E731 - a predicate to pass on
        context.actions.connect("scene.redraft", self.redraft, has_scene)
        context.actions.connect("scene.redraft_from", self.ask, has_scene)
        self._session.opened.connect(self._forget)
        self._session.current_plan.changed.connect(lambda _: self._changed())
        context.theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    def redraft(self) -> None:
        """Draft the current scene again from the film's screenplay; ask for one where it is missing."""
        scene = self._free_scene()
        if scene is None:
            return
        known, project = self._session.script.film.screenplay, self._session.project
        found = None if known is None or project is None else locate_source(known, project.path)
        if known is None:
            self._ask(scene, UNKNOWN_TEXT)
        elif found is None:
            path = Path(known.path)
            self._ask(scene, f"{path.name} is not in {path.parent} any more: choose the screenplay again.")
        else:
            self._start(_Requested(scene, Sources(screenplay=found)))

    def ask(self) -> None:
        """Ask what the current scene is to be drafted from."""
        scene = self._free_scene()
        if scene is not None:
            self._ask(scene, f"Draft scene {self._name(scene)} again from which text?")

    def _name(self, scene: Scene) -> str:
        return scene_name(self._session.script, scene)

    def _free_scene(self) -> Scene | None:
        """The current scene, unless another one is being drafted."""
        if self._drafter.busy:
            self._session.messages.say("A scene is being drafted again already: wait for it, or stop it.")
            return None
        return current_scene(self._session)

    def _ask(self, scene: Scene, sentence: str) -> None:
        self._requested = _Requested(scene)
        self._show(sentence, self.screenplay, self.description, self.close_button)
        self.screenplay.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose_text(self, title: str, files: str) -> None:
        """Ask for a file of these, and draft from it."""
        project, known = self._session.project, self._session.script.film.screenplay
        near = Path(known.path).parent if known else Path.home()
        if not near.is_dir() and project is not None:
            near = project.path.parent
        path = ask_open(self, title, near, (files, ALL))
        if path is not None and self._requested is not None:
            described = files == DESCRIPTION_FILES
            sources = Sources(description=path) if described else Sources(screenplay=path)
            self._start(_Requested(self._requested.scene, sources))

    def _start(self, requested: _Requested) -> None:
        script, self._requested, self._draft = self._session.script, requested, None
        scene, sources = requested.scene, requested.sources
        needed = replace(
            script,
            eventualities=(),
            rules=Rules(),
            silences=(),
            openings=(),
            people=without_pictures(script.people),
            prompts=(),
        )
        request = DraftRequest(sources=sources, script=needed, scenes=(scene.id,))
        stages = text_stages(sources.screenplay, video=script.film.media is not None)
        try:
            self._drafter.start(f"Drafting scene {self._name(scene)} again", request, stages=stages)
        except AdstudioError as error:
            self._show(f"The scene cannot be drafted again: {error}.", self.close_button)
            return
        focus = self.window().focusWidget()
        focused = focus is not None and self.isAncestorOf(focus)
        self._show(f"Drafting scene {self._name(scene)} again…", self._bar, self.stop)
        self._bar.setRange(0, 0)
        if focused:
            self.stop.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_progress(self) -> None:
        now = next((stage for stage in self._drafter.stages if stage.state is StageState.RUNNING), None)
        if now is not None and self._requested is not None:
            self.text.setText(f"Drafting scene {self._name(self._requested.scene)} again: {stage_name(now.stage)}")
            self._bar.setRange(0, 0 if now.fraction is None else BAR_STEPS)
            self._bar.setValue(round((now.fraction or 0.0) * BAR_STEPS))

    def _drafted(self, draft: SceneDraft) -> None:
        self._draft = draft

    def _ended(self, answer: Finished | ModelFinished | Failed | None) -> None:
        requested = self._requested
        if requested is None:
            return
        match answer:
            case ModelFinished():
                self._report(self._insert(requested, self._draft))
            case Failed(message=sentence):
                self._session.messages.say(f"{sentence.rstrip('.')}.")
                self._ask(requested.scene, f"{sentence.rstrip('.')}.")
            case _:
                self._report(STOPPED)

    def _insert(self, requested: _Requested, draft: SceneDraft | None) -> str:
        """Lay fresh lines over the scene as it is now, as one step; the result as a sentence."""
        session = self._session
        # What is being typed is human work too.
        session.flush()
        scene = session.script.scene_by_id.get(requested.scene.id)
        if scene is None:
            return "That scene is no longer in the film."
        if scene.span != requested.scene.span:
            return CUT_ANEW
        before = {line.id for line in session.script.eventualities}
        screenplay = self._source(requested.sources.screenplay)
        description = self._source(requested.sources.description)
        draft = draft or SceneDraft(scene.id, SceneState.DONE)
        ids = session.edits.ids
        if not session.edits.attempt(
            lambda script: redraft_step(
                script, ids, scene, draft.lines, screenplay, description, draft.fusions, draft.people
            )
        ):
            return f"Scene {self._name(scene)} comes out as it was: nothing has changed."
        lines = [line for line in session.script.eventualities if line.scene == scene.id]
        new = sum(line.id not in before for line in lines)
        remaining = len(lines) - new
        yours = f", {remaining:,} of yours kept" if remaining else ""
        return f"Scene {self._name(scene)}: {counted(new, 'line')} drafted again{yours}."

    def _source(self, text: Path | None) -> SourceFile | None:
        """A text as the project remembers it; None if it has gone meanwhile."""
        project = self._session.project
        with contextlib.suppress(AdstudioError):
            return None if text is None or project is None else source_file(text, project.path)
        return None

    def _report(self, sentence: str) -> None:
        focused = self.stop.hasFocus()
        self._show(sentence, self.close_button)
        self._result_revision = self._session.edits.revision
        self._session.messages.say(sentence)
        if focused:
            self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, sentence: str, *shown: QWidget) -> None:
        self._result_revision = -1
        for widget in self._parts:
            widget.setVisible(widget in shown)
        self.say(sentence)

    def _changed(self) -> None:
        """The result is shown until the next step."""
        if self._result_revision >= 0 and self._session.edits.revision != self._result_revision:
            self._close()

    def _close(self) -> None:
        self._result_revision, self._requested = -1, None
        self.hide()

    def _forget(self) -> None:
        """Another project is open, or none."""
        self._drafter.forget()
        self._close()

    def _dress(self) -> None:
        tokens = self._theme.tokens
        self.dress(tokens.accent_wash, tokens.accent, tokens.text)
