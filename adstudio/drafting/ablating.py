"""Applies an ablation: to a project's script before it is planned, and to a problem as it is in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adstudio.core.errors import BadInputError
from adstudio.core.fusions import salience_in_one_breath
from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.core.script import SALIENCE_UNIT, Script
from adstudio.drafting.ablation import ORACLES, Ablation, ReferenceLine, SalienceMethod
from adstudio.drafting.weigh.scene import line_words
from adstudio.editing.lines import MAX_SALIENCE
from adstudio.planning.ablations import (
    script_without_compression,
    script_without_grounding,
    without_compression,
    without_grounding,
)
from adstudio.planning.film.film_problem import scene_at, scene_of_each
from adstudio.planning.problem import Element, FusedElement, Problem

if TYPE_CHECKING:
    from adstudio.drafting.text.score.embeddings import Encoder


def ablated_script(
    script: Script, ablation: Ablation, progress: OnProgress = ignore_progress, encoder: Encoder | None = None
) -> Script:
    """The script that is planned instead; `encoder` embeds texts in place of the program's own.

    Raises:
        BadInputError: as `with_salience` does.
        OutsideFailureError: where what scores salience is not installed.
    """
    if ablation.salience is not None:
        progress(Progress(Stage.SCORING))
        script = with_salience(
            script, ablation.salience, seed=ablation.seed, reference=ablation.reference, encoder=encoder
        )
    if not ablation.compression:
        script = script_without_compression(script)
    return script if ablation.grounding else script_without_grounding(script)


def ablated_problem(problem: Problem, ablation: Ablation) -> Problem:
    """The problem that is planned instead.

    Raises:
        BadInputError: as `problem_with_salience` does.
        OutsideFailureError: where what scores salience is not installed.
    """
    if ablation.salience is not None:
        problem = problem_with_salience(problem, ablation.salience, seed=ablation.seed, reference=ablation.reference)
    if not ablation.compression:
        problem = without_compression(problem)
    return problem if ablation.grounding else without_grounding(problem)


def with_salience(
    script: Script,
    method: SalienceMethod,
    *,
    seed: int = 0,
    reference: Sequence[ReferenceLine] = (),
    encoder: Encoder | None = None,
) -> Script:
    """The script with the salience of all lines by this method; lines without an occurrence stay unrated.

    A line is compared with its scene, and a line of a reference belongs to the scene in which its middle lies. The
    scores are used as they are (paper, section 4).

    Raises:
        BadInputError: for an oracle without a line of the reference in any of the scenes.
        OutsideFailureError: where what scores salience is not installed.
    """
    from adstudio.drafting.text.score.baselines import scores_by
    from adstudio.drafting.text.score.views import SceneText, dialogue_near

    names = scene_of_each(script)
    # What is in no scene is one more, if there is anything.
    known = [scene.id for scene in script.scenes] + [""] * ("" in names)
    scenes: dict[str, list[int]] = {name: [] for name in known}
    for place, name in enumerate(names):
        scenes[name].append(place)
    scene_of = scene_at(script)
    spoken: dict[str, list[str]] = {name: [] for name in scenes}
    for each in reference:
        spoken.setdefault(scene_of(each.span), []).append(each.text)
    dialogue = dialogue_near([line.occurrence for line in script.eventualities], script.cues)
    texts = [
        SceneText(
            tuple(line_words(script.eventualities[place]) for place in mine),
            dialogue=tuple(dialogue[place] for place in mine),
        )
        for mine in scenes.values()
    ]
    lines_by_scene = [spoken[name] for name in scenes]
    _require_reference(method, lines_by_scene)
    language = script.film.language
    scores = scores_by(method, texts, seed=seed, language=language, reference=lines_by_scene, encoder=encoder)
    lines = list(script.eventualities)
    for mine, given in zip(scenes.values(), scores, strict=True):
        for place, score in zip(mine, given, strict=True):
            if lines[place].occurrence is not None:
                lines[place] = replace(lines[place], salience=_millionths(score))
    return script.with_changes(eventualities=tuple(lines))


def problem_with_salience(
    problem: Problem, method: SalienceMethod, *, seed: int = 0, reference: Sequence[ReferenceLine] = ()
) -> Problem:
    """The problem with its elements' salience by this method, read as one scene, in English.

    Raises:
        BadInputError: if the method reads texts, and there are none; for an oracle without a line of the reference in
            its time.
        OutsideFailureError: where what scores salience is not installed.
    """
    from adstudio.drafting.text.score.baselines import scores_by
    from adstudio.drafting.text.score.views import SceneText

    texts = tuple(element.texts[0] if element.texts else "" for element in problem.elements)
    if method != "random" and not any(map(str.strip, texts)):
        raise BadInputError(
            f"the problem has no texts, which salience by {method} is scored by: take the project, or --salience random"
        )
    within = [
        each.text for each in reference if 2 * problem.span.start <= each.span.doubled_midpoint <= 2 * problem.span.end
    ]
    _require_reference(method, [within])
    (scores,) = scores_by(method, [SceneText(texts)], seed=seed, reference=[within])
    elements = tuple(
        element if element.occurrence is None else replace(element, salience=_millionths(score))
        for element, score in zip(problem.elements, scores, strict=True)
    )
    known = {element.id: element for element in elements}
    return replace(problem, elements=elements, fusions=tuple(_weighed(each, known) for each in problem.fusions))


def _weighed(fusion: FusedElement, elements: Mapping[str, Element]) -> FusedElement:
    """The fusion with the salience that its members give it, as `core.fusions.salience_of` has it."""
    members = [elements[name] for name in fusion.of if name in elements]
    worth = sum(member.worth * member.durations[0] for member in members)
    length = fusion.durations[0]
    texts = [member.texts[0] if member.texts else "" for member in members]
    said = fusion.texts[0] if fusion.texts else ""
    return replace(fusion, salience=salience_in_one_breath(worth, length, said, texts))


def _require_reference(method: SalienceMethod, lines_by_scene: Sequence[Sequence[str]]) -> None:
    if method in ORACLES and not any(lines_by_scene):
        raise BadInputError(
            "no line of the reference is spoken in the time of the scenes, so that there is nothing to compare with:"
            " check whether its times are those of this film"
        )


def _millionths(score: float) -> int:
    return max(-MAX_SALIENCE, min(round(score * SALIENCE_UNIT), MAX_SALIENCE))
