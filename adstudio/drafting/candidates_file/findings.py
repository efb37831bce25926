"""Oddities in a candidates file, collected while it is read."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from adstudio.core.errors import Oddity

SHOWN_CHARACTERS = 40
"""Characters of a value that a message quotes."""
SHOWN_PLACES = 3
"""Places that a shared finding lists."""
MOST_FINDINGS = 20_000
"""Different findings that are listed; more are only counted."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the file: its path, such as `scenes[2].elements[7]`, with indices from 0, and its line."""

    path: str
    line: int


class Lines:
    """Converts ascending offsets in a text to line numbers from 1."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1

    def of(self, offset: int) -> int:
        """The line of the character at `offset`, which must not be less than in the previous call."""
        self._line += self._text.count("\n", self._offset, offset)
        self._offset = offset
        return self._line


@dataclass(slots=True)
class _Shared:
    first: list[Place]
    count: int = 0


class Findings:
    """Collects oddities: those of one place individually, those that many places share as one."""

    def __init__(self) -> None:
        self._own: list[Oddity] = []
        self._shared: dict[str, _Shared] = {}
        self._beyond = 0

    def report(self, place: Place, what: str) -> None:
        """Report something about one place."""
        self._keep(Oddity(f"{place.path}: {what}", place.line))

    def report_file(self, what: str) -> None:
        """Report something about the file as a whole."""
        self._keep(Oddity(what))

    def report_shared(self, what: str, place: Place) -> None:
        """Report something that may apply to many places."""
        shared = self._shared.get(what)
        if shared is None:
            if self._full:
                self._beyond += 1
                return
            shared = self._shared[what] = _Shared([])
        shared.count += 1
        if len(shared.first) < SHOWN_PLACES:
            shared.first.append(place)

    def oddities(self) -> tuple[Oddity, ...]:
        """All oddities, those of the whole file first, then by line."""
        shared = [Oddity(f"{what}: {_places(by)}", by.first[0].line) for what, by in self._shared.items()]
        listed = sorted((*self._own, *shared), key=lambda oddity: oddity.line or 0)
        beyond = [Oddity(f"{self._beyond:,} more oddities are not listed")] if self._beyond else []
        return (*listed, *beyond)

    @property
    def _full(self) -> bool:
        return len(self._own) + len(self._shared) >= MOST_FINDINGS

    def _keep(self, oddity: Oddity) -> None:
        if self._full:
            self._beyond += 1
        else:
            self._own.append(oddity)


def _places(shared: _Shared) -> str:
    named = ", ".join(place.path for place in shared.first)
    rest = shared.count - len(shared.first)
    return f"{named} and {rest:,} more" if rest else named


def shown(value: object) -> str:
    """A JSON value as quoted in messages: short, and safe to print."""
    match value:
        case str():
            return f"“{shortened(value)}”"
        case Decimal():
            return shortened(str(value))
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
        case list():
            return "a list"
        case _:
            return "an object"


def shortened(text: str) -> str:
    """The beginning of a text on one line, without non-printing characters."""
    start = text[: 4 * SHOWN_CHARACTERS]
    plain = " ".join("".join(c if c.isprintable() else " " for c in start).split())
    if len(plain) <= SHOWN_CHARACTERS and len(text) <= 4 * SHOWN_CHARACTERS:
        return plain
    return plain[: SHOWN_CHARACTERS - 1].rstrip() + "…"
