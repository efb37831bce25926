"""From a script to its planning problem, and the plan of a whole film.

Without rules and shares the exact engine plans the film as one; planning scene by scene is then the same problem with
each delivery bounded by its scene. A scene with rules is planned separately by CP-SAT, with its deliveries bounded by
it, and the rest of the film around it by the exact engine (DESIGN section 4).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

from adstudio.core.plan import Plan, Status
from adstudio.core.script import Eventuality, Pin, Rules, Scene, Scope, Script
from adstudio.core.timebase import Span
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.engines.exact import solve_exact, with_seconds
from adstudio.planning.film.rule_closure import rules_among
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, Problem
from adstudio.planning.solve import solve

SCENE_LIMIT = 10.0
"""Seconds that planning a scene with rules may take; at the limit the best plan so far is returned."""


def film_problem(script: Script, gaps: Sequence[Span], previous: Plan | None = None) -> Problem:
    """The whole film as one problem; the bounds of scenes go into `within`."""
    scenes = scene_of_each(script)
    bounded = bounded_scenes(script, scenes)
    elements = tuple(
        element_of(script, eventuality, script.scene_by_id[scene].span if scene in bounded else None)
        for eventuality, scene in zip(script.eventualities, scenes, strict=True)
    )
    settings = script.settings
    return Problem(
        scene="film",
        span=Span(0, max(1, script.film.end)),
        gaps=tuple(gaps),
        elements=elements,
        delta_max=settings.delta_max,
        min_pause=settings.min_pause,
        max_share=settings.max_share,
        rules=current_rules(script),
        previous=() if previous is None else tuple((d.element, d.variant) for d in previous.deliveries),
    )


def current_rules(script: Script) -> Rules:
    """The rules, restricted to the eventualities that are still in the script."""
    rules = script.rules
    if not rules or all(identity in script.eventuality_index for identity in rules.mentioned):
        return rules
    return rules_among(rules, script.eventuality_index.keys())


def scene_of_each(script: Script) -> list[str]:
    """The scene of each eventuality: the one it names, else the one its midpoint lies in, else none ("")."""
    scene_of = scene_finder(script)
    return [scene_of(eventuality) for eventuality in script.eventualities]


def scene_finder(script: Script) -> Callable[[Eventuality], str]:
    """A function that finds the scene of an eventuality, as in `scene_of_each`."""
    scenes = sorted(script.scenes, key=lambda scene: scene.span)
    starts = [scene.span.start for scene in scenes]

    def lies_in(occurrence: Span) -> str:
        middle = occurrence.doubled_midpoint // 2
        place = bisect_right(starts, middle) - 1
        return scenes[place].id if place >= 0 and middle <= scenes[place].span.end else ""

    def scene_of(eventuality: Eventuality) -> str:
        if eventuality.scene is not None and eventuality.scene in script.scene_by_id:
            return eventuality.scene
        return "" if eventuality.occurrence is None else lies_in(eventuality.occurrence)

    return scene_of


def bounded_scenes(script: Script, scenes: Sequence[str]) -> set[str]:
    """The scenes that bound their deliveries: all when planning by scene, else those that are planned separately."""
    if script.settings.scope is Scope.SCENE or script.settings.max_share < NO_SHARE_LIMIT:
        return {scene for scene in scenes if scene}
    return _ruled(script, scenes)


def _ruled(script: Script, scenes: Sequence[str]) -> set[str]:
    """The scenes with eventualities in rules."""
    mentioned = script.rules.mentioned
    return {s for e, s in zip(script.eventualities, scenes, strict=True) if s and e.id in mentioned}


def element_of(script: Script, eventuality: Eventuality, scene: Span | None) -> Element:
    """An eventuality as the planner sees it; `scene` is the span that its delivery may not leave, unless overridden."""
    within = eventuality.within
    if scene is not None and not (eventuality.pin.override and eventuality.pin.start is not None):
        within = scene if within is None else within.overlap(scene) or Span(within.start, within.start)
    return Element(
        id=eventuality.id,
        occurrence=eventuality.occurrence,
        salience=eventuality.salience or 0,
        durations=tuple(script.duration(variant) for variant in eventuality.variants),
        within=within,
        pin=valid_pin(eventuality.pin, len(eventuality.variants)),
        texts=tuple(variant.text for variant in eventuality.variants),
        rates=tuple(float(variant.rate) for variant in eventuality.variants),
    )


def valid_pin(pin: Pin, variants: int) -> Pin:
    """The pin without what has no meaning: a wording that is gone, a start of what is pinned out, a lone override."""
    if pin.variant is not None and pin.variant >= variants:
        pin = replace(pin, variant=None)
    if pin.selected is False and pin.start is not None:
        pin = replace(pin, start=None)
    if pin.override and pin.start is None:
        pin = replace(pin, override=False)
    return pin


def plan_film(script: Script, gaps: Sequence[Span], previous: Plan | None = None) -> Plan:
    """The plan of a whole film, proven where every part is proven.

    Where the film cannot be planned in parts (a rule spans scenes, a pin of one scene reaches into another), it is
    planned as one, with its rules.
    """
    began = perf_counter()
    problem = film_problem(script, gaps, previous)
    if problem.plain:
        return solve_exact(problem)
    plan = _planned_in_parts(script, problem) or solve(problem, "auto", SCENE_LIMIT)
    return with_seconds(plan, perf_counter() - began)


def _planned_in_parts(script: Script, problem: Problem) -> Plan | None:
    scenes = scene_of_each(script)
    shared = problem.max_share < NO_SHARE_LIMIT
    alone = bounded_scenes(script, scenes) if shared else _ruled(script, scenes)
    if not _is_separable(problem, scenes) or (shared and "" in scenes):
        return None
    settled: dict[str, Pin] = {}
    unproven = 0
    for scene in sorted(alone, key=lambda name: script.scene_by_id[name].span):
        part = _part_problem(problem, scenes, script.scene_by_id[scene], settled)
        plan = solve(part, "auto", SCENE_LIMIT)
        if plan.objective is None:
            return None
        unproven += (plan.bound or plan.objective) - plan.objective
        for element in part.elements:
            delivery = plan.by_element.get(element.id)
            settled[element.id] = (
                Pin(selected=False)
                if delivery is None
                else Pin(selected=True, variant=delivery.variant, start=delivery.start, override=True)
            )
    return _with_rest(problem, settled, unproven)


def _is_separable(problem: Problem, scenes: Sequence[str]) -> bool:
    """Whether each rule stays within one scene."""
    rules = problem.rules
    pairs = [(penalty.first, penalty.second) for penalty in rules.penalties]
    groups: Sequence[tuple[str, ...]] = (*rules.alternatives, *rules.requires, *rules.together, *pairs)
    tied = [{scenes[problem.index[name]] for name in group} for group in groups]
    return all(len(names) == 1 and "" not in names for names in tied)


def _part_problem(film: Problem, scenes: Sequence[str], scene: Scene, settled: dict[str, Pin]) -> Problem:
    """One scene of the film's problem, clear of the lines outside it that are settled or pinned to a start.

    Gaps are cut at the scene's bounds, so that each scene has its own share of a gap that extends into the next.
    """
    own = [place for place, name in enumerate(scenes) if name == scene.id]
    elements = [film.elements[place] for place in own]
    earliest, latest = 0, 1 << 40
    for place, element in enumerate(film.elements):
        pin = settled.get(element.id, element.pin)
        if scenes[place] == scene.id or pin.start is None:
            continue
        if place < own[0]:
            length = element.durations[pin.variant] if pin.variant is not None else min(element.durations)
            earliest = max(earliest, pin.start + length + film.min_pause)
        elif place > own[-1]:
            latest = min(latest, pin.start - film.min_pause)
    ids = {element.id for element in elements}
    return replace(
        film,
        scene=scene.id,
        gaps=tuple(part for gap in film.gaps if (part := gap.overlap(scene.span)) is not None and part.length),
        elements=tuple(replace(element, within=_limited(element.within, earliest, latest)) for element in elements),
        rules=_rules_of(film.rules, ids),
        previous=tuple(choice for choice in film.previous if choice[0] in ids),
    )


def _limited(within: Span | None, earliest: int, latest: int) -> Span:
    start, end = (0, 1 << 40) if within is None else (within.start, within.end)
    start = max(start, earliest)
    return Span(start, max(start, min(end, latest)))


def _rules_of(rules: Rules, ids: set[str]) -> Rules:
    return Rules(
        alternatives=tuple(group for group in rules.alternatives if ids.issuperset(group)),
        requires=tuple(pair for pair in rules.requires if ids.issuperset(pair)),
        together=tuple(group for group in rules.together if ids.issuperset(group)),
        penalties=tuple(p for p in rules.penalties if p.first in ids and p.second in ids),
    )


def _with_rest(problem: Problem, settled: dict[str, Pin], unproven: int) -> Plan | None:
    """The film planned around what is settled, which a better plan may exceed by `unproven`; None if impossible."""
    fixed = replace(
        problem,
        elements=tuple(replace(e, pin=settled[e.id], within=None) if e.id in settled else e for e in problem.elements),
        rules=Rules(),
        max_share=NO_SHARE_LIMIT,
    )
    rest = solve_exact(fixed)
    if rest.objective is None:
        return None
    backend = "cpsat" if len(settled) == len(problem.elements) else "cpsat+exact"
    choices = [(problem.index[d.element], d.variant) for d in rest.deliveries]
    whole = timed_plan(
        replace(fixed, rules=problem.rules),
        choices,
        backend=backend,
        status=Status.FEASIBLE if unproven else Status.OPTIMAL,
    )
    if whole is None or whole.objective is None:
        raise AssertionError("a film's settled scenes and the rest cannot be timed together")
    return replace(whole, bound=whole.objective + unproven)
