"""Numbers of things, as messages write them."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """A number of things: `1 line`, `1,200 lines`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
