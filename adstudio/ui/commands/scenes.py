"""The actions on scenes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from adstudio.core.script import Scene
from adstudio.core.settings import Scope
from adstudio.core.steps import SetSettings
from adstudio.editing import scenes
from adstudio.ui.commands.answers import scene_words
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.session.session import Session
from adstudio.ui.timeline.film_loader import FilmLoader
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.input_dialog import InputDialog

SHORTEST_SCENE = 30.0
"""Seconds that a scene made from shots lasts at least, unless the describer says otherwise."""

NO_SEQUENCE = "(none)"


def current_scene(session: Session) -> Scene | None:
    """The selected scene, else the one at the playhead."""
    if session.cursor.selection.kind is Kind.SCENE and session.cursor.selection.current is not None:
        return session.script.scene_by_id.get(session.cursor.selection.current)
    scenes_in_time = session.script.scenes
    place = bisect_right(scenes_in_time, session.cursor.playhead, key=lambda scene: scene.span.start) - 1
    return scenes_in_time[place] if place >= 0 else None


class SceneCommands:
    """Each acts on the selected scene, else on the one at the playhead."""

    def __init__(self, context: Context, window: QWidget, films: FilmLoader, is_open: Callable[[], bool]) -> None:
        self._session = context.session
        self._attempt = context.session.edits.attempt
        self._window = window
        self._films = films
        connect = context.actions.connect
        has_scene = lambda: current_scene(self._session) is not None  # noqa: E731 - a predicate to hand on
        is_reviewed = lambda: bool((scene := current_scene(self._session)) and self._is_reviewed(scene))  # noqa: E731
        connect("scene.split", self.split, is_open)
        connect("scene.to_cuts", self.to_cuts, lambda: is_open() and len(self._session.script.scenes) > 1)
        connect("scene.merge", lambda: self._on_scene(self.merge), has_scene)
        connect("scene.rename", lambda: self._on_scene(self.rename), has_scene)
        connect("scene.sequence", lambda: self._on_scene(self.gather), has_scene)
        connect("scene.reviewed", lambda: self._on_scene(self.toggle_reviewed), has_scene, is_reviewed)
        connect("scene.next", self.go_to_next, is_open)
        connect("scene.detect", self.detect, lambda: is_open() and self._session.script.film.media is not None)
        connect("scene.from_shots", self.from_shots, lambda: is_open() and not self._session.script.scenes)
        connect("scene.alone", self.toggle_alone, is_open, self._is_alone)

    def _on_scene(self, do: Callable[[Scene], object]) -> None:
        scene = current_scene(self._session)
        if scene is not None:
            do(scene)

    def split(self) -> None:
        """A new scene begins at the playhead, or at a cut that is next to it."""
        session, shots = self._session, self._films.data.shots
        at = session.cursor.playhead
        cut = scenes.near_cut(at, () if shots is None else shots.cuts)
        begins = at if cut is None else cut
        done = self._attempt(lambda script: scenes.split_scene(script, session.edits.ids, begins))
        if done and begins != at:
            session.messages.say(f"The scene begins at the cut, {session.script.film.timecode(begins)}.")

    def to_cuts(self) -> None:
        """Move the boundaries between scenes to the nearest cuts."""
        shots = self._films.data.shots
        if shots is None or not shots.complete:
            self._session.messages.say("Shots are still being detected; try again later.")
            self.detect()
            return
        cuts = shots.cuts
        self._attempt(lambda script: scenes.scenes_to_cuts(script, cuts))

    def merge(self, scene: Scene) -> None:
        """The scene and the next become one."""
        self._attempt(lambda script: scenes.merge_scene(script, scene.id))

    def rename(self, scene: Scene) -> None:
        """Ask for a name."""
        title, agreed = InputDialog.ask_text(self._window, "Rename scene", "Name:", text=scene.title)
        if agreed:
            self._attempt(lambda script: scenes.rename_scene(script, scene.id, title))

    def gather(self, scene: Scene) -> None:
        """Ask for a sequence, there already or new, and put the selected scenes into it; none takes them out."""
        selection = self._session.cursor.selection
        ids = selection.ids if selection.kind is Kind.SCENE else (scene.id,)
        titles = {sequence.title: sequence.id for sequence in self._session.script.sequences}
        chosen, agreed = InputDialog.ask_item(
            self._window, "Add to sequence", "Sequence, or a new name:", [*titles, NO_SEQUENCE], 0
        )
        if not agreed or not chosen.strip():
            return
        if chosen in titles or chosen == NO_SEQUENCE:
            into = titles.get(chosen)
            self._attempt(lambda script: scenes.assign_to_sequence(script, ids, into))
        else:
            self._attempt(lambda script: scenes.make_sequence(script, self._session.edits.ids, ids, chosen))

    def toggle_reviewed(self, scene: Scene) -> None:
        """Reviewed as it is now, or not yet; what has changed since it was reviewed is approved with it."""
        on, plan = not self._is_reviewed(scene), self._session.plan
        self._attempt(lambda script: scenes.set_reviewed(script, (scene.id,), on=on, plan=plan))

    def _is_reviewed(self, scene: Scene) -> bool:
        return scene.id in self._session.current_plan.reviewed_scenes

    def go_to_next(self) -> None:
        """To the next scene to review, after the last one the first."""
        reviewed = self._session.current_plan.reviewed_scenes
        script = self._session.script
        scene = scenes.next_unreviewed(script, self._session.cursor.playhead, reviewed)
        if scene is None:
            self._session.messages.say("Every scene has been reviewed.")
            return
        self._session.cursor.select(Selection(Kind.SCENE, (scene.id,)))
        self._session.cursor.seek(scene.span.start)
        self._session.messages.say(f"To review: {scene_words(script.scenes, script.scenes.index(scene))}.")

    def detect(self) -> None:
        """Find the cuts in the background, or say how many are known."""
        shots = self._films.data.shots
        if shots is not None and shots.complete:
            self._session.messages.say(f"{counted(shots.count, 'shot')} found in the film.")
        else:
            self._films.renew()

    def from_shots(self) -> None:
        """Make scenes where there are none, from cuts that lie far enough apart."""
        shots = self._films.data.shots
        if shots is None or not shots.complete:
            self._session.messages.say("Shots are still being detected; try again later.")
            self.detect()
            return
        least, agreed = InputDialog.ask_number(
            self._window, "Scenes from shots", "Shortest scene, in seconds:", SHORTEST_SCENE, 1.0, 3600.0, 1
        )
        if agreed:
            cuts = shots.cuts
            self._attempt(
                lambda script: scenes.scenes_from_shots(script, self._session.edits.ids, cuts, round(1000 * least))
            )

    def toggle_alone(self) -> None:
        """Plan scene by scene, or the film as a whole."""
        settings = self._session.script.settings
        scope = Scope.FILM if settings.scope is Scope.SCENE else Scope.SCENE
        self._session.edits.do(SetSettings(settings, replace(settings, scope=scope)))

    def _is_alone(self) -> bool:
        return self._session.script.settings.scope is Scope.SCENE
