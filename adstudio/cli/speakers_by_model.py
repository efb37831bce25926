"""The part of `adstudio speakers` that asks a model: its options, consent, and what it has come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

from adstudio.cli.interrupt import Stopped, stopping
from adstudio.cli.model_options import Llm, MostCost, SendingOptions, micro_usd, not_noted, noted
from adstudio.cli.options import flag, given_options
from adstudio.cli.output import say, words
from adstudio.connections import data_categories
from adstudio.core.counts import counted, percent
from adstudio.core.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from adstudio.connections.saved_connections import SavedConnection
    from adstudio.drafting.speakers.events import AskSpeakers, SpeakersAsked
    from adstudio.store.project import ProjectFile


@dataclass(frozen=True)
class ModelOptions:
    """Which model is asked."""

    TITLE: ClassVar[str] = "By a model"

    llm: Llm = None
    again: Annotated[bool, flag("--again", "Ask again for what was withheld or cut off.")] = False
    most_cost: MostCost = None


def asked_model(
    opened: ProjectFile, model: ModelOptions, sending: SendingOptions, *, dry_run: bool
) -> Mapping[str, str]:
    """The names that a model gives, by the id of their cue; none without `--llm`, where nothing is opened.

    Consent is recorded in the project once the model has answered, but not with `dry_run`.

    Raises:
        BadInputError: without consent, a cast, or a connection of that name, and for options that need a model.
        OutsideFailureError: if the model cannot be asked.
    """
    if model.llm is None:
        for group in (model, sending):
            for given in given_options(group):
                raise BadInputError(f"{given} is about a model: name one with --llm NAME, or leave it out")
        return {}
    from adstudio.connections.saved_connections import connection_named
    from adstudio.drafting.model.request_store import name_of_film
    from adstudio.drafting.speakers.asking import speaker_parts
    from adstudio.drafting.speakers.events import AskSpeakers
    from adstudio.store.media import locate_source

    named = connection_named(model.llm)
    most = micro_usd(model.most_cost, named)
    script, allowed = opened.saved_script, opened.policy
    sending.require(named, allowed, data_categories.SPEAKERS)
    written = script.film.screenplay
    request = AskSpeakers(
        named.connection(allowed, project=opened.path.name, salt=opened.identity, identity=opened.identity),
        name_of_film(script),
        script.cues,
        script.people,
        None if written is None else locate_source(written, opened.path),
        most,
        model.again,
    )
    parts, _ = speaker_parts(request)
    if not parts:
        say(f"{named.name} was asked nothing: labels and the screenplay name every cue")
        return {}
    policy = sending.policy(named, allowed, data_categories.SPEAKERS, [_estimated(request, named)])
    connection = named.connection(policy, project=opened.path.name, salt=opened.identity, identity=opened.identity)
    answered: list[str] = []
    try:
        outcome = _asked(replace(request, connection=connection), lambda: answered.append(named.name))
    finally:
        if answered and policy != allowed and not dry_run:
            opened.set_policy(policy)
            say(noted(opened.path, allowed, policy))
    if policy != allowed and (dry_run or not answered):
        say(not_noted(opened.path) if not answered else f"{opened.path}: your consent was not recorded (--dry-run)")
    _tell(outcome, named.name)
    return dict(outcome.names)


def _estimated(request: AskSpeakers, named: SavedConnection) -> str:
    """How many requests it will take, without those that were answered before."""
    from adstudio.drafting.model.request_store import JobStore, default_place
    from adstudio.drafting.speakers.asking import requests_answered, speaker_parts

    parts, known = speaker_parts(request)
    reused = 0
    if default_place().exists():
        bound = named.capabilities.schema
        with JobStore(default_place()) as store:
            reused = requests_answered(parts, known, request, store, f"{named.kind} {named.model}", bound=bound)
    asked = sum(len(part.asked) for part in parts)
    before = f", of which {reused:,} {'is' if reused == 1 else 'are'} answered before and reused" if reused else ""
    return f"{counted(asked, 'cue')} without a name in {counted(len(parts), 'request')}{before}"


def _asked(request: AskSpeakers, reached: Callable[[], None]) -> SpeakersAsked:
    from adstudio.connections.model_access import provider_of
    from adstudio.drafting.speakers.asking import ask_speakers
    from adstudio.llm.provider import FirstResponseProvider
    from adstudio.system.stop_request import StopRequest

    stop = StopRequest()
    with words.status("asking who speaks") as status, stopping(stop) as signals:
        outcome = ask_speakers(
            request,
            lambda connection: FirstResponseProvider(provider_of(connection), reached),
            stop,
            lambda share: status.update(f"asking who speaks: {percent(share)}"),
        )
    if signals:
        say("stopped; everything received is kept, and the same command continues from there")
        raise Stopped(signals[0])
    return outcome


def _tell(outcome: SpeakersAsked, name: str) -> None:
    say(f"{name} names {len(outcome.names):,} of {counted(outcome.asked, 'cue')} that nothing else names")
    if outcome.failed:
        say(f"{counted(outcome.failed, 'cue')} got no answer: {outcome.why}; the same command asks only for those")
    if outcome.halted:
        say(f"no more was asked: {outcome.halted}")
