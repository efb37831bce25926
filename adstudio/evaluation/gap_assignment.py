"""TEMPORARY: the same as sequences.py of the measures, until that is there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from adstudio.core.settings import GapSettings
from adstudio.core.timebase import Span
from adstudio.evaluation.material import EvaluatedFilm
from adstudio.gaps.gaps import find_gaps

LEAST_GAP_MS = 1_000
COLLAR_MS = 1_000


def gaps_by_sequence(film: EvaluatedFilm) -> tuple[tuple[Span, ...], ...]:
    """Gaps."""
    settings = GapSettings(least=1, keep_sound=False, keep_music=False, keep_sung=False)
    free = find_gaps(film.dialogue, (), film.end, settings).gaps
    return (tuple(gap for gap in free if gap.length >= LEAST_GAP_MS),)


def gaps_around(span: Span, gaps: Sequence[Span]) -> range:
    """Numbers."""
    first = bisect_left(gaps, span.end - COLLAR_MS, key=lambda gap: gap.end)
    last = bisect_right(gaps, span.start + COLLAR_MS, key=lambda gap: gap.start)
    return range(first, max(first, last))
