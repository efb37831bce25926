"""A project's sharing policy: where its pictures and text may be sent. The LLM transport enforces it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal

from adstudio.core.film import Film

Rule = Literal["offline", "on premises", "cloud"]
"""Nothing leaves the machine; on-premises servers are allowed; those and one cloud provider are allowed."""
RULES: tuple[Rule, ...] = ("offline", "on premises", "cloud")
Sent = Literal["text", "pictures", "clips"]
"""A kind of data that can be sent."""
SENT: tuple[Sent, ...] = ("text", "pictures", "clips")
SENT_NAMES: dict[Sent, str] = {
    "clips": "video frames",
    "pictures": "photos of people with their names",
    "text": "text",
}
"""What users read wherever a kind of data is named, the most sensitive first."""

MAX_HOSTS = 100
_LONGEST_NAME = 253


def sent_names(kinds: Collection[Sent]) -> str:
    """The names of kinds of data, as a list."""
    *others, last = [name for kind, name in SENT_NAMES.items() if kind in kinds] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def host_and_port(name: str, port: int) -> str:
    """A host and port as people write them; an IPv6 address goes in brackets (RFC 3986, 3.2.2)."""
    name = name.strip("[]")
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


@dataclass(frozen=True, slots=True)
class Host:
    """A server's name and port. `plain` allows HTTP without TLS, which is always allowed to this machine itself."""

    name: str
    port: int
    plain: bool = False

    def __post_init__(self) -> None:
        if not 0 < len(self.name) <= _LONGEST_NAME or not self.name.isprintable() or " " in self.name:
            raise ValueError(f"“{self.name[:100]}” is not a host name")
        if not 0 < self.port < 65_536:
            raise ValueError(f"{self.port} is not a port number")

    def __str__(self) -> str:
        return host_and_port(self.name, self.port)


@dataclass(frozen=True, slots=True)
class Consent:
    """The describer's consent for one cloud provider: the kinds of data, and when it was given (ISO 8601)."""

    provider: str
    sends: frozenset[Sent]
    at: str


class Lapse(Enum):
    """Why a permission does not apply, so that it has to be given again."""

    OTHER_FILM = "other film"
    FIRST_FILM = "first film"
    """It was given when the project had no video."""
    CHANGED_FILM = "changed film"
    """Its size and samples are those of the film for which it was given, but the whole content is not."""
    OTHER_USER = "other user"
    """It was not given by this user, or by an earlier version that did not record who gave it."""
    NO_KEYRING = "no keyring"
    """The keyring does not release the secret that would show who gave it."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A project's rule. `hosts` are on-premises servers, for `on premises` and `cloud`; `consent` is for `cloud`.

    `film` identifies the film it was granted for (see `film_identity`), None if unknown; `content` is the hash of all
    of it, empty until that is known; `lapse` says why it does not apply at the moment. Policies that differ only in
    these are equal.
    """

    rule: Rule = "offline"
    hosts: tuple[Host, ...] = ()
    consent: Consent | None = None
    film: str | None = field(default=None, compare=False)
    content: str = field(default="", compare=False)
    lapse: Lapse | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if len(self.hosts) > MAX_HOSTS:
            raise ValueError(f"a project can name at most {MAX_HOSTS} servers")

    @property
    def on_premises_hosts(self) -> tuple[Host, ...]:
        """The on-premises servers that are allowed now; none while offline."""
        return () if self.rule == "offline" else self.hosts

    @property
    def confirmed(self) -> Consent | None:
        """The consent in force, which only the `cloud` rule has."""
        return self.consent if self.rule == "cloud" else None

    @property
    def lapsed(self) -> bool:
        """Whether it is offline only because its permission does not apply."""
        return self.lapse is not None

    def granted_for(self, film: str, content: str = "") -> Policy:
        """The same policy granted for this film; one that allows nothing belongs to no film.

        Without the `content`, what was known of that when it was granted for the same film still is.
        """
        if self.rule == "offline":
            return replace(self, film=None, content="", lapse=None)
        return replace(self, film=film, content=content or (self.content if self.film == film else ""), lapse=None)

    def withheld(self, lapse: Lapse) -> Policy:
        """Offline instead. It still names its servers and provider, so that they can be offered for renewal."""
        return self if self.rule == "offline" else replace(self, rule="offline", lapse=lapse)

    def valid_for(self, *films: str) -> Policy:
        """The policy as it applies to these films: unchanged if it was granted for each of them, else withheld."""
        if all(film == self.film for film in films):
            return self
        return self.withheld(Lapse.OTHER_FILM if self.film else Lapse.FIRST_FILM)

    def valid_for_content(self, content: str) -> Policy:
        """The policy as it applies to a film with this whole content: withheld if it was granted for another.

        If either is unknown (empty), the film's identity has to do.
        """
        return self.withheld(Lapse.CHANGED_FILM) if content and self.content not in ("", content) else self


def film_identity(film: Film) -> str:
    """Identifies a film for permissions by its video's content; empty without a video.

    A film stays the same if its path, title, subtitles or lines change. Another cut or encoding counts as another film,
    since only a person could tell that it shows the same.
    """
    media = film.media
    if media is None:
        return ""
    return media.fingerprint or f"{media.size} bytes, {media.duration} ms, {media.path}"


OFFLINE = Policy()
"""Nothing may be sent: the default."""


def merged(one: Policy, other: Policy) -> Policy:
    """What either of two policies allows."""
    if one.rule == "offline" or other.rule == "offline":
        # What one names and does not allow must not be allowed by the other's rule.
        return one if other.rule == "offline" else other
    known = {(host.name, host.port) for host in one.hosts}
    hosts = (*one.hosts, *(host for host in other.hosts if (host.name, host.port) not in known))
    rules: tuple[Rule, ...] = (one.rule, other.rule)
    return Policy(max(rules, key=RULES.index), hosts, _both(one.confirmed, other.confirmed))


def _both(one: Consent | None, other: Consent | None) -> Consent | None:
    if one is None or other is None or one.provider != other.provider:
        return one or other
    return Consent(one.provider, one.sends | other.sends, max(one.at, other.at))


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """A change of a project's policy; `at` is in milliseconds since 1970.

    `code` proves to the user who made it that they did (`store.policies`).
    """

    at: int
    policy: Policy
    code: bytes = field(default=b"", compare=False, repr=False)
