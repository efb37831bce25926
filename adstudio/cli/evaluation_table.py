"""The table of an evaluation on the terminal: plain text, as wide as the terminal at most, whole where it is piped."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from adstudio.cli.streams import on_one_line
from adstudio.evaluation.messages import (
    MEASURE_NAMES,
    Row,
    differences,
    filter_message,
    mark,
    mark_notes,
    measures_of,
    rows_of,
    run_notes,
    score,
    signed,
)
from adstudio.evaluation.results import Evaluation, Measure
from adstudio.evaluation.run_comparison import RunComparison

_NAME_WIDTH = 12
"""Cells that the systems' names need at least; less, and the measures are spread over several tables."""
_MEASURE_WIDTH = 9
"""Cells of a column of a measure, with its marks and the space before it."""
_SPACE = "\ue000"
"""A space beside a number, which rich would take away: of private use, and replaced in the end."""
_WHOLE = 10_000
_Cell = tuple[str, str]
"""A number and its stars."""
_CellOf = Callable[[Row, Measure], _Cell]


def table_lines(
    evaluation: Evaluation, width: int | None = None, base: str | None = None, compared: RunComparison | None = None
) -> Iterator[str]:
    """The paper's table, a row for each system, and what the reader needs to know below it.

    Args:
        evaluation: what was found.
        width: the columns of the terminal; None where there is none, and nothing is wrapped.
        base: the system that others are compared with (default: the first).
        compared: an earlier run beside this one, in a table of its own.
    """
    rows, measures = rows_of(evaluation), measures_of(evaluation)
    base = rows[0].system.name if base is None and rows else base or ""
    tests = differences(evaluation, base)

    def mean(row: Row, measure: Measure) -> _Cell:
        test = tests.get((row.system.name, measure))
        value = row.system.mean.get(measure)
        return "–" if value is None else score(value), "" if test is None else mark(test.p)

    yield from _tables(rows, measures, width, mean)
    notes = [*mark_notes(evaluation, base), *filter(None, map(filter_message, rows))]
    for film in evaluation.films:
        notes += [f"{film.name}: {note}" for note in film.notes]
    yield from map(on_one_line, (*notes, *evaluation.notes))
    if compared is not None:
        yield from _earlier(rows, measures, width, compared)


def _earlier(
    rows: Sequence[Row], measures: Sequence[Measure], width: int | None, compared: RunComparison
) -> Iterator[str]:
    changes = {(each.system, each.measure): each for each in compared.changes}
    shared = [row for row in rows if any((row.system.name, measure) in changes for measure in measures)]

    def change(row: Row, measure: Measure) -> _Cell:
        found = changes.get((row.system.name, measure))
        return ("–", "") if found is None else (signed(found.difference), mark(found.p))

    yield ""
    yield on_one_line(f"Since {compared.earlier}:")
    if shared:
        yield ""
        yield from _tables(shared, measures, width, change)
    yield from map(on_one_line, run_notes(compared))


def _tables(rows: Sequence[Row], measures: Sequence[Measure], width: int | None, cell: _CellOf) -> Iterator[str]:
    """As many tables as the width needs, each with a part of the measures and an empty line below it."""
    fitting = len(measures) if width is None else max(1, (width - _NAME_WIDTH) // _MEASURE_WIDTH)
    fitting -= fitting % 2 if 1 < fitting < len(measures) else 0  # a group has two
    for start in range(0, len(measures), fitting or 1):
        yield from _table(rows, measures[start : start + fitting], width or _WHOLE, cell)
        yield ""


def _table(rows: Sequence[Row], measures: Sequence[Measure], width: int, cell: _CellOf) -> Iterator[str]:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("System", overflow="fold", vertical="top")
    for name in map(MEASURE_NAMES.__getitem__, measures):
        heading = f"{name.group}{_SPACE * 2}\n{name.column}{_SPACE * 2}"
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        cells = [("  " if row.indented else "") + on_one_line(row.label)]
        for number, stars in (cell(row, measure) for measure in measures):
            cells.append(number + stars.ljust(2, _SPACE))
        table.add_row(*map(Text, cells))
    with io.StringIO() as text:
        Console(file=text, width=width, color_system=None, highlight=False, emoji=False, markup=False).print(table)
        yield from (line.replace(_SPACE, " ").rstrip() for line in text.getvalue().splitlines())
