"""Numbers of things, as messages write them."""

from __future__ import annotations

from fractions import Fraction


def counted(number: int, what: str) -> str:
    """A number of things: `1 line`, `1,200 lines`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def percent(share: float | Fraction, decimals: int = 0) -> str:
    """A share of 1 as every text writes it: `85 %`, with a space; to so many decimals, without zeros at their end."""
    figures = f"{float(share * 100):.{decimals}f}"
    return f"{figures.rstrip('0').rstrip('.') if decimals else figures} %"
