"""Enforces a project's sharing policy: offline, named on-premises servers, or one named cloud provider."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from adstudio.core.errors import BadInputError
from adstudio.core.policy import Consent, Host, Lapse, Policy, Sent, host_and_port, sent_names
from adstudio.llm.cloud_hosts import CLOUDS, ends_with
from adstudio.llm.faults import NotAllowedError
from adstudio.llm.messages import Clip, Image, Request, Text

_PRIVATE_ENDS = (
    # RFC 6762, 6761, 8375, ICANN's resolution of July 2024, RFC 2606; then what organisations and routers use.
    *("local", "localhost", "home.arpa", "internal", "test", "example", "invalid"),
    *("lan", "home", "corp", "intranet", "private", "localdomain", "ts.net"),
)
_PORTS = {"http": 80, "https": 443}
LONGEST_ADDRESS = 2_000
_WRITTEN = re.compile(r"[^\x00-\x20\x7f]+")
_NONE = SplitResult("", "", "", "", "")
_KINDS: dict[type, Sent] = {Text: "text", Image: "pictures", Clip: "clips"}


def host_of(url: str) -> Host:
    """The host of a server's address; an http:// address permits unencrypted traffic to it.

    Raises:
        BadInputError: for anything but http(s)://name[:port][/path].
    """
    parts = split(url)
    try:
        return Host(_plain_name(parts.hostname or ""), parts.port or _PORTS[parts.scheme], plain=parts.scheme == "http")
    except ValueError:
        raise _no_address(url) from None


def cloud_of(name: str) -> str | None:
    """The cloud provider that a host belongs to, by its name; None for any other host."""
    name = _plain_name(name)
    return next((cloud.name for cloud in CLOUDS if cloud.has(name)), None)


def is_public(name: str) -> bool:
    """Whether a host name is a global IP address or in a public domain.

    On-premises servers may have such names too, which only a person can confirm.
    """
    name = _plain_name(name)
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        # Resolvers also accept a bare number as an address.
        lone = name.isdigit() or name.startswith("0x")
        return lone or ("." in name and not ends_with(name, _PRIVATE_ENDS))
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_global


def split(url: str) -> SplitResult:
    """The parts of a server's address, validated; raises BadInputError as `host_of`."""
    url = url.strip()
    try:
        # urlsplit silently drops line breaks, which would stay in the address that is connected to.
        parts = urlsplit(url) if len(url) <= LONGEST_ADDRESS and _WRITTEN.fullmatch(url) else _NONE
        valid = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, valid = _NONE, False
    if not valid or "@" in parts.netloc or parts.query or parts.fragment:
        raise _no_address(url)
    return parts


def redacted(url: str) -> str:
    """An address that is safe to print and log: “…” in place of anything that may hold a password or key."""
    begin, mark, rest = url.rpartition("@")
    if mark:
        scheme, slashes, _ = begin.partition("://")
        # In a malformed address it is unclear where the password ends.
        odd = any(sign in url for sign in "?#")
        rest = (scheme + slashes if slashes else "") + ("…" if odd else f"…@{rest}")
    plain, sign = next(((rest[: at.start()], at[0]) for at in re.finditer(r"[?#]", rest)), (rest, ""))
    return f"{plain[:100]}{sign}{'…' if sign else ''}"


_NOT_IN_IT = {
    "@": "it contains a user name or password before an @; keys are entered separately",
    "?": "it contains a question mark",
    "#": "it contains a #",
}
"""Characters that are not allowed in a server's address, and why."""


def _no_address(url: str) -> BadInputError:
    why = next((f": {what}" for sign, what in _NOT_IN_IT.items() if sign in url), "")
    return BadInputError(
        f"“{redacted(url)}” is not the address of a server{why}; write it like https://gpu.example:8000/v1"
    )


LAPSES = {
    Lapse.OTHER_FILM: "the project’s sharing settings were confirmed for another film, and have to be confirmed again"
    " for this one",
    Lapse.FIRST_FILM: "the project’s sharing settings were confirmed before the project had this video, and have to be"
    " confirmed again for this one",
    Lapse.CHANGED_FILM: "the video is not the one for which the project’s sharing settings were confirmed, although its"
    " size is the same: check whether it is the right film, and confirm them again for it",
    Lapse.OTHER_USER: "the project’s sharing settings were not confirmed by you, but by somebody else or in an earlier"
    " version of adstudio, and have to be confirmed again",
    Lapse.NO_KEYRING: "the system’s keyring is locked, so it cannot be checked who confirmed the project’s sharing"
    " settings: unlock it and open the project again, or confirm them again",
}
"""Why a policy does not apply and what to do, without a full stop."""


def permit(policy: Policy, scheme: str, name: str, port: int) -> None:
    """Check one connection, before any name is looked up or socket opened.

    A cloud provider's host never counts as on-premises, whatever the policy lists: it needs a consent.

    Raises:
        NotAllowedError: unless the policy names exactly this host and port, for the project's current film.
    """
    name = _plain_name(name)
    place = host_and_port(name, port)
    if policy.lapse is not None:
        raise NotAllowedError(f"nothing was sent to {place}: {LAPSES[policy.lapse]}")
    if policy.rule == "offline":
        raise NotAllowedError(
            f"this project is offline, so nothing was sent to {place}: change this in the project’s settings"
        )
    house = next(
        (host for host in policy.on_premises_hosts if (_plain_name(host.name), host.port) == (name, port)), None
    )
    provider = cloud_of(name)
    if house is not None and provider is None:
        if scheme == "https" or house.plain or is_this_machine(name):
            return
        raise NotAllowedError(
            f"the connection to {place} would be unencrypted: give its https address, or allow plain http for it"
        )
    if provider is not None and policy.confirmed is not None and policy.confirmed.provider == provider:
        if (port, scheme) == (443, "https"):
            return
        raise NotAllowedError(
            f"this project may not send anything to {place}: only https on port 443 is allowed for {provider}, as for"
            " every cloud provider"
        )
    if house is not None:
        raise NotAllowedError(
            f"this project may not send anything to {place}: it belongs to the cloud provider {provider}, so it is not"
            " an on-premises server and has to be confirmed as a cloud service"
        )
    named = [*map(str, policy.on_premises_hosts), *([policy.confirmed.provider] if policy.confirmed else [])]
    allowed = ", ".join(named) or "no server yet"
    raise NotAllowedError(f"this project may not send anything to {place}: its sharing policy allows {allowed}")


def permit_request(policy: Policy, provider: str, host: Host, request: Request) -> None:
    """Check that the user consented to every kind of data that a request sends to a cloud provider.

    This concerns requests to the provider's hosts, and any request in Gemini's protocol if the provider is Gemini.

    Raises:
        NotAllowedError: for data without consent.
    """
    consent = policy.confirmed
    if consent is None or not concerns(consent, provider, host):
        return
    sent: set[Sent] = {_KINDS[type(part)] for message in request.messages for part in message.parts}
    if request.system:
        sent.add("text")
    if missing := sent - consent.sends:
        raise NotAllowedError(
            f"sending this project’s {sent_names(missing)} to {consent.provider} was not confirmed: confirm it in the"
            " project’s settings"
        )


def concerns(consent: Consent, protocol: str, host: Host) -> bool:
    """Whether data sent to a host in a protocol reaches the provider of a consent."""
    # A gateway that speaks Gemini's protocol forwards to Gemini; OpenAI's protocol says nothing about the provider.
    return cloud_of(host.name) == consent.provider or protocol == consent.provider == "gemini"


def _plain_name(name: str) -> str:
    name = name.strip("[]").rstrip(".").lower()
    if not name.isascii():
        try:
            name = name.encode("idna").decode("ascii")
        except UnicodeError:
            raise BadInputError(f"“{name[:100]}” is not a valid host name") from None
    return name


def is_number(name: str) -> bool:
    """Whether a host name is an IP address."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def is_this_machine(name: str) -> bool:
    """Whether a host name is this machine, so that traffic to it stays off the network."""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
