"""Scenes drafted by a model come into the script: each as one step, once the hand is not at work in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from adstudio.core.errors import BadInputError
from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.drafting.landing import scene_step
from adstudio.drafting.model.events import SceneDraft
from adstudio.drafting.run_state import Hold, LeftOut
from adstudio.ui.session.selection import Kind
from adstudio.ui.session.session import Session

PACE_MS = 120
"""Between two scenes that come in: the window is painted, and what waits for the hand to rest is done."""
STAGE_MS = 4
"""Between two parts of the work on one scene, so that a key that was pressed meanwhile comes first."""
TELL_MS = 20
"""From a scene that has come in to what is said of that."""
_TEXTS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)


@dataclass(frozen=True)
class Insertion:
    """What came of putting a scene's lines in: how many came, how many of the describer's stayed; else why not."""

    scene: str
    came: int = 0
    retained: int = 0
    why: LeftOut | None = None


@dataclass(frozen=True)
class _Waiting:
    draft: SceneDraft
    span: Span
    by: str


@dataclass(frozen=True)
class _Coming:
    """A scene that comes in: the script for which its step was made."""

    of: _Waiting
    script: Script
    step: Step


class InsertionQueue(QObject):
    """Holds what has come until it can be put in.

    No hand waits for it, so each part of the work has a turn of the event loop to itself: the step is made, its plan is
    worked out, it is taken, it is told. Whatever comes between these is done first, and it is begun anew after it.
    """

    arrived = Signal(object)
    """Arrival."""
    held = Signal(object)
    """The scenes (ids) that wait for the describer, and why each does; told when they are others."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._waiting: list[_Waiting] = []
        self._held: Mapping[str, Hold] = {}
        self._let: set[str] = set()
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(PACE_MS)
        self._turn.timeout.connect(self._go_on)
        self._coming: _Coming | None = None
        self._came: list[Insertion] = []
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.timeout.connect(self._bring_in)
        session.opened.connect(self.clear)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The scenes that have come and are not in the script yet."""
        return tuple(each.draft.scene for each in self._waiting)

    def left_out_scenes(self) -> Mapping[str, LeftOut]:
        """Those of them (ids) that could not be put in as the film is cut now, and why."""
        scenes = self._session.script.scene_by_id
        whys = {each.draft.scene: _why_out(scenes.get(each.draft.scene), each) for each in self._waiting}
        return {scene: why for scene, why in whys.items() if why is not None}

    def add(self, draft: SceneDraft, span: Span, by: str) -> None:
        """A scene has come, drafted for that span by that model; one that came before and still waits is forgotten."""
        self._waiting = [each for each in self._waiting if each.draft.scene != draft.scene]
        self._let.discard(draft.scene)
        self._waiting.append(_Waiting(draft, span, by))
        # A turn of its own: more may come with it.
        self._start()

    def let_in(self) -> None:
        """What waits for the sake of what can be redone need not any more."""
        self._let = set(self.waiting)
        self._start()

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting, self._coming, self._came = [], None, []
        self._let.clear()
        self._turn.stop()
        self._next.stop()
        self._tell_held({})

    def _start(self) -> None:
        if not self._turn.isActive() and not self._next.isActive():
            self._turn.start()

    def _go_on(self) -> None:
        """Make the step of the first that can be put in; look again after a while where there is none."""
        session = self._session
        ready: _Waiting | None = None
        if session.idle.is_idle:
            scenes = session.script.scene_by_id
            found = [(each, scenes.get(each.draft.scene)) for each in self._waiting]
            whys = [self._why_held(each, scene) for each, scene in found]
            ready = next((each for (each, _), why in zip(found, whys, strict=True) if why is None), None)
            self._tell_held(
                {each.draft.scene: why for (each, _), why in zip(found, whys, strict=True) if why is not None}
            )
        if ready is not None:
            self._make(ready, session.script.scene_by_id.get(ready.draft.scene))
            self._next.start(STAGE_MS)
        elif self._waiting:
            self._turn.start()

    def _why_held(self, each: _Waiting, scene: Scene | None) -> Hold | None:
        """Why a scene cannot come in yet; None where it can."""
        if scene is not None and is_being_edited(self._session, scene, self._window):
            return Hold.EDITING
        # A new step would be the end of all that can be redone.
        return Hold.REDO if self._session.edits.document.can_redo and each.draft.scene not in self._let else None

    def _make(self, each: _Waiting, scene: Scene | None) -> None:
        """Make its step; where there is none to take, that is what came of it."""
        session, name, script = self._session, each.draft.scene, self._session.script
        why = _why_out(scene, each)
        if scene is None or why is not None:
            self._done(each, Insertion(name, why=why))
        else:
            step = self._step_of(scene, each)
            if step is None:
                self._done(each, Insertion(name, retained=_count(script, name)))
                return
            self._coming = _Coming(each, script, step)
            for line in each.draft.lines:
                for variant in line.variants:
                    script.duration(variant)  # known from then on, when it is planned
            if session.project is not None:
                session.project.prepare(step)

    def _step_of(self, scene: Scene, each: _Waiting) -> Step | None:
        try:
            return scene_step(self._session.script, self._session.edits.ids, scene, each.draft.lines, each.by)
        except BadInputError as error:
            self._session.messages.say(str(error))
            return None

    def _done(self, each: _Waiting, arrival: Insertion) -> None:
        self._waiting = [one for one in self._waiting if one is not each]
        self._let.discard(each.draft.scene)
        self._came.append(arrival)

    def _bring_in(self) -> None:
        """The next turn of what is under way."""
        coming, session = self._coming, self._session
        self._coming = None
        if coming is not None and self._is_wanted(coming):
            if session.current_plan.ahead is coming.step:
                self._done(coming.of, self._put(coming))
            else:
                session.current_plan.look_ahead(coming.step)
                self._coming = coming
        elif coming is None and self._came:
            self.arrived.emit(self._came.pop(0))
        if self._coming is not None or self._came:
            # What was taken is painted, and put in words, before more is made of it.
            self._next.start(TELL_MS if self._coming is None else STAGE_MS)
        elif self._waiting:
            self._turn.start()

    def _is_wanted(self, coming: _Coming) -> bool:
        """Whether nothing has come between, so that it may go on."""
        session = self._session
        scene = session.script.scene_by_id.get(coming.of.draft.scene)
        current = session.script is coming.script and session.idle.is_idle and coming.of in self._waiting
        return current and scene is not None and self._why_held(coming.of, scene) is None

    def _tell_held(self, held: Mapping[str, Hold]) -> None:
        if held != self._held:
            self._held = held
            self.held.emit(held)

    def _put(self, coming: _Coming) -> Insertion:
        """Take the step."""
        session, name = self._session, coming.of.draft.scene
        selected_before = session.cursor.line
        session.edits.do(coming.step)
        old = coming.script.eventuality_index
        lines = [line for line in session.script.eventualities if line.scene == name]
        came = sum(line.id not in old for line in lines)
        self._restore_selection(selected_before, lines)
        return Insertion(name, came, len(lines) - came)

    def _restore_selection(self, line: Eventuality | None, lines: list[Eventuality]) -> None:
        """Where the line in hand has gone, the one that happens nearest to it is in hand."""
        session = self._session
        if line is None or not lines or session.cursor.selection.kind is not Kind.NOTHING:
            return
        at = 0 if line.occurrence is None else line.occurrence.start
        near = min(lines, key=lambda each: abs((each.occurrence.start if each.occurrence else 0) - at))
        session.cursor.select_line(near.id)


def is_being_edited(session: Session, scene: Scene, window: QWidget) -> bool:
    """Whether somebody is dragging something, or writes in a line of the scene: a text of it has the keys."""
    if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
        return True
    focus = QApplication.focusWidget() or window.window().focusWidget()
    if not isinstance(focus, _TEXTS) or focus.isReadOnly():
        return False
    script = session.script
    return any(
        identity in script.eventuality_index and script.eventuality(identity).scene == scene.id
        for identity in session.cursor.selection.lines()
    )


def _why_out(scene: Scene | None, each: _Waiting) -> LeftOut | None:
    """Why lines cannot be put into the film as it is cut now; None where they can."""
    if scene is None:
        return LeftOut.SCENE_GONE
    return None if scene.span == each.span else LeftOut.RECUT


def _count(script: Script, scene: str) -> int:
    return sum(line.scene == scene for line in script.eventualities)
