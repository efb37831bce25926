"""How hard the scenes of a film are to describe: the time to proof of the paper's formulation, with a limit.

The paper's “empirical proxy for AD difficulty” (section 5, its table of solve times). Seconds belong to the computer on
which they were measured: only scenes of one run are compared. The paper used Gurobi on 24 cores; CP-SAT, which needs no
licence, proves the same optimum in its own time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.core.script import Rules, Script
from adstudio.core.timebase import Span
from adstudio.evaluation.material import FilmSequence
from adstudio.evaluation.paper_formulation import Outcome, solve_in_cpsat, solve_in_gurobi
from adstudio.evaluation.request import Solver
from adstudio.evaluation.sequences import sequence_at
from adstudio.planning.engines.cpsat import workers
from adstudio.planning.film.film_problem import film_problem, scene_of_each
from adstudio.planning.problem import NO_SHARE_LIMIT, Problem

LIMIT = 60.0
"""Seconds for a scene; beyond it the paper's table has no stratum (`strata`)."""
DELTA_MAX = 10_000
"""The paper's Δ_max in milliseconds, whatever the project's, so that films can be compared."""


@dataclass(frozen=True)
class Difficulty:
    """How hard a scene is: `seconds` until its optimum was `proven`, or until the limit ended the search."""

    scene: str
    span: Span
    seconds: float
    proven: bool


def difficulties(
    script: Script,
    gaps: Sequence[Span],
    *,
    limit: float = LIMIT,
    solver: Solver = "cpsat",
    progress: OnProgress = ignore_progress,
) -> tuple[Difficulty, ...]:
    """The difficulty of each scene of a script, in order of time; a film without scenes is one.

    `limit` is in seconds for each scene. `progress` may raise to stop between two scenes; a signal stops at once.

    Raises:
        OutsideFailureError: where Gurobi is to solve them, and is not there or its licence is too small.
    """
    found: list[Difficulty] = []
    problems = scene_formulations(script, gaps)
    for place, problem in enumerate(problems):
        detail = f"measuring how hard scene {place + 1:,} of {len(problems):,} is"
        progress(Progress(Stage.MEASURING_DIFFICULTY, place / len(problems), detail))
        found.append(difficulty_of(problem, limit, solver))
    progress(Progress(Stage.MEASURING_DIFFICULTY, 1.0))
    return tuple(found)


def difficulty_of(problem: Problem, limit: float = LIMIT, solver: Solver = "cpsat") -> Difficulty:
    """The difficulty of one scene's problem, of which only what the paper's formulation knows counts.

    Raises:
        OutsideFailureError: as `difficulties` does.
    """
    solve: Callable[[Problem, float, int], Outcome] = solve_in_gurobi if solver == "gurobi" else solve_in_cpsat
    outcome = solve(problem, limit, workers())
    return Difficulty(problem.scene, problem.span, outcome.seconds, outcome.proven)


def scene_formulations(script: Script, gaps: Sequence[Span]) -> tuple[Problem, ...]:
    """The paper's problem of each scene, in order of time: its eventualities, and what of the gaps lies in it."""
    film = replace(
        film_problem(script.with_changes(rules=Rules()), gaps),
        delta_max=DELTA_MAX,
        delta_early=None,
        delta_late=None,
        near=None,
        reach=None,
        min_pause=0,
        max_share=NO_SHARE_LIMIT,
    )
    if not script.scenes:
        return (film,)
    names = scene_of_each(script)
    return tuple(
        replace(
            film,
            scene=scene.id,
            span=scene.span,
            gaps=_inside(film.gaps, scene.span),
            elements=tuple(each for each, name in zip(film.elements, names, strict=True) if name == scene.id),
        )
        for scene in sorted(script.scenes, key=lambda scene: scene.span)
    )


def _inside(gaps: Iterable[Span], span: Span) -> tuple[Span, ...]:
    parts = (gap.overlap(span) for gap in gaps)
    return tuple(part for part in parts if part is not None and part.length > 0)


def sequence_difficulties(scenes: Sequence[Difficulty], sequences: Sequence[FilmSequence]) -> Mapping[str, Difficulty]:
    """The difficulty of each sequence, by its name: of the hardest of the scenes that have their middle in it.

    A scene that is not proven is harder than any that is. A sequence without scenes is missing.
    """
    found: dict[str, Difficulty] = {}
    for scene in sorted(scenes, key=lambda each: (each.proven, -each.seconds)):
        found.setdefault(sequences[sequence_at(sequences, scene.span)].name, scene)
    return found
