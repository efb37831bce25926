"""`adstudio solve --backend llm`: a model plans, its plan is verified, and it is said how far from the best it is."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from adstudio.cli.interrupt import interruptible
from adstudio.cli.model_options import not_noted, noted, policy_for
from adstudio.cli.output import SHOWN_ODDITIES, hand_over, require_place, say
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
"""Seconds that the proven plan may take where nobody set a limit; only rules make it take any."""


def solve_by_model(
    path: Path,
    problem: Problem,
    llm: str,
    output: Path | None,
    *,
    on_premises: bool,
    cloud: str | None,
    plain_http: bool = False,
    time_limit: float | None,
    project: ProjectFile | None = None,
) -> None:
    """Plan by the model of that name, and write the plan. What is impossible is not asked.

    Of a `project`, from which the problem was taken, hold what it allows, its own prompts and its name in the log; what
    is allowed here is noted in it once the model has answered.

    Raises:
        BadInputError: where the model is not known, or may not be sent the problem.
        OutsideFailureError: where no plan came.
        typer.Exit: with 1 where there is no plan, or the model's is not sound.
    """
    from adstudio.connections.first_response import FirstResponseProvider
    from adstudio.connections.model_access import provider_of
    from adstudio.connections.saved_connections import connection_named
    from adstudio.drafting.llm_scheduler.requests import DEADLINE
    from adstudio.drafting.llm_scheduler.run import plan_by_model
    from adstudio.drafting.model.request_store import default_place
    from adstudio.planning.files.plan_file import conflict_sentence, plan_json
    from adstudio.planning.solve import solve

    require_place(output)
    named = connection_named(llm)
    kept, identity = (Policy(), "") if project is None else (project.policy, project.identity)
    text = frozenset[Sent]({"text"})
    policy = policy_for(named, kept, on_premises=on_premises, cloud=cloud, sends=text, plain_http=plain_http)
    connection = named.connection(policy, project=path.name, salt=identity or secrets.token_hex(16), identity=identity)
    wordings = _wordings(() if project is None else project.saved_script.prompts)
    best = interruptible(lambda: solve(problem, "auto", time_limit or LONGEST_PROOF), "planning, to compare with")
    if best.status is Status.INFEASIBLE:
        hand_over(json_bytes(plan_json(best)), output)
        say(f"{path} has no plan, so no model was asked: {conflict_sentence(best, problem.first_texts)}")
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
            f"{llm} plans",
        )
    finally:
        if project is not None and answered and policy != kept:
            project.set_policy(policy)
            say(noted(path, kept, policy))
    if project is not None and not answered and policy != kept:
        say(not_noted(path))
    hand_over(json_bytes(plan_json(scheduled.plan)), output)
    for line in told(scheduled, best):
        say(line)
    if scheduled.plan.status is Status.INVALID:
        raise typer.Exit(1)


def _wordings(own: OwnPrompts) -> Prompts:
    from adstudio.drafting.model.prompts import passed_over, prompts

    if unknown := passed_over(dict(own)):
        say(unknown)
    return prompts(dict(own))


def told(scheduled: Scheduled, best: Plan) -> Iterator[str]:
    """What is said of a model's plan: who made it, what is wrong with it, and what it is worth."""
    from adstudio.planning.engines.llm_scheduler import distance_words, fault_words

    plan, usage = scheduled.plan, scheduled.usage
    if not scheduled.prompt:
        yield "no model was asked: nothing can be said anywhere"
    elif scheduled.asked:
        tokens = f"{usage.tokens_in:,} tokens in, {usage.tokens_out + usage.tokens_thought:,} out"
        yield f"planned by {scheduled.model} (prompt {scheduled.prompt}): {tokens}"
    else:
        yield f"planned by {scheduled.model} (prompt {scheduled.prompt}) at an earlier time; it was not asked again"
    if plan.status is not Status.INVALID:
        yield f"the plan is sound: {distance_words(plan, best)}"
        return
    count = len(plan.violations)
    yield f"the plan is not sound, {count} fault{'' if count == 1 else 's'}: {fault_words(plan)}"
    for violation in plan.violations[:SHOWN_ODDITIES]:
        yield f"{violation.kind}: {violation.what}"
    if count > SHOWN_ODDITIES:
        yield f"… and {count - SHOWN_ODDITIES} more faults, which the plan lists"
