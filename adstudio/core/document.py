"""The document: a script, its history, and one revision number that only steps raise (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import Step

KEPT_PLANS = 200
"""How many plans are kept for undo; an older revision's plan is made anew."""


@dataclass(frozen=True)
class Change:
    """What listeners hear: the step that was just applied, and the revision the document is at now."""

    step: Step
    revision: int


@dataclass(frozen=True)
class _Moment:
    step: Step
    before: int
    after: int


class Document:
    """Holds the one current script. `apply`, `undo` and `redo` are the only ways to change it.

    Each state has a revision of its own, never used twice: undo goes back to the older state's revision, a new step
    gets a number nobody has had. A background result belongs to the revision it was asked for.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self._revision = self._last_revision = self._saved_revision = 0
        self._past: list[_Moment] = []
        self._future: list[_Moment] = []
        self._plans: dict[int, Plan] = {}
        self._listeners: list[Callable[[Change], None]] = []

    @property
    def script(self) -> Script:
        """The script as it stands."""
        return self._script

    @property
    def revision(self) -> int:
        """The number of the present state."""
        return self._revision

    @property
    def changed(self) -> bool:
        """Whether the state differs from the one last marked as saved; undoing back to it is clean again."""
        return self._revision != self._saved_revision

    @property
    def past(self) -> tuple[Step, ...]:
        """The steps that undo would take back, the last one last."""
        return tuple(moment.step for moment in self._past)

    @property
    def future(self) -> tuple[Step, ...]:
        """The steps that redo would bring back, the next one first."""
        return tuple(moment.step for moment in reversed(self._future))

    def mark_saved(self) -> None:
        """Remember the present state as the saved one."""
        self._saved_revision = self._revision

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call `listener` after every change; the value returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def apply(self, step: Step) -> None:
        """Change the script by a step; what was undone before it can no longer be redone.

        Raises:
            StepError: when the step does not fit; then nothing has changed.
        """
        self._script = step.apply(self._script)
        self._last_revision += 1
        self._past.append(_Moment(step, self._revision, self._last_revision))
        self._future.clear()
        self._arrive(step, self._last_revision)

    def undo(self) -> bool:
        """Take the last step back; False at the opened state."""
        if not self._past:
            return False
        moment = self._past.pop()
        inverse = moment.step.inverse()
        self._script = inverse.apply(self._script)
        self._future.append(moment)
        self._arrive(inverse, moment.before)
        return True

    def redo(self) -> bool:
        """Bring the last undone step back; False where there is none."""
        if not self._future:
            return False
        moment = self._future.pop()
        self._script = moment.step.apply(self._script)
        self._past.append(moment)
        self._arrive(moment.step, moment.after)
        return True

    @property
    def plan(self) -> Plan | None:
        """The plan of the present revision, where one is known."""
        return self._plans.get(self._revision)

    def keep_plan(self, revision: int, plan: Plan) -> bool:
        """Keep a plan beside the revision it was made for; False, and dropped, if the document has moved on."""
        if revision != self._revision:
            return False
        self._plans[revision] = plan
        while len(self._plans) > KEPT_PLANS:
            del self._plans[min(self._plans)]
        return True

    def _arrive(self, step: Step, revision: int) -> None:
        self._revision = revision
        change = Change(step, revision)
        for listener in tuple(self._listeners):
            listener(change)
