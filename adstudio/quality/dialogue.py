"""The dialogue around lines: what a span overlaps, how far dialogue is on either side, and which gap it is in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import find_gaps, spoken_until


@dataclass(frozen=True)
class Cover:
    """How much of a span is occupied (ms), by what first (id), and whether openings free all of that."""

    by: int
    first: str
    opened: bool


@dataclass(frozen=True)
class Distance:
    """How far the nearest dialogue is (ms), and its cue (id)."""

    by: int
    cue: str


class Occupation:
    """Spans with ids, some of which may overlap: what of another span they occupy, and which are nearest to it."""

    def __init__(self, spans: Iterable[tuple[Span, str]]) -> None:
        ordered = sorted(((span, name) for span, name in spans if span.length), key=lambda each: each[0])
        self._spans = [span for span, _ in ordered]
        self._names = [name for _, name in ordered]
        self._starts = [span.start for span in self._spans]
        self._ends = [span.end for span in self._spans]
        # The place of the span that ends last among those up to each.
        self._latest = list(accumulate(range(len(ordered)), lambda a, b: b if self._ends[b] >= self._ends[a] else a))

    def over(self, span: Span) -> list[tuple[Span, str]]:
        """What overlaps a span, not just touches it, in order."""
        place = bisect_left(self._starts, span.end) - 1
        found: list[tuple[Span, str]] = []
        while place >= 0 and self._ends[self._latest[place]] > span.start:
            if self._ends[place] > span.start:
                found.append((self._spans[place], self._names[place]))
            place -= 1
        return found[::-1]

    def before(self, span: Span) -> Distance | None:
        """The nearest that ends at or before the span's start; None where something overlaps that, or there is none."""
        place = bisect_right(self._starts, span.start) - 1
        if place < 0 or self._ends[self._latest[place]] > span.start:
            return None
        latest = self._latest[place]
        return Distance(span.start - self._ends[latest], self._names[latest])

    def after(self, span: Span) -> Distance | None:
        """The nearest that starts at or after the span's end; None where something overlaps that, or there is none."""
        place = bisect_left(self._starts, span.end)
        if place == len(self._starts) or (place > 0 and self._ends[self._latest[place - 1]] > span.end):
            return None
        return Distance(self._starts[place] - span.end, self._names[place])


class Dialogue:
    """The dialogue of a script, its silences, openings and gaps; `kinds` are the cues that count as dialogue."""

    def __init__(self, script: Script, kinds: Collection[CueKind]) -> None:
        end = script.film.end
        cues = ((_within(cue, end), cue.id) for cue in script.cues if cue.kind in kinds)
        self.cues = Occupation((span, name) for span, name in cues if span is not None)
        self.silences = Occupation((each.span, each.id) for each in script.silences)
        self._openings = [each.span for each in script.openings]
        # However short: which of them are too short is asked of the house.
        shortest = replace(script.settings.gaps, least=1)
        self._gaps = find_gaps(script.cues, script.silences, end, shortest, script.openings).gaps

    def covers(self, occupation: Occupation, span: Span) -> Cover | None:
        """What of a span cues or silences occupy; None if they leave all of it free."""
        found = occupation.over(span)
        if not found:
            return None
        parts = [Span(max(each.start, span.start), min(each.end, span.end)) for each, _ in found]
        return Cover(_length(parts), found[0][1], all(self.opened(part) for part in parts))

    def opened(self, span: Span) -> bool:
        """Whether openings free all of a span."""
        inside = [each.overlap(span) for each in self._openings]
        return _length([each for each in inside if each is not None]) == span.length > 0

    def overlaps_opening(self, span: Span) -> bool:
        """Whether an opening frees a part of a span."""
        return any(each.start < span.end and span.start < each.end for each in self._openings)

    def gap_of(self, span: Span) -> Span | None:
        """The gap that contains a whole span."""
        place = bisect_right(self._gaps, span.start, key=lambda gap: gap.start) - 1
        return self._gaps[place] if place >= 0 and self._gaps[place].contains(span) else None


def _within(cue: Cue, end: int) -> Span | None:
    """When a cue is spoken, cut to the film; None for one outside."""
    start, until = max(cue.start, 0), min(spoken_until(cue), end)
    return Span(start, until) if start < until else None


def _length(spans: Sequence[Span]) -> int:
    """Milliseconds that spans cover together."""
    covered, until = 0, 0
    for span in sorted(spans):
        covered += max(0, span.end - max(span.start, until))
        until = max(until, span.end)
    return covered
