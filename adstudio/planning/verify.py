"""An independent check of a plan against its problem. It shares no code with the engines or their problem reader.

It works on the JSON objects of both files, in exact fractions of a second, directly from the paper's constraints
(equations 1 to 5) and DESIGN section 4, and describes each violation. It does not check optimality.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any, cast

from adstudio.core.counts import counted
from adstudio.core.plan import Violation

Json = Mapping[str, Any]

_HALF_BILLIONTH = Fraction(1, 2 * 10**9)
_STATUSES = ("optimal", "feasible", "infeasible", "timeout", "invalid")


def verify(problem: Json, plan: Json) -> list[Violation]:
    """All violations of a plan: gaps, distance, reach, order, pauses, `within`, fusions, pins, shares, rules, sums.

    `problem` must be a valid `adstudio-problem/1`; `plan` may be anything.
    """
    status = plan.get("status")
    if plan.get("format") != "adstudio-plan/1" or status not in _STATUSES:
        return [Violation("format", (), "this is not an adstudio-plan/1 with a known status")]
    listed: object = plan.get("deliveries")
    if not isinstance(listed, list):
        return [Violation("format", (), "the plan has no list of deliveries")]
    deliveries = cast("list[object]", listed)
    if any(not isinstance(delivery, Mapping) for delivery in deliveries):
        return [Violation("format", (), "a delivery is not an object")]
    if status in ("infeasible", "timeout"):
        return _without_plan(plan)
    if any("text" in delivery for delivery in plan["deliveries"]):
        return _check_pool(problem, cast("list[Json]", deliveries), plan.get("objective"))
    return _Check(problem, plan).run()


def _member(container: Json, key: str) -> Json:
    """An optional object, empty if absent."""
    value: object = container.get(key)
    return cast("Json", value) if isinstance(value, Mapping) else {}


def _without_plan(plan: Json) -> list[Violation]:
    found: list[Violation] = []
    if plan["deliveries"]:
        found.append(Violation("format", (), f"a plan with status {plan['status']} cannot have deliveries"))
    if any(plan.get(key) is not None for key in ("objective", "bound", "deviation")):
        found.append(Violation("format", (), "objective, bound and deviation must be null without a plan"))
    if "near_event" in plan:
        found.append(Violation("near_event", (), "without a plan no line is near its event"))
    return found


def _number(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if isinstance(value, float):
        value = Decimal(repr(value))
    number = Decimal(value)
    # As a fraction, a number with an absurd exponent would fill memory.
    if not number.is_finite() or number.adjusted() > 400:
        return None
    return Fraction(number) if number.adjusted() > -400 else Fraction(0)


def _exact(value: object) -> Fraction:
    number = _number(value)
    if number is None:
        raise ValueError(f"{value} is not a finite number")
    return number


def _millionths(value: Fraction) -> Fraction:
    """Salience, shares and penalties count in millionths, rounded half to even."""
    return Fraction(round(value * 10**6), 10**6)


def _rounded(value: object) -> Fraction:
    return _millionths(_exact(value))


def _s(value: Fraction) -> str:
    """Seconds; midpoints fall on half-milliseconds."""
    return f"{float(value):.{3 if (value * 1000).denominator == 1 else 4}f} s"


def _after_action(element: Json, start: Fraction, end: Fraction) -> Fraction:
    """How long after its action a delivery is, midpoint to midpoint; negative before it."""
    first, last = element["occurrence"]
    return (start + end - _exact(first) - _exact(last)) / 2


def _joined(gaps: Sequence[Sequence[object]]) -> list[tuple[Fraction, Fraction]]:
    joined: list[tuple[Fraction, Fraction]] = []
    for gap in gaps:
        start, end = _exact(gap[0]), _exact(gap[1])
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _check_pool(problem: Json, deliveries: Sequence[Json], objective: object) -> list[Violation]:
    """A plan from a pool of texts: containment in gaps and overlap only, and that no text gains anything."""
    gaps = _joined(problem["gaps"])
    found: list[Violation] = []
    if objective is not None and _number(objective) != 0:
        found.append(Violation("objective", (), f"the objective of lines from a pool is 0, not {objective}"))
    before = Fraction(-1)
    for place, delivery in enumerate(deliveries):
        start, end = _number(delivery.get("start")), _number(delivery.get("end"))
        name = (str(delivery.get("element", place)),)
        if start is None or end is None or end < start:
            found.append(Violation("format", name, f"delivery {place} has no span"))
            continue
        if not any(a <= start and end <= b for a, b in gaps):
            found.append(Violation("gap", name, f"delivery {place} ({_s(start)} to {_s(end)}) is not within one gap"))
        if start < before:
            found.append(Violation("overlap", name, f"delivery {place} starts before the previous one ends"))
        before = max(before, end)
    return found


class _Check:
    """Checks one plan against its problem."""

    def __init__(self, problem: Json, plan: Json) -> None:
        self.problem = problem
        self.plan = plan
        self.found: list[Violation] = []
        self.elements: dict[str, Json] = {element["id"]: element for element in problem["elements"]}
        self.order = {name: place for place, name in enumerate(self.elements)}
        fusions: dict[str, Json] = {fusion["id"]: fusion for fusion in problem.get("fusions", ())}
        self.order |= {name: self.order[fusion["of"][0]] for name, fusion in fusions.items()}
        self.lines: dict[str, Json] = self.elements | fusions
        self.gaps = _joined(problem["gaps"])
        self.gap_starts = [start for start, _ in self.gaps]
        self.gap_ends = [end for _, end in self.gaps]
        self.delivered: list[tuple[str, Json, Fraction, Fraction, int]] = []

    def run(self) -> list[Violation]:
        self._read_deliveries()
        self._check_each()
        self._check_order()
        self._check_fusions()
        self._check_pins()
        self._check_share()
        self._check_rules()
        self._check_sums()
        self._check_near_event()
        return self.found

    def broken(self, kind: str, what: str, *elements: str) -> None:
        self.found.append(Violation(kind, elements, what))

    def _read_deliveries(self) -> None:
        for place, delivery in enumerate(self.plan["deliveries"]):
            self._read_delivery(place, delivery)

    def _read_delivery(self, place: int, delivery: Json) -> None:
        name, variant = delivery.get("element"), delivery.get("variant")
        start, end = _number(delivery.get("start")), _number(delivery.get("end"))
        if not isinstance(name, str) or name not in self.lines:
            self.broken("unknown", f"delivery {place} is of “{name}”, which is not in the problem")
            return
        if any(name == known for known, *_ in self.delivered):
            self.broken("twice", f"{name} is delivered twice", name)
            return
        variants = self.lines[name]["variants"]
        if isinstance(variant, bool) or not isinstance(variant, int) or not 0 <= variant < len(variants):
            self.broken("variant", f"{name} has no variant {variant}", name)
            return
        if start is None or end is None:
            self.broken("format", f"{name} has no delivery span", name)
            return
        if (start * 1000).denominator != 1 or (end * 1000).denominator != 1:
            self.broken("format", f"the span of {name} has more than three decimals", name)
        self.delivered.append((name, self.lines[name], start, end, variant))

    def _check_each(self) -> None:
        for name, element, start, end, variant in self.delivered:
            duration = _exact(element["variants"][variant]["duration"])
            if end - start != duration:
                self.broken("duration", f"{name} lasts {_s(end - start)}, but its wording takes {_s(duration)}", name)
            for within in self._limits(element):
                if not (_exact(within[0]) <= start and end <= _exact(within[1])):
                    self.broken("within", f"{name} is delivered outside its limits", name)
                    break
            if _member(element, "pin").get("override"):
                continue
            gap = self._gap_of(start, end)
            if gap is None:
                self.broken("gap", f"{name} ({_s(start)} to {_s(end)}) is not within one gap", name)
            if element["occurrence"] is None:
                self.broken("occurrence", f"{name} has no occurrence, so only an override can place it", name)
                continue
            self._check_distance(name, _after_action(element, start, end))
            if gap is not None:
                self._check_reach(name, element["occurrence"], gap)

    def _limits(self, line: Json) -> list[Sequence[object]]:
        """The `within` of a line: of a fusion its own, or where it has none those of all its members."""
        each = [line.get("within")]
        if each == [None] and "of" in line:
            each = [self.elements[name].get("within") for name in line["of"]]
        return [within for within in each if within is not None]

    def _said(self) -> list[tuple[str, str]]:
        """The elements that are said, each with the line that says it: a fusion says all its members."""
        return [(member, name) for name, line, *_ in self.delivered for member in line.get("of", (name,))]

    def _check_fusions(self) -> None:
        by: dict[str, str] = {}
        for member, name in self._said():
            if by.setdefault(member, name) != name:
                self.broken("fusion", f"{member} is said by both {by[member]} and {name}", by[member], name)
            pin = _member(self.elements[member], "pin")
            if member != name and any(pin.get(key) is not None for key in ("variant", "start")):
                self.broken("fusion", f"{name} cannot say {member}, whose wording or start is pinned", name, member)

    def _gap_of(self, start: Fraction, end: Fraction) -> int | None:
        """The number of the gap that contains a span."""
        place = bisect_right(self.gap_starts, start) - 1
        return place if place >= 0 and end <= self.gap_ends[place] else None

    def _check_distance(self, name: str, after: Fraction) -> None:
        """`delta_early` and `delta_late`, each `delta_max` where it is not given."""
        side, key = ("before", "delta_early") if after < 0 else ("after", "delta_late")
        most = _exact(self.problem.get(key, self.problem["delta_max"]))
        if abs(after) > most:
            far = f"{_s(abs(after))} {side} its action, midpoint to midpoint"
            self.broken("window", f"{name} is spoken {far}; at most {_s(most)} is allowed", name)

    def _check_reach(self, name: str, occurrence: Sequence[object], gap: int) -> None:
        """`reach`: how many places away from the gaps that the occurrence overlaps, or from those on either side."""
        most = self.problem.get("reach")
        if most is None:
            return
        ended = bisect_right(self.gap_ends, _exact(occurrence[0]))  # so many end before the occurrence starts
        first_after = bisect_left(self.gap_starts, _exact(occurrence[1]))
        own = range(ended, first_after) or (ended - 1, first_after)
        away = min(abs(gap - place) for place in own)
        if away > most:
            far = f"{counted(away, 'gap')} away from its action"
            self.broken("reach", f"{name} is spoken {far}; at most {most} is allowed", name)

    def _check_order(self) -> None:
        pause = _exact(self.problem.get("min_pause", 0))
        for (first, _, _, end, _), (second, _, start, _, _) in zip(self.delivered, self.delivered[1:], strict=False):
            if self.order[first] > self.order[second]:
                self.broken("order", f"{second} is spoken after {first}, against textual order", first, second)
            if start < end:
                self.broken("overlap", f"{second} starts before {first} ends", first, second)
            elif start - end < pause:
                self.broken("pause", f"there are only {_s(start - end)} between {first} and {second}", first, second)

    def _check_pins(self) -> None:
        spoken = {name: (start, variant) for name, _, start, _, variant in self.delivered}
        said = dict(self._said())
        for name, element in self.elements.items():
            pin = _member(element, "pin")
            selected, pinned_start, pinned_variant = pin.get("selected"), pin.get("start"), pin.get("variant")
            if name not in said:
                if selected or pinned_start is not None:
                    self.broken("pin", f"{name} is pinned in but left out", name)
                continue
            if selected is False:
                self.broken("pin", f"{name} is pinned out but spoken", name)
            if name not in spoken:
                continue
            start, variant = spoken[name]
            if pinned_variant is not None and variant != pinned_variant:
                self.broken("pin", f"{name} is pinned to variant {pinned_variant} but spoken in {variant}", name)
            if pinned_start is not None and start != _exact(pinned_start):
                self.broken("pin", f"{name} is pinned to start at {pinned_start} s but starts at {_s(start)}", name)

    def _check_share(self) -> None:
        share = _rounded(self.problem.get("max_share", 1))
        narrated = [Fraction(0)] * len(self.gaps)
        for _, element, start, end, _ in self.delivered:
            gap = self._gap_of(start, end)
            if gap is not None and not _member(element, "pin").get("override"):
                narrated[gap] += end - start
        for (a, b), spoken in zip(self.gaps, narrated, strict=True):
            most = Fraction(floor(share * (b - a) * 1000), 1000)
            if spoken > most:
                what = f"the gap from {_s(a)} to {_s(b)} has {_s(spoken)} of narration; at most {_s(most)} is allowed"
                self.broken("share", what)

    def _check_rules(self) -> None:
        rules = _member(self.problem, "rules")
        said = {member for member, _ in self._said()}
        for group in rules.get("alternatives", ()):
            if len(said & set(group)) > 1:
                self.broken("alternatives", f"more than one of {', '.join(group)} is spoken", *group)
        for first, second in rules.get("requires", ()):
            if first in said and second not in said:
                self.broken("requires", f"{first} is spoken without {second}", first, second)
        for group in rules.get("together", ()):
            if said & set(group) and not said >= set(group):
                self.broken("together", f"only some of {', '.join(group)} are spoken", *group)

    def _check_sums(self) -> None:
        objective = deviation = Fraction(0)
        for _, element, start, end, variant in self.delivered:
            if element["occurrence"] is None:
                continue
            after = _after_action(element, start, end)
            objective += self._worth(element, after) * _exact(element["variants"][variant]["duration"])
            deviation += abs(after)
        said = {member for member, _ in self._said()}
        for first, second, cost in _member(self.problem, "rules").get("penalties", ()):
            if first in said and second in said:
                objective -= _rounded(cost)
        self._check_sum("objective", objective, _HALF_BILLIONTH)
        self._check_sum("deviation", deviation, Fraction(1, 20_000))
        bound, stated = _number(self.plan.get("bound")), _number(self.plan.get("objective"))
        if stated is not None and (bound is None or bound < stated):
            self.broken("bound", "the bound is less than the objective")
        if self.plan["status"] == "optimal" and bound != stated:
            self.broken("bound", "the plan is called optimal, but its bound differs from its objective")

    def _check_near_event(self) -> None:
        """The shares of the lines within 1, 2 and 4 s of their event, which a plan need not state."""
        if "near_event" not in self.plan:
            return
        away = [
            abs((start + end) - (_exact(element["occurrence"][0]) + _exact(element["occurrence"][1]))) / 2
            for _, element, start, end, _ in self.delivered
            if element["occurrence"] is not None
        ]
        stated = _member(self.plan, "near_event")
        if not away or set(stated) != {"1", "2", "4"}:
            self.broken("near_event", "near_event has a share for 1, 2 and 4 s, and is left out without such lines")
            return
        for key in stated:
            right, share = Fraction(sum(each <= int(key) for each in away), len(away)), _number(stated[key])
            if share is None or abs(share - right) > Fraction(1, 20_000):
                what = f"{float(right):.4g} of the lines are within {key} s of their event, not {stated[key]}"
                self.broken("near_event", what)

    def _worth(self, element: Json, after: Fraction) -> Fraction:
        """What a second of a line gains: σ, or σ · far_gain beyond `near`, which overrides and σ < 0 do not know."""
        salience, near = _rounded(element["salience"]), _member(self.problem, "near")
        if not near or salience < 0 or _member(element, "pin").get("override"):
            return salience
        if -_exact(near["early"]) <= after <= _exact(near["late"]):
            return salience
        return _millionths(salience * _rounded(near["far_gain"]))

    def _check_sum(self, key: str, right: Fraction, tolerance: Fraction) -> None:
        stated = _number(self.plan.get(key))
        # Files have the precision of a double: 53 bits.
        if stated is None or abs(stated - right) > max(tolerance, abs(right) / 2**52):
            self.broken(key, f"the {key} is {float(right):.9g}, not {self.plan.get(key)}")
