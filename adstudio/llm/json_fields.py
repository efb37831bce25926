"""What a server sent, read field by field: whatever type comes in the place of the right one, nothing is raised."""

from __future__ import annotations

import json
import math
from typing import Any, cast

from adstudio.llm.runaway_guard import well_formed

LONGEST_NUMBER = 18
"""Digits of a number that is given as a string."""


def parsed(data: bytes) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The JSON that these bytes are; null where they are none. Bytes that are no UTF-8 are read as U+FFFD."""
    try:
        return json.loads(data.decode("utf-8-sig", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None


def part(of: object, key: str) -> dict[str, Any]:
    """The object under a key; empty where there is none."""
    found = _under(of, key)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def rows(of: object, key: str) -> list[Any]:
    """The list under a key; empty where there is none."""
    found = _under(of, key)
    return cast("list[Any]", found) if isinstance(found, list) else []


def text(of: object, key: str) -> str:
    """The text under a key; empty where there is none."""
    found = _under(of, key)
    return found if isinstance(found, str) else ""


def number(of: object, key: str) -> int | None:
    """The whole number from 0 under a key, which may be given as a string; null where there is none."""
    found = _under(of, key)
    if isinstance(found, str) and len(found) <= LONGEST_NUMBER and found.isascii() and found.isdigit():
        return int(found)
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def seconds(value: object, most: float) -> float | None:
    """So many seconds, given as a number or in writing, from 0 to `most`; null for what is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(found) else min(max(found, 0.0), most)


def quotable(said: str, most: int) -> str:
    """What a server said, in one line of at most so many characters, without what would steer a terminal."""
    line = " ".join(well_formed(said[: 20 * most]).split())
    line = "".join(letter for letter in line if letter.isprintable())
    return line[: most - 1] + "…" if len(line) > most else line


def _under(of: object, key: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    return cast("dict[str, Any]", of).get(key) if isinstance(of, dict) else None
