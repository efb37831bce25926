"""Thumbnails: a small image of each shot."""

from __future__ import annotations

import io
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.core.timebase import Span
from adstudio.media.cache import Kind
from adstudio.media.cached_data import DAMAGED, CachedData, joined, parted
from adstudio.media.opening import (
    MOST_PIXELS,
    MediaError,
    film_start,
    film_time,
    only,
    opened,
    picture_stream,
    pictures,
)
from adstudio.media.packets import MICROSECOND
from adstudio.media.processing import DamagedCacheError, Stage
from adstudio.media.shots import SHOTS, Shots
from adstudio.system.codec import Limits

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

HEIGHT = 192
"""Pixels: 96 on screens of double density."""
WIDEST = 4
"""Times its height that a thumbnail may be wide."""
MOST = 2000
"""Thumbnails of one film; with more shots than that, the shortest have none."""
QUALITY = 78
AHEAD = 24
"""Pictures decoded inside a shot on the way to a third of it."""
FURTHEST = 600
"""Pictures decoded from a key picture before a shot is given up."""
EARLIER = (0, 2, 10, 30)
"""Seconds before the wanted time to which is gone in turn: in streams without an index one can land behind it."""


@dataclass(frozen=True)
class Thumbnail:
    """A picture shown at film time `time` in the shot from `start` to `end` (ms), as a JPEG of `width` × `height`."""

    start: int
    end: int
    time: int
    width: int
    height: int
    jpeg: bytes


@dataclass(frozen=True)
class Thumbnails:
    """The thumbnails of a film in the order of its shots; some shots may have none."""

    items: tuple[Thumbnail, ...]
    complete: bool = True

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(item.start for item in self.items)

    def at(self, ms: int) -> Thumbnail | None:
        """The one of the shot shown at a film time."""
        number = bisect_right(self._starts, ms) - 1
        return self.items[number] if number >= 0 and ms < self.items[number].end else None

    def between(self, start_ms: int, end_ms: int) -> tuple[Thumbnail, ...]:
        """Those of the shots that show in a stretch of film time."""
        first = max(bisect_right(self._starts, start_ms) - 1, 0)
        behind = bisect_left(self._starts, end_ms)
        return tuple(item for item in self.items[first:behind] if item.end > start_ms)


def make_thumbnails(video: Path, shots: Shots) -> Iterator[Stage[Thumbnails]]:
    """Take a picture from about a third into each shot, by way of the key picture before it.

    They are taken in leaps that become finer, so that early stages show the whole film.

    Raises:
        MediaError: for what is no film that can be read, or whose pictures cannot be decoded.
        OutsideFailureError: when the file may not be read.
    """
    with opened(video) as container:
        taken: list[Thumbnail] = []
        stream = picture_stream(container)
        if stream is not None:
            if stream.codec_context is None:  # pyright: ignore[reportUnnecessaryComparison] - it is for unknown codecs
                raise MediaError(f"the pictures of {video} have an unknown codec, so there are no thumbnails")
            only(container, stream)
            stream.codec_context.options = {"max_pixels": str(MOST_PIXELS)}
            wanted = chosen(shots, MOST)
            for done, span in enumerate(in_leaps(wanted), 1):
                thumbnail = _of_shot(container, stream, span)
                if thumbnail is not None:
                    taken.append(thumbnail)
                yield Stage(done / len(wanted), lambda: _collected(taken, complete=False))
    yield Stage(1.0, lambda: _collected(taken, complete=True))


def chosen(shots: Shots, most: int) -> list[Span]:
    """The `most` longest shots, in order."""
    spans = [shots.span(number) for number in range(shots.count)]
    return sorted(sorted(spans, key=lambda span: -span.length)[:most])


def in_leaps(spans: Sequence[Span]) -> list[Span]:
    """The same, each first half of the list spread evenly over all: by their numbers with the bits reversed."""
    bits = max(len(spans) - 1, 0).bit_length()
    order = sorted(range(len(spans)), key=lambda number: int(f"{number:0{bits}b}"[::-1], 2))
    return [spans[number] for number in order]


@dataclass(frozen=True)
class _Entry:
    start: int
    end: int
    time: int
    width: int
    height: int
    jpeg: int
    """Bytes of the picture."""


@dataclass(frozen=True)
class _Head:
    complete: bool
    items: Annotated[tuple[_Entry, ...], Limits(items=MOST)]


def encode_thumbnails(thumbnails: Thumbnails) -> bytes:
    """A line of JSON that says how long each is, and the pictures one behind the other."""
    entries = tuple(
        _Entry(each.start, each.end, each.time, each.width, each.height, len(each.jpeg)) for each in thumbnails.items
    )
    return joined(_Head(thumbnails.complete, entries), b"".join(each.jpeg for each in thumbnails.items))


def parse_thumbnails(data: bytes) -> Thumbnails:
    """The thumbnails of what `encode_thumbnails` wrote.

    Raises:
        DamagedCacheError: for anything else.
    """
    head, body = parted(data, _Head)
    items: list[Thumbnail] = []
    place = 0
    for entry in head.items:
        *numbers, size = (entry.start, entry.end, entry.time, entry.width, entry.height, entry.jpeg)
        if min(*numbers, size) < 0 or entry.start >= entry.end:
            raise DamagedCacheError(DAMAGED)
        items.append(Thumbnail(*numbers, jpeg=body[place : place + size]))
        place += size
    if place != len(body) or any(after.start < before.end for before, after in pairwise(items)):
        raise DamagedCacheError(DAMAGED)
    return Thumbnails(tuple(items), head.complete)


THUMBNAILS = CachedData(
    Kind.THUMBNAILS, lambda video: make_thumbnails(video, SHOTS.of_film(video)), encode_thumbnails, parse_thumbnails
)


def _collected(taken: Sequence[Thumbnail], *, complete: bool) -> Thumbnails:
    return Thumbnails(tuple(sorted(taken, key=lambda item: item.start)), complete)


def _of_shot(container: InputContainer, stream: VideoStream, span: Span) -> Thumbnail | None:
    found = _picture_in(container, stream, span)
    return _thumbnail(found[1], stream.sample_aspect_ratio, span, found[0]) if found else None


def _picture_in(container: InputContainer, stream: VideoStream, span: Span) -> tuple[int, VideoFrame] | None:
    """A picture of the shot and its film time, a third in or as near to that as is quickly reached."""
    from av.error import FFmpegError

    start, target = film_start(container), Fraction(span.start + span.length // 3, 1000)
    for earlier in EARLIER:
        try:
            at = start + max(target - earlier, Fraction(0))
            container.seek(int(at / (stream.time_base or MICROSECOND)), stream=stream)
        except FFmpegError:
            continue
        found = _first_near(pictures(container, stream), float(start), span, round(target * 1000))
        if found or earlier >= target:
            return found
    return None


def _first_near(shown: Iterator[VideoFrame], start: float, span: Span, target: int) -> tuple[int, VideoFrame] | None:
    best: tuple[int, VideoFrame] | None = None
    inside = 0
    for number, picture in enumerate(shown):
        at = film_time(picture, start)
        time = round(at * 1000) if at is not None else -1
        if number > FURTHEST or time >= span.end:
            break
        if time >= span.start:
            best = time, picture
            inside += 1
        if time >= target or inside > AHEAD:
            break
    return best


def _thumbnail(picture: VideoFrame, pixel: Fraction | None, span: Span, time: int) -> Thumbnail | None:
    """A picture made small, upright, and its pixels square; `pixel` is how wide one is for its height."""
    import numpy as np
    from PIL import Image

    turned = picture.rotation % 180 != 0
    aspect = Fraction(max(picture.width, 1), max(picture.height, 1)) * (pixel or 1)
    width = min(max(round(HEIGHT * (1 / aspect if turned else aspect)), 1), HEIGHT * WIDEST)
    stored = (HEIGHT, width) if turned else (width, HEIGHT)
    try:
        small = picture.reformat(*stored, "rgb24", interpolation="AREA", threads=1).to_ndarray()
    except ValueError:
        return None  # a form of picture that cannot be changed to another
    # The rotation of the file and that of numpy are both counter-clockwise.
    upright = np.ascontiguousarray(np.rot90(small, k=round(picture.rotation / 90)))
    jpeg = io.BytesIO()
    Image.fromarray(upright).save(jpeg, "JPEG", quality=QUALITY)
    return Thumbnail(span.start, span.end, time, width, HEIGHT, jpeg.getvalue())
