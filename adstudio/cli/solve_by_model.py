"""`adstudio solve --backend llm`: a model plans, its plan is verified, and it is said how far from the best it is."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from adstudio.cli.interrupt import interruptible
from adstudio.cli.model_options import policy_for
from adstudio.cli.output import SHOWN_ODDITIES, hand_over, require_place, say
from adstudio.core.plan import Plan, Status
from adstudio.core.policy import Policy
from adstudio.core.reading import json_bytes
from adstudio.planning.problem import Problem

if TYPE_CHECKING:
    from adstudio.candidates.model_plan.run import Scheduled

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
    time_limit: float | None,
) -> None:
    """Plan by the model of that name, and write the plan. What is impossible is not asked.

    Raises:
        BadInputError: where the model is not known, or may not be sent the problem.
        OutsideFailureError: where no plan came.
        typer.Exit: with 1 where there is no plan, or the model's is not sound.
    """
    from adstudio.candidates.model_draft.jobs import default_place
    from adstudio.candidates.model_plan.asks import DEADLINE
    from adstudio.candidates.model_plan.run import plan_by_model
    from adstudio.drafting.connection import provider_of
    from adstudio.drafting.connections import connection_named
    from adstudio.planning.plan_file import conflict_sentence, plan_json
    from adstudio.planning.solve import solve

    require_place(output)
    named = connection_named(llm)
    policy = policy_for(named, Policy(), on_premises=on_premises, cloud=cloud, sends=frozenset({"text"}))
    connection = named.connection(policy, project=path.name, salt=secrets.token_hex(16))
    best = interruptible(lambda: solve(problem, "auto", time_limit or LONGEST_PROOF), "planning, to compare with")
    if best.status is Status.INFEASIBLE:
        hand_over(json_bytes(plan_json(best)), output)
        say(f"{path} has no plan, so no model was asked: {conflict_sentence(best, problem.first_texts)}")
        raise typer.Exit(1)
    scheduled = interruptible(
        lambda: plan_by_model(
            problem, best, lambda: provider_of(connection), default_place(), deadline=time_limit or DEADLINE
        ),
        f"{llm} plans",
    )
    hand_over(json_bytes(plan_json(scheduled.plan)), output)
    for line in told(scheduled, best):
        say(line)
    if scheduled.plan.status is Status.INVALID:
        raise typer.Exit(1)


def told(scheduled: Scheduled, best: Plan) -> Iterator[str]:
    """What is said of a model's plan: who made it, what is wrong with it, and what it is worth."""
    from adstudio.planning.llm import distance_words, fault_words

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
