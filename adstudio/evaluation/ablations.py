"""The rows of the paper's ablation table (table 3) that run without a model, as systems.

Each row plans the same script with one part left out or replaced. The names are the paper's. Its other rows need a
model or another source: “Embed. video” is a project drafted with `--weigh video-embedding`, “Screenplay” a project
drafted from a screenplay; both are given as further systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Plan, Status
from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.drafting.ablating import ablated_script
from adstudio.drafting.ablation import ORACLES, Ablation, ReferenceLine, SalienceMethod
from adstudio.drafting.text.score.baselines import RememberingEncoder
from adstudio.evaluation.material import Transcript
from adstudio.evaluation.reading import plan_transcript
from adstudio.planning.ablations import require_valid
from adstudio.planning.files.plan_file import has_plan
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.solve import solve

PLAN = "plan"
WITHOUT_GROUNDING = "w/o grounding"
WITHOUT_COMPRESSION = "w/o compression"
WITHOUT_BOTH = "w/o both"
SALIENCE: dict[SalienceMethod, str] = {
    "random": "Random salience",
    "embedding": "Embed. text",
    "bm25": "BM25",
    "deletion": "Deletion",
    "blend": "Blend",
    "oracle-bm25": "BM25 oracle",
    "oracle-embedding": "Embed. oracle",
}
"""The rows that score salience otherwise; “Deletion” and “Blend”, the program's own, are not in the paper."""
REPLACED = (WITHOUT_GROUNDING, WITHOUT_COMPRESSION, WITHOUT_BOTH, *SALIENCE.values())
"""All rows but that of the project as it is."""
LIMIT = 120.0
"""Seconds for one plan: without grounding and without scenes, a long film is not planned in a reasonable time."""


@dataclass(frozen=True)
class AblatedPlan:
    """One row: the script as it was planned, and its plan."""

    name: str
    script: Script
    plan: Plan

    @property
    def transcript(self) -> Transcript:
        """What it speaks."""
        return plan_transcript(self.name, self.script, self.plan)


@dataclass(frozen=True)
class Ablations:
    """The rows that could be planned, in the order of the paper's table, and why others are missing, in sentences."""

    rows: tuple[AblatedPlan, ...]
    notes: tuple[str, ...] = ()


def ablations(
    script: Script,
    gaps: Sequence[Span],
    references: Sequence[Transcript] = (),
    *,
    plan: Plan | None = None,
    seed: int = 0,
    progress: OnProgress = ignore_progress,
) -> Ablations:
    """Every row of the table for one project; the oracles only where there are references.

    `plan` is the project's own, where it is known. Every plan that is made is checked by the verifier. `progress` may
    raise to stop the work, between two rows.

    Raises:
        OutsideFailureError: where what scores salience is not installed.
    """
    encoder = RememberingEncoder()
    variations = dict(_variations(references, seed))
    rows: list[AblatedPlan] = []
    notes: list[str] = [] if references else ["the rows of the oracles need a reference, and there is none"]
    for place, (name, ablation) in enumerate(variations.items()):
        progress(Progress(Stage.MAKING_ABLATIONS, place / len(variations), f"planning {name}"))
        try:
            ablated = ablated_script(script, ablation, encoder=encoder)
        except BadInputError as error:
            notes.append(f"the row {name} is missing: {error}")
            continue
        found = plan if plan is not None and not ablation else _planned(ablated, gaps)
        if has_plan(found):
            rows.append(AblatedPlan(name, ablated, found))
        else:
            notes.append(f"the row {name} is missing: {_why(found)}")
    progress(Progress(Stage.MAKING_ABLATIONS, 1.0))
    return Ablations(tuple(rows), tuple(notes))


def _variations(references: Sequence[Transcript], seed: int) -> Iterator[tuple[str, Ablation]]:
    yield PLAN, Ablation()
    yield WITHOUT_GROUNDING, Ablation(grounding=False)
    yield WITHOUT_COMPRESSION, Ablation(compression=False)
    yield WITHOUT_BOTH, Ablation(grounding=False, compression=False)
    lines = tuple(ReferenceLine(each.span, each.text) for script in references for each in script.descriptions)
    for method, name in SALIENCE.items():
        if method not in ORACLES:
            yield name, Ablation(salience=method, seed=seed)
        elif references:
            yield name, Ablation(salience=method, reference=lines)


def _planned(script: Script, gaps: Sequence[Span]) -> Plan:
    problem = film_problem(script, gaps)
    # With rules the film is planned in parts, as the editor does.
    plan = solve(problem, "exact", LIMIT) if problem.plain else plan_film(script, gaps)
    if has_plan(plan):
        require_valid(problem, plan)
    return plan


def _why(plan: Plan) -> str:
    if plan.status is Status.TIMEOUT:
        return "no plan was found in time: divide the film into scenes, or plan it with --scope scene"
    return "locks contradict one another"
