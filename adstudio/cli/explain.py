"""`adstudio explain`: why each line is in the plan or out of it, and what changing that would cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.cli import options
from adstudio.cli.interrupt import interruptible
from adstudio.cli.options import argument, option
from adstudio.cli.output import PROJECT_ENDING, require_safe_target, say, write_output
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.json_reading import json_bytes
from adstudio.core.plan import Conflict, Plan, Status

if TYPE_CHECKING:
    from adstudio.planning.problem import Problem


def explain(
    problem: Annotated[Path, argument("PROBLEM.json|P.adproj", "A planning problem, or a project to take it from.")],
    item: Annotated[str | None, option("ID", "Explain this item only.")] = None,
    output: options.Output = None,
) -> None:
    """Explain why each item is in or out of the plan, what changing that would cost, and which lines would go."""
    from adstudio.core.timebase import clock
    from adstudio.planning.film.problem_conflicts import conflict_sentence
    from adstudio.planning.film.reason_messages import ALL_NAMED, ReasonWriter
    from adstudio.planning.live.explain import explain as explained
    from adstudio.planning.live.explain import explanation_json
    from adstudio.planning.solve import solve

    require_safe_target(output, problem)
    read = _project_problem(problem, output) if problem.suffix.lower() == PROJECT_ENDING else _problem_file(problem)
    if item is not None and item not in read.index and item not in read.fused_lines:
        raise BadInputError(f"{problem} has no item “{item[:80]}”: check the spelling")
    found = interruptible(lambda: explained(read, solve, item), "explaining")
    if isinstance(found, Plan):
        reason = conflict_sentence(found, read) if found.status is Status.INFEASIBLE else f"it is {found.status.value}"
        raise AdstudioError(f"{problem} has no provably optimal plan to explain: {reason}")

    def locks(conflict: Sequence[Conflict]) -> str:
        return f"{conflict_sentence(Plan(Status.INFEASIBLE, 'exact', conflict=tuple(conflict)), read)}."

    words = ReasonWriter(read, found.plan, clock, locks, most=ALL_NAMED)
    write_output(json_bytes(explanation_json(found, words.why)), output)


def _problem_file(path: Path) -> Problem:
    from adstudio.planning.files.problem_file import MAX_BYTES, parse_problem
    from adstudio.system.files import read_bounded

    return parse_problem(read_bounded(path, MAX_BYTES, "problem file"), str(path))


def _project_problem(path: Path, output: Path | None) -> Problem:
    """The planning problem of a whole film, as `export --format problem` writes it."""
    from adstudio.gaps.gaps import gaps_of
    from adstudio.planning.film.film_problem import film_problem
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(path, read_only=True) as project:
        if project.recoverable:
            say(f"{path} has unsaved changes, which are not included")
        script = project.saved_script
    require_safe_target(output, script=script, project=path)
    return film_problem(script, gaps_of(script).gaps)
