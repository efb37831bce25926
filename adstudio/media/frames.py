"""Single frames of a film: the one shown at a given time, turned upright, and as a JPEG."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adstudio.core.timebase import MAX_TIME_MS
from adstudio.media.opening import MediaError, film_start, film_time, opened, picture_stream, pictures, prepare
from adstudio.media.packets import MICROSECOND

if TYPE_CHECKING:
    import numpy as np
    from av.container import InputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream
    from numpy.typing import NDArray

LONGEST_SIDE = 1920
"""Pixels of the longer side of a frame to crop faces from."""
QUALITY = 92
FURTHEST = 1000
"""Frames decoded at most to reach the one that is shown at a time."""
EARLIER = (0, 2, 10)

TimedFrame = tuple[int, "VideoFrame"]
"""A frame and its film time (ms)."""


def film_picture(path: Path, at: int) -> bytes:
    """The picture that a film shows at a time (ms), upright, of square pixels, as a JPEG.

    Raises:
        MediaError: for what is no film, or has no picture there.
        OutsideFailureError: where it may not be read.
    """
    with opened(path) as container:
        stream = picture_stream(container)
        if stream is None:
            raise MediaError(f"{path} has no video")
        stream.thread_type = "AUTO"
        prepare(container, stream, "so it has no frame to take")
        for shown, is_last in attempts(container, stream, at, EARLIER):
            found = _shown_at(shown, at)
            if found is not None and (found[0] <= at or is_last):
                picture = found[1]
                width, height = upright_size(picture, stream.sample_aspect_ratio, LONGEST_SIDE)
                return jpeg(picture, round(width), round(height), QUALITY)
    raise MediaError(f"{path} has no frame at that time: go to another one")


def attempts(
    container: InputContainer, stream: VideoStream, at: int, earlier: Sequence[int]
) -> Iterator[tuple[Iterator[TimedFrame], bool]]:
    """The frames from a key frame before film time `at` (ms) on, and whether this is the last attempt.

    In a stream without an index one can land behind that time: each next attempt starts further ahead of it, by as many
    seconds as `earlier` says.
    """
    from av.error import FFmpegError

    start = film_start(container)
    for seconds in earlier:
        target = max(Fraction(at, 1000) - seconds, Fraction(0))
        is_last = target == 0 or seconds == earlier[-1]
        try:
            container.seek(int((start + target) / (stream.time_base or MICROSECOND)), stream=stream)
        except FFmpegError:
            if not is_last:
                continue
        yield _timed(pictures(container, stream), float(start)), is_last
        if is_last:
            return


def upright_aspect(picture: VideoFrame, pixel: Fraction | None) -> Fraction:
    """Width to height of a frame as it is seen; `pixel` is that of one of its pixels."""
    aspect = Fraction(max(picture.width, 1), max(picture.height, 1)) * (pixel or 1)
    return aspect if picture.rotation % 180 == 0 else 1 / aspect


def upright_size(picture: VideoFrame, pixel: Fraction | None, longest: int) -> tuple[Fraction, Fraction]:
    """Width and height of a frame as it is seen, made smaller where its longer side exceeds `longest`."""
    aspect = upright_aspect(picture, pixel)
    side = min(Fraction(longest), max(picture.width * (pixel or Fraction(1)), Fraction(picture.height)))
    return (side, side / aspect) if aspect >= 1 else (side * aspect, side)


def upright_pixels(picture: VideoFrame, width: int, height: int) -> NDArray[np.uint8]:
    """A frame scaled to this size as it is seen.

    Raises:
        ValueError: for a pixel format that cannot be converted.
    """
    import numpy as np

    stored = (width, height) if picture.rotation % 180 == 0 else (height, width)
    scaled: Any = picture.reformat(*stored, "rgb24", interpolation="AREA", threads=1).to_ndarray()
    # The rotation of the file and that of numpy are both counter-clockwise.
    return np.ascontiguousarray(np.rot90(scaled, k=round(picture.rotation / 90)), np.uint8)


def jpeg(picture: VideoFrame, width: int, height: int, quality: int) -> bytes:
    """A frame as a JPEG of this size, at least a pixel each way; raises as `upright_pixels`."""
    from PIL import Image

    found = io.BytesIO()
    Image.fromarray(upright_pixels(picture, max(width, 1), max(height, 1))).save(found, "JPEG", quality=quality)
    return found.getvalue()


def _timed(shown: Iterator[VideoFrame], start: float) -> Iterator[TimedFrame]:
    """Frames with their film times; those without one, or out of order, are damaged and left out."""
    last = -MAX_TIME_MS
    for picture in shown:
        at = film_time(picture, start)
        time = round(at * 1000) if at is not None else last
        if last < time < MAX_TIME_MS:
            last = time
            yield time, picture


def _shown_at(shown: Iterator[TimedFrame], at: int) -> TimedFrame | None:
    """The last frame at or before a time, else the first of all."""
    best: TimedFrame | None = None
    for number, (time, picture) in enumerate(shown):
        if number > FURTHEST or (best is not None and time > at):
            break
        best = time, picture
        if time > at:
            break
    return best
