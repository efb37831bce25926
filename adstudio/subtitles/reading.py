"""Reading a subtitle file of any kind: which kind, in which encoding, and what is odd about its times."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from adstudio.core.errors import BadInputError, Oddity, OutsideFailureError
from adstudio.core.timebase import MAX_TIME_MS, clock
from adstudio.subtitles.decoding import decode
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.formats import recognise, refuse_binary
from adstudio.subtitles.lines import Found
from adstudio.subtitles.parsed_file import SubtitleCue, SubtitleFile, SubtitleFormat
from adstudio.subtitles.source import Source
from adstudio.system.files import read_bounded

MAX_BYTES = 32_000_000
_LISTED_AT_MOST = 10_000
_LANGUAGE_IN_NAME = re.compile(r"[._]([a-z]{2}(?:-[A-Z][A-Za-z]{1,3})?)(?:[._](?:sdh|cc|hi|forced))?\.[A-Za-z0-9]+$")


def read_subtitles(path: Path, *, encoding: str | None = None) -> SubtitleFile:
    """A subtitle file, read as far as it can be read; what could not be is in its oddities.

    `encoding` overrides what the file says or seems to be in.

    Raises:
        SubtitleError: for a missing file, a folder, one over 32 MB, a binary one, an unknown format or encoding.
        OutsideFailureError: when the file may not be read.
    """
    if str(path) in ("", "."):
        raise SubtitleError("no subtitle file is named: give the path of one")
    try:
        data = read_bounded(path, MAX_BYTES, "subtitle file")
    except OutsideFailureError:
        raise
    except BadInputError as error:
        raise SubtitleError(str(error)) from error
    return parse_subtitles(data, str(path), encoding=encoding)


def parse_subtitles(data: bytes, name: str, *, encoding: str | None = None) -> SubtitleFile:
    """As `read_subtitles`, from bytes; `name` is used in messages, and its ending where the content does not tell.

    Raises:
        SubtitleError: as `read_subtitles` does for the content.
    """
    if len(data) > MAX_BYTES:
        raise SubtitleError(f"{name} is larger than a subtitle file can be ({MAX_BYTES // 1_000_000} MB)")
    refuse_binary(data, name)
    source, oddities = decode(data, name, encoding)
    oddities += _zeros(source, name)
    kind = recognise(source.text, name)
    if not source.text.strip():
        found = Found([], [Oddity("the file is empty", 1)], [])
    else:
        try:
            found = _reader(kind)(source)
        except SubtitleError as error:
            raise SubtitleError(f"{name}: {error}") from error
        if not found.cues:
            oddities.append(Oddity("the file holds no cues"))
    oddities += found.oddities
    oddities += odd_times(found.cues)
    oddities.sort(key=lambda oddity: oddity.line or 0)
    language = found.language or _language_in_name(name)
    return SubtitleFile(name, kind, source, tuple(found.cues), _bounded(oddities), tuple(found.asides), language)


def odd_times(cues: Sequence[SubtitleCue]) -> list[Oddity]:
    """What is odd about the cues' times, each with its line: all of them are read all the same."""
    found: list[Oddity] = []
    latest: SubtitleCue | None = None
    previous: SubtitleCue | None = None
    for cue in cues:
        line = cue.line
        if cue.start < 0:
            found.append(Oddity(f"the cue begins before the film does ({clock(cue.start)})", line))
        if cue.end < cue.start:
            found.append(Oddity(f"the cue ends ({clock(cue.end)}) before it begins ({clock(cue.start)})", line))
        elif cue.end == cue.start:
            found.append(Oddity(f"the cue has no length (it begins and ends at {clock(cue.start)})", line))
        if max(cue.start, cue.end) > MAX_TIME_MS:
            found.append(Oddity(f"the cue lies beyond 100 hours ({clock(max(cue.start, cue.end))})", line))
        if previous is not None and cue.start < previous.start:
            found.append(Oddity(f"the cue begins before the one above it (line {previous.line})", line))
        elif latest is not None and cue.start < latest.end and cue.end > cue.start:
            found.append(Oddity(f"the cue overlaps the one of line {latest.line}", line))
        if not cue.text:
            found.append(Oddity("the cue has no text", line))
        if cue.end > cue.start and (latest is None or cue.end > latest.end):
            latest = cue
        previous = cue
    return found


def _zeros(source: Source, name: str) -> list[Oddity]:
    """Zero characters: a few are told of, many mean another encoding or no text at all."""
    count = source.text.count("\0")
    if count * 10 > len(source.text):
        raise SubtitleError(
            f"{name} makes no sense as {source.encoding} (it is full of zeros): choose another encoding"
        )
    if not count:
        return []
    what = f"the file holds {count} zero character{'s' if count > 1 else ''}, here first"
    return [Oddity(what, source.line_of(source.text.index("\0")))]


def _reader(kind: SubtitleFormat) -> Callable[[Source], Found]:
    # Each reader is imported when a file needs it.
    match kind:
        case SubtitleFormat.SRT:
            from adstudio.subtitles.srt import read_srt as reader
        case SubtitleFormat.VTT:
            from adstudio.subtitles.vtt import read_vtt as reader
        case SubtitleFormat.TTML:
            from adstudio.subtitles.ttml import read_ttml as reader
        case SubtitleFormat.ASS:
            from adstudio.subtitles.ass import read_ass as reader
    return reader


def _bounded(oddities: list[Oddity]) -> tuple[Oddity, ...]:
    if len(oddities) <= _LISTED_AT_MOST:
        return tuple(oddities)
    rest = oddities[_LISTED_AT_MOST:]
    return (*oddities[:_LISTED_AT_MOST], Oddity(f"and {len(rest):,} more oddities from here on", rest[0].line))


def _language_in_name(name: str) -> str | None:
    match = _LANGUAGE_IN_NAME.search(name)
    return match[1].replace("_", "-") if match else None
