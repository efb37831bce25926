"""How many items a script has, how many of them are spoken, and in how many lines: counted here for every place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.core.counts import counted
from adstudio.core.fusions import has_words
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.delivery.joined_lines import linked_pairs
from adstudio.gaps.gaps import gaps_of


@dataclass(frozen=True, slots=True)
class SpokenCounts:
    """Items are what could be described, lines what is spoken and handed in.

    A fused line says two or three items, and items that are spoken linked are one line. What has no words yet is not
    spoken; extended lines are in no plan, and so in no count but that of the items.
    """

    items: int
    spoken: int
    """How many of the items are said by lines."""
    lines: int


def spoken_counts(script: Script, plan: Plan, gaps: Sequence[Span] | None = None) -> SpokenCounts:
    """The counts of a script under its plan; `gaps` are the script's, where they are known.

    Lines are as many as `delivery.lines.script_lines` makes.
    """
    said = [each for each in plan.deliveries if has_words(script, each)]
    items = {item for each in said for item in each.lines}
    linked = 0
    if any(line.joined for line in script.eventualities):
        known = gaps_of(script).gaps if gaps is None else gaps
        linked = sum(has_words(script, pair.line) for pair in linked_pairs(script, plan, known) if pair.line)
    return SpokenCounts(len(script.eventualities), len(items), len(said) - linked)


def items_described(spoken: int, items: int) -> str:
    """How many items are spoken: `33 of 66 items described`."""
    return f"{spoken:,} of {counted(items, 'item')} described"


def described_in_lines(counts: SpokenCounts) -> str:
    """How many items are spoken, and in how many lines: `33 of 66 items described in 30 lines`."""
    return f"{items_described(counts.spoken, counts.items)} in {counted(counts.lines, 'line')}"
