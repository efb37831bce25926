"""Why a problem has no plan, in words, for the command line; a script's conflicts are in `conflict_messages`."""

from __future__ import annotations

from bisect import bisect_right

from adstudio.core.counts import percent
from adstudio.core.plan import Conflict, HoldConflict, Plan, RuleConflict
from adstudio.core.timebase import Span, clock
from adstudio.core.words import opening_words
from adstudio.planning.film.shortfall_messages import shortfall_clause
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, Problem
from adstudio.planning.shortfall import shortfall
from adstudio.planning.windows import gaps_in_reach

QUOTED_WORDS = 6


def conflict_sentence(plan: Plan, problem: Problem) -> str:
    """Why a problem has no plan, for the user: what is locked, when, and what is in the way."""
    if not plan.conflict:
        return f"planning ended {plan.status.value}"
    causes = "; ".join(_cause(problem, cause) for cause in plan.conflict)
    match plan.conflict:
        case [HoldConflict() as cause]:
            return f"this lock cannot hold: {causes}: {_obstacle(problem, cause)}"
        case _ if any(isinstance(cause, RuleConflict) for cause in plan.conflict):
            return f"these locks and rules conflict: {causes}"
        case _:
            share = f", with gaps filled to {percent(problem.max_share / NO_SHARE_LIMIT, 4)}" if problem.capped else ""
            return f"these locks conflict, as there is no room for all of them in script order{share}: {causes}"


def _cause(problem: Problem, cause: Conflict) -> str:
    if isinstance(cause, RuleConflict):
        return f"{cause.rule} {', '.join(_name(problem, identity) for identity in cause.of)}"
    pin, name = problem.elements[problem.index[cause.element]].pin, _name(problem, cause.element)
    match cause.hold:
        case "start":
            return f"{name} locked at {clock(pin.start or 0)}"
        case "variant":
            return f"{name} locked to wording {(pin.variant or 0) + 1}"
        case _ if pin.selected is None:
            return f"{name}, if it were locked in"
        case _:
            return f"{name} locked {'in' if pin.selected else 'out'}"


def _name(problem: Problem, identity: str) -> str:
    texts = problem.elements[problem.index[identity]].texts if identity in problem.index else ()
    opening = opening_words(texts[0], QUOTED_WORDS) if texts else ""
    return f"{identity} “{opening}”" if opening else identity


def _obstacle(problem: Problem, cause: HoldConflict) -> str:
    """What is in the way of a lock that fails by itself."""
    element = problem.elements[problem.index[cause.element]]
    start, occurrence, within = element.pin.start, element.occurrence, element.within
    if element.pin.override and within is not None:
        return f"it must be spoken between {clock(within.start)} and {clock(within.end)}, and {_takes(element)}"
    if occurrence is None:
        return "it has no action time, so only a locked time with overlap allowed can place it"
    if start is not None:
        return _obstacle_at(problem, element, occurrence, start)
    found = shortfall(problem, element)
    if found is None:
        return "there is no gap"
    return shortfall_clause(problem, element, found, clock, _seconds) or "other lines leave no room for it"


def _obstacle_at(problem: Problem, element: Element, occurrence: Span, start: int) -> str:
    """What is in the way of a locked start."""
    length = _shortest(element)
    place = bisect_right(problem.gap_starts, start) - 1
    if place < 0 or start >= problem.gaps[place].end:
        return "no gap is open then"
    gap, capacity = problem.gaps[place], problem.capacities[place]
    if gap.end < start + length:
        return f"the gap ends at {clock(gap.end)}, and {_takes(element)}"
    if length > capacity:
        share = percent(problem.max_share / NO_SHARE_LIMIT, 4)
        return f"the gap could take {_seconds(capacity)}, {share} of {_seconds(gap.length)}, and {_takes(element)}"
    return _distance(problem, element, occurrence, start, place)


def _distance(problem: Problem, element: Element, occurrence: Span, start: int, place: int) -> str:
    """What is in the way of a start for which there is room in its gap."""
    length = _shortest(element)
    after = 2 * start + length - occurrence.doubled_midpoint
    side, limit = ("before", problem.early) if after < 0 else ("after", problem.late)
    if abs(after) > 2 * limit:
        away = f"{abs(after) / 2000:g} s {side} its action, middle to middle"
        return f"it would be {away}, where at most {limit / 1000:g} s is allowed"
    if problem.reach is not None and place not in gaps_in_reach(problem, occurrence, problem.reach):
        beyond = f"more than {problem.reach} from" if problem.reach else "not"
        return f"its gap is {beyond} that of its action"
    if element.within is not None:
        between = f"{clock(element.within.start)} and {clock(element.within.end)}"
        return f"it must be spoken between {between}, and {_takes(element)}"
    return "other lines leave no room for it"


def _shortest(element: Element) -> int:
    variant = element.pin.variant
    return min(element.durations) if variant is None else element.durations[variant]


def _takes(element: Element) -> str:
    wording = "its shortest wording" if element.pin.variant is None else "the locked wording"
    return f"{wording} takes {_seconds(_shortest(element))}"


def _seconds(ms: int) -> str:
    return f"{ms / 1000:g} s"
