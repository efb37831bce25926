"""One scene of a film as a problem of its own, for the language model and for comparing engines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adstudio.core.errors import BadInputError
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.planning.film.film_problem import element_of, film_problem, scene_of_each
from adstudio.planning.film.partition import gaps_around
from adstudio.planning.film.rule_closure import rules_among
from adstudio.planning.problem import Problem


def scene_problem(script: Script, gaps: Sequence[Span], scene: str) -> Problem:
    """A scene's eventualities, bounded by it, the film's gaps about it, and the rules among its eventualities.

    Raises:
        BadInputError: there is no such scene.
    """
    found = script.scene_by_id.get(scene)
    if found is None:
        known = ", ".join(each.id for each in script.scenes[:20]) or "none"
        raise BadInputError(f"there is no scene “{scene[:60]}” (scenes: {known})")
    film = film_problem(script, gaps)
    names = scene_of_each(script)
    own = [
        element_of(script, eventuality, found.span)
        for eventuality, name in zip(script.eventualities, names, strict=True)
        if name == found.id
    ]
    inside = {element.id for element in own}
    return replace(
        film,
        scene=found.id,
        span=found.span,
        gaps=gaps_around(film, own, found.span),
        elements=tuple(own),
        rules=rules_among(film.rules, inside),
        fusions=tuple(fusion for fusion in film.fusions if inside.issuperset(fusion.of)),
    )
