"""Which rows the table shows and in what order: filter, search and sorting, without any Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice
from typing import Self

from adstudio.core.script import Eventuality
from adstudio.editing.replacing import Where
from adstudio.editing.search import Search
from adstudio.ui.session.timing_confidence import TimingConfidence, timing_confidence
from adstudio.ui.table.line_facts import Filter, Line, State, origin_word, pin_words


class Column(IntEnum):
    """The columns, from left to right: what is written over each, what it means, and the longest words usual in it."""

    title: str
    meaning: str
    sample: str

    def __new__(cls, place: int, title: str, meaning: str, sample: str) -> Self:
        """A column."""
        column = int.__new__(cls, place)
        column._value_ = place
        column.title, column.meaning, column.sample = title, meaning, sample
        return column

    NUMBER = 0, "No.", "The number of the line that says it, as in exports; rows stay in script order", "0000"
    TIME = 1, "In", "When it is spoken; for a line left out, when the action is", "00:00:00:00"
    OUT = 2, "Out", "When it has been spoken; for a line left out, when the action ends", "00:00:00:00"
    STATE = 3, "State", "Whether the plan speaks it", "Left out · fits"
    TEXT = 4, "Text", "The wording that is spoken now", "She looks down, hiding a smile."
    WORDING = 5, "Wording", "Which of its wordings is spoken, and how far it is compressed", "6/6 · 100 %"
    SECONDS = 6, "Length", "How long it takes to speak; ≈: not measured yet", "≈ 10.0 s"
    ROOM = 7, "To spare", "How much longer it could be while all other lines stay; below 0: too long", "nothing"
    DRIFT = 8, "From action", "How early or late it is, middle to middle; marked where that is far", "10.0 s early"
    SALIENCE = (
        9,
        "Salience",
        "What the story would lose without it; in a plan it counts times the seconds spoken",
        "0.00",
    )
    SURE = (
        10,
        "Time confidence",
        "How confident the draft is about the time of the action; empty where you set it",
        "a guess (31 %)",
    )
    PIN = 11, "Lock", "What you have locked", "start · wording 2"
    ORIGIN = 12, "By", "Who wrote it", "Machine"
    SEEN = 13, "Review", "Unseen, seen or accepted", "Accepted"
    NOTE = 14, "Note", "Your note", "A remark to oneself"


_STATES = {state: place for place, state in enumerate(State)}

Key = tuple[object, ...]

SORT_KEYS: dict[Column, Callable[[Line], Key]] = {
    Column.NUMBER: lambda _: (),
    Column.TIME: lambda line: (line.time is None, line.time or 0),
    Column.OUT: lambda line: (line.out is None, line.out or 0),
    Column.STATE: lambda line: (_STATES[line.state],),
    Column.TEXT: lambda line: (line.text.casefold(),),
    Column.WORDING: lambda line: (line.variant, -len(line.eventuality.variants)),
    Column.SECONDS: lambda line: (line.length,),
    Column.ROOM: lambda line: (line.spare is None, line.spare or 0),
    Column.DRIFT: lambda line: (line.drift is None, -abs(line.drift or 0)),
    Column.SALIENCE: lambda line: (line.eventuality.salience or 0,),
    Column.PIN: lambda line: (pin_words(line.pin) == "", pin_words(line.pin)),
    Column.ORIGIN: lambda line: (origin_word(line.eventuality.origin),),
    Column.SEEN: lambda line: (line.eventuality.accepted, line.eventuality.seen),
    Column.NOTE: lambda line: (line.eventuality.note == "", line.eventuality.note.casefold()),
    Column.SURE: lambda line: _least_sure_first(line.eventuality),
}
"""What rows are sorted by; equal rows stay in script order."""


def _least_sure_first(line: Eventuality) -> Key:
    """First what has no time, then the least certain, last what a person set."""
    level = timing_confidence(line)
    return (level is None, level is not TimingConfidence.NOWHERE, line.confidence or 0)


@dataclass(frozen=True)
class RowFilter:
    """Which lines to show: a chip, and what is to be found in some of their texts."""

    chip: Filter = Filter.ALL
    search: Search = field(default_factory=Search)
    where: Where = Where.NOTES

    @property
    def everything(self) -> bool:
        """Whether nothing is filtered."""
        return self.chip is Filter.ALL and not self.search.text


@dataclass(frozen=True)
class RowShift:
    """One row operation: the row is removed (`to` None), inserted (`row` None), or moved to end up in row `to`."""

    identity: str
    row: int | None
    to: int | None


def shifts(shown: Sequence[str], wanted: Sequence[str], changed: Iterable[str]) -> list[RowShift] | None:
    """The operations, in order, that make `wanted` of `shown`, when all but `changed` keep their order; else None.

    Rows are numbered as they stand when their turn comes.
    """
    head, tail = common_ends(shown, wanted)
    rows, wanted = list(shown[head : len(shown) - tail]), wanted[head : len(wanted) - tail]
    keep, before = frozenset(wanted), frozenset(rows)
    loose = frozenset(changed) | (keep - before)
    found: list[RowShift] = []
    for row in range(len(rows) - 1, -1, -1):
        if rows[row] not in keep:
            found.append(RowShift(rows[row], head + row, None))
            del rows[row]
    for place, identity in enumerate(wanted):
        if identity in loose:
            row = rows.index(identity) if identity in before else None
            if row is not None:
                del rows[row]
            to = 0 if place == 0 else rows.index(wanted[place - 1]) + 1
            rows.insert(to, identity)
            if row != to:
                found.append(RowShift(identity, None if row is None else head + row, head + to))
    return found if rows == list(wanted) else None


def ranges(rows: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The runs of neighbouring rows, first and last of each."""
    first = last = -2
    for row in sorted(rows):
        if row != last + 1:
            if first >= 0:
                yield first, last
            first = row
        last = row
    if first >= 0:
        yield first, last


def common_ends(one: Sequence[object], other: Sequence[object]) -> tuple[int, int]:
    """How many things are equal at the start of both, and then at the end."""
    shorter = min(len(one), len(other))
    head = _equal(zip(one, other, strict=False), shorter)
    return head, _equal(zip(reversed(one), reversed(other), strict=False), shorter - head)


def _equal(pairs: Iterable[tuple[object, object]], most: int) -> int:
    return next((n for n, (a, b) in enumerate(islice(pairs, most)) if a is not b and a != b), most)
