"""How long each spoken line may last from where it starts, with nothing else moved, and how long a text takes there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Script, Variant
from adstudio.core.timebase import Span
from adstudio.core.words import count_words, spoken_ms
from adstudio.delivery.lines import gap_holding
from adstudio.planning.film import bounded_scenes, scene_of_each
from adstudio.planning.problem import NO_SHARE_LIMIT


@dataclass(frozen=True)
class Room:
    """The least and the most milliseconds that a line may last where it starts.

    The least is 0, unless its start is pinned and it is spoken about as early as it may be.
    """

    least: int
    most: int


def rooms(script: Script, gaps: Sequence[Span], plan: Plan) -> dict[str, Room]:
    """The room of every spoken line, by id: up to the next line, the end of its gap, of `within` and of its window.

    A line outside the gaps, and all lines where only a share of each gap may be narrated, keep the time they have.
    """
    spoken = [each for each in plan.deliveries if each.element in script.eventuality_index]
    scenes = scene_of_each(script)
    bounded = bounded_scenes(script, scenes)
    found: dict[str, Room] = {}
    for delivery, after in zip(spoken, [*spoken[1:], None], strict=False):
        scene = scenes[script.eventuality_index[delivery.element]]
        bound = script.scene_by_id[scene].span.end if scene in bounded else script.film.end
        found[delivery.element] = _room(script, gaps, delivery, after, bound)
    return found


def _room(script: Script, gaps: Sequence[Span], delivery: Delivery, after: Delivery | None, bound: int) -> Room:
    line = script.eventuality(delivery.element)
    settings, has = script.settings, delivery.end - delivery.start
    window = 2 * settings.delta_max
    middle = None if line.occurrence is None or line.pin.override else line.occurrence.doubled_midpoint
    least = 0
    if line.pin.start is not None and middle is not None:
        # Constraint (4) of the paper with d held: 2d + L may be no less than the doubled midpoint and window allow.
        least = min(has, max(0, middle - window - 2 * delivery.start))
    gap = gap_holding(gaps, delivery.span)
    if gap is None or settings.max_share < NO_SHARE_LIMIT:
        return Room(least, has)
    ends = [gap.end, bound]
    if after is not None:
        ends.append(after.start - settings.min_pause)
    if line.within is not None:
        ends.append(line.within.end)
    most = min(ends) - delivery.start
    if middle is not None:
        most = min(most, middle + window - 2 * delivery.start)
    return Room(least, max(has, most))


def length_of(script: Script, before: Variant, text: str) -> int:
    """Milliseconds that a text takes in place of a wording.

    At the project's rate, or at the wording's own pace where that was measured and is slower.
    """
    lasts = spoken_ms(text, script.settings.rate_for(script.film.language))
    if before.duration is not None:
        lasts = max(lasts, -(-count_words(text) * before.duration // max(count_words(before.text), 1)))
    return lasts


def most_words(script: Script, before: Variant, room: int) -> int:
    """As many words as `length_of` finds room for, at least one."""
    most = room * script.settings.rate_for(script.film.language) // 60_000
    if before.duration:
        most = min(most, room * max(count_words(before.text), 1) // before.duration)
    return max(most, 1)
