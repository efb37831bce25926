"""A house's spreadsheet, filled in: {{title}} and the like anywhere, one row of a sheet (or a few) for each line."""

from __future__ import annotations

import importlib
import io
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adstudio.core.errors import BadInputError, Oddity
from adstudio.delivery.columns import Cell, ScriptTable
from adstudio.delivery.document_head import DocumentHead
from adstudio.delivery.spreadsheet import LONGEST_CELL, code_free, set_cell
from adstudio.delivery.template_file import Template
from adstudio.delivery.templates.cleaning import Parts, cleaned, unpacked
from adstudio.delivery.templates.placeholders import (
    PLACEHOLDER,
    Filler,
    as_text,
    document_values,
    has_line_placeholder,
    line_values,
    name_of,
    no_line,
)
from adstudio.delivery.templates.row_shift import RowShift
from adstudio.delivery.templates.sheet_rows import Sheet, cells_of, repeat_rows
from adstudio.system.office_package import packed, repacked

_BOOK = "xl/workbook.xml"
_MOST_CELLS = 2_000_000
_MOST_ROWS = 1_048_576
"""Of a sheet."""
_ANEW = "open it in an office program, and save it anew"
_HEADERS = ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter")
_REACHING = re.compile(
    r"\[\d+\]|\||file:|https?:|\b(?:WEBSERVICE|FILTERXML|IMAGE|RTD|CALL|REGISTER(?:\.ID)?|HYPERLINK|SQL\.REQUEST)\s*\(",
    re.IGNORECASE,
)
"""What a formula has that reaches beyond the file: another workbook, a program, an address."""
_LOST = {
    "xl/pivotTables/": "pivot tables",
    "xl/slicers/": "slicers",
    "xl/queryTables/": "queries",
    "xl/connections.xml": "connections to data",
    "xl/externalLinks/": "links to other workbooks",
    "xl/threadedComments/": "threaded comments",
}
_LOST_MARKUP = {
    "shapes and text boxes": ("xl/drawings/drawing", re.compile(rb"<(?:\w+:)?(?:sp|cxnSp|grpSp)[ >]")),
    "looks of single words in a cell": ("xl/", re.compile(rb"<(?:\w+:)?(?:si|is)>\s*<(?:\w+:)?r>")),
    "drop-down lists of other sheets": ("xl/worksheets/", re.compile(rb"<x14:dataValidation[ />]")),
    "data bars and icons of newer Excel": ("xl/worksheets/", re.compile(rb"<x14:cfRule[ />]")),
    "sparklines": ("xl/worksheets/", re.compile(rb"<x14:sparkline[ />]")),
}


def fill_sheet_template(template: Template, table: ScriptTable, head: DocumentHead) -> tuple[bytes, tuple[Oddity, ...]]:
    """The spreadsheet, and what of the template was taken out or left as it is.

    Raises:
        BadInputError: for a template that cannot be used.
        TimeError: for a start timecode that is not valid at the frame rate.
    """
    parts = unpacked(template.data, template.name)
    if _BOOK not in parts:
        raise BadInputError(f"{template.name} is no spreadsheet: choose one, saved as .xlsx")
    parts, removed = cleaned(parts, template.name)
    lines = [line_values(row) for row in table.rows()] or [no_line()]
    book = _opened(parts, template.name)
    oddities = [*removed, *_lost(parts), *_remove_reaching(book)]
    sheet, first, last = _block(book, template.name)
    shift = RowShift(first, last, len(lines))
    if shift.size * len(lines) * sheet.max_column > _MOST_CELLS or sheet.max_row + shift.by > _MOST_ROWS:
        raise BadInputError(f"{template.name}: the row that is repeated has too many cells for {len(lines):,} lines")
    filling = _Filling(document_values(head))
    written = io.BytesIO()
    try:
        for each in book.worksheets:
            filling.fill_sheet(each, range(first, last + 1) if each is sheet else range(0))
        repeat_rows(book, sheet, shift, lambda cell, text, number: filling.put(cell, text, lines[number]))
        book.save(written)
    except Exception as error:  # the library finds only now what is damaged
        raise BadInputError(f"{template.name} cannot be filled in: {_ANEW}") from error
    oddities += [*filling.filler.oddities(template.name), *filling.oddities]
    return repacked(written.getvalue(), head.date), tuple(oddities)


@dataclass
class _Filling:
    """Puts values into cells."""

    values: Mapping[str, Cell]
    filler: Filler = field(default_factory=Filler)
    oddities: list[Oddity] = field(default_factory=list[Oddity])

    def fill_sheet(self, sheet: Sheet, repeated: Sequence[int]) -> None:
        """Fill the placeholders of a sheet, its headers and footers; not those of the rows that are repeated."""
        for cell in cells_of(sheet):
            if cell.data_type == "f" and PLACEHOLDER.search(str(cell.value)):
                self.oddities.append(Oddity(f"the formula in {cell.coordinate} has a placeholder, which stays"))
            elif cell.row not in repeated and isinstance(cell.value, str) and cell.data_type != "f":
                self.put(cell, cell.value, {})
        texts = {name: code_free(as_text(name, value)) for name, value in self.values.items()}
        for name in _HEADERS:
            for side in ("left", "center", "right"):
                said = getattr(getattr(sheet, name), side)
                if said.text and PLACEHOLDER.search(said.text):
                    said.text = self.filler.filled(said.text, texts)

    def put(self, cell: Any, text: str, line: Mapping[str, Cell]) -> None:  # noqa: ANN401 - of a library without types
        """Put a text with its placeholders filled into a cell; a number alone is a number, nothing leaves it empty."""
        if not PLACEHOLDER.search(text):
            return
        values = {**self.values, **line}
        whole = PLACEHOLDER.fullmatch(text.strip())
        value = values.get(name_of(whole[1]), text) if whole else text
        if isinstance(value, str):
            value = self.filler.filled(text, values)
        if not set_cell(cell, value):
            what = f"{cell.coordinate}: a text has more than {LONGEST_CELL:,} characters, so it is cut"
            self.oddities.append(Oddity(what))


def _opened(parts: Parts, name: str) -> Any:  # noqa: ANN401 - openpyxl has no types
    openpyxl: Any = importlib.import_module("openpyxl")
    try:
        # It warns of what it does not keep; that is said by `_lost`.
        with warnings.catch_warnings(action="ignore"):
            book = openpyxl.load_workbook(io.BytesIO(packed(parts)), keep_vba=False, keep_links=False)
    except Exception as error:  # the library raises whatever a damaged file leads to
        raise BadInputError(f"{name} cannot be read as a spreadsheet: {_ANEW}") from error
    for sheet in book.worksheets:
        sheet._pivots = []  # noqa: SLF001 - they draw on data that is not there any more
    return book


def _block(book: Any, name: str) -> tuple[Sheet, int, int]:  # noqa: ANN401 - openpyxl has no types
    """The sheet with the rows that stand for a line, the first and the last of them.

    Raises:
        BadInputError: if there are none, or some in two places.
    """
    found = {
        (at, cell.row)
        for at, sheet in enumerate(book.worksheets)
        for cell in cells_of(sheet)
        if isinstance(cell.value, str) and cell.data_type != "f" and has_line_placeholder(cell.value)
    }
    if not found:
        raise BadInputError(
            f"{name} has no row with a placeholder of a line: write one, such as {{{{text}}}}, into the row that is to"
            " be repeated"
        )
    sheets, rows = {at for at, _ in found}, sorted(row for _, row in found)
    if len(sheets) > 1 or rows[-1] - rows[0] != len(rows) - 1:
        raise BadInputError(f"{name} has placeholders of a line in rows that are not together: keep them in one place")
    return book.worksheets[sheets.pop()], rows[0], rows[-1]


def _remove_reaching(book: Any) -> Iterator[Oddity]:  # noqa: ANN401 - openpyxl has no types
    """Take out formulas and names that reach beyond the file."""
    what = "reaches beyond the file and was taken out, since nothing beyond a template is followed or run"
    for sheet in book.worksheets:
        for cell in cells_of(sheet):
            formula = cell.value if isinstance(cell.value, str) else getattr(cell.value, "text", "") or ""
            if cell.data_type == "f" and _REACHING.search(formula):
                cell.value = None
                yield Oddity(f"the template’s formula in {cell.coordinate} {what}")
    for names in (book.defined_names, *(sheet.defined_names for sheet in book.worksheets)):
        for name in [name for name, defined in names.items() if _REACHING.search(defined.value or "")]:
            del names[name]
            yield Oddity(f"the template’s name “{name[:40]}” {what}")


def _lost(parts: Parts) -> Iterator[Oddity]:
    """What the library that fills spreadsheets does not keep."""
    gone = [what for start, what in _LOST.items() if any(part.startswith(start) for part in parts)]
    for what, (start, markup) in _LOST_MARKUP.items():
        if any(part.startswith(start) and markup.search(content) for part, content in parts.items()):
            gone.append(what)
    if gone:
        yield Oddity(f"not kept of the template: {', '.join(gone)}")
