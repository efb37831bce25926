"""Reading a subtitle file of any format: recognising it, decoding it, and checking its times."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from adstudio.core.counts import counted
from adstudio.core.errors import BadInputError, Oddity, OutsideFailureError
from adstudio.core.timebase import MAX_TIME_MS, clock
from adstudio.subtitles.decoding import decode
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.formats import recognise, refuse_binary
from adstudio.subtitles.invisible import empty_where_nothing_shows
from adstudio.subtitles.lines import Found, quoted
from adstudio.subtitles.parsed_file import SubtitleCue, SubtitleFile, SubtitleFormat, TrackKind
from adstudio.subtitles.source import Source
from adstudio.subtitles.track_kind import kind_in_name, kind_of_cues, language_in_name, not_dialogue
from adstudio.system.files import read_bounded
from adstudio.system.languages import canonical_language

MAX_BYTES = 32_000_000
MAX_LINES = 1_200_000
"""Lines of a file: six for each of the most cues."""
_LISTED_AT_MOST = 10_000
_SHOWN = 30


def read_subtitles(path: Path, *, encoding: str | None = None) -> SubtitleFile:
    """A subtitle file, read as far as possible; its `oddities` list the rest.

    `encoding` overrides the declared or guessed encoding.

    Raises:
        SubtitleError: for a missing, oversized or binary file, a folder, or an unknown format or encoding.
        OutsideFailureError: if the file cannot be read.
    """
    if str(path) in ("", "."):
        raise SubtitleError("no subtitle file given: give the path of one")
    try:
        data = read_bounded(path, MAX_BYTES, "subtitle file")
    except OutsideFailureError:
        raise
    except BadInputError as error:
        raise SubtitleError(str(error)) from error
    return parse_subtitles(data, str(path), encoding=encoding)


def parse_subtitles(data: bytes, name: str, *, encoding: str | None = None, checked_times: bool = True) -> SubtitleFile:
    """Like `read_subtitles`, from bytes; `name` appears in messages, and its extension helps recognise the format.

    Without `checked_times` nothing is reported of cues that overlap, or are out of order or of no length.

    Raises:
        SubtitleError: as `read_subtitles` does for the content.
    """
    if len(data) > MAX_BYTES:
        raise SubtitleError(f"{name} is too large for a subtitle file (over {MAX_BYTES // 1_000_000} MB)")
    if max(data.count(b"\n"), data.count(b"\r")) > MAX_LINES:
        raise SubtitleError(
            f"{name} has more than {MAX_LINES:,} lines, too many for a subtitle file: check that it is the right file"
        )
    refuse_binary(data, name)
    source, oddities = decode(data, name, encoding)
    oddities += _zeros(source, name)
    try:
        kind = recognise(source.text, name)
    except SubtitleError as error:
        if encoding is None:
            raise
        raise SubtitleError(f"{error}; {_how_read(source, data, name, encoding)}") from error
    how_read = ""
    if not source.text.strip():
        found = Found([], [Oddity("the file is empty", 1)])
    else:
        try:
            found = _read(kind, source)
        except SubtitleError as error:
            raise SubtitleError(f"{name}: {error}") from error
        if not found.cues and not found.signs:
            how_read = _how_read(source, data, name, encoding)
            oddities.append(Oddity(f"the file contains no cues: {how_read}"))
        elif not found.cues:
            oddities.append(Oddity("the file contains only signs"))
    cues, empty = empty_where_nothing_shows(found.cues)
    oddities += [*found.oddities, *empty, *(odd_times(cues) if checked_times else ())]
    track = found.track or kind_of_cues(cues) or kind_in_name(name) or TrackKind.DIALOGUE
    if found.track is None and track is not TrackKind.DIALOGUE:
        oddities.append(not_dialogue(track))
    language = canonical_language(found.language) if found.language else None
    if found.language and language is None:
        oddities.append(Oddity(f"the file says its language is {quoted(found.language)}, which is not known: left out"))
    oddities.sort(key=lambda oddity: oddity.line or 0)
    language = language or language_in_name(name)
    return SubtitleFile(
        kind, source.encoding, source.guessed, tuple(cues), _bounded(oddities), language, track, found.signs, how_read
    )


def _how_read(source: Source, data: bytes, name: str, encoding: str | None) -> str:
    """In which encoding a file without cues was read, how it begins there, and what to try."""
    first = quoted(source.clean(source.text).strip()[:_SHOWN])
    how = f"it was read in {source.encoding}{', a guess,' if source.guessed else ''} and begins {first}"
    if encoding is None:
        other = "" if data.isascii() else "choose its encoding if that is wrong, or "
        return f"{how}: {other}check that it is the right file"
    try:
        file = parse_subtitles(data, name)
    except SubtitleError:
        return f"{how}: choose another encoding, or check that it is the right file"
    if not file.cues:
        return f"{how}, and in {file.encoding} it has no cues either: check that it is the right file"
    return f"{how}, but in {file.encoding} it has {counted(len(file.cues), 'cue')}: choose that, or no encoding"


def odd_times(cues: Sequence[SubtitleCue]) -> list[Oddity]:
    """Problems with the cues' times, with their lines; such cues are read all the same."""
    found = _disorder(cues)
    latest: SubtitleCue | None = None
    for cue in sorted(cues, key=lambda cue: cue.start):
        line = cue.line
        if cue.start < 0:
            found.append(Oddity(f"the cue starts before the film ({clock(cue.start)})", line))
        if cue.end < cue.start:
            found.append(Oddity(f"the cue ends ({clock(cue.end)}) before it starts ({clock(cue.start)})", line))
        elif cue.end == cue.start:
            found.append(Oddity(f"the cue has no duration (it starts and ends at {clock(cue.start)})", line))
        if max(cue.start, cue.end) > MAX_TIME_MS:
            found.append(Oddity(f"the cue lies beyond 100 hours ({clock(max(cue.start, cue.end))})", line))
        if not cue.text:
            continue
        if latest is not None and cue.start < latest.end and cue.end > cue.start:
            found.append(Oddity(f"the cue overlaps the one on line {latest.line}", line))
        if cue.end > cue.start and (latest is None or cue.end > latest.end):
            latest = cue
    return found


def _disorder(cues: Sequence[SubtitleCue]) -> list[Oddity]:
    """That the cues are not in order of time: once for the file, where it happens first."""
    early = [cue for previous, cue in pairwise(cues) if cue.start < previous.start]
    if not early:
        return []
    more = f", like {len(early) - 1:,} more" if len(early) > 1 else ""
    what = f"the cues were sorted by time: this one starts before the previous one in the file{more}"
    return [Oddity(what, early[0].line)]


def _zeros(source: Source, name: str) -> list[Oddity]:
    """Reports null characters; many of them mean another encoding or a binary file."""
    count = source.text.count("\0")
    if count * 10 > len(source.text):
        raise SubtitleError(
            f"{name} does not seem to be {source.encoding} (it is full of null characters): choose another encoding"
        )
    if not count:
        return []
    what = f"the file contains {counted(count, 'null character')}, the first one here"
    return [Oddity(what, source.line_of(source.text.index("\0")))]


def _read(kind: SubtitleFormat, source: Source) -> Found:
    # Imported on demand.
    match kind:
        case SubtitleFormat.SRT:
            from adstudio.subtitles.srt import read_srt

            return read_srt(source)
        case SubtitleFormat.VTT:
            from adstudio.subtitles.vtt import VttReader as Reader
        case SubtitleFormat.TTML:
            from adstudio.subtitles.ttml import TtmlReader as Reader
        case SubtitleFormat.ASS:
            from adstudio.subtitles.ass import AssReader as Reader
    return Reader(source).read()


def _bounded(oddities: list[Oddity]) -> tuple[Oddity, ...]:
    if len(oddities) <= _LISTED_AT_MOST:
        return tuple(oddities)
    rest = oddities[_LISTED_AT_MOST:]
    return (*oddities[:_LISTED_AT_MOST], Oddity(f"and {len(rest):,} more problems from here on", rest[0].line))
