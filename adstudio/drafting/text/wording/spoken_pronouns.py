"""Pronouns where the sentence before in the same breath names whom they mean.

Every drafted line opens with a name where it is known whom it is about, because no one knows which lines a plan will
speak. A breath of two or three sentences is spoken whole or not at all: there he or she may take the place of a name,
so that no name is said three times in a row and no pronoun loses the line that names its person.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from adstudio.core.words import words
from adstudio.drafting.text.language.people import Gender, could_be

_POSSESSIVES = {Gender.HE: "His", Gender.SHE: "Her"}
_MARKS = ".,;:!?“”\"'’()–—-"
_ENDINGS = ("'s", "’s", "'", "’")


@dataclass(frozen=True)
class _Opening:
    """How a line opens: with whose name, how much of the text that is, and whether it is “Nora’s”."""

    name: str
    length: int
    possessive: bool = False


def with_pronoun(text: str, before: str, genders: Mapping[str, Gender]) -> str:
    """A line with he or she for the name that opens it, after a line that opens with it too.

    "" where it does not, or where the pronoun could mean somebody else in the line before.
    """
    opening, about = _opening(text, genders), _opening(before, genders)
    if opening is None or about is None or opening.name != about.name:
        return ""
    gender = genders[opening.name]
    if gender not in _POSSESSIVES or _others(before, opening.name, genders):
        return ""
    pronoun = _POSSESSIVES[gender] if opening.possessive else gender.value.capitalize()
    return pronoun + text[opening.length :]


def _opening(text: str, names: Collection[str]) -> _Opening | None:
    first, *rest = text.split(" ", 1)
    if rest and rest[0].startswith("and "):
        return None  # “Nora and Tom sit down” is about both
    if first in names:
        return _Opening(first, len(first))
    for ending in _ENDINGS:
        if first.removesuffix(ending) in names and first.endswith(ending):
            return _Opening(first.removesuffix(ending), len(first), possessive=True)
    return None


def _others(text: str, name: str, genders: Mapping[str, Gender]) -> bool:
    """Whether a line speaks of somebody else whom the pronoun could mean."""
    gender = genders[name]
    said = text.split(" ")
    if any(
        each[:1].isupper() and each.strip(_MARKS) not in {name, f"{name}'s", f"{name}’s"} | set(genders)
        for each in said[1:]
    ):
        return True  # a name of which nothing is known
    plain = [word.strip(".,;:!?“”\"'’()").removesuffix("'s").removesuffix("’s") for word in words(text)]
    return any(word != name and (genders.get(word) is gender or could_be(word.lower(), gender)) for word in plain)
