"""Whether a wording fits where its line is, or would be, spoken: the numbers shown beside the text while typing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.core.words import count_words, spoken_ms
from adstudio.editing.change import EditRefused, line_of


@dataclass(frozen=True)
class Fit:
    """A wording's word count and duration (ms), and the room it has.

    `gap` is where the line is or could be spoken, None if an override puts it outside the gaps or no gap is within
    reach. `room` is the longest the line may last there without moving its neighbours.
    """

    words: int
    duration: int
    gap: Span | None
    room: int

    @property
    def spare(self) -> int:
        """Milliseconds left over; negative if the wording is too long."""
        return self.room - self.duration

    @property
    def fits(self) -> bool:
        """Whether there is enough room."""
        return self.spare >= 0

    @property
    def too_long(self) -> int:
        """By how many milliseconds it is too long, or 0."""
        return max(0, -self.spare)


def fit_of(script: Script, gaps: Sequence[Span], plan: Plan, identity: str, wording: int | str) -> Fit:
    """How a wording of a line (its number, or text being typed) fits.

    A spoken line has the room between its neighbours in its gap, from its start if that is pinned, and up to the next
    line regardless of dialogue if overridden. A line left out has the widest place between its would-be neighbours.
    `within` limits all lines, Δmax around the occurrence all that are not overridden.

    Raises:
        EditRefused: if the line or wording no longer exists.
    """
    line = line_of(script, identity)
    if isinstance(wording, str):
        words, duration = count_words(wording), spoken_ms(wording, script.settings.rate_for(script.film.language))
    elif 0 <= wording < len(line.variants):
        words, duration = count_words(line.variants[wording].text), script.duration(line.variants[wording])
    else:
        raise EditRefused("That wording no longer exists.")
    gap, room = _room(script, gaps, plan, line, duration)
    return Fit(words, duration, gap, room)


def _room(
    script: Script, gaps: Sequence[Span], plan: Plan, line: Eventuality, duration: int
) -> tuple[Span | None, int]:
    free_from, free_to = _free_between_neighbours(script, plan, line.id)
    if line.within is not None:
        free_from, free_to = max(free_from, line.within.start), min(free_to, line.within.end)
    held, spoken = line.pin.start, plan.by_element.get(line.id)
    inside = None if spoken is None else _gap_containing(gaps, spoken.span)
    if line.pin.override and held is not None:
        return inside, max(0, free_to - held) if held >= free_from else 0
    if line.occurrence is None:
        return None, 0
    # The midpoint may deviate by Δmax, so the ends of the delivery by half its length more (the paper's constraint 4).
    middle, reach = line.occurrence.doubled_midpoint, 2 * script.settings.delta_max + duration
    free_from, free_to = max(free_from, -((reach - middle) // 2)), min(free_to, (middle + reach) // 2)
    if held is not None:
        free_from, free_to = (held, free_to) if held >= free_from else (held, held)
    best: tuple[Span | None, int] = (inside, 0)
    for gap in _gaps_touching(gaps, free_from, free_to) if inside is None else (inside,):
        room = min(free_to, gap.end) - max(free_from, gap.start)
        if room > best[1] and (held is None or gap.start <= held):
            best = gap, room
    return best


def outside_gaps(gaps: Sequence[Span], span: Span) -> int:
    """Milliseconds of a delivery outside the gap that covers most of it; 0 if it lies within one gap."""
    shared = (min(gap.end, span.end) - max(gap.start, span.start) for gap in _gaps_touching(gaps, span.start, span.end))
    return span.length - max(0, max(shared, default=0))


def _gap_containing(gaps: Sequence[Span], span: Span) -> Span | None:
    place = bisect_right(gaps, span.start, key=lambda gap: gap.start) - 1
    return gaps[place] if place >= 0 and gaps[place].contains(span) else None


def _gaps_touching(gaps: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """The gaps that overlap start…end."""
    first = bisect_right(gaps, start, key=lambda gap: gap.end)
    return gaps[first : bisect_left(gaps, end, key=lambda gap: gap.start)]


def _free_between_neighbours(script: Script, plan: Plan, identity: str) -> tuple[int, int]:
    """From the end of the previous line to the start of the next, minus pauses; else the film's start and end."""
    index = script.eventuality_index
    mine, pause = index[identity], script.settings.min_pause
    free_from, free_to = 0, script.film.end
    # Deliveries are in textual order, so bisect for the neighbours: this runs on every key press.
    spoken = plan.deliveries
    before = bisect_left(spoken, mine, key=lambda each: index.get(each.element, mine))
    after = bisect_right(spoken, mine, key=lambda each: index.get(each.element, mine))
    if before > 0:
        free_from = spoken[before - 1].end + pause
    if after < len(spoken):
        free_to = spoken[after].start - pause
    return free_from, free_to
