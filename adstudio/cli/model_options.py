"""Options of the commands that may ask a model: which one, and what allows the film's material to be sent to it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from adstudio.cli.options import flag, option
from adstudio.cli.output import say, words
from adstudio.core.errors import BadInputError, OutsideFailureError

if TYPE_CHECKING:
    from adstudio.connections.saved_connections import SavedConnection
    from adstudio.core.policy import Host, Policy, Sent

LONGEST_LINE = 300

Llm = Annotated[str | None, option("NAME", "The connection to use, by its name in adstudio connect.")]
MostCost = Annotated[float | None, option("DOLLARS", "Stop once the film has cost this much (US dollars).")]


@dataclass(frozen=True)
class SendingOptions:
    """What allows the film's material to be sent."""

    TITLE: ClassVar[str] = "Consent"

    on_premises: Annotated[
        bool,
        flag("--on-premises", "Allow sending to the model, which runs on your own server. Recorded in the project."),
    ] = False
    cloud: Annotated[
        str | None,
        option(
            "PROVIDER",
            "Allow sending to this provider (gemini, openai …): you are told what is sent, and type its name.",
        ),
    ] = None
    plain_http: Annotated[
        bool,
        flag("--plain-http", "Send it even to an http:// address, which anyone on the network in between can read."),
    ] = False

    @property
    def any(self) -> bool:
        """Whether any of them is given."""
        return self != SendingOptions()

    def meant_for(self, named: SavedConnection) -> SendingOptions:
        """With both consent options given, for two connections of one command: only the one for this connection."""
        if not (self.on_premises and self.cloud is not None):
            return self
        return replace(self, cloud=None) if named.cloud is None else replace(self, on_premises=False)

    def require(self, named: SavedConnection, current: Policy, sends: frozenset[Sent]) -> None:
        """Check before any work that `policy` will have what it needs, and that a key is there if one is needed.

        Raises:
            BadInputError: as `policy`.
            OutsideFailureError: where there is no key.
        """
        self._require_one(named, current, sends)
        if not self.plain_http and not is_allowed(named, current, sends):
            require_encrypted(named.host)
        require_key(named)

    def policy(
        self, named: SavedConnection, current: Policy, sends: frozenset[Sent], estimated: Iterable[str] = ()
    ) -> Policy:
        """The policy under which a model may be used: the current one, widened by what the options allow.

        For a cloud provider, prints the `estimated` lines and what would be sent, then reads the provider's name from
        the terminal or standard input. A public name that is given as on-premises is confirmed in the same way.
        Nothing is opened here.

        Raises:
            BadInputError: when neither the current policy nor an option allows it (the message names the option), or
                the name was not given.
        """
        from adstudio.core.policy import MAX_HOSTS, Consent, Policy
        from adstudio.llm.policy_enforcement import is_public, is_this_machine

        self.require(named, current, sends)
        _say_all(estimated)
        if is_allowed(named, current, sends):
            return current
        provider = named.cloud
        if provider is not None:
            from adstudio.llm.traffic_log import now

            given: frozenset[Sent] = frozenset()
            if current.confirmed is not None and current.confirmed.provider == provider:
                given = current.confirmed.sends
            _confirm(named, provider, sends)
            return Policy("cloud", current.on_premises_hosts, Consent(provider, frozenset(sends | given), now()))
        host = named.host
        if host.plain and not is_this_machine(host.name):
            say(f"{host} is used without encryption (http): anyone on the network in between can read what is sent")
        if is_public(host.name) and all(str(each) != str(host) for each in current.on_premises_hosts):
            _confirm_house(host)
        others = tuple(each for each in current.on_premises_hosts if (each.name, each.port) != (host.name, host.port))
        if len(others) >= MAX_HOSTS:
            raise BadInputError(
                f"the project already allows {MAX_HOSTS} servers, so {host} is not added: remove some in the editor,"
                " under AI services, Privacy"
            )
        rule = "cloud" if current.rule == "cloud" else "on premises"
        return Policy(rule, (*others, host), current.confirmed)

    def _require_one(self, named: SavedConnection, current: Policy, sends: frozenset[Sent]) -> None:
        why = why_not(current) if current.lapsed else "the film is kept offline"
        if named.cloud is None:
            host = named.host
            if self.cloud is not None:
                raise BadInputError(
                    f"“{named.name}” runs on {host}, not at {self.cloud[:40]}: give --on-premises instead of --cloud"
                )
            if not self.on_premises and not is_allowed(named, current, sends):
                raise BadInputError(
                    f"nothing was sent: {why}, and “{named.name}” runs on {host}; give --on-premises if that is your"
                    " own server and the film’s material may be sent there"
                )
            return
        from adstudio.connections.consent_texts import PROVIDERS

        provider, option = PROVIDERS[named.cloud], f"--cloud {named.cloud}"
        if self.on_premises:
            raise BadInputError(
                f"“{named.name}” is {provider}, not a server of your own: give {option} instead of --on-premises"
            )
        if self.cloud is not None and self.cloud.strip().casefold() != named.cloud:
            raise BadInputError(f"--cloud: “{named.name}” is {provider}: give {option}")
        if self.cloud is None and not is_allowed(named, current, sends):
            raise BadInputError(
                f"nothing was sent: {why}, and “{named.name}” is {provider}; give {option} to see what would be sent"
                " there, and to confirm it"
            )


def micro_usd(most_usd: float | None, named: SavedConnection) -> int | None:
    """A spending limit in millionths of a US dollar for a model; says so if the model costs nothing.

    Raises:
        BadInputError: for an invalid limit, or a model whose price is unknown, so that it could not be enforced.
    """
    if most_usd is None:
        return None
    if not 0 < most_usd < 1_000_000:
        raise BadInputError(f"--most-cost: {most_usd:g} is not a limit: give more than 0 US dollars, or leave it out")
    if not named.capabilities.price_known:
        raise BadInputError(
            f"--most-cost: the price of {named.model} (“{named.name}”) is unknown, so no limit can be enforced:"
            " leave it out, or use a model whose price is known"
        )
    if named.capabilities.free:
        say(
            f"“{named.name}” runs on {named.host}, where tokens cost nothing as far as is known: --most-cost has no"
            " effect"
        )
    return round(most_usd * 1_000_000)


def noted(project: Path, before: Policy, policy: Policy) -> str:
    """Message: what a project allows from now on and did not before."""
    may = [str(host) for host in policy.on_premises_hosts if host not in before.on_premises_hosts]
    if policy.confirmed is not None and policy.confirmed != before.confirmed:
        from adstudio.connections.consent_texts import PROVIDERS

        may.append(PROVIDERS[policy.confirmed.provider])
    return f"recorded in {project}: {' and '.join(may)} may be used from now on, until you revoke that in the editor"


def not_noted(project: Path) -> str:
    """Message: consent was not recorded, because cached answers do not show which server is used now."""
    return f"no request was made, so your consent is not recorded in {project}: give the same option again next time"


def require_encrypted(host: Host, option: str = "--plain-http") -> None:
    """Check that what is sent to a server, its key above all, cannot be read on the way.

    Raises:
        BadInputError: if it can; the message names the `option` that allows it anyway.
    """
    from adstudio.llm.policy_enforcement import is_this_machine

    if host.plain and not is_this_machine(host.name):
        raise BadInputError(
            f"nothing was sent: the address of {host} begins with http://, so anyone on the network in between can read"
            " and change everything, the key included; give its https address, or "
            f"{option} to send it anyway"
        )


def require_key(named: SavedConnection) -> None:
    """Check that the key which a connection needs is there. The keyring may be behind a local socket.

    Raises:
        OutsideFailureError: if it is not; the message says how to add it.
    """
    from adstudio.core.policy import OFFLINE
    from adstudio.llm.faults import ClientMissingError, NoKeyringError
    from adstudio.llm.keys import key_of, variable_of

    name = named.connection(OFFLINE).key_name
    if not named.keyed and named.kind != "gemini":
        return
    try:
        if key_of(name) is not None:
            return
    except (ClientMissingError, NoKeyringError) as error:
        raise OutsideFailureError(
            f"the key of {name} cannot be read: {error}; or give it in the environment, as {variable_of(name)}"
        ) from None
    raise OutsideFailureError(f"there is no key for {name}: add it with adstudio connect {named.name} --key")


def why_not(current: Policy) -> str:
    """Why a policy forbids sending, without a full stop."""
    if current.lapse is not None:
        from adstudio.llm.policy_enforcement import LAPSES

        return LAPSES[current.lapse]
    return "the film is kept offline" if current.rule == "offline" else "that was not allowed"


def is_allowed(named: SavedConnection, current: Policy, sends: frozenset[Sent]) -> bool:
    """Whether a policy allows sending all this to a model."""
    from adstudio.llm.faults import NotAllowedError

    try:
        named.connection(current).require_allowed()
    except NotAllowedError:
        return False
    if named.cloud is None:
        return True
    return current.confirmed is not None and sends <= current.confirmed.sends


def _confirm(named: SavedConnection, provider: str, sends: frozenset[Sent]) -> None:
    from adstudio.connections.consent_texts import KINDS, PROVIDERS, provider_terms

    _say_all(
        [f"This would be sent to {PROVIDERS[provider]} over the internet ({named.host.name}, model {named.model}):"]
    )
    _say_all(f"  – {words}" for kind, words in KINDS.items() if kind in sends)
    _say_all([provider_terms(provider)])
    _ask_for(provider)


def _confirm_house(host: Host) -> None:
    what = f"{host.name} is a public name, so it could be anybody’s server: it counts as your own only if you know that"
    _say_all([f"{what} your organisation runs it, and that nobody else gets what is sent there"])
    _ask_for(host.name)


def _ask_for(name: str) -> None:
    """Ask for a name to be typed as confirmation.

    Raises:
        BadInputError: if anything else is typed.
    """
    interactive = sys.stdin is not None and sys.stdin.isatty()  # pyright: ignore[reportUnnecessaryComparison] - None where it is closed
    asking = f"Type {name} to send it, or anything else to send nothing: "
    words.print(asking, end="" if interactive else "\n", markup=False)
    if _line().strip().casefold() != name:
        raise BadInputError(
            f"nothing was sent: to agree, type {name} when you are asked, or give it on standard input"
            f" (echo {name} | adstudio …)"
        )


def _line() -> str:
    """A line of standard input; empty if there is none."""
    try:
        return sys.stdin.readline(LONGEST_LINE)
    except (AttributeError, OSError, ValueError):
        return ""


def _say_all(lines: Iterable[str]) -> None:
    for line in lines:
        # `say` would take the indentation away.
        words.print(line, markup=False, emoji=False)
