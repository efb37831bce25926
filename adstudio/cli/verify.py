"""`adstudio verify`: an independent check of a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from adstudio.core.errors import BadInputError


def verify(
    problem: Annotated[Path, typer.Argument(metavar="PROBLEM.json", help="An adstudio-problem/1.")],
    plan: Annotated[Path, typer.Argument(metavar="PLAN.json", help="An adstudio-plan/1.")],
) -> None:
    """Check a plan's constraints, durations and sums, not whether it is the best. Exit 1 if it fails."""
    from adstudio.core.reading import parse_json
    from adstudio.planning import plan_file, problem_file
    from adstudio.planning.verify import verify as violations_of
    from adstudio.store.files import read_bounded

    data = read_bounded(problem, problem_file.MAX_BYTES, "problem file")
    problem_file.parse_problem(data, str(problem))
    stated = parse_json(read_bounded(plan, plan_file.MAX_BYTES, "plan file"), str(plan)).value
    if not isinstance(stated, dict):
        raise BadInputError(f"{plan}: an adstudio-plan/1 is an object")
    asked = cast("dict[str, object]", parse_json(data, str(problem)).value)
    violations = violations_of(asked, cast("dict[str, object]", stated))
    for violation in violations:
        typer.echo(f"{violation.kind}: {violation.what}")
    if violations:
        raise typer.Exit(1)
    typer.echo("sound: every constraint holds, and the sums are right")
