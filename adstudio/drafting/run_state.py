"""The state of a draft by a model: every scene, what was found in it, what is being described, and the sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from time import monotonic
from typing import Any

from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Scene, Script
from adstudio.core.timebase import Span
from adstudio.drafting.events import Noted
from adstudio.drafting.model.events import FINAL, Delayed, Found, Moved, SceneDraft, SceneState, Spent, Telling
from adstudio.llm.messages import Usage

MOST_FOUND = 2_000
"""Elements of a scene that are kept for display; of more, only their number."""
LONGEST_SHOWN = 20_000
"""Characters of a description that are kept for display."""
SETTLED = 2
"""Scenes that have to be done before the remaining time is estimated."""
UNHAPPY = FINAL - {SceneState.DONE}
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
    """Why lines that have been received are not inserted into the script."""

    RECUT = "recut"
    """Their scene has other bounds now."""
    SCENE_GONE = "scene_gone"


class Hold(Enum):
    """Why lines that have been received wait for the describer."""

    EDITING = "editing"
    """A line of their scene is being edited."""
    REDO = "redo"
    """Inserting them would clear what can be redone."""


@dataclass(frozen=True)
class SceneStatus:
    """A scene's state, how many elements were found, the newest of them, and why it is not complete."""

    span: Span
    """The scene as it was requested."""
    state: SceneState = SceneState.WAITING
    found: int = 0
    newest: str = ""
    why: str = ""
    lines: int = 0
    notes: tuple[str, ...] = ()
    delay: str = ""
    """Why nothing is received for now; it is requested again after a while."""
    taken_out: bool = False
    """Whether inserting it has been undone."""
    left_out: LeftOut | None = None
    """Why its lines, which have been received, are not inserted."""
    stop: StopReason = StopReason.REQUESTED
    """Why it was stopped, if that is its state."""
    inserted: bool = False
    """Whether its lines were inserted, whatever has become of them since."""

    @property
    def whole(self) -> bool:
        """Whether all its lines have been received and are in the script."""
        return self.state is SceneState.DONE and not self.is_out

    @property
    def is_out(self) -> bool:
        """Whether lines have been received that are not in the script."""
        return self.taken_out or self.left_out is not None

    @property
    def over(self) -> bool:
        """Whether nothing more will be received."""
        return self.state in FINAL

    @property
    def length(self) -> int:
        """The scene's length in milliseconds, at least one."""
        return max(self.span.length, 1)


class RunState:
    """What the events of a run amount to, for the scenes that were requested."""

    def __init__(self, scenes: Sequence[Scene], now: Callable[[], float] = monotonic) -> None:
        self.scenes = {scene.id: SceneStatus(scene.span) for scene in scenes}
        self.holds: Mapping[str, Hold] = {}
        """The scenes (ids), of whichever run, whose lines wait for the describer, and why."""
        self.usage = Usage()
        """Of this run so far."""
        self.detecting_cuts: float | None = None
        """How much of the film has been searched for cuts, if known."""
        self.noted = ""
        """What the describer should know of the run, without a full stop."""
        self._descriptions: dict[str, dict[int, str]] = {}
        self._found: dict[str, dict[tuple[int, str], str]] = {}
        self._now = now
        self._began: float | None = None

    def update(self, event: object) -> str | None:
        """Take in an event; returns the scene whose status has changed, if any."""
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
        status = replace(self.scenes[scene], delay="")
        match event:
            case Moved(_, state, why):
                self.scenes[scene] = replace(status, state=state, why=why)
                if state is not SceneState.WAITING and self._began is None:
                    self._began = self._now()
            case Delayed(_, why):
                self.scenes[scene] = replace(status, delay=why)
            case Telling(_, part, text):
                self.scenes[scene] = status
                self._descriptions.setdefault(scene, {})[part] = text[:LONGEST_SHOWN]
            case Found(_, part, identity, text):
                found = self._found.setdefault(scene, {})
                if len(found) < MOST_FOUND:
                    found[part, identity] = text
                self.scenes[scene] = replace(status, found=max(len(found), status.found), newest=text)
            case SceneDraft(_, state, lines, why, description, notes):
                newest = lines[-1].variants[0].text if lines else status.newest
                found = max(len(lines), status.found)
                self.scenes[scene] = SceneStatus(status.span, state, found, newest, why, len(lines), notes)
                if description:
                    self._descriptions[scene] = {0: description[:LONGEST_SHOWN]}
                if lines:
                    shown = lines[:MOST_FOUND]
                    self._found[scene] = {(0, line.id): line.variants[0].text for line in shown}

    def description(self, scene: str) -> str:
        """The description of a scene, as far as it has been received, its parts in order."""
        return "\n\n".join(text for _, text in sorted(self._descriptions.get(scene, {}).items()) if text)

    def elements(self, scene: str) -> tuple[str, ...]:
        """What was found in a scene, in the order it came."""
        return tuple(self._found.get(scene, {}).values())

    @property
    def counts(self) -> Mapping[SceneState, int]:
        """Scenes by state, without those whose lines are not in the script."""
        return Counter(status.state for status in self.scenes.values() if not status.is_out)

    @property
    def drafted(self) -> int:
        """How many scenes are complete."""
        return sum(status.whole for status in self.scenes.values())

    @property
    def ended(self) -> int:
        """How many scenes have ended."""
        return sum(status.over for status in self.scenes.values())

    @property
    def unhappy(self) -> tuple[str, ...]:
        """The scenes that ended without all their lines, or whose lines could not be inserted."""
        return tuple(
            scene
            for scene, status in self.scenes.items()
            if status.state in UNHAPPY or (status.over and status.left_out is not None)
        )

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take at this pace; None while that is unknown."""
        over = [status.length for status in self.scenes.values() if status.over]
        left = sum(status.length for status in self.scenes.values()) - sum(over)
        if self._began is None or len(over) < min(SETTLED, len(self.scenes)) or not over:
            return None
        return (self._now() - self._began) * left / sum(over)

    def take_out(self, scene: str, *, out: bool) -> bool:
        """Inserting a scene was undone, or redone; whether its status has changed."""
        return self._change(scene, taken_out=out)

    def leave_out(self, scene: str, why: LeftOut | None) -> bool:
        """A scene's lines cannot be inserted (why), or are after all (None); whether its status has changed."""
        return self._change(scene, left_out=why)

    def insert(self, scene: str) -> None:
        """A scene's lines have been inserted."""
        self._change(scene, inserted=True)

    def _change(self, scene: str, **changes: Any) -> bool:  # noqa: ANN401 - fields of SceneStatus
        before = self.scenes.get(scene)
        if before is None:
            return False
        self.scenes[scene] = replace(before, **changes)
        return self.scenes[scene] != before

    def scene_removed(self, gone: str, scenes: Iterable[Scene], waiting: Collection[str]) -> None:
        """A scene was merged into others, which then lack lines; `waiting` are scenes whose lines are still to come."""
        removed = self.scenes.get(gone)
        for scene in scenes:
            status = self.scenes.get(scene.id)
            if removed is None or status is None or scene.id in waiting:
                continue
            recut = scene.span != status.span and scene.span.overlap(removed.span) is not None
            if recut and status.over and status.left_out is None:
                self.leave_out(scene.id, LeftOut.RECUT)

    def scenes_changed(self, scenes: Mapping[str, Scene]) -> bool:
        """Compare with the film's scenes, by id; whether a status has changed.

        One that has the bounds again with which it was drafted has all its lines; one that is back has none of them.
        """
        there = [(scenes[scene], status) for scene, status in self.scenes.items() if scene in scenes]
        back = [scene.id for scene, status in there if status.left_out is LeftOut.SCENE_GONE]
        again = [
            scene.id
            for scene, status in there
            if status.left_out is LeftOut.RECUT and (status.inserted or not status.lines) and scene.span == status.span
        ]
        for scene in again:
            self.leave_out(scene, None)
        for scene in back:
            self.leave_out(scene, LeftOut.RECUT)
        return bool(again or back)

    def explain_stop(self, why: StopReason) -> frozenset[str]:
        """Note why the run was stopped; the scenes whose status has changed."""
        stopped = {
            scene: replace(status, stop=why)
            for scene, status in self.scenes.items()
            if status.state is SceneState.STOPPED and status.stop is not why
        }
        self.scenes.update(stopped)
        return frozenset(stopped)

    def broke_off(self, state: SceneState, why: str = "") -> None:
        """No more events will come: what is not over ends like this."""
        for scene, status in self.scenes.items():
            if not status.over:
                self.scenes[scene] = replace(status, state=state, why=why, delay="")


def models_lines(script: Script) -> Mapping[str, int]:
    """How many of a model's lines are in each scene (id); only those scenes that have some."""
    return Counter(line.scene for line in script.eventualities if line.scene is not None and line.provenance.by_model)


def drafted_scenes(script: Script) -> frozenset[str]:
    """The scenes that have lines of a model."""
    return frozenset(models_lines(script))


def scenes_to_draft(script: Script, drafted: Iterable[str] = (), *, anew: bool = False) -> tuple[Scene, ...]:
    """The scenes that a model is asked for by default: without lines of a model, and not reviewed by a person.

    `anew`: those with lines of a model too. `drafted` are more scenes that count as drafted.
    """
    done = frozenset[str]() if anew else drafted_scenes(script).union(drafted)
    return tuple(scene for scene in script.scenes if not scene.reviewed and scene.id not in done)
