"""One scene of a film as a problem of its own: what a model, or a trial of engines, is given at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adstudio.core.errors import BadInputError
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.planning.film.film_problem import film_problem, scene_of_each
from adstudio.planning.film.rule_closure import rules_among
from adstudio.planning.problem import Problem


def scene_alone(script: Script, gaps: Sequence[Span], scene: str) -> Problem:
    """A scene's eventualities, the gaps within its bounds, and the rules that tie its own eventualities alone.

    Raises:
        BadInputError: where there is no such scene.
    """
    found = script.scene_by_id.get(scene)
    if found is None:
        known = ", ".join(each.id for each in script.scenes[:20]) or "none"
        raise BadInputError(f"there is no scene “{scene[:60]}” (there are: {known})")
    film = film_problem(script, gaps)
    mine = [element for element, name in zip(film.elements, scene_of_each(script), strict=True) if name == found.id]
    return replace(
        film,
        scene=found.id,
        span=found.span,
        gaps=tuple(part for gap in film.gaps if (part := gap.overlap(found.span)) is not None and part.length),
        elements=tuple(mine),
        rules=rules_among(film.rules, {element.id for element in mine}),
    )
