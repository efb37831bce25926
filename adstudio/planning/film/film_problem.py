"""From a script to its planning problem.

Planning scene by scene is the film's problem with each delivery bounded by its scene, and so is a scene with rules,
which is planned separately (DESIGN section 4).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from adstudio.core.fusions import line_of, usable_fusions
from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Fusion, Pin, Rules, Script
from adstudio.core.settings import Scope
from adstudio.core.timebase import Span
from adstudio.planning.film.rule_closure import rules_among
from adstudio.planning.problem import Element, FusedElement, Problem

LEFT_OUT = Pin(selected=False)
"""An extended line's pin: the picture is held for it, so it needs no gap."""


def film_problem(script: Script, gaps: Sequence[Span], previous: Plan | None = None) -> Problem:
    """The whole film as one problem; the bounds of scenes go into `within`."""
    scenes = scene_of_each(script)
    bounded = bounded_scenes(script, scenes)
    elements = tuple(
        element_of(script, eventuality, script.scene_by_id[scene].span if scene in bounded else None)
        for eventuality, scene in zip(script.eventualities, scenes, strict=True)
    )
    problem = problem_of(script, tuple(gaps), elements, fused_elements(script))
    if previous is None:
        return problem
    return replace(problem, previous=previous.choices)


def problem_of(
    script: Script, gaps: tuple[Span, ...], elements: tuple[Element, ...], fusions: tuple[FusedElement, ...] = ()
) -> Problem:
    """The film's problem with these elements and fusions."""
    settings = script.settings
    return Problem(
        scene="film",
        span=Span(0, max(1, script.film.end)),
        gaps=gaps,
        elements=elements,
        delta_max=settings.delta_max,
        min_pause=settings.min_pause,
        max_share=settings.max_share,
        rules=current_rules(script),
        delta_early=settings.delta_early,
        delta_late=settings.delta_late,
        near=settings.near,
        reach=settings.reach,
        fusions=fusions,
    )


def fused_elements(script: Script) -> tuple[FusedElement, ...]:
    """The fusions that hold, as the planner sees them."""
    return tuple(fused_element_of(script, fusion) for fusion in usable_fusions(script))


def fused_element_of(script: Script, fusion: Fusion) -> FusedElement:
    """A fusion that holds, as the planner sees it."""
    line = line_of(script, fusion)
    element = element_of(script, line, None)
    if element.occurrence is None:
        raise ValueError(f"the lines of {fusion.id} have no occurrence")
    return FusedElement(
        fusion.id,
        fusion.members,
        element.occurrence,
        element.salience,
        element.durations,
        texts=element.texts,
        rates=element.rates,
    )


def current_rules(script: Script) -> Rules:
    """The rules, restricted to the eventualities that are still in the script and hold no picture.

    One that does is spoken, though in no plan, so that nothing waits for it or is bound by it; one that is locked out
    is not spoken.
    """
    rules = script.rules
    index = script.eventuality_index
    planned = frozenset(name for name in rules.mentioned if name in index and not _held(script, name))
    return rules if planned == rules.mentioned else rules_among(rules, planned)


def _held(script: Script, name: str) -> bool:
    line = script.eventuality(name)
    return line.holds_picture and line.pin.selected is not False


def scene_of_each(script: Script) -> list[str]:
    """The scene of each eventuality: the one it names, else the one its midpoint lies in, else none ("")."""
    scene_of = scene_finder(script)
    return [scene_of(eventuality) for eventuality in script.eventualities]


def scene_finder(script: Script) -> Callable[[Eventuality], str]:
    """A function that finds the scene of an eventuality, as in `scene_of_each`."""
    lies_in = scene_at(script)

    def scene_of(eventuality: Eventuality) -> str:
        if eventuality.scene is not None and eventuality.scene in script.scene_by_id:
            return eventuality.scene
        return "" if eventuality.occurrence is None else lies_in(eventuality.occurrence)

    return scene_of


def scene_at(script: Script) -> Callable[[Span], str]:
    """A function that finds the scene in which the middle of a span lies; none is ""."""
    scenes = sorted(script.scenes, key=lambda scene: scene.span)
    starts = [scene.span.start for scene in scenes]

    def lies_in(span: Span) -> str:
        middle = span.doubled_midpoint // 2
        place = bisect_right(starts, middle) - 1
        return scenes[place].id if place >= 0 and middle <= scenes[place].span.end else ""

    return lies_in


def bounded_scenes(script: Script, scenes: Sequence[str]) -> set[str]:
    """The scenes that bound their deliveries: all when planning by scene, else those with rules."""
    if script.settings.scope is Scope.SCENE:
        return {scene for scene in scenes if scene}
    index, mentioned = script.eventuality_index, script.rules.mentioned
    return {scenes[index[identity]] for identity in mentioned if identity in index} - {""}


def element_of(script: Script, eventuality: Eventuality, scene: Span | None) -> Element:
    """An eventuality as the planner sees it; `scene` is the span that its delivery may not leave, unless overridden."""
    within = eventuality.within
    if scene is not None and not (eventuality.pin.override and eventuality.pin.start is not None):
        within = scene if within is None else within.overlap(scene) or Span(within.start, within.start)
    return Element(
        id=eventuality.id,
        occurrence=eventuality.occurrence,
        salience=eventuality.salience or 0,
        durations=planned_durations(script, eventuality),
        within=within,
        pin=LEFT_OUT if eventuality.extended else valid_pin(eventuality.pin, len(eventuality.variants)),
        texts=tuple(variant.text for variant in eventuality.variants),
        rates=tuple(float(variant.rate) for variant in eventuality.variants),
    )


def planned_durations(script: Script, eventuality: Eventuality) -> tuple[int, ...]:
    """How long each wording is planned to take, in milliseconds."""
    return tuple(script.planned_duration(eventuality, number) for number in range(len(eventuality.variants)))


def valid_pin(pin: Pin, variants: int) -> Pin:
    """The pin without what has no meaning: a wording that is gone, a start of what is pinned out, a lone override."""
    if pin.variant is not None and pin.variant >= variants:
        pin = replace(pin, variant=None)
    if pin.selected is False and pin.start is not None:
        pin = replace(pin, start=None)
    if pin.override and pin.start is None:
        pin = replace(pin, override=False)
    return pin
