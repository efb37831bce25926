"""`adstudio draft --llm NAME`: the estimate, the consent, the film drafted scene by scene, and what came of it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.cli.cost_limit import micro_usd
from adstudio.cli.draft_messages import count, told_spent, usage_words
from adstudio.cli.draft_progress import Progress, Stop, telling
from adstudio.cli.interrupt import Stopped, stopping
from adstudio.cli.model_options import not_noted, policy_for, require_option
from adstudio.cli.output import length, say, words
from adstudio.cli.overwrite import identity_of, kept_of, with_given
from adstudio.connections import data_categories as sends
from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.policy import Policy, Sent
from adstudio.core.script import Person, Prompts, Script, people_error
from adstudio.core.words import composed
from adstudio.drafting.model.events import SceneState

if TYPE_CHECKING:
    from adstudio.cli.draft_weigh import Weigher
    from adstudio.connections.saved_connections import SavedConnection
    from adstudio.drafting.draft import Draft, Sources
    from adstudio.drafting.model.estimate import Estimate
    from adstudio.drafting.model.run import Outcome
    from adstudio.drafting.model.script_drafting import Prepared
    from adstudio.llm.messages import Thinking


@dataclass(frozen=True)
class Wish:
    """What the options say of the model: which one, what it may be sent, and how it is asked.

    `identity` is what the project will be known by in the log of what was sent.
    """

    named: SavedConnection
    on_premises: bool
    cloud: str | None
    kept: Policy
    direct: bool = False
    again: bool = False
    anew: bool = False
    most_micro_usd: int | None = None
    people: tuple[Person, ...] = ()
    thinking: Thinking = "off"
    prompts: Prompts = ()
    identity: str = ""
    plain_http: bool = False

    @property
    def sends(self) -> frozenset[Sent]:
        """What the model is sent of the film."""
        return sends.drafting(self.people)


@dataclass(frozen=True)
class Made:
    """The draft with the model's lines, what came of each scene, and what its project allows from now on."""

    draft: Draft
    outcome: Outcome
    policy: Policy
    direct: bool


def wish(
    llm: str,
    sources: Sources,
    output: Path,
    *,
    on_premises: bool,
    cloud: str | None,
    plain_http: bool = False,
    direct: bool,
    again: bool,
    anew: bool,
    most_usd: float | None,
    persons: Sequence[str] = (),
    thinking: Thinking = "off",
) -> Wish:
    """The options read, and checked before any work is done.

    Raises:
        BadInputError: for sources of which a model makes nothing, a connection that there is not, or one that may not
            be sent anything.
        OutsideFailureError: where the connections cannot be read.
    """
    from adstudio.connections.saved_connections import connection_named
    from adstudio.drafting.model.script_drafting import require_shown

    require_shown(sources, direct=direct)
    named = connection_named(llm)
    most = micro_usd(most_usd, named)
    kept = kept_of(output, sources.video)
    people = with_given(kept.people, _people(persons))
    if wrong := people_error(people):
        raise BadInputError(f"--person: {wrong} (those of {output} are kept)")
    made = Wish(named, on_premises, cloud, kept.policy, direct, again, anew, most, people, thinking, kept.prompts)
    made = replace(made, plain_http=plain_http)
    require_option(named, made.kept, on_premises=on_premises, cloud=cloud, sends=made.sends, plain_http=plain_http)
    return replace(made, identity=identity_of(output, sources.video))


def drafted(sources: Sources, output: Path, asked_for: Wish, weigher: Weigher | None = None) -> Made:
    """A film drafted by a model, and weighed anew by a `weigher`; what has been answered is kept, whatever ends it.

    Raises:
        BadInputError: where it may not be sent, or the film cannot be used.
        OutsideFailureError: where no scene came at all; nothing is written then.
        Stopped: where somebody ended it.
    """
    from adstudio.drafting.model.script_drafting import prepare, put_together

    with words.status("drafting") as status:
        prepared = prepare(sources, output, telling(status), people=asked_for.people, direct=asked_for.direct)
        # A weigher words its asks as the project does.
        prepared = replace(prepared, script=prepared.script.with_changes(prompts=asked_for.prompts))
    outcome, policy = ask(prepared, asked_for, output)
    _require_some(prepared.script, outcome, output)
    with words.status("planning") as status:
        told = telling(status)
        weigh = None if weigher is None else functools.partial(weigher, told)
        draft = put_together(prepared, outcome, told, weigh=weigh)
    return Made(draft, outcome, policy, asked_for.direct)


def ask(prepared: Prepared, asked_for: Wish, output: Path) -> tuple[Outcome, Policy]:
    """What came of a film's scenes, told to the user, and what its project allows from now on.

    Raises:
        BadInputError: where it may not be sent.
        OutsideFailureError: where nobody can be asked.
        Stopped: where somebody ended it.
    """
    policy = policy_for(
        asked_for.named,
        asked_for.kept,
        on_premises=asked_for.on_premises,
        cloud=asked_for.cloud,
        sends=asked_for.sends,
        plain_http=asked_for.plain_http,
        estimated=list(_estimated(prepared, asked_for)),
    )
    answered: list[str] = []
    outcome = _asked(prepared, asked_for, policy, output, answered)
    for line in told_spent(outcome, asked_for.named.name):
        say(line)
    if not outcome.requests and policy != asked_for.kept:
        say(not_noted(output))
    return outcome, policy if answered else asked_for.kept


def _asked(prepared: Prepared, asked_for: Wish, policy: Policy, output: Path, answered: list[str]) -> Outcome:
    from adstudio.connections.first_response import FirstResponseProvider
    from adstudio.connections.model_access import provider_of
    from adstudio.drafting.model.prompts import prompts
    from adstudio.drafting.model.request_store import default_place
    from adstudio.drafting.model.requests import Way
    from adstudio.drafting.model.script_drafting import asked, ready_segmenter
    from adstudio.media.clips import tidy

    named = asked_for.named
    way = Way(
        prompts(dict(asked_for.prompts)),
        thinking=asked_for.thinking,
        again=asked_for.again,
        anew=asked_for.anew,
        most_micro_usd=asked_for.most_micro_usd,
    )
    identity = asked_for.identity
    connection = named.connection(policy, project=output.name, salt=identity, identity=identity)
    connection.require_allowed()
    stop = Stop()
    with words.status(f"{named.name} is asked") as status:
        segmenter = None if asked_for.direct else ready_segmenter(prepared)
        with stopping(stop) as heard:
            outcome = asked(
                prepared,
                lambda: FirstResponseProvider(provider_of(connection), lambda: answered.append(named.name)),
                default_place(),
                way,
                Progress(named.name, len(prepared.script.scenes), status),
                segmenter=segmenter,
                stopping=stop.heard_by,
            )
    tidy()
    if heard:
        done = sum(draft.state in (SceneState.DONE, SceneState.PARTIAL) for draft in outcome.scenes)
        say(
            f"stopped: {done} of {count(len(outcome.scenes), 'scene')} had come, and all that came is kept; the same"
            " command goes on where it stopped, and asks nothing twice that was answered"
        )
        raise Stopped(heard[0])
    return outcome


def _estimated(prepared: Prepared, asked_for: Wish) -> Iterator[str]:
    from adstudio.drafting.model.estimate import estimate
    from adstudio.drafting.model.request_store import FINISHED, JobStore, default_place
    from adstudio.drafting.model.requests import faces_left_out
    from adstudio.drafting.model.run import film_name

    named, scenes = asked_for.named, prepared.script.scenes
    able = named.capabilities
    if left_out := faces_left_out(prepared.film, able.images):
        yield left_out
    found: Estimate = estimate(
        prepared.film,
        scenes,
        able,
        described=frozenset(prepared.texts),
        texts=prepared.texts,
        direct=asked_for.direct,
        thinking=asked_for.thinking,
    )
    yield (
        f"{count(found.scenes, 'scene')} of {length(prepared.script.film.end)}: about {found.asks_told}, some"
        f" {usage_words(found.usage)}"
    )
    if default_place().exists():
        name = film_name(prepared.film)
        with JobStore(default_place()) as jobs:
            states = jobs.totals(name).states
            begun = asked_for.anew and any(jobs.anew_since(name, scene.id) is not None for scene in scenes)
        # How many of them answer what is going to be asked is not known before the clips are made.
        if not FINISHED.isdisjoint(states):
            yield _of_what_is_kept(anew=asked_for.anew, begun=begun)


def _of_what_is_kept(*, anew: bool, begun: bool) -> str:
    if begun:
        return (
            "a draft of this film with --anew did not come to its end: it is gone on with, and what was answered since"
            " it began is not asked again"
        )
    if anew:
        return "all is asked once more, whatever was answered before"
    return "what was answered before is not asked again, where it is asked of the same model in just the same way"


def _require_some(script: Script, outcome: Outcome, output: Path) -> None:
    # Lines of which the model saw none are no reason to lose a project that is there.
    seen = any(line.occurrence is not None for draft in outcome.scenes for line in draft.lines)
    if seen or (any(draft.lines for draft in outcome.scenes) and not output.exists()):
        return
    from adstudio.drafting.model.script_drafting import oddities_of

    told = oddities_of(script, outcome.scenes)
    if not told:
        raise OutsideFailureError(
            f"the model had nothing to say in any scene, so no project was written{_as_it_was(output)}"
        )
    for oddity in told if not outcome.halted else ():
        say(oddity.what)
    why = outcome.halted or "the reasons are above"
    raise OutsideFailureError(
        f"no scene was drafted, and no project was written{_as_it_was(output)}: {why}; once that is mended, the same"
        " command goes on"
    )


def _as_it_was(output: Path) -> str:
    return f" ({output} is as it was)" if output.exists() else ""


def _people(given: Sequence[str]) -> tuple[Person, ...]:
    """All who were given, checked before a model is paid to be told of them."""
    people = tuple(map(_person, given))
    if wrong := people_error(people):
        raise BadInputError(f"--person: {wrong}")
    for each in people:
        if not each.face:
            say(f"{each.name} has no picture of the face, so the model is told the name alone: --person NAME=FILE")
    return people


def _person(given: str) -> Person:
    """Somebody given as NAME or NAME=FILE, the file a picture of the face."""
    from adstudio.media.faces import face_picture

    name, mark, file = given.partition("=")
    if mark and not file.strip():
        raise BadInputError(
            f"--person {given[:60]}: no picture is named; write it like ANNA=anna.jpg, or the name alone"
        )
    try:
        return Person(composed(name.strip()), face_picture(Path(file)) if file else b"")
    except ValueError as error:
        raise BadInputError(f"--person: {error}; write it like ANNA=anna.jpg") from None
