"""The realistic filter: what could not be narrated as it is timed is removed before a system is scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adstudio.core.timebase import Span
from adstudio.evaluation.material import Description
from adstudio.evaluation.results import FilterCounts, Unrealistic
from adstudio.evaluation.sequences import gaps_around

FASTEST_WPM = 300
"""Words a minute at which a description is too fast; exactly as many are already."""
FAR_TOO_FAST_WPM = 500
"""Beyond this a description is also counted as far too fast (paper, section 5)."""


def realistic(
    descriptions: Sequence[Description], tokens: Mapping[str, str], gaps: Sequence[Span]
) -> tuple[tuple[Description, ...], FilterCounts]:
    """The descriptions that can be narrated, and what was removed; each removed one counts for the first reason.

    `tokens` are those of each text, which are counted as its words; `gaps` are those of the film. A description that
    begins before the end of the one before it that stays is removed; one that was removed is in nobody's way.
    """
    remaining: list[Description] = []
    removed = dict.fromkeys(Unrealistic, 0)
    faster_than_500 = 0
    for each in sorted(descriptions):
        words = len(tokens[each.text].split())
        reason = None
        if _is_faster(words, each.span, FASTEST_WPM, equally=True):
            reason = Unrealistic.TOO_FAST
            faster_than_500 += _is_faster(words, each.span, FAR_TOO_FAST_WPM)
        elif not gaps_around(each.span, gaps):
            reason = Unrealistic.OVER_DIALOGUE
        elif remaining and each.span.start < remaining[-1].span.end:
            reason = Unrealistic.OVERLAPPING
        if reason is None:
            remaining.append(each)
        else:
            removed[reason] += 1
    return tuple(remaining), FilterCounts(len(descriptions), removed, faster_than_500)


def total(counts: Sequence[FilterCounts]) -> FilterCounts:
    """The counts of several films together."""
    removed = {reason: sum(each.removed[reason] for each in counts) for reason in Unrealistic}
    return FilterCounts(sum(each.total for each in counts), removed, sum(each.faster_than_500 for each in counts))


def _is_faster(words: int, span: Span, rate: int, *, equally: bool = False) -> bool:
    """Whether so many words in so much time are more than `rate` a minute, or `equally` as many."""
    spoken, possible = words * 60_000, rate * span.length
    return spoken > possible or (equally and spoken == possible)
