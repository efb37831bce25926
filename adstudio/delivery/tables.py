"""Tables for spreadsheets as text: CSV (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from adstudio.core.control_characters import without_control_characters
from adstudio.core.narration import Lexicon
from adstudio.core.timebase import FrameRate
from adstudio.delivery.columns import COLUMNS, Cell, ScriptTable
from adstudio.delivery.lines import ScriptLine
from adstudio.delivery.text import encoded

FORMULA_STARTS = tuple("=+-@\t\r\n")
"""What a cell begins with that spreadsheets take for a formula."""
_BYTE_ORDER_MARK = "\ufeff"


def csv_table(
    lines: Iterable[ScriptLine],
    *,
    frame_rate: FrameRate,
    start_timecode: str,
    film_end: int,
    separator: str = ",",
    columns: Sequence[str] = COLUMNS,
    lexicon: Lexicon = (),
) -> bytes:
    """A script's table in the form of `csv_rows`; the columns are those of `ScriptTable`.

    Raises:
        TimeError: for a start timecode that is not valid at this rate.
    """
    table = ScriptTable(tuple(lines), frame_rate, start_timecode, film_end, lexicon)
    return csv_rows(columns, ([row[name] for name in columns] for row in table.rows()), separator)


def csv_rows(headings: Sequence[str], rows: Iterable[Sequence[Cell]], separator: str = ",") -> bytes:
    """Values separated by commas, or otherwise, in UTF-8 with a byte-order mark: Excel needs it to detect the encoding.

    A text that starts with `=`, `+`, `-`, `@`, a tab or a line break gets an apostrophe in front, as spreadsheets would
    run it as a formula; dialogue that starts with a dash is affected too.
    """
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\r\n", delimiter=separator)
    table.writerow(headings)
    table.writerows([_cell(value) for value in row] for row in rows)
    return encoded(_BYTE_ORDER_MARK + written.getvalue())


def _cell(value: Cell) -> str:
    if not isinstance(value, str):
        return "" if value is None else str(value)
    plain = without_control_characters(value)
    return f"'{plain}" if plain.startswith(FORMULA_STARTS) else plain
