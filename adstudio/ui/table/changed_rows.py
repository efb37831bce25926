"""Which rows a step, or another plan, has changed: found by identity, so that what was not touched costs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from adstudio.core.script import Eventuality
from adstudio.core.timebase import Span
from adstudio.ui.table.cell_content import RowChange
from adstudio.ui.table.line_facts import Line, Lines
from adstudio.ui.table.row_order import common_ends


@dataclass(frozen=True)
class ChangedRows:
    """`changed`: lines that are others, or spoken otherwise; `dirty`: those and the ones that share a gap with them.

    `everything`: nothing can be said to have stayed. `reordered`: lines came, went or moved. `news`: what the plan has
    done to lines.
    """

    changed: frozenset[str] = frozenset()
    dirty: frozenset[str] = frozenset()
    everything: bool = False
    reordered: bool = False
    news: Mapping[str, RowChange] = field(default_factory=dict[str, RowChange])


EVERYTHING = ChangedRows(everything=True)


def affected(old: Lines, new: Lines, respoken: AbstractSet[str], known: Mapping[str, Line]) -> ChangedRows:
    """What differs between two states.

    `respoken` are the lines that the new plan speaks otherwise, `known` the rows that somebody has looked at in the old
    state.
    """
    before, after = old.script, new.script
    if before is not after and (before.film != after.film or before.settings != after.settings):
        return EVERYTHING
    gone, come = _reworded(before.eventualities, after.eventualities)
    changed = {*respoken, *gone, *come}
    if old.outcome.conflicts is not new.outcome.conflicts or old.outcome.overlay != new.outcome.overlay:
        changed |= old.conflicting ^ new.conflicting
        changed |= {d.element for d in {*old.outcome.overlay} ^ {*new.outcome.overlay}}
    regaps = [] if old.gaps is new.gaps else sorted({*old.gaps} ^ {*new.gaps})
    dirty = changed | set(_neighbours(old, new, changed, regaps, known))
    return ChangedRows(
        frozenset(changed), frozenset(dirty), reordered=gone != come, news=_news(old, new, frozenset(respoken))
    )


def _news(old: Lines, new: Lines, respoken: frozenset[str]) -> dict[str, RowChange]:
    """How each line fares that is spoken otherwise; of lines that are gone from the script there is none."""
    before, after = old.outcome.plan.by_element, new.outcome.plan.by_element
    found: dict[str, RowChange] = {}
    for identity in respoken & new.script.eventuality_index.keys():
        was, now = before.get(identity), after.get(identity)
        if was is None and now is None:
            continue
        if was is None or now is None:
            found[identity] = RowChange.CAME if was is None else RowChange.WENT
        else:
            found[identity] = RowChange.MOVED if was.variant == now.variant else RowChange.REWORDED
    return found


def _reworded(before: Sequence[Eventuality], after: Sequence[Eventuality]) -> tuple[list[str], list[str]]:
    """The ids of the eventualities between what is equal at both ends, as they stood and as they stand."""
    head, tail = common_ends(before, after)
    gone, come = ([each.id for each in items[head : len(items) - tail]] for items in (before, after))
    return gone, come


def _neighbours(
    old: Lines, new: Lines, changed: AbstractSet[str], regaps: Sequence[Span], known: Mapping[str, Line]
) -> Iterator[str]:
    """The lines whose gap has other room now, among those that somebody has looked at."""
    starts: set[int] = set()
    for lines in (old, new):
        spoken = lines.outcome.plan.by_element
        for each in changed & spoken.keys():
            gap = lines.gap_around(spoken[each].span)
            if gap is not None:
                starts.add(gap.start)
    starts |= {gap.start for gap in regaps}
    if not starts:
        return
    window = new.script.settings.delta_max
    first, last = (regaps[0].start - window, regaps[-1].end + window) if regaps else (1, 0)
    for identity, line in known.items():
        if (line.gap is not None and line.gap.start in starts) or (
            first <= last and not line.spoken and line.time is not None and first <= line.time <= last
        ):
            yield identity
