"""Which rows of the script table differ between two states of the session, found without looking at all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from adstudio.core.script import Eventuality
from adstudio.core.timebase import Span
from adstudio.planning.problem import Problem
from adstudio.ui.table.line_facts import Line, Lines
from adstudio.ui.table.row_order import common_ends


@dataclass(frozen=True)
class ChangedRows:
    """Which rows a step, or another plan, has changed.

    `changed`: lines edited, or spoken differently; `dirty`: those and the ones that share a gap with them.
    `everything`: all rows are to be built anew. `reordered`: lines were added, removed or moved.
    """

    changed: frozenset[str] = frozenset()
    dirty: frozenset[str] = frozenset()
    everything: bool = False
    reordered: bool = False


EVERYTHING = ChangedRows(everything=True)


def affected(old: Lines, new: Lines, respoken: AbstractSet[str], known: Mapping[str, Line]) -> ChangedRows:
    """What differs between two states, found by identity, so that what was not touched costs nothing.

    `respoken` are the lines that the new plan speaks differently, `known` the rows that were built for the old state.
    """
    before, after = old.script, new.script
    if before is not after and (before.film != after.film or before.settings != after.settings):
        return EVERYTHING
    gone, come = _reworded(before.eventualities, after.eventualities)
    shifted = _respoken(old, new)
    changed = {*respoken, *shifted, *gone, *come}
    if old.outcome.conflicts is not new.outcome.conflicts or old.outcome.overlay != new.outcome.overlay:
        changed |= old.conflicting ^ new.conflicting
        changed |= {d.element for d in {*old.outcome.overlay} ^ {*new.outcome.overlay}}
    if before.lengths is not after.lengths or before.narrator != after.narrator:
        changed.update(_lasting_otherwise(new, known))
    moved = shifted if gone == come else {*shifted, *gone, *come}
    dirty = changed | set(_neighbours(old, new, moved, known))
    return ChangedRows(frozenset(changed), frozenset(dirty), reordered=gone != come)


def _reworded(before: Sequence[Eventuality], after: Sequence[Eventuality]) -> tuple[list[str], list[str]]:
    """The ids of the eventualities between what is equal at both ends, before and after."""
    head, tail = common_ends(before, after)
    gone, come = ([each.id for each in items[head : len(items) - tail]] for items in (before, after))
    return gone, come


def _respoken(old: Lines, new: Lines) -> set[str]:
    """The lines that are spoken differently, by however little."""
    before, after = old.outcome.plan.deliveries, new.outcome.plan.deliveries
    head, tail = common_ends(before, after)
    differing = {*before[head : len(before) - tail]} ^ {*after[head : len(after) - tail]}
    return {line for each in differing for line in each.lines}


def _lasting_otherwise(new: Lines, known: Mapping[str, Line]) -> Iterator[str]:
    """The known lines whose length, or its source, is another one now."""
    script, voiced = new.script, bool(new.script.voice.engine)
    for identity, row in known.items():
        place = script.eventuality_index.get(identity)
        line = None if place is None else script.eventualities[place]
        if line is None or line is not row.eventuality:
            continue
        needs = row.length if row.delivery else min(new.rooms.element(identity).durations)
        length = *script.planned_length(line, row.variant), needs, voiced
        if length != (row.length, row.source, row.needs, row.voiced):
            yield identity


def _neighbours(old: Lines, new: Lines, moved: AbstractSet[str], known: Mapping[str, Line]) -> Iterator[str]:
    """The known lines that have another room now.

    Room depends on the lines spoken before and after in script order, on the gaps in reach, and on what the share of
    these gaps has left.
    """
    before, after = old.rooms.problem, new.rooms.problem
    regaps = set() if before.gaps is after.gaps else {*before.gaps} ^ {*after.gaps}
    for lines in (old, new):
        yield from (each for each in _between(lines, moved) if each in known)
        if after.capped:
            spoken = lines.outcome.plan.by_line
            gaps = (lines.gap_around(spoken[each].span) for each in moved & spoken.keys())
            regaps |= {gap for gap in gaps if gap is not None}
    if regaps:
        first, last = min(gap.start for gap in regaps), max(gap.end for gap in regaps)
        yield from _in_reach(after, first, last, known)
    if before.elements is not after.elements and (old.outcome.overlay or new.outcome.overlay):
        # Locks in conflict limit the lines around them.
        yield from (each for each in known if _limits(old, each) != _limits(new, each))


def _between(lines: Lines, moved: AbstractSet[str]) -> Iterator[str]:
    """Every line up to the next spoken one on either side of lines that have moved, in script order."""
    index, every, spoken = lines.script.eventuality_index, lines.script.eventualities, lines.outcome.plan.by_line
    until = -1
    for place in sorted(index[each] for each in moved if each in index):
        first = last = place
        while first > until + 1 and (first == place or every[first].id in moved or every[first].id not in spoken):
            first -= 1
        while last < len(every) - 1 and (last == place or every[last].id in moved or every[last].id not in spoken):
            last += 1
        yield from (every[between].id for between in range(max(first, until + 1), last + 1))
        until = max(until, last)


def _in_reach(problem: Problem, first: int, last: int, known: Mapping[str, Line]) -> Iterator[str]:
    """The lines that are, or might be, spoken between two times."""
    least, most = 2 * (first - problem.late), 2 * (last + problem.early)
    for identity, line in known.items():
        happens, delivery = line.eventuality.occurrence, line.delivery
        if (happens is not None and least <= happens.start + happens.end <= most) or (
            delivery is not None and delivery.start <= last and first <= delivery.end
        ):
            yield identity


def _limits(lines: Lines, identity: str) -> Span | None:
    return lines.rooms.element(identity).within if identity in lines.script.eventuality_index else None
