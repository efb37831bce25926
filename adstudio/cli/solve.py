"""`adstudio solve`: plan one problem, by an engine, or by a model whose plan is compared with the optimum."""

from __future__ import annotations

import contextlib
import math
import secrets
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from adstudio.cli import options
from adstudio.cli.ablation_options import AblationOptions
from adstudio.cli.interrupt import interruptible
from adstudio.cli.model_options import Llm, SendingOptions, not_noted, noted
from adstudio.cli.options import argument, grouped, option
from adstudio.cli.output import (
    PROJECT_ENDING,
    SHOWN_ODDITIES,
    require_safe_target,
    require_writable_target,
    say,
    unsaved_changes,
    write_output,
)
from adstudio.core.counts import counted
from adstudio.core.errors import BadInputError
from adstudio.core.json_reading import json_bytes
from adstudio.core.plan import Plan, Status
from adstudio.core.policy import Policy, Sent
from adstudio.core.timebase import RATES
from adstudio.planning.problem import Problem

if TYPE_CHECKING:
    from adstudio.drafting.llm_scheduler.run import Scheduled
    from adstudio.store.project import ProjectFile

LONGEST_PROOF = 60.0
"""Seconds for finding the optimum if no limit was given; only rules make it take noticeable time."""
Backend = Literal["auto", "exact", "cpsat", "gurobi", "llm", "random"]


@grouped
def solve(
    problem: Annotated[Path, argument("PROBLEM.json|P.adproj", "A planning problem, or a project to take it from.")],
    backend: Annotated[Backend, option("NAME", "The engine: " + ", ".join(get_args(Backend)) + ".")] = "auto",
    time_limit: Annotated[
        float | None,
        option("SECONDS", "Stop searching after this long and return the best plan so far. For llm: give up waiting."),
    ] = None,
    pool: Annotated[Path | None, option("FILE", "For random: a JSON array of lines to choose from.")] = None,
    scene: Annotated[str | None, option("ID", "Of a project: this scene only; gaps end where it does.")] = None,
    llm: Llm = None,
    *,
    sending: SendingOptions,
    ablations: AblationOptions,
    encoding: Annotated[
        str | None, option("NAME", "Encoding of the reference ADs that are not UTF-8, if the guess is wrong.")
    ] = None,
    output: options.Output = None,
) -> None:
    """Plan one problem: which items are spoken, in which wording, and when. Exit code 1 if there is no plan.

    With --backend llm, the model named by --llm plans it; its plan is verified and compared with the optimum.
    From a project, the problem of the last save is used, together with the project's own prompt. The project is not
    changed, except that your consent is recorded in it once the model has answered.
    """
    from adstudio.planning.files.plan_file import has_plan, plan_json
    from adstudio.planning.files.problem_file import MAX_BYTES, parse_problem
    from adstudio.planning.film.problem_conflicts import conflict_sentence
    from adstudio.system.files import read_bounded

    if time_limit is not None and not 0 < time_limit < math.inf:
        raise BadInputError(f"--time-limit: {time_limit:g} s is not a limit: give more than 0 seconds, or leave it out")
    if pool is not None and backend != "random":
        raise BadInputError(f"--pool only applies to --backend random, not to {backend}: leave one of them out")
    ablations.require(random=backend == "random")
    if encoding is not None and not ablations.references:
        raise BadInputError("--encoding is that of a reference AD: give one (--reference FILE), or leave it out")
    for given in ablations.changes if backend == "random" else ():
        raise BadInputError(f"{given} does not change what --backend random does: leave one of them out")
    if llm is None and sending.any:
        raise BadInputError("--on-premises, --cloud and --plain-http only apply to a model named with --llm")
    if (llm is None) is (backend == "llm"):
        raise BadInputError(
            "--backend llm needs a model: name one with --llm NAME (adstudio connect --list shows them)"
            if llm is None
            else f"--llm only applies to --backend llm, not to {backend}: leave one of them out"
        )
    require_safe_target(output, problem, pool, *ablations.references)
    with _project(problem, scene, asks=llm is not None) as project:
        if project is None:
            read = parse_problem(read_bounded(problem, MAX_BYTES, "problem file"), str(problem))
            read = _ablated_problem(read, ablations, encoding)
        else:
            require_safe_target(output, script=project.saved_script, project=problem)
            read = _problem_of(project, scene, ablations, encoding)
        if llm is not None:
            _solve_by_model(problem, read, llm, output, sending, time_limit=time_limit, project=project)
            return
    plan = interruptible(lambda: _planned(read, backend, time_limit, pool, ablations.seed or 0), "planning")
    if ablations.changes:
        from adstudio.planning.ablations import require_valid

        require_valid(read, plan)
    write_output(json_bytes(plan_json(plan, (*read.elements, *read.fusions))), output)
    if not has_plan(plan):
        say(f"{problem} has no plan: {conflict_sentence(plan, read)}")
        raise typer.Exit(1)


@contextlib.contextmanager
def _project(path: Path, scene: str | None, *, asks: bool) -> Generator[ProjectFile | None]:
    """Open the project that the problem comes from; None if `path` is a problem file.

    With `asks` the project is opened for writing, because permission given to a model is recorded in it.
    """
    # Decided by the name, so that a problem file does not load the project store.
    if path.suffix.lower() != PROJECT_ENDING:
        if scene is not None:
            raise BadInputError(
                f"--scene only applies to a project ({PROJECT_ENDING}), which {path} is not: leave it out"
            )
        yield None
        return
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(path, read_only=not asks) as project:
        if project.recoverable and asks:
            raise BadInputError(unsaved_changes(path))
        if project.recoverable:
            say(f"{path} has unsaved changes, which are not included")
        yield project


def _ablated_problem(problem: Problem, ablations: AblationOptions, encoding: str | None) -> Problem:
    if not ablations.changes:
        return problem
    from adstudio.drafting.ablating import ablated_problem

    return ablated_problem(problem, ablations.ablation(RATES["25"], encoding=encoding))


def _problem_of(project: ProjectFile, scene: str | None, ablations: AblationOptions, encoding: str | None) -> Problem:
    from adstudio.gaps.gaps import gaps_of
    from adstudio.planning.film.film_problem import film_problem
    from adstudio.planning.film.scene_problem import scene_problem

    script = project.saved_script
    if ablations.changes:
        from adstudio.drafting.ablating import ablated_script

        film = script.film
        script = ablated_script(script, ablations.ablation(film.frame_rate, film.start_timecode, encoding))
    gaps = gaps_of(script).gaps
    return film_problem(script, gaps) if scene is None else scene_problem(script, gaps, scene)


def _planned(problem: Problem, backend: Backend, time_limit: float | None, pool: Path | None, seed: int) -> Plan:
    if backend != "random":
        from adstudio.planning.solve import solve as plan_with

        return plan_with(problem, backend, time_limit)
    from adstudio.planning.engines.baselines import MAX_POOL_BYTES, parse_pool, solve_random
    from adstudio.system.files import read_bounded

    if pool is None:
        raise BadInputError("--backend random draws from a pool: give --pool FILE, a JSON array of descriptions")
    texts = parse_pool(read_bounded(pool, MAX_POOL_BYTES, "pool of descriptions"), str(pool))
    return solve_random(problem, texts, seed)


def _solve_by_model(
    path: Path,
    problem: Problem,
    llm: str,
    output: Path | None,
    sending: SendingOptions,
    *,
    time_limit: float | None,
    project: ProjectFile | None,
) -> None:
    """Have the named model plan the problem, and write its plan. An infeasible problem is not sent.

    If the problem comes from a `project`, the project's sharing policy and prompts apply and the log names it;
    permission given here is recorded in it once the model has answered.

    Raises:
        BadInputError: if the model is unknown, or may not be sent the problem.
        OutsideFailureError: if the model gave no plan.
        typer.Exit: with 1 if there is no plan, or the model's plan is invalid.
    """
    from adstudio.connections.model_access import provider_of
    from adstudio.connections.saved_connections import connection_named
    from adstudio.drafting.llm_scheduler.run import DEADLINE, plan_by_model
    from adstudio.drafting.model.prompts import passed_over, prompts
    from adstudio.drafting.model.request_store import default_place
    from adstudio.llm.provider import FirstResponseProvider
    from adstudio.planning.files.plan_file import plan_json
    from adstudio.planning.film.problem_conflicts import conflict_sentence
    from adstudio.planning.solve import solve as plan_with

    require_writable_target(output)
    named = connection_named(llm)
    allowed, identity = (Policy(), "") if project is None else (project.policy, project.identity)
    policy = sending.policy(named, allowed, frozenset[Sent]({"text"}))
    connection = named.connection(policy, project=path.name, salt=identity or secrets.token_hex(16), identity=identity)
    own = {} if project is None else dict(project.saved_script.prompts)
    if unknown := passed_over(own):
        say(unknown)
    best = interruptible(
        lambda: plan_with(problem, "auto", time_limit or LONGEST_PROOF), "finding the optimum to compare"
    )
    if best.status is Status.INFEASIBLE:
        write_output(json_bytes(plan_json(best, (*problem.elements, *problem.fusions))), output)
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
                wordings=prompts(own),
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
    write_output(json_bytes(plan_json(scheduled.plan, (*problem.elements, *problem.fusions))), output)
    for line in _comparison(scheduled, best):
        say(line)
    if scheduled.plan.status is Status.INVALID:
        raise typer.Exit(1)


def _comparison(scheduled: Scheduled, best: Plan) -> Iterator[str]:
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
    found = len(plan.violations)
    yield f"the plan is invalid, {counted(found, 'violation')}: {violation_counts(plan)}"
    for violation in plan.violations[:SHOWN_ODDITIES]:
        yield f"{violation.kind}: {violation.what}"
    if found > SHOWN_ODDITIES:
        yield f"… and {found - SHOWN_ODDITIES} more violations, listed in the plan"
