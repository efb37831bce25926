"""The script as a spreadsheet: XLSX, written by openpyxl."""

from __future__ import annotations

import importlib
import io
from collections.abc import Mapping, Sequence
from copy import copy
from decimal import Decimal
from math import ceil
from typing import Any

from adstudio.core.errors import Oddity
from adstudio.delivery.columns import HEADINGS, Cell, ScriptTable
from adstudio.delivery.document_head import KIND, DocumentHead
from adstudio.delivery.tables import FORMULA_STARTS
from adstudio.delivery.text import document_text
from adstudio.system.office_package import repacked

LONGEST_CELL = 32_767
"""Characters: what spreadsheets hold in a cell."""
WIDTHS = {
    **dict.fromkeys(("number", "speed"), 8),
    "duck": 10,
    **dict.fromkeys(("in", "out", "dialogue end"), 13),
    **dict.fromkeys(("in s", "out s", "duration s", "status"), 11),
    **dict.fromkeys(("dialogue cue", "next dialogue"), 24),
    **dict.fromkeys(("notes", "pronunciation"), 20),
    "text": 50,
    **dict.fromkeys(("voice", "dialogue speaker"), 14),
}
"""The columns' widths in characters."""
_CENTRED = frozenset({"number", "in", "out", "dialogue end", "duration s", "speed", "duck", "status", "in s", "out s"})
_HEAD_ROW = 4
_FONT, _SIZE, _TEXT_SIZE = "Arial", 10, 13
_HEAD_FILL, _INK, _QUIET, _RULE = "FFE4EAF1", "FF1F2937", "FF5B6675", "FFC9D1DB"


def spreadsheet(table: ScriptTable, head: DocumentHead, columns: Sequence[str]) -> tuple[bytes, tuple[Oddity, ...]]:
    """The script's table with its head, and the texts that are longer than a cell can be.

    Headings repeat on each page and name the columns to screen readers. Numbers are numbers; every text is a text,
    whatever it begins with, and stays one when its cell is edited.

    Raises:
        TimeError: for a start timecode that is not valid at the frame rate.
    """
    openpyxl: Any = importlib.import_module("openpyxl")  # it has no types
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Script"
    _write_head(sheet, head)
    oddities: list[Oddity] = []
    rows = table.rows()
    looks = _Looks()
    for place, name in enumerate(columns, 1):
        looks.dress_heading(sheet.cell(_HEAD_ROW, place, HEADINGS[name]), name)
        sheet.column_dimensions[sheet.cell(_HEAD_ROW, place).column_letter].width = WIDTHS[name]
    for number, row in enumerate(rows, _HEAD_ROW + 1):
        for place, name in enumerate(columns, 1):
            cell = sheet.cell(number, place)
            looks.dress(cell, name)
            if not set_cell(cell, row[name]):
                what = f"line {row['number']}: {HEADINGS[name]} has more than {LONGEST_CELL:,} characters, so it is cut"
                oddities.append(Oddity(what))
        sheet.row_dimensions[number].height = _height(row, columns)
    _lay_out(sheet, head, len(columns), len(rows))
    properties = book.properties
    properties.title, properties.creator, properties.language = head.title, "adstudio", head.language
    written = io.BytesIO()
    book.save(written)
    return repacked(written.getvalue(), head.date), tuple(oddities)


def set_cell(cell: Any, value: Cell) -> bool:  # noqa: ANN401 - of a library without types
    """Put a value into a cell, a text as a text; False if it had to be cut."""
    if value is None:
        cell.value = None
        return True
    if isinstance(value, int | Decimal):
        cell.value = value if isinstance(value, int) else float(value)
        return True
    text = document_text(value)
    cell.value = text[:LONGEST_CELL]
    cell.data_type = "s"
    cell.quotePrefix = text.startswith(FORMULA_STARTS)
    return len(text) <= LONGEST_CELL


def _height(row: Mapping[str, Cell], columns: Sequence[str]) -> float:
    """Points that a row needs: programs differ in whether they find out by themselves."""
    most = 1.0
    for name in columns:
        size = _TEXT_SIZE if name == "text" else _SIZE
        room = WIDTHS[name] * _TEXT_SIZE / size
        text = "" if row[name] is None else str(row[name])
        lines = sum(max(1, ceil(len(line) / room)) for line in text.split("\n"))
        most = max(most, lines * size / _SIZE)
    return min(most * _SIZE * 1.35 + 5, 409)


class _Looks:
    """How cells look: a column's look is put together once, since openpyxl searches for each part of it."""

    def __init__(self) -> None:
        styles: Any = importlib.import_module("openpyxl.styles")
        rule = styles.Side(style="thin", color=_RULE)
        self._heading = styles.Font(name=_FONT, size=_SIZE, bold=True, color=_INK)
        self._fill = styles.PatternFill("solid", start_color=_HEAD_FILL)
        self._text = styles.Font(name=_FONT, size=_TEXT_SIZE, color=_INK)
        self._rest = styles.Font(name=_FONT, size=_SIZE, color=_INK)
        self._border = styles.Border(bottom=rule)
        self._centred = styles.Alignment(horizontal="center", vertical="top", wrap_text=True)
        self._left = styles.Alignment(vertical="top", wrap_text=True)
        self._of_columns: dict[str, Any] = {}

    def dress_heading(self, cell: Any, column: str) -> None:  # noqa: ANN401 - of a library without types
        cell.font, cell.fill, cell.border = self._heading, self._fill, self._border
        cell.alignment = self._centred if column in _CENTRED else self._left

    def dress(self, cell: Any, column: str) -> None:  # noqa: ANN401 - of a library without types
        if column in self._of_columns:
            cell._style = copy(self._of_columns[column])  # noqa: SLF001 - looks whole
            return
        cell.font = self._text if column == "text" else self._rest
        cell.border = self._border
        cell.alignment = self._centred if column in _CENTRED else self._left
        if column in {"in s", "out s", "duration s"}:
            cell.number_format = "0.000"
        elif column == "duck":
            cell.number_format = "0.0"
        elif column not in {"number", "speed"}:
            cell.number_format = "@"
        self._of_columns[column] = copy(cell._style)  # noqa: SLF001


def _write_head(sheet: Any, head: DocumentHead) -> None:  # noqa: ANN401 - of a library without types
    styles: Any = importlib.import_module("openpyxl.styles")
    set_cell(sheet.cell(1, 1), head.title)
    sheet.cell(1, 1).font = styles.Font(name=_FONT, size=20, bold=True, color=_INK)
    set_cell(sheet.cell(2, 1), " · ".join((KIND, *head.facts)))
    sheet.cell(2, 1).font = styles.Font(name=_FONT, size=11, color=_QUIET)
    sheet.row_dimensions[1].height = 30
    sheet.row_dimensions[3].height = 8
    sheet.row_dimensions[_HEAD_ROW].height = 30
    for row in (1, 2):
        sheet.cell(row, 1).alignment = styles.Alignment(vertical="center")


def _lay_out(sheet: Any, head: DocumentHead, columns: int, rows: int) -> None:  # noqa: ANN401 - of a library without types
    table: Any = importlib.import_module("openpyxl.worksheet.table")
    last = f"{sheet.cell(_HEAD_ROW, columns).column_letter}{_HEAD_ROW + rows}"
    if rows:
        # A table in the spreadsheet's own sense: screen readers name its columns.
        listed = table.Table(displayName="Script", ref=f"A{_HEAD_ROW}:{last}")
        listed.tableStyleInfo = table.TableStyleInfo(name="TableStyleLight1", showRowStripes=False)
        sheet.add_table(listed)
    sheet.freeze_panes = f"A{_HEAD_ROW + 1}"
    sheet.sheet_view.showGridLines = False
    sheet.print_title_rows = f"{_HEAD_ROW}:{_HEAD_ROW}"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = sheet.PAPERSIZE_A4
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.page_margins.left = sheet.page_margins.right = 0.4
    sheet.page_margins.top, sheet.page_margins.bottom = 0.75, 0.75
    sheet.page_margins.header = sheet.page_margins.footer = 0.35
    # In headers & begins a code.
    sheet.oddHeader.left.text = code_free(head.title)
    sheet.oddHeader.right.text = code_free(head.running)
    sheet.oddFooter.center.text = "Page &P of &N"


def code_free(text: str) -> str:
    """A text for a header: without what it could end in or begin as a code, and short enough for it."""
    return text.replace("&", "and")[:100]
