"""`adstudio draft --weigh WAY`: who weighs, whether they may be sent what they need, and what came of it."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adstudio.cli.cost_limit import micro_usd
from adstudio.cli.interrupt import Stopped, stopping
from adstudio.cli.model_options import cloud_of, not_noted, policy_for
from adstudio.cli.output import print_oddities, say
from adstudio.cli.overwrite import identity_of, kept_of
from adstudio.core.errors import BadInputError, Oddity, OutsideFailureError
from adstudio.core.policy import Consent, Policy, Rule
from adstudio.core.script import Script
from adstudio.drafting.weigh.methods import WAYS, Way

if TYPE_CHECKING:
    from adstudio.connections.saved_connections import SavedConnection
    from adstudio.drafting.draft import Sources
    from adstudio.drafting.text.film_drafting import Told
    from adstudio.drafting.weigh.scene import Weights
    from adstudio.drafting.weigh.script_weighing import Weighing
    from adstudio.llm.provider import Provider

Weigh = Annotated[
    Way | None,
    typer.Option("--weigh", metavar="WAY", help=f"Have a server weigh all lines anew: {', '.join(WAYS)}."),
]
WeighWith = Annotated[
    str | None,
    typer.Option(
        "--weigh-with", metavar="NAME", help="Who weighs, by its name in adstudio connect; for model, --llm without it."
    ),
]
WeighReviewed = Annotated[
    bool,
    typer.Option("--weigh-reviewed", metavar="", help="Weigh lines of scenes that are marked as reviewed too."),
]

_WIDTH: tuple[Rule, ...] = ("offline", "on premises", "cloud")


class Weigher:
    """Weighs a script by a server that may be asked, and remembers what came of it."""

    def __init__(
        self, named: SavedConnection, how: Weighing, policy: Policy, kept: Policy, answered: list[str], project: Path
    ) -> None:
        self.named, self.project = named, project
        self._policy, self._kept, self._answered = policy, kept, answered
        self.weights: Weights | None = None
        self.left = 0
        self._how = how

    @property
    def policy(self) -> Policy:
        """What its project allows from now on: what this run allowed only where the server has answered."""
        return self._policy if self._answered else self._kept

    @property
    def allows_more(self) -> bool:
        """Whether this run allowed what the project did not."""
        return self._policy != self._kept

    def __call__(self, told: Told, script: Script) -> Script:
        """The script with its lines weighed; see `drafting.weigh.script_weighing.weighed`.

        Raises:
            Stopped: where somebody ended it; what had come is kept.
        """
        from adstudio.drafting.model.client import StoppedError
        from adstudio.drafting.stopping import Stopping
        from adstudio.drafting.weigh.script_weighing import left_alone, weighed

        self.left = 0 if self._how.reviewed else left_alone(script)
        stop = Stopping()
        with stopping(stop) as heard:
            try:
                script, self.weights = weighed(script, self._how, told, stopping=stop.sets)
            except (StoppedError, KeyboardInterrupt):
                raise Stopped(heard[0] if heard else signal.SIGINT) from None
        if heard:
            raise Stopped(heard[0])
        return script

    def __str__(self) -> str:
        return f"{self.named.name} ({self._how.way})"


def tell(weigher: Weigher | None) -> None:
    """Say what was weighed, and why scenes were not."""
    if weigher is None or weigher.weights is None:
        return
    if weigher.left:
        lines = "1 line of a reviewed scene keeps its weight"
        lines = lines if weigher.left == 1 else f"{weigher.left:,} lines of reviewed scenes keep their weights"
        say(f"{lines} (with --weigh-reviewed they are weighed too)")
    weights = weigher.weights
    asked = f"{weights.asked:,} asks, {weights.usage.tokens_in:,} tokens in" if weights.asked else "known from before"
    say(f"{len(weights.saliences):,} lines weighed by {weigher}: {asked}")
    print_oddities(noted(weigher))
    if not weights.asked and not weights.missing and weigher.allows_more:
        say(not_noted(weigher.project))


def noted(weigher: Weigher | None) -> list[tuple[str, Oddity]]:
    """Why scenes were not weighed."""
    if weigher is None or weigher.weights is None:
        return []
    return [
        (weigher.named.name, Oddity(f"scene {scene} is not weighed, and keeps the weights it had: {why}"))
        for scene, why in weigher.weights.missing.items()
    ]


def require_whole(weigher: Weigher | None, scenes: int, again: str) -> None:
    """Check that all scenes were weighed, where they were to be; `again` is the command that asks for the rest.

    Raises:
        OutsideFailureError: where some were not; the project is written all the same.
    """
    if weigher is not None and weigher.weights is not None and (missing := len(weigher.weights.missing)):
        raise OutsideFailureError(
            f"{missing} of {max(scenes, missing)} scenes were not weighed, for the reasons above: once that is mended,"
            f" {again} asks for those alone"
        )


def together(other: Policy, weigher: Weigher | None) -> Policy:
    """What a policy of the film allows, and what a weigher was allowed."""
    if weigher is None:
        return other
    mine = weigher.policy
    if other.rule == "offline" or mine.rule == "offline":
        # What one names and does not allow must not be allowed by the other's rule.
        return other if mine.rule == "offline" else mine
    known = {(host.name, host.port) for host in other.hosts}
    hosts = (*other.hosts, *(host for host in mine.hosts if (host.name, host.port) not in known))
    rules: tuple[Rule, ...] = (other.rule, mine.rule)
    return Policy(max(rules, key=_WIDTH.index), hosts, _both(other.confirmed, mine.confirmed))


def _both(one: Consent | None, other: Consent | None) -> Consent | None:
    if one is None or other is None or one.provider != other.provider:
        return one or other
    return Consent(one.provider, one.sends | other.sends, max(one.at, other.at))


def weigher(
    way: Way | None,
    weigh_with: str | None,
    llm: str | None,
    sources: Sources,
    output: Path,
    *,
    on_premises: bool,
    cloud: str | None,
    plain_http: bool = False,
    most_usd: float | None = None,
    reviewed: bool = False,
) -> Weigher | None:
    """Who weighs, checked before any work is done; None where nobody was asked to.

    Raises:
        BadInputError: for a way without a server, one that is not known or may not be sent what it needs.
        OutsideFailureError: where the connections cannot be read.
    """
    if way is None:
        if weigh_with is not None:
            raise BadInputError(f"--weigh-with says who weighs: say how, with --weigh ({', '.join(WAYS)})")
        if reviewed:
            raise BadInputError(f"--weigh-reviewed says what is weighed: say how, with --weigh ({', '.join(WAYS)})")
        return None
    from adstudio.connections.first_response import FirstResponseProvider
    from adstudio.connections.model_access import provider_of
    from adstudio.connections.saved_connections import connection_named
    from adstudio.drafting.model.request_store import default_place
    from adstudio.drafting.weigh.script_weighing import Weighing, require_weighable, sends

    require_weighable(way, video=sources.video is not None)
    name = weigh_with or (llm if way == "model" else None)
    if name is None:
        raise BadInputError(f"--weigh {way} asks a server: name it with --weigh-with NAME")
    named = connection_named(name)
    most = micro_usd(most_usd, named)
    if way == "video-embedding" and named.kind == "gemini":
        raise BadInputError(f"--weigh {way} asks a server of the house, and “{name}” is none: choose another")
    on_premises, cloud = _options_for(named, on_premises=on_premises, cloud=cloud)
    kept = kept_of(output, sources.video).policy
    policy = policy_for(named, kept, on_premises=on_premises, cloud=cloud, sends=sends(way), plain_http=plain_http)
    identity = identity_of(output, sources.video)
    connection = named.connection(policy, project=output.name, salt=identity, identity=identity)
    connection.require_allowed()
    answered: list[str] = []

    def opened() -> Provider:
        return FirstResponseProvider(
            provider_of(connection, embeds=way != "model"), lambda: answered.append(named.name)
        )

    return Weigher(named, Weighing(way, opened, default_place(), most, reviewed), policy, kept, answered, output)


def options_for_llm(
    llm: str, weigher: Weigher | None, *, on_premises: bool, cloud: str | None
) -> tuple[bool, str | None]:
    """Those of the two options that are about the model that drafts, where the others are about the one that weighs."""
    if weigher is None:
        return on_premises, cloud
    from adstudio.connections.saved_connections import connection_named

    return _options_for(connection_named(llm), on_premises=on_premises, cloud=cloud)


def _options_for(named: SavedConnection, *, on_premises: bool, cloud: str | None) -> tuple[bool, str | None]:
    """Of the two options, which may be meant for two connections of one command, the one that is about this."""
    if not (on_premises and cloud is not None):
        return on_premises, cloud
    return (True, None) if cloud_of(named) is None else (False, cloud)
