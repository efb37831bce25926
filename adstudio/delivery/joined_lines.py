"""Which linked lines a plan really exports as one cue, and why others are not."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adstudio.core.fusions import has_words
from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.delivery.lines import JOIN_PAUSE_MS, gap_containing


@dataclass(frozen=True)
class LinkState:
    """A linked line and the line spoken before it; `obstacle` says why they are not one cue, empty if they are."""

    before: Delivery | None
    line: Delivery | None
    obstacle: str = ""


def link_state(script: Script, plan: Plan, gaps: Sequence[Span], line: Eventuality) -> LinkState:
    """Whether a line is spoken as one cue with the previous one, by the rule of `delivery.lines`."""
    spoken = plan.by_line.get(line.id)
    if spoken is None:
        return LinkState(None, None, "it is left out")
    before = _previous_delivery(script, plan, spoken)
    if before is None:
        return LinkState(None, spoken, "no line is spoken before it")
    pause = spoken.start - before.end
    gap = gap_containing(gaps, spoken.span)
    obstacle = ""
    if script.eventuality_index[before.lines[-1]] > script.eventuality_index[line.id]:
        obstacle = "it is spoken out of order"
    elif gap is None or gap != gap_containing(gaps, before.span):
        obstacle = "they are not in the same gap"
    elif pause > JOIN_PAUSE_MS:
        obstacle = f"there are {pause / 1000:.1f} s between them"
    elif pause < 0:
        obstacle = "they overlap"
    return LinkState(before, spoken, obstacle)


def linked_pairs(script: Script, plan: Plan, gaps: Sequence[Span]) -> Iterator[LinkState]:
    """Every linked line that is spoken as one cue with the previous one."""
    for line in script.eventualities:
        if line.joined:
            found = link_state(script, plan, gaps, line)
            if not found.obstacle:
                yield found


def _previous_delivery(script: Script, plan: Plan, spoken: Delivery) -> Delivery | None:
    """The last delivery before a line that has words."""
    place = bisect_left(plan.deliveries, spoken.start, key=lambda each: each.start)
    for number in range(place - 1, -1, -1):
        each = plan.deliveries[number]
        if has_words(script, each):
            return each
    return None
