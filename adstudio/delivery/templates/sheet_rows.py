"""Rows of a sheet repeated with all that belongs to them: looks, heights, merged cells, formulas, tables."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from copy import copy
from math import ceil
from typing import Any

from adstudio.delivery.templates.row_shift import RowShift

_TALLEST = 409.0
"""Points of the tallest row."""
_USUAL_WIDTH, _USUAL_SIZE = 8.43, 11.0

Sheet = Any
"""A sheet of openpyxl, which has no types."""
Fill = Callable[[Any, str, int], None]
"""Fills a cell whose text has placeholders with the line of a number, from 0."""


def cells_of(sheet: Sheet) -> list[Any]:
    """The cells that have something in them, row by row."""
    found = sheet._cells  # noqa: SLF001 - openpyxl would go through the empty ones
    return [found[place] for place in sorted(found) if found[place].value is not None]


def repeat_rows(book: Any, sheet: Sheet, shift: RowShift, fill: Fill) -> None:  # noqa: ANN401 - openpyxl has no types
    """Repeat rows, and have everything below and all that refers to it follow."""
    merged = [each.coord for each in sheet.merged_cells.ranges]
    for each in merged:
        sheet.unmerge_cells(each)
    block = [
        [(cell.column, cell.value, copy(cell._style), cell.data_type) for cell in row]  # noqa: SLF001 - looks whole
        for row in sheet.iter_rows(min_row=shift.first, max_row=shift.last)
    ]
    heights = [sheet.row_dimensions[row].height for row in range(shift.first, shift.last + 1)]
    _move_down(sheet, shift)
    _shift_formulas(book, sheet, shift)
    _write_copies(sheet, shift, block, fill)
    _merge_again(sheet, shift, merged)
    for number in range(shift.size * shift.times):
        _set_height(sheet, shift.first + number, heights[number % shift.size])
    _shift_ranges(sheet, shift)


def _move_down(sheet: Sheet, shift: RowShift) -> None:
    # Only the cells that there are: a sheet may have one in its last corner.
    for row, column in sorted(sheet._cells, reverse=True):  # noqa: SLF001 - openpyxl would go through the empty ones
        if row > shift.last:
            cell = sheet._cells.pop((row, column))  # noqa: SLF001
            cell.row = row + shift.by
            sheet._cells[cell.row, column] = cell  # noqa: SLF001
            if cell.hyperlink is not None:
                cell.hyperlink.ref = cell.coordinate
    for row in sorted((row for row in sheet.row_dimensions if row > shift.last), reverse=True):
        old = sheet.row_dimensions.pop(row)
        new = sheet.row_dimensions[row + shift.by]
        new.height, new.hidden = old.height, old.hidden
    for image in (*sheet._images, *sheet._charts):  # noqa: SLF001 - openpyxl has no other list of them
        for corner in ("_from", "to"):
            anchor = getattr(image.anchor, corner, None)
            if anchor is not None:
                anchor.row = shift.start(anchor.row + 1) - 1


def _shift_formulas(book: Any, sheet: Sheet, shift: RowShift) -> None:  # noqa: ANN401 - openpyxl has no types
    for each in book.worksheets:
        for cell in cells_of(each):
            if cell.data_type == "f" and isinstance(cell.value, str):
                cell.value = shift.formula(cell.value, same_sheet=each is sheet, sheet=sheet.title)
        for chart in each._charts:  # noqa: SLF001
            for series in chart.series:
                for source in (series.tx, series.cat, series.val, getattr(series, "xVal", None)):
                    for reference in (getattr(source, "numRef", None), getattr(source, "strRef", None)):
                        if reference is not None and reference.f:
                            reference.f = _named_cells(reference.f, sheet, shift)
    for names in (book.defined_names, *(each.defined_names for each in book.worksheets)):
        for defined in names.values():
            if defined.value:
                defined.value = _named_cells(defined.value, sheet, shift)


def _named_cells(written: str, sheet: Sheet, shift: RowShift) -> str:
    """Cells that are referred to with their sheet, such as `AD!$D$5:$D$9`."""
    return shift.formula(f"={written}", same_sheet=False, sheet=sheet.title, whole=True).removeprefix("=")


def _write_copies(sheet: Sheet, shift: RowShift, block: list[list[Any]], fill: Fill) -> None:
    translator: Any = importlib.import_module("openpyxl.formula.translate").Translator
    for number in range(shift.times):
        for place, row in enumerate(block):
            for column, value, style, kind in row:
                origin = sheet.cell(shift.first + place, column).coordinate
                cell = sheet.cell(shift.first + number * shift.size + place, column)
                cell._style = copy(style)  # noqa: SLF001
                if kind == "f" and isinstance(value, str):
                    cell.value = translator(value, origin=origin).translate_formula(cell.coordinate)
                    continue
                cell.value = value
                if isinstance(value, str):
                    cell.data_type = kind
                    fill(cell, value, number)


def _merge_again(sheet: Sheet, shift: RowShift, merged: list[str]) -> None:
    cells: Any = importlib.import_module("openpyxl.worksheet.cell_range")
    for coord in merged:
        each = cells.CellRange(coord)
        if shift.first <= each.min_row and each.max_row <= shift.last:
            for number in range(shift.times):
                copied = cells.CellRange(coord)
                copied.shift(row_shift=number * shift.size)
                sheet.merge_cells(copied.coord)
        else:
            sheet.merge_cells(shift.range(coord))


def _set_height(sheet: Sheet, row: int, height: float | None) -> None:
    """As high as the template's row, higher where its texts need that: not every program finds out by itself."""
    most = height or 0.0
    for cell in sheet[row]:
        if not isinstance(cell.value, str) or not cell.alignment.wrap_text:
            continue
        size = cell.font.sz or _USUAL_SIZE
        width = sheet.column_dimensions[cell.column_letter].width or _USUAL_WIDTH
        room = max(width * 13 / size, 1.0)
        lines = sum(max(1, ceil(len(line) / room)) for line in cell.value.split("\n"))
        most = max(most, lines * size * 1.3 + 4)
    if most:
        sheet.row_dimensions[row].height = min(most, _TALLEST)


def _shift_ranges(sheet: Sheet, shift: RowShift) -> None:
    """Conditional formats, validations, tables, filters, the ends of pages and the printed area."""
    formatting: Any = importlib.import_module("openpyxl.formatting.formatting")
    before, sheet.conditional_formatting = sheet.conditional_formatting, formatting.ConditionalFormattingList()
    for each in before:
        for rule in each.rules:
            sheet.conditional_formatting.add(shift.range(str(each.sqref)), rule)
    ranges: Any = importlib.import_module("openpyxl.worksheet.cell_range")
    for validation in sheet.data_validations.dataValidation:
        validation.sqref = ranges.MultiCellRange(shift.range(str(validation.sqref)))
    for table in sheet.tables.values():
        table.ref = shift.range(table.ref)
        if table.autoFilter is not None and table.autoFilter.ref:
            table.autoFilter.ref = shift.range(table.autoFilter.ref)
    if sheet.auto_filter.ref:
        sheet.auto_filter.ref = shift.range(sheet.auto_filter.ref)
    for page in sheet.row_breaks.brk:
        page.id = shift.end(page.id)
    if sheet.print_area:
        area = sheet.print_area
        sheet.print_area = shift.range((area if isinstance(area, str) else area[0]).rpartition("!")[2])
