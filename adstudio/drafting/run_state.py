"""How a draft by a model stands: every scene of it, what was found in it, what is just being told, and the sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from time import monotonic

from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Scene, Script
from adstudio.core.timebase import Span
from adstudio.drafting.events import Noted
from adstudio.drafting.model.events import FINAL, Delayed, Found, Moved, SceneDraft, SceneState, Spent, Telling
from adstudio.llm.messages import Usage

MOST_FOUND = 2_000
"""Elements of a scene that are shown to be shown; of more, how many there are is told."""
LONGEST_SHOWN = 20_000
"""Letters of a description that are shown to be shown."""
SETTLED = 2
"""Scenes that have to be done before it is said how long the rest will take."""
UNHAPPY = frozenset({SceneState.PARTIAL, SceneState.BLOCKED, SceneState.FAILED, SceneState.STOPPED, SceneState.LIMITED})
"""How a scene may end without all its lines."""


class StopReason(Enum):
    """Why a run was stopped."""

    REQUESTED = "requested"
    """Somebody asked for it."""
    OFFLINE = "offline"
    """The project was set to offline."""
    POLICY = "policy"
    """The project's sharing policy became another one."""


class LeftOut(Enum):
    """Why lines that have come are not put into the script."""

    RECUT = "recut"
    """Their scene has other bounds by now."""
    SCENE_GONE = "scene_gone"


class Hold(Enum):
    """Why lines that have come wait for the describer."""

    EDITING = "editing"
    """A line of their scene is being written."""
    REDO = "redo"
    """Inserting them would clear what can be redone."""


@dataclass(frozen=True)
class SceneStatus:
    """Where a scene stands: its state, how many elements were found, the newest of them, and why it is not whole."""

    span: Span
    """The scene as it was requested."""
    state: SceneState = SceneState.WAITING
    found: int = 0
    newest: str = ""
    why: str = ""
    lines: int = 0
    notes: tuple[str, ...] = ()
    delay: str = ""
    """Why nothing comes of it for now; it is asked once more after a while."""
    taken_out: bool = False
    """Whether its coming into the script has been undone."""
    left_out: LeftOut | None = None
    """Why its lines, which have come, are not put into the script."""
    stop: StopReason = StopReason.REQUESTED
    """Why it was stopped, where that is its state."""
    inserted: bool = False
    """Whether its lines were put into the script, whatever has become of them since."""

    @property
    def whole(self) -> bool:
        """Whether all its lines have come, and neither somebody nor anything keeps them out of the script."""
        return self.state is SceneState.DONE and not self.is_out

    @property
    def is_out(self) -> bool:
        """Whether lines have come that do not stand in the script."""
        return self.taken_out or self.left_out is not None

    @property
    def is_left_out(self) -> bool:
        """Whether lines have come that could not be put into the script."""
        return self.left_out is not None

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it."""
        return self.state in FINAL

    @property
    def length(self) -> int:
        """Of the scene, in milliseconds, at least one."""
        return max(self.span.length, 1)


class RunState:
    """Takes the messages in and keeps what is to be seen of them. Only the scenes that were asked for are in it."""

    def __init__(self, scenes: Sequence[Scene], now: Callable[[], float] = monotonic) -> None:
        self.scenes = {scene.id: SceneStatus(scene.span) for scene in scenes}
        self.holds: Mapping[str, Hold] = {}
        """The scenes (ids), of whichever run, whose lines wait for the describer, and why."""
        self.usage = Usage()
        """Of this run so far."""
        self.detecting_cuts: float | None = None
        """How much of the film has been searched for cuts; None where nobody knows."""
        self.noted = ""
        """What the describer should know of the run, without a full stop."""
        self._descriptions: dict[str, dict[int, str]] = {}
        self._found: dict[str, dict[tuple[int, str], str]] = {}
        self._now = now
        self._began: float | None = None

    def update(self, event: object) -> str | None:
        """Take an event in; the scene whose status has changed, if any."""
        match event:
            case Progress(Stage.DETECTING_CUTS, fraction):
                self.detecting_cuts = fraction
                return None
            case Spent(usage, _):
                self.usage = usage
                return None
            case Noted(sentence):
                self.noted = sentence
                return None
            case Moved(scene) | Delayed(scene) | Telling(scene) | Found(scene) | SceneDraft(scene) if (
                scene in self.scenes
            ):
                self.detecting_cuts = 1.0
                self._update_scene(scene, event)
                return scene
            case _:
                return None

    def _update_scene(self, scene: str, event: Moved | Delayed | Telling | Found | SceneDraft) -> None:
        stands = replace(self.scenes[scene], delay="")
        match event:
            case Moved(_, state, why):
                self.scenes[scene] = replace(stands, state=state, why=why)
                if state is not SceneState.WAITING and self._began is None:
                    self._began = self._now()
            case Delayed(_, why):
                self.scenes[scene] = replace(stands, delay=why)
            case Telling(_, part, text):
                self.scenes[scene] = stands
                self._descriptions.setdefault(scene, {})[part] = text[:LONGEST_SHOWN]
            case Found(_, part, identity, text):
                found = self._found.setdefault(scene, {})
                if len(found) < MOST_FOUND:
                    found[part, identity] = text
                self.scenes[scene] = replace(stands, found=max(len(found), stands.found), newest=text)
            case SceneDraft(_, state, lines, why, description, notes):
                newest = lines[-1].variants[0].text if lines else stands.newest
                found = max(len(lines), stands.found)
                self.scenes[scene] = SceneStatus(stands.span, state, found, newest, why, len(lines), notes)
                if description:
                    self._descriptions[scene] = {0: description[:LONGEST_SHOWN]}
                if lines:
                    shown = lines[:MOST_FOUND]
                    self._found[scene] = {(0, line.id): line.variants[0].text for line in shown}

    def description(self, scene: str) -> str:
        """The description of a scene, as far as it has come, its parts in order."""
        return "\n\n".join(text for _, text in sorted(self._descriptions.get(scene, {}).items()) if text)

    def elements(self, scene: str) -> tuple[str, ...]:
        """What was found in a scene, in the order it came."""
        return tuple(self._found.get(scene, {}).values())

    @property
    def counts(self) -> Mapping[SceneState, int]:
        """Scenes by state, of those whose lines are not shown out of the script."""
        return Counter(stands.state for stands in self.scenes.values() if not stands.is_out)

    @property
    def drafted(self) -> int:
        """Scenes that are whole."""
        return sum(stands.whole for stands in self.scenes.values())

    @property
    def ended(self) -> int:
        """Scenes of which nothing more comes."""
        return sum(stands.over for stands in self.scenes.values())

    @property
    def unhappy(self) -> tuple[str, ...]:
        """The scenes that ended without all their lines, or whose lines could not be put into the script."""
        return tuple(
            scene
            for scene, stands in self.scenes.items()
            if stands.state in UNHAPPY or (stands.over and stands.left_out is not None)
        )

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take if it goes on like this; None while nobody can tell."""
        over = [stands.length for stands in self.scenes.values() if stands.over]
        left = sum(stands.length for stands in self.scenes.values()) - sum(over)
        if self._began is None or len(over) < min(SETTLED, len(self.scenes)) or not over:
            return None
        return (self._now() - self._began) * left / sum(over)

    def take_out(self, scene: str, *, out: bool) -> bool:
        """A scene's coming into the script was undone, or redone; tells whether it stands otherwise now."""
        stands = self.scenes.get(scene)
        if stands is None or stands.taken_out is out:
            return False
        self.scenes[scene] = replace(stands, taken_out=out)
        return True

    def leave_out(self, scene: str, why: LeftOut | None) -> bool:
        """A scene's lines cannot be put into the script, and why; None where they are in it after all.

        Tells whether it stands otherwise now.
        """
        stands = self.scenes.get(scene)
        if stands is None or stands.left_out is why:
            return False
        self.scenes[scene] = replace(stands, left_out=why)
        return True

    def insert(self, scene: str) -> None:
        """A scene's lines have been put into the script."""
        if scene in self.scenes:
            self.scenes[scene] = replace(self.scenes[scene], inserted=True)

    def scene_removed(self, gone: str, scenes: Iterable[Scene], waiting: Collection[str]) -> None:
        """A scene is part of others now, of which not all lines have come then; `waiting` have theirs still to come."""
        removed = self.scenes.get(gone)
        for scene in scenes:
            stands = self.scenes.get(scene.id)
            if removed is None or stands is None or not stands.over or stands.is_left_out or scene.id in waiting:
                continue
            if scene.span != stands.span and scene.span.overlap(removed.span) is not None:
                self.leave_out(scene.id, LeftOut.RECUT)

    def scenes_changed(self, scenes: Mapping[str, Scene]) -> bool:
        """Look at the scenes of the film again, by id; whether a status has changed.

        One that is cut again as it was drafted has all its lines; one that is back has none of what came of it.
        """
        again = [
            scene
            for scene, stands in self.scenes.items()
            if stands.left_out is LeftOut.RECUT
            and (stands.inserted or not stands.lines)
            and self._is_as_drafted(scenes.get(scene))
        ]
        back = [
            scene for scene, stands in self.scenes.items() if stands.left_out is LeftOut.SCENE_GONE and scene in scenes
        ]
        for scene in again:
            self.leave_out(scene, None)
        for scene in back:
            self.leave_out(scene, LeftOut.RECUT)
        return bool(again or back)

    def _is_as_drafted(self, scene: Scene | None) -> bool:
        return scene is not None and scene.span == self.scenes[scene.id].span

    def explain_stop(self, why: StopReason) -> frozenset[str]:
        """Note why the run was stopped; the scenes whose status has changed."""
        stopped = {
            scene: replace(stands, stop=why)
            for scene, stands in self.scenes.items()
            if stands.state is SceneState.STOPPED and stands.stop is not why
        }
        self.scenes.update(stopped)
        return frozenset(stopped)

    def broke_off(self, state: SceneState, why: str = "") -> None:
        """No more messages come: what is not over ends like this."""
        for scene, stands in self.scenes.items():
            if not stands.over:
                self.scenes[scene] = replace(stands, state=state, why=why, delay="")


def models_lines(script: Script) -> Mapping[str, int]:
    """How many of a model's lines stand in each scene (id); only those scenes that have some."""
    return Counter(line.scene for line in script.eventualities if line.scene is not None and line.provenance.by_model)


def drafted_scenes(script: Script) -> frozenset[str]:
    """The scenes in which a model's lines stand."""
    return frozenset(models_lines(script))


def scenes_to_draft(script: Script, drafted: Iterable[str] = (), *, anew: bool = False) -> tuple[Scene, ...]:
    """The scenes that a model is asked for unless somebody chooses: none that a person has reviewed.

    Those without a model's lines; `anew`: those with them too. `drafted` are more scenes that count as drafted.
    """
    done = frozenset[str]() if anew else drafted_scenes(script).union(drafted)
    return tuple(scene for scene in script.scenes if not scene.reviewed and scene.id not in done)
