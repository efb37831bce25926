"""What is spoken when: the plan's lines gathered into stretches, each rendered as one sound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adstudio.core.plan import Delivery
from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.speech.messages import Placed

REACH_MS = 1500
"""Lines closer to each other share a stretch; and so long a line that lasts longer than planned is heard on."""
LEAD_IN_MS = 500
"""The silence a stretch begins with, in which film and voice are brought together."""
LONGEST_MS = 60_000


@dataclass(frozen=True)
class NarrationSegment:
    """Lines that are rendered as one sound of exactly `span`; `spoken` is when there is speech, as planned."""

    span: Span
    lines: tuple[Placed, ...]
    spoken: tuple[Span, ...]


def text_of(script: Script, delivery: Delivery) -> str:
    """The wording that is spoken."""
    if delivery.text is not None:
        return delivery.text
    return script.eventuality(delivery.element).variants[delivery.variant].text


def wording(line: Eventuality, delivery: Delivery | None) -> int:
    """The variant to be heard of a line: the one in the plan, else the one that is held, else the full one."""
    if delivery is not None:
        return delivery.variant
    return line.pin.variant or 0


def narration_in(
    script: Script, deliveries: Sequence[Delivery], span: Span, where: Span | None = None
) -> NarrationSegment:
    """A stretch with the lines that start in it, or only with those that start in a part of it."""
    part = where or span
    inside = [delivery for delivery in deliveries if part.start <= delivery.start < part.end]
    return NarrationSegment(
        span,
        tuple(Placed(text_of(script, delivery), delivery.start) for delivery in inside),
        tuple(delivery.span for delivery in inside),
    )


def narrations(
    script: Script, deliveries: Sequence[Delivery], apart: Callable[[Delivery, Delivery], bool] = lambda _, __: False
) -> tuple[NarrationSegment, ...]:
    """The whole plan in stretches, in order, none of which overlap; `apart` keeps two lines out of one stretch."""
    groups: list[list[Delivery]] = []
    for delivery in deliveries:
        last = groups[-1] if groups else None
        near = last is not None and delivery.start - last[-1].end < REACH_MS
        if last and near and delivery.end - last[0].start <= LONGEST_MS and not apart(last[-1], delivery):
            last.append(delivery)
        else:
            groups.append([delivery])
    found: list[NarrationSegment] = []
    earliest = 0
    for place, group in enumerate(groups):
        first, last = group[0].start, group[-1].end
        following = groups[place + 1][0].start - LEAD_IN_MS if place + 1 < len(groups) else script.film.end
        end = max(last, min(following, last + REACH_MS))
        found.append(narration_in(script, group, Span(max(earliest, first - LEAD_IN_MS), end)))
        earliest = end
    return tuple(found)


def at_or_after(stretches: Sequence[NarrationSegment], ms: float) -> int:
    """The place in the list of the stretch that sounds at a time, else of the next one."""
    return next((i for i, stretch in enumerate(stretches) if stretch.span.end > ms), len(stretches))


def is_spoken(spoken: Sequence[Span], ms: float, ahead: int) -> bool:
    """Whether somebody speaks at a time, or will within so many milliseconds."""
    return any(span.start - ahead <= ms < span.end for span in spoken)
