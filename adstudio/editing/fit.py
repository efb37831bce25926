"""Whether a wording fits where its line is spoken, or would be: the numbers beside the text as it is typed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.core.words import count_words, spoken_ms
from adstudio.editing.change import line_of
from adstudio.editing.refusal import EditRefused


@dataclass(frozen=True)
class Fit:
    """A wording's words and milliseconds, and the room it has.

    `gap` is the gap that the line is spoken in, or could be; None where it is overridden out of the gaps, or none is in
    reach. `room` is the longest that the line may last there with its neighbours where they are.
    """

    words: int
    duration: int
    gap: Span | None
    room: int

    @property
    def spare(self) -> int:
        """Milliseconds left over; negative where the wording is too long."""
        return self.room - self.duration

    @property
    def fits(self) -> bool:
        """Whether there is room for it."""
        return self.spare >= 0

    @property
    def too_long(self) -> int:
        """Milliseconds that it is too long by, or 0."""
        return max(0, -self.spare)


def fit_of(script: Script, gaps: Sequence[Span], plan: Plan, identity: str, wording: int | str) -> Fit:
    """How a wording of a line (its number, or a text as it is being typed) fits.

    A line that the plan speaks has the room between the lines before and after it in its gap; from its start where that
    is pinned, and up to the next line, dialogue or not, where it is overridden. One that the plan leaves out has the
    widest place between the lines that would stand before and after it. `within` bounds all of them, Δmax about the
    occurrence all that are not overridden.

    Raises:
        EditRefused: for a line or a wording that is not there any more.
    """
    line = line_of(script, identity)
    if isinstance(wording, str):
        words, duration = count_words(wording), spoken_ms(wording, script.settings.rate_for(script.film.language))
    elif 0 <= wording < len(line.variants):
        words, duration = count_words(line.variants[wording].text), script.duration(line.variants[wording])
    else:
        raise EditRefused("The line does not have that wording any more.")
    gap, room = _room(script, gaps, plan, line, duration)
    return Fit(words, duration, gap, room)


def _room(
    script: Script, gaps: Sequence[Span], plan: Plan, line: Eventuality, duration: int
) -> tuple[Span | None, int]:
    free_from, free_to = _between(script, plan, line.id)
    if line.within is not None:
        free_from, free_to = max(free_from, line.within.start), min(free_to, line.within.end)
    held, spoken = line.pin.start, plan.by_element.get(line.id)
    inside = None if spoken is None else _gap_holding(gaps, spoken.span)
    if line.pin.override and held is not None:
        return inside, max(0, free_to - held) if held >= free_from else 0
    if line.occurrence is None:
        return None, 0
    # The midpoint may stray by Δmax, the ends of the delivery by half its length more (constraint (4) of the paper).
    middle, reach = line.occurrence.doubled_midpoint, 2 * script.settings.delta_max + duration
    free_from, free_to = max(free_from, -((reach - middle) // 2)), min(free_to, (middle + reach) // 2)
    if held is not None:
        free_from, free_to = (held, free_to) if held >= free_from else (held, held)
    best: tuple[Span | None, int] = (inside, 0)
    for gap in _between_ends(gaps, free_from, free_to) if inside is None else (inside,):
        room = min(free_to, gap.end) - max(free_from, gap.start)
        if room > best[1] and (held is None or gap.start <= held):
            best = gap, room
    return best


def outside_gaps(gaps: Sequence[Span], span: Span) -> int:
    """Milliseconds of a delivery that lie outside the gap it is mostly in; 0 where one gap holds it."""
    shared = (min(gap.end, span.end) - max(gap.start, span.start) for gap in _between_ends(gaps, span.start, span.end))
    return span.length - max(0, max(shared, default=0))


def _gap_holding(gaps: Sequence[Span], span: Span) -> Span | None:
    place = bisect_right(gaps, span.start, key=_start) - 1
    return gaps[place] if place >= 0 and gaps[place].contains(span) else None


def _between_ends(gaps: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """The gaps that share a stretch with start…end."""
    return gaps[bisect_right(gaps, start, key=_end) : bisect_left(gaps, end, key=_start)]


def _between(script: Script, plan: Plan, identity: str) -> tuple[int, int]:
    """When the line before is over and the line after begins, the least pause kept; the film's ends elsewhere."""
    index = script.eventuality_index
    mine, pause = index[identity], script.settings.min_pause
    free_from, free_to = 0, script.film.end
    # Deliveries stand in textual order, so only the neighbours count: this is asked at every key.
    spoken = plan.deliveries
    before = bisect_left(spoken, mine, key=lambda each: index.get(each.element, mine))
    after = bisect_right(spoken, mine, key=lambda each: index.get(each.element, mine))
    if before > 0:
        free_from = spoken[before - 1].end + pause
    if after < len(spoken):
        free_to = spoken[after].start - pause
    return free_from, free_to


def _start(span: Span) -> int:
    return span.start


def _end(span: Span) -> int:
    return span.end
