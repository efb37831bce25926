"""Pronouns where the line spoken before has named whom they mean, and names everywhere else.

Every drafted line opens with a name where it is known whom it is about, because no one knows which lines a plan will
speak. Once that is known, he or she takes the place of a name in a line after one about the same person, so that no
name opens three lines in a row. The words stay as many as they were, so the plan stays what it was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from adstudio.core.fusions import wording_of
from adstudio.core.plan import Plan
from adstudio.core.script import Script, Variant
from adstudio.core.words import words
from adstudio.drafting.text.language.people import Gender, could_be

MOST_IN_A_ROW = 2
"""Lines in a row that open with a pronoun; after them the name is said again."""
NEAR_MS = 10_000
"""A line that begins later after the one before says the name again."""
_POSSESSIVES = {"he": "His", "she": "Her"}
_ENDINGS = ("'s", "’s", "'", "’")


@dataclass(frozen=True)
class _Opening:
    """How a line opens: with whose name, how much of the text that is, and whether it is “Nora’s”."""

    name: str
    length: int
    possessive: bool = False


def with_pronouns(script: Script, plan: Plan, known: Iterable[tuple[str, str]]) -> Script:
    """The script with pronouns for names in the lines that a plan speaks; `known` are names with he or she for each."""
    pronouns = dict(known)
    changed: dict[str, str] = {}
    about, scene, end, row, before = "", None, 0, 0, ""
    for delivery in plan.deliveries:
        found = wording_of(script, delivery)
        if found is None:
            continue
        line = script.eventuality(delivery.lines[0])
        opening = _opening(found.text, pronouns)
        near = line.scene == scene and delivery.start - end <= NEAR_MS
        name = opening.name if opening is not None else ""
        again = bool(name) and near and name == about and row < MOST_IN_A_ROW
        if again and not _others(before, name, pronouns):
            changed[delivery.element] = name
            row += 1
        else:
            row = 0
        about, scene, end, before = name, line.scene, delivery.end, found.text
    return _with_changes(script, changed, pronouns) if changed else script


def _opening(text: str, pronouns: Collection[str]) -> _Opening | None:
    first, *_ = text.split(" ", 1)
    if first in pronouns:
        return _Opening(first, len(first))
    for ending in _ENDINGS:
        if first.removesuffix(ending) in pronouns and first.endswith(ending):
            return _Opening(first.removesuffix(ending), len(first), possessive=True)
    return None


def _others(text: str, name: str, pronouns: Mapping[str, str]) -> bool:
    """Whether a line speaks of somebody else whom the pronoun could mean."""
    gender = Gender(pronouns[name])
    plain = [word.strip(".,;:!?“”\"'’()").removesuffix("'s").removesuffix("’s") for word in words(text)]
    return any(
        word != name and (pronouns.get(word) == pronouns[name] or could_be(word.lower(), gender)) for word in plain
    )


def _with_changes(script: Script, changed: Mapping[str, str], pronouns: Mapping[str, str]) -> Script:
    def variants(old: tuple[Variant, ...], name: str) -> tuple[Variant, ...]:
        return tuple(replace(each, text=_replaced(each.text, name, pronouns)) for each in old)

    lines = tuple(
        replace(line, variants=variants(line.variants, changed[line.id])) if line.id in changed else line
        for line in script.eventualities
    )
    texts = {line.id: line.variants[0].text for line in lines if line.id in changed}
    fusions = tuple(
        replace(
            fusion,
            variants=variants(fusion.variants, changed[fusion.id]) if fusion.id in changed else fusion.variants,
            texts=tuple(texts.get(member, old) for member, old in zip(fusion.members, fusion.texts, strict=True)),
        )
        for fusion in script.fusions
    )
    return script.with_changes(eventualities=lines, fusions=fusions)


def _replaced(text: str, name: str, pronouns: Mapping[str, str]) -> str:
    opening = _opening(text, pronouns)
    if opening is None or opening.name != name:
        return text
    pronoun = pronouns[name]
    return (_POSSESSIVES[pronoun] if opening.possessive else pronoun.capitalize()) + text[opening.length :]
