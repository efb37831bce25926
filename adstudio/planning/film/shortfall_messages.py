"""Why a line can be spoken nowhere, in words: which limit is in the way, and by how much."""

from __future__ import annotations

from collections.abc import Callable

from adstudio.core.counts import percent
from adstudio.core.timebase import tenths_down, tenths_up
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, Problem
from adstudio.planning.shortfall import Excess, Limit, Shortfall

NO_ACTION = "It has no action on screen: set the action in and out, or lock its start and allow overlap."
NO_GAPS = "The film has no gap."


def shortfall_clause(
    problem: Problem, element: Element, found: Shortfall, time: Callable[[int], str], length: Callable[[int], str]
) -> str:
    """What keeps a line out of the gap that comes closest, as a clause without a full stop; empty without an excess.

    Args:
        problem: the problem.
        element: the line.
        found: its shortfall.
        time: how a moment is written.
        length: how a length is written, in tenths of a second.
    """
    limits = [excess.limit for excess in found.excesses]
    if not limits:
        return ""
    words = ", and ".join(_words(problem, found, excess, length) for excess in found.excesses)
    clause = f"the gap at {time(found.gap.start)} {words}"
    if Limit.LENGTH not in limits and Limit.SHARE not in limits:
        return clause
    wording = "the locked wording" if element.pin.variant is not None else "its shortest wording"
    if len(element.durations) == 1:
        wording = "it"
    return f"{clause}; {wording} takes {length(tenths_up(found.length))}"


def _words(problem: Problem, found: Shortfall, excess: Excess, length: Callable[[int], str]) -> str:
    by = excess.by
    match excess.limit:
        case Limit.LENGTH:
            return f"has {length(tenths_down(found.gap.length))}"
        case Limit.SHARE:
            share = percent(problem.max_share / NO_SHARE_LIMIT, 4)
            return f"could take {length(tenths_down(found.capacity))}, {share} of {length(found.gap.length)}"
        case Limit.EARLY:
            return (
                f"would put it {length(tenths_up(problem.early + by))} before its action, where {_most(problem.early)}"
            )
        case Limit.LATE:
            return f"would put it {length(tenths_up(problem.late + by))} after its action, where {_most(problem.late)}"
        case Limit.REACH:
            reach = problem.reach or 0
            most = f"at most {reach} is allowed" if reach else "only that of the action is allowed"
            return f"is {by + reach} {'gap' if by + reach == 1 else 'gaps'} from its action, where {most}"
        case Limit.WITHIN:
            return f"would put it {length(tenths_up(by))} outside its limits"


def _most(limit: int) -> str:
    return f"at most {limit / 1000:g} s is allowed"
