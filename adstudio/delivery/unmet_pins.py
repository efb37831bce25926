"""Pins and rules that a plan does not meet, so that an export would differ from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adstudio.core.plan import Plan, RuleConflict
from adstudio.core.script import Eventuality, Rules, Script
from adstudio.planning.film.film_problem import current_rules


@dataclass(frozen=True)
class UnmetPins:
    """What a plan made around a conflict does not meet.

    Lines pinned in that it leaves out, and lines that it speaks otherwise than pinned, pinned out ones included, both
    in textual order; and the rules that it breaks.
    """

    missing: tuple[Eventuality, ...] = ()
    otherwise: tuple[Eventuality, ...] = ()
    rules: tuple[RuleConflict, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.otherwise or self.rules)


def unmet_pins(script: Script, plan: Plan) -> UnmetPins:
    """Pins and rules that a plan does not meet; only plans made around a conflict have any."""
    missing: list[Eventuality] = []
    otherwise: list[Eventuality] = []
    spoken = plan.by_line
    for line in script.eventualities:
        pin = line.pin
        delivery = spoken.get(line.id)
        if delivery is None:
            # An extended line is in no plan, whatever was locked before it was one.
            if not line.extended and pin.selected is not False and (pin.selected or pin.start is not None):
                missing.append(line)
        elif (
            pin.selected is False
            or pin.start not in (None, delivery.start)
            or (pin.variant not in (None, delivery.variant) and pin.variant < len(line.variants))
        ):
            otherwise.append(line)
    return UnmetPins(tuple(missing), tuple(otherwise), tuple(_broken(current_rules(script), frozenset(spoken))))


def _broken(rules: Rules, spoken: frozenset[str]) -> Iterator[RuleConflict]:
    for group in rules.alternatives:
        if len(spoken.intersection(group)) > 1:
            yield RuleConflict("alternatives", group)
    for pair in rules.requires:
        if pair[0] in spoken and pair[1] not in spoken:
            yield RuleConflict("requires", pair)
    for group in rules.together:
        if len(spoken.intersection(group)) not in (0, len(group)):
            yield RuleConflict("together", group)
