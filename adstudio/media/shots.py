"""Shot detection, by the presentation times of frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.core.timebase import MAX_TIME_MS
from adstudio.media.cache import DamagedCacheError, Kind
from adstudio.media.cached_data import CachedData, Stage, fraction_done, joined, parted
from adstudio.media.opening import (
    MediaError,
    film_length,
    film_start,
    film_time,
    opened,
    picture_stream,
    pictures,
    prepare,
)

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

WIDTH = 256
"""Pixels of the reduced pictures that are compared; what the detector was tuned for."""
SHORTEST = 0.25
"""Seconds of the shortest shot."""
MS = Fraction(1, 1000)
STAGE_PICTURES = 100
"""Pictures from one stage of the work to the next."""
USUAL_MS = 40
"""How long the last picture is shown where the file does not say."""
LONGEST_PICTURE_MS = 60_000


@dataclass(frozen=True)
class Shots:
    """The shots of a film: the start of each and, last, where the pictures end, in ms of film time.

    Strictly increasing, so that no shot is without length; empty without pictures. Where they are not `complete`, the
    last boundary is how far the film was seen.
    """

    boundaries: tuple[int, ...]
    complete: bool = True

    def __post_init__(self) -> None:
        if len(self.boundaries) == 1 or any(after <= before for before, after in pairwise(self.boundaries)):
            raise ValueError("the boundaries of shots must increase")

    @property
    def count(self) -> int:
        """How many shots there are."""
        return max(len(self.boundaries) - 1, 0)

    @property
    def cuts(self) -> tuple[int, ...]:
        """The boundaries between two shots."""
        return self.boundaries[1:-1]


def make_shots(video: Path) -> Iterator[Stage[Shots]]:
    """Detect the cuts of a film.

    PySceneDetect's adaptive detector judges (it is not misled by fast movement), but is given the decoder's own
    presentation times, so that cuts lie right at whatever rate the pictures come. A file without pictures has no shots.

    Raises:
        MediaError: for what is no film that can be read, or whose pictures cannot be decoded.
        OutsideFailureError: when the file may not be read.
    """
    with opened(video) as container:
        stream = picture_stream(container)
        if stream is None:
            yield Stage(1.0, lambda: Shots(()))
            return
        # The filter only smooths; without it decoding is faster and cuts are as sharp.
        prepare(container, stream, "so shots cannot be detected", skip_loop_filter="all")
        stream.thread_type = "AUTO"
        start, length = float(film_start(container)), film_length(container)
        detector = _CutDetector(stream.average_rate or Fraction(25))
        for number, picture in enumerate(pictures(container, stream), 1):
            detector.add(picture, start)
            if number % STAGE_PICTURES == 0:
                yield Stage(fraction_done(detector.last, length), lambda: detector.shots(complete=False))
        if detector.last < 0:
            raise MediaError(f"no frame of {video} can be decoded, so shots cannot be detected; check whether it plays")
    yield Stage(1.0, lambda: detector.shots(complete=True))


def encode_shots(shots: Shots) -> bytes:
    """The shots as JSON."""
    return joined(shots, b"")


def parse_shots(data: bytes) -> Shots:
    """The inverse of `encode_shots`; raises as `CachedData.parse` does."""
    shots, rest = parted(data, Shots)
    if rest or any(time < 0 for time in shots.boundaries):
        raise DamagedCacheError
    return shots


SHOTS = CachedData(Kind.SHOTS, make_shots, encode_shots, parse_shots)
film_shots = SHOTS.of_film


class _CutDetector:
    """Detects cuts in a sequence of frames."""

    def __init__(self, rate: Fraction) -> None:
        import cv2
        from scenedetect.detectors import AdaptiveDetector  # pyright: ignore[reportMissingTypeStubs] - typed inside

        cv2.setNumThreads(1)
        self._detector = AdaptiveDetector(min_scene_len=SHORTEST)
        self._rate = rate
        self._cuts: list[int] = []
        self._first: int | None = None
        self._interval = USUAL_MS
        self._end = 0
        self._height = 0
        self.last = -1

    def add(self, picture: VideoFrame, film: float) -> None:
        """Take in a picture; `film` is the file's time, in seconds, at which film time is 0."""
        from scenedetect.common import FrameTimecode, Timecode  # pyright: ignore[reportMissingTypeStubs] - typed inside

        at = film_time(picture, film)
        if at is None:
            return
        time = round(at * 1000)
        if not max(self.last, -1) < time < MAX_TIME_MS:
            return  # shown at the same time as another one, or out of order: damage
        if self._first is None:
            self._first = time
        else:
            self._interval = time - self.last
        self.last = time
        stays = round((picture.duration or 0) * (picture.time_base or 0) * 1000)
        self._end = time + (stays if 0 < stays <= LONGEST_PICTURE_MS else self._interval)
        # One height for all, as pictures of another size in the midst of a film are shown in the same frame.
        self._height = self._height or min(max(round(WIDTH * picture.height / max(picture.width, 1)), 16), 4 * WIDTH)
        reduced = picture.reformat(WIDTH, self._height, "bgr24", interpolation="FAST_BILINEAR", threads=1).to_ndarray()
        cuts = self._detector.process_frame(FrameTimecode(Timecode(time, MS), self._rate), reduced)
        self._cuts += [cut.pts for cut in cuts]

    def shots(self, *, complete: bool) -> Shots:
        """The shots seen so far."""
        if self._first is None:
            return Shots((), complete)
        cuts = {cut for cut in self._cuts if self._first < cut < self._end}
        return Shots((self._first, *sorted(cuts), max(self._end, self._first + 1)), complete)
