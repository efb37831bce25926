"""`adstudio-problem/1`: strict reading, and writing (DESIGN section 5)."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from adstudio.core.house_rules import house_fault
from adstudio.core.json_reading import JsonError, Node, parse_json
from adstudio.core.script import FUSED_LINES, Penalty, Pin, Rules
from adstudio.core.settings import Near
from adstudio.core.timebase import Span, seconds
from adstudio.planning.problem import MAX_ELEMENTS, NO_SHARE_LIMIT, Element, FusedElement, Problem
from adstudio.planning.windows import reached_span

FORMAT = "adstudio-problem/1"
MAX_BYTES = 64_000_000
MAX_VARIANTS = 100
MAX_DURATION_MS = 3600 * 1000
MAX_SALIENCE = 10_000
MAX_RULES = 100_000
HOUSE_KEYS = ("max_share", "delta_early", "delta_late", "near", "reach")
"""What a house asks of a plan (DESIGN section 4)."""


def parse_problem(data: bytes, source: str) -> Problem:
    """Read a problem.

    Raises:
        JsonError: with the place and the error: unknown keys, invalid, negative or absurd numbers, a fourth decimal in
            a time, duplicate ids, contradictory pins or house rules, gaps that overlap or are unsorted, fusions of
            elements that are no neighbours.
    """
    # Parsing a million of them would take a gigabyte before they could be counted.
    if data.count(b'"variants"') > MAX_ELEMENTS:
        raise JsonError(f"{source}: elements: more than {MAX_ELEMENTS:,}; plan the film in parts")
    return problem_in(parse_json(data, source))


def problem_in(root: Node) -> Problem:
    """The problem in a JSON value.

    Raises:
        JsonError: as `parse_problem`.
    """
    top = root.members(
        ("format", "scene", "gaps", "delta_max", "elements"),
        ("min_pause", *HOUSE_KEYS, "fusions", "rules", "previous"),
    )
    if top["format"].value != FORMAT:
        top["format"].fail(f"expected “{FORMAT}”")
    scene = top["scene"].members(("id", "start", "end"))
    start, end = scene["start"].ms(), scene["end"].ms()
    if end <= start:
        top["scene"].fail("the scene ends before it starts, or has no duration")
    elements = [_element(item) for item in top["elements"].items(MAX_ELEMENTS)]
    ids: dict[str, Element] = {}
    for place, element in enumerate(elements):
        if element.id in ids:
            top["elements"].fail(f"duplicate id “{element.id}” (again at item {place})")
        ids[element.id] = element
    problem = Problem(
        scene=scene["id"].text(200),
        span=Span(start, end),
        gaps=_gaps(top["gaps"]),
        elements=tuple(elements),
        delta_max=top["delta_max"].ms(),
        min_pause=top["min_pause"].ms(highest=MAX_DURATION_MS) if "min_pause" in top else 0,
        max_share=top["max_share"].millionths(0, 1) if "max_share" in top else NO_SHARE_LIMIT,
        rules=_rules(top["rules"], ids) if "rules" in top else Rules(),
        previous=_previous(top["previous"]) if "previous" in top else (),
        delta_early=top["delta_early"].ms() if "delta_early" in top else None,
        delta_late=top["delta_late"].ms() if "delta_late" in top else None,
        near=_near(top["near"]) if "near" in top else None,
        reach=top["reach"].integer(0, MAX_ELEMENTS) if "reach" in top else None,
        fusions=_fusions(top["fusions"], tuple(ids)) if "fusions" in top else (),
    )
    fault = house_fault(problem, len(problem.gaps))
    if fault is not None:
        top.get(fault.key, root).fail(fault.sentence)
    return problem


def _near(node: Node) -> Near:
    found = node.members(("early", "late", "far_gain"))
    return Near(found["early"].ms(), found["late"].ms(), found["far_gain"].millionths(0, 1))


def _gaps(node: Node) -> tuple[Span, ...]:
    joined: list[Span] = []
    for item in node.items(MAX_ELEMENTS):
        gap = item.span()
        if joined and gap.start < joined[-1].end:
            item.fail("gaps must be sorted and must not overlap")
        if joined and gap.start == joined[-1].end:
            gap = Span(joined.pop().start, gap.end)
        joined.append(gap)
    return tuple(joined)


def _element(node: Node) -> Element:
    found = node.members(("id", "occurrence", "salience", "variants"), ("within", "pin"))
    occurrence = None if found["occurrence"].is_null else found["occurrence"].span()
    if found["salience"].is_null:
        if occurrence is not None:
            found["salience"].fail("only an item without an occurrence can have null")
        salience = 0
    else:
        salience = found["salience"].millionths(-MAX_SALIENCE, MAX_SALIENCE)
    durations, texts, rates = _variants(found["variants"])
    return Element(
        id=found["id"].text(200, empty=False),
        occurrence=occurrence,
        salience=salience,
        durations=durations,
        within=_within(found),
        pin=_pin(found["pin"], len(durations)) if "pin" in found and not found["pin"].is_null else Pin(),
        texts=texts,
        rates=rates,
    )


def _variants(node: Node) -> tuple[tuple[int, ...], tuple[str, ...], tuple[float, ...]]:
    """Their durations, texts and rates."""
    found = [item.members(("rate", "text", "duration")) for item in node.items(MAX_VARIANTS, at_least=1)]
    return (
        tuple([variant["duration"].ms(highest=MAX_DURATION_MS) for variant in found]),
        tuple([variant["text"].text() for variant in found]),
        tuple([variant["rate"].millionths(0, 10) / 1_000_000 for variant in found]),
    )


def _within(found: dict[str, Node]) -> Span | None:
    return found["within"].span() if "within" in found and not found["within"].is_null else None


def _fusions(node: Node, elements: tuple[str, ...]) -> tuple[FusedElement, ...]:
    places = {name: place for place, name in enumerate(elements)}
    known = set(elements)
    fusions: list[FusedElement] = []
    for item in node.items(MAX_ELEMENTS):
        found = item.members(("id", "of", "occurrence", "salience", "variants"), ("within",))
        identity = found["id"].text(200, empty=False)
        if identity in known:
            item.fail(f"duplicate id “{identity}”: an item or another fusion has it")
        known.add(identity)
        of = _names(found["of"].items(FUSED_LINES[-1], FUSED_LINES[0]), found["of"], places)
        first = places[of[0]]
        if elements[first : first + len(of)] != of:
            found["of"].fail("a fusion is of neighbouring items, in their order")
        durations, texts, rates = _variants(found["variants"])
        fusions.append(
            FusedElement(
                id=identity,
                of=of,
                occurrence=found["occurrence"].span(),
                salience=found["salience"].millionths(-MAX_SALIENCE, MAX_SALIENCE),
                durations=durations,
                within=_within(found),
                texts=texts,
                rates=rates,
            )
        )
    return tuple(fusions)


def _pin(node: Node, variants: int) -> Pin:
    found = node.members((), ("selected", "variant", "start", "override"))
    given = {key: value for key, value in found.items() if not value.is_null}
    pin = Pin(
        selected=given["selected"].boolean() if "selected" in given else None,
        variant=given["variant"].integer(0, variants - 1) if "variant" in given else None,
        start=given["start"].ms() if "start" in given else None,
        override=given["override"].boolean() if "override" in given else False,
    )
    if pin.selected is False and pin.start is not None:
        node.fail("an item cannot be both left out and given a start")
    if pin.override and pin.start is None:
        node.fail("an override needs a start")
    return pin


def _rules(node: Node, ids: dict[str, Element]) -> Rules:
    found = node.members((), ("alternatives", "requires", "together", "penalties"))

    def groups(key: str, at_least: int, at_most: int) -> list[tuple[str, ...]]:
        if key not in found:
            return []
        return [_names(item.items(at_most, at_least), item, ids) for item in found[key].items(MAX_RULES)]

    penalties: list[Penalty] = []
    for item in found["penalties"].items(MAX_RULES) if "penalties" in found else []:
        first, second, cost = item.items(3, 3)
        pair = _names([first, second], item, ids)
        penalties.append(Penalty(pair[0], pair[1], cost.millionths(0, 10**9)))
    return Rules(
        alternatives=tuple(groups("alternatives", 2, MAX_ELEMENTS)),
        requires=tuple((first, second) for first, second in groups("requires", 2, 2)),
        together=tuple(groups("together", 2, MAX_ELEMENTS)),
        penalties=tuple(penalties),
    )


def _names(nodes: list[Node], place: Node, ids: Container[str]) -> tuple[str, ...]:
    names = tuple(node.text(200) for node in nodes)
    for name in names:
        if name not in ids:
            place.fail(f"there is no item “{name}”")
    if len(set(names)) != len(names):
        place.fail("an item is named twice")
    return names


def _previous(node: Node) -> tuple[tuple[str, int], ...]:
    found: list[tuple[str, int]] = []
    for item in node.items(MAX_ELEMENTS):
        choice = item.members(("element", "variant"))
        found.append((choice["element"].text(200), choice["variant"].integer(0, MAX_VARIANTS)))
    return tuple(found)


def problem_json(problem: Problem) -> dict[str, object]:
    """The problem in its file format; parsing it gives an equal problem, with `reach` as limits if gaps were cut.

    Fusions of elements that are not in it are left out.
    """
    if problem.uncut_gaps:
        problem = _with_reach_as_limits(problem)
    found: dict[str, object] = {
        "format": FORMAT,
        "scene": {
            "id": problem.scene,
            "start": seconds(problem.span.start),
            "end": seconds(problem.span.end),
        },
        "gaps": [_pair(gap) for gap in problem.gaps],
        "delta_max": seconds(problem.delta_max),
        "min_pause": seconds(problem.min_pause),
        **_house_json(problem),
        "elements": [_element_json(element) for element in problem.elements],
    }
    if problem.fused_lines:
        found["fusions"] = [_fusion_json(line.fusion) for line in problem.fused_lines.values()]
    if problem.rules:
        found["rules"] = {
            "alternatives": [list(group) for group in problem.rules.alternatives],
            "requires": [list(pair) for pair in problem.rules.requires],
            "together": [list(group) for group in problem.rules.together],
            "penalties": [[p.first, p.second, p.cost / 1_000_000] for p in problem.rules.penalties],
        }
    if problem.previous:
        found["previous"] = [{"element": name, "variant": variant} for name, variant in problem.previous]
    return found


def _with_reach_as_limits(problem: Problem) -> Problem:
    """The problem with what is in reach of each element as its `within`, since `reach` counts gaps that are whole."""

    def limited(element: Element) -> Span | None:
        if element.occurrence is None or element.pin.override:
            return element.within
        reached = reached_span(problem, element.occurrence)
        if reached is None or element.within is None:
            return reached or element.within
        return element.within.overlap(reached) or Span(reached.start, reached.start)

    return replace(
        problem,
        elements=tuple(replace(element, within=limited(element)) for element in problem.elements),
        fusions=tuple(replace(line.fusion, within=limited(line.element)) for line in problem.fused_lines.values()),
        reach=None,
        uncut_gaps=(),
    )


def _house_json(problem: Problem) -> dict[str, object]:
    found: dict[str, object] = {}
    if problem.capped:
        found["max_share"] = problem.max_share / NO_SHARE_LIMIT
    if problem.delta_early is not None:
        found["delta_early"] = seconds(problem.delta_early)
    if problem.delta_late is not None:
        found["delta_late"] = seconds(problem.delta_late)
    if problem.near is not None:
        early, late, far_gain = problem.near.early, problem.near.late, problem.near.far_gain
        found["near"] = {"early": seconds(early), "late": seconds(late), "far_gain": far_gain / 1_000_000}
    if problem.reach is not None and problem.gaps:
        found["reach"] = problem.reach
    return found


def _pair(span: Span) -> list[float]:
    return [seconds(span.start), seconds(span.end)]


def _variants_json(line: Element | FusedElement) -> list[dict[str, object]]:
    texts = line.texts or ("",) * len(line.durations)
    rates = line.rates or (1.0,) * len(line.durations)
    return [
        {"rate": rate, "text": text, "duration": seconds(duration)}
        for rate, text, duration in zip(rates, texts, line.durations, strict=True)
    ]


def _fusion_json(fusion: FusedElement) -> dict[str, object]:
    found: dict[str, object] = {
        "id": fusion.id,
        "of": list(fusion.of),
        "occurrence": _pair(fusion.occurrence),
        "salience": fusion.salience / 1_000_000,
        "variants": _variants_json(fusion),
    }
    if fusion.within is not None:
        found["within"] = _pair(fusion.within)
    return found


def _element_json(element: Element) -> dict[str, object]:
    found: dict[str, object] = {
        "id": element.id,
        "occurrence": None if element.occurrence is None else _pair(element.occurrence),
        "salience": None if element.occurrence is None and not element.salience else element.salience / 1_000_000,
        "variants": _variants_json(element),
    }
    if element.within is not None:
        found["within"] = _pair(element.within)
    if element.pin.held:
        pin: dict[str, object] = {"override": True} if element.pin.override else {}
        if element.pin.selected is not None:
            pin["selected"] = element.pin.selected
        if element.pin.variant is not None:
            pin["variant"] = element.pin.variant
        if element.pin.start is not None:
            pin["start"] = seconds(element.pin.start)
        found["pin"] = pin
    return found
