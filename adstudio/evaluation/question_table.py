"""Questions as a table for reviewing: written as CSV, edited in a spreadsheet, and read back as CSV or XLSX.

A time is one cell with both ends, which no spreadsheet takes for a time of day, a number or a date of its own. A
reviewer writes yes or no into the last column; what is left empty has not been reviewed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import MAX_TIME_MS, Span, TimeError, clock, ms_from_seconds
from adstudio.core.words import folded
from adstudio.delivery.tables import FORMULA_STARTS, csv_rows
from adstudio.evaluation.questions import LETTERS, MOST, Question, one_line, question_fault, same_answer
from adstudio.script_files.grids import DELIMITERS, GridRow, separated
from adstudio.script_files.office import office_tables
from adstudio.subtitles.decoding import decode
from adstudio.subtitles.errors import SubtitleError
from adstudio.system.office_package import is_office

COLUMNS = ("id", "film", "reference", "sequence", "time", "question", *LETTERS, "right", "keep")
_REQUIRED = ("id", "question", *LETTERS, "right")
_MOST_FAULTS = 5
"""Faults that a message names."""
_SHOWN = 40
_YES = frozenset(["yes", "y", "true", "1", "x", "keep", "ja", "oui", "sí", "si", "wahr", "vrai", "verdadero"])
_NO = frozenset(["no", "n", "false", "0", "drop", "nein", "non", "falsch", "faux", "falso"])
_TIME = re.compile(r"(?P<start>[\d:.,]+)\s*(?:-->|[-–—]|to)\s*(?P<end>[\d:.,]+)\Z")
_CLOCK = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,2}):)?(\d{1,6}(?:[.,]\d{1,3})?)\Z")


def questions_csv(questions: Sequence[Question]) -> bytes:
    """The table as CSV with the columns of `COLUMNS`; a text that a spreadsheet would run gets an apostrophe."""
    return csv_rows(COLUMNS, map(_row, questions))


def _row(question: Question) -> list[str]:
    span, keep = question.span, question.keep
    time = "" if span is None else f"{clock(span.start)} – {clock(span.end)}"
    decided = "" if keep is None else "yes" if keep else "no"
    about = (question.id, question.film, question.reference, question.sequence, time)
    return [_guarded(each) for each in (*about, question.text, *question.answers, LETTERS[question.right], decided)]


def _guarded(text: str) -> str:
    """A text whose own apostrophe stays; where it needs one, `csv_rows` gives it."""
    return f"'{text}" if text.startswith("'") and text.lstrip("'").startswith(FORMULA_STARTS) else text


def questions_in_table(data: bytes, name: str) -> tuple[Question, ...]:
    """The questions in a table with headings, whatever the order of its columns; others are ignored.

    Raises:
        BadInputError: for a file without such a table, and for one with faults: each is named with its line.
    """
    columns, rows = _table(data, name)
    questions: list[Question] = []
    known: dict[str, int] = {}
    faults: list[str] = []
    for row in rows:
        cells = {column: row.cells[at] if at < len(row.cells) else "" for column, at in columns.items()}
        question, fault = _question({column: _unguarded(one_line(cell)) for column, cell in cells.items()})
        if question is not None and question.id in known:
            fault = f"the id “{question.id[:_SHOWN]}” is that of line {known[question.id]} too"
        if question is None or fault:
            faults.append(f"line {row.line}: {fault}")
            continue
        known[question.id] = row.line
        questions.append(question)
    if faults:
        more = len(faults) - _MOST_FAULTS
        named = "; ".join(faults[:_MOST_FAULTS]) + (f"; and {more:,} more" if more > 0 else "")
        raise BadInputError(" ".join(f"{name}: {named}".split()))
    if not questions:
        raise BadInputError(f"{name} has no question: fill in a row of its table")
    if len(questions) > MOST:
        raise BadInputError(f"{name} has {len(questions):,} questions; at most {MOST:,} can be read")
    return tuple(questions)


def _table(data: bytes, name: str) -> tuple[dict[str, int], Sequence[GridRow]]:
    """Where each column is, and the rows below the headings."""
    for grid in _grids(data, name):
        for at, row in enumerate(grid[:_SHOWN]):
            heads = [folded(cell).strip() for cell in row.cells]
            columns = {column: heads.index(column) for column in COLUMNS if column in heads}
            if all(column in columns for column in _REQUIRED):
                return columns, grid[at + 1 :]
    raise BadInputError(
        f"{name} is no question file: give JSON, CSV or XLSX; a table has a row of headings with {', '.join(_REQUIRED)}"
    )


def _grids(data: bytes, name: str) -> Sequence[Sequence[GridRow]]:
    if is_office(data):
        return office_tables(data, name)[1].grids
    try:
        source, _ = decode(data, name)
    except SubtitleError:
        return ()
    text = source.clean(source.text)
    return [separated(text, delimiter)[0] for delimiter in DELIMITERS if delimiter in text]


def _question(cells: dict[str, str]) -> tuple[Question | None, str]:
    """The question in a row, or what is wrong with it."""
    answers = tuple(cells[letter] for letter in LETTERS)
    right = _right(cells["right"], answers)
    if right is None:
        return None, f"“{cells['right'][:_SHOWN]}” is none of the letters {LETTERS[0]} to {LETTERS[-1]} (right)"
    try:
        span = _span(cells.get("time", ""))
    except (TimeError, ValueError):
        return None, f"“{cells['time'][:_SHOWN]}” is no time such as 00:01:02.500 – 00:01:04.000"
    keep, word = None, folded(cells.get("keep", ""))
    if word:
        if word not in _YES | _NO:
            return None, f"“{word[:_SHOWN]}” is neither yes nor no (keep)"
        keep = word in _YES
    sequence, film, reference = (cells.get(column, "") for column in ("sequence", "film", "reference"))
    question = Question(cells["id"], cells["question"], answers, right, span, sequence, film, reference, keep)
    return question, question_fault(question)


def _right(cell: str, answers: tuple[str, ...]) -> int | None:
    """The index of the right answer: its letter, or the answer itself."""
    plain = folded(cell).strip(" .)(")
    if len(plain) == 1 and plain in LETTERS:
        return LETTERS.index(plain)
    same = [at for at, answer in enumerate(answers) if plain and same_answer(answer) == same_answer(cell)]
    return same[0] if len(same) == 1 else None


def _span(cell: str) -> Span | None:
    """The time in a cell, None in an empty one; raises TimeError or ValueError for what is none."""
    if not cell:
        return None
    found = _TIME.match(cell)
    if found is None:
        raise ValueError(cell)
    return Span(_ms(found["start"]), _ms(found["end"]))


def _ms(written: str) -> int:
    found = _CLOCK.match(written)
    if found is None:
        raise ValueError(written)
    minutes = 60 * int(found[1] or 0) + int(found[2] or 0)
    ms = 60_000 * minutes + ms_from_seconds(found[3].replace(",", "."))
    if ms > MAX_TIME_MS:
        raise ValueError(written)
    return ms


def _unguarded(text: str) -> str:
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(FORMULA_STARTS) else text
