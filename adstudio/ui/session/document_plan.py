"""The plan of one document: renewed at each change, and on request for a step that has not been taken yet."""

from __future__ import annotations

from dataclasses import dataclass, replace

from adstudio.core.document import Act, Change, Document
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.gaps.gaps import Gaps, gaps_of
from adstudio.planning.film.live_plan import Engines, FilmPlanner, Outcome
from adstudio.planning.film.plan_changes import PlanChanges, compare
from adstudio.ui.session.change_event import ChangeEvent


@dataclass(frozen=True)
class _Ahead:
    """The state that a step would lead to, planned before the step is taken.

    `before` is the plan that `changes` refers to. `outcome` and then `changes` are None until they are known.
    """

    step: Step
    script: Script
    found: Gaps
    planner: FilmPlanner
    before: Plan
    outcome: Outcome | None = None
    changes: PlanChanges | None = None


class DocumentPlan:
    """The plan on display, and the planner that goes on from there; lives as long as its document is open.

    Attributes:
        script: the planned script; the document's, except while that is being changed.
        found: its gaps.
        planner: keeps what the next plan starts from.
        outcome: the plan on display.
    """

    def __init__(self, document: Document, engines: Engines) -> None:
        self._document = document
        self._ahead: _Ahead | None = None
        self.script = document.script
        self.found = gaps_of(self.script)
        self.planner = FilmPlanner(self.script, self.found.gaps, document.plan, engines)
        self.keep(self.planner.outcome)

    @property
    def ahead(self) -> Step | None:
        """The step whose outcome is already known."""
        return None if self._ahead is None or self._ahead.changes is None else self._ahead.step

    def look_ahead(self, step: Step) -> None:
        """Plan a part of the state that a step would lead to; finished once `ahead` is the step.

        Raises:
            StepError: when the step does not fit.
        """
        ahead = self._ahead
        if ahead is None or ahead.step is not step:
            script = self._document.preview(step)
            found = self.found if _same_gaps(script, self.script) else gaps_of(script)
            self._ahead = _Ahead(step, script, found, self.planner.fork(), self.outcome.plan)
        elif ahead.outcome is None:
            self._ahead = replace(ahead, outcome=ahead.planner.replan(ahead.script, ahead.found.gaps))
        else:
            self._ahead = replace(ahead, changes=compare(ahead.before, ahead.outcome.plan, ahead.script))

    def follow(self, change: Change) -> ChangeEvent:
        """Plan the state after a change, unless that was done ahead. The caller still has to `keep` the outcome."""
        script, ahead, before = self._document.script, self._ahead, self.outcome.plan
        self._ahead = None
        if ahead is not None and ahead.outcome is not None and ahead.script is script and change.act is Act.DO:
            self.planner, self.found, self.script = ahead.planner, ahead.found, script
            changes = ahead.changes if ahead.before is before else None
            if changes is None:
                changes = compare(before, ahead.outcome.plan, script)
            return ChangeEvent(change, ahead.outcome, changes, urgent=False)
        if not _same_gaps(script, self.script):
            self.found = gaps_of(script)
        self.script = script
        remembered = self._document.plan if change.act is not Act.DO else None
        outcome = self.planner.replan(script, self.found.gaps, remembered)
        return ChangeEvent(change, outcome, compare(before, outcome.plan, script))

    def event_of(self, outcome: Outcome) -> ChangeEvent:
        """What another outcome of the present state changes. The caller still has to `keep` it."""
        return ChangeEvent(None, outcome, compare(self.outcome.plan, outcome.plan, self.script))

    def keep(self, outcome: Outcome) -> None:
        """Make this the outcome of the present state; nothing is known ahead any more."""
        self._ahead = None
        self.outcome = outcome
        self._document.keep_plan(self._document.revision, outcome.plan)

    def from_cold(self, engines: Engines) -> Outcome:
        """Plan from scratch, knowing only the plan on display. The caller still has to `keep` the outcome."""
        self.planner = FilmPlanner(self.script, self.found.gaps, self.outcome.plan, engines)
        return self.planner.outcome


def _same_gaps(one: Script, other: Script) -> bool:
    """Whether both have the same gaps: collections that no step touched are identical objects."""
    return (
        one.cues is other.cues
        and one.silences is other.silences
        and one.openings is other.openings
        and one.film.end == other.film.end
        and one.settings.gaps == other.settings.gaps
    )
