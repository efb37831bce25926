"""The sound of stretches of a film, for those who listen to its dialogue: one channel, 16 kHz, a stretch at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import Span
from adstudio.media.opening import film_start, only, opened, sounds
from adstudio.media.silero import SAMPLE_RATE
from adstudio.media.sound_runs import SoundRun, sound_runs
from adstudio.media.sound_tracks import sound_stream
from adstudio.media.voice_audio import mixed

if TYPE_CHECKING:
    import numpy as np
    from av.audio.resampler import AudioResampler
    from numpy.typing import NDArray

LONGEST_MS = 30_000
"""A stretch is cut off here: nobody speaks for longer in one cue."""

OnTime = Callable[[int], None]
"""Called with the film time (ms) that was reached."""


class NoSoundError(BadInputError):
    """The film has no sound track to listen to."""


def cue_sounds(
    video: Path, track: int | None, spans: Sequence[Span], on_time: OnTime | None = None
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """The number of each span (ms of film time) and its sound (±1), in order of their starts; the film is read once.

    Where the film has no sound, its place is silent, so a stretch is always as long as its span, `LONGEST_MS` at most.
    Only what is still wanted is held in memory. Spans after the sound's end are silent.

    Raises:
        NoSoundError: if the film has no sound track.
        MediaError: for what is no film that can be read, or has no track of that number.
        OutsideFailureError: if the file may not be read.
    """
    order = deque(sorted(range(len(spans)), key=lambda k: spans[k].start))
    with opened(video) as container:
        stream = sound_stream(container, track)
        if stream is None:
            raise NoSoundError(f"{video} has no sound to listen to: choose a film with its dialogue")
        only(container, stream)
        recent = _Recent()
        for run in sound_runs(sounds(container, stream), float(film_start(container))):
            if not order:
                break
            recent.add(run)
            while order and recent.end >= _last(spans[order[0]]):
                number = order.popleft()
                yield number, recent.between(*_samples(spans[number]))
            recent.forget(_samples(spans[order[0]])[0] if order else recent.end)
            if on_time is not None:
                on_time(recent.end * 1000 // SAMPLE_RATE)
        recent.finish()
        for number in order:
            yield number, recent.between(*_samples(spans[number]))


def _samples(span: Span) -> tuple[int, int]:
    first = max(span.start, 0)
    return first * SAMPLE_RATE // 1000, min(max(span.end, first), first + LONGEST_MS) * SAMPLE_RATE // 1000


def _last(span: Span) -> int:
    return _samples(span)[1]


class _Recent:
    """The film's sound up to `end` (samples), as far back as it is still wanted."""

    def __init__(self) -> None:
        self.end = 0
        self._pieces: deque[tuple[int, NDArray[np.float32]]] = deque()
        self._resampler: AudioResampler | None = None
        self._late = 0

    def add(self, run: SoundRun) -> None:
        """Take in a run of the film."""
        import numpy as np
        from av.audio.frame import AudioFrame
        from av.audio.resampler import AudioResampler

        if not run.follows:
            self._take(None)
            self._resampler = AudioResampler(format="fltp", layout="mono", rate=SAMPLE_RATE)
            at = round(max(run.start, 0.0) * SAMPLE_RATE)
            self._late = max(self.end - at, 0)
            self.end = max(self.end, at)
        frame = AudioFrame.from_ndarray(mixed(run.samples, run.channels)[np.newaxis], format="fltp", layout="mono")
        frame.sample_rate = run.rate
        self._take(frame)

    def finish(self) -> None:
        """Take what the resampler still holds."""
        self._take(None)

    def forget(self, before: int) -> None:
        """Drop what lies before this sample."""
        while self._pieces and self._pieces[0][0] + len(self._pieces[0][1]) <= before:
            self._pieces.popleft()

    def between(self, first: int, last: int) -> NDArray[np.float32]:
        """The sound of these samples, silent where there is none."""
        import numpy as np

        found = np.zeros(last - first, np.float32)
        for at, values in self._pieces:
            start, stop = max(at, first), min(at + len(values), last)
            if start < stop:
                found[start - first : stop - first] = values[start - at : stop - at]
        return found

    def _take(self, frame: Any) -> None:  # noqa: ANN401 - a frame, or None for what is left
        if self._resampler is None:
            return
        for each in self._resampler.resample(frame):
            values: NDArray[np.float32] = each.to_ndarray()[0]
            passed = min(self._late, len(values))
            self._late -= passed
            self._pieces.append((self.end, values[passed:]))
            self.end += len(values) - passed
