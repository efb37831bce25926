"""Reading a finished AD script of any form: recognised by its content, decoded, its times brought into film time."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import PurePath

from adstudio.core.control_characters import CONTROL_CHARACTER, control_characters_in, without_control_characters
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import MAX_LINES
from adstudio.core.timebase import FrameRate
from adstudio.dapt.reader import MAX_BYTES, looks_like_dapt
from adstudio.script_files.columns import ColumnChoices, column_of, names_columns
from adstudio.script_files.dapt_script import read_dapt
from adstudio.script_files.finished import FinishedLine, FinishedScript
from adstudio.script_files.finished_json import finished_json
from adstudio.script_files.finished_subtitles import finished_subtitles
from adstudio.script_files.finished_table import UnclearColumnsError, finished_table
from adstudio.script_files.grids import (
    DELIMITERS,
    TITLE_ROWS,
    GridRow,
    about_unclosed,
    cells_of,
    giant_cell,
    separated,
    spaced,
    timed,
)
from adstudio.script_files.office import office_tables
from adstudio.script_files.own_titles import own_title
from adstudio.script_files.script_clock import ScriptClock
from adstudio.subtitles.decoding import decode
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.formats import recognise, refuse_binary
from adstudio.subtitles.lines import quoted, split_lines
from adstudio.subtitles.source import Source
from adstudio.system.languages import canonical_language
from adstudio.system.office_package import is_office

MAX_TEXT, MAX_TEXT_LINES = 16_000_000, 6 * MAX_LINES
"""Bytes, and lines, of one that is a text."""
READ = (
    "DAPT, SRT, WebVTT, tables (CSV, XLSX, DOCX, Markdown), texts with a time before each line, and the scripts that"
    " adstudio exports"
)
_UNREADABLE = f"{{}} is not a script that can be read: adstudio imports {READ}"
_OFFICE = frozenset({".xlsx", ".xlsm", ".docx", ".docm"})

_TIMES_OF_A_CUE = re.compile(
    r"^[^\S\n]*[\d:.,]{4,}[^\S\n]*-->[^\S\n]*[\d:.,]{4,}(?:[^\S\n]+\w+:\S+)*[^\S\n]*$", re.MULTILINE
)
"""A line of nothing but times, of a subtitle file."""
_PARAGRAPHS = "\n"
"""What keeps the lines of a text without columns apart."""
_TOGETHER_MS = 1000
_LEAST_VERSION = 3
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]\s*[\"\[\]{}]")
"""A time may be in brackets too."""
_ARROW_BETWEEN_TIMES = re.compile(r"\d\s*-->\s*\d")


@dataclass(frozen=True)
class TimesRead:
    """A script with the clock that read its times, which knows what its rate does not have."""

    script: FinishedScript
    clock: ScriptClock


def read_finished_script(
    data: bytes, name: str, rate: FrameRate, choices: ColumnChoices | None = None, *, start: str = ""
) -> FinishedScript:
    """The script in a file. `rate` is that of its timecode, `start` the timecode of the film's first frame.

    Raises:
        UnclearColumnsError: for a table where only a person can say which column holds what.
        BadInputError: for a file that is no finished script, or choices of columns for one that is no table.
        TimeError: for a start timecode that is none at this rate.
    """
    return read_with_clock(data, name, ScriptClock(rate, start), choices).script


def read_with_clock(data: bytes, name: str, clock: ScriptClock, choices: ColumnChoices | None = None) -> TimesRead:
    """As `read_finished_script`, by a clock that afterwards knows which timecodes were wrong."""
    if len(data) > MAX_BYTES:
        raise BadInputError(f"{name} is too large for a script (over {MAX_BYTES // 1_000_000} MB)")
    if not data.strip():
        raise BadInputError(f"{name} is empty: choose the file of a script")
    script = _without_control_characters(_read(data, name, clock, choices))
    if not script.lines and not script.untimed:
        raise BadInputError(f"{name} holds no line that is spoken: check that it is the right file")
    count = len(script.lines) + len(script.untimed)
    if count > MAX_LINES:
        raise BadInputError(f"{name} has {count:,} lines; at most {MAX_LINES:,} can be read")
    return TimesRead(script, clock)


def _read(data: bytes, name: str, clock: ScriptClock, choices: ColumnChoices | None) -> FinishedScript:
    if is_office(data):
        return _from_office(data, name, clock, choices)
    if len(data) > MAX_TEXT or max(data.count(b"\n"), data.count(b"\r")) > MAX_TEXT_LINES:
        raise BadInputError(f"{name} is too long for a script: check that it is the right file")
    if looks_like_dapt(data):
        return _in_film(read_dapt(data, name), clock)
    if _JSON.match(data) and choices is None:
        return finished_json(data, name)
    source, oddities = _decoded(data, name)
    text = source.clean(source.text)
    plain = without_control_characters(text)
    oddities += _about_control_characters(text)
    unclear: UnclearColumnsError | None = None
    for grid, unclosed, delimiter in _grids(plain):
        if unclear is not None and delimiter == _PARAGRAPHS:
            break
        try:
            table = finished_table(grid, clock, name, choices, delimiter)
        except UnclearColumnsError as error:
            unclear = unclear or (error if len(error.columns) > 1 else None)
            continue
        if table is not None and (table.lines or table.untimed):
            odd = [*oddities, *about_unclosed(unclosed), *table.oddities]
            return replace(table, oddities=tuple(odd))
    if choices is not None:
        raise unclear or _no_script(plain, name, f"{name} is no table, so it has no columns to choose")
    try:
        recognise(plain, name)
    except SubtitleError:
        raise unclear or _no_script(plain, name) from None
    if plain == text:
        return finished_subtitles(data, name, clock)
    found = finished_subtitles(plain.encode("utf-8"), name, clock, "utf-8")
    return replace(found, oddities=(*oddities, *found.oddities))


def _decoded(data: bytes, name: str) -> tuple[Source, list[Oddity]]:
    try:
        refuse_binary(data, name)
        return decode(data, name)
    except SubtitleError:
        kind = PurePath(name).suffix.lower()
        if kind in _OFFICE:
            raise BadInputError(
                f"{name} is damaged, or no {kind[1:].upper()} at all: open it in an office program, and save it anew"
            ) from None
        raise BadInputError(_UNREADABLE.format(name)) from None


def _about_control_characters(text: str) -> list[Oddity]:
    if CONTROL_CHARACTER.search(text) is None:
        return []
    lines = ((number, control_characters_in(line)) for number, line in enumerate(split_lines(text), 1))
    return [_control_characters_removed(found, number) for number, found in lines if found]


def _control_characters_removed(found: str, line: int) -> Oddity:
    return Oddity(f"control characters ({found}) were removed: they show nothing", line)


def _without_control_characters(script: FinishedScript) -> FinishedScript:
    """A script without those that a format can hold escaped, or as it is: JSON, spreadsheets, XML."""
    removed: list[Oddity] = []

    def plain(line: FinishedLine) -> FinishedLine:
        texts = {each.name: getattr(line, each.name) for each in fields(line)}
        texts = {name: text for name, text in texts.items() if isinstance(text, str)}
        found = control_characters_in("".join(texts.values()))
        if not found:
            return line
        removed.append(_control_characters_removed(found, line.line))
        return replace(line, **{name: without_control_characters(text).strip() for name, text in texts.items()})

    language = canonical_language(script.language) if script.language else ""
    if language is None:
        shown = without_control_characters(script.language)
        removed.append(Oddity(f"its language is {quoted(shown)}, which is not known: left out"))
    lines, untimed = ([plain(line) for line in each] for each in (script.lines, script.untimed))
    return replace(
        script,
        lines=tuple(line for line in lines if line.text),
        untimed=tuple(line for line in untimed if line.text),
        oddities=(*script.oddities, *removed),
        title=without_control_characters(script.title),
        language=language or "",
    )


def _no_script(text: str, name: str, otherwise: str = "") -> BadInputError:
    """Why a text is none: as a table it may lack what a script needs."""
    giant = giant_cell(text)
    if giant is not None:
        return BadInputError(
            f"{name} has a cell of over {csv.field_size_limit():,} characters (line {giant}), which is no line of a"
            " script: shorten it, or close the quotation mark where it begins"
        )
    written = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    for at, line in written[:TITLE_ROWS]:
        if any(names_columns(line.split(delimiter)) for delimiter in DELIMITERS):
            what = "has the headings of a table, but no row below them with a text"
            return BadInputError(f"{name} {what} (line {at}): check that it is the right file, or export it again")
    needed = (
        "a script needs two columns: when a line is spoken, and its text; separate them by commas, semicolons or tabs"
    )
    if written and column_of(written[0][1]) is not None:
        return BadInputError(f"{name} has one column (“{written[0][1].strip()}”, line {written[0][0]}): {needed}")
    if written and name.lower().endswith((".csv", ".tsv")):
        return BadInputError(f"{name} has no columns of times and texts (line {written[0][0]}): {needed}")
    return BadInputError(otherwise or f"{name} is not a script that can be read: adstudio imports {READ}")


def _in_film(script: FinishedScript, clock: ScriptClock) -> FinishedScript:
    """A script of clock times, counted from the start timecode."""
    offset = clock.clock_offset
    if not offset:
        return script
    lines = (
        replace(line, start=line.start - offset, end=None if line.end is None else line.end - offset)
        for line in script.lines
    )
    return replace(script, lines=tuple(lines))


def _from_office(data: bytes, name: str, clock: ScriptClock, choices: ColumnChoices | None) -> FinishedScript:
    kind, tables = office_tables(data, name)
    try:
        found = _best_table(tables.grids, clock, name, choices)
    except UnclearColumnsError as error:
        if choices is not None or not tables.timed or len(error.columns) > 1:
            raise
        found = None
    if found is None and choices is None:
        found = finished_table(tables.timed, clock, name)
    if found is None:
        what = "sheet" if kind == "xlsx" else "table"
        raise BadInputError(
            f"{name} has no {what} with the times and the text of lines in it: name its columns in a row of headings,"
            " such as TC in, TC out, Text"
        )
    title = found.title or own_title(tables.above)[0]
    return replace(found, oddities=(*tables.oddities, *found.oddities), title=title)


def _grids(text: str) -> list[tuple[list[GridRow], list[int], str]]:
    """The grids that a text may be, the likeliest first: those with known headings; a subtitle file is none.

    With each the lines whose quotation mark is not closed, and what keeps its cells apart.
    """
    if _TIMES_OF_A_CUE.search(text):
        return []
    # Timecode has semicolons in it, so they come after commas.
    found = [(*separated(text, delimiter), delimiter) for delimiter in ("\t", ",", ";", "|") if delimiter in text]
    markdown = [GridRow(at, cells) for at, line in enumerate(text.splitlines(), 1) if (cells := cells_of(line))]
    found += [(markdown, [], " | "), (spaced(text), [], "")]
    grids = [each for each in found if any(len(row.cells) > 1 for row in each[0])]
    headed = [each for each in grids if any(names_columns(row.cells) for row in each[0][:TITLE_ROWS])]
    if _ARROW_BETWEEN_TIMES.search(text):
        return headed
    return [*headed, *(each for each in grids if each not in headed), (timed(text.splitlines()), [], _PARAGRAPHS)]


def _best_table(
    grids: Sequence[Sequence[GridRow]], clock: ScriptClock, name: str, choices: ColumnChoices | None
) -> FinishedScript | None:
    """The script in the tables of a document: those with the same columns as the first that is one are one script."""
    unclear: UnclearColumnsError | None = None
    found: list[FinishedScript] = []
    others = versions = 0
    for grid in grids:
        try:
            table = finished_table(grid, clock, name, choices)
        except UnclearColumnsError as error:
            unclear, others = unclear or error, others + 1
            continue
        if table is None or not (table.lines or table.untimed):
            others += 1
        elif _is_version(table, found):
            versions += 1
        else:
            found.append(table)
    if not found:
        if unclear is not None:
            raise unclear
        return None
    # What is odd about columns is so in all tables.
    odd = [each for table in found for each in table.oddities if each.line is not None]
    odd = [*dict.fromkeys(each for table in found for each in table.oddities if each.line is None), *odd]
    if len(found) > 1:
        odd.insert(0, Oddity(f"{len(found)} tables of it were read as one script"))
    if others:
        count = "1 other table" if others == 1 else f"{others} other tables"
        odd.insert(0, Oddity(f"{count} of it cannot be read as a script, so not used"))
    if versions:
        count = "1 table" if versions == 1 else f"{versions} tables"
        odd.insert(
            0, Oddity(f"{count} of it with lines at the same times: taken for another version of the script, not used")
        )
    return replace(
        found[0],
        lines=tuple(line for each in found for line in each.lines),
        untimed=tuple(line for each in found for line in each.untimed),
        oddities=tuple(odd),
    )


def _is_version(table: FinishedScript, others: Sequence[FinishedScript]) -> bool:
    """Whether a table is another version of one of the others: most of its lines start together with theirs."""
    starts = {line.start // _TOGETHER_MS for other in others for line in other.lines}
    together = sum(line.start // _TOGETHER_MS in starts for line in table.lines)
    return len(table.lines) >= _LEAST_VERSION and together * 2 > len(table.lines)
