"""The script as a table for spreadsheets: CSV as RFC 4180 has it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from adstudio.core.timebase import FrameRate, Span
from adstudio.delivery.lines import ScriptLine
from adstudio.delivery.text import decimal_seconds, encoded

COLUMNS = ("number", "in", "out", "in s", "out s", "duration s", "text", "next dialogue", "notes")
"""The headings, in this order."""

_FORMULA_STARTS = tuple("=+-@\t\r\n")
_BYTE_ORDER_MARK = "\ufeff"


def csv_table(lines: Iterable[ScriptLine], *, frame_rate: FrameRate, start_timecode: str, film_end: int) -> bytes:
    """Comma-separated values, in UTF-8 with a byte-order mark, without which Excel takes letters for others.

    `in` and `out` are SMPTE labels at the film's rate, counted from its start timecode; a label rounded to a frame
    never leaves its gap. Seconds have three places. A cell that starts with `=`, `+`, `-`, `@`, a tab or a line break
    gets an apostrophe before it, as a spreadsheet would otherwise run it as a formula; a dialogue that starts with a
    dash is one of those.

    Raises:
        TimeError: for a start timecode that is no label at this rate.
    """
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\r\n")
    table.writerow(COLUMNS)
    for line in lines:
        first, last = frame_rate.labels_inside(line.span, line.gap or Span(0, film_end), start=start_timecode)
        table.writerow(
            (
                line.number,
                first,
                last,
                decimal_seconds(line.span.start),
                decimal_seconds(line.span.end),
                decimal_seconds(line.span.length),
                _cell(line.text),
                _cell(line.next_dialogue.text if line.next_dialogue else ""),
                _cell(line.notes),
            )
        )
    return encoded(_BYTE_ORDER_MARK + written.getvalue())


def _cell(text: str) -> str:
    plain = text.replace("\x00", "\ufffd")
    return f"'{plain}" if plain.startswith(_FORMULA_STARTS) else plain
