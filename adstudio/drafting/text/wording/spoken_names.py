"""What characters are called in a draft's lines: by name once that may be said, before by what they are seen to be.

No one knows before there is a plan when a line is spoken, so every line is drafted with names. Here the plan decides: a
line that it speaks before a name may be said says “a clerk”, then “the clerk”, in all its wordings; one that it does
not speak is judged by the time of its action. What a person worked on, what has a length or a lock, and names that are
read from the picture, stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from adstudio.characters.cast_mentions import CastMentions
from adstudio.characters.described_as import Description, apposition_after, apposition_before, indefinite, is_set_off
from adstudio.characters.introductions import NameTimes
from adstudio.characters.mentions import Mention
from adstudio.characters.name_lists import PERSON_NOUNS
from adstudio.core.language_tags import primary_subtag
from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Fusion, Origin, Script, Variant
from adstudio.drafting.text.wording.restrictive_modifiers import goes_on_with_verb, without_commas

_AFTER_ARTICLE = re.compile(
    r"\b(?:the|an?) (?:\w+ly )?(?:[a-z]+(?:-[a-z]+)+|[a-z]{3,}(?:ed|ful|less|ous)|young|old|tired|drunk|wet|poor|little"
    r"|dead|naked|angry|happy|sad|weary|bloody|sleeping|waiting)\b,? \Z",
    re.IGNORECASE,
)
"""An article and an adjective before a name: the rain-soaked Nora."""
_NOUN_BEFORE = re.compile(
    r"\b(?:his|her|their|the|an?) (?:[\w-]+ ){0,3}(?P<noun>[a-z]+)(?P<comma>,?) \Z", re.IGNORECASE
)
MOST_GENERAL = 20
"""Spoken lines in which somebody is no more than “the man”; who would be in more is named from the first."""
_QUOTES = (("“", "”"), ("«", "»"), ("„", "“"))
_WRITTEN = ("says ", "reads ", "reading ", "labelled ", "labeled ", "marked ", "signed ", "signs ", "named ", "called ")
"""What stands before a name that is read from the picture, or given."""


@dataclass(frozen=True)
class Naming:
    """What is needed to name people as may be done at each time."""

    cast: CastMentions
    times: NameTimes
    described: Mapping[str, Description]
    """By the id of the character."""


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
    fused = {member for fusion in script.fusions if fusion.id in spoken for member in fusion.members}
    alone = [each for each in ours if each[1].id in spoken and each[1].id not in fused]
    naming = replace(naming, described=_apart(alone, naming))
    first: dict[str, str] = {}
    changed: dict[str, tuple[Variant, ...]] = {}
    # A line that is not spoken introduces nobody to those that are.
    for time, item in sorted(ours, key=lambda each: (each[1].id not in spoken, each[0])):
        variants = _renamed_variants(item, time, naming, first)
        if variants != item.variants:
            changed[item.id] = variants
        if isinstance(item, Eventuality):
            for person in _introduced_in_brackets(item, naming):
                first.setdefault(person, item.id)
    return _with_variants(script, changed) if changed else script


def _introduced_in_brackets(line: Eventuality, naming: Naming) -> set[str]:
    """Who is introduced by what they are in a line’s source, with a name that no wording says: A boy (ODDO, 10)."""
    if "(" not in line.extract:
        return set()
    found = [each for each in naming.cast.mentions(line.extract) if each.person in naming.described]
    return {each.person for each in found if each.person is not None and apposition_before(line.extract, each)}


def _spoken(plan: Plan) -> dict[str, int]:
    """When each line and fusion is spoken (ms); the lines of a fusion with it."""
    found: dict[str, int] = {}
    for delivery in plan.deliveries:
        found |= dict.fromkeys((*delivery.members, delivery.element), delivery.start)
    return found


def named_by_action(script: Script, naming: Naming) -> Script:
    """As `with_names` for lines that no plan speaks yet, each judged by the time of its action.

    Who would be no more than “the man” keeps the name: only a plan tells how often that would be said.
    """
    specific = {person: described for person, described in naming.described.items() if not described.is_general}
    spoken = {line.id: line.occurrence.start for line in script.eventualities if line.occurrence is not None}
    return _with_names(script, spoken, replace(naming, described=specific))


def can_be_reworded(line: Eventuality) -> bool:
    """Whether a draft made a line and nothing has been fixed about it."""
    fixed = line.worked or line.pin.held or any(each.duration is not None or each.takes for each in line.variants)
    return line.origin is Origin.MACHINE and not fixed


def _is_ours(script: Script, item: Eventuality | Fusion) -> bool:
    lines = [item] if isinstance(item, Eventuality) else [script.eventuality(member) for member in item.members]
    return all(map(can_be_reworded, lines))


def _apart(spoken: Sequence[tuple[int, Eventuality | Fusion]], naming: Naming) -> dict[str, Description]:
    """What people are called before they may be named, so that no two are called alike meanwhile.

    Somebody else who would be is named from the first, and so is whoever would be no more than “the man” in many lines:
    clarity goes before waiting for dialogue (Netflix Audio Description Style Guide, second-hand).
    """
    early: dict[str, list[int]] = {}
    for time, item in sorted(spoken, key=lambda each: each[0]):
        for person in dict.fromkeys(each.person for each in naming.cast.mentions(item.variants[0].text)):
            if person in naming.described and not naming.times.may_name(person or "", time):
                early.setdefault(person or "", []).append(time)
    found: dict[str, Description] = {
        person: described for person, described in naming.described.items() if person not in early
    }
    heads: dict[str, list[int]] = {}
    for person, times in early.items():
        described = naming.described[person]
        if described.is_general and len(times) > MOST_GENERAL:
            continue
        if any(until > times[0] for until in heads.get(described.head, ())):
            described = replace(described, is_whole=True)
        if any(until > times[0] for until in heads.get(described.head, ())):
            continue
        heads.setdefault(described.head, []).append(naming.times.since(person))
        found[person] = described
    return found


def _renamed_variants(
    item: Eventuality | Fusion, start: int, naming: Naming, first: dict[str, str]
) -> tuple[Variant, ...]:
    lines = (item.id,) if isinstance(item, Eventuality) else item.members
    variants: list[Variant] = []
    for number, variant in enumerate(item.variants):
        text = renamed(variant.text, start, naming, first, lines, full=number == 0)
        variants.append(replace(variant, text=text) if text != variant.text else variant)
    return tuple(variants)


def renamed(
    text: str, start: int, naming: Naming, first: dict[str, str], lines: Sequence[str], *, full: bool = True
) -> str:
    """A text that begins at `start` (ms) with descriptions for the names that may not be said yet.

    `lines` are the ids of the lines that it says. `first` has for each character the line that describes them first,
    and gets the first of these where they do; `full` says whether there is room for the whole description.
    """
    found = [
        each
        for each in naming.cast.mentions(text)
        if each.person is not None
        and naming.times.too_early(each, start)
        and each.person in naming.described
        and (not _is_written(text, each) or apposition_before(text, each) is not None)
    ]
    people = dict.fromkeys(each.person for each in found if each.person is not None)
    phrases = _phrases(tuple(people), naming, first, lines, full=full)
    for person in phrases:
        first.setdefault(person, lines[0])
    for place in range(len(found) - 1, -1, -1):
        each = found[place]
        if each.person in phrases:
            again = any(other.person == each.person for other in found[:place])
            text = _replaced(text, each, _again(phrases[each.person]) if again else phrases[each.person])
    return text


def _phrases(
    people: tuple[str, ...], naming: Naming, first: Mapping[str, str], lines: Sequence[str], *, full: bool
) -> dict[str, str]:
    """What each of the people of a line is called; nobody who would be called as another one."""
    heads = [naming.described[person].head for person in people]
    found: dict[str, str] = {}
    for person in people:
        described = naming.described[person]
        new = first.get(person, lines[0]) in lines
        alone = heads.count(described.head) == 1
        phrase = described.full if (full and new) or not alone else described.head
        if phrase not in found.values():
            found[person] = indefinite(phrase) if new else phrase
    return found


def _again(phrase: str) -> str:
    article, _, rest = phrase.partition(" ")
    return f"the {rest}" if article in ("a", "an") else phrase


def _is_written(text: str, mention: Mention) -> bool:
    """Whether a name is read from the picture: after a colon, in quotation marks, with an initial, or all there is."""
    before = text[: mention.start]
    alone = not text.replace(text[mention.start : mention.end], "").strip(" .,!:")
    initial = len(before) >= 2 and before.rstrip().endswith(".") and before.rstrip()[-2:-1].isupper()
    quoted = any(before.count(opening) > before.count(closing) for opening, closing in _QUOTES)
    return (
        alone or initial or quoted or before.count('"') % 2 == 1 or ":" in before or before.lower().endswith(_WRITTEN)
    )


def _beside_noun(text: str, mention: Mention) -> str | None:
    """The text without a name that only follows what somebody is: “her friend Betty”, “his son, Matthew, waits”."""
    before = _NOUN_BEFORE.search(text[: mention.start])
    if before is None or before["noun"].lower() not in PERSON_NOUNS:
        return None
    if before["comma"] and not is_set_off(text, before.start(), mention.end):
        return None
    said, rest = text[: before.end("noun")], text[mention.end :]
    return said + (_unclosed(said, rest) if before["comma"] else rest)


def _introduced(text: str, mention: Mention) -> str | None:
    """The text without a name that follows what somebody is: “a boy of about ten, Oddo, runs”, “a boy named Oddo”."""
    found = apposition_before(text, mention)
    if found is None:
        return None
    before, rest = text[: found.until], text[found.end :]
    return before + (_unclosed(before, rest) if found.set_off else rest)


def _unclosed(before: str, rest: str) -> str:
    """What follows a name that is cut out, without the mark behind it, unless that now sets off what comes next."""
    if not rest.startswith(","):
        return re.sub(r"\A ?(?:–|—|--|\))", "", rest)
    if goes_on_with_verb(rest[1:]) or "," not in rest[1:]:
        return rest[1:]
    return without_commas(before, rest)


def _replaced(text: str, mention: Mention, phrase: str) -> str:
    opens = not text[: mention.start].strip(" “\"'(") or text[: mention.start].rstrip()[-1:] in (".", "!", "?")
    said_already = _introduced(text, mention)
    if said_already is None:
        said_already = _beside_noun(text, mention)
    if said_already is not None:
        return said_already
    if _AFTER_ARTICLE.search(text[: mention.start]):
        phrase = phrase.partition(" ")[2]  # “the rain-soaked Nora”
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
    if phrase.startswith(("a ", "an ")) and not mention.possessive:
        rest = without_commas(text[: mention.start], rest)
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
