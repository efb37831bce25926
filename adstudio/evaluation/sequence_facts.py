"""What reports stratify by, such as how hard sequences are to plan, and what projects say in them altogether."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from adstudio.core.fusions import wording_of
from adstudio.core.plan import Plan
from adstudio.core.progress import OnProgress, ignore_progress
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.drafting.weigh.scene import line_words
from adstudio.evaluation.material import EvaluatedFilm
from adstudio.evaluation.request import Solver
from adstudio.evaluation.results import Selection, SequenceFacts
from adstudio.evaluation.sequences import gaps_by_sequence, sequence_at
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_problem import scene_of_each


@dataclass(frozen=True)
class PlannedSystem:
    """A system that is a plan, with the script that it is of."""

    script: Script
    plan: Plan


def sequence_facts(
    film: EvaluatedFilm,
    planned: PlannedSystem | None = None,
    proof_limit: float | None = None,
    solver: Solver = "cpsat",
    progress: OnProgress = ignore_progress,
) -> tuple[SequenceFacts, ...]:
    """The facts of each sequence; with a limit in seconds a scene, how hard those of a project are to plan too.

    `progress` may raise to stop, between two scenes.

    Raises:
        OutsideFailureError: where Gurobi is to solve them, and is not there or its licence is too small.
    """
    hardest: Mapping[str, tuple[float, bool]] = {}
    if planned is not None and proof_limit is not None:
        from adstudio.evaluation.difficulty import difficulties, sequence_difficulties

        script = planned.script
        scenes = difficulties(script, gaps_of(script).gaps, limit=proof_limit, solver=solver, progress=progress)
        found = sequence_difficulties(scenes, film.sequences)
        hardest = {name: (each.seconds, each.proven) for name, each in found.items()}
    facts: list[SequenceFacts] = []
    for sequence, gaps in zip(film.sequences, gaps_by_sequence(film), strict=True):
        seconds, proven = hardest.get(sequence.name, (None, True))
        free = sum(gap.length for gap in gaps)
        facts.append(SequenceFacts(film.name, sequence.name, sequence.span, free, seconds, proven))
    return tuple(facts)


def selections(film: EvaluatedFilm, planned: PlannedSystem) -> Iterator[Selection]:
    """What a plan selects in each sequence, by when the item occurs, else by when it is spoken.

    Each item that a fused line says is spoken at the rate of that line's wording.
    """
    script, plan = planned.script, planned.plan
    items: Counter[str] = Counter()
    rates: dict[str, Counter[int]] = {each.name: Counter() for each in film.sequences}
    for line in script.eventualities:
        delivery = plan.spoken_as(line.id)
        span = line.occurrence or (None if delivery is None else delivery.span)
        if span is None or line.extended:
            continue
        sequence = film.sequences[sequence_at(film.sequences, span)].name
        items[sequence] += 1
        wording = None if delivery is None else wording_of(script, delivery)
        if wording is not None:
            rates[sequence][round(100 * wording.rate)] += 1
    for each in film.sequences:
        yield Selection(film.name, each.name, items[each.name], dict(sorted(rates[each.name].items(), reverse=True)))


def scene_descriptions(script: Script) -> list[tuple[Span, str]]:
    """What a project's lines were drafted from, or else all that they say in full, by scene; a film without is one."""
    texts: dict[str, list[str]] = {}
    for line, scene in zip(script.eventualities, scene_of_each(script), strict=True):
        texts.setdefault(scene, []).append(line_words(line))
    spans = {scene.id: scene.span for scene in script.scenes} or {"": Span(0, script.film.end)}
    return [(spans[scene], " ".join(said)) for scene, said in texts.items() if scene in spans]
