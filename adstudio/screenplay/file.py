"""Reads screenplay files of any format, recognised by content, then by file name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from adstudio.screenplay.any_layout import read_any_layout
from adstudio.screenplay.builder import MOST_WORDS_OF_A_NAME, Builder, Place
from adstudio.screenplay.fdx import is_fdx, read_fdx
from adstudio.screenplay.fountain import read_fountain
from adstudio.screenplay.language import guess_language
from adstudio.screenplay.layout import read_rows, without_title
from adstudio.screenplay.line_kinds import cue, names_act, numbered_heading
from adstudio.screenplay.not_a_screenplay import require_dialogue, require_no_times
from adstudio.screenplay.page_body import body_rows
from adstudio.screenplay.page_rows import Row, Segment, base_column, is_page_line
from adstudio.screenplay.parsed_screenplay import Action, Form, Screenplay, ScreenplayError, Speech
from adstudio.subtitles.decoding import decode, recoded
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.source import Source
from adstudio.system.files import read_bounded

MAX_BYTES = 100_000_000
"""Bytes; a screenplay is 200 kB, a PDF with images a few MB."""
MAX_CHARACTERS = 5_000_000
LONGEST_LINE = 200_000
_MOST_BYTES_OF_TEXT = 4 * MAX_CHARACTERS

_FOUNTAIN_SUFFIXES = (".fountain", ".spmd", ".ftn")
_FOUNTAIN_TITLE = re.compile(
    r"\s*Title:.*(?:\n.+)*?\n(?:Credit|Authors?|Draft date|Source|Contact|Copyright):", re.IGNORECASE
)
"""A Fountain title page: no other layout has these keys, each at the start of a line."""
_CONTROLS = frozenset(map(chr, (*range(9), *range(14, 32), 127))) - {"\x1a"}
_OTHER_FORMATS = (
    (b"PK\x03\x04", "a zipped document (Word, OpenOffice, Celtx …)"),
    (b"\xd0\xcf\x11\xe0", "an old Word document"),
    (b"{\\rtf", "an RTF document"),
)
_JSON = re.compile(r"[{\[]\s*(?:\"[^\"\n]{0,200}\"\s*[:,\]]|[{\[]\s*[\"{\[])")
_SEGMENT_GAP = re.compile(r" {4,}|\t+")
_LONE_NUMBER = re.compile(r"\d{1,4}\.")
_NAMES_AT_LEAST = 2
_NAME_INDENT = 8
_SPEECH_INDENT = 3
_MOSTLY = 0.8
_NEARLY = 0.95
_FEW = 0.1
_ROWS_TO_TELL = 20


def read_screenplay(
    path: Path,
    *,
    subtitles: Sequence[str] = (),
    progress: Callable[[float], None] | None = None,
    encoding: str | None = None,
) -> Screenplay:
    """The screenplay in a file, in the `encoding` that is given where it says none itself (`recoded`).

    `subtitles` are the texts of the film's, which show what is spoken where the layout does not. `progress` is called
    with the share of a PDF's pages read so far; it may raise to stop.

    Raises:
        ScreenplayError: for a file that is not a screenplay, with how to fix it.
        BadInputError: for a missing file, a folder, a pipe or device, or a file of more than 100 MB.
        OutsideFailureError: for a file that cannot be read, or if the PDF reader is not installed.
    """
    data = recoded(read_bounded(path, MAX_BYTES, "screenplay"), str(path), encoding)
    return parse_screenplay(data, str(path), subtitles=subtitles, progress=progress)


def parse_screenplay(
    data: bytes, name: str, *, subtitles: Sequence[str] = (), progress: Callable[[float], None] | None = None
) -> Screenplay:
    """The screenplay in a file's bytes; the name is used in messages, and its suffix as a hint to the format.

    Raises:
        ScreenplayError: as `read_screenplay`.
    """
    builder = Builder()
    if b"%PDF-" in data[:1024]:
        from adstudio.screenplay.pdf import STANDARD_MARGIN, pdf_rows

        rows = pdf_rows(data, name, builder, progress=progress)
        require_no_times([row.text for row in rows], name, Form.PDF)
        builder = read_any_layout(
            rows, STANDARD_MARGIN, lambda by: _read_usual(rows, STANDARD_MARGIN, by), builder.copy, name, subtitles
        )
        form = Form.PDF
    else:
        if len(data) > _MOST_BYTES_OF_TEXT:
            if b"\0" in data:  # a video, a picture or a program
                raise _no_text(name)
            raise ScreenplayError(f"{name} is too long for a screenplay ({len(data) / 1e6:.0f} MB of text): split it")
        form, builder = _text(data, name, builder, subtitles)
    found = builder.screenplay(form)
    if not found.scenes:
        raise ScreenplayError(f"{name} is empty: choose another file")
    if form in (Form.TEXT, Form.PDF):
        require_dialogue(found, builder.names, name)
    return replace(found, language=guess_language(_texts(found)))


def _texts(screenplay: Screenplay) -> Iterator[str]:
    for scene in screenplay.scenes:
        for part in scene.parts:
            if isinstance(part, Action | Speech):
                yield part.text
    for scene in screenplay.scenes:
        yield scene.heading


def _text(data: bytes, name: str, builder: Builder, subtitles: Sequence[str]) -> tuple[Form, Builder]:
    source, text = _decoded(data, name, builder)
    if is_fdx(text):
        read_fdx(source, name, builder)
        return Form.FDX, builder
    _reject_other_formats(text, name)
    text = text.translate({ord(char): None for char in _CONTROLS}).removesuffix("\x1a")
    if max(map(len, text.split("\n"))) > LONGEST_LINE:
        raise ScreenplayError(f"{name} has a line of more than {LONGEST_LINE:,} characters, so it is not a screenplay")
    if name.lower().endswith(_FOUNTAIN_SUFFIXES) or _FOUNTAIN_TITLE.match(text):
        read_fountain(text, builder)
        return Form.FOUNTAIN, builder
    rows = _text_rows(text)
    require_no_times([row.text for row in rows], name, Form.TEXT)

    def usual(by: Builder) -> None:
        if _is_laid_out(text):
            _read_usual(rows, None, by)
        else:
            read_fountain(_without_page_lines(text), by)

    return Form.TEXT, read_any_layout(_single_spaced(rows), None, usual, builder.copy, name, subtitles)


def _decoded(data: bytes, name: str, builder: Builder) -> tuple[Source, str]:
    for start, kind in _OTHER_FORMATS:
        if data.startswith(start):
            raise ScreenplayError(f"{name} is {kind}: save it as PDF, Fountain, FDX or plain text and use that")
    if not data.strip():
        raise ScreenplayError(f"{name} is empty: choose a screenplay")
    try:
        source, oddities = decode(data, name)
    except SubtitleError:
        raise _no_text(name) from None
    if len(source.text) > MAX_CHARACTERS:
        if "\0" in source.text:
            raise _no_text(name)
        raise ScreenplayError(f"{name} is too long for a screenplay ({len(source.text):,} characters): split it")
    text = source.clean(source.text).replace("\r\n", "\n").replace("\r", "\n")
    controls = sum(text.count(char) for char in _CONTROLS)
    if controls * 50 > len(text):
        raise _no_text(name)
    for oddity in oddities:
        builder.report_oddity(oddity.what, Place(oddity.line or 0))
    return source, text


def _no_text(name: str) -> ScreenplayError:
    return ScreenplayError(f"{name} is not text: choose a screenplay (Fountain, FDX, PDF or plain text)")


def _reject_other_formats(text: str, name: str) -> None:
    """Reject other kinds of text file that may be given by mistake."""
    start = text[:2000].lstrip().lower()
    if text.count(" --> ") >= 3 or start.startswith(("webvtt", "[script info]")) or "<tt " in start:
        raise ScreenplayError(
            f"{name} is a subtitle file, not a screenplay: give it as the subtitles, or, if it holds finished audio "
            "description, import it (adstudio import)"
        )
    if start.startswith(("<!doctype html", "<html")):
        raise ScreenplayError(f"{name} is a web page: copy the screenplay’s text into a plain text file")
    if _JSON.match(start):
        raise ScreenplayError(
            f"{name} is JSON, not a screenplay: give prepared lines as the candidates, and import a finished script "
            "(adstudio import)"
        )
    if start.startswith("<?xml"):
        raise ScreenplayError(f"{name} is not a screenplay in a known format: give Fountain, FDX, PDF or plain text")


def _is_laid_out(text: str) -> bool:
    """Whether character names are indented well to the right of headings: nearly all that look like names must be.

    A name has its speech directly below it, or after an empty line in a column between it and the headings.
    """
    lines = [line.rstrip().expandtabs(8) for line in text.replace("\f", "\n").split("\n")]
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    written = [at for at, line in enumerate(lines) if line]
    headings = [indents[at] for at in written if numbered_heading(lines[at]) is not None]
    base = min(headings, default=0)
    names: list[bool] = []
    for at, below in pairwise(written):
        if not _may_be_name(lines[at]):
            continue
        spaced = below - at > 1
        if not spaced or base + _SPEECH_INDENT <= indents[below] < indents[at]:
            names.append(indents[at] - base >= _NAME_INDENT)
    return sum(names) >= max(_NAMES_AT_LEAST, _MOSTLY * len(names))


def _may_be_name(line: str) -> bool:
    name = cue(line)
    if name is None or numbered_heading(line) is not None or names_act(line):
        return False
    return len(name.speaker.split()) <= MOST_WORDS_OF_A_NAME and not name.speaker.endswith((".", "!", "?"))


def _without_page_lines(text: str) -> str:
    """A text without standard layout, with page numbers, (MORE) and (CONTINUED) replaced by empty lines."""
    lines = text.replace("\f", "\n").split("\n")
    alone = [not before.strip() for before in ["", *lines]]
    lines_left = [
        "" if is_page_line(line.strip()) or (above and _LONE_NUMBER.fullmatch(line.strip())) else line
        for line, above in zip(lines, alone, strict=False)
    ]
    return "\n".join(lines_left)


def _text_rows(text: str) -> list[Row]:
    """The rows of a text; form feeds separate pages."""
    rows: list[Row] = []
    number = 0
    pages = text.split("\f")
    for page, content in enumerate(pages, 1):
        lines = content.split("\n")
        rows += _rows(lines, number, page if len(pages) > 1 else 0)
        number += len(lines) - 1
    return rows


def _read_usual(rows: list[Row], standard: float | None, builder: Builder) -> None:
    """Read rows by the usual rules for columns."""
    base = base_column(rows, standard)
    body = body_rows(rows, base)
    if standard is None:
        body = _single_spaced(body)
    read_rows(without_title(body, base, builder), base, builder)


def _rows(lines: list[str], before: int, page: int) -> list[Row]:
    rows: list[Row] = []
    gap = True
    for at, line in enumerate(lines, 1):
        expanded = line.expandtabs(8).rstrip()
        if not expanded:
            gap = True
            continue
        rows.append(Row(_segments(expanded), Place(before + at, page), gap=gap))
        gap = False
    if page and rows:
        rows[0] = rows[0]._replace(edge=True)
        rows[-1] = rows[-1]._replace(edge=True)
    return rows


def _segments(line: str) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    at = len(line) - len(line.lstrip(" "))
    for gap in _SEGMENT_GAP.finditer(line, at):
        segments.append(Segment(at, line[at : gap.start()]))
        at = gap.end()
    segments.append(Segment(at, line[at:]))
    return tuple(segment for segment in segments if segment.text)


def _single_spaced(rows: list[Row]) -> list[Row]:
    """In double-spaced text only two empty rows separate paragraphs, recognised by the line numbers."""
    gaps = [row.gap for row in rows]
    if len(gaps) < _ROWS_TO_TELL or sum(gaps) < _NEARLY * len(gaps):
        return rows
    wide = [row.place.line - before.place.line > 2 for before, row in pairwise(rows)]
    if sum(wide) < _FEW * len(rows):
        return rows  # nothing but its columns tells one paragraph from the next
    spaced = [rows[0]]
    for apart, row in zip(wide, rows[1:], strict=True):
        spaced.append(row._replace(gap=row.breaks or apart))
    return spaced
