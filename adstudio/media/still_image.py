"""A single frame of a film at a given time, as an image to crop faces from."""

from __future__ import annotations

import contextlib
import io
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.video.frame import VideoFrame

LONGEST_SIDE = 1920
"""Pixels of the longer side of what is looked at."""
_QUALITY = 92
_FURTHEST = 1000
"""Pictures that are decoded at most to come to the one that is shown at a time."""
_EARLIER = (0, 2, 10)


def film_picture(path: Path, at: int) -> bytes:
    """The picture that a film shows at a time (ms), upright, of square pixels, as a JPEG.

    Raises:
        MediaError: for what is no film, or has no picture there.
        OutsideFailureError: where it may not be read.
    """
    from av.error import FFmpegError

    from adstudio.media.opening import MOST_PIXELS, MediaError, film_start, opened, picture_stream, pictures
    from adstudio.media.packets import MICROSECOND

    with opened(path) as container:
        stream = picture_stream(container)
        if stream is None:
            raise MediaError(f"{path} has no video")
        stream.thread_type = "AUTO"
        if stream.codec_context is not None:  # pyright: ignore[reportUnnecessaryComparison] - it is for unknown codecs
            stream.codec_context.options = {"max_pixels": str(MOST_PIXELS)}
        start = film_start(container)
        for earlier in _EARLIER:
            target = max(Fraction(at, 1000) - earlier, Fraction(0))
            with contextlib.suppress(FFmpegError):
                container.seek(int((start + target) / (stream.time_base or MICROSECOND)), stream=stream)
            found = _shown_at(pictures(container, stream), float(start), at)
            if found is not None and (found[0] <= at or target == 0 or earlier == _EARLIER[-1]):
                return _jpeg(found[1], stream.sample_aspect_ratio)
    raise MediaError(f"{path} has no frame at that time: go to another one")


def _shown_at(shown: Iterator[VideoFrame], start: float, at: int) -> tuple[int, VideoFrame] | None:
    """The last picture at or before a time, else the first of all, with its own time."""
    from adstudio.media.opening import film_time

    best: tuple[int, VideoFrame] | None = None
    for number, picture in enumerate(shown):
        seconds = film_time(picture, start)
        if seconds is None or number > _FURTHEST:
            break
        time = round(seconds * 1000)
        if time > at:
            return best or (time, picture)
        best = time, picture
    return best


def _jpeg(picture: VideoFrame, pixel: Fraction | None) -> bytes:
    import numpy as np
    from PIL import Image

    wide = max(round(picture.width * (pixel or Fraction(1))), 1)
    shrink = min(1.0, LONGEST_SIDE / max(wide, picture.height))
    size = max(round(wide * shrink), 1), max(round(picture.height * shrink), 1)
    small = picture.reformat(*size, "rgb24", interpolation="AREA").to_ndarray()
    upright = np.ascontiguousarray(np.rot90(small, k=round(picture.rotation / 90)))
    found = io.BytesIO()
    Image.fromarray(upright).save(found, "JPEG", quality=_QUALITY)
    return found.getvalue()
