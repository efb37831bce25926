"""Scene clips for models: one frame per second, small, without sound.

A clip is an MP4 of constant rate whose frame k is the one shown k seconds after the start of the span, so that times in
the clip are times in the span, whatever the film's frame rate. Servers that sample one frame per second or more keep
all frames. The bytes are reproducible with the same encoder, and cached, since servers recognise a clip by its bytes.

A span longer than `LONGEST_MS` is shown in `parts`: at a lower rate a model could not tell when things happen, and as
one clip it would fill the model's context (two hours are 7,200 frames).
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from adstudio.core.errors import AdstudioError, OutsideFailureError
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.media.cache import Source, source_of
from adstudio.media.cached_data import OnFraction, Stage
from adstudio.media.frames import TimedFrame, attempts, upright_pixels, upright_size
from adstudio.media.opening import MediaError, opened, picture_stream, prepare
from adstudio.system.cache import CacheFolder
from adstudio.system.files import read_bounded
from adstudio.system.locations import user_cache

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

VERSION = 1
"""Incremented whenever clips are encoded differently."""
EVERY_MS = 1000
"""Milliseconds between frames of a clip."""
LONGEST_MS = 180_000
"""The longest span of one clip: at 640 × 352, about 21,000 tokens for a model that takes frames in pairs."""
LONGEST_SIDE = 640
"""Pixels of a clip's longer side: more does not help models, and less data leaves the premises."""
LARGEST = 50_000_000
"""Bytes of the largest clip that is read."""
MOST_BYTES = 1_000_000_000
"""Bytes for all clips together; the least recently used are removed first."""
EARLIER = (0, 2, 10, 30, 120, MAX_TIME_MS)
STAGE_PICTURES = 25
"""Pictures of the film from one stage of the work to the next."""
_SUFFIX = ".mp4"
_NAME = re.compile(r"([0-9a-f]{40})-([0-9a-f]{64})\.mp4\Z")


@dataclass(frozen=True)
class ClipSettings:
    """How clips are made: pixels of the longer side at most, and x264's quality (lower is better and larger)."""

    longest_side: int = LONGEST_SIDE
    quality: int = 23

    def __post_init__(self) -> None:
        if not 64 <= self.longest_side <= 1920 or not 10 <= self.quality <= 40:
            raise ValueError("a clip must be 64 to 1920 pixels wide, with quality 10 to 40")


@dataclass(frozen=True)
class Clip:
    """A clip on the disk: the span of film that it shows, and the SHA-256 and the number of its bytes."""

    path: Path
    span: Span
    sha256: str
    size: int

    def read(self) -> bytes:
        """Its bytes, the very ones that `sha256` names.

        Raises:
            OutsideFailureError: where they are gone or damaged.
        """
        data = read_bounded(self.path, LARGEST, "clip")
        if sha256(data).hexdigest() != self.sha256:
            raise OutsideFailureError(f"{self.path} is damaged: start again, and the clip will be encoded again")
        return data


def parts(span: Span, cuts: Sequence[int] = (), longest: int = LONGEST_MS) -> tuple[Span, ...]:
    """A stretch in as few parts of at most `longest` ms as can be, nearly equal, ending at cuts where some are near.

    Parts that end at a cut tear no action apart. A cut is near within a tenth of the part's length.
    """
    count = max(-(-span.length // longest), 1)
    found: list[Span] = []
    start = span.start
    while count > 1:
        ideal = start + (span.end - start) // count
        least = max(ideal - (ideal - start) // 10, span.end - (count - 1) * longest)
        near = [cut for cut in cuts if least <= cut <= min(ideal + (ideal - start) // 10, start + longest)]
        end = min(near, key=lambda cut: abs(cut - ideal), default=ideal)
        found.append(Span(start, end))
        start, count = end, count - 1
    return (*found, Span(start, span.end))


def make_clip(video: Path, span: Span, settings: ClipSettings = ClipSettings()) -> Iterator[Stage[bytes]]:
    """Make a clip of a span of film; only the last stage's result is one, those before are empty.

    The film's first picture stands for the time before it; in a hole, and after the end, the last one stays.

    Raises:
        MediaError: for what is no film that can be read, or without a picture that can be decoded.
        OutsideFailureError: when the file may not be read.
        ValueError: for a span longer than `LONGEST_MS`.
    """
    if span.length > LONGEST_MS:
        raise ValueError(f"a clip of {span.length} ms is too long: make one of each of its parts")
    with opened(video) as container:
        stream = picture_stream(container)
        if stream is None:
            raise MediaError(f"{video} has no video, so no clips can be made")
        prepare(container, stream, "so no clips can be made")
        stream.thread_type = "AUTO"
        encoder = _Encoder(settings, stream.sample_aspect_ratio)
        count = max(-(-span.length // EVERY_MS), 1)
        for number, chosen in enumerate(_chosen(_from(container, stream, span.start), span.start, count)):
            for picture in chosen:
                encoder.add(picture)
            if number % STAGE_PICTURES == STAGE_PICTURES - 1:
                yield Stage(min(encoder.count / count, 1.0), bytes)
        if encoder.count == 0:
            raise MediaError(f"no frame of {video} can be decoded, so no clips can be made; check whether it plays")
        data = encoder.finished()
    yield Stage(1.0, lambda: data)


def film_clip(
    video: Path,
    span: Span,
    settings: ClipSettings = ClipSettings(),
    *,
    fingerprint: str = "",
    on_fraction: OnFraction | None = None,
) -> Clip:
    """A clip from the cache, or made and cached now; `on_fraction` is called with 0..1 and may raise to stop it.

    Raises:
        MediaError, OutsideFailureError: as `make_clip` does, and where the clip cannot be written.
        ValueError: for a stretch longer than `LONGEST_MS`.
    """
    stages = clip_stages(video, span, settings, fingerprint=fingerprint)
    try:
        while True:
            fraction = next(stages)
            if on_fraction is not None:
                on_fraction(fraction)
    except StopIteration as end:
        return end.value
    finally:
        stages.close()


def clip_stages(
    video: Path, span: Span, settings: ClipSettings = ClipSettings(), *, fingerprint: str = ""
) -> Generator[float, None, Clip]:
    """As `film_clip`, but yields the fraction done and returns the clip; closing it stops the work."""
    key = _key(source_of(video, fingerprint), span, settings)
    cache = _cache()
    cache.close()
    for path in sorted(folder().glob(f"{key}-*{_SUFFIX}")):
        named = _NAME.match(path.name)
        with contextlib.suppress(AdstudioError, OSError):
            if named is not None:
                clip = Clip(path, span, named[2], path.stat().st_size)
                clip.read()
                cache.mark_used(path)
                return clip
        with contextlib.suppress(OSError):
            path.unlink()
    data = b""
    for stage in make_clip(video, span, settings):
        yield stage.fraction
        data = stage.take()
    digest = sha256(data).hexdigest()
    path = folder() / f"{key}-{digest}{_SUFFIX}"
    cache.write(path, data)
    return Clip(path, span, digest, len(data))


def folder() -> Path:
    """The folder of cached clips; it may be deleted at any time."""
    return user_cache("clips")


def tidy(most: int = MOST_BYTES) -> int:
    """Remove the clips used longest ago until the rest take at most `most` bytes, and return how many those are."""
    return _cache().trim(most)


def _cache() -> CacheFolder:
    return CacheFolder(folder(), _NAME)


def _key(source: Source, span: Span, settings: ClipSettings) -> str:
    given = [
        VERSION,
        [source.fingerprint, source.size, source.mtime_ns],
        [span.start, span.end],
        [settings.longest_side, settings.quality],
    ]
    return blake2b(json.dumps(given).encode(), digest_size=20).hexdigest()


def _chosen(shown: Iterator[TimedFrame], start: int, count: int) -> Iterator[list[VideoFrame]]:
    """For each picture of the film those that join the clip before it: the last one at or before each of its seconds.

    The first picture of all stands for the time before it, and the last one for what is behind it.
    """
    current: VideoFrame | None = None
    done = 0
    for time, picture in shown:
        due: list[VideoFrame] = []
        while done < count and time > start + done * EVERY_MS:
            due.append(current or picture)
            done += 1
        current = picture
        yield due
        if done == count:
            return
    if current is not None:
        yield [current] * (count - done)


def _from(container: InputContainer, stream: VideoStream, at: int) -> Iterator[TimedFrame]:
    """The frames from the last one at or before `at` on, or from a little before that."""
    for shown, is_last in attempts(container, stream, at, EARLIER):
        first = next(shown, None)
        if first is not None and (first[0] <= at or is_last):
            yield first
            yield from shown
            return


class _Encoder:
    """Encodes pictures as an MP4 of one a second, all in the shape of the first."""

    def __init__(self, settings: ClipSettings, pixel: Fraction | None) -> None:
        self._settings = settings
        self._pixel = pixel
        self._buffer = io.BytesIO()
        self._out = cast("Any", None)
        self._stream = cast("Any", None)
        self._size = (0, 0)
        self._last: tuple[VideoFrame, VideoFrame] | None = None
        self.count = 0

    def add(self, picture: VideoFrame) -> None:
        if self.count == 0:
            self._open(picture)
        # One that stands for more than a second is not made smaller again.
        small = self._last[1] if self._last is not None and self._last[0] is picture else self._small(picture)
        self._last = picture, small
        small.pts, small.time_base = self.count, Fraction(1)
        self.count += 1
        self._out.mux(self._stream.encode(small))

    def finished(self) -> bytes:
        self._out.mux(self._stream.encode(None))
        self._out.close()
        return self._buffer.getvalue()

    def _open(self, picture: VideoFrame) -> None:
        import av

        width, height = upright_size(picture, self._pixel, self._settings.longest_side)
        self._size = _even(width), _even(height)
        # PyAV's types say little; what is used of them is this. (In memory the index cannot be moved to the front.)
        self._out = cast("Any", av.open(self._buffer, "w", format="mp4", options={"fflags": "+bitexact"}))
        coding = {"preset": "fast", "crf": str(self._settings.quality), "g": "10", "bf": "0", "flags": "+bitexact"}
        self._stream = self._out.add_stream("libx264", rate=Fraction(1), options=coding)
        self._stream.width, self._stream.height = self._size
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = Fraction(1)
        self._stream.thread_count = 1  # with more, the bytes would depend on how many there are

    def _small(self, picture: VideoFrame) -> VideoFrame:
        width, height = self._size
        if picture.rotation % 360 == 0:
            small = picture.reformat(width, height, "yuv420p", interpolation="AREA", threads=1)
        else:
            import av

            turned = upright_pixels(picture, width, height)
            small = av.VideoFrame.from_ndarray(turned, format="rgb24").reformat(format="yuv420p", threads=1)
        small.pict_type = 0
        return small


def _even(pixels: Fraction | int) -> int:
    return max(round(pixels / 2) * 2, 16)
