"""Occurrences of description elements, from what lies before and after them in the film.

Dialogue says between which two times a passage of the text must lie; passages with nothing between them share one
stretch. Inside it order, words, cuts and pauses tell (`division`), and how far that can be trusted is told by
`certainty`. What has no footing gets no occurrence: nothing is invented.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from adstudio.candidates.ground.certainty import LEAST_CHANCE, confidence, expected_error, is_footing
from adstudio.candidates.ground.division import LEAST_MS, divided
from adstudio.candidates.ground.evidence import Grounding, Passage, Seen
from adstudio.core.timebase import Span

LONGEST_MS = 10_000
"""No occurrence is longer: where more room is left than that, the middle of it is the best there is to say."""
NOWHERE = Grounding(None, 0)


def ground(passages: Sequence[Passage], seen: Seen) -> tuple[tuple[Grounding, ...], ...]:
    """For each passage the grounding of each of its elements.

    Spans start in textual order, lie inside the film and have a positive length; the same input gives the same result.
    """
    found: list[tuple[Grounding, ...]] = []
    earliest = 0
    for (after, before), group in groupby(_bounded(passages, seen.end), key=lambda bounded: bounded[0]):
        shared = [passage for _, passage in group]
        groundings, earliest = _in_stretch(after, before, shared, seen, earliest)
        for passage in shared:
            found.append(tuple(groundings[: len(passage.texts)]))
            groundings = groundings[len(passage.texts) :]
    return tuple(found)


def _bounded(passages: Sequence[Passage], end: int) -> Iterator[tuple[tuple[int, int], Passage]]:
    """Each passage with its two times, inside the film and never going back."""
    latest = [end]
    for passage in reversed(passages):
        latest.append(min(latest[-1], max(passage.before, 0) if passage.before is not None else end))
    earliest = 0
    for passage, before in zip(passages, reversed(latest[1:]), strict=True):
        earliest = max(earliest, min(passage.after or 0, end))
        yield (earliest, before), passage


def _in_stretch(
    after: int, before: int, passages: Sequence[Passage], seen: Seen, earliest: int
) -> tuple[list[Grounding], int]:
    """The groundings of all elements of a stretch, and the start of the last one that has an occurrence."""
    told = [(text, passage.confidence) for passage in passages for text in passage.texts]
    # What cannot have a footing takes no room from what can: a scene that was cut is no part of the stretch.
    texts = [text for text, sure in told if sure >= LEAST_CHANCE]
    if not texts:
        return [NOWHERE] * len(told), earliest
    room = len(texts) * LEAST_MS
    length = seen.pace.passed(before) - seen.pace.passed(after) if before > after else 0.0
    after, before = _widened(max(after, earliest), before, room, seen.end, earliest)
    if before - after < len(texts):
        return [NOWHERE] * len(told), earliest
    spans = iter(divided(after, before, texts, seen))
    groundings: list[Grounding] = []
    for _, sure in told:
        span = next(spans) if sure >= LEAST_CHANCE else None
        grounding = NOWHERE if span is None else _grounding(span, Span(after, before), length, len(texts), sure)
        groundings.append(grounding)
        earliest = grounding.occurrence.start if grounding.occurrence else earliest
    return groundings, earliest


def _grounding(span: Span, stretch: Span, length: float, count: int, sure: float) -> Grounding:
    """One of `count` parts of a stretch that is `length` ms long on the action's clock."""
    share = (span.doubled_midpoint / 2 - stretch.start) / stretch.length
    error = expected_error(length, share, count)
    return Grounding(_shortened(span), confidence(error, sure)) if is_footing(error, sure) else NOWHERE


def _widened(after: int, before: int, room: int, end: int, earliest: int) -> tuple[int, int]:
    """The stretch with room enough, reaching as far to both sides as the film and what came before allow."""
    lacking = room - (before - after)
    if lacking <= 0:
        return after, before
    start = max(after - lacking // 2, earliest)
    before = min(start + room, end)
    return max(min(start, before - room), earliest), before


def _shortened(span: Span) -> Span:
    beyond = span.length - LONGEST_MS
    return span if beyond <= 0 else Span(span.start + beyond // 2, span.end - (beyond - beyond // 2))
