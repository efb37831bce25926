"""Speech activity: when somebody speaks in a film, detected from its sound, without words or speakers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.core.script import Cue
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.media.cache import DamagedCacheError, Kind
from adstudio.media.cached_data import CachedData, OnFraction, Stage, joined, parted
from adstudio.media.opening import opened
from adstudio.media.silero import FRAME_MS
from adstudio.media.sound_runs import measure
from adstudio.media.sound_tracks import sound_stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CERTAIN = 255
"""A probability of 1."""
SPEECH = 0.5
"""The probability from which speech begins, and that below which it ends; these five are Silero's own."""
NO_SPEECH = 0.35
SHORTEST_SPEECH_MS = 250
SHORTEST_SILENCE_MS = 100
PAD_MS = 30
MOST_FRAMES = MAX_TIME_MS // FRAME_MS


@dataclass(frozen=True, eq=False)
class Activity:
    """How likely it is that somebody speaks, for each 32 ms of film time, in 255ths.

    0 where there is no sound. `duration` (ms of film time) is how far the sound is known; it goes on behind that where
    the activity is not `complete`. A film without a sound track has none (`has_sound`).
    """

    probabilities: NDArray[np.uint8]
    duration: int
    complete: bool = True
    has_sound: bool = True

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """When somebody speaks, in order and apart from each other, in ms of film time.

        Found as Silero's `get_speech_timestamps` does: speech begins at a probability of 0.5 and ends where it stays
        below 0.35 for 100 ms; less than 250 ms is none; each side is padded by 30 ms. What belongs to one utterance is
        not joined.
        """
        return _padded(_runs(self.probabilities, self.duration), self.duration)


def make_activity(video: Path, track: int | None = None) -> Iterator[Stage[Activity]]:
    """Detect speech in a film from end to end: in a sound track by its number, or in the one that is used.

    Raises:
        MediaError: for what is no film that can be read.
        OutsideFailureError: when the file may not be read, or the model is not installed.
    """
    import numpy as np

    from adstudio.media import voice_audio

    with opened(video) as container:
        stream = sound_stream(container, track)
        if stream is None:
            yield Stage(1.0, lambda: Activity(np.zeros(0, np.uint8), 0, has_sound=False))
            return
        meter = voice_audio.SpeechMeter(MOST_FRAMES)

        def so_far(*, complete: bool = False) -> Activity:
            return Activity(meter.probabilities(), meter.end_ms, complete)

        yield from measure(container, stream, meter.add, so_far)
        meter.finish()
    yield Stage(1.0, lambda: so_far(complete=True))


def cues_of(activity: Activity, end: int | None = None) -> tuple[Cue, ...]:
    """Dialogue cues without words, one for each stretch of speech, not beyond the film's `end` (ms).

    Ids are `v` and a number.
    """
    last = MAX_TIME_MS if end is None else end
    spans = [Span(span.start, min(span.end, last)) for span in activity.spans if span.start < last]
    return tuple(Cue(f"v{number}", span.start, span.end, "") for number, span in enumerate(spans, 1))


@dataclass(frozen=True)
class _Head:
    frame_ms: int
    duration: int
    complete: bool
    has_sound: bool


def encode_activity(activity: Activity) -> bytes:
    """The activity as a line of JSON and the bytes of its probabilities."""
    head = _Head(FRAME_MS, activity.duration, activity.complete, activity.has_sound)
    return joined(head, activity.probabilities.tobytes())


def parse_activity(data: bytes) -> Activity:
    """The inverse of `encode_activity`; raises as `CachedData.parse` does."""
    import numpy as np

    head, body = parted(data, _Head)
    if head.frame_ms != FRAME_MS or head.duration < 0 or len(body) != -(-head.duration // FRAME_MS):
        raise DamagedCacheError
    return Activity(np.frombuffer(body, np.uint8), head.duration, head.complete, head.has_sound)


ACTIVITY = CachedData(Kind.ACTIVITY, make_activity, encode_activity, parse_activity)


def speech_activity(video: Path, track: int | None = None, on_fraction: OnFraction | None = None) -> Activity:
    """The speech in a film, from the cache or detected now, as `CachedData.of_film` has it."""
    return ACTIVITY.of_track(track).of_film(video, on_fraction=on_fraction)


def _runs(probabilities: NDArray[np.uint8], duration: int) -> list[tuple[int, int]]:
    """From the frame in which speech begins to that in which it ends, in ms, without what is too short."""
    found: list[tuple[int, int]] = []
    start: int | None = None
    silent: int | None = None
    for place, probability in enumerate(probabilities.tolist()):
        now = place * FRAME_MS
        if probability >= SPEECH * CERTAIN:
            silent = None
            start = now if start is None else start
        elif probability < NO_SPEECH * CERTAIN and start is not None:
            silent = now if silent is None else silent
            if now - silent >= SHORTEST_SILENCE_MS:
                found.append((start, silent))
                start = silent = None
    if start is not None:
        found.append((start, duration))
    return [(start, end) for start, end in found if end - start > SHORTEST_SPEECH_MS]


def _padded(runs: list[tuple[int, int]], duration: int) -> tuple[Span, ...]:
    """The runs with their pads, which share what lies between two that are close."""
    spans: list[Span] = []
    first = max(0, runs[0][0] - PAD_MS) if runs else 0
    for place, (_, end) in enumerate(runs):
        between = runs[place + 1][0] - end if place + 1 < len(runs) else 2 * (duration - end)
        pad = min(PAD_MS, between // 2)
        spans.append(Span(first, end + pad))
        first = end + between - pad
    return tuple(spans)
