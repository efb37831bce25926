"""Where a project's pictures and words may go, as the describer said it; what permits is with the models' transport."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from adstudio.core.script import Film

Rule = Literal["offline", "on premises", "cloud"]
"""Nowhere; to named machines of the house; to those and to one named provider."""
RULES: tuple[Rule, ...] = ("offline", "on premises", "cloud")
Sent = Literal["text", "pictures", "clips"]
"""What can be sent."""
SENT: tuple[Sent, ...] = ("text", "pictures", "clips")


MOST_HOSTS = 100
_LONGEST_NAME = 253


def place(name: str, port: int) -> str:
    """A machine and its port as people write them: an address with colons of its own in brackets (RFC 3986, 3.2.2)."""
    name = name.strip("[]")
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


@dataclass(frozen=True, slots=True)
class Host:
    """One machine and port. `plain` allows HTTP without TLS to it; to this machine itself that is always allowed."""

    name: str
    port: int
    plain: bool = False

    def __post_init__(self) -> None:
        if not 0 < len(self.name) <= _LONGEST_NAME or not self.name.isprintable() or " " in self.name:
            raise ValueError(f"“{self.name[:100]}” is not the name of a machine")
        if not 0 < self.port < 65_536:
            raise ValueError(f"{self.port} is not a port")

    def __str__(self) -> str:
        return place(self.name, self.port)


@dataclass(frozen=True, slots=True)
class Consent:
    """What the describer confirmed for one cloud provider: what is sent there, and when it was confirmed (ISO time)."""

    provider: str
    sends: frozenset[Sent]
    at: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A project's rule. `hosts` are those of the house, for `on premises` and `cloud`; `consent` is for `cloud`.

    `film` is the film that it was given for (see `name_of`), None where nobody said which. It is no part of what is
    allowed, and two policies that differ in it alone are equal.
    """

    rule: Rule = "offline"
    hosts: tuple[Host, ...] = ()
    consent: Consent | None = None
    film: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if len(self.hosts) > MOST_HOSTS:
            raise ValueError(f"a project names at most {MOST_HOSTS} machines")

    @property
    def houses(self) -> tuple[Host, ...]:
        """The machines of the house that are allowed now: offline none, whatever is named."""
        return () if self.rule == "offline" else self.hosts

    @property
    def confirmed(self) -> Consent | None:
        """What is confirmed now: nothing but in the cloud, whatever was."""
        return self.consent if self.rule == "cloud" else None

    @property
    def lapsed(self) -> bool:
        """Whether it is offline for the sole reason that what it allows was allowed for another film."""
        return self.rule == "offline" and self.film is not None

    def given_for(self, film: str) -> Policy:
        """The same, given for this film; what allows nothing is of no film."""
        return replace(self, film=None if self.rule == "offline" else film)

    def holding_for(self, *films: str) -> Policy:
        """What holds of it for these films: all where each is the one that it was given for, else nothing.

        Then it still names its machines and its provider, so that they can be shown when it is to be given again.
        """
        if self.rule == "offline" or all(film == self.film for film in films):
            return self
        return replace(self, rule="offline", film=self.film or "")


def name_of(film: Film) -> str:
    """What tells a film from another, for a permission: its video's content; empty where it has no video.

    A path may change, a title, the subtitles and every line too: it is the same film. Another cut or encoding of it is
    another one, as nobody but a person can tell that it shows the same.
    """
    media = film.media
    if media is None:
        return ""
    return media.fingerprint or f"{media.size} bytes, {media.duration} ms, {media.path}"


OFFLINE = Policy()
"""Nothing may be sent: what holds as long as nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """That a project's policy became another one; `at` is when, in milliseconds since 1970."""

    at: int
    policy: Policy
