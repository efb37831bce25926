"""Of a tree of units, the worthiest selection of each size: a knapsack on a tree, solved exactly.

A unit stands only where its governor stands. Units under one governor come in groups; a group may need one of its
units at least, and may cost words of its own as soon as one of them stands ("and").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """Units that may be left out, by position. `needed`: one must stay; `words`: words added if any stays."""

    units: tuple[int, ...]
    needed: bool = False
    words: int = 0


@dataclass(frozen=True)
class Unit:
    """Words that stay or go together: how many, what they are worth, and what depends on them."""

    words: int
    worth: int
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True)
class Selection:
    """The places of the units that stay, and what they are worth together."""

    worth: int
    units: frozenset[int]


_Chosen = tuple["_Chosen", "_Chosen"] | int | None
"""A selection while it is put together: nothing, one unit, or two selections."""
_Table = dict[int, tuple[int, _Chosen]]
"""By number of words, the worthiest selection."""


def best_of_each_size(units: Sequence[Unit], root: int) -> Mapping[int, Selection]:
    """By number of words, the selection with the root that is worth most; sizes that no selection has are not there.

    Exact, and always the same among equals. For n words in all the tables take O(n²) steps: two tables are merged in
    as many steps as there are pairs of words that first meet in them.
    """
    tables: dict[int, _Table] = {}
    for at in _children_first(units, root):
        table: _Table = {units[at].words: (units[at].worth, at)}
        for group in units[at].groups:
            table = _both(table, _of_group(group, tables))
        tables[at] = table
    return {size: Selection(worth, _flat(chosen)) for size, (worth, chosen) in sorted(tables[root].items())}


def _children_first(units: Sequence[Unit], root: int) -> list[int]:
    order: list[int] = []
    waiting = [root]
    while waiting:
        at = waiting.pop()
        order.append(at)
        waiting.extend(unit for group in units[at].groups for unit in group.units)
    return order[::-1]


def _of_group(group: Group, tables: Mapping[int, _Table]) -> _Table:
    some: _Table = {}
    for unit in group.units:
        table = tables[unit]
        some = _better(some, _better(_both(some, table), table))
    table = {size + group.words: chosen for size, chosen in some.items()}
    return table if group.needed else _better({0: (0, None)}, table)


def _both(one: _Table, other: _Table) -> _Table:
    found: _Table = {}
    for size, (worth, chosen) in one.items():
        for more, (added, also) in other.items():
            known = found.get(size + more)
            if known is None or worth + added > known[0]:
                found[size + more] = (worth + added, (chosen, also))
    return found


def _better(one: _Table, other: _Table) -> _Table:
    found = dict(one)
    for size, candidate in other.items():
        if size not in found or candidate[0] > found[size][0]:
            found[size] = candidate
    return found


def _flat(chosen: _Chosen) -> frozenset[int]:
    found: set[int] = set()
    waiting = [chosen]
    while waiting:
        at = waiting.pop()
        if isinstance(at, tuple):
            waiting.extend(at)
        elif at is not None:
            found.add(at)
    return frozenset(found)
