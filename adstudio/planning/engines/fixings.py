"""Rules between elements that are fixed in or out: what follows from them, and which rules a plan breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from adstudio.planning.engines.options import GAIN_SCALE, NEVER, Option, Row
from adstudio.planning.problem import Problem

Fixings = Mapping[int, bool]
"""Elements, by place, that are fixed in (true) or out."""


class RulesByPlace:
    """A problem's rules, by the places of their elements; `rows` are the options of all elements.

    `tied` are the places of the elements in rules, `count` is how many rules there are.
    """

    def __init__(self, problem: Problem, rows: Sequence[Row]) -> None:
        place, rules = problem.index, problem.rules
        self._rows = rows
        self._alternatives = [[place[name] for name in group] for group in rules.alternatives]
        self._requires = [(place[first], place[second]) for first, second in rules.requires]
        self._together = [[place[name] for name in group] for group in rules.together]
        self._penalties = [(place[p.first], place[p.second], 1000 * p.cost * GAIN_SCALE) for p in rules.penalties]
        self._fused = {
            option.fusion: range(place, place + option.over)
            for place, row in enumerate(rows)
            for option in row.fused_from
        }
        self._fusible = frozenset(place for members in self._fused.values() for place in members)
        self.tied = sorted(place[name] for name in rules.mentioned)
        self.count = len(rules.alternatives) + len(rules.requires) + len(rules.together) + len(rules.penalties)

    def initial(self) -> Fixings | None:
        """What pins fix, and what follows from it; None where that is impossible."""
        fixed: dict[int, bool] = {}
        for place, row in enumerate(self._rows):
            sayable = bool(row.options) or place in self._fusible
            if row.must and not sayable:
                return None
            if row.must or not sayable:
                fixed[place] = row.must
        return self._closed(fixed)

    def extended(self, fixings: Fixings, place: int, *, inside: bool) -> Fixings | None:
        """The fixings with one more, and what follows from them; None where that is impossible."""
        return self._closed({**fixings, place: inside})

    def _closed(self, fixed: dict[int, bool]) -> Fixings | None:
        known = -1
        while len(fixed) > known:
            known = len(fixed)
            for implied, inside in [*self._implied(fixed)]:
                if fixed.setdefault(implied, inside) != inside:
                    return None
        return fixed

    def _implied(self, fixed: Fixings) -> list[tuple[int, bool]]:
        found: list[tuple[int, bool]] = []
        for group in self._alternatives:
            chosen = next((place for place in group if fixed.get(place) is True), None)
            if chosen is not None:
                found += [(place, False) for place in group if place != chosen]
        for first, second in self._requires:
            if fixed.get(first) is True:
                found.append((second, True))
            if fixed.get(second) is False:
                found.append((first, False))
        for group in self._together:
            settled = next((fixed[place] for place in group if place in fixed), None)
            if settled is not None:
                found += [(place, settled) for place in group]
        return found

    def changed_rows(self, fixings: Fixings) -> dict[int, Row]:
        """The options of the elements about which the fixings decide anything.

        A penalty is charged to one element of its pair once the other is fixed in, and to the fusions that say it.
        """
        changed: dict[int, Row] = {}
        for place, inside in fixings.items():
            changed[place] = self._rows[place]._replace(must=True) if inside else _OUT
        charges: Counter[int] = Counter()
        for first, second, cost in self._penalties:
            if fixings.get(first) is True:
                charged = second
            elif fixings.get(second) is True:
                charged = first
            else:
                continue
            row = changed.get(charged, self._rows[charged])
            dearer = tuple([option._replace(gain=option.gain - cost) for option in row.options])
            changed[charged] = row._replace(options=dearer)
            charges[charged] += cost
        if self._fused:
            self._change_fusions(changed, fixings, charges)
        return changed

    def _change_fusions(self, changed: dict[int, Row], fixings: Fixings, charges: Counter[int]) -> None:
        """Take the fusions that say what is fixed out from the rows that they begin and end with, and charge others."""
        gone: set[str] = set()
        costs: dict[str, int] = {}
        for name, members in self._fused.items():
            if any(fixings.get(place) is False for place in members):
                gone.add(name)
            costs[name] = sum(charges[place] for place in members)

        def left(options: tuple[Option, ...]) -> tuple[Option, ...]:
            return tuple([o._replace(gain=o.gain - costs[o.fusion]) for o in options if o.fusion not in gone])

        for place in {place for members in self._fused.values() for place in (members[0], members[-1])}:
            row = changed.get(place, self._rows[place])
            changed[place] = row._replace(fused_from=left(row.fused_from), fused_to=left(row.fused_to))

    def in_question(self, said: AbstractSet[int], fixings: Fixings) -> int | None:
        """The element to fix next: that which most of the rules that a plan breaks are about; None if it breaks none.

        A penalty that the plan was not charged counts as a broken rule.
        """
        about: Counter[int] = Counter()
        for group in self._alternatives:
            if sum(place in said for place in group) > 1:
                about.update(place for place in group if place in said)
        for first, second in self._requires:
            if first in said and second not in said:
                about.update((first, second))
        for group in self._together:
            if 0 < sum(place in said for place in group) < len(group):
                about.update(group)
        for first, second, _ in self._penalties:
            charged = fixings.get(first) is True or fixings.get(second) is True
            if first in said and second in said and not charged:
                about.update((first, second))
        free = [place for place in about if place not in fixings]
        return min(free, key=lambda place: (-about[place], -place), default=None)


_OUT = Row(must=False, options=(), first=NEVER)
