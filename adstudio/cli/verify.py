"""`adstudio verify`: an independent check of a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from adstudio.cli.options import argument
from adstudio.cli.output import print_lines


def verify(
    problem: Annotated[Path, argument("PROBLEM.json", "The planning problem.")],
    plan: Annotated[Path, argument("PLAN.json", "The plan to check.")],
) -> None:
    """Check a plan against its problem: constraints, durations and totals, not optimality. Exit code 1 if it fails."""
    from adstudio.core.json_reading import parse_json
    from adstudio.planning.files import plan_file, problem_file
    from adstudio.planning.verify import verify as violations_of
    from adstudio.system.files import read_bounded

    data = read_bounded(problem, problem_file.MAX_BYTES, "problem file")
    problem_file.parse_problem(data, str(problem))
    stated = plan_file.read_plan(read_bounded(plan, plan_file.MAX_BYTES, "plan file"), str(plan))
    asked = cast("dict[str, object]", parse_json(data, str(problem)).value)
    violations = violations_of(asked, stated)
    if violations:
        print_lines(f"{violation.kind}: {violation.what}" for violation in violations)
        raise typer.Exit(1)
    print_lines(["valid: every constraint holds, and the totals are correct"])
