"""How long a line may last, and where, while every other line is spoken as planned: what fits, in one place.

Table, inspector, drag and polishing all ask here. The limits are the planner's: gaps, the window around the action,
`reach`, `within`, order, pauses, and what the share of a gap has left. A wording fits exactly if the planner could
speak it with the rest of the plan held as it is. Rules between lines are no matter of room, and not looked at.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.planning.drift import middles
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, Problem, gap_of
from adstudio.planning.windows import reached_span


@dataclass(frozen=True)
class Room:
    """A place for a line: its gap, and how long the line may last there, in milliseconds.

    `gap` is None where there is no such place, or where an override puts the line outside the gaps. `least` is more
    than 0 where the start is fixed so early that a short line would be too far from its action.
    """

    gap: Span | None = None
    most: int = 0
    least: int = 0

    def fits(self, lasts: int) -> bool:
        """Whether a line of that length may be spoken here."""
        return self.least <= lasts <= self.most


class Obstacle(Enum):
    """What keeps a line from being spoken at a time."""

    LIMITS = "limits"
    GAP = "gap"
    NO_ACTION = "no action"
    EARLY = "early"
    LATE = "late"
    REACH = "reach"
    BEFORE = "before"
    """The previous line is in the way."""
    AFTER = "after"
    """The next line is in the way."""
    SHARE = "share"
    """Its gap would be filled beyond its share."""

    @property
    def passes(self) -> bool:
        """Whether it would be gone if other lines gave way."""
        return self in (Obstacle.BEFORE, Obstacle.AFTER, Obstacle.SHARE)


class Rooms:
    """The room of every line of a script in one state; `problem` is the whole film's, as it is planned."""

    def __init__(self, script: Script, problem: Problem, plan: Plan) -> None:
        self.script = script
        self.problem = problem
        self.plan = plan

    def element(self, identity: str) -> Element:
        """A line, or a fusion, as the planner sees it; KeyError where there is none."""
        fused = self.problem.fused.get(identity)
        return fused.element if fused is not None else self.problem.elements[self.script.eventuality_index[identity]]

    def room(self, identity: str, lasts: int) -> Room:
        """The place for a line of that length: where it is spoken if it fits there, else the widest.

        Locks of its start and overlap hold; locks in or out, and of its wording, are disregarded.
        """
        found = list(self._places(identity, self.element(identity).pin.start))
        spoken = self.plan.by_element.get(identity) or self.plan.by_line.get(identity)
        here = None if spoken is None else next((each for each in found if _holds(each, spoken)), None)
        if here is not None and here.fits(lasts):
            return here
        return max(found, key=lambda each: (each.fits(lasts), each.most, each is here), default=Room())

    def room_here(self, identity: str, delivery: Delivery) -> Room:
        """The place in the gap of a delivery; a start need not be as it is there, unless it is locked."""
        found = self._places(identity, self.element(identity).pin.start)
        return next((each for each in found if _holds(each, delivery)), Room())

    def room_at(self, identity: str, start: int) -> Room:
        """The place for a line that starts at this time."""
        return next(self._places(identity, start), Room())

    def obstacle(self, identity: str, span: Span) -> Obstacle | None:
        """What keeps a line from being spoken in a span, if anything does; other lines are named last."""
        element = self.element(identity)
        found = None if element.within is None or element.within.contains(span) else Obstacle.LIMITS
        if found is None and not element.pin.override:
            found = self._misplaced(element, span)
        return found or self._blocked(identity, span)

    def _misplaced(self, element: Element, span: Span) -> Obstacle | None:
        """What about gaps and action keeps a line from being spoken in a span."""
        problem, occurrence, gap = self.problem, element.occurrence, gap_of(self.problem, span.start, span.end)
        if gap is None:
            return Obstacle.GAP
        if occurrence is None:
            return Obstacle.NO_ACTION
        earliest, latest = middles(problem, occurrence)
        if not earliest <= span.doubled_midpoint <= latest:
            return Obstacle.EARLY if span.doubled_midpoint < earliest else Obstacle.LATE
        reached = reached_span(problem, occurrence)
        return None if reached is None or reached.contains(span) else Obstacle.REACH

    def _blocked(self, identity: str, span: Span) -> Obstacle | None:
        """What about the other lines keeps a line from being spoken in a span."""
        since, until = self._between(identity)
        if span.start < since:
            return Obstacle.BEFORE
        if span.end > until:
            return Obstacle.AFTER
        gap = None if self.element(identity).pin.override else gap_of(self.problem, span.start, span.end)
        too_much = gap is not None and span.length > self.unused(self.problem.gaps[gap], identity)
        return Obstacle.SHARE if too_much else None

    def gap_near(self, identity: str) -> Span | None:
        """The gap in reach of a line that is nearest to its action, whoever is in the way; None without any."""
        occurrence = self.element(identity).occurrence
        if occurrence is None:
            return None
        middle = occurrence.doubled_midpoint
        gaps = [self.problem.gaps[number] for number in self._within_reach(occurrence)]
        return min(gaps, key=lambda gap: max(2 * gap.start - middle, middle - 2 * gap.end, 0), default=None)

    def neighbours(self, identity: str) -> tuple[Delivery | None, Delivery | None]:
        """The lines spoken before and after a line, in script order."""
        index, spoken = self.script.eventuality_index, self.plan.deliveries
        here = self.plan.by_element.get(identity) or self.plan.by_line.get(identity)
        mine = index[self._first(identity) if here is None else here.line]
        # Deliveries are in script order, so bisect for the neighbours: this runs on every key press.
        before = bisect_left(spoken, mine, key=lambda each: index.get(each.line, mine))
        after = bisect_right(spoken, mine, key=lambda each: index.get(each.line, mine))
        return spoken[before - 1] if before > 0 else None, spoken[after] if after < len(spoken) else None

    def capacity(self, gap: Span) -> int:
        """Milliseconds of a gap that may be spoken in."""
        return speakable(gap.length, self.problem.max_share)

    def narrated(self, gap: Span) -> int:
        """Milliseconds of a gap that are spoken in, by lines allowed to overlap dialogue too."""
        spoken = deliveries_in(self.plan.deliveries, gap)
        return sum(min(each.end, gap.end) - max(each.start, gap.start) for each in spoken)

    def unused(self, gap: Span, without: str = "") -> int:
        """Milliseconds of a gap's share that the lines in it leave, or would leave `without` one of them."""
        used = sum(
            each.end - each.start
            for each in deliveries_in(self.plan.deliveries, gap)
            if without not in (each.element, *each.members)
            and gap.contains(each.span)
            and not self._overrides(each.element)
        )
        return self.capacity(gap) - used

    def _places(self, identity: str, start: int | None) -> Iterator[Room]:
        """Every gap in which a line has room, with its start where that is fixed."""
        problem, element = self.problem, self.element(identity)
        since, until = self._between(identity)
        if element.within is not None:
            since, until = max(since, element.within.start), min(until, element.within.end)
        if element.pin.override and start is not None:
            place = gap_of(problem, start, start)
            yield Room(None if place is None else problem.gaps[place], max(0, until - start) if start >= since else 0)
            return
        if element.occurrence is None:
            return
        earliest, latest = middles(problem, element.occurrence)
        for number in self._within_reach(element.occurrence):
            gap = problem.gaps[number]
            first, last = max(gap.start, since), min(gap.end, until)
            if start is None:
                # With d ≥ first, d + L ≤ last and earliest ≤ 2d + L ≤ latest (the paper's constraints 3 and 4).
                least, most = 0, min(last - first, latest - 2 * first, 2 * last - earliest)
            elif first <= start:
                least, most = max(0, earliest - 2 * start), min(last - start, latest - 2 * start)
            else:
                continue
            if most > 0 and problem.capped:
                most = min(most, self.unused(gap, identity))
            if most > 0 and least <= most:
                yield Room(gap, most, least)

    def _within_reach(self, occurrence: Span) -> range:
        """The numbers of the gaps in which a delivery may be near enough to an occurrence."""
        problem = self.problem
        earliest, latest = middles(problem, occurrence)
        first = bisect_right(problem.gap_ends, earliest, key=lambda end: 2 * end)
        last = bisect_left(problem.gap_starts, latest, key=lambda start: 2 * start)
        reached = reached_span(problem, occurrence)
        if reached is not None:
            first = max(first, bisect_right(problem.gap_ends, reached.start))
            last = min(last, bisect_left(problem.gap_starts, reached.end))
        return range(first, last)

    def _between(self, identity: str) -> tuple[int, int]:
        """From the end of the previous line to the start of the next, minus pauses; else the film's start and end."""
        before, after = self.neighbours(identity)
        pause = self.problem.min_pause
        since = 0 if before is None else before.end + pause
        return since, self.script.film.end if after is None else after.start - pause

    def _first(self, identity: str) -> str:
        """The line, or the first of those that a fusion stands for."""
        fused = self.problem.fused.get(identity)
        return identity if fused is None else fused.fusion.of[0]

    def _overrides(self, identity: str) -> bool:
        place = self.script.eventuality_index.get(identity)
        return place is not None and self.problem.elements[place].pin.override


def speakable(length: int, max_share: int) -> int:
    """Milliseconds of a gap of that length that may be spoken in; the share in millionths."""
    return length * min(max_share, NO_SHARE_LIMIT) // NO_SHARE_LIMIT


def deliveries_in(spoken: Sequence[Delivery], gap: Span) -> Iterator[Delivery]:
    """What is spoken in a gap, in order, also where it reaches over an edge."""
    place = bisect_right(spoken, gap.start, key=lambda each: each.end)
    while place < len(spoken) and spoken[place].start < gap.end:
        yield spoken[place]
        place += 1


def _holds(room: Room, delivery: Delivery) -> bool:
    return room.gap is None or room.gap.start <= delivery.start < room.gap.end
