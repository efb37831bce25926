"""Single values to JSON's plain ones and back, each checked against its limit in both directions."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import MAX_TIME_MS, Span

MAX_TEXT = 100_000
"""The longest text of a field, in characters."""
MAX_ID = 200
"""The longest id, in characters."""
MAX_BYTES = 2_000_000
"""The most bytes of a field, a picture's."""
MAX_NUMBER = 10**30
"""The limit of numbers that are no times: sizes, salience, objectives."""

Convert = Callable[[Any], Any]
"""Turns a value into a plain one or back; raises `CodecError`."""

_FRACTION = re.compile(r"-?[0-9]{1,12}(/[1-9][0-9]{0,11})?")


class CodecError(BadInputError):
    """Something that is not a value of the domain, or goes beyond its limits: where, and what is wrong."""

    def __init__(self, what: str, *where: str) -> None:
        super().__init__(f"{' / '.join(where)}: {what}" if where else what)
        self.what = what
        self.where = where


def text(longest: int) -> Convert:
    """A text of at most so many characters."""

    def convert(value: object) -> str:
        if type(value) is not str:
            raise CodecError("a text belongs here")
        if len(value) > longest:
            raise CodecError(f"this is longer than {longest:,} characters")
        return value

    return convert


def whole(limit: int) -> Convert:
    """A whole number between −limit and limit."""

    def convert(value: object) -> int:
        if type(value) is not int:
            raise CodecError("a whole number belongs here")
        if not -limit <= value <= limit:
            raise CodecError(f"{value:.3g} is beyond ±{limit:,}" if value.bit_length() < 1000 else "far too large")
        return value

    return convert


def truth(value: object) -> bool:
    """True or false, and no number in place of it."""
    if type(value) is not bool:
        raise CodecError("true or false belongs here")
    return value


def real(value: object) -> float:
    """A finite number."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise CodecError("a number belongs here")
    return float(value)


def span_out(value: object) -> list[int]:
    """A span as `[start, end]`."""
    if not isinstance(value, Span):
        raise CodecError("a span belongs here")
    return [as_time(value.start), as_time(value.end)]


def span_in(value: object) -> Span:
    """A span from `[start, end]`."""
    pair = cast("list[object]", value) if isinstance(value, list) else []
    if len(pair) != 2:
        raise CodecError("a span [start, end] belongs here")
    start, end = as_time(pair[0]), as_time(pair[1])
    if end < start:
        raise CodecError("a span cannot end before it starts")
    return Span(start, end)


def fraction_out(value: object) -> str:
    """A fraction as `24000/1001`."""
    if not isinstance(value, Fraction) or not _FRACTION.fullmatch(str(value)):
        raise CodecError("a fraction belongs here")
    return str(value)


@lru_cache(maxsize=1024)
def _fraction(text: str) -> Fraction:
    if not _FRACTION.fullmatch(text) or str(Fraction(text)) != text:
        raise CodecError("this is not a fraction in lowest terms")
    return Fraction(text)


def fraction_in(value: object) -> Fraction:
    """A fraction from `24000/1001`; one that is not in lowest terms would not come back as it was."""
    if not isinstance(value, str):
        raise CodecError("a fraction such as “24000/1001” belongs here")
    return _fraction(value)


def enum(kind: type[Enum], *, writing: bool) -> Convert:
    """A member as its value, or the member of a value."""
    pairs = ((member, member.value) for member in kind)
    table: dict[object, object] = dict(pairs if writing else ((value, member) for member, value in pairs))

    def convert(value: object) -> object:
        try:
            return table[value]
        except (KeyError, TypeError):
            known = ", ".join(str(member.value) for member in kind)
            raise CodecError(f"one of {known} belongs here") from None

    return convert


def choice(known: tuple[object, ...]) -> Convert:
    """One of these, the same in both."""

    def convert(value: object) -> object:
        if not isinstance(value, str) or value not in known:
            raise CodecError(f"one of {', '.join(map(str, known))} belongs here")
        return value

    return convert


def bytes_out(value: object) -> str:
    """Bytes as base64."""
    if type(value) is not bytes:
        raise CodecError("bytes belong here")
    if len(value) > MAX_BYTES:
        raise CodecError(f"this is larger than {MAX_BYTES:,} bytes")
    return base64.b64encode(value).decode()


def bytes_in(value: object) -> bytes:
    """Bytes from base64; written otherwise than `bytes_out` does, they would not come back as they were."""
    if not isinstance(value, str):
        raise CodecError("bytes in base64 belong here")
    if len(value) > (MAX_BYTES + 2) // 3 * 4:
        raise CodecError(f"this is larger than {MAX_BYTES:,} bytes")
    try:
        found = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        found = None
    if found is None or len(found) > MAX_BYTES or base64.b64encode(found).decode() != value:
        raise CodecError("this is not base64")
    return found


as_time = whole(MAX_TIME_MS)
