"""Opens a film's file and selects its picture, without access to any other file or to the network."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.media.packets import MICROSECOND, MPEG_TICK, MPEG_WRAP, packets
from adstudio.system.files import size_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from av.audio.frame import AudioFrame
    from av.audio.stream import AudioStream
    from av.container import InputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

FORMATS = (
    *("mov", "matroska", "avi", "mpegts", "mpeg", "mpegvideo", "m4v", "h264", "hevc", "av1", "obu", "ivf", "flv"),
    *("asf", "ogg", "mxf", "mxf_opatom", "gxf", "dv", "nut", "rm", "vc1", "cavsvideo", "dirac", "mjpeg"),
    *("wav", "w64", "mp3", "aac", "flac", "aiff", "ac3", "eac3", "dts", "caf", "au", "amr"),
)
"""FFmpeg's names of the permitted containers: none that can refer to other files or to the network."""
MOST_PIXELS = 8192 * 8192
"""Pixels of the largest picture that is decoded."""


class MediaError(BadInputError):
    """A file that is not a readable film."""


def file_size(path: Path) -> int:
    """The size in bytes of a regular file that is there and not empty.

    Raises:
        MediaError: where it is missing, empty, or no regular file.
        OutsideFailureError: when it cannot be read.
    """
    try:
        size = size_of(path, "film")
    except BadInputError as error:
        raise MediaError(str(error)) from error
    if size == 0:
        raise MediaError(f"{path} is empty: copy it again")
    return size


@contextlib.contextmanager
def opened(path: Path) -> Generator[InputContainer]:
    """A film's file, open for reading; FFmpeg's failures inside the block are raised as ours.

    Raises:
        MediaError: for what is no media file, or is damaged beyond reading.
        OutsideFailureError: when the file may not be read.
    """
    file_size(path)
    import av
    from av.error import FFmpegError

    options = {"protocol_whitelist": "file", "format_whitelist": ",".join(FORMATS)}
    try:
        # An absolute path behind “file:” is never taken for an address, a list or an option.
        with av.open(f"file:{path.absolute()}", container_options=options, metadata_errors="replace") as container:
            yield container
    except PermissionError as error:
        raise OutsideFailureError(f"you do not have permission to read {path}: choose another file") from error
    except (FFmpegError, OSError, ValueError) as error:
        raise MediaError(
            f"{path} cannot be read as a film: it is damaged, truncated, or not a video; "
            "check whether it plays, or copy it again"
        ) from error


def picture_stream(container: InputContainer) -> VideoStream | None:
    """The default video track, else the first; a cover picture is none."""
    from av.stream import Disposition

    stills = Disposition.attached_pic | Disposition.timed_thumbnails | Disposition.still_image
    streams = [stream for stream in container.streams.video if not stream.disposition & stills]
    default = (stream for stream in streams if stream.disposition & Disposition.default)
    return next(default, streams[0] if streams else None)


def film_start(container: InputContainer, otherwise: Fraction = Fraction(0)) -> Fraction:
    """Seconds of the file's own time at which film time is 0, as players have it."""
    if container.start_time is None:  # pyright: ignore[reportUnnecessaryComparison] - it is None in raw streams
        return otherwise
    return container.start_time * MICROSECOND


def film_time(frame: AudioFrame | VideoFrame, start: float) -> float | None:
    """Seconds of film time at which a frame is heard or shown; `start` is that of `film_start`.

    None where the file does not say. Times of MPEG streams begin again after 2³³ ticks: one that would be later than
    half of that is one before the film's start.
    """
    # Floats, as fractions take longer than the decoding of sound; in 100 hours they are right to a nanosecond.
    pts, tick = frame.pts, frame.time_base
    if pts is None or not tick:
        return None
    time = pts * tick.numerator / tick.denominator - start
    around = MPEG_WRAP / 90_000
    return time - around if time > around / 2 and tick == MPEG_TICK else time


def film_length(container: InputContainer) -> Fraction | None:
    """Seconds that the file says it lasts, None where it does not say."""
    return container.duration * MICROSECOND if container.duration else None


def pictures(container: InputContainer, stream: VideoStream) -> Iterator[VideoFrame]:
    """The pictures from where the container stands, without those that are too damaged to be decoded."""
    return _decoded(container, stream)


def sounds(container: InputContainer, stream: AudioStream) -> Iterator[AudioFrame]:
    """The sound from where the container stands, without what is too damaged to be decoded."""
    return _decoded(container, stream)


def prepare(container: InputContainer, stream: VideoStream, consequence: str, **options: str) -> None:
    """Have only this video read, and decoded with FFmpeg's `options` and up to the largest permitted picture.

    Raises:
        MediaError: for an unknown codec; `consequence` ends the message.
    """
    if stream.codec_context is None:  # pyright: ignore[reportUnnecessaryComparison] - it is for unknown codecs
        raise MediaError(f"{container.name.removeprefix('file:')}: the video has an unknown codec, {consequence}")
    only(container, stream)
    stream.codec_context.options = {"max_pixels": str(MOST_PIXELS), **options}


def only(container: InputContainer, wanted: VideoStream | AudioStream) -> None:
    """Have the reader pass over all other tracks; where their data lies apart, it is not even read."""
    from av.stream import Discard

    for stream in container.streams:
        if stream.index != wanted.index:
            stream.discard = Discard.all


def _decoded(container: InputContainer, stream: VideoStream | AudioStream) -> Iterator[Any]:
    from av.error import FFmpegError

    # Damage that stops the reading ends the film there, as in players.
    with contextlib.suppress(FFmpegError):
        for packet in packets(container, stream):
            with contextlib.suppress(FFmpegError):
                yield from packet.decode()
