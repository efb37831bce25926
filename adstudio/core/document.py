"""The document: a script, its history, and one revision number that only steps advance (DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from adstudio.core.narration import Lengths
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import Step

MAX_REMEMBERED_PLANS = 200
"""How many revisions keep their plan for undo; an older revision is planned again."""


class Act(Enum):
    """How a change came about."""

    DO = "do"
    UNDO = "undo"
    REDO = "redo"
    WITHDRAW = "withdraw"


@dataclass(frozen=True)
class Change:
    """What listeners receive: the step just applied (its inverse when undoing), the new revision, and how it arose."""

    step: Step
    revision: int
    act: Act


@dataclass(frozen=True)
class HistoryEntry:
    """A step in a document's history and the revisions before and after it."""

    step: Step
    before: int
    after: int


@dataclass(frozen=True)
class History:
    """A document's undo and redo stacks, from which it can be restored after a crash.

    The next step to undo or redo comes last in `past` and `future`; `saved` is the revision of the saved state.
    """

    past: tuple[HistoryEntry, ...] = ()
    future: tuple[HistoryEntry, ...] = ()
    revision: int = 0
    saved: int = 0

    @property
    def last_revision(self) -> int:
        """The highest revision used so far."""
        ends = (end for moment in (*self.past, *self.future) for end in (moment.before, moment.after))
        return max(self.revision, self.saved, *ends)


class Document:
    """Holds the current script, which only `apply`, `undo`, `redo` and `withdraw` can change.

    Every state has its own revision number and numbers are never reused: undo returns to the older state's number, a
    new step gets a fresh one. A background result is valid only for the revision it was requested for.
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
        self._previewed: tuple[Script, Step, Script] | None = None
        self._listeners: list[Callable[[Change], None]] = []

    @property
    def script(self) -> Script:
        """The current script."""
        return self._script

    @property
    def revision(self) -> int:
        """The number of the current state."""
        return self._revision

    @property
    def previous_revision(self) -> int:
        """The number of the state before the last step; the current one where no step can be undone."""
        return self._past[-1].before if self._past else self._revision

    @property
    def changed(self) -> bool:
        """Whether there are unsaved changes; undoing back to the saved state clears this."""
        return self._revision != self._saved_revision

    @property
    def past(self) -> tuple[Step, ...]:
        """The steps that can be undone, the latest last."""
        return tuple(moment.step for moment in self._past)

    @property
    def future(self) -> tuple[Step, ...]:
        """The steps that can be redone, the next one first."""
        return tuple(moment.step for moment in reversed(self._future))

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return bool(self._future)

    def mark_saved(self) -> None:
        """Record the current state as the saved one."""
        self._saved_revision = self._revision

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Call `listener` after every change; call the returned function to unsubscribe."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def preview(self, step: Step) -> Script:
        """The script that `step` would produce, without changing anything; `apply` reuses it for the same step.

        Raises:
            StepError: if the step does not fit.
        """
        script = step.apply(self._script)
        self._previewed = self._script, step, script
        return script

    def apply(self, step: Step) -> None:
        """Apply a step to the script and clear the redo stack.

        Raises:
            StepError: if the step does not fit; nothing changes then.
        """
        previewed, self._previewed = self._previewed, None
        known = previewed is not None and previewed[0] is self._script and previewed[1] is step
        self._script = previewed[2] if previewed is not None and known else step.apply(self._script)
        self._last_revision += 1
        self._past.append(HistoryEntry(step, self._revision, self._last_revision))
        self._future.clear()
        self._arrive(step, self._last_revision, Act.DO)

    def undo(self) -> bool:
        """Undo the last step; False if there is none."""
        if not self._past:
            return False
        self._future.append(self._past[-1])
        self._go_back(Act.UNDO)
        return True

    def withdraw(self) -> bool:
        """Undo the last step for good and clear the redo stack; False if there is none."""
        if not self._past:
            return False
        self._future.clear()
        self._go_back(Act.WITHDRAW)
        return True

    def redo(self) -> bool:
        """Redo the step last undone; False if there is none."""
        if not self._future:
            return False
        moment = self._future.pop()
        self._script = moment.step.apply(self._script)
        self._past.append(moment)
        self._arrive(moment.step, moment.after, Act.REDO)
        return True

    def refresh_lengths(self, lengths: Lengths | None) -> None:
        """Go by this knowledge of how long texts are spoken from now on.

        No step: the revision, what is saved and what can be undone stay as they are, and nobody is notified. The plans
        of all revisions are forgotten, since they were made on other lengths.
        """
        self._script = self._script.with_changes(lengths=lengths)
        self._plans.clear()
        self._previewed = None

    @property
    def plan(self) -> Plan | None:
        """The plan of the current revision, if known."""
        return self._plans.get(self._revision)

    def keep_plan(self, revision: int, plan: Plan) -> bool:
        """Remember a plan for the current revision; False, dropping it, if the document has moved on."""
        if revision != self._revision:
            return False
        self._plans.pop(revision, None)
        self._plans[revision] = plan
        while len(self._plans) > MAX_REMEMBERED_PLANS:
            # The oldest entry, not the lowest number: after many undos the current revision may be the lowest.
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
