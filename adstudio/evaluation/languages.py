"""Which language an AD is in, by its words."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.evaluation.material import Description
from adstudio.screenplay.language import guess_language

_LIKE = frozenset({"da", "sv", "no", "nb", "nn"})
"""Languages that a guess may take for one another."""


def language_of(descriptions: Sequence[Description], declared: str) -> str:
    """The language that descriptions are in, as their words say, else as is `declared`; empty where it is not known."""
    guess = guess_language(each.text for each in descriptions)
    if guess is None:
        return declared.replace("_", "-").partition("-")[0].casefold()
    return "" if guess == "und" else guess


def may_be_same(one: str, other: str) -> bool:
    """Whether two languages are the same, as far as that is known."""
    return not one or not other or one == other or {one, other} <= _LIKE
