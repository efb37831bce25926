"""The number of each line: the one of exports, takes, mixes, checks and the script table, worked out here alone."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.fusions import has_words
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.delivery.joined_lines import linked_pairs
from adstudio.delivery.lines import extended_lines
from adstudio.gaps.gaps import gaps_of


def line_numbers(script: Script, plan: Plan, gaps: Sequence[Span] | None = None) -> dict[str, int]:
    """The numbers of the lines that say the items of a script, by the ids of the items; none for what no line says.

    Lines count from 1 in the order in which they are spoken, as `delivery.lines.script_lines` numbers them: fused and
    linked items have the number of the one line that they are. Extended lines, which are in no plan, come last, in
    order of their actions. `gaps` are the script's, where they are known.
    """
    linked: set[str] = set()
    if any(line.joined for line in script.eventualities):
        known = gaps_of(script).gaps if gaps is None else gaps
        linked = {pair.line.element for pair in linked_pairs(script, plan, known) if pair.line is not None}
    numbers: dict[str, int] = {}
    number = 0
    for delivery in sorted(plan.deliveries, key=lambda each: each.span):
        if has_words(script, delivery):
            number += delivery.element not in linked
            numbers |= dict.fromkeys(delivery.lines, number)
    held = (each.line.id for each in extended_lines(script))
    return numbers | {name: place for place, name in enumerate(held, number + 1)}
