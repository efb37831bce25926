"""The plan on display: what it is, what is known of it, and signals when it changes.

It is renewed at each change of the document, and on request for a step that has not been taken yet.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, SignalInstance

from adstudio.core.document import Act, Change, Document
from adstudio.core.errors import Oddity
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.departures import Departure, departures, reviewed_scenes
from adstudio.gaps.gaps import Gaps, gaps_of
from adstudio.planning.film.live_plan import Engines, FilmPlanner, Outcome
from adstudio.planning.film.plan_changes import PlanChanges, compare, respoken
from adstudio.ui.background.event_queue import EventQueue
from adstudio.ui.session.last_act import LastAct, opened_with

DELAY_MS = 10
"""The delay before non-urgent changes are announced."""


@dataclass(frozen=True)
class ChangeEvent:
    """The step (None where only the plan changed), and the plan that is shown from then on.

    `changes` is how that plan differs from the one before the describer's last act, which is `last_act`; `respoken` are
    the lines that are shown differently than a moment ago. `urgent`: it answers the describer's input, so it is painted
    before anything else is done.
    """

    change: Change | None
    outcome: Outcome
    last_act: LastAct
    changes: PlanChanges
    respoken: frozenset[str]
    urgent: bool = True


@dataclass(frozen=True)
class _Ahead:
    """The state that a step would lead to, planned before the step is taken.

    `before` is the plan that `changes` refers to, the one before the describer's last act. `outcome` and then `changes`
    are None until they are known.
    """

    step: Step
    script: Script
    found: Gaps
    planner: FilmPlanner
    before: Plan
    outcome: Outcome | None = None
    changes: PlanChanges | None = None


class CurrentPlan(QObject):
    """The plan of the open document; it follows every change within the same call.

    Each change is announced once and in order: what is still pending is announced before anything newer is shown.

    Attributes:
        outcome: the plan on display, and what is known of it.
        planner: who planned it and answers questions about it; keeps what the next plan starts from.
        planned_script: the script that the plan is of; behind the document's while a change is being planned.
        last_act: the describer's, which the plan is compared with.
        changes: how the plan differs from the one before that act.
    """

    replanned = Signal(object)
    """ChangeEvent, before `changed`: for what answers the describer at once. The timeline is painted before the other
    panels work out what they have to show (DESIGN section 8)."""
    changed = Signal(object)
    """ChangeEvent: the script or its plan has changed."""
    announced = Signal(object)
    """ChangeEvent, after `changed`: for what puts it in words. Delayed where nobody waits for it."""
    proved = Signal()
    """More, or less, is known of the plan on display; the plan is the same."""
    explained = Signal(object)
    """Reason: why a line is in or out, where finding out took the worker; about the present state."""
    unexplained = Signal(str)
    """The id of a line of which the worker did not find that out in time."""

    def __init__(self, document: Document, show: Callable[[ChangeEvent], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._engines = Engines()
        self._announcements = EventQueue(self)
        self.announcement_turn().connect(self.announced)
        self.open(document)

    def open(self, document: Document, saved: Plan | None = None) -> None:
        """Plan this document from now on. `saved` is the plan of its last save, if that is what its steps began at."""
        self._announcements.stop()
        self._document = document
        self.planned_script = document.script
        self._found = gaps_of(document.script)
        self.planner = FilmPlanner(document.script, self.gaps, document.plan, self._engines)
        self._store(self.planner.outcome)
        self._departures = document.script, self.plan, departures(document.script, self.plan)
        self.last_act = opened_with(document, self.plan, saved)
        self.changes = compare(self.last_act.before, self.plan, document.script)

    @property
    def plan(self) -> Plan:
        """The plan on display."""
        return self.outcome.plan

    @property
    def gaps(self) -> tuple[Span, ...]:
        """The gaps of the film."""
        return self._found.gaps

    @property
    def dialogue_oddities(self) -> tuple[Oddity, ...]:
        """What is odd about the cues."""
        return (*self._found.oddities, *self._found.outside)

    @property
    def departures(self) -> tuple[Departure, ...]:
        """The approved lines that the plan on display no longer speaks as they were approved."""
        script, plan = self.planned_script, self.plan
        if self._departures[0] is not script or self._departures[1] is not plan:
            self._departures = script, plan, departures(script, plan)
        return self._departures[2]

    @property
    def reviewed_scenes(self) -> frozenset[str]:
        """The scenes (ids) that a person has reviewed as they are now."""
        return reviewed_scenes(self.planned_script, self.departures)

    def gap_at(self, ms: int) -> Span | None:
        """The gap that a time lies in."""
        place = bisect_right(self.gaps, ms, key=lambda gap: gap.start) - 1
        return self.gaps[place] if place >= 0 and ms <= self.gaps[place].end else None

    def look_ahead(self, step: Step) -> None:
        """Plan a part of the state that a step would lead to, so that taking the step is little work.

        Nothing on display changes; finished once `ahead` is the step.

        Raises:
            StepError: when the step does not fit.
        """
        ahead = self._ahead
        if ahead is None or ahead.step is not step:
            script = self._document.preview(step)
            self._ahead = _Ahead(step, script, self._gaps_for(script), self.planner.fork(), self.last_act.before)
        elif ahead.outcome is None:
            self._ahead = replace(ahead, outcome=ahead.planner.replan(ahead.script, ahead.found.gaps))
        else:
            self._ahead = replace(ahead, changes=compare(ahead.before, ahead.outcome.plan, ahead.script))

    @property
    def ahead(self) -> Step | None:
        """The step whose outcome is already known."""
        return None if self._ahead is None or self._ahead.changes is None else self._ahead.step

    def plan_with(self, step: Step) -> tuple[Script, FilmPlanner]:
        """The state that a step would lead to, planned aside; nothing on display changes.

        Raises:
            StepError: when the step does not fit.
        """
        script, planner = self._document.preview(step), self.planner.fork()
        planner.replan(script, self._gaps_for(script).gaps)
        return script, planner

    def accept_outcome(self, outcome: Outcome) -> None:
        """A background answer: another plan of the present revision, or more knowledge of this one."""
        if outcome.shows_as(self.outcome):
            self._store(outcome)
            self.proved.emit()
        else:
            self._show(self._event(None, outcome))

    def use(self, engines: Engines) -> None:
        """Plan with other engines, or another time limit, from now on."""
        if engines != self._engines:
            self._engines = engines
            self.accept_outcome(self.planner.use(engines))

    def plan_again(self) -> None:
        """Plan from scratch, knowing only the plan on display, and ask for every second opinion again."""
        self.planner = FilmPlanner(self.planned_script, self.gaps, self.plan, self._engines)
        self.accept_outcome(self.planner.outcome)

    def announcement_turn(self) -> SignalInstance:
        """Like `announced`, but in an event of its own: for what takes more than a moment to show.

        What the describer may reach before it is announced calls `catch_up` first.
        """
        return self._announcements.turn()

    def catch_up(self) -> None:
        """Announce now what is still to be announced."""
        self._announcements.finish()

    def follow(self, change: Change) -> ChangeEvent:
        """Plan the state after a change, unless that was done ahead; `keep` and `announce` put it on display."""
        script, ahead = self._document.script, self._ahead
        self._ahead = None
        if ahead is not None and ahead.outcome is not None and ahead.script is script and change.act is Act.DO:
            self.planner, self._found, self.planned_script = ahead.planner, ahead.found, script
            return self._event(change, ahead.outcome, ahead)
        self._found, self.planned_script = self._gaps_for(script), script
        remembered = self._document.plan if change.act is not Act.DO else None
        return self._event(change, self.planner.replan(script, self.gaps, remembered))

    def follow_lengths(self) -> ChangeEvent:
        """Plan the document anew after other lengths have become known; it is no step."""
        self.planned_script = self._document.script
        self._ahead = None
        return self._event(None, self.planner.replan(self.planned_script, self.gaps))

    def keep(self, event: ChangeEvent) -> None:
        """Make the event's plan the one on display; nothing is signalled yet."""
        self.catch_up()
        previous = self.plan
        self._store(event.outcome)
        self._previous, self.last_act, self.changes = previous, event.last_act, event.changes

    def announce(self, event: ChangeEvent) -> None:
        """Signal the plan that was just put on display."""
        self.replanned.emit(event)
        self.changed.emit(event)
        self._announcements.begin(event, DELAY_MS)
        if event.urgent:
            self.catch_up()
        if self._previous is not self.plan:
            self._previous.drop_caches()

    def _event(self, change: Change | None, outcome: Outcome, ahead: _Ahead | None = None) -> ChangeEvent:
        last = self.last_act
        if change is not None:
            last = last.followed_by(change, self._document, self.outcome, outcome)
        changes = ahead.changes if ahead is not None and ahead.before is last.before else None
        if changes is None:
            changes = compare(last.before, outcome.plan, self._document.script)
        return ChangeEvent(change, outcome, last, changes, respoken(self.plan, outcome.plan), urgent=ahead is None)

    def _store(self, outcome: Outcome) -> None:
        """Make this the outcome of the present state; nothing is known ahead any more."""
        self._ahead: _Ahead | None = None
        self.outcome = outcome
        self._document.keep_plan(self._document.revision, outcome.plan)

    def _gaps_for(self, script: Script) -> Gaps:
        """The gaps of a script; those known already where nothing that makes them differs.

        Collections that no step touched are identical objects.
        """
        planned = self.planned_script
        same = (
            script.cues is planned.cues
            and script.silences is planned.silences
            and script.openings is planned.openings
            and script.film.end == planned.film.end
            and script.settings.gaps == planned.settings.gaps
            and (script.word_times is planned.word_times or not script.settings.gaps.word_edges)
        )
        return self._found if same else gaps_of(script)
