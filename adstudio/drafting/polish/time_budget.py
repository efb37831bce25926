"""How long each spoken line may last with nothing else moved, and how long a text takes in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Script, Variant
from adstudio.core.timebase import Span
from adstudio.core.words import count_words, spoken_ms
from adstudio.delivery.lines import gap_containing
from adstudio.planning.film.film_problem import bounded_scenes, scene_of_each
from adstudio.planning.problem import NO_SHARE_LIMIT

_FAR = 1 << 40


@dataclass(frozen=True)
class Room:
    """The least and the most milliseconds that a line may last where it starts, and the most `between` its neighbours.

    The least is 0, unless its start is pinned and it is spoken about as early as it may be. Between its neighbours it
    may start earlier than it does.
    """

    least: int
    most: int
    between: int


def rooms(script: Script, gaps: Sequence[Span], plan: Plan) -> dict[str, Room]:
    """The room of every spoken line, by id: up to the next line, the end of its gap, of `within` and of its window.

    A line outside the gaps, and all lines where only a share of each gap may be narrated, keep the time they have.
    """
    spoken = [each for each in plan.deliveries if each.element in script.eventuality_index]
    scenes = scene_of_each(script)
    bounded = bounded_scenes(script, scenes)
    found: dict[str, Room] = {}
    for before, delivery, after in zip([None, *spoken], spoken, [*spoken[1:], None], strict=False):
        scene = scenes[script.eventuality_index[delivery.element]]
        bound = script.scene_by_id[scene].span if scene in bounded else Span(0, script.film.end)
        found[delivery.element] = _room(script, gaps, (before, delivery, after), bound)
    return found


def _room(
    script: Script, gaps: Sequence[Span], spoken: tuple[Delivery | None, Delivery, Delivery | None], bound: Span
) -> Room:
    before, delivery, after = spoken
    line, settings = script.eventuality(delivery.element), script.settings
    has, held = delivery.end - delivery.start, line.pin.start is not None
    middle = None if line.occurrence is None or line.pin.override else line.occurrence.doubled_midpoint
    # Constraint (4) of the paper: |2d + L − m| ≤ w, with the midpoint m and the window w doubled.
    earliest, latest = _around(middle, 2 * settings.delta_max)
    least = min(has, max(0, earliest - 2 * delivery.start)) if held else 0
    gap = gap_containing(gaps, delivery.span)
    if gap is None or settings.max_share < NO_SHARE_LIMIT:
        return Room(least, has, has)
    within = line.within or bound
    start = max(gap.start, bound.start, within.start, 0 if before is None else before.end + settings.min_pause)
    end = min(gap.end, bound.end, within.end)
    if after is not None:
        end = min(end, after.start - settings.min_pause)
    most = max(has, min(end - delivery.start, latest - 2 * delivery.start))
    if held:
        return Room(least, most, most)
    return Room(least, most, max(most, min(end - start, latest - 2 * start, 2 * end - earliest)))


def _around(middle: int | None, window: int) -> tuple[int, int]:
    """The least and the greatest 2d + L; no bounds where nothing on screen establishes the line."""
    return (-_FAR, _FAR) if middle is None else (middle - window, middle + window)


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
