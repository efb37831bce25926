"""Scenes drafted by a model come into the script: each as one step, once the hand is not at work in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from adstudio.candidates.model_draft.events import SceneDraft
from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.steps import Replace, Several, Step
from adstudio.core.timebase import Span
from adstudio.editing.names import named
from adstudio.editing.redraft import redraft_scene
from adstudio.ui.selection import Kind
from adstudio.ui.session import Session

PACE_MS = 120
"""Between two scenes that come in: the window is painted, and what waits for the hand to rest is done."""
CUT_ANEW = "it was given other bounds meanwhile, so its old lines stay: draft it again"
NOT_THERE = "it is not in the film any more"
_TEXTS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)


@dataclass(frozen=True)
class Arrival:
    """What came of putting a scene's lines in: how many came, how many of the describer's stayed; else why not."""

    scene: str
    came: int = 0
    kept: int = 0
    why: str = ""


@dataclass(frozen=True)
class _Waiting:
    draft: SceneDraft
    span: Span
    by: str


class Arrivals(QObject):
    """Holds what has come until it can be put in."""

    arrived = Signal(object)
    """Arrival."""
    held = Signal(object)
    """The scenes (ids) that wait for the hand; told when they are others."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._waiting: list[_Waiting] = []
        self._held: frozenset[str] = frozenset()
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(PACE_MS)
        self._turn.timeout.connect(self._go_on)
        session.opened.connect(self.clear)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The scenes that have come and are not in the script yet."""
        return tuple(each.draft.scene for each in self._waiting)

    def add(self, draft: SceneDraft, span: Span, by: str) -> None:
        """A scene has come, drafted for that span by that model; one that came before and still waits is forgotten."""
        self._waiting = [each for each in self._waiting if each.draft.scene != draft.scene]
        self._waiting.append(_Waiting(draft, span, by))
        # A turn of its own: more may come with it.
        if not self._turn.isActive():
            self._turn.start()

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting = []
        self._turn.stop()
        self._tell_held(frozenset())

    def _go_on(self) -> None:
        """Put in the first that can be; look again after a while where others wait."""
        session = self._session
        ready: _Waiting | None = None
        if session.at_rest:
            scenes = session.script.scene_by_id
            found = [(each, scenes.get(each.draft.scene)) for each in self._waiting]
            free = [each for each, scene in found if scene is None or not in_hand(session, scene, self._window)]
            held = frozenset(each.draft.scene for each, _ in found if each not in free)
            ready = next(iter(free), None)
            self._waiting = [each for each in self._waiting if each is not ready]
            self._tell_held(held)
        if self._waiting:
            self._turn.start()
        if ready is not None:
            self.arrived.emit(self._put(ready, session.script.scene_by_id.get(ready.draft.scene)))

    def _tell_held(self, held: frozenset[str]) -> None:
        if held != self._held:
            self._held = held
            self.held.emit(held)

    def _put(self, each: _Waiting, scene: Scene | None) -> Arrival:
        session, name = self._session, each.draft.scene
        if scene is None:
            return Arrival(name, why=NOT_THERE)
        if scene.span != each.span:
            return Arrival(name, why=CUT_ANEW)
        before = session.script
        in_hand_before = session.line
        if not session.attempt(lambda script: _step(script, session, scene, each)):
            return Arrival(name, kept=_count(before, name))
        old = before.eventuality_index
        lines = [line for line in session.script.eventualities if line.scene == name]
        came = sum(line.id not in old for line in lines)
        self._keep_hand(in_hand_before, lines)
        return Arrival(name, came, len(lines) - came)

    def _keep_hand(self, line: Eventuality | None, lines: list[Eventuality]) -> None:
        """Where the line in hand has gone, the one that happens nearest to it is in hand."""
        session = self._session
        if line is None or not lines or session.selection.kind is not Kind.NOTHING:
            return
        at = 0 if line.occurrence is None else line.occurrence.start
        near = min(lines, key=lambda each: abs((each.occurrence.start if each.occurrence else 0) - at))
        session.select_line(near.id)


def in_hand(session: Session, scene: Scene, window: QWidget) -> bool:
    """Whether somebody is dragging something, or writes in a line of the scene: a text of it has the keys."""
    if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
        return True
    focus = QApplication.focusWidget() or window.window().focusWidget()
    if not isinstance(focus, _TEXTS) or focus.isReadOnly():
        return False
    script = session.script
    return any(
        identity in script.eventuality_index and script.eventuality(identity).scene == scene.id
        for identity in session.selection.lines()
    )


def _step(script: Script, session: Session, scene: Scene, each: _Waiting) -> Step | None:
    """The scene's lines in place of the machine's, those included that were drafted before the film had scenes."""
    adopted = _adopted(script, scene)
    for one in adopted:
        script = one.apply(script)
    step = redraft_scene(script, session.ids, scene.id, each.draft.lines)
    if step is None:
        return None
    steps = step.steps if isinstance(step, Several) else (step,)
    return Several(f"Scene {named(scene.title or scene.id)} drafted by {each.by}", (*adopted, *steps))


def _adopted(script: Script, scene: Scene) -> list[Replace]:
    """Lines that are in no scene become this one's where they happen in it: else they would be said twice."""
    return [
        Replace(line, replace(line, scene=scene.id))
        for line in script.eventualities
        if line.scene is None and line.occurrence and scene.span.start <= line.occurrence.start < scene.span.end
    ]


def _count(script: Script, scene: str) -> int:
    return sum(line.scene == scene for line in script.eventualities)
