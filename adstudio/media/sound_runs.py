"""A film's sound in runs: a second of frames that follow one another without a break, to be measured in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from adstudio.media.cached_data import Stage, fraction_done
from adstudio.media.opening import film_length, film_start, film_time, only, sounds

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.stream import AudioStream
    from av.container import InputContainer
    from numpy.typing import NDArray

T = TypeVar("T")

RUN = 1
"""Seconds of sound that are measured at a time."""
JITTER = 0.005
"""Seconds by which a frame's time may be off the end of the one before and still follow it without a break."""
STAGE_MS = 10_000
"""Film time from one stage of the work to the next."""


@dataclass(eq=False)
class SoundRun:
    """Sound from film time `start` (s) on; `follows` where no break lies between it and the run before."""

    rate: int
    channels: tuple[str, ...]
    start: float
    follows: bool
    count: int = 0
    """Samples of each channel."""
    _pieces: list[NDArray[Any]] = field(default_factory=list["NDArray[Any]"])

    @property
    def end(self) -> float:
        """Seconds of film time."""
        return self.start + self.count / self.rate

    @property
    def samples(self) -> NDArray[Any]:
        """One row for each channel."""
        import numpy as np

        return np.concatenate(self._pieces, axis=1)

    def add(self, frame: AudioFrame) -> None:
        """Append a frame."""
        values = frame.to_ndarray()
        self._pieces.append(values if frame.format.is_planar else values.reshape(-1, len(self.channels)).T)
        self.count += frame.samples


def measure(
    container: InputContainer, stream: AudioStream, add: Callable[[SoundRun], int], so_far: Callable[[], T]
) -> Iterator[Stage[T]]:
    """Give a film's sound to `add` from end to end, in stages of ten seconds of film.

    `add` returns up to which film time (ms) the sound is measured, `so_far` what was found.
    """
    only(container, stream)
    length = film_length(container)
    reported = 0
    for run in sound_runs(sounds(container, stream), float(film_start(container))):
        end = add(run)
        if not reported <= end < reported + STAGE_MS:
            reported = end
            yield Stage(fraction_done(reported, length), so_far)


def sound_runs(frames: Iterator[AudioFrame], film: float) -> Iterator[SoundRun]:
    """Frames in runs; `film` is the file's time, in seconds, at which film time is 0."""
    run: SoundRun | None = None
    form = ("", "")
    for frame in frames:
        if not frame.samples or not frame.sample_rate:
            continue
        after = run.end if run else 0.0
        at = film_time(frame, film)
        at = after if at is None else at
        same = run is not None and form == (frame.format.name, frame.layout.name) and run.rate == frame.sample_rate
        follows = same and abs(at - after) <= JITTER
        if run and (not follows or run.count >= RUN * run.rate):
            yield run
        if run and follows:
            if run.count >= RUN * run.rate:
                run = SoundRun(run.rate, run.channels, after, follows=True)
        else:
            form = (frame.format.name, frame.layout.name)
            channels = tuple(channel.name for channel in frame.layout.channels)
            run = SoundRun(frame.sample_rate, channels, at, follows=False)
        run.add(frame)
    if run:
        yield run
