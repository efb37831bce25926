"""A film described in prose, or in a script or table of lines: its sections, with their times, cue words and headings.

A line may begin with a time (`[00:01:23]`, `00:01:23 – 00:01:30`, `1:23`, `10.5s:`), or be a heading (`# Kitchen`,
`Scene 3: The kitchen`, `INT. KITCHEN - DAY`), cue words (`("…he’s gone")`, `CUE: he’s gone`) or the label of a
description (`V/O 11.1`). All of these begin a section.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.timebase import RATES, FrameRate
from adstudio.core.words import composed
from adstudio.drafting.text.ground.file_kind import other_kind
from adstudio.drafting.text.ground.section_reader import Section, SectionReader
from adstudio.script_files.grids import cells_of
from adstudio.script_files.table import markdown_table, script_table
from adstudio.subtitles.decoding import decode, recoded
from adstudio.subtitles.errors import SubtitleError
from adstudio.system.files import read_bounded

LARGEST = 5_000_000
"""Bytes of the largest description that is read; a film described in full has a tenth of that."""
MOST_SECTIONS = 20_000
LONGEST_FRONT_MATTER = 40
_OTHER_FORMS = {
    b"PK\x03\x04": "a Word, Excel or OpenDocument file",
    b"%PDF": "a PDF",
    b"{\\rtf": "an RTF file",
}
_KEY = re.compile(r"\s*(?:[\w-]{1,40}:(?:\s|$)|-\s|#)")
ORDINARY = RATES["25"]
"""The frame rate assumed for timecodes when it is unknown."""


class ProseError(BadInputError):
    """A description that cannot be read."""


@dataclass(frozen=True)
class Prose:
    """A description: its sections in order, and what was odd."""

    sections: tuple[Section, ...]
    oddities: tuple[Oddity, ...] = ()

    @property
    def timed(self) -> bool:
        """Whether any section says when it is."""
        return any(section.at is not None for section in self.sections)


def read_prose(path: Path, rate: FrameRate = ORDINARY, encoding: str | None = None) -> Prose:
    """The description in a text file, in the `encoding` that is given where it says none itself (`recoded`).

    Raises:
        ProseError: for a file that is no plain text or no prose, holds no words, or is far too long.
        OutsideFailureError: where it cannot be read.
    """
    data = read_bounded(path, LARGEST, "description")
    for mark, what in _OTHER_FORMS.items():
        if data.startswith(mark):
            raise ProseError(f"{path} is {what}: save it as plain text (.txt), a table as CSV, and use that")
    data = recoded(data, str(path), encoding)
    try:
        source, about_text = decode(data, str(path))
    except SubtitleError:
        raise _no_text(path) from None
    text = composed(source.clean(source.text))
    if 50 * sum(char < " " and not char.isspace() for char in text) > len(text):
        raise _no_text(path)
    if what := other_kind(text):
        raise ProseError(f"{path} does not seem to be a description but {what}")
    prose = parse_prose(text, rate)
    if not prose.sections:
        raise ProseError(f"{path} has no description in it: not a single sentence was found")
    if len(prose.sections) > MOST_SECTIONS:
        raise ProseError(f"{path} has more than {MOST_SECTIONS:,} sections: split it")
    return replace(prose, oddities=(*about_text, *prose.oddities))


def _no_text(path: Path) -> ProseError:
    return ProseError(f"{path} is not a text file: give the description as plain text (.txt)")


def parse_prose(text: str, rate: FrameRate = ORDINARY) -> Prose:
    """The sections of a description, with all its times, even those that cannot be right.

    Lists, quotations, tables and emphasis as Markdown writes them are read, and their marks are no part of the text;
    a text that is a table is read by its columns. Frames in a timecode are of that rate.
    """
    lines = text.splitlines()
    _drop_front_matter(lines)
    table = script_table("\n".join(lines), rate)
    is_table = table is not None and bool(table.rows)
    if is_table:
        lines = []
    reader = SectionReader(rate, lines)
    if table is not None and is_table:
        reader.read_table(table)
    at = 0
    while at < len(lines):
        block = _table_lines(lines, at)
        table = markdown_table(block, rate) if block else None
        end = at + max(1, len(block))
        if table is not None:
            reader.read_table(table)
        else:
            for number in range(at, end):
                reader.read(number + 1, lines[number], lines[number + 1] if number + 1 < len(lines) else "")
        at = end
    reader.end()
    return Prose(tuple(reader.sections), tuple(reader.oddities))


def _table_lines(lines: list[str], at: int) -> list[tuple[int, str]]:
    """The rows of a Markdown table that begins at a line, with their numbers."""
    end = at
    while end < len(lines) and cells_of(lines[end]):
        end += 1
    return [(number + 1, lines[number]) for number in range(at, end)]


def _drop_front_matter(lines: list[str]) -> None:
    """Empties the block of keys and values that some programs put ahead of a text."""
    if not lines or lines[0].strip() != "---":
        return
    for number, line in enumerate(lines[1:LONGEST_FRONT_MATTER], 1):
        if line.strip() in ("---", "..."):
            lines[: number + 1] = [""] * (number + 1)
            return
        if line.strip() and not _KEY.match(line):
            return
