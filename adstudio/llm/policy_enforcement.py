"""What a project's policy permits: nothing, named machines of the house, or one named provider."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from adstudio.core.errors import BadInputError
from adstudio.core.policy import Consent, Host, Policy, Sent, host_and_port
from adstudio.llm import cloud_hosts
from adstudio.llm.faults import NotAllowedError
from adstudio.llm.messages import Clip, Image, Request, Text

CLOUD_HOSTS = cloud_hosts.CLOUD_HOSTS
_PORTS = {"http": 80, "https": 443}
LONGEST_ADDRESS = 2_000
_WRITTEN = re.compile(r"[^\x00-\x20\x7f]+")
_NONE = SplitResult("", "", "", "", "")
_KINDS: dict[type, Sent] = {Text: "text", Image: "pictures", Clip: "clips"}


def host_of(url: str) -> Host:
    """The machine that an address leads to; an address that begins with http:// allows what is sent to be read.

    Raises:
        BadInputError: for anything but http(s)://name[:port][/path].
    """
    parts = split(url)
    try:
        return Host(_plain_name(parts.hostname or ""), parts.port or _PORTS[parts.scheme], plain=parts.scheme == "http")
    except ValueError:
        raise _no_address(url) from None


def cloud_of(name: str) -> str | None:
    """The cloud provider that a machine belongs to, by its name; None for one of the house."""
    return cloud_hosts.cloud_named(_plain_name(name))


def is_public(name: str) -> bool:
    """Whether a machine that is called so may be anybody's, so that a person has to say that it is the house's."""
    return cloud_hosts.is_public(_plain_name(name))


def split(url: str) -> SplitResult:
    """The parts of a server's address.

    Raises:
        BadInputError: as `host_of`.
    """
    url = url.strip()
    try:
        # What it takes out of an address unasked, a line's end, would stay in what is sent to.
        parts = urlsplit(url) if len(url) <= LONGEST_ADDRESS and _WRITTEN.fullmatch(url) else _NONE
        sound = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, sound = _NONE, False
    if not sound or "@" in parts.netloc or parts.query or parts.fragment:
        raise _no_address(url)
    return parts


def redacted(url: str) -> str:
    """An address as it may be printed and logged: “…” for what may hold a password or a key, wherever that begins."""
    begin, mark, rest = url.rpartition("@")
    if mark:
        scheme, slashes, _ = begin.partition("://")
        # Which of two belongs to which is not told by an address that is none.
        odd = any(sign in url for sign in "?#")
        rest = (scheme + slashes if slashes else "") + ("…" if odd else f"…@{rest}")
    plain, sign = next(((rest[: at.start()], at[0]) for at in re.finditer(r"[?#]", rest)), (rest, ""))
    return f"{plain[:100]}{sign}{'…' if sign else ''}"


_NOT_IN_IT = {
    "@": "it has a name or a password in it, before an @, and keys are given apart from it",
    "?": "it has a question mark in it",
    "#": "it has a # in it",
}
"""What the address of a server never has."""


def _no_address(url: str) -> BadInputError:
    why = next((f": {what}" for sign, what in _NOT_IN_IT.items() if sign in url), "")
    return BadInputError(
        f"“{redacted(url)}” is not the address of a server{why}; write it like https://gpu.example:8000/v1"
    )


def lapse_reason(policy: Policy) -> str:
    """Why a policy that has lapsed holds no more, and what to do, without a full stop."""
    given = "for another film" if policy.film else "before it had this video"
    return f"what this project allows was allowed {given}, and has to be allowed again for this one"


def permit(policy: Policy, scheme: str, name: str, port: int) -> None:
    """Check one connection, before anything is looked up or opened.

    A provider's machine is never one of the house, whatever the policy names: it takes a consent.

    Raises:
        NotAllowedError: unless the policy names exactly this machine and port, for the film that the project has.
    """
    name = _plain_name(name)
    place = host_and_port(name, port)
    if policy.lapsed:
        raise NotAllowedError(f"nothing was sent to {place}: {lapse_reason(policy)}")
    if policy.rule == "offline":
        raise NotAllowedError(
            f"this project is offline, so nothing was sent to {place}: its policy is changed in the project’s settings"
        )
    house = next(
        (host for host in policy.on_premises_hosts if (_plain_name(host.name), host.port) == (name, port)), None
    )
    provider = cloud_of(name)
    if house is not None and provider is None:
        if scheme == "https" or house.plain or is_this_machine(name):
            return
        raise NotAllowedError(
            f"{place} would be sent everything unencrypted: give its https address, or allow plain http for it"
        )
    if provider is not None and policy.confirmed is not None and policy.confirmed.provider == provider:
        if (port, scheme) == (443, "https"):
            return
        raise NotAllowedError(
            f"this project may not send anything to {place}: {provider}, as every provider, is asked by https on port"
            " 443 alone"
        )
    if house is not None:
        raise NotAllowedError(
            f"this project may not send anything to {place}: that belongs to a provider, {provider}, and is no machine"
            " of the house; it has to be confirmed as a cloud"
        )
    named = [
        *map(str, policy.on_premises_hosts),
        *([policy.confirmed.provider] if policy.confirmed is not None else []),
    ]
    allowed = ", ".join(named) or "no server yet"
    raise NotAllowedError(f"this project may not send anything to {place}: its policy names {allowed}")


def permit_request(policy: Policy, provider: str, host: Host, request: Request) -> None:
    """Check that the describer confirmed all kinds of things that an ask sends to a cloud provider.

    It is sent there where one of its machines is asked, or Gemini's own protocol is spoken and it is Gemini.

    Raises:
        NotAllowedError: for what was not confirmed.
    """
    consent = policy.confirmed
    if consent is None or not concerns(consent, provider, host):
        return
    sent: set[Sent] = {_KINDS[type(part)] for message in request.messages for part in message.parts}
    if request.system:
        sent.add("text")
    if missing := sorted(sent - consent.sends):
        raise NotAllowedError(
            f"it was not confirmed that {' and '.join(missing)} of this project may go to {consent.provider}: confirm"
            " it in the project’s settings"
        )


def concerns(consent: Consent, protocol: str, host: Host) -> bool:
    """Whether what is sent to a machine in a protocol is sent to the provider of a consent."""
    # Whoever speaks Gemini hands on to Gemini; OpenAI's protocol is everybody's.
    return cloud_of(host.name) == consent.provider or protocol == consent.provider == "gemini"


def _plain_name(name: str) -> str:
    name = name.strip("[]").rstrip(".").lower()
    if not name.isascii():
        try:
            name = name.encode("idna").decode("ascii")
        except UnicodeError:
            raise BadInputError(f"“{name[:100]}” is not the name of a machine") from None
    return name


def is_number(name: str) -> bool:
    """Whether a machine is called by its address in numbers."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def is_this_machine(name: str) -> bool:
    """Whether a machine of that name is this one, which no network lies before."""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
