"""The paper's ablations of planning: without grounding, without compression (section 5, table 3).

Each is a pure function, of a problem as it is in a file and of a project's script; everything else stays.
"""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Pin, Script
from adstudio.core.settings import Scope, Settings
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film.film_problem import planned_durations, scene_of_each
from adstudio.planning.problem import Element, Problem
from adstudio.planning.verify import verify


def without_grounding(problem: Problem) -> Problem:
    """The problem without the limits on how far a line is spoken from its action.

    These are the paper's equation (4) and what a house adds to it: the sides' own limits, the near tier and `reach`.
    A line may be anywhere that gaps, order and its own bounds (`within`) allow.
    """
    return replace(
        problem,
        delta_max=MAX_TIME_MS,
        delta_early=None,
        delta_late=None,
        near=None,
        reach=None,
        uncut_gaps=(),
    )


def without_compression(problem: Problem) -> Problem:
    """The problem with the full wording of each element alone; a pin to a shorter one goes with that wording."""
    previous = tuple((name, variant) for name, variant in problem.previous if variant == 0)
    fusions = (
        replace(each, durations=each.durations[:1], texts=each.texts[:1], rates=each.rates[:1])
        for each in problem.fusions
    )
    elements = tuple(map(_uncompressed, problem.elements))
    return replace(problem, elements=elements, fusions=tuple(fusions), previous=previous)


def _uncompressed(element: Element) -> Element:
    return replace(
        element,
        durations=element.durations[:1],
        texts=element.texts[:1],
        rates=element.rates[:1],
        pin=_pin_without_variant(element.pin),
    )


def _pin_without_variant(pin: Pin) -> Pin:
    return pin if not pin.variant else replace(pin, variant=None)


def script_without_grounding(script: Script) -> Script:
    """The script planned as `without_grounding` has it, in the time of its scenes.

    The paper plans scene by scene, so that a line whose time is not known is still spoken in its scene. Where lines may
    leave their scenes, each may be anywhere in its own and, beyond that, wherever it could be before: no plan is lost.
    """
    settings = script.settings
    free = replace(
        settings,
        delta_max=max(1, script.film.end),
        delta_early=None,
        delta_late=None,
        near=None,
        reach=None,
    )
    if settings.scope is Scope.SCENE:
        return script.with_changes(settings=free)
    lines = tuple(
        _within_scene(script, line, script.scene_by_id[name].span) if name else line
        for line, name in zip(script.eventualities, scene_of_each(script), strict=True)
    )
    return script.with_changes(settings=free, eventualities=lines)


def _within_scene(script: Script, line: Eventuality, scene: Span) -> Eventuality:
    if line.occurrence is None or line.pin.override:
        return line
    room = _hull(scene, _grounded(script.settings, line.occurrence, max(planned_durations(script, line))))
    within = line.within
    return replace(line, within=room if within is None else within.overlap(room) or Span(within.start, within.start))


def _grounded(settings: Settings, occurrence: Span, length: int) -> Span:
    """The span that no delivery of this length leaves whose middle is within the limits of an occurrence's."""
    middle, half = occurrence.doubled_midpoint // 2, length // 2 + 1
    return Span(max(0, middle - settings.early - half), middle + settings.late + half)


def _hull(one: Span, other: Span) -> Span:
    return Span(min(one.start, other.start), max(one.end, other.end))


def script_without_compression(script: Script) -> Script:
    """The script with the full wording of each line and fusion alone, as `without_compression` has it."""
    fusions = tuple(replace(fusion, variants=fusion.variants[:1]) for fusion in script.fusions)
    return script.with_changes(eventualities=tuple(map(_line_uncompressed, script.eventualities)), fusions=fusions)


def _line_uncompressed(line: Eventuality) -> Eventuality:
    approval = line.approval if line.approval is None or line.approval.variant == 0 else None
    return replace(line, variants=line.variants[:1], pin=_pin_without_variant(line.pin), approval=approval)


def require_valid(problem: Problem, plan: Plan) -> None:
    """Have the independent verifier check a plan of an ablated problem.

    Raises:
        AssertionError: if the plan breaks a constraint of it.
    """
    broken = verify(problem_json(problem), plan_json(plan))
    if broken:
        raise AssertionError(f"the plan breaks {len(broken)} constraints of its problem: {broken[0].what}")
