"""Writing edits back into a subtitle file: only the bytes of what was edited change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from adstudio.core.timebase import clock
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.lines import blank
from adstudio.subtitles.markup import viewer_text
from adstudio.subtitles.parsed_file import CueEdit, SubtitleCue, SubtitleFile, SubtitleFormat

Piece = tuple[int, int, str]
"""A stretch of the decoded text and what is to stand there instead."""

_LEADING = re.compile(r"(?:\{\\[^{}]*\}|<v[. \t][^<>]*>|<[ibu]>)+")
_TRAILING = re.compile(r"(?:</[ibuv]>)+\Z")


def rewritten(file: SubtitleFile, edits: Mapping[int, CueEdit]) -> bytes:
    """The file's bytes with only the named cues' times or text changed; without edits, exactly the input.

    Encoding, BOM and newlines stay. Blank lines cannot stand in a cue and are dropped from an edited text.

    Raises:
        SubtitleError: for a number that is no cue, a character that the encoding cannot hold, or a change that the
            format cannot express.
    """
    pieces: list[Piece] = []
    for number, edit in edits.items():
        if not 1 <= number <= len(file.cues):
            raise SubtitleError(f"{file.name} has no cue {number}: it has {len(file.cues)}")
        cue = file.cues[number - 1]
        pieces += _pieces(file, cue, _real_changes(cue, edit))
    return _spliced(file, sorted(pieces))


def _real_changes(cue: SubtitleCue, edit: CueEdit) -> CueEdit:
    """The edit without what is as it was."""
    return CueEdit(
        None if edit.start == cue.start else edit.start,
        None if edit.end == cue.end else edit.end,
        None if edit.text == cue.text else edit.text,
    )


def _pieces(file: SubtitleFile, cue: SubtitleCue, edit: CueEdit) -> list[Piece]:
    match file.format:
        case SubtitleFormat.SRT | SubtitleFormat.VTT:
            return _line_pieces(file, cue, edit)
        case SubtitleFormat.ASS:
            from adstudio.subtitles.ass_writing import ass_pieces as pieces
        case SubtitleFormat.TTML:
            from adstudio.subtitles.ttml_writing import ttml_pieces as pieces
    return pieces(file, cue, edit)


def _line_pieces(file: SubtitleFile, cue: SubtitleCue, edit: CueEdit) -> list[Piece]:
    place = cue.place
    separator = "," if file.format is SubtitleFormat.SRT else "."
    pieces: list[Piece] = []
    for ms, (begin, stop) in ((edit.start, place.start), (edit.end, place.end)):
        if ms is not None:
            if file.format is SubtitleFormat.VTT and ms < 0:
                raise SubtitleError(f"{file.name}: WebVTT has no times before 0, so cue {cue.number} cannot have one")
            pieces.append((begin, stop, clock(ms, separator=separator)))
    if edit.text is not None:
        newline = newline_at(file, place.end[1])
        lines = [line for line in edit.text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if not blank(line)]
        text = _marked_up(file.format, cue.raw, "\n".join(line.strip() for line in lines)).replace("\n", newline)
        begin, stop = place.text
        if begin == stop and text:
            text = newline + text
        pieces.append((begin, stop, text))
    return pieces


def newline_at(file: SubtitleFile, offset: int) -> str:
    """How the line at an offset ends; the last line's end is what the file's first line has."""
    text = file.source.text
    match = re.compile(r"\r\n|\n|\r").search(text, offset) or re.search(r"\r\n|\n|\r", text)
    return match[0] if match else "\n"


def _marked_up(kind: SubtitleFormat, raw: str, text: str) -> str:
    """Text with what would be taken for markup escaped, inside the markup that enclosed all of the old text."""
    if kind is SubtitleFormat.VTT:
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("{\\", "&#123;\\")
    else:
        # SRT has no escapes of its own: they are used only where the text would be misread without them.
        escaped = text.replace("-->", "--&gt;")
        if viewer_text(escaped)[0] != text:
            escaped = (
                text.replace("&", "&amp;").replace("<", "&lt;").replace("{\\", "&#123;\\").replace("-->", "--&gt;")
            )
        escaped = "\n".join(_no_false_header(line) for line in escaped.split("\n"))
    if not text:
        return ""
    leading = _LEADING.match(raw)
    if leading is None:
        return escaped
    opened = leading[0]
    trailing = _TRAILING.search(raw[max(leading.end(), len(raw) - 64) :])
    closed = trailing[0] if trailing else ""
    inner = raw[leading.end() : len(raw) - len(closed)]
    if "<" in inner or any(opened.count(f"<{tag}>") != closed.count(f"</{tag}>") for tag in "ibu"):
        opened, closed = "".join(re.findall(r"\{\\[^{}]*\}|<v[. \t][^<>]*>", opened)), ""
    return opened + escaped + closed


def _no_false_header(line: str) -> str:
    # A line such as “00:01 → 00:02” would be read as the times of a cue.
    from adstudio.subtitles.times import read_timing_line

    if line[:1].isdigit() and read_timing_line(line) is not None:
        return f"&#{ord(line[0])};{line[1:]}"
    return line


def _spliced(file: SubtitleFile, pieces: list[Piece]) -> bytes:
    source = file.source
    if not pieces:
        return source.data
    for (_, stop, _), (begin, _, _) in pairwise(pieces):
        if begin < stop:
            raise SubtitleError(f"{file.name}: two edits touch the same place; make them one after the other")
    flat = source.byte_offsets([offset for begin, stop, _ in pieces for offset in (begin, stop)])
    out = bytearray()
    at = 0
    for k, (_, _, text) in enumerate(pieces):
        out += source.data[at : flat[2 * k]]
        try:
            out += source.encode(text)
        except UnicodeEncodeError as error:
            char = text[error.start]
            raise SubtitleError(
                f"{file.name} is in {source.encoding}, which has no “{char}” (U+{ord(char):04X}): "
                "export the subtitles as UTF-8, or write it otherwise"
            ) from None
        at = flat[2 * k + 1]
    return bytes(out + source.data[at:])
