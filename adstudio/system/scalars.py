"""Single values to JSON's plain ones and back, each checked against its limit in both directions."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import MAX_TIME_MS, Span

Convert = Callable[[Any], Any]
"""Turns a value into a plain one or back; raises `CodecError`."""

_FRACTION = re.compile(r"-?[0-9]{1,12}(/[1-9][0-9]{0,11})?")


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a value may be.

    `text` counts the characters of a string or path, `number` bounds an integer's absolute value (by default the
    longest film's milliseconds), `data` counts bytes before base64, and `items` the entries of a list, set or mapping.
    """

    text: int = 100_000
    number: int = MAX_TIME_MS
    data: int = 2_000_000
    items: int = 10_000_000


class CodecError(BadInputError):
    """A value that is not of the expected type, or exceeds a limit: what is wrong, and where."""

    def __init__(self, what: str, *where: str) -> None:
        super().__init__(f"{' / '.join(where)}: {what}" if where else what)
        self.what = what
        self.where = where


def text(longest: int) -> Convert:
    """A string of at most so many characters."""

    def convert(value: object) -> str:
        if type(value) is not str:
            raise CodecError("expected a string")
        if len(value) > longest:
            raise CodecError(f"longer than {longest:,} characters")
        return value

    return convert


def integer(limit: int) -> Convert:
    """An integer between −limit and limit."""

    def convert(value: object) -> int:
        if type(value) is not int:
            raise CodecError("expected an integer")
        if not -limit <= value <= limit:
            raise CodecError(f"{value:.3g} is outside ±{limit:,}" if value.bit_length() < 1000 else "far too large")
        return value

    return convert


def boolean(value: object) -> bool:
    """True or false, never a number in its place."""
    if type(value) is not bool:
        raise CodecError("expected true or false")
    return value


def real(value: object) -> float:
    """A finite number."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise CodecError("expected a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise CodecError("expected a finite number")
    return number


def span(*, writing: bool) -> Convert:
    """A span as `[start, end]`."""
    return _span_out if writing else _span_in


def fraction(*, writing: bool) -> Convert:
    """A fraction as `24000/1001`; one that is not in lowest terms would not come back as it was, and is refused."""
    return _fraction_out if writing else fraction_in


def data(most: int, *, writing: bool) -> Convert:
    """At most so many bytes, as base64; what `base64.b64encode` would have written differently is refused."""

    def out(value: object) -> str:
        if type(value) is not bytes:
            raise CodecError("expected bytes")
        if len(value) > most:
            raise CodecError(f"larger than {most:,} bytes")
        return base64.b64encode(value).decode()

    def back(value: object) -> bytes:
        if not isinstance(value, str):
            raise CodecError("expected bytes in base64")
        if len(value) > (most + 2) // 3 * 4:
            raise CodecError(f"larger than {most:,} bytes")
        try:
            found = base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            found = None
        if found is None or len(found) > most or base64.b64encode(found).decode() != value:
            raise CodecError("not valid base64")
        return found

    return out if writing else back


def path(longest: int, *, writing: bool) -> Convert:
    """A path as a string; bytes of a name that are no text in the system's encoding survive."""
    string = text(longest)

    def out(value: object) -> str:
        if not isinstance(value, Path):
            raise CodecError("expected a path")
        return string(str(value))

    return out if writing else lambda value: Path(string(value))


def enum(kind: type[Enum], *, writing: bool) -> Convert:
    """A member as its value, or the member of a value."""
    pairs = ((member, member.value) for member in kind)
    table: dict[object, object] = dict(pairs if writing else ((value, member) for member, value in pairs))

    def convert(value: object) -> object:
        try:
            return table[value]
        except (KeyError, TypeError):
            known = ", ".join(str(member.value) for member in kind)
            raise CodecError(f"expected one of {known}") from None

    return convert


def choice(known: tuple[object, ...]) -> Convert:
    """One of these strings, the same in both directions."""

    def convert(value: object) -> object:
        if not isinstance(value, str) or value not in known:
            raise CodecError(f"expected one of {', '.join(map(str, known))}")
        return value

    return convert


def fraction_in(value: object) -> Fraction:
    """The fraction that a string such as `24000/1001` writes in lowest terms."""
    if not isinstance(value, str):
        raise CodecError("expected a fraction such as “24000/1001”")
    return _fraction(value)


@lru_cache(maxsize=1024)
def _fraction(text: str) -> Fraction:
    if not _FRACTION.fullmatch(text) or str(Fraction(text)) != text:
        raise CodecError("not a fraction in lowest terms")
    return Fraction(text)


def _fraction_out(value: object) -> str:
    if not isinstance(value, Fraction) or not _FRACTION.fullmatch(str(value)):
        raise CodecError("expected a fraction")
    return str(value)


_time = integer(MAX_TIME_MS)


def _span_out(value: object) -> list[int]:
    if not isinstance(value, Span):
        raise CodecError("expected a span")
    return [_time(value.start), _time(value.end)]


def _span_in(value: object) -> Span:
    pair = cast("list[object]", value) if isinstance(value, list) else []
    if len(pair) != 2:
        raise CodecError("expected a span [start, end]")
    start, end = _time(pair[0]), _time(pair[1])
    if end < start:
        raise CodecError("a span cannot end before it starts")
    return Span(start, end)
