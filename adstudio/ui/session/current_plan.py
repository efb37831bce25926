"""The plan on display: what it is, what is known of it, and who is told when it changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, SignalInstance

from adstudio.core.document import Change, Document
from adstudio.core.errors import Oddity
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.planning.film.live_plan import Engines, FilmPlanner, Outcome
from adstudio.ui.background.event_queue import EventQueue
from adstudio.ui.session.change_event import ChangeEvent
from adstudio.ui.session.document_plan import DocumentPlan

DELAY_MS = 10
"""How much later what nobody waits for is announced."""


class DeferredAnnouncements(QObject):
    """Announces each change once and in order: what is still pending is announced before anything newer is shown."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._queue = EventQueue(self)

    def turn(self) -> SignalInstance:
        """A new signal that brings each ChangeEvent; in an event of its own where nobody waits for it."""
        return self._queue.turn()

    def announce(self, event: ChangeEvent) -> None:
        """Announce what is on display now."""
        self._queue.begin(event, DELAY_MS)
        if event.urgent:
            self.catch_up()

    def catch_up(self) -> None:
        """Announce what is still pending now."""
        self._queue.finish()

    def forget(self) -> None:
        """Drop what is still pending: its document is no longer open."""
        self._queue.stop()


class CurrentPlan(QObject):
    """The plan of the open document; it follows every change within the same call."""

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
    """Reason: why a line is in or out, where finding out took CP-SAT; about the present state."""

    def __init__(self, document: Document, show: Callable[[ChangeEvent], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._engines = Engines()
        self._announcements = DeferredAnnouncements(self)
        self._announcements.turn().connect(self.announced)
        self.open(document)

    def open(self, document: Document) -> None:
        """Plan this document from now on."""
        self._announcements.forget()
        self._planned = DocumentPlan(document, self._engines)

    @property
    def plan(self) -> Plan:
        """The plan on display."""
        return self._planned.outcome.plan

    @property
    def outcome(self) -> Outcome:
        """The plan on display, and what is known of it."""
        return self._planned.outcome

    @property
    def planner(self) -> FilmPlanner:
        """Who planned it, and answers questions about it."""
        return self._planned.planner

    @property
    def gaps(self) -> tuple[Span, ...]:
        """The gaps of the film."""
        return self._planned.found.gaps

    @property
    def planned_script(self) -> Script:
        """The script that the plan is of; behind the document's while a change is being planned."""
        return self._planned.script

    @property
    def dialogue_oddities(self) -> tuple[Oddity, ...]:
        """What is odd about the cues."""
        return (*self._planned.found.oddities, *self._planned.found.outside)

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
        self._planned.look_ahead(step)

    @property
    def ahead(self) -> Step | None:
        """The step whose outcome is already known."""
        return self._planned.ahead

    def accept_outcome(self, outcome: Outcome) -> None:
        """A background answer: another plan of the present revision, or more knowledge of this one."""
        if outcome.shows_as(self.outcome):
            self._planned.keep(outcome)
            self.proved.emit()
        else:
            self._show(self._planned.event_of(outcome))

    def use(self, engines: Engines) -> None:
        """Plan with other engines, or another time limit, from now on."""
        if engines != self._engines:
            self._engines = engines
            self.accept_outcome(self.planner.use(engines))

    def plan_again(self) -> None:
        """Plan from scratch, and ask for every second opinion again."""
        self.accept_outcome(self._planned.from_cold(self._engines))

    def announcement_turn(self) -> SignalInstance:
        """Like `announced`, but in an event of its own: for what takes more than a moment to show.

        What the describer may reach before it is announced calls `catch_up` first.
        """
        return self._announcements.turn()

    def catch_up(self) -> None:
        """Announce now what is still to be announced."""
        self._announcements.catch_up()

    def follow(self, change: Change) -> ChangeEvent:
        """Plan the state after a change; `keep` and `announce` make it the plan on display."""
        return self._planned.follow(change)

    def keep(self, event: ChangeEvent) -> None:
        """Make the event's plan the one on display; nobody is told yet."""
        self.catch_up()
        previous = self.plan
        self._planned.keep(event.outcome)
        self._previous = previous

    def announce(self, event: ChangeEvent) -> None:
        """Tell everybody of the plan that was just kept."""
        self.replanned.emit(event)
        self.changed.emit(event)
        self._announcements.announce(event)
        if self._previous is not self.plan:
            self._previous.drop_caches()
