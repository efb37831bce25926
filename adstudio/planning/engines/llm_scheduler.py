"""The LLM scheduler without its requests: the material for a model, its response schema, and the plan in a response.

The paper's controlled comparison (appendix “LLM scheduling”) replaces the solver by a model: each wording is a
candidate with an id, text and duration, beside occurrences, saliences and gaps. The paper's prompt leaves the solver's
constraints to the model's knowledge of the craft; ours states them, so that a plan is judged only by what the model was
told. Times are whole milliseconds from `Material.origin`, so that nothing is rounded before verification.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from adstudio.core.counts import counted, percent
from adstudio.core.errors import BadInputError
from adstudio.core.plan import Delivery, Plan, Status, Violation
from adstudio.core.timebase import MAX_TIME_MS
from adstudio.planning.engines.assemble import delivery_of
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, Problem, choice_of, objective_of
from adstudio.planning.verify import verify

BACKEND = "llm"
MAX_CANDIDATES = 2_000
"""The most wordings in one request: a scene has some two hundred."""
MAX_CONDITIONS = 1_000
MAX_TEXT = 1_000
"""How many characters of a wording a model gets."""
MAX_ANSWER = 500_000
"""How many characters of a response are read."""
_MOST_DIGITS = 12
_MOST_STARTS = 200
"""How many positions in a response are tried as the start of a list."""
_QUOTED = 60
_OPENING = re.compile(r"[\[{]")


@dataclass(frozen=True)
class Material:
    """A problem as presented to a model: rows of its two lists, and a sentence for each condition.

    Times are whole milliseconds from `origin`, a film time. `choice`: there is something to choose, and room for it.
    """

    origin: int
    candidates: tuple[Mapping[str, object], ...]
    gaps: tuple[Mapping[str, int], ...]
    conditions: tuple[str, ...]
    choice: bool


def material_for(problem: Problem) -> Material:
    """The material of a problem, without elements that no plan can contain (neither occurrence nor override).

    Raises:
        BadInputError: if it is too much for a model.
    """
    origin = _origin(problem)
    spoken = _lines(problem)
    if sum(len(element.durations) for _, element in spoken) > MAX_CANDIDATES:
        raise BadInputError(
            f"the problem has more than {MAX_CANDIDATES:,} wordings, too many for a model: plan it scene by scene"
            " (adstudio export --format problem --scene ID)"
        )
    conditions = tuple(_conditions(problem, origin))
    if len(conditions) > MAX_CONDITIONS:
        raise BadInputError(
            f"the problem has more than {MAX_CONDITIONS:,} pins and rules, too many for a model: plan it scene by scene"
            " (adstudio export --format problem --scene ID)"
        )
    return Material(
        origin,
        tuple(row for name, element in spoken for row in _candidates(name, element, origin)),
        tuple({"start": gap.start - origin, "end": gap.end - origin} for gap in problem.gaps),
        conditions,
        choice=bool(spoken) and bool(problem.gaps or any(element.pin.override for _, element in spoken)),
    )


def answer_schema(problem: Problem, material: Material) -> dict[str, Any]:
    """The JSON schema of a response: candidates' ids, and integer starts between the first and last possible.

    Requires `Material.choice`.
    """
    pinned = [element.pin.start for element in problem.elements if element.pin.start is not None]
    first = min([gap.start for gap in problem.gaps] + pinned) - material.origin
    last = max([gap.end for gap in problem.gaps] + pinned) - material.origin
    delivery = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": [row["id"] for row in material.candidates]},
            "start": {"type": "integer", "minimum": first, "maximum": last},
        },
        "required": ["id", "start"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"deliveries": {"type": "array", "items": delivery, "maxItems": len(problem.elements)}},
        "required": ["deliveries"],
        "additionalProperties": False,
    }


def plan_of(problem: Problem, answer: str, best: Plan) -> Plan | None:
    """The verified plan in a response, with its errors as `violations`; None if it contains no list of deliveries.

    A valid plan is `optimal` if it scores as much as `best`, the proven plan of the same problem, else `feasible` with
    that bound. Of several deliveries of an element the first counts, and each further one is an error (`twice`). Items
    that are not deliveries (no candidate's id, or no numeric start) are errors and dropped.
    """
    rows = _rows(answer)
    return None if rows is None else _verified(problem, rows, best)


def empty_plan(problem: Problem, best: Plan) -> Plan:
    """The empty plan, if there is nothing to choose and the model is not asked."""
    return _verified(problem, [], best)


def _verified(problem: Problem, rows: Sequence[object], best: Plan) -> Plan:
    deliveries, faults = _deliveries(problem, rows)
    plan = Plan(
        status=Status.FEASIBLE,
        backend=BACKEND,
        objective=objective_of(problem, [choice_of(problem, each) for each in deliveries]),
        deviation=_deviation(problem, deliveries),
        deliveries=tuple(deliveries),
    )
    plan = replace(plan, bound=max(plan.objective or 0, _bound(problem, best)))
    faults += verify(problem_json(problem), plan_json(plan))
    if faults:
        return replace(plan, status=Status.INVALID, violations=tuple(faults))
    return replace(plan, status=Status.OPTIMAL) if plan.objective == plan.bound else plan


def violation_counts(plan: Plan) -> str:
    """The violations of a plan counted by kind, most frequent first: `3 overlap, 1 twice`."""
    counted = Counter(violation.kind for violation in plan.violations)
    return ", ".join(f"{count} {kind}" for kind, count in counted.most_common())


def comparison_text(plan: Plan, best: Plan) -> str:
    """How a valid plan compares with the best one, for the user."""
    if plan.objective is None or best.objective is None:
        return "it cannot be compared with the best plan, as none was found"
    mine, theirs = plan.objective / 10**9, best.objective / 10**9
    known = "proven optimum" if best.status is Status.OPTIMAL else "best known plan"
    if plan.objective >= best.objective:
        return f"it scores {mine:.3f}, as much as the {known}"
    short = f", {percent((theirs - mine) / theirs, 1)} less" if theirs > 0 else ""
    return f"it scores {mine:.3f}, and the {known} {theirs:.3f}{short}"


def _origin(problem: Problem) -> int:
    """Times count from the scene's start, or the first possible start if earlier."""
    starts = [gap.start for gap in problem.gaps[:1]]
    starts += [element.pin.start for element in problem.elements if element.pin.start is not None]
    return min([problem.span.start, *starts])


def _can_be_spoken(element: Element) -> bool:
    return element.occurrence is not None or (element.pin.override and element.pin.start is not None)


def _element_id(place: int) -> str:
    return f"e{place + 1:02d}"


def _lines(problem: Problem) -> list[tuple[str, Element]]:
    """What a plan can contain, by name."""
    return [(name, element) for name, element in _named(problem) if _can_be_spoken(element)]


def _named(problem: Problem) -> list[tuple[str, Element]]:
    """The elements by name, each followed by the fusions that end with it."""
    numbers = {line.fusion.id: number for number, line in enumerate(problem.fused.values(), 1)}
    found: list[tuple[str, Element]] = []
    for place, element in enumerate(problem.elements):
        found.append((_element_id(place), element))
        fused = problem.fused_to.get(place, ())
        found += [(f"f{numbers[line.fusion.id]:02d}", line.element) for line in fused]
    return found


def _candidates(name: str, element: Element, origin: int) -> Iterator[Mapping[str, object]]:
    occurrence = element.occurrence
    for variant, duration in enumerate(element.durations):
        text = element.texts[variant] if variant < len(element.texts) else ""
        yield {
            "id": f"{name}v{variant}",
            "description": text[:MAX_TEXT],
            "occurrence_start": None if occurrence is None else occurrence.start - origin,
            "occurrence_end": None if occurrence is None else occurrence.end - origin,
            "salience": element.worth / 1_000_000,
            "duration": duration,
        }


def _conditions(problem: Problem, origin: int) -> Iterator[str]:
    yield from _house_conditions(problem)
    if problem.min_pause:
        yield f"At least {problem.min_pause} lies between the end of a delivery and the start of the next."
    if problem.max_share < NO_SHARE_LIMIT:
        yield f"At most {_per_cent(problem.max_share)} of each gap is spoken in."
    exempt = "; it counts in full, and not towards what is spoken of a gap" if problem.capped or problem.near else ""
    for name, element in _lines(problem):
        yield from _conditions_of(name, element, origin, exempt)
    names = {element.id: _element_id(place) for place, element in enumerate(problem.elements)}
    for name, element in _lines(problem):
        if element.id in problem.fused:
            of = problem.members(element.id)
            said = _listed(of, names)
            yield (
                f"{name} says {said} in one: where it is chosen none of them is, it comes where {names[of[0]]} would,"
                " and they count as spoken."
            )
    rules = problem.rules
    for group in rules.alternatives:
        yield f"At most one of {_listed(group, names)} is spoken."
    for first, second in rules.requires:
        yield f"{names[first]} is spoken only if {names[second]} is spoken too."
    for group in rules.together:
        yield f"Of {_listed(group, names)} either all are spoken or none."
    for penalty in rules.penalties:
        cost = penalty.cost / 1000  # in salience times milliseconds
        yield f"If both {names[penalty.first]} and {names[penalty.second]} are spoken, {cost:g} is taken off the worth."


def _house_conditions(problem: Problem) -> Iterator[str]:
    """How far from its action a line may be spoken, and what it counts there."""
    middle = "the middle of its occurrence"
    if problem.early == problem.late:
        yield f"The middle of a delivery lies at most {problem.early} from {middle}."
    else:
        yield f"The middle of a delivery lies at most {problem.early} before and {problem.late} after {middle}."
    near, reach = problem.near, problem.reach
    if near is not None:
        yield (
            f"A delivery whose middle lies more than {near.early} before or {near.late} after {middle} counts"
            f" {_per_cent(near.far_gain)} of its worth, if its salience is above 0."
        )
    if reach == 0:
        yield (
            "A delivery lies in a gap that its occurrence overlaps; where it overlaps none, in the last one before it"
            " or the first one after it."
        )
    elif reach is not None:
        yield (
            f"A delivery lies at most {counted(reach, 'gap')} away from a gap that its occurrence"
            " overlaps; where it overlaps none, from the last one before it or the first one after it."
        )


def _per_cent(millionths: int) -> str:
    return f"{millionths / 10_000:g} per cent"


def _conditions_of(name: str, element: Element, origin: int, exempt: str) -> Iterator[str]:
    """`exempt` is what an override is free of besides gaps and occurrences."""
    pin = element.pin
    if element.within is not None:
        yield f"{name} is spoken between {element.within.start - origin} and {element.within.end - origin}, if at all."
    if pin.selected is False:
        yield f"{name} is not spoken."
        return
    if pin.start is not None:
        free = f", whatever gaps and occurrences say{exempt}" if pin.override else ""
        yield f"{name} is spoken, and starts at {pin.start - origin}{free}."
    elif pin.selected:
        yield f"{name} is spoken."
    if pin.variant is not None:
        yield f"{name} is worded as {name}v{pin.variant}, if it is spoken."


def _listed(group: Sequence[str], names: Mapping[str, str]) -> str:
    return ", ".join(names[each] for each in group)


def _rows(answer: str) -> list[object] | None:
    """The list of deliveries in a response, whatever surrounds it; None if there is no complete one."""
    text = answer[:MAX_ANSWER]
    for tries, opening in enumerate(_OPENING.finditer(text)):
        if tries == _MOST_STARTS:
            break
        try:
            value, _ = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
        rows = _list_in(value)
        if rows is not None:
            return rows
    return None


def _list_in(value: object) -> list[object] | None:
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        lists = [key for key, each in members.items() if isinstance(each, list)]
        value = members["deliveries" if "deliveries" in lists else lists[0]] if lists else None
    if not isinstance(value, list):
        return None
    rows = cast("list[object]", value)
    # A number in brackets, as in a text with footnotes, is not a list of deliveries.
    return rows if not rows or any(isinstance(row, dict) for row in rows) else None


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MOST_DIGITS else None


def _fraction(digits: str) -> float | None:
    return float(digits) if len(digits) <= 2 * _MOST_DIGITS else None


def _none(_: str) -> None:
    return None


_DECODER = json.JSONDecoder(strict=False, parse_int=_whole, parse_float=_fraction, parse_constant=_none)


def _deliveries(problem: Problem, rows: Sequence[object]) -> tuple[list[Delivery], list[Violation]]:
    """The valid deliveries in speaking order, and the errors of the rest."""
    known = {
        f"{name}v{variant}": (element, variant)
        for name, element in _named(problem)
        for variant in range(len(element.durations))
    }
    origin = _origin(problem)
    faults: list[Violation] = []
    found: dict[str, Delivery] = {}
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            faults.append(Violation("format", (), f"item {number} of the response is not a delivery"))
            continue
        members = cast("dict[str, object]", row)
        named, start = members.get("id"), _start(members.get("start"))
        if not isinstance(named, str) or named not in known:
            shown = "no id" if named is None else f"the id “{str(named)[:_QUOTED]}”, which is not a candidate’s"
            faults.append(Violation("unknown", (), f"item {number} of the response has {shown}"))
            continue
        element, variant = known[named]
        if element.id in found:
            faults.append(_twice(element.id, found[element.id].variant, variant))
        elif start is None:
            what = f"the start of {element.id} is not a whole number of milliseconds"
            faults.append(Violation("format", (element.id,), what))
        elif not 0 <= origin + start <= MAX_TIME_MS - element.durations[variant]:
            faults.append(Violation("gap", (element.id,), f"the start of {element.id} is not a time in a film"))
        else:
            found[element.id] = delivery_of(problem, element, variant, origin + start)
    return sorted(found.values(), key=lambda each: (each.start, problem.index[each.line])), faults


def _twice(name: str, first: int, second: int) -> Violation:
    wordings = f"in wording {first} and in wording {second}" if first != second else f"in wording {first}, twice"
    return Violation("twice", (name,), f"{name} is chosen more than once ({wordings}) but counts once")


def _start(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _deviation(problem: Problem, deliveries: Sequence[Delivery]) -> int:
    total = 0
    for each in deliveries:
        occurrence = problem.line(choice_of(problem, each)).occurrence
        if occurrence is not None:
            total += abs(each.start + each.end - occurrence.doubled_midpoint)
    return total


def _bound(problem: Problem, best: Plan) -> int:
    """An upper bound on the score of any valid plan."""
    if best.bound is not None:
        return best.bound
    return sum(max(0, element.worth) * max(element.durations) for _, element in _lines(problem))
