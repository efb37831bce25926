"""The film with its picture held in pauses. Picture and sound are encoded anew, as H.264 and AAC.

Copying the picture would be possible if the last frame before a pause simply lasted longer, but few players and no
editing programs expect that: it is repeated, at the film's own rate.
"""

from __future__ import annotations

import contextlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adstudio.core.timebase import Span
from adstudio.media.cached_data import OnFraction
from adstudio.media.opening import MediaError, film_start, film_time, opened, picture_stream, pictures, prepare
from adstudio.media.packets import MICROSECOND
from adstudio.mix.film_files import (
    FilmFile,
    FilmFormat,
    NewSound,
    SoundEncoder,
    about_film,
    film_file,
    format_of,
    is_rewritten,
    track_name,
)
from adstudio.mix.layout import PER_MS
from adstudio.mix.pauses import PauseMap
from adstudio.mix.request import MixError, MixNote, MixNoteKind
from adstudio.system.files import written_atomically

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.stream import Stream
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

TICKS = 90_000
"""Of the picture's times, a second: every usual rate's frames are a whole number of them."""
QUALITY = {"preset": "veryfast", "crf": "18"}
"""Of x264: hardly to be told from the original, and fast."""
TICKS_PER_MS = TICKS // 1000
"""Ticks of a millisecond."""
AHEAD = 500
"""Milliseconds that the sound is written ahead of the picture."""
USUAL_RATE = Fraction(25)
PIXELS = "yuv420p"
"""The only form of pixels that every player shows."""
_SAME = (PIXELS, "yuvj420p")


def write_extended_film(
    video: Path,
    target: Path,
    sound: NewSound,
    pauses: PauseMap,
    length: int,
    on_fraction: OnFraction | None = None,
) -> tuple[MixNote, ...]:
    """Write the extended film, whose sound is `sound` and which lasts `length` ms, at `target`; say what is not in it.

    `on_fraction` is called with the fraction done and may raise to stop the work; nothing is written then.

    Raises:
        MixError: for a film without a picture, or a format that cannot hold it.
        MediaError: where the film cannot be read.
        OutsideFailureError: where the disk does not take the film.
    """
    form = extended_format_of(target)
    with opened(video) as film, opened(video) as texts, written_atomically(target) as temporary:
        stream = picture_stream(film)
        if stream is None:
            raise MixError(f"{video} has no picture that could be held")
        stream.thread_type = "AUTO"
        prepare(film, stream, "so the picture cannot be held")
        frames = _frames(film, stream)
        first = next(frames, None)
        if first is None:
            raise MediaError(f"no frame of {video} can be decoded, so none can be held; check whether it plays")
        with film_file(temporary, form) as out:
            picture = _Picture(out, stream, first[1])
            encoder = SoundEncoder(out, form, sound, start=0, default=True)
            captions = _Texts(texts, out, form, pauses)
            out.metadata.update(about_film(film.metadata))
            out.set_chapters(_chapters(film, pauses) if form.chapters else [])
            for at, frame in held(chain([first], frames), pauses, length, picture.step):
                encoder.encode_to((at // TICKS_PER_MS + AHEAD) * PER_MS)
                out.mux(list(captions.until(at // TICKS_PER_MS)))
                out.mux(picture.encoded(frame, at))
                if on_fraction is not None:
                    on_fraction(min(at / (max(length, 1) * TICKS_PER_MS), 1.0))
            out.mux(picture.encoded(None, 0))
            out.mux(list(captions.until(None)))
            encoder.encode_to(None)
    found = [MixNote(MixNoteKind.TRACKS_LEFT_OUT, names=tuple(captions.left_out))] if captions.left_out else []
    changed = first[1].format.name
    return (*found, *(() if changed in _SAME else (MixNote(MixNoteKind.PICTURE_CHANGED, names=(changed,)),)))


def extended_format_of(target: Path) -> FilmFormat:
    """The container that an extended film's name asks for.

    Raises:
        MixError: for one that is not written, or cannot hold the picture.
    """
    form = format_of(target)
    if form.muxer == "webm":
        raise MixError("an extended film is encoded as H.264, which WebM cannot hold: choose .mp4, .mov or .mkv")
    return form


TimedFrame = tuple[int, "VideoFrame"]
"""A frame and the time at which it is shown, in ticks."""


def held(frames: Iterable[TimedFrame], pauses: PauseMap, length: int, step: int) -> Iterator[TimedFrame]:
    """Frames at their extended times, in ticks; `length` is the extended film's (ms).

    In a pause the last frame that is shown at its time or before is shown again each `step` ticks; the first of all
    where there is none before.
    """
    times = [pause.at * TICKS_PER_MS for pause in pauses.pauses]
    before = [(pauses.begins(place) - pause.at) * TICKS_PER_MS for place, pause in enumerate(pauses.pauses)]
    before.append(pauses.total * TICKS_PER_MS)
    passed = 0
    last: TimedFrame | None = None
    for time, frame in frames:
        ahead = bisect_left(times, time)
        at = time + before[ahead]
        if last is not None and at <= last[0]:
            continue
        if ahead > passed:
            begin = times[0] if last is None else last[0] + step
            yield from ((again, frame if last is None else last[1]) for again in range(begin, at - step // 2, step))
        passed = ahead
        last = (at, frame)
        yield last
    if last is not None and passed < len(times):
        yield from ((again, last[1]) for again in range(last[0] + step, length * TICKS_PER_MS - step // 2, step))


def _frames(film: InputContainer, stream: VideoStream) -> Iterator[TimedFrame]:
    """The frames that can be decoded, with their film times in ticks."""
    start = float(film_start(film))
    for frame in pictures(film, stream):
        at = film_time(frame, start)
        if at is not None and at > -1:
            yield max(round(at * TICKS), 0), frame


def _chapters(film: InputContainer, pauses: PauseMap) -> list[Any]:
    """The film's chapters at their extended times."""
    found: list[Any] = []
    for chapter in film.chapters():
        start, end = (round(chapter[key] * (chapter["time_base"] or MICROSECOND) * 1000) for key in ("start", "end"))
        span = pauses.span(Span(start, max(end, start)))
        found.append({**chapter, "start": span.start, "end": span.end, "time_base": Fraction(1, 1000)})
    return found


class _Picture:
    """Encodes frames in the shape of the first."""

    def __init__(self, out: FilmFile, stream: VideoStream, first: VideoFrame) -> None:
        rate = stream.average_rate or stream.guessed_rate or USUAL_RATE
        self.step = max(round(TICKS / rate), 1)
        """Ticks from one frame to the next."""
        self._size = max(first.width // 2 * 2, 2), max(first.height // 2 * 2, 2)
        self._stream: Any = out.add_stream("libx264", rate=rate, options=QUALITY)
        self._stream.width, self._stream.height = self._size
        self._stream.pix_fmt = PIXELS
        context = self._stream.codec_context
        context.time_base = Fraction(1, TICKS)
        if stream.sample_aspect_ratio:
            context.sample_aspect_ratio = stream.sample_aspect_ratio
        context.color_range = 1 if first.format.name.startswith("yuvj") else first.color_range
        context.colorspace = first.colorspace
        context.color_primaries, context.color_trc = first.color_primaries, first.color_trc
        if first.rotation:
            self._stream.set_display_rotation(first.rotation)
        self._stream.metadata.update(about_film(stream.metadata))
        self._last: tuple[VideoFrame, VideoFrame] | None = None

    def encoded(self, frame: VideoFrame | None, at: int) -> list[Packet[Any]]:
        """The packets that are ready with this frame, shown at `at` ticks; the last ones for None."""
        if frame is None:
            return self._stream.encode(None)
        if self._last is None or self._last[0] is not frame:
            self._last = frame, frame.reformat(*self._size, PIXELS)
        ready = self._last[1]
        ready.pts, ready.time_base, ready.pict_type = at, Fraction(1, TICKS), 0
        return self._stream.encode(ready)


class _Texts:
    """Copies the subtitles, fonts and the like of the film's file, at their extended times."""

    def __init__(self, film: InputContainer, out: FilmFile, form: FilmFormat, pauses: PauseMap) -> None:
        from av.stream import Disposition

        self.left_out: list[str] = []
        if film.chapters() and not form.chapters:
            self.left_out.append("chapters")
        self._pauses = pauses
        self._start = film_start(film)
        self._copied: dict[int, Stream] = {}
        for stream in film.streams:
            if stream.type == "attachment" and form.attachments:
                attachment: Any = stream
                out.add_attachment(stream.name or "attachment", attachment.mimetype or "", attachment.data)
            elif stream.type == "subtitle":
                self._add(stream, out)
            elif (
                stream.type == "attachment"
                or stream.disposition & Disposition.attached_pic
                or (stream.type == "data" and not is_rewritten(stream, film, form))
            ):
                self.left_out.append(track_name(stream))
        wanted = [film.streams[index] for index in self._copied]
        self._packets: Iterator[Packet[Any]] = film.demux(*wanted) if wanted else iter(())
        self._next: Packet[Any] | None = None

    def until(self, at: int | None) -> Iterator[Packet[Any]]:
        """The packets up to this extended time (ms), or all that are left."""
        from av.error import FFmpegError

        while True:
            if self._next is None:
                with contextlib.suppress(FFmpegError):
                    self._next = next((each for each in self._packets if each.size and each.pts is not None), None)
            packet = self._next
            if packet is None or packet.pts is None:
                return
            start = round((packet.pts * packet.time_base - self._start) * 1000)
            if at is not None and self._pauses.ending(max(start, 0)) > at:
                return
            self._next = None
            span = self._pauses.span(Span(start, start + round((packet.duration or 0) * packet.time_base * 1000)))
            packet.stream = self._copied[packet.stream.index]
            packet.time_base = Fraction(1, 1000)
            packet.pts = packet.dts = span.start
            packet.duration = span.length
            yield packet

    def _add(self, stream: Stream, out: FilmFile) -> None:
        try:
            copied = out.add_stream_from_template(stream)
        except ValueError:
            self.left_out.append(track_name(stream))
            return
        copied.metadata.update(about_film(stream.metadata))
        copied.disposition = stream.disposition
        self._copied[stream.index] = copied
