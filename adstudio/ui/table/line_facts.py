"""What table and inspector show of each line of a script under its plan, worked out when it is asked for.

A `Lines` belongs to one state of script, plan and gaps.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from typing import NamedTuple

from adstudio.core.plan import Delivery, HoldConflict, RuleConflict
from adstudio.core.script import NO_PIN, Eventuality, Film, Origin, Pin, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.pins import pin_in, pin_out, unpin_placement
from adstudio.planning.film.live_plan import Outcome
from adstudio.planning.problem import NO_SHARE_LIMIT
from adstudio.ui.session.timing_confidence import unsure


class Placement(NamedTuple):
    """Whether a line is locked in or out: the word, its tip, and the edit that makes it so."""

    word: str
    tip: str
    edit: Callable[[Script, Iterable[str]], Step | None]


PLACEMENTS = (
    Placement("Auto", "The planner decides", unpin_placement),
    Placement("In", "The plan must include it", pin_in),
    Placement("Out", "The plan must leave it out", pin_out),
)


class State(Enum):
    """The state of a line, by the word that is shown; the first that applies."""

    CONFLICT = "Conflict"
    OVERRIDE = "Override"
    START = "Time locked"
    LOCKED_IN = "Locked in"
    LOCKED_OUT = "Locked out"
    SPOKEN = "Spoken"
    LEFT_OUT = "Left out"


class Filter(Enum):
    """Which lines to show, by the word on its chip."""

    ALL = "All"
    PLACED = "Spoken"
    DROPPED = "Left out"
    PINNED = "Locked"
    OVERRIDDEN = "Overlapping"
    CONFLICTING = "In conflict"
    UNSEEN = "Unseen"
    UNSURE = "Uncertain time"


@dataclass(frozen=True)
class Line:
    """One row. Times and lengths in milliseconds.

    `variant` is the wording spoken now, else the one that is locked, else the first. `time` is where it is spoken, or
    shown in conflict, else where the action is. `room` is what its gap has left: for a spoken line the gap
    that it is spoken in, else the nearest one in reach; None where there is no gap. `needs` is what it takes at least.
    """

    eventuality: Eventuality
    film: Film
    state: State
    spoken: bool
    variant: int
    length: int
    needs: int
    time: int | None
    delivery: Delivery | None
    gap: Span | None
    room: int | None

    @property
    def text(self) -> str:
        """The wording that the row shows."""
        return self.eventuality.variants[self.variant].text

    @property
    def rate(self) -> Fraction:
        """The compression that the wording aims at."""
        return self.eventuality.variants[self.variant].rate

    @property
    def pin(self) -> Pin:
        """What is locked."""
        return self.eventuality.pin

    @property
    def fits(self) -> bool:
        """Whether its shortest wording has room in its gap; a spoken line has it."""
        return self.spoken or (self.room is not None and self.needs <= self.room)


class Lines:
    """The rows of one state. Rows are made when they are asked for."""

    def __init__(self, script: Script, outcome: Outcome, gaps: Sequence[Span]) -> None:
        self.script = script
        self.outcome = outcome
        self.gaps = gaps

    def of(self, identity: str) -> Line:
        """The row of one line; KeyError where there is none."""
        eventuality = self.script.eventuality(identity)
        delivery = self.outcome.plan.by_element.get(identity)
        apart = self.apart.get(identity)
        shown = delivery or apart
        variant = _variant_shown(eventuality, shown)
        length = self.script.duration(eventuality.variants[variant])
        happens = eventuality.occurrence
        gap = self.gap_around(delivery.span) if delivery else self.gap_near(eventuality)
        return Line(
            eventuality=eventuality,
            film=self.script.film,
            state=_state(eventuality.pin, spoken=delivery is not None, conflict=identity in self.conflicting),
            spoken=delivery is not None,
            variant=variant,
            length=length,
            needs=length if delivery else min(self.script.duration(each) for each in eventuality.variants),
            time=shown.start if shown else None if happens is None else happens.start,
            delivery=delivery,
            gap=gap,
            room=None if gap is None else self.room(gap),
        )

    def filters(self, eventuality: Eventuality) -> frozenset[Filter]:
        """The filters that a line passes."""
        spoken = eventuality.id in self.outcome.plan.by_element
        passed = [Filter.ALL, Filter.PLACED if spoken else Filter.DROPPED]
        if eventuality.pin != NO_PIN:
            passed.append(Filter.PINNED)
            if eventuality.pin.override:
                passed.append(Filter.OVERRIDDEN)
        if eventuality.id in self.conflicting:
            passed.append(Filter.CONFLICTING)
        if not (eventuality.seen or eventuality.accepted):
            passed.append(Filter.UNSEEN)
        if unsure(eventuality):
            passed.append(Filter.UNSURE)
        return _shared(tuple(passed))

    @cached_property
    def apart(self) -> dict[str, Delivery]:
        """Lines that are shown where they are locked, although the locks conflict."""
        return {delivery.element: delivery for delivery in self.outcome.overlay}

    @cached_property
    def conflicting(self) -> frozenset[str]:
        """The lines whose locks or rules conflict."""
        found: set[str] = set(self.apart)
        for conflict in self.outcome.suspended:
            match conflict:
                case HoldConflict(element=element):
                    found.add(element)
                case RuleConflict(of=of):
                    found.update(of)
        return frozenset(found)

    def gap_around(self, span: Span) -> Span | None:
        """The gap that a delivery lies in, or mostly lies in; None over dialogue."""
        place = bisect_left(self.gaps, span.start, key=lambda gap: gap.end)
        if place < len(self.gaps) and self.gaps[place].end == span.start and place + 1 < len(self.gaps):
            place += 1
        if place < len(self.gaps) and self.gaps[place].start < span.end:
            return self.gaps[place]
        return None

    def gap_near(self, eventuality: Eventuality) -> Span | None:
        """The gap nearest to the middle of what happens, if a line in it could be within the window."""
        if eventuality.occurrence is None or not self.gaps:
            return None
        middle = eventuality.occurrence.doubled_midpoint // 2
        place = bisect_right(self.gaps, middle, key=lambda gap: gap.start)
        near = self.gaps[max(0, place - 1) : place + 1]
        gap = min(near, key=lambda each: max(each.start - middle, middle - each.end, 0))
        away = max(gap.start - middle, middle - gap.end, 0)
        return gap if away < self.script.settings.delta_max else None

    def deliveries_in(self, gap: Span) -> Iterator[Delivery]:
        """What is spoken in a gap, in order."""
        spoken = self.outcome.plan.deliveries
        place = bisect_right(spoken, gap.start, key=lambda each: each.end)
        while place < len(spoken) and spoken[place].start < gap.end:
            yield spoken[place]
            place += 1

    def used(self, gap: Span) -> int:
        """Milliseconds of a gap that are spoken in."""
        return sum(min(each.end, gap.end) - max(each.start, gap.start) for each in self.deliveries_in(gap))

    def usable(self, gap: Span) -> int:
        """Milliseconds of a gap that may be spoken in, where some of each gap is to be left to breathe."""
        return gap.length * min(self.script.settings.max_share, NO_SHARE_LIMIT) // NO_SHARE_LIMIT

    def room(self, gap: Span) -> int:
        """Milliseconds that a gap has left."""
        return self.usable(gap) - self.used(gap)


def placement(pin: Pin) -> int:
    """The place in `PLACEMENTS` of what is locked; a start locks a line in."""
    return 2 if pin.selected is False else 1 if pin.selected or pin.start is not None else 0


def pin_words(pin: Pin) -> str:
    """What is locked, in words: `in · wording 2`; empty where nothing is. A start locks a line in."""
    if pin == NO_PIN:
        return ""
    parts: list[str] = []
    if pin.selected is False:
        parts.append("out")
    elif pin.override or pin.start is not None:
        parts.append("override" if pin.override else "start")
    elif pin.selected:
        parts.append("in")
    if pin.variant is not None:
        parts.append(f"wording {pin.variant + 1}")
    return " · ".join(parts)


def origin_word(origin: Origin) -> str:
    """Who worded a line."""
    return "Human" if origin is Origin.HUMAN else "Machine"


def seen_word(eventuality: Eventuality) -> str:
    """How far the describer has come with a line."""
    return "Accepted" if eventuality.accepted else "Seen" if eventuality.seen else "Unseen"


@cache
def _shared(passed: tuple[Filter, ...]) -> frozenset[Filter]:
    """One set for each combination there is, so that four thousand lines need not make one each."""
    return frozenset(passed)


def _variant_shown(eventuality: Eventuality, shown: Delivery | None) -> int:
    wanted = shown.variant if shown else eventuality.pin.variant
    return wanted if wanted is not None and wanted < len(eventuality.variants) else 0


def _state(pin: Pin, *, spoken: bool, conflict: bool) -> State:
    if conflict:
        return State.CONFLICT
    if spoken and pin.override:
        return State.OVERRIDE
    if spoken and pin.start is not None:
        return State.START
    if spoken:
        return State.LOCKED_IN if pin.selected else State.SPOKEN
    return State.LOCKED_OUT if pin.selected is False else State.LEFT_OUT
