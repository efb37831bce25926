"""Whether a wording fits where its line is, or would be, spoken: the numbers shown beside the text while typing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.core.narration import LengthSource
from adstudio.core.script import Variant
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.editing.change import EditRefused
from adstudio.editing.fusions import is_fused_head, shown_line
from adstudio.planning.film.room import Rooms


@dataclass(frozen=True)
class Fit:
    """A wording's word count and duration (ms), and the room it has.

    `gap` is where the line is or could be spoken, None if an override puts it outside the gaps or there is no room in
    any gap within reach. `room` is the longest the line may last there without moving its neighbours, `least` the
    shortest. `elsewhere`: the line is spoken in another gap, where this wording does not fit. `source`
    is where the duration comes from.
    """

    words: int
    duration: int
    gap: Span | None
    room: int
    least: int = 0
    elsewhere: bool = False
    source: LengthSource = LengthSource.RATE

    @property
    def spare(self) -> int:
        """Milliseconds left over; negative if the wording is too long."""
        return self.room - self.duration

    @property
    def fits(self) -> bool:
        """Whether it may be spoken there: long enough for its locked start, and not too long."""
        return self.least <= self.duration <= self.room

    @property
    def too_long(self) -> int:
        """By how many milliseconds it is too long, or 0."""
        return max(0, -self.spare)


def fit_of(rooms: Rooms, identity: str, wording: int | str) -> Fit:
    """How a wording of a line (its number, or text being typed) fits while all other lines stay as planned.

    The wordings of the first line that a fused one says are those of that.

    Raises:
        EditRefused: if the line or wording no longer exists.
    """
    script, plan = rooms.script, rooms.plan
    line = shown_line(script, plan, identity)
    if isinstance(wording, str):
        words, (duration, source) = count_words(wording), script.length(Variant(wording), line.voice)
    elif 0 <= wording < len(line.variants):
        words, (duration, source) = count_words(line.variants[wording].text), script.planned_length(line, wording)
    else:
        raise EditRefused("That wording no longer exists.")
    spoken = plan.by_line.get(identity)
    # A plan that lags behind the script may speak a fusion that can no longer be spoken.
    fused = spoken is not None and spoken.element in rooms.problem.fused and is_fused_head(script, plan, identity)
    room = rooms.room(spoken.element if spoken is not None and fused else identity, duration)
    elsewhere = spoken is not None and room.gap is not None and not room.gap.start <= spoken.start < room.gap.end
    return Fit(words, duration, room.gap, room.most, room.least, elsewhere, source)


def outside_gaps(gaps: Sequence[Span], span: Span) -> int:
    """Milliseconds of a delivery outside the gap that covers most of it; 0 if it lies within one gap."""
    first = bisect_right(gaps, span.start, key=lambda gap: gap.end)
    touching = gaps[first : bisect_left(gaps, span.end, key=lambda gap: gap.start)]
    shared = (min(gap.end, span.end) - max(gap.start, span.start) for gap in touching)
    return span.length - max(0, max(shared, default=0))
