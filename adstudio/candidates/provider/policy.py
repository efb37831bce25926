"""Where a project's pictures and words may go: nowhere, to named machines of the house, or to one named provider."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from adstudio.candidates.provider.faults import NotAllowedError
from adstudio.candidates.provider.model import Ask, Clip, Image, Text
from adstudio.core.errors import BadInputError

Rule = Literal["offline", "on premises", "cloud"]
Sent = Literal["text", "pictures", "clips"]

CLOUD_HOSTS: dict[str, tuple[str, ...]] = {"gemini": ("generativelanguage.googleapis.com",)}
"""The machines of each cloud provider that a project may name; always port 443 and TLS."""

_PORTS = {"http": 80, "https": 443}
_KINDS: dict[type, Sent] = {Text: "text", Image: "pictures", Clip: "clips"}


@dataclass(frozen=True, slots=True)
class Host:
    """One machine and port. `plain` allows HTTP without TLS to it; to this machine itself that is always allowed."""

    name: str
    port: int
    plain: bool = False

    def __str__(self) -> str:
        return f"{self.name}:{self.port}"


def host_of(url: str) -> Host:
    """The machine that an address leads to; an address that begins with http:// allows what is sent to be read.

    Raises:
        BadInputError: for anything but http(s)://name[:port][/path].
    """
    parts = split(url)
    return Host(_plain_name(parts.hostname or ""), parts.port or _PORTS[parts.scheme], plain=parts.scheme == "http")


def split(url: str) -> SplitResult:
    """The parts of a server's address.

    Raises:
        BadInputError: as `host_of`.
    """
    try:
        parts = urlsplit(url.strip())
        sound = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, sound = SplitResult("", "", "", "", ""), False
    if not sound or "@" in parts.netloc or parts.query or parts.fragment:
        raise BadInputError(
            f"“{url[:100]}” is not the address of a server: write it like https://gpu.example:8000/v1, without a name,"
            " a password or a question mark in it"
        )
    return parts


@dataclass(frozen=True, slots=True)
class Consent:
    """What the describer confirmed for one cloud provider: what is sent there, and when it was confirmed (ISO time)."""

    provider: str
    sends: frozenset[Sent]
    at: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A project's rule. `hosts` are those of the house, for `on premises` and `cloud`; `consent` is for `cloud`."""

    rule: Rule = "offline"
    hosts: tuple[Host, ...] = ()
    consent: Consent | None = None

    def permit(self, scheme: str, name: str, port: int) -> None:
        """Check one connection, before anything is looked up or opened.

        Raises:
            NotAllowedError: unless the policy names exactly this machine and port.
        """
        name = _plain_name(name)
        place = f"{name}:{port}"
        if self.rule == "offline":
            raise NotAllowedError(
                f"this project is offline, so nothing was sent to {place}: its policy is changed in the project’s"
                " settings"
            )
        house = next((host for host in self.hosts if (_plain_name(host.name), host.port) == (name, port)), None)
        if house is not None:
            if scheme == "https" or house.plain or _is_this_machine(name):
                return
            raise NotAllowedError(
                f"{place} would be sent everything unencrypted: give its https address, or allow plain http for it"
            )
        if self.rule == "cloud" and self.consent is not None:
            hosts = CLOUD_HOSTS.get(self.consent.provider, ())
            if name in hosts and port == 443 and scheme == "https":
                return
        allowed = ", ".join([str(host) for host in self.hosts] + self._cloud_names()) or "no server yet"
        raise NotAllowedError(f"this project may not send anything to {place}: its policy names {allowed}")

    def permit_ask(self, provider: str, ask: Ask) -> None:
        """Check that the describer confirmed all kinds of things that an ask sends to a cloud provider.

        Raises:
            NotAllowedError: for what was not confirmed.
        """
        if self.rule != "cloud" or self.consent is None or provider != self.consent.provider:
            return
        sent: set[Sent] = {_KINDS[type(part)] for turn in ask.turns for part in turn.parts}
        if ask.system:
            sent.add("text")
        if missing := sorted(sent - self.consent.sends):
            raise NotAllowedError(
                f"it was not confirmed that {' and '.join(missing)} of this project may go to {provider}: confirm it in"
                " the project’s settings"
            )

    def _cloud_names(self) -> list[str]:
        return [self.consent.provider] if self.rule == "cloud" and self.consent is not None else []


def _plain_name(name: str) -> str:
    name = name.strip("[]").rstrip(".").lower()
    if not name.isascii():
        try:
            name = name.encode("idna").decode("ascii")
        except UnicodeError:
            raise BadInputError(f"“{name[:100]}” is not the name of a machine") from None
    return name


def _is_this_machine(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
