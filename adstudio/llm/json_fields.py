"""Tolerant access to a server's JSON: fields of the wrong type read as missing, and nothing is raised."""

from __future__ import annotations

import json
import math
from typing import Any, cast

from adstudio.llm.runaway_guard import well_formed

LONGEST_NUMBER = 18
"""Digits of a number given as a string."""


def parsed(data: bytes) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The bytes parsed as JSON, None if they are not JSON. Invalid UTF-8 becomes U+FFFD."""
    try:
        return json.loads(data.decode("utf-8-sig", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None


def part(of: object, key: str) -> dict[str, Any]:
    """The object under a key, empty if there is none."""
    found = _under(of, key)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def rows(of: object, key: str) -> list[Any]:
    """The list under a key, empty if there is none."""
    found = _under(of, key)
    return cast("list[Any]", found) if isinstance(found, list) else []


def text(of: object, key: str) -> str:
    """The string under a key, "" if there is none."""
    found = _under(of, key)
    return found if isinstance(found, str) else ""


def number(of: object, key: str) -> int | None:
    """The integer of at least 0 under a key, also if given as a string; None if there is none."""
    found = _under(of, key)
    if isinstance(found, str) and len(found) <= LONGEST_NUMBER and found.isascii() and found.isdigit():
        return int(found)
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def seconds(value: object, most: float) -> float | None:
    """A number or numeric string clamped to 0..`most`; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(found) else min(max(found, 0.0), most)


def quotable(said: str, most: int) -> str:
    """A server's message on one line of at most `most` characters, without control characters."""
    line = " ".join(well_formed(said[: 20 * most]).split())
    line = "".join(letter for letter in line if letter.isprintable())
    return line[: most - 1] + "…" if len(line) > most else line


def _under(of: object, key: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    return cast("dict[str, Any]", of).get(key) if isinstance(of, dict) else None
