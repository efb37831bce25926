"""`adstudio solve --backend llm`: a model plans; its plan is verified and compared with the optimum."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from adstudio.cli.interrupt import interruptible
from adstudio.cli.model_options import SendingOptions, not_noted, noted
from adstudio.cli.output import SHOWN_ODDITIES, require_writable_target, say, write_output
from adstudio.core.json_reading import json_bytes
from adstudio.core.plan import Plan, Status
from adstudio.core.policy import Policy, Sent
from adstudio.core.script import Prompts as OwnPrompts
from adstudio.planning.problem import Problem

if TYPE_CHECKING:
    from adstudio.drafting.llm_scheduler.run import Scheduled
    from adstudio.drafting.model.prompts import Prompts
    from adstudio.store.project import ProjectFile

LONGEST_PROOF = 60.0
"""Seconds for finding the optimum if no limit was given; only rules make it take noticeable time."""


def solve_by_model(
    path: Path,
    problem: Problem,
    llm: str,
    output: Path | None,
    sending: SendingOptions,
    *,
    time_limit: float | None,
    project: ProjectFile | None = None,
) -> None:
    """Have the named model plan the problem, and write its plan. An infeasible problem is not sent.

    If the problem comes from a `project`, the project's sharing policy and prompts apply and the log names it;
    permission given here is recorded in it once the model has answered.

    Raises:
        BadInputError: if the model is unknown, or may not be sent the problem.
        OutsideFailureError: if the model gave no plan.
        typer.Exit: with 1 if there is no plan, or the model's plan is invalid.
    """
    from adstudio.connections.first_response import FirstResponseProvider
    from adstudio.connections.model_access import provider_of
    from adstudio.connections.saved_connections import connection_named
    from adstudio.drafting.llm_scheduler.requests import DEADLINE
    from adstudio.drafting.llm_scheduler.run import plan_by_model
    from adstudio.drafting.model.request_store import default_place
    from adstudio.planning.engines.conflicts import conflict_sentence
    from adstudio.planning.files.plan_file import plan_json
    from adstudio.planning.solve import solve

    require_writable_target(output)
    named = connection_named(llm)
    allowed, identity = (Policy(), "") if project is None else (project.policy, project.identity)
    policy = sending.policy(named, allowed, frozenset[Sent]({"text"}))
    connection = named.connection(policy, project=path.name, salt=identity or secrets.token_hex(16), identity=identity)
    wordings = _wordings(() if project is None else project.saved_script.prompts)
    best = interruptible(lambda: solve(problem, "auto", time_limit or LONGEST_PROOF), "finding the optimum to compare")
    if best.status is Status.INFEASIBLE:
        write_output(json_bytes(plan_json(best)), output)
        say(f"{path} has no plan, so no model was asked: {conflict_sentence(best, problem)}")
        raise typer.Exit(1)
    answered: list[str] = []
    try:
        scheduled = interruptible(
            lambda: plan_by_model(
                problem,
                best,
                lambda: FirstResponseProvider(provider_of(connection), lambda: answered.append(llm)),
                default_place(),
                wordings=wordings,
                deadline=time_limit or DEADLINE,
            ),
            f"{llm} is planning",
        )
    finally:
        if project is not None and answered and policy != allowed:
            project.set_policy(policy)
            say(noted(path, allowed, policy))
    if project is not None and not answered and policy != allowed:
        say(not_noted(path))
    write_output(json_bytes(plan_json(scheduled.plan)), output)
    for line in comparison(scheduled, best):
        say(line)
    if scheduled.plan.status is Status.INVALID:
        raise typer.Exit(1)


def _wordings(own: OwnPrompts) -> Prompts:
    from adstudio.drafting.model.prompts import passed_over, prompts

    if unknown := passed_over(dict(own)):
        say(unknown)
    return prompts(dict(own))


def comparison(scheduled: Scheduled, best: Plan) -> Iterator[str]:
    """A model's plan for people: which model made it, what is wrong with it, and how far it is from the optimum."""
    from adstudio.planning.engines.llm_scheduler import comparison_text, violation_counts

    plan, usage = scheduled.plan, scheduled.usage
    if not scheduled.prompt:
        yield "no model was asked: no line fits into any gap"
    elif scheduled.asked:
        tokens = f"{usage.tokens_in:,} tokens in, {usage.tokens_out + usage.tokens_thought:,} out"
        yield f"planned by {scheduled.model} (prompt {scheduled.prompt}): {tokens}"
    else:
        yield f"planned earlier by {scheduled.model} (prompt {scheduled.prompt}); it was not asked again"
    if plan.status is not Status.INVALID:
        yield f"the plan is valid: {comparison_text(plan, best)}"
        return
    count = len(plan.violations)
    yield f"the plan is invalid, {count} violation{'' if count == 1 else 's'}: {violation_counts(plan)}"
    for violation in plan.violations[:SHOWN_ODDITIES]:
        yield f"{violation.kind}: {violation.what}"
    if count > SHOWN_ODDITIES:
        yield f"… and {count - SHOWN_ODDITIES} more violations, listed in the plan"
