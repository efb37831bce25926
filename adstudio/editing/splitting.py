"""One line made two, and neighbours made one, with all that hangs on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from adstudio.core.script import NO_PIN, Eventuality, Origin, Pin, Script, Variant
from adstudio.core.steps import Insert, Replace, Step
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.editing.change import (
    bounded,
    following,
    line_of,
    lines_of,
    one_step,
    place_of,
    removals,
    with_rules,
    written,
)
from adstudio.editing.ids import Ids
from adstudio.editing.names import line_name
from adstudio.editing.occurrences import not_before
from adstudio.editing.refusal import EditRefused
from adstudio.editing.rules import divided, merged

_CLAUSE_END = re.compile(r"[.!?;:,…。！？、，](?=[\s”’\"')]*\s|$)|\s[–—-](?=\s)")
"""Where a sentence or a clause ends."""
_CONJUNCTION = re.compile(
    r"(?:and|but|or|nor|so|yet|then|as|while|when|where|until|before|after|because|though|who|which)\b", re.IGNORECASE
)
"""With what a clause begins."""


def split_places(text: str) -> tuple[int, ...]:
    """Where a wording can be divided: each offset at which a word begins, with words on both sides."""
    places = (match.end() for match in re.finditer(r"\s+", text))
    return tuple(place for place in places if _cut(text, place) is not None)


def likely_split(text: str) -> int | None:
    """Where a wording is most likely to be divided; None where it cannot be.

    Behind the punctuation, or before the conjunction, nearest to the middle; where there is neither, between the words
    nearest to it.
    """
    places = split_places(text)
    ends = [match.end() for match in _CLAUSE_END.finditer(text)]
    clauses = [place for place in places if len(text[:place].rstrip()) in ends or _CONJUNCTION.match(text, place)]
    return min(clauses or places, key=lambda place: abs(2 * place - len(text)), default=None)


def split_line(script: Script, ids: Ids, identity: str, offset: int, variant: int = 0) -> Step | None:
    """Divide a line at a character of one of its wordings; the second part is a new line behind it.

    The occurrence is divided in proportion of the words. Other wordings are divided at the same clause end, where both
    have as many of them; else they go, for half of a compression says nothing. A held start is that of the first part;
    with an override the second is held right behind it. Both stay in, or out, as the line was; rules go on meaning what
    they meant.

    Raises:
        EditRefused: where there are no words on one side.
    """
    line = line_of(script, identity)
    if not 0 <= variant < len(line.variants):
        raise EditRefused("The line does not have that wording any more.")
    cut = _cut(line.variants[variant].text, offset)
    if cut is None:
        raise EditRefused("There is nothing to split off here: put the cursor between two words.")
    text = line.variants[variant].text
    parts = {variant: cut}
    for place, other in enumerate(line.variants):
        alike = None if place == variant else _cut_alike(text, offset, other.text)
        if alike is not None:
            parts[place] = alike
    kept = sorted(parts)
    firsts, seconds = (
        tuple(Variant(parts[place][side], line.variants[place].rate) for place in kept) for side in (0, 1)
    )
    held = kept.index(line.pin.variant) if line.pin.variant in kept else None
    first_occurrence, second_occurrence = _divided(line.occurrence, count_words(cut[0]), count_words(cut[1]))
    first = replace(
        line,
        variants=firsts,
        occurrence=first_occurrence,
        pin=replace(line.pin, variant=held),
        origin=Origin.HUMAN,
        seen=True,
    )
    second = replace(
        first,
        id=ids.fresh(Eventuality),
        variants=seconds,
        occurrence=second_occurrence,
        pin=_second_pin(script, first, firsts[held or 0]),
        within=_second_within(line, second_occurrence),
        joined=False,
        note="",
    )
    follower = following(script, place_of(script, identity))
    steps: list[Step] = [Replace(line, first), Insert(second, follower)]
    steps += with_rules(script, divided(script.rules, identity, second.id))
    return one_step(f"Split {line_name(line)}", steps)


def merge_lines(script: Script, identities: Iterable[str]) -> Step | None:
    """Make one line of two or more neighbours; it keeps the first one's id and what is held of it.

    Wordings are put together rate by rate; where a line lacks a rate, its nearest one serves. The occurrence reaches
    from the first beginning to the last end, salience is the mean by length, so that the whole is worth what the parts
    were. In rules the merged line takes the places of its parts.

    Raises:
        EditRefused: for fewer than two lines, or such as are no neighbours in textual order.
    """
    lines = lines_of(script, identities)
    if len(lines) < 2:
        raise EditRefused("Choose two neighbouring lines or more to merge.")
    first_place = place_of(script, lines[0].id)
    if script.eventualities[first_place : first_place + len(lines)] != tuple(lines):
        these = "These two lines" if len(lines) == 2 else "These lines"
        raise EditRefused(f"{these} are not neighbours: others lie between them.")
    first, gone = lines[0], [line.id for line in lines[1:]]
    variants, origins = _merged_variants(lines)
    occurrences = [line.occurrence for line in lines if line.occurrence is not None]
    whole = replace(
        first,
        variants=variants,
        occurrence=Span(min(o.start for o in occurrences), max(o.end for o in occurrences)) if occurrences else None,
        salience=_merged_salience(script, lines),
        pin=_merged_pin(lines, origins),
        within=_merged_within(lines),
        origin=Origin.HUMAN,
        seen=True,
        accepted=all(line.accepted for line in lines),
        weighed=any(line.weighed for line in lines),
        extract=written(" ".join(dict.fromkeys(line.extract for line in lines if line.extract))),
        note=written("\n".join(line.note for line in lines if line.note)),
    )
    steps = with_rules(script, merged(script.rules, gone, first.id))
    steps += removals(script, gone)
    steps.append(Replace(first, whole))
    names = f"{line_name(first)} and {line_name(lines[1])}" if len(lines) == 2 else f"{len(lines)} lines"
    return one_step(f"Merge {names}", steps)


def _cut(text: str, offset: int) -> tuple[str, str] | None:
    """A text in two at a character, white space at the cut dropped; None where there are no words on one side."""
    parts = text[: max(0, offset)].rstrip(), text[max(0, offset) :].lstrip()
    return parts if all(count_words(part) for part in parts) else None


def _cut_alike(text: str, offset: int, other: str) -> tuple[str, str] | None:
    """Another wording cut where it ends the clause that `text` ends at the cut, if the two are built alike."""
    ends = [match.end() for match in _CLAUSE_END.finditer(text)]
    theirs = [match.end() for match in _CLAUSE_END.finditer(other)]
    head = len(text[: max(0, offset)].rstrip())
    if len(ends) != len(theirs) or head not in ends:
        return None
    return _cut(other, theirs[ends.index(head)])


def _divided(occurrence: Span | None, first: int, second: int) -> tuple[Span | None, Span | None]:
    if occurrence is None:
        return None, None
    middle = occurrence.start + occurrence.length * first // (first + second)
    return Span(occurrence.start, middle), Span(middle, occurrence.end)


def _second_pin(script: Script, first: Eventuality, wording: Variant) -> Pin:
    pin = first.pin
    if pin.start is None:
        return pin
    if not pin.override:
        return Pin(selected=True, variant=pin.variant)
    behind = pin.start + script.duration(wording) + script.settings.min_pause
    return replace(pin, start=bounded(script, behind))


def _second_within(line: Eventuality, occurrence: Span | None) -> Span | None:
    """The bound of the second part: not before its own event, where the line was not to be spoken before its."""
    within = line.within
    if within is None or occurrence is None or not not_before(line):
        return within
    start = max(within.start, occurrence.start)
    return Span(start, max(start, within.end))


def _merged_variants(lines: Sequence[Eventuality]) -> tuple[tuple[Variant, ...], list[tuple[int, ...]]]:
    """The wordings of the whole, fullest first, and of each the places of the wordings that it is made of."""
    keys: dict[tuple[Fraction, int], None] = {}
    for line in lines:
        keys |= dict.fromkeys(_keys(line))
    found: dict[tuple[int, ...], Variant] = {}
    # Fullest first; of equal rates in the order that the describer gave them.
    for rate, number in sorted(keys, key=lambda key: (-key[0], key[1])):
        places = tuple(_place(line, rate, number) for line in lines)
        parts = [line.variants[place] for line, place in zip(lines, places, strict=True)]
        durations = [part.duration for part in parts if part.duration is not None]
        text = written(" ".join(part.text.strip() for part in parts if part.text.strip()))
        found.setdefault(places, Variant(text, rate, sum(durations) if len(durations) == len(parts) else None))
    return tuple(found.values()), list(found)


def _keys(line: Eventuality) -> list[tuple[Fraction, int]]:
    """Each wording by its rate and its number among those of that rate."""
    seen: dict[Fraction, int] = {}
    keys: list[tuple[Fraction, int]] = []
    for variant in line.variants:
        keys.append((variant.rate, seen.get(variant.rate, 0)))
        seen[variant.rate] = seen.get(variant.rate, 0) + 1
    return keys


def _place(line: Eventuality, rate: Fraction, number: int) -> int:
    """The wording of a line that comes nearest to a rate: of equally near ones the fuller, then the same in number."""
    keys = _keys(line)
    return min(
        range(len(keys)), key=lambda place: (abs(keys[place][0] - rate), -keys[place][0], abs(keys[place][1] - number))
    )


def _merged_salience(script: Script, lines: Sequence[Eventuality]) -> int | None:
    weighed = [(line.salience, script.duration(line.variants[0])) for line in lines if line.salience is not None]
    total = sum(length for _, length in weighed)
    if not weighed:
        return None
    if not total:
        return max(salience for salience, _ in weighed)
    return round(Fraction(sum(salience * length for salience, length in weighed), total))


def _merged_pin(lines: Sequence[Eventuality], origins: Sequence[tuple[int, ...]]) -> Pin:
    pins = [line.pin for line in lines]
    first = pins[0]
    held = next(
        (
            place
            for number, pin in enumerate(pins)
            for place, origin in enumerate(origins)
            if pin.variant is not None and origin[number] == pin.variant
        ),
        None,
    )
    if first.start is not None:
        return replace(first, variant=held)
    if any(pin.selected is True or pin.start is not None for pin in pins):
        return Pin(selected=True, variant=held)
    if all(pin.selected is False for pin in pins):
        return Pin(selected=False, variant=held)
    return replace(NO_PIN, variant=held)


def _merged_within(lines: Sequence[Eventuality]) -> Span | None:
    """What all bounds allow; where they allow nothing together, from the first beginning to the last end."""
    bounds = [line.within for line in lines if line.within is not None]
    if not bounds:
        return None
    start, end = max(bound.start for bound in bounds), min(bound.end for bound in bounds)
    if start < end:
        return Span(start, end)
    return Span(min(bound.start for bound in bounds), max(bound.end for bound in bounds))
