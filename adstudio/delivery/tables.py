"""The script as a table for spreadsheets: CSV (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from adstudio.core.timebase import FrameRate, Span
from adstudio.delivery.lines import ScriptLine
from adstudio.delivery.text import decimal_seconds, encoded

COLUMNS = ("number", "in", "out", "in s", "out s", "duration s", "text", "next dialogue", "notes")
"""The column headings."""

_FORMULA_STARTS = tuple("=+-@\t\r\n")
_BYTE_ORDER_MARK = "\ufeff"


def csv_table(
    lines: Iterable[ScriptLine],
    *,
    frame_rate: FrameRate,
    start_timecode: str,
    film_end: int,
    separator: str = ",",
    columns: Sequence[str] = COLUMNS,
) -> bytes:
    """Values separated by commas, or otherwise, in UTF-8 with a byte-order mark: Excel needs it to detect the encoding.

    `in` and `out` are SMPTE timecode at the film's rate, counted from its start timecode; rounding to a frame never
    leaves the gap. Seconds have three decimals. A cell that starts with `=`, `+`, `-`, `@`, a tab or a line break gets
    an apostrophe in front, as spreadsheets would run it as a formula; dialogue that starts with a dash is affected too.

    Raises:
        TimeError: for a start timecode that is not valid at this rate.
    """
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\r\n", delimiter=separator)
    table.writerow(columns)
    for line in lines:
        first, last = frame_rate.labels_inside(line.span, line.gap or Span(0, film_end), start=start_timecode)
        cells = (
            str(line.number),
            first,
            last,
            decimal_seconds(line.span.start),
            decimal_seconds(line.span.end),
            decimal_seconds(line.span.length),
            _cell(line.text),
            _cell(line.next_dialogue.text if line.next_dialogue else ""),
            _cell(line.notes),
        )
        of_column: dict[str, object] = dict(zip(COLUMNS, cells, strict=True))
        table.writerow([of_column[name] for name in columns])
    return encoded(_BYTE_ORDER_MARK + written.getvalue())


def _cell(text: str) -> str:
    plain = text.replace("\x00", "\ufffd")
    return f"'{plain}" if plain.startswith(_FORMULA_STARTS) else plain
