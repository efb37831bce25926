"""What characters are called in a draft's lines: by name once that may be said, before by what they are seen to be.

No one knows before there is a plan when a line is spoken, so every line is drafted with names. Here the plan decides: a
line that it speaks before a name may be said says “a clerk”, then “the clerk”, in all its wordings; one that it does
not speak is judged by the time of its action. What describers wrote, and names that are read from the picture, stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from adstudio.characters.described_as import Description, apposition_after, indefinite
from adstudio.characters.introductions import NameTimes
from adstudio.characters.mentions import Mention, mentions
from adstudio.characters.name_index import NameIndex
from adstudio.core.language_tags import primary_subtag
from adstudio.core.plan import Plan
from adstudio.core.provenance import ScreenplayLine
from adstudio.core.script import Eventuality, Fusion, Origin, Script, Variant

_QUOTES = (("“", "”"), ("«", "»"), ("„", "“"))
_WRITTEN = ("says ", "reads ", "reading ", "labelled ", "labeled ", "marked ", "signed ", "signs ", "named ", "called ")
"""What stands before a name that is read from the picture, or given."""


@dataclass(frozen=True)
class Naming:
    """What is needed to name people as may be done at each time."""

    index: NameIndex
    times: NameTimes
    described: Mapping[str, Description]
    """By the id of the character."""
    ordinary: frozenset[str] = frozenset()
    """Words that the film's texts also write small."""


def with_names(script: Script, plan: Plan, naming: Naming) -> Script:
    """The script with descriptions in place of names in the lines that are spoken before these may be said.

    The same script where nothing changes; in languages other than English, whose articles have cases, nothing does.
    """
    return _with_names(script, _spoken(plan), naming)


def _with_names(script: Script, spoken: Mapping[str, int], naming: Naming) -> Script:
    if not naming.times.introduced or primary_subtag(script.film.language) != "en":
        return script
    happening = {line.id: line.occurrence.start for line in script.eventualities if line.occurrence is not None}
    items: list[Eventuality | Fusion] = [*script.eventualities, *script.fusions]

    def start(item: Eventuality | Fusion) -> int | None:
        own = item.id if isinstance(item, Eventuality) else item.members[0]
        return spoken.get(item.id, happening.get(own))

    ours = [(time, item) for item in items if (time := start(item)) is not None and _is_ours(script, item)]
    first: dict[str, str] = {}
    changed: dict[str, tuple[Variant, ...]] = {}
    # A line that is not spoken introduces nobody to those that are.
    for time, item in sorted(ours, key=lambda each: (each[1].id not in spoken, each[0])):
        variants = _renamed_variants(item, time, naming, first)
        if variants != item.variants:
            changed[item.id] = variants
    return _with_variants(script, changed) if changed else script


def _spoken(plan: Plan) -> dict[str, int]:
    """When each line and fusion is spoken (ms); the lines of a fusion with it."""
    found: dict[str, int] = {}
    for delivery in plan.deliveries:
        found |= dict.fromkeys((*delivery.members, delivery.element), delivery.start)
    return found


def _is_ours(script: Script, item: Eventuality | Fusion) -> bool:
    """Whether a screenplay named people there: who describes a film names them when that may be done."""
    lines = [item] if isinstance(item, Eventuality) else [script.eventuality(member) for member in item.members]
    return all(
        line.origin is Origin.MACHINE and not line.worked and isinstance(line.provenance.drafted, ScreenplayLine)
        for line in lines
    )


def _renamed_variants(
    item: Eventuality | Fusion, start: int, naming: Naming, first: dict[str, str]
) -> tuple[Variant, ...]:
    line = item.id if isinstance(item, Eventuality) else item.members[0]
    variants: list[Variant] = []
    for number, variant in enumerate(item.variants):
        text = renamed(variant.text, start, naming, first, line, full=number == 0)
        variants.append(replace(variant, text=text) if text != variant.text else variant)
    return tuple(variants)


def renamed(text: str, start: int, naming: Naming, first: dict[str, str], line: str = "", *, full: bool = True) -> str:
    """A text that begins at `start` (ms) with descriptions for the names that may not be said yet.

    `first` has for each character the line that describes them first, and gets this `line` where it does; `full` says
    whether there is room for the whole description.
    """
    found = [
        each
        for each in mentions(text, naming.index, ordinary=naming.ordinary)
        if each.person is not None
        and naming.times.too_early(each, start)
        and each.person in naming.described
        and not _is_written(text, each)
    ]
    people = dict.fromkeys(each.person for each in found if each.person is not None)
    phrases = _phrases(tuple(people), naming, first, line, full=full)
    for person in phrases:
        first.setdefault(person, line)
    for place in range(len(found) - 1, -1, -1):
        each = found[place]
        if each.person in phrases:
            again = any(other.person == each.person for other in found[:place])
            text = _replaced(text, each, _again(phrases[each.person]) if again else phrases[each.person])
    return text


def _phrases(
    people: tuple[str, ...], naming: Naming, first: Mapping[str, str], line: str, *, full: bool
) -> dict[str, str]:
    """What each of the people of a line is called; nobody who would be called as another one."""
    heads = [naming.described[person].head for person in people]
    found: dict[str, str] = {}
    for person in people:
        described = naming.described[person]
        new = first.get(person, line) == line
        alone = heads.count(described.head) == 1
        phrase = described.full if (full and new) or not alone else described.head
        if phrase not in found.values():
            found[person] = indefinite(phrase) if new else phrase
    return found


def _again(phrase: str) -> str:
    article, _, rest = phrase.partition(" ")
    return f"the {rest}" if article in ("a", "an") else phrase


def _is_written(text: str, mention: Mention) -> bool:
    """Whether a name is one that is read from the picture: after a colon, in quotation marks, with an initial."""
    before = text[: mention.start]
    initial = len(before) >= 2 and before.rstrip().endswith(".") and before.rstrip()[-2:-1].isupper()
    quoted = any(before.count(opening) > before.count(closing) for opening, closing in _QUOTES)
    return initial or quoted or before.count('"') % 2 == 1 or ":" in before or before.lower().endswith(_WRITTEN)


def _replaced(text: str, mention: Mention, phrase: str) -> str:
    opens = not text[: mention.start].strip(" “\"'(") or text[: mention.start].rstrip()[-1:] in (".", "!", "?")
    said = phrase[0].upper() + phrase[1:] if opens else phrase
    end = mention.end
    after = apposition_after(text, mention)
    if after > end and set(text[end:after].lower().strip(", ").split()[1:]) & set(phrase.lower().split()[1:]):
        end = after  # “Tom Finch, the clerk, writes” is “a clerk writes”.
    rest = text[end:]
    if mention.possessive and rest[:2] not in ("'s", "’s"):
        rest = rest[:1] + "s" + rest[1:]  # “James’ hat”, “the clerk’s hat”
    head_and_more = phrase.split(" in ", 1)
    if len(head_and_more) == 2 and rest.lower().startswith((", in ", ", wearing ")):
        # The text itself goes on to say it.
        said = said[: len(head_and_more[0])]
    return text[: mention.start] + said + rest


def _with_variants(script: Script, changed: Mapping[str, tuple[Variant, ...]]) -> Script:
    """The script with other wordings of lines and fusions; fusions still hold for the lines that they were made of."""
    lines = tuple(
        replace(line, variants=changed[line.id]) if line.id in changed else line for line in script.eventualities
    )
    texts = {line.id: line.variants[0].text for line in lines if line.id in changed}
    fusions = tuple(
        replace(
            fusion,
            variants=changed.get(fusion.id, fusion.variants),
            texts=tuple(texts.get(member, old) for member, old in zip(fusion.members, fusion.texts, strict=True)),
        )
        for fusion in script.fusions
    )
    return script.with_changes(eventualities=lines, fusions=fusions)


def named_and_planned(
    script: Script, plan: Plan, naming: Naming, planning: Callable[[Script], Plan]
) -> tuple[Script, Plan]:
    """The script with names where they may be said, and its plan.

    Other wordings take other times, which may move lines. A line is judged by the earliest time at which any of the
    plans spoke it, so that this comes to an end: that somebody is “the clerk” once more does no harm.
    """
    earliest = _spoken(plan)
    named = script
    for _ in range(MOST_ROUNDS):
        other = _with_names(script, earliest, naming)
        if other == named:
            break
        named, plan = other, planning(other)
        for name, start in _spoken(plan).items():
            earliest[name] = min(start, earliest.get(name, start))
    return named, plan


MOST_ROUNDS = 4
"""How often a script is named and planned anew, at most."""
