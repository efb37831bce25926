"""The dialogue around lines: what a span overlaps, how far dialogue is on either side, and which gap it is in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice

from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import gaps_of, spoken_until
from adstudio.gaps.word_edges import cues_as_spoken


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
        self._names = [name for _, name in ordered]
        self._starts = [span.start for span, _ in ordered]
        ends = [span.end for span, _ in ordered]

        def later(former: int, place: int) -> int:
            return place if ends[place] > ends[former] else former

        self._latest = list(accumulate(range(len(ordered)), later))
        """The place of the one that ends last among those up to each; `_until` is when that is."""
        self._until = [ends[place] for place in self._latest]
        self._blocks: list[Span] = []
        """What they occupy together: sorted, disjoint and not touching."""
        for start, until in zip(self._starts, self._until, strict=True):
            if self._blocks and start <= self._blocks[-1].end:
                self._blocks[-1] = Span(self._blocks[-1].start, until)
            else:
                self._blocks.append(Span(start, until))

    def first_over(self, span: Span) -> str | None:
        """The first that overlaps a span, not just touches it."""
        place = bisect_right(self._until, span.start)
        return self._names[place] if place < len(self._names) and self._starts[place] < span.end else None

    def parts_of(self, span: Span) -> list[Span]:
        """What they occupy of a span."""
        place = bisect_right(self._blocks, span.start, key=lambda block: block.end)
        found: list[Span] = []
        for block in islice(self._blocks, place, None):
            if block.start >= span.end:
                break
            found.append(Span(max(block.start, span.start), min(block.end, span.end)))
        return found

    def before(self, span: Span) -> Distance | None:
        """The nearest that ends at or before the span's start; None where something overlaps that, or there is none."""
        place = bisect_right(self._starts, span.start) - 1
        if place < 0 or self._until[place] > span.start:
            return None
        return Distance(span.start - self._until[place], self._names[self._latest[place]])

    def after(self, span: Span) -> Distance | None:
        """The nearest that starts at or after the span's end; None where something overlaps that, or there is none."""
        place = bisect_left(self._starts, span.end)
        if place == len(self._starts) or (place > 0 and self._until[place - 1] > span.end):
            return None
        return Distance(self._starts[place] - span.end, self._names[place])


class Dialogue:
    """The dialogue of a script, its silences, openings and gaps; `kinds` are the cues that count as dialogue."""

    def __init__(self, script: Script, kinds: Collection[CueKind]) -> None:
        end = script.film.end
        cues = ((_within(cue, end), cue.id) for cue in cues_as_spoken(script) if cue.kind in kinds)
        self.cues = Occupation((span, name) for span, name in cues if span is not None)
        self.silences = Occupation((each.span, each.id) for each in script.silences)
        self._openings = [each.span for each in script.openings]
        # However short: which of them are too short is asked of the house.
        shortest = replace(script.settings.gaps, least=1)
        self._gaps = gaps_of(script.with_changes(settings=replace(script.settings, gaps=shortest))).gaps

    def covers(self, occupation: Occupation, span: Span) -> Cover | None:
        """What of a span cues or silences occupy; None if they leave all of it free."""
        first = occupation.first_over(span)
        if first is None or not span.length:
            return None
        parts = occupation.parts_of(span)
        return Cover(sum(part.length for part in parts), first, all(self.opened(part) for part in parts))

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
