"""JSON that somebody else wrote, every value checked where it stands and named by its path; and JSON as we write it.

Numbers are read as decimals, so that no digit of a time is lost or invented on the way.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import NoReturn, cast

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import MAX_TIME_MS, Span, TimeError, ms_from_seconds


class JsonError(BadInputError):
    """A JSON file that cannot be used: what is wrong, and at which place in it."""


MOST_DIGITS = 1000
"""Digits that a number may be written with; beyond them no number is meant."""

SHOWN_DIGITS = 24
"""How much of a number a message quotes."""


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that JSON knows")


def _no_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key “{key[:80]}” is given twice in one object")
        found[key] = value
    return found


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits is no number that is meant ({digits[:SHOWN_DIGITS]}…)")
    return int(digits)


def _exact(digits: str) -> Decimal:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits is no number that is meant ({digits[:SHOWN_DIGITS]}…)")
    try:
        return Decimal(digits)
    except InvalidOperation:
        raise ValueError(f"{digits[:SHOWN_DIGITS]}… is beyond every number that is meant") from None


def parse_json(data: bytes, source: str) -> Node:
    """The root of a JSON text; numbers stay exact.

    Raises:
        JsonError: for what is not UTF-8 or not JSON, for NaN, infinities and numbers of absurd length, for a key given
            twice.
    """
    if b"\0" in data[:4096] or data.startswith((b"\xff\xd8", b"\x89PNG", b"PK")):
        raise JsonError(f"{source} is no text: it may be a picture, a film or a project; give the JSON file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise JsonError(f"{source}: line {line} is not UTF-8, which JSON files are in: save it as UTF-8") from None
    try:
        value: object = json.loads(
            text, parse_int=_whole, parse_float=_exact, parse_constant=_no_constant, object_pairs_hook=_no_twice
        )
    except json.JSONDecodeError as error:
        raise JsonError(
            f"{source}: line {error.lineno}, column {error.colno}: not JSON ({error.msg}); give the JSON file"
        ) from None
    except ValueError as error:
        raise JsonError(" ".join(f"{source}: {error}".split())) from None
    except RecursionError:
        raise JsonError(f"{source}: nested too deeply") from None
    return Node(value, "", source)


@dataclass(frozen=True, slots=True)
class Node:
    """One JSON value, where it stands (`path`) and in which file (`source`)."""

    value: object
    path: str
    source: str

    def fail(self, what: str) -> NoReturn:
        """Raise `JsonError` about this value, on one line whatever keys and values hold."""
        place = f"{self.path}: " if self.path else ""
        raise JsonError(" ".join(f"{self.source}: {place}{what}".split()))

    @property
    def absent(self) -> bool:
        """Whether the value is null."""
        return self.value is None

    def holds(self, key: str) -> bool:
        """Whether this is an object with such a key."""
        value = self.value
        return isinstance(value, dict) and key in cast("Mapping[str, object]", value)

    def members(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Node]:
        """The members of an object by key; a key that is missing or unknown is an error that names it."""
        value = self.value
        if not isinstance(value, dict):
            self.fail(f"an object is expected, not {_kind(value)}")
        found = cast("Mapping[str, object]", value)
        for key in required:
            if key not in found:
                self.fail(f"the key “{key}” is missing")
        for key in found:
            if key not in required and key not in optional:
                known = ", ".join((*required, *optional))
                self.fail(f"the key “{key[:80]}” is unknown here (known are {known})")
        prefix = f"{self.path}." if self.path else ""
        return {key: Node(value, f"{prefix}{key}", self.source) for key, value in found.items()}

    def items(self, at_most: int, at_least: int = 0) -> list[Node]:
        """The items of an array."""
        value = self.value
        if not isinstance(value, list):
            self.fail(f"an array is expected, not {_kind(value)}")
        found = cast("list[object]", value)
        if not at_least <= len(found) <= at_most:
            self.fail(f"{len(found):,} items, where {at_least:,} to {at_most:,} are allowed")
        return [Node(value, f"{self.path}[{place}]", self.source) for place, value in enumerate(found)]

    def text(self, at_most: int = 10_000, *, empty: bool = True) -> str:
        """A string; lone surrogates are refused, since no file could hold them."""
        if not isinstance(self.value, str):
            self.fail(f"a string is expected, not {_kind(self.value)}")
        if len(self.value) > at_most:
            self.fail(f"a string of {len(self.value):,} characters, where {at_most:,} are allowed")
        if not empty and not self.value.strip():
            self.fail("an empty string")
        if any("\ud800" <= char <= "\udfff" for char in self.value):
            self.fail("half of a surrogate pair, which is no character")
        return self.value

    def truth(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail(f"true or false is expected, not {_kind(self.value)}")
        return self.value

    def number(self) -> Decimal:
        """A finite number, exactly as written."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | Decimal):
            self.fail(f"a number is expected, not {_kind(self.value)}")
        return Decimal(self.value)

    def integer(self, lowest: int, highest: int) -> int:
        """A whole number in a range."""
        number = self.number()
        if number != number.to_integral_value() or not lowest <= number <= highest:
            self.fail(f"{_shown(number)} is not a whole number from {lowest} to {highest}")
        return int(number)

    def ms(self, lowest: int = 0, highest: int = MAX_TIME_MS) -> int:
        """Seconds with at most three decimals, as milliseconds."""
        number = self.number()
        try:
            found = ms_from_seconds(number)
        except TimeError as error:
            self.fail(str(error))
        if not lowest <= found <= highest:
            self.fail(f"{_shown(number)} s lies outside {lowest / 1000:g} to {highest / 1000:g} s")
        return found

    def span(self) -> Span:
        """A pair of times `[start, end]`, the end not before the start."""
        start, end = (item.ms() for item in self.items(2, 2))
        if end < start:
            self.fail(f"ends ({end / 1000:g} s) before it starts ({start / 1000:g} s)")
        return Span(start, end)

    def millionths(self, lowest: int, highest: int) -> int:
        """A number in units of 10⁻⁶, rounded half to even at the seventh decimal; the range is in whole units."""
        number = self.number()
        if not lowest <= number <= highest:
            self.fail(f"{_shown(number)} lies outside {lowest} to {highest}")
        return round(number * 1_000_000)


def _shown(number: Decimal) -> str:
    text = str(number)
    return text if len(text) <= SHOWN_DIGITS else f"{number:.9g}"


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, list):
        return "an array"
    return "an object" if isinstance(value, dict) else "a number"


def json_bytes(value: object) -> bytes:
    """A JSON value as our own files hold it: UTF-8, indented, a newline at the end; half characters become `?`."""
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8", "replace")
