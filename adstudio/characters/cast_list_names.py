"""The names in a cast list: whom a row names, what of a name is its own, and what of it was not taken."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache

from adstudio.characters.cast_names import (
    WITHIN,
    name_of,
    own_words,
    parts_of,
    readable,
    several,
    shown_name,
    spelling_key,
)
from adstudio.characters.name_words import words_of_name
from adstudio.core.cast import MAX_NAME_LENGTH

_MATCHED = r"\s*(?:\(([^()\[\]]*)\)|\[([^()\[\]]*)\])"
_IN_BRACKETS = re.compile(rf"{_MATCHED}|\s*[(\[][^)\]]*[)\]]*")
_MARK = (
    r"(?:v\.?\s?o|o\.?\s?[sc]|m\.?\s?o\.?\s?s|cont(?:['’]?d|inued)?|off(?:[\s-]?(?:screen|camera))?|voice(?:[\s-]?over)?"
    r"|uncredited)\.?"
)
_MARKS = re.compile(rf"\s*{_MARK}(?:[\s,;/]+{_MARK})*\s*", re.IGNORECASE)
"""What screenplays and credits put in brackets after any name."""
_TOGETHER = re.compile(rf"{WITHIN}|\s*(?P<between>[&+]|\band\b)\s*", re.IGNORECASE)
_PERHAPS_TOGETHER = re.compile(rf"{WITHIN}|\s*(?P<between>[&+/]|\b(?:and|und|et|y|e)\b)\s*", re.IGNORECASE)
_PLACEHOLDERS = frozenset(
    (
        *("n a", "tbc", "tba", "tbd", "t b c", "t b a", "t b d", "n n", "none", "nil", "null", "unknown", "unnamed"),
        *("the", "an", "and", "or", "of", "etc", "der", "das", "und", "les", "los", "las", "gli"),
    )
)
"""What stands where a name is wanting, by its words: N/A, TBC, The."""
_AROUND = " :.-–—*"
_QUOTED_WHOLE = re.compile(r"\"([^\"]+)\"|'([^']+)'|“([^“”]+)”")
_SHOWN = 60


@lru_cache(4_096)
def listed_name(written: str, *, actors: bool = False) -> str:
    """A name as a list gives it, with matching brackets of its own: Tom (young), but not (V.O.).

    Empty if it is none, as a number, “?” and N/A.

    Where a line may have `actors` in brackets, only ages, roles and numbers stay.
    """

    def own(match: re.Match[str]) -> str:
        within = match[1] or match[2]
        if not within or _MARKS.fullmatch(within) or (actors and own_words(within)):
            return ""
        return match[0]

    name = name_of(_IN_BRACKETS.sub(own, readable(written))) if shown_name(written) else ""
    return name if _names_somebody(name) else ""


def _names_somebody(name: str) -> bool:
    """Whether there is a letter in a name, and more than what stands for one."""
    return any(char.isalpha() for char in name) and " ".join(words_of_name(name)) not in _PLACEHOLDERS


def listed_people(written: str, known: Container[str], *, actors: bool = False) -> tuple[str, ...]:
    """Whom a row names: two people for NORA & TOM, and for NORA/TOM where both are `known` (`spelling_key`)."""
    plain = readable(written)
    for separators in (_TOGETHER, _PERHAPS_TOGETHER):
        cut = parts_of(plain, separators)
        parts = [name for part in cut if (name := listed_name(part, actors=actors))] if len(cut) > 1 else []
        names = several(parts) if len(parts) > 1 else ()
        if names and (separators is _TOGETHER or all(spelling_key(name) in known for name in names)):
            return names
    name = listed_name(written, actors=actors)
    return (name,) if name else ()


def are_several(name: str) -> bool:
    """Whether a name is those of several people, whoever is known: NORA & TOM."""
    return len(parts_of(name, _TOGETHER)) > 1


def may_be_several(name: str) -> bool:
    """Whether a name may be those of several people: NORA & TOM, NORA/ELEANOR, Ortega y Gasset."""
    return len(parts_of(name, _PERHAPS_TOGETHER)) > 1


def what_changed(written: str, name: str) -> str:
    """What of a written name was cut or left out, as a sentence; empty if only case, spaces and signs around it."""
    plain = readable(written).strip(_AROUND)
    if whole := _QUOTED_WHOLE.fullmatch(plain):
        plain = next(filter(None, whole.groups()))
    if plain.casefold() == name.casefold():
        return ""
    shown = plain if len(plain) <= _SHOWN else f"{plain[: _SHOWN - 1]}…"
    why = f", because a name has at most {MAX_NAME_LENGTH} characters" if len(plain) > MAX_NAME_LENGTH else ""
    return f"“{shown}” is taken as “{name}”{why}"
