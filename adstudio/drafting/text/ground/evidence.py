"""What grounding knows and what it says: plain values."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from adstudio.core.timebase import Span

PACE_IN_SPEECH = 0.35
"""The speed of a text's action during dialogue, relative to 1 without dialogue.

Scripts tell of action between the lines; what the camera sees during them is mostly the faces of those who talk.
"""


@dataclass(frozen=True)
class Seen:
    """What is known of the film: its length (ms), the cuts between its shots, and when there is dialogue."""

    end: int
    cuts: tuple[int, ...] = ()
    speech: tuple[Span, ...] = ()

    @cached_property
    def pace(self) -> Pace:
        """How a text's action goes on in it."""
        return Pace(self.speech)


@dataclass(frozen=True)
class Passage:
    """A run of description elements in textual order that lies between two times of the film (ms).

    `after` and `before` are None where nothing says; `confidence` (0..1) is how sure these two are.
    """

    texts: tuple[str, ...]
    after: int | None
    before: int | None
    confidence: float


@dataclass(frozen=True)
class Grounding:
    """When an element is seen, or None if nothing supports a time.

    `confidence`, in thousandths, is the chance that the middle of the occurrence is right within `NEAR_MS`.
    """

    occurrence: Span | None
    confidence: int


class Pace:
    """A clock of the action, which runs slower during dialogue."""

    def __init__(self, speech: Iterable[Span]) -> None:
        spans = _disjoint(speech)
        self._edges = [0, *(time for span in spans for time in (span.start, span.end))]
        steps: list[float] = []
        for place, start in enumerate(self._edges):
            end = self._edges[place + 1] if place + 1 < len(self._edges) else start
            steps.append((end - start) * (PACE_IN_SPEECH if place % 2 else 1.0))
        self._passed = [0.0, *accumulate(steps)]

    def passed(self, time: int) -> float:
        """What has passed on the clock by a time of the film (ms of either)."""
        place = max(bisect_right(self._edges, time) - 1, 0)
        return self._passed[place] + (time - self._edges[place]) * self._speed(place)

    def time(self, passed: float) -> int:
        """The time of the film at which so much has passed."""
        place = max(bisect_right(self._passed, passed, hi=len(self._edges)) - 1, 0)
        return round(self._edges[place] + (passed - self._passed[place]) / self._speed(place))

    def _speed(self, place: int) -> float:
        # Edges alternate: the stretch behind an even one is free, that behind an odd one is spoken over.
        return PACE_IN_SPEECH if place % 2 else 1.0


def _disjoint(speech: Iterable[Span]) -> Sequence[Span]:
    found: list[Span] = []
    for span in sorted(speech):
        if span.end <= span.start:
            continue
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found
