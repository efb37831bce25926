"""Renders the lines of a segment of film into one sound at 48 kHz, with sample-accurate starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adstudio.core.timebase import Span
from adstudio.speech.engine import SpeechRequestError
from adstudio.speech.sound import Samples, Sound

SAMPLE_RATE = 48_000
"""Samples a second: 48 to a millisecond, so that every time of a plan is a whole sample."""

LONGEST_MS = 600_000
"""Milliseconds in one segment."""

_PER_MS = SAMPLE_RATE // 1000
_LEVEL = 0.7
"""No line alone is louder than this; what lies above is two lines at once."""

_CEILING = 0.98


PlacedSound = tuple[Sound, int]
"""A spoken line (any sample rate) and the film time in milliseconds at which it starts."""


@dataclass(frozen=True)
class RenderedSegment:
    """A rendered segment: one channel at 48 kHz, as long as its span.

    `overlaps` are the film times at which two lines sound at once; `cut` numbers the lines, in the order they were
    given, that are not wholly inside.
    """

    samples: Samples
    overlaps: tuple[Span, ...]
    cut: tuple[int, ...]


def render_segment(span: Span, lines: Sequence[PlacedSound]) -> RenderedSegment:
    """The lines of a segment [a, b], each from sample 48·(start − a); what lies outside is not heard.

    A line louder than `_LEVEL` is turned down as a whole. Where lines sound at once the sum is bent below full scale,
    never cut.

    Raises:
        SpeechRequestError: for a segment longer than `LONGEST_MS`.
    """
    if span.length > LONGEST_MS:
        raise SpeechRequestError(
            f"{span.length // 1000} s is too long to play at once: choose at most {LONGEST_MS // 60_000} minutes"
        )
    total = span.length * _PER_MS
    mix = np.zeros(total, np.float32)
    cut: list[int] = []
    spans: list[tuple[int, int]] = []
    for number, (sound, start) in enumerate(lines):
        at = (start - span.start) * _PER_MS
        samples = sound.at_rate(SAMPLE_RATE).samples
        loudest = float(np.max(np.abs(samples), initial=0.0))
        if loudest > _LEVEL:
            samples = samples * np.float32(_LEVEL / loudest)
        first, last = max(at, 0), min(at + len(samples), total)
        if at < 0 or at + len(samples) > total:
            cut.append(number)
        if first < last:
            mix[first:last] += samples[first - at : last - at]
            spans.append((first, last))
    return RenderedSegment(_soft_clipped(mix), _overlaps(spans, span.start), tuple(cut))


def _soft_clipped(mix: Samples) -> Samples:
    over = np.abs(mix) > _LEVEL
    room = _CEILING - _LEVEL
    mix[over] = np.sign(mix[over]) * (_LEVEL + room * np.tanh((np.abs(mix[over]) - _LEVEL) / room))
    return mix


def _overlaps(spans: Sequence[tuple[int, int]], origin: int) -> tuple[Span, ...]:
    # In samples, and only then in milliseconds, outwards: lines that touch within one do not overlap.
    found: list[tuple[int, int]] = []
    reach = 0
    for first, last in sorted(spans):
        if first < reach:
            both = (first, min(reach, last))
            if found and both[0] <= found[-1][1]:
                found[-1] = (found[-1][0], max(found[-1][1], both[1]))
            else:
                found.append(both)
        reach = max(reach, last)
    return tuple(Span(origin + first // _PER_MS, origin - (-last // _PER_MS)) for first, last in found)
