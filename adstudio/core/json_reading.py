"""Strict JSON reading, every value checked in place and named by its path in messages; and our JSON layout.

Numbers are read as decimals, so that times keep every digit.
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
    """A JSON file that cannot be used: what is wrong, and where in the file."""


MOST_DIGITS = 1000
"""The longest number accepted, in digits."""

MOST_VALUES, MOST_COLLECTIONS = 5_000_000, 2_000_000
"""The most values, and of these the most objects and arrays; what they take in memory is many times their text."""

SHOWN_DIGITS = 24
"""How many digits of a number a message quotes."""

_FAULTS = {
    "Expecting value": "a value is missing",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name enclosed in double quotes": "a key in double quotes is missing",
    "Unterminated string starting at": "a string has no closing double quote",
    "Invalid control character at": "a string has an unescaped line break or control character (write \\n)",
    "Invalid \\escape": "a string has an invalid backslash escape",
    "Invalid \\uXXXX escape": "a string has a \\u without four hexadecimal digits",
    "Extra data": "something follows the end of the value",
}
"""The messages of `json.JSONDecodeError` in plain English."""


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _no_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key “{key[:80]}” appears twice in one object")
        found[key] = value
    return found


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits ({digits[:SHOWN_DIGITS]}…)")
    return int(digits)


def _exact(digits: str) -> Decimal:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits ({digits[:SHOWN_DIGITS]}…)")
    try:
        return Decimal(digits)
    except InvalidOperation:
        raise ValueError(f"{digits[:SHOWN_DIGITS]}… is too large or too small") from None


def json_fault(error: json.JSONDecodeError, source: str) -> str:
    """Why a text is not valid JSON, and where; a sentence without its full stop. `source` names the file."""
    before, rest = error.doc[: error.pos], error.doc[error.pos : error.pos + 21]
    if error.msg == "Expecting value" and not before.strip():
        start = " ".join(rest[:20].split()) + "…" * (len(rest) > 20)
        return f"{source} {f'begins with “{start}”' if rest.strip() else 'is empty'}, so it is not valid JSON"
    what = _FAULTS.get(error.msg, error.msg)
    return f"{source}, line {error.lineno}, column {error.colno}: {what}, so this is not valid JSON"


def parse_json(data: bytes, source: str) -> Node:
    """The root value of a JSON text, numbers exact; `source` names the file in messages.

    Raises:
        JsonError: for text that is not UTF-8 or not JSON, NaN, infinities, overlong numbers and duplicate keys.
    """
    if b"\0" in data[:4096] or data.startswith((b"\xff\xd8", b"\x89PNG", b"PK")):
        raise JsonError(f"{source} is not a text file; it may be a picture, a video or a project. Give a JSON file")
    # Commas and brackets within texts count too; no file of ours has half as many.
    if data.count(b",") > MOST_VALUES or data.count(b"{") + data.count(b"[") > MOST_COLLECTIONS:
        raise JsonError(f"{source} holds more values than can be read; check that it is the right file, or split it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise JsonError(f"{source}: line {line} is not UTF-8: save the file as UTF-8") from None
    try:
        value: object = json.loads(
            text, parse_int=_whole, parse_float=_exact, parse_constant=_no_constant, object_pairs_hook=_no_twice
        )
    except json.JSONDecodeError as error:
        raise JsonError(json_fault(error, source)) from None
    except ValueError as error:
        raise JsonError(_sentence(f"{source}: {error}")) from None
    except RecursionError:
        raise JsonError(f"{source}: nested too deeply") from None
    return Node(value, "", source)


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value with its path in the document and its file (`source`)."""

    value: object
    path: str
    source: str

    def fail(self, what: str) -> NoReturn:
        """Raise `JsonError` about this value, on one line whatever keys and values contain."""
        place = f"{self.path}: " if self.path else ""
        raise JsonError(_sentence(f"{self.source}: {place}{what}"))

    @property
    def is_null(self) -> bool:
        """Whether the value is null."""
        return self.value is None

    def has(self, key: str) -> bool:
        """Whether this is an object with that key."""
        value = self.value
        return isinstance(value, dict) and key in cast("Mapping[str, object]", value)

    def members(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Node]:
        """An object's members by key; a missing or unknown key is an error that names it."""
        value = self.value
        if not isinstance(value, dict):
            self.fail(f"expected an object, not {_kind(value)}")
        found = cast("Mapping[str, object]", value)
        for key in required:
            if key not in found:
                self.fail(f"missing key “{key}”")
        for key in found:
            if key not in required and key not in optional:
                known = ", ".join((*required, *optional))
                self.fail(f"unknown key “{key[:80]}” (allowed: {known})")
        prefix = f"{self.path}." if self.path else ""
        return {key: Node(value, f"{prefix}{key}", self.source) for key, value in found.items()}

    def items(self, at_most: int, at_least: int = 0) -> list[Node]:
        """An array's items."""
        value = self.value
        if not isinstance(value, list):
            self.fail(f"expected an array, not {_kind(value)}")
        found = cast("list[object]", value)
        if not at_least <= len(found) <= at_most:
            self.fail(f"{len(found):,} items; {at_least:,} to {at_most:,} are allowed")
        return [Node(value, f"{self.path}[{place}]", self.source) for place, value in enumerate(found)]

    def text(self, at_most: int = 10_000, *, empty: bool = True) -> str:
        """A string; lone surrogates are refused, since they cannot be written to a file."""
        if not isinstance(self.value, str):
            self.fail(f"expected a string, not {_kind(self.value)}")
        if len(self.value) > at_most:
            self.fail(f"{len(self.value):,} characters; {at_most:,} are allowed")
        if not empty and not self.value.strip():
            self.fail("empty string")
        if any("\ud800" <= char <= "\udfff" for char in self.value):
            self.fail("half of a surrogate pair, which is not a character")
        return self.value

    def boolean(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self.fail(f"expected true or false, not {_kind(self.value)}")
        return self.value

    def number(self) -> Decimal:
        """A finite number, exactly as written."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | Decimal):
            self.fail(f"expected a number, not {_kind(self.value)}")
        return Decimal(self.value)

    def integer(self, lowest: int, highest: int) -> int:
        """A whole number in a range."""
        number = self.number()
        if number != number.to_integral_value() or not lowest <= number <= highest:
            self.fail(f"{_shown(number)} is not a whole number from {lowest} to {highest}")
        return int(number)

    def ms(self, lowest: int = 0, highest: int = MAX_TIME_MS) -> int:
        """A time in seconds with at most three decimals, as milliseconds."""
        number = self.number()
        try:
            found = ms_from_seconds(number)
        except TimeError as error:
            self.fail(str(error))
        if not lowest <= found <= highest:
            self.fail(f"{_shown(number)} s is outside {lowest / 1000:g} to {highest / 1000:g} s")
        return found

    def span(self) -> Span:
        """A pair of times `[start, end]`, in order."""
        start, end = (item.ms() for item in self.items(2, 2))
        if end < start:
            self.fail(f"ends ({end / 1000:g} s) before it starts ({start / 1000:g} s)")
        return Span(start, end)

    def millionths(self, lowest: int, highest: int) -> int:
        """A number in units of 10⁻⁶, rounded half to even at the seventh decimal; the range is in whole units."""
        number = self.number()
        if not lowest <= number <= highest:
            self.fail(f"{_shown(number)} is outside {lowest} to {highest}")
        return round(number * 1_000_000)


def _sentence(text: str) -> str:
    """A text on one line; halves of characters in what it quotes, which no terminal or file can hold, become `?`."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())


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
    """A JSON value as our files hold it: UTF-8, indented, ending in a newline; lone surrogates become `?`."""
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8", "replace")
