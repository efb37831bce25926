"""What becomes of the rows of a sheet, and of what refers to them, when some of its rows are repeated."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from typing import Any

_CELL = re.compile(r"(\$?[A-Z]{1,3}\$?)(\d{1,7})\Z")
_RANGE = re.compile(r"(\$?[A-Z]{1,3}\$?)(\d{1,7})(?::(\$?[A-Z]{1,3}\$?)(\d{1,7}))?")


@dataclass(frozen=True)
class RowShift:
    """The rows `first` to `last` (from 1) stand there `times` times, one below the other."""

    first: int
    last: int
    times: int

    @property
    def size(self) -> int:
        """Rows that are repeated together."""
        return self.last - self.first + 1

    @property
    def by(self) -> int:
        """How many rows further down is what was below."""
        return self.size * (self.times - 1)

    def start(self, row: int) -> int:
        """Where a range begins that began in a row."""
        return row + self.by if row > self.last else row

    def end(self, row: int) -> int:
        """Where a range ends that ended in a row: one that ends with the repeated rows has all of them."""
        return row + self.by if row >= self.last else row

    def reference(self, written: str) -> str:
        """Cells as a formula refers to them, such as `$A$5:D9`: a single one stays itself; others are left."""

        def shifted(found: re.Match[str]) -> str:
            begin = f"{found[1]}{self.start(int(found[2]))}"
            return begin if found[3] is None else f"{begin}:{found[3]}{self.end(int(found[4]))}"

        return _RANGE.sub(shifted, written)

    def range(self, written: str) -> str:
        """Ranges with blanks between: those that are a repeated cell have all of its copies."""

        def shifted(found: re.Match[str]) -> str:
            begin, end = self.start(int(found[2])), self.end(int(found[4] or found[2]))
            last = found[3] or found[1]
            return f"{found[1]}{begin}" if (found[1], begin) == (last, end) else f"{found[1]}{begin}:{last}{end}"

        return _RANGE.sub(shifted, written)

    def formula(self, written: str, *, same_sheet: bool, sheet: str, whole: bool = False) -> str:
        """A formula whose references to the sheet follow its cells; `same_sheet`: it is in that sheet itself.

        `whole`: a repeated cell stands for all of its copies, not for the first.
        """
        tokenizer: Any = importlib.import_module("openpyxl.formula.tokenizer")
        tokens = tokenizer.Tokenizer(written).items
        for token in tokens:
            if token.type != tokenizer.Token.OPERAND or token.subtype != tokenizer.Token.RANGE:
                continue
            of, mark, cells = token.value.rpartition("!")
            named = of.strip("'").replace("''", "'")
            if all(_CELL.match(cell) for cell in cells.split(":")) and (named == sheet or (not of and same_sheet)):
                token.value = f"{of}{mark}{self.range(cells) if whole else self.reference(cells)}"
        return "=" + "".join(token.value for token in tokens)
