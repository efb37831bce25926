"""`adstudio polish`: the lines that a project's plan speaks, written again by a model as fluent sentences that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.cli.interrupt import Stopped, interruptible, stopping
from adstudio.cli.model_options import Llm, MostCost, SendingOptions, micro_usd, not_noted, noted
from adstudio.cli.options import argument, flag, grouped, option, output_option
from adstudio.cli.output import (
    print_lines,
    require_safe_target,
    require_writable_target,
    say,
    unsaved_changes,
    words,
    write_output,
)
from adstudio.connections import data_categories
from adstudio.core.counts import counted
from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.core.json_reading import json_bytes
from adstudio.core.timebase import clock, seconds

if TYPE_CHECKING:
    from adstudio.connections.saved_connections import SavedConnection
    from adstudio.core.plan import Plan
    from adstudio.core.script import Script
    from adstudio.core.timebase import Span
    from adstudio.drafting.polish.events import PolishRequest
    from adstudio.drafting.polish.passage import Passage
    from adstudio.drafting.polish.proposals import Proposal
    from adstudio.drafting.polish.run import Event, Outcome
    from adstudio.store.project import ProjectFile

FORMAT = "adstudio-polish/1"


@grouped
def polish(
    project: Annotated[Path, argument("P.adproj", "The project, as last saved.")],
    *,
    llm: Llm = None,
    sending: SendingOptions,
    scene: Annotated[list[str] | None, option("ID", "This scene only; may be repeated.")] = None,
    whole: Annotated[
        bool, flag("--all", "Include lines that a person has worded or accepted, or whose wording a person chose.")
    ] = False,
    accept_all: Annotated[
        bool, flag("--accept-all", "Accept all proposals, one step each, and save the project.")
    ] = False,
    again: Annotated[bool, flag("--again", "Ask again for what was withheld or cut off.")] = False,
    most_cost: MostCost = None,
    output: Annotated[Path | None, output_option("Write the proposals to a file as JSON, not to the screen.")] = None,
) -> None:
    """Have a model rewrite the plan's lines as full sentences, each within the time it has.

    Proposals are shown line by line. The script stays as it is unless you give --accept-all; either way the same lines
    are spoken. Your consent is recorded in the project once the model has answered.
    """
    from adstudio.connections.saved_connections import connection_named
    from adstudio.drafting.model.requests import ModelOptions
    from adstudio.drafting.polish.events import PolishRequest
    from adstudio.drafting.polish.plan_passages import passages
    from adstudio.gaps.gaps import gaps_of
    from adstudio.store.project import ProjectFile

    if llm is None:
        raise BadInputError("a model rewrites the lines: name one with --llm NAME (adstudio connect --list shows them)")
    require_writable_target(output)
    named = connection_named(llm)
    most = micro_usd(most_cost, named)
    with ProjectFile.open(project) as opened:
        if opened.recoverable:
            raise BadInputError(unsaved_changes(project))
        script, allowed = opened.saved_script, opened.policy
        require_safe_target(output, project, script=script, project=project)
        _require_scenes(script, scene or ())
        sending.require(named, allowed, data_categories.POLISHING)
        gaps = gaps_of(script).gaps
        plan = _plan_of(opened, script, gaps)
        asked = passages(script, gaps, plan, scenes=scene or (), whole=whole)
        lines = sum(len(each.passage.wanted) for each in asked)
        if not lines:
            hint = "" if whole else ": lines that a person has worded or accepted are polished only with --all"
            say(f"{project}: no line to polish{hint}")
        policy = allowed
        if lines:
            estimated = [_estimated(script, [each.passage for each in asked], named, lines, again=again)]
            policy = sending.policy(named, allowed, data_categories.POLISHING, estimated)
        connection = named.connection(policy, project=project.name, salt=opened.identity, identity=opened.identity)
        answered: list[str] = []
        try:
            options = ModelOptions(again=again, most_micro_usd=most)
            request = PolishRequest(script, connection, plan.deliveries, tuple(scene or ()), whole, options)
            outcome = _asked(request, lines, lambda: answered.append(named.name))
        finally:
            # Not at once: what has come must not be lost because the project could not be written.
            if answered and policy != allowed:
                opened.set_policy(policy)
                say(noted(project, allowed, policy))
        if not answered and policy != allowed and not outcome.failed:
            say(not_noted(project))
        if output is None:
            print_lines(line for each in outcome.proposals for line in proposal_lines(each))
        else:
            write_output(json_bytes(proposals_json(outcome.proposals, named.name)), output)
        if accept_all:
            _accept(opened, script, gaps, plan, outcome)
    _tell(outcome, named.name, project, accepted=accept_all)


def _estimated(script: Script, asked: Sequence[Passage], named: SavedConnection, lines: int, *, again: bool) -> str:
    """How many requests it will take, without those that were answered before."""
    from adstudio.drafting.model.prompts import prompts
    from adstudio.drafting.model.request_store import JobStore, default_place
    from adstudio.drafting.model.requests import ModelOptions
    from adstudio.drafting.polish.run import answered_before

    reused = 0
    if default_place().exists():
        way, bound = ModelOptions(prompts(dict(script.prompts)), again=again), named.capabilities.schema
        with JobStore(default_place()) as store:
            reused = answered_before(asked, store, way, f"{named.kind} {named.model}", bound=bound)
    requests = f"{counted(lines, 'line')} in {counted(len(asked), 'request')}"
    if reused == len(asked):
        return f"{requests}, all answered before and reused; one more for each with bad lines that has had none"
    before = f", of which {reused:,} {'is' if reused == 1 else 'are'} answered before and reused" if reused else ""
    return f"{requests}{before}, and one more for each with bad lines"


def proposal_lines(proposal: Proposal) -> Iterator[str]:
    """A proposal for people: the line as it is, the new wording and remarks; or why there is none.

    Nothing for a line that is already good, nor for one that got no answer: that is said of all of them together.
    """
    from adstudio.drafting.polish.proposals import Unpolished

    lasts = proposal.span.end - proposal.span.start
    before = f"{clock(proposal.span.start)} {proposal.before} ({lasts / 1000:.1f} s)"
    if isinstance(proposal, Unpolished):
        if not proposal.is_good_already and not proposal.failed:
            yield f"{before}: no proposal: {proposal.why}"
        return
    yield before
    yield f"→ {proposal.text} ({proposal.duration / 1000:.1f} of {proposal.room / 1000:.1f} s)"
    for remark in proposal.remarks:
        yield f"· {remark}"


def proposals_json(proposals: Sequence[Proposal], model: str) -> dict[str, object]:
    """`adstudio-polish/1`: each line with its time, its wording before, and the new one or why there is none."""
    return {"format": FORMAT, "model": model, "lines": [_fields(each) for each in proposals]}


def _fields(proposal: Proposal) -> dict[str, object]:
    from adstudio.drafting.polish.proposals import Unpolished

    fields: dict[str, object] = {
        "element": proposal.eventuality,
        "variant": proposal.variant,
        "scene": proposal.scene,
        "start": seconds(proposal.span.start),
        "end": seconds(proposal.span.end),
        "before": proposal.before,
    }
    if isinstance(proposal, Unpolished):
        return fields | {"text": None, "why": proposal.why}
    return fields | {
        "text": proposal.text,
        "duration": seconds(proposal.duration),
        "room": seconds(proposal.room),
        "remarks": list(proposal.remarks),
    }


def _require_scenes(script: Script, scenes: Sequence[str]) -> None:
    for each in scenes:
        if each not in script.scene_by_id:
            known = ", ".join(list(script.scene_by_id)[:10]) or "none"
            raise BadInputError(f"--scene: there is no scene “{each[:40]}” in the film (it has {known})")


def _plan_of(opened: ProjectFile, script: Script, gaps: Sequence[Span]) -> Plan:
    from adstudio.planning.files.plan_file import has_plan
    from adstudio.planning.film.conflict_messages import why_unplanned
    from adstudio.planning.film.film_plan import plan_film

    plan = opened.saved_plan or interruptible(lambda: plan_film(script, gaps), "planning")
    if not has_plan(plan):
        raise AdstudioError(f"{opened.path} has no plan to polish: {why_unplanned(script, gaps, plan)}")
    return plan


def _asked(request: PolishRequest, lines: int, reached: Callable[[], None]) -> Outcome:
    """Have the lines polished; `reached` is called once the server has answered."""
    from adstudio.connections.model_access import provider_of
    from adstudio.drafting.events import Noted
    from adstudio.drafting.polish.proposals import ScenePolished
    from adstudio.drafting.polish.run import polish_lines
    from adstudio.llm.provider import FirstResponseProvider
    from adstudio.system.stop_request import StopRequest

    stop = StopRequest()
    done = 0

    with words.status("polishing") as status, stopping(stop) as signals:

        def hear(happened: Event | Noted) -> None:
            nonlocal done
            if isinstance(happened, ScenePolished):
                done += len(happened.proposals)
                status.update(f"polishing: {done} of {counted(lines, 'line')}")
            elif isinstance(happened, Noted):
                say(happened.sentence)

        if lines:
            request.connection.require_allowed()
        outcome = polish_lines(
            request, hear, stop, lambda connection: FirstResponseProvider(provider_of(connection), reached)
        )
    if signals:
        say("stopped; everything received is kept, and the same command continues from there")
        raise Stopped(signals[0])
    return outcome


def _accept(opened: ProjectFile, script: Script, gaps: Sequence[Span], plan: Plan, outcome: Outcome) -> None:
    from adstudio.delivery.spoken_counts import spoken_counts
    from adstudio.drafting.polish.proposals import Polished, taken_over

    failures: list[AdstudioError] = []
    document = opened.document(on_failure=failures.append)
    proposals = [each for each in outcome.proposals if isinstance(each, Polished)]
    _, after, left = taken_over(script, gaps, plan, proposals, document.apply)
    for proposal, why in left:
        say(f"{clock(proposal.span.start)} “{proposal.text}” was not accepted: {why}")
    if document.past:
        document.keep_plan(document.revision, after)
        opened.save()
    if failures:
        raise failures[0]
    taken = len(proposals) - len(left)
    spoken = spoken_counts(document.script, after, gaps).lines
    say(f"{opened.path}: {counted(taken, 'line')} polished, {spoken:,} spoken, {after.status.value}")


def _tell(outcome: Outcome, name: str, project: Path, *, accepted: bool) -> None:
    from adstudio.cli.draft_events import usage_words
    from adstudio.drafting.polish.proposals import Polished

    proposed = sum(isinstance(each, Polished) for each in outcome.proposals)
    good = sum(not isinstance(each, Polished) and each.is_good_already for each in outcome.proposals)
    fine = f"; {good:,} {'is' if good == 1 else 'are'} already good" if good else ""
    spent = f"; the film has used {usage_words(outcome.totals.usage)} so far" if outcome.totals.asked else ""
    say(f"{name} has {counted(proposed, 'proposal')} for {counted(len(outcome.proposals), 'line')}{fine}{spent}")
    if proposed and not accepted:
        say(f"no line of {project} was changed: accept them one by one in the editor, or all with --accept-all")
    if outcome.failed:
        raise OutsideFailureError(
            f"{counted(outcome.failed, 'line')} got no answer: {outcome.why}; once that is fixed, the same command asks"
            " only for those"
        )
