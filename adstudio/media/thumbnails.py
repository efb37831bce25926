"""Thumbnails: a small image of each shot."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.core.timebase import Span
from adstudio.media.cache import DamagedCacheError, Kind
from adstudio.media.cached_data import CachedData, Stage, joined, parted
from adstudio.media.frames import TimedFrame, attempts, jpeg, upright_aspect
from adstudio.media.opening import opened, picture_stream, prepare
from adstudio.media.shots import SHOTS, Shots
from adstudio.system.codec import Limits

if TYPE_CHECKING:
    from av.container import InputContainer
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
        """Those of the shots that show in a span of film time."""
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
            prepare(container, stream, "so there are no thumbnails")
            wanted = chosen(shots, MOST)
            for done, span in enumerate(in_leaps(wanted), 1):
                thumbnail = _of_shot(container, stream, span)
                if thumbnail is not None:
                    taken.append(thumbnail)
                yield Stage(done / len(wanted), lambda: _collected(taken, complete=False))
    yield Stage(1.0, lambda: _collected(taken, complete=True))


def chosen(shots: Shots, most: int) -> list[Span]:
    """The `most` longest shots, in order."""
    spans = [Span(start, end) for start, end in pairwise(shots.boundaries)]
    return sorted(sorted(spans, key=lambda span: -span.length)[:most])


def in_leaps(spans: Sequence[Span]) -> list[Span]:
    """The same, each first half of the list spread evenly over all: by their numbers with the bits reversed."""
    bits = max(len(spans) - 1, 0).bit_length()
    order = sorted(range(len(spans)), key=lambda number: int(f"{number:0{bits}b}"[::-1], 2))
    return [spans[number] for number in order]


_Entry = tuple[int, int, int, int, int, int]
"""The numbers of a `Thumbnail`, and the bytes of its JPEG."""


@dataclass(frozen=True)
class _Head:
    complete: bool
    items: Annotated[tuple[_Entry, ...], Limits(items=MOST)]


def encode_thumbnails(thumbnails: Thumbnails) -> bytes:
    """A line of JSON that says how long each is, and the pictures one behind the other."""
    entries = tuple(
        (each.start, each.end, each.time, each.width, each.height, len(each.jpeg)) for each in thumbnails.items
    )
    return joined(_Head(thumbnails.complete, entries), b"".join(each.jpeg for each in thumbnails.items))


def parse_thumbnails(data: bytes) -> Thumbnails:
    """The inverse of `encode_thumbnails`; raises as `CachedData.parse` does."""
    head, body = parted(data, _Head)
    items: list[Thumbnail] = []
    place = 0
    for entry in head.items:
        *numbers, size = entry
        if min(entry) < 0 or entry[0] >= entry[1]:
            raise DamagedCacheError
        items.append(Thumbnail(*numbers, jpeg=body[place : place + size]))
        place += size
    if place != len(body) or any(after.start < before.end for before, after in pairwise(items)):
        raise DamagedCacheError
    return Thumbnails(tuple(items), head.complete)


THUMBNAILS = CachedData(
    Kind.THUMBNAILS, lambda video: make_thumbnails(video, SHOTS.of_film(video)), encode_thumbnails, parse_thumbnails
)


def _collected(taken: Sequence[Thumbnail], *, complete: bool) -> Thumbnails:
    return Thumbnails(tuple(sorted(taken, key=lambda item: item.start)), complete)


def _of_shot(container: InputContainer, stream: VideoStream, span: Span) -> Thumbnail | None:
    """A frame of the shot, a third in or as near to that as is quickly reached, small and of square pixels."""
    target = span.start + span.length // 3
    for shown, _ in attempts(container, stream, target, EARLIER):
        found = _first_near(shown, span, target)
        if found is None:
            continue
        time, picture = found
        width = min(max(round(HEIGHT * upright_aspect(picture, stream.sample_aspect_ratio)), 1), HEIGHT * WIDEST)
        try:
            return Thumbnail(span.start, span.end, time, width, HEIGHT, jpeg(picture, width, HEIGHT, QUALITY))
        except ValueError:
            return None  # a pixel format that cannot be converted
    return None


def _first_near(shown: Iterator[TimedFrame], span: Span, target: int) -> TimedFrame | None:
    best: TimedFrame | None = None
    inside = 0
    for number, (time, picture) in enumerate(shown):
        if number > FURTHEST or time >= span.end:
            break
        if time >= span.start:
            best = time, picture
            inside += 1
        if time >= target or inside > AHEAD:
            break
    return best
