"""What lies in which sequence of a film: the gaps, and descriptions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from adstudio.core.settings import GapSettings
from adstudio.core.timebase import Span
from adstudio.evaluation.material import Description, EvaluatedFilm, FilmSequence
from adstudio.gaps.gaps import find_gaps

LEAST_GAP_MS = 1_000
"""Shorter pauses in the dialogue are no gaps (paper, section 4)."""
COLLAR_MS = 1_000
"""How far a description may reach beyond a gap on either side and still belong to it (paper, appendix B)."""


def gaps_by_sequence(film: EvaluatedFilm) -> tuple[tuple[Span, ...], ...]:
    """The gaps in the speech of each sequence, also before its first subtitle and after its last.

    A pause across a boundary is a gap on either side of it, where each part is long enough: a sequence is scored by
    itself, as the benchmark does. Overlapping subtitles count as one.
    """
    settings = GapSettings(least=1, keep_sound=False, keep_music=False, keep_sung=False)
    free = find_gaps(film.dialogue, (), max(film.end, film.sequences[-1].span.end), settings).gaps
    found: list[tuple[Span, ...]] = []
    for sequence in film.sequences:
        first = bisect_right(free, sequence.span.start, key=lambda gap: gap.end)
        last = bisect_left(free, sequence.span.end, key=lambda gap: gap.start)
        parts = (gap.overlap(sequence.span) for gap in free[first:last])
        found.append(tuple(part for part in parts if part is not None and part.length >= LEAST_GAP_MS))
    return tuple(found)


def by_sequence(film: EvaluatedFilm, descriptions: Iterable[Description]) -> tuple[tuple[Description, ...], ...]:
    """The descriptions of each sequence in the order of their times: those whose midpoint lies in it.

    What lies before the first sequence or after the last belongs to that one, so that nothing escapes the measures.
    """
    found: list[list[Description]] = [[] for _ in film.sequences]
    for each in sorted(descriptions):
        found[sequence_at(film.sequences, each.span)].append(each)
    return tuple(map(tuple, found))


def sequence_at(sequences: Sequence[FilmSequence], span: Span) -> int:
    """The index of the sequence that a span belongs to, as `by_sequence` has it."""
    last = len(sequences) - 1
    return bisect_right(sequences, span.doubled_midpoint, hi=last, key=lambda sequence: 2 * sequence.span.end)


def gaps_around(span: Span, gaps: Sequence[Span]) -> range:
    """The numbers of the gaps that fully contain a span, with the collar on either side; `gaps` in order and apart."""
    first = bisect_left(gaps, span.end - COLLAR_MS, key=lambda gap: gap.end)
    last = bisect_right(gaps, span.start + COLLAR_MS, key=lambda gap: gap.start)
    return range(first, max(first, last))
