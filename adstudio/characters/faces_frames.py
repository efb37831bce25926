"""Which pictures of a film are searched for faces, and reading them one after the other."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Self

from adstudio.characters.faces import MOST_SAMPLED
from adstudio.characters.faces_models import LONGEST_SIDE
from adstudio.core.cast import BOX_SCALE, FaceBox
from adstudio.core.timebase import Span
from adstudio.media.frames import attempts, upright_aspect, upright_pixels
from adstudio.media.opening import opened, picture_stream, prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from adstudio.media.frames import TimedFrame

SHORT_FILM_MS = 3_600_000
SHORT_STEP_MS, LONG_STEP_MS = 1000, 2000
"""Milliseconds from one picture to the next, in films of up to an hour and in longer ones."""
SEEK_MS = 15_000
"""A leap at least this long is made by way of a key picture; shorter ones by decoding what lies between."""
EARLIER = (0, 2, 10)
CROP_SIDE = 112
"""Pixels of a face's small picture."""
CROP_MARGIN = 0.3
"""What is shown around a face, of its width and height on each side."""
CROP_QUALITY = 80


@dataclass(frozen=True)
class SampledFrame:
    """A frame of the film that is searched for faces: the one shown at a time (ms), in a shot."""

    shot: Span
    time: int


def sampled_frames(boundaries: Sequence[int]) -> list[SampledFrame]:
    """Which frames are searched for faces: evenly spaced in each shot, and at least one of it.

    A film of many hours is sampled more coarsely, so that there are at most `MOST_SAMPLED` frames.
    """
    spans = [Span(start, end) for start, end in pairwise(boundaries)]
    length = boundaries[-1] - boundaries[0] if spans else 0
    step = SHORT_STEP_MS if length <= SHORT_FILM_MS else LONG_STEP_MS
    step = max(step, 2 * length // MOST_SAMPLED)
    if len(spans) > MOST_SAMPLED // 2:
        spans = sorted(sorted(spans, key=lambda span: -span.length)[: MOST_SAMPLED // 2])
    found: list[SampledFrame] = []
    for span in spans:
        frames = max(1, round(span.length / step))
        found += [SampledFrame(span, span.start + (2 * n + 1) * span.length // (2 * frames)) for n in range(frames)]
    return found


class FilmReader:
    """Reads pictures of a film at rising times; used as a context manager.

    Raises:
        MediaError: when it is entered, for what is no film, or one whose pictures cannot be decoded.
        OutsideFailureError: where it may not be read.
    """

    def __init__(self, video: Path) -> None:
        self._video = video
        self._stack = contextlib.ExitStack()
        self._shown: Iterator[TimedFrame] = iter(())
        self._held: TimedFrame | None = None
        self._next: TimedFrame | None = None

    def __enter__(self) -> Self:
        self._container = self._stack.enter_context(opened(self._video))
        self._stream = picture_stream(self._container)
        if self._stream is not None:
            # Faces are as well seen without the filter that smooths, and the pictures that no other needs are left out:
            # in many films that is every second one.
            options = {"skip_loop_filter": "all", "skip_frame": "noref"}
            prepare(self._container, self._stream, "so no faces can be found", **options)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def picture_at(self, frame: SampledFrame) -> tuple[int, NDArray[np.uint8]] | None:
        """The picture that a shot shows at a time, and when it appears (ms): upright, as large as it is searched.

        None where it cannot be decoded.
        """
        if self._stream is None:
            return None
        found = self._at(frame.time)
        if found is not None and found[0] < frame.shot.start:
            found = self._next  # the pictures before it in its shot were left out
        if found is None or not frame.shot.start <= found[0] < frame.shot.end:
            return None
        aspect = float(upright_aspect(found[1], self._stream.sample_aspect_ratio))
        wide, high = (1.0, 1 / aspect) if aspect >= 1 else (aspect, 1.0)
        try:
            return found[0], upright_pixels(
                found[1], max(round(LONGEST_SIDE * wide), 1), max(round(LONGEST_SIDE * high), 1)
            )
        except ValueError:
            return None  # a pixel format that cannot be converted

    def _at(self, time: int) -> TimedFrame | None:
        """The last picture at or before a time; the first one that can be decoded, where there is none before."""
        if self._held is None or not self._held[0] <= time < self._held[0] + SEEK_MS:
            self._seek(time)
        while self._held is not None:
            if self._next is None:
                self._next = next(self._shown, None)
            if self._next is None or self._next[0] > time:
                break
            self._held, self._next = self._next, None
        return self._held

    def _seek(self, time: int) -> None:
        self._held = self._next = None
        if self._stream is None:
            return
        for shown, is_last in attempts(self._container, self._stream, time, EARLIER):
            first = next(shown, None)
            if first is not None and (first[0] <= time or is_last):
                self._shown, self._held = shown, first
                return


def crop_of(pixels: NDArray[np.uint8], box: FaceBox) -> bytes:
    """A face with something around it, as a small square JPEG; what lies outside of the picture is black."""
    from PIL import Image

    rows, columns = pixels.shape[:2]
    across, down = columns / BOX_SCALE, rows / BOX_SCALE  # pixels of one unit
    half = max(box.width * across, box.height * down) * (0.5 + CROP_MARGIN)
    across, down = (box.left + box.width / 2) * across, (box.top + box.height / 2) * down
    area = (round(across - half), round(down - half), round(across + half), round(down + half))
    found = io.BytesIO()
    small = Image.fromarray(pixels).crop(area).resize((CROP_SIDE, CROP_SIDE), Image.Resampling.BILINEAR, reducing_gap=2)
    small.save(found, "JPEG", quality=CROP_QUALITY)
    return found.getvalue()
