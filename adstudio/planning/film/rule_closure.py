"""What pins and rules together require to be spoken, and whether they contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from adstudio.core.script import Rules
from adstudio.planning.problem import Element


@dataclass(frozen=True, slots=True)
class Closure:
    """`must` are the eventualities that every plan includes; `clash` is set when that breaks a rule or a pin."""

    must: frozenset[str]
    clash: bool


def closure(elements: Sequence[Element], rules: Rules) -> Closure:
    """Follow `requires` and `together` from what is pinned in.

    Every plan that satisfies pins and rules includes `must`; a plan that includes just `must` of the eventualities in
    rules satisfies the rules.
    """
    tied = rules.mentioned
    pins = {element.id: element for element in elements if element.id in tied}
    must = {element.id for element in pins.values() if element.must}
    grown = True
    while grown:
        before = len(must)
        must.update(second for first, second in rules.requires if first in must)
        for group in rules.together:
            if not must.isdisjoint(group):
                must.update(group)
        grown = len(must) > before
    held_out = any(name in pins and pins[name].pin.selected is False for name in must)
    rivals = any(len(must.intersection(group)) > 1 for group in rules.alternatives)
    return Closure(frozenset(must), clash=held_out or rivals)


def rules_among(rules: Rules, ids: AbstractSet[str]) -> Rules:
    """The rules restricted to these eventualities."""

    def groups(found: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        left = (tuple(name for name in group if name in ids) for group in found)
        return tuple(group for group in left if len(group) > 1)

    return Rules(
        alternatives=groups(rules.alternatives),
        requires=tuple((first, second) for first, second in rules.requires if first in ids and second in ids),
        together=groups(rules.together),
        penalties=tuple(p for p in rules.penalties if p.first in ids and p.second in ids),
    )
