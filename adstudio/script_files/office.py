"""The tables in office files: the sheets of XLSX and the tables of DOCX, as grids of cells.

Nothing in them is run or followed: macros, links, pictures and entities are left alone. What is unpacked is bounded
before any library sees it.
"""

from __future__ import annotations

import datetime as dt
import importlib
import io
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from adstudio.core.control_characters import CONTROL_CHARACTER
from adstudio.core.errors import BadInputError, Oddity
from adstudio.script_files.columns import MOST_COLUMNS, names_columns
from adstudio.script_files.grids import TITLE_ROWS, GridRow, timed
from adstudio.system.office_package import PackageLimits, package_parts

_LIMITS = PackageLimits(
    parts=5_000,
    part=30_000_000,  # a script of a film has one or two million
    unpacked=200_000_000,
    refusal="is too large unpacked for a script: check that it is the right file",
)
_BOOK, _BODY = "xl/workbook.xml", "word/document.xml"
_MOST_ROWS = 100_000
_MOST_CELLS = 1_000_000
"""Those with something in them."""
_MOST_TABLES = 500
_MOST_ABOVE = 50
_LONGEST_CELL = 100_000
_EXTERNAL = re.compile(rb'TargetMode\s*=\s*["\']External')
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
"""A character that XML cannot hold, and a carriage return, as spreadsheets write them (ISO 29500-1, 22.9.2.19)."""
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"


@dataclass(frozen=True)
class OfficeTables:
    """The grids of a file: sheets or tables, in order; what was left alone; and a document's paragraphs before them."""

    grids: tuple[Sequence[GridRow], ...]
    oddities: tuple[Oddity, ...] = ()
    above: tuple[str, ...] = ()
    timed: Sequence[GridRow] = ()
    """What a document’s rows are as lines of a text with times, where its tables are no script."""


def office_tables(data: bytes, name: str) -> tuple[str, OfficeTables]:
    """The file's kind (`xlsx`, `docx`) and its tables.

    Raises:
        BadInputError: for other files, damaged ones, those with a password, and those that are too large unpacked.
    """
    parts: set[str] = set()
    body, reaches = b"", False
    for part, content in package_parts(data, name, _LIMITS, xml_only=True):
        parts.add(part)
        body = content if part == _BODY else body
        reaches = reaches or (part.lower().endswith(".rels") and _EXTERNAL.search(content) is not None)
    oddities: list[Oddity] = []
    if any(part.lower().endswith("vbaproject.bin") for part in parts):
        oddities.append(Oddity("the file has macros, which were not run"))
    if reaches:
        oddities.append(Oddity("the file refers to other files or addresses, which were not opened"))
    if _BOOK in parts:
        grids, hidden = _xlsx(data, name)
        if hidden:
            oddities.append(Oddity(f"hidden sheets were not read: {', '.join(hidden)}"))
        return "xlsx", OfficeTables(grids, tuple(oddities))
    if _BODY in parts:
        return "docx", replace(_docx(body, name), oddities=tuple(oddities))
    raise BadInputError(f"{name} is neither a spreadsheet (XLSX) nor a document (DOCX): save it as one")


def _xlsx(data: bytes, name: str) -> tuple[tuple[Sequence[GridRow], ...], list[str]]:
    """The sheets, and the names of those that are hidden, such as former versions."""
    # openpyxl has no types.
    openpyxl: Any = importlib.import_module("openpyxl")
    grids: list[Sequence[GridRow]] = []
    hidden: list[str] = []
    left = _MOST_CELLS
    try:
        # It warns of what it does not read: styles, names, pictures.
        with warnings.catch_warnings(action="ignore"):
            # Values as they were saved: nothing is calculated.
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            for sheet in islice(book.worksheets, _MOST_TABLES):
                if sheet.sheet_state != "visible":
                    hidden.append(f"“{sheet.title}”")
                    continue
                sheet.reset_dimensions()
                rows, left = _sheet(sheet, left)
                grids.append(rows)
            book.close()
    except Exception as error:  # the library raises whatever a damaged file leads to
        what = f"{name} cannot be read as a spreadsheet: open it in an office program, and save it anew"
        raise BadInputError(what) from error
    if left < 0:
        raise BadInputError(f"{name} has more rows or cells than a script: delete what does not belong to it")
    return tuple(grids), hidden


def _sheet(sheet: Any, left: int) -> tuple[list[GridRow], int]:  # noqa: ANN401 - of a library without types
    """The rows with anything in them, and how many more cells may be read; negative if there are too many."""
    rows: list[GridRow] = []
    for number, values in enumerate(sheet.iter_rows(values_only=True, max_col=MOST_COLUMNS), 1):
        row = [_text(value) for value in values]
        left = -1 if number > _MOST_ROWS else left - len(row) + row.count("")
        if left < 0:
            break
        if any(row):
            rows.append(GridRow(number, row))
    return rows, left


def _text(value: object) -> str:
    """What a cell shows; times as clock times."""
    match value:
        case None:
            return ""
        case float() if value.is_integer():
            return str(int(value))
        case dt.time():
            return _clock(value.hour * 3600 + value.minute * 60 + value.second, value.microsecond)
        case dt.timedelta():
            return _clock(value.days * 86_400 + value.seconds, value.microseconds)
        case dt.datetime() if value.year < 1901:
            # Excel's zero: times of a day or more are dates of its first days.
            days = (value - dt.datetime(1899, 12, 30)).days  # noqa: DTZ001 - it has no zone
            return _clock(days * 86_400 + value.hour * 3600 + value.minute * 60 + value.second, value.microsecond)
        case _:
            return _ESCAPE.sub(_escaped, str(value)[:_LONGEST_CELL]).strip()


def _escaped(found: re.Match[str]) -> str:
    char = chr(int(found[1], 16))
    return char if char in "\r\n\t" or CONTROL_CHARACTER.fullmatch(char) else found[0]


def _clock(seconds: int, microseconds: int) -> str:
    ms = round(microseconds / 1000)
    seconds, ms = seconds + ms // 1000, ms % 1000
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{ms:03d}"


def _docx(body: bytes, name: str) -> OfficeTables:
    try:
        root = ET.fromstring(body)  # noqa: S314 - declares no entities, as checked
    except (ET.ParseError, LookupError, ValueError) as error:
        what = f"{name} cannot be read as a document: open it in an office program, and save it anew"
        raise BadInputError(what) from error
    space = _STRICT if root.tag.startswith(_STRICT) else _WORD
    tables = list(islice(_outermost(root, f"{space}tbl"), _MOST_TABLES))
    grids = tuple(_table(table, space) for table in tables)
    lines = timed([_cell(each, space) for each in islice(_outermost(root, f"{space}p", but=f"{space}tbl"), _MOST_ROWS)])
    headed = any(names_columns(row.cells) for grid in grids for row in grid[:TITLE_ROWS])
    if not headed and len(lines) > sum(map(len, grids)):
        return OfficeTables((lines,))
    if not tables:
        raise BadInputError(
            f"{name} has no table with a row for each line, and no times before its paragraphs; a text is"
            " drafted from with adstudio draft --description"
        )
    rows = timed([" ".join(filter(None, row.cells)) for grid in grids for row in grid])
    return OfficeTables(grids, above=tuple(_above(root, space)), timed=rows)


def _above(root: Element, space: str) -> Iterator[str]:
    """The first paragraphs, up to a table."""
    for element in islice(root.find(f"{space}body") or (), _MOST_ABOVE):
        if element.tag == f"{space}tbl":
            return
        text = _cell(element, space)
        if text:
            yield text


def _outermost(root: Element, tag: str, but: str = "") -> Iterator[Element]:
    """The elements below with that tag, in order, that are in none of the same tag, nor of `but`.

    One within belongs to its cell.
    """
    waiting = list(reversed(root))
    while waiting:
        element = waiting.pop()
        if element.tag == tag:
            yield element
        elif element.tag != but:
            waiting += reversed(element)


def _table(table: Element, space: str) -> list[GridRow]:
    rows: list[GridRow] = []
    for number, row in enumerate(islice(_outermost(table, f"{space}tr"), _MOST_ROWS), 1):
        cells: list[str] = []
        for cell in _outermost(row, f"{space}tc"):
            span = cell.find(f"{space}tcPr/{space}gridSpan")
            width = "" if span is None else span.get(f"{space}val", "")
            cells.append(_cell(cell, space))
            cells += [""] * min(int(width) - 1 if width.isdecimal() and len(width) < 4 else 0, MOST_COLUMNS)
        if any(cells):
            rows.append(GridRow(number, cells[:MOST_COLUMNS]))
    return rows


def _cell(cell: Element, space: str) -> str:
    """A cell's text, a line for each paragraph, without what was deleted with changes tracked."""
    paragraphs: list[str] = []
    breaks = {f"{space}tab": " ", f"{space}br": "\n", f"{space}cr": "\n"} | {f"{space}noBreakHyphen": "\u2011"}
    for paragraph in cell.iter(f"{space}p"):
        written = [
            (each.text or "") if each.tag == f"{space}t" else breaks.get(each.tag, "") for each in paragraph.iter()
        ]
        paragraphs.append("".join(written).strip())
    return "\n".join(filter(None, paragraphs))[:_LONGEST_CELL]
