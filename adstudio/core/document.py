"""The document: a script, its history, and one revision number that only steps raise (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import Step

KEPT_PLANS = 200
"""How many plans are kept for undo; an older revision's plan is made anew."""


class Act(Enum):
    """How a change came about."""

    DO = "do"
    UNDO = "undo"
    REDO = "redo"
    WITHDRAW = "withdraw"


@dataclass(frozen=True)
class Change:
    """What listeners hear: the step just applied (going back the inverse one), the revision arrived at, and how."""

    step: Step
    revision: int
    act: Act


@dataclass(frozen=True)
class Moment:
    """A step in a document's history, between the revisions that it leads from and to."""

    step: Step
    before: int
    after: int


@dataclass(frozen=True)
class History:
    """Where a document stands among its steps, so that it can be taken up again after a crash.

    `past` and `future` are stacks, the next step to undo or redo last; `saved` is the revision of the saved state.
    """

    past: tuple[Moment, ...] = ()
    future: tuple[Moment, ...] = ()
    revision: int = 0
    saved: int = 0

    @property
    def last_revision(self) -> int:
        """The highest revision that any state has had."""
        ends = (end for moment in (*self.past, *self.future) for end in (moment.before, moment.after))
        return max(self.revision, self.saved, *ends)


class Document:
    """Holds the one current script. `apply`, `undo`, `redo` and `withdraw` are the only ways to change it.

    Each state has a revision of its own, never used twice: undo goes back to the older state's revision, a new step
    gets a number nobody has had. A background result belongs to the revision it was asked for.
    """

    def __init__(self, script: Script, history: History | None = None) -> None:
        taken_up = history or History()
        self._script = script
        self._revision = taken_up.revision
        self._last_revision = taken_up.last_revision
        self._saved_revision = taken_up.saved
        self._past = list(taken_up.past)
        self._future = list(taken_up.future)
        self._plans: dict[int, Plan] = {}
        self._ahead: tuple[Script, Step, Script] | None = None
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

    @property
    def can_redo(self) -> bool:
        """Whether an undone step could be brought back."""
        return bool(self._future)

    def mark_saved(self) -> None:
        """Remember the present state as the saved one."""
        self._saved_revision = self._revision

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call `listener` after every change; the value returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def ahead(self, step: Step) -> Script:
        """The script that a step would lead to; nothing has changed, and `apply` of that very step comes to it.

        Raises:
            StepError: when the step does not fit.
        """
        script = step.apply(self._script)
        self._ahead = self._script, step, script
        return script

    def apply(self, step: Step) -> None:
        """Change the script by a step; what was undone before it can no longer be redone.

        Raises:
            StepError: when the step does not fit; then nothing has changed.
        """
        ahead, self._ahead = self._ahead, None
        known = ahead is not None and ahead[0] is self._script and ahead[1] is step
        self._script = ahead[2] if ahead is not None and known else step.apply(self._script)
        self._last_revision += 1
        self._past.append(Moment(step, self._revision, self._last_revision))
        self._future.clear()
        self._arrive(step, self._last_revision, Act.DO)

    def undo(self) -> bool:
        """Take the last step back; False at the opened state."""
        if not self._past:
            return False
        self._future.append(self._past[-1])
        self._go_back(Act.UNDO)
        return True

    def withdraw(self) -> bool:
        """Take the last step back as if it had never been: nothing can be redone then. False at the opened state."""
        if not self._past:
            return False
        self._future.clear()
        self._go_back(Act.WITHDRAW)
        return True

    def redo(self) -> bool:
        """Bring the last undone step back; False where there is none."""
        if not self._future:
            return False
        moment = self._future.pop()
        self._script = moment.step.apply(self._script)
        self._past.append(moment)
        self._arrive(moment.step, moment.after, Act.REDO)
        return True

    @property
    def plan(self) -> Plan | None:
        """The plan of the present revision, where one is known."""
        return self._plans.get(self._revision)

    def keep_plan(self, revision: int, plan: Plan) -> bool:
        """Keep a plan beside the revision it was made for; False, and dropped, if the document has moved on."""
        if revision != self._revision:
            return False
        self._plans.pop(revision, None)
        self._plans[revision] = plan
        while len(self._plans) > KEPT_PLANS:
            # The one kept longest ago: after much undoing the present revision's number is the lowest of all.
            del self._plans[next(iter(self._plans))]
        return True

    def _go_back(self, act: Act) -> None:
        moment = self._past.pop()
        inverse = moment.step.inverse()
        self._script = inverse.apply(self._script)
        self._arrive(inverse, moment.before, act)

    def _arrive(self, step: Step, revision: int, act: Act) -> None:
        self._revision = revision
        change = Change(step, revision, act)
        for listener in tuple(self._listeners):
            listener(change)
