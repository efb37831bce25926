"""Which lines a plan really has spoken in one breath, and why one that the describer joined is not."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.delivery.lines import JOIN_PAUSE_MS, gap_holding


@dataclass(frozen=True)
class Breath:
    """A joined line and what is said before it; `hindrance` says why both are not one cue, empty where they are."""

    before: Delivery | None
    line: Delivery | None
    hindrance: str = ""


def breath_of(script: Script, plan: Plan, gaps: Sequence[Span], line: Eventuality) -> Breath:
    """How a line that is joined to the one before it stands in a plan, by the rule of `delivery.lines`."""
    said = plan.by_element.get(line.id)
    if said is None:
        return Breath(None, None, "it is left out now")
    before = _said_before(script, plan, said)
    if before is None:
        return Breath(None, said, "nothing is said before it")
    pause = said.start - before.end
    gap = gap_holding(gaps, said.span)
    hindrance = ""
    if script.eventuality_index[before.element] > script.eventuality_index[line.id]:
        hindrance = "it is said out of its order"
    elif gap is None or gap != gap_holding(gaps, before.span):
        hindrance = "they are not in the same gap now"
    elif pause > JOIN_PAUSE_MS:
        hindrance = f"there are {pause / 1000:.1f} s between them now"
    elif pause < 0:
        hindrance = "they overlap now"
    return Breath(before, said, hindrance)


def breaths(script: Script, plan: Plan, gaps: Sequence[Span]) -> Iterator[Breath]:
    """Every pair that is spoken in one breath."""
    for line in script.eventualities:
        if line.joined:
            found = breath_of(script, plan, gaps, line)
            if not found.hindrance:
                yield found


def _said_before(script: Script, plan: Plan, said: Delivery) -> Delivery | None:
    """What is said before a line: the last that has words."""
    place = bisect_left(plan.deliveries, said.start, key=lambda each: each.start)
    for number in range(place - 1, -1, -1):
        each = plan.deliveries[number]
        found = script.eventuality_index.get(each.element)
        variants = () if found is None else script.eventualities[found].variants
        if each.variant < len(variants) and variants[each.variant].text.strip():
            return each
    return None
