"""The films that are written: which containers, what each can hold, and their files, whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adstudio.mix.film_sound import Block
from adstudio.mix.layout import RATE, Layout
from adstudio.mix.request import MixError
from adstudio.system.languages import UNKNOWN, three_letters

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.container import InputContainer
    from av.stream import Stream

FilmFile = Any
"""A film's file that is written: PyAV's `OutputContainer`, the types of which say little."""
TITLE = "Audio description"
"""The title of a sound track with narration, by which players and people recognise it."""

EDITABLE = {"mp4", "mov"}
"""The muxers of formats that say from where on a track is heard, and have a track for timecode."""
_OF_THE_FILE = {"major_brand", "minor_version", "compatible_brands", "encoder", "vendor_id", "duration", "name"}
"""What describes the file that is read, not the film in it."""
_DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}


@dataclass(frozen=True)
class FilmFormat:
    """A container: its name, FFmpeg's name and options for it, its sound's codec, and what it can hold."""

    name: str
    muxer: str
    sound: str
    bits_per_channel: int
    options: tuple[tuple[str, str], ...] = ()
    flags: bool = True
    """Whether a track can be flagged for the visually impaired; else only its title says so."""
    titles: bool = True
    chapters: bool = True
    attachments: bool = False
    covers: bool = False
    from_zero: bool = True
    """Whether a film begins at time 0 in its file, and what an encoder puts ahead of the sound can be left unheard."""


_MP4 = FilmFormat("MP4", "mp4", "aac", 96_000, (("movflags", "+faststart"),), covers=True)
FORMATS = {
    ".mp4": _MP4,
    ".m4v": _MP4,
    ".mov": FilmFormat("QuickTime", "mov", "aac", 96_000, (("movflags", "+faststart"),), flags=False, covers=True),
    ".mkv": FilmFormat("Matroska", "matroska", "aac", 96_000, attachments=True),
    ".webm": FilmFormat("WebM", "webm", "libopus", 80_000, flags=False),
    ".ts": FilmFormat("MPEG-TS", "mpegts", "aac", 96_000, titles=False, chapters=False, from_zero=False),
}
"""By the extensions of file names."""


def format_of(target: Path) -> FilmFormat:
    """The container that a file's name asks for.

    Raises:
        MixError: for one that is not written.
    """
    found = FORMATS.get(target.suffix.casefold())
    if found is None:
        names = ", ".join(FORMATS)
        raise MixError(f"{target}: films cannot be written in this format; choose a name that ends in {names}")
    return found


def suffix_for(video: Path) -> str:
    """The extension of a film that holds the tracks of this one: its own, or .mkv, which holds nearly everything."""
    suffix = video.suffix.casefold()
    return suffix if suffix in FORMATS else ".mkv"


def about_film(metadata: dict[str, str]) -> dict[str, str]:
    """What is known of a film or track, without what is known of its file."""
    found = {key: value for key, value in metadata.items() if key.casefold() not in _OF_THE_FILE}
    # MP4 has tracks' titles under another name.
    title = metadata.get("title") or metadata.get("name")
    return found | ({"title": title} if title else {})


def is_rewritten(stream: Stream, film: InputContainer, form: FilmFormat) -> bool:
    """Whether it is a track that a new film gets from elsewhere: of chapters, or of the timecode."""
    if stream.type != "data":
        return False
    # Chapters that a format cannot hold are missed as such.
    chapters = bool(film.chapters()) and stream.metadata.get("handler_name") == "SubtitleHandler"
    return chapters or ("timecode" in stream.metadata and form.muxer in EDITABLE)


def track_name(stream: Stream) -> str:
    """What a track is, for people: `srt subtitles (English, eng)`."""
    kind = {"audio": "sound", "subtitle": "subtitles"}.get(stream.type, stream.type)
    context: Any = stream.codec_context
    codec = stream.metadata.get("filename", "") if context is None else context.name
    about = ", ".join(filter(None, (stream.metadata.get("title"), stream.metadata.get("language"))))
    return " ".join(filter(None, (codec, kind, f"({about})" if about else "")))


@contextlib.contextmanager
def film_file(path: Path, form: FilmFormat) -> Generator[FilmFile]:
    """A film to be written at `path`, which should be a temporary file; closed where the block ends.

    Raises:
        MixError: where the container does not take what is written to it.
        OSError: where the disk does not.
    """
    import av
    from av.error import FFmpegError

    try:
        out = av.open(f"file:{path.absolute()}", "w", format=form.muxer, container_options=dict(form.options))
        try:
            yield out
        except BaseException:
            # Closing writes the rest, which fails in its turn on a full disk.
            with contextlib.suppress(FFmpegError, OSError, ValueError):
                out.close()
            raise
        out.close()
    except FFmpegError as error:
        if isinstance(error, OSError) and error.errno in _DISK_ERRORS:
            raise OSError(error.errno, os.strerror(error.errno)) from error
        advice = "check whether the film plays" if form.muxer == "matroska" else "choose another format, such as .mkv"
        raise MixError(f"the film cannot be written as {form.name}: {advice}") from error


@dataclass(frozen=True)
class NewSound:
    """A sound track to be encoded: its blocks from film time 0 on.

    `language` is a language tag, empty where it is not known.
    """

    blocks: Iterator[Block]
    layout: Layout
    language: str = ""
    title: str = TITLE


class SoundEncoder:
    """Encodes a sound track into a film as the film gets there, flagged for the visually impaired."""

    def __init__(self, out: FilmFile, form: FilmFormat, sound: NewSound, *, start: int, default: bool) -> None:
        """`start` is the sample, in the film's file, of film time 0."""
        from av.stream import Disposition

        self._out = out
        self._sound = sound
        self._start = start
        self._at = start
        self._audible = not form.from_zero
        self._ended = False
        self._stream: Any = out.add_stream(form.sound, rate=RATE, layout=sound.layout.name)
        self._stream.bit_rate = form.bits_per_channel * max(sound.layout.channels, 2)
        language = three_letters(sound.language)
        # In MPEG-TS the flag is beside the language.
        self._stream.metadata.update(
            {"title": sound.title, "handler_name": sound.title}
            | ({"language": language} if language != UNKNOWN or not form.titles else {})
        )
        self._stream.disposition = Disposition.visual_impaired | (Disposition.default if default else 0)

    def encode_to(self, sample: int | None) -> None:
        """Encode as far as this sample of the film's file, or to the end."""
        while sample is None or self._at < sample:
            block = next(self._sound.blocks, None)
            if block is None:
                if not self._ended:
                    self._encode(None)
                self._ended = True
                return
            if block.shape[1]:
                self._encode(self._frame(block))

    def _encode(self, frame: AudioFrame | None) -> None:
        for packet in self._stream.encode(frame):
            # What comes before the sound would be heard where the format cannot say that it is not to be.
            if not self._audible or packet.pts * packet.time_base * RATE >= self._start:
                self._out.mux(packet)

    def _frame(self, block: Block) -> AudioFrame:
        import av

        samples = np.ascontiguousarray(np.clip(block, -1, 1), np.float32)
        frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout=self._sound.layout.name)
        frame.sample_rate, frame.pts, frame.time_base = RATE, self._at, Fraction(1, RATE)
        self._at += block.shape[1]
        return frame
