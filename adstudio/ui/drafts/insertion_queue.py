"""Inserts scenes drafted by a model into the script: each as one step, once nobody is editing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from adstudio.core.errors import BadInputError
from adstudio.core.script import Eventuality, Scene, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.drafting.landing import scene_step
from adstudio.drafting.model.events import SceneDraft
from adstudio.drafting.run_state import Hold, LeftOut
from adstudio.ui.background.timers import single_shot
from adstudio.ui.session.selection import Kind
from adstudio.ui.session.session import Session

PACE_MS = 120
"""Between two scenes: the window is painted, and deferred work is done."""
STAGE_MS = 4
"""Between two parts of the work on one scene, so that a key that was pressed meanwhile comes first."""
ANNOUNCE_MS = 20
"""From the insertion of a scene to its announcement."""
_TEXTS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)


@dataclass(frozen=True)
class _Waiting:
    """A drafted scene, the span it was drafted for, and the model."""

    draft: SceneDraft
    span: Span
    model: str


@dataclass(frozen=True)
class _Prepared:
    """A scene whose step is ready, and the script that the step was made for."""

    entry: _Waiting
    script: Script
    step: Step


class InsertionQueue(QObject):
    """Holds drafted scenes until they can be inserted.

    Nobody waits for it, so each part of the work has an event to itself: the step is made, its plan is worked out, it
    is taken, it is announced. Whatever the describer does between these comes first, and the work is begun again.
    """

    arrived = Signal(str, object)
    """A scene (id) has been dealt with; the `LeftOut` says why its lines were not inserted, None where they were."""
    held = Signal(object)
    """The scenes (ids) that wait for the describer, and why each does; emitted when this changes."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._waiting: list[_Waiting] = []
        self._held: Mapping[str, Hold] = {}
        self._admitted: set[str] = set()
        """The scenes that may clear the redo history."""
        self._prepared: _Prepared | None = None
        self._finished: list[tuple[str, LeftOut | None]] = []
        self._turn = single_shot(self, PACE_MS, self._go_on)
        self._next = single_shot(self, 0, self._bring_in)
        session.opened.connect(self.clear)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The drafted scenes that are not in the script yet."""
        return tuple(each.draft.scene for each in self._waiting)

    def left_out_scenes(self) -> Mapping[str, LeftOut]:
        """Those of them (ids) that could not be inserted as the film is cut now, and why."""
        scenes = self._session.script.scene_by_id
        whys = {each.draft.scene: _why_out(scenes.get(each.draft.scene), each) for each in self._waiting}
        return {scene: why for scene, why in whys.items() if why is not None}

    def add(self, draft: SceneDraft, span: Span, model: str) -> None:
        """Insert a scene when that is possible; an earlier draft of it that still waits is dropped."""
        self._waiting = [each for each in self._waiting if each.draft.scene != draft.scene]
        self._admitted.discard(draft.scene)
        self._waiting.append(_Waiting(draft, span, model))
        # In an event of its own: more may come with it.
        self._start()

    def let_in(self) -> None:
        """Also insert scenes that were held back to preserve the redo history."""
        self._admitted = set(self.waiting)
        self._start()

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting, self._prepared, self._finished = [], None, []
        self._admitted.clear()
        self._turn.stop()
        self._next.stop()
        self._report_held({})

    def _start(self) -> None:
        if not self._turn.isActive() and not self._next.isActive():
            self._turn.start()

    def _go_on(self) -> None:
        """Prepare the first scene that can be inserted; look again after a while where there is none."""
        session = self._session
        ready: _Waiting | None = None
        if session.idle.is_idle:
            scenes = session.script.scene_by_id
            whys = [self._why_held(each, scenes.get(each.draft.scene)) for each in self._waiting]
            found = list(zip(self._waiting, whys, strict=True))
            ready = next((each for each, why in found if why is None), None)
            self._report_held({each.draft.scene: why for each, why in found if why is not None})
        if ready is not None:
            self._prepare(ready)
            self._next.start(STAGE_MS)
        elif self._waiting:
            self._turn.start()

    def _why_held(self, each: _Waiting, scene: Scene | None) -> Hold | None:
        """Why a scene cannot be inserted yet; None where it can."""
        if scene is not None and is_being_edited(self._session, scene, self._window):
            return Hold.EDITING
        # A new step would be the end of all that can be redone.
        return Hold.REDO if self._session.edits.document.can_redo and each.draft.scene not in self._admitted else None

    def _prepare(self, each: _Waiting) -> None:
        """Make the scene's step; where there is none to take, it is finished with that."""
        session, script = self._session, self._session.script
        scene = script.scene_by_id.get(each.draft.scene)
        why = _why_out(scene, each)
        step: Step | None = None
        if scene is not None and why is None:
            try:
                step = scene_step(script, session.edits.ids, scene, each.draft.lines, each.model)
            except BadInputError as error:
                session.messages.say(str(error))
        if step is None:
            self._finish(each, why)
            return
        self._prepared = _Prepared(each, script, step)
        for line in each.draft.lines:
            for variant in line.variants:
                script.duration(variant)  # known from then on, when it is planned
        if session.project is not None:
            session.project.prepare(step)

    def _finish(self, each: _Waiting, why: LeftOut | None = None) -> None:
        self._waiting = [one for one in self._waiting if one is not each]
        self._admitted.discard(each.draft.scene)
        self._finished.append((each.draft.scene, why))

    def _bring_in(self) -> None:
        """Do the next part of what is under way."""
        prepared, current_plan = self._prepared, self._session.current_plan
        self._prepared = None
        if prepared is not None and self._is_current(prepared):
            if current_plan.ahead is prepared.step:
                self._insert(prepared)
                self._finish(prepared.entry)
            else:
                current_plan.look_ahead(prepared.step)
                self._prepared = prepared
        elif prepared is None and self._finished:
            self.arrived.emit(*self._finished.pop(0))
        if self._prepared is not None or self._finished:
            # What was inserted is painted, and put in words, before more is made of it.
            self._next.start(ANNOUNCE_MS if self._prepared is None else STAGE_MS)
        elif self._waiting:
            self._turn.start()

    def _is_current(self, prepared: _Prepared) -> bool:
        """Whether nothing has come between, so that it may go on."""
        session, entry = self._session, prepared.entry
        scene = session.script.scene_by_id.get(entry.draft.scene)
        current = session.script is prepared.script and session.idle.is_idle and entry in self._waiting
        return current and scene is not None and self._why_held(entry, scene) is None

    def _report_held(self, held: Mapping[str, Hold]) -> None:
        if held != self._held:
            self._held = held
            self.held.emit(held)

    def _insert(self, prepared: _Prepared) -> None:
        """Take the step; where it removes the current line, the one that happens nearest to it is selected."""
        session = self._session
        before = session.cursor.line
        session.edits.do(prepared.step)
        lines = [line for line in session.script.eventualities if line.scene == prepared.entry.draft.scene]
        if before is not None and lines and session.cursor.selection.kind is Kind.NOTHING:
            near = min(lines, key=lambda each: abs(_start_of(each) - _start_of(before)))
            session.cursor.select_line(near.id)


def is_being_edited(session: Session, scene: Scene, window: QWidget) -> bool:
    """Whether somebody is dragging something, or types in a line of the scene: a text of it has the focus."""
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


def _start_of(line: Eventuality) -> int:
    return 0 if line.occurrence is None else line.occurrence.start


def _why_out(scene: Scene | None, each: _Waiting) -> LeftOut | None:
    """Why lines cannot be put into the film as it is cut now; None where they can."""
    if scene is None:
        return LeftOut.SCENE_GONE
    return None if scene.span == each.span else LeftOut.RECUT
