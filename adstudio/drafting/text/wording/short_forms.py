"""The ’s of “she’s” and “it’s” behind a name or a noun, where it would be an owner’s."""

from __future__ import annotations

import re

_SHORT = re.compile(r"['’]s (?=\w)")
_HAS = re.compile(r"(?:(?:just|already|only|never|always|finally|now|not) )?(?:been|(?:for)?got|gotten|had|gone)\b")


def written_out(after: str) -> str:
    """What follows a pronoun, with “is” or “has” for a ’s that it begins with: (She)’s got it → (Nora) has got it."""
    short = _SHORT.match(after)
    if short is None:
        return after
    return f" {'has' if _HAS.match(after, short.end()) else 'is'} {after[short.end() :]}"
