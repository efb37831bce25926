"""Which rows a step, or another plan, has changed: found by identity, so that what was not touched costs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adstudio.core.plan import Delivery
from adstudio.core.script import Eventuality
from adstudio.core.timebase import Span
from adstudio.ui.table.cells import News
from adstudio.ui.table.lines import Line, Lines
from adstudio.ui.table.order import common_ends


@dataclass(frozen=True)
class Difference:
    """`changed`: lines that are others, or spoken otherwise; `dirty`: those and the ones that share a gap with them.

    `everything`: nothing can be said to have stayed. `news`: what the plan has done to lines.
    """

    changed: frozenset[str] = frozenset()
    dirty: frozenset[str] = frozenset()
    everything: bool = False
    news: Mapping[str, News] = field(default_factory=dict[str, News])


EVERYTHING = Difference(everything=True)


def affected(old: Lines, new: Lines, known: Mapping[str, Line]) -> Difference:
    """What differs between two states; `known` are the rows that somebody has looked at in the old one."""
    before, after = old.script, new.script
    if before is not after and (before.film != after.film or before.settings != after.settings):
        return EVERYTHING
    spoken = list(_respoken(old.outcome.plan.deliveries, new.outcome.plan.deliveries))
    changed = {delivery.element for delivery in spoken}
    changed |= set(_reworded(before.eventualities, after.eventualities))
    if old.outcome is not new.outcome:
        changed |= old.conflicting ^ new.conflicting
        changed |= {d.element for d in {*old.outcome.shown_apart} ^ {*new.outcome.shown_apart}}
    regaps = [] if old.gaps is new.gaps else sorted({*old.gaps} ^ {*new.gaps})
    dirty = changed | set(_neighbours(old, new, spoken, regaps, known))
    return Difference(frozenset(changed), frozenset(dirty), news=_news(old, new, spoken))


def _news(old: Lines, new: Lines, spoken: Sequence[Delivery]) -> dict[str, News]:
    """How each line of these deliveries fares now; of lines that are gone from the script there is none."""
    before, after = old.outcome.plan.by_element, new.outcome.plan.by_element
    found: dict[str, News] = {}
    for identity in {each.element for each in spoken} & new.script.eventuality_index.keys():
        was, now = before.get(identity), after.get(identity)
        if was is None or now is None:
            found[identity] = News.CAME if was is None else News.WENT
        else:
            found[identity] = News.MOVED if was.variant == now.variant else News.REWORDED
    return found


def _reworded(before: Sequence[Eventuality], after: Sequence[Eventuality]) -> Iterator[str]:
    """The ids of what came, went, changed or moved among eventualities."""
    head, tail = common_ends(before, after)
    for items in (before, after):
        for item in items[head : len(items) - tail]:
            yield item.id


def _respoken(before: Sequence[Delivery], after: Sequence[Delivery]) -> Iterator[Delivery]:
    """The deliveries that only one of the plans has."""
    if before is after:
        return
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and (before[head] is after[head] or before[head] == after[head]):
        head += 1
    tail = 0
    while tail < shorter - head and (before[-1 - tail] is after[-1 - tail] or before[-1 - tail] == after[-1 - tail]):
        tail += 1
    yield from {*before[head : len(before) - tail]} ^ {*after[head : len(after) - tail]}


def _neighbours(
    old: Lines, new: Lines, spoken: Sequence[Delivery], regaps: Sequence[Span], known: Mapping[str, Line]
) -> Iterator[str]:
    """The lines whose gap has other room now, among those that somebody has looked at."""
    starts = {gap.start for lines in (old, new) for each in spoken if (gap := lines.gap_around(each.span)) is not None}
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
