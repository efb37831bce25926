"""Splitting a line in two and merging neighbours, with their times, pins, salience and rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from adstudio.core.narration import MAX_TAKES
from adstudio.core.script import NO_PIN, Eventuality, Origin, Pin, Script, Variant
from adstudio.core.steps import Insert, Replace, Step
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.editing.change import (
    EditRefused,
    checked_text,
    clamped,
    id_after,
    line_of,
    lines_of,
    one_step,
    position_of,
    removal_steps,
    rules_steps,
)
from adstudio.editing.ids import Ids
from adstudio.editing.names import line_name
from adstudio.editing.occurrences import is_spoiler_free
from adstudio.editing.rules import with_merged_lines, with_split_line
from adstudio.editing.sentences import goes_on, run_together, two_sentences

_CLAUSE_END = re.compile(r"[.!?;:,…。！？、，](?=[\s”’\"')]*\s|$)|\s[–—-](?=\s)")
"""Where a sentence or a clause ends."""
_CONJUNCTION = re.compile(
    r"(?:and|but|or|nor|so|yet|then|as|while|when|where|until|before|after|because|though|who|which)\b", re.IGNORECASE
)
"""Words that start a clause."""
_LEADING_ON = re.compile(
    r"(?:a|an|the|my|your|his|her|its|our|their|every|no|he|she|it|we|they|I|of|to|in|on|at|by|for|from|with|into|onto"
    r"|over|under|through|across|behind|beside|between|against|around|is|are|was|were|has|have|had|not)",
    re.IGNORECASE,
)
"""Words that a clause hardly ends with: what they belong to comes after them."""


def split_offsets(text: str) -> tuple[int, ...]:
    """The offsets at which a wording can be split: where a word starts, with words on both sides."""
    places = (match.end() for match in re.finditer(r"\s+", text))
    return tuple(place for place in places if _split_text(text, place) is not None)


def suggest_split(text: str, at: int | None = None) -> int | None:
    """The most likely offset to split a wording at; None if it cannot be split.

    The one nearest to the text cursor (`at`) if that is between words. Else after the punctuation or before the
    conjunction nearest to the middle; without either, at the word nearest to it, but not after an article, a subject
    pronoun or a preposition.
    """
    places = split_offsets(text)
    if at is not None and _split_text(text, at) is not None:
        return min(places, key=lambda place: abs(place - at), default=None)
    ends = [match.end() for match in _CLAUSE_END.finditer(text)]
    clauses = [place for place in places if len(text[:place].rstrip()) in ends or _CONJUNCTION.match(text, place)]
    complete = [place for place in places if not _LEADING_ON.fullmatch(text[:place].rsplit(maxsplit=1)[-1])]
    return min(clauses or complete or places, key=lambda place: abs(2 * place - len(text)), default=None)


def split_line(script: Script, ids: Ids, identity: str, offset: int, variant: int = 0) -> Step | None:
    """Split a line at a character of one of its wordings; the second part becomes a new line after it.

    Each part becomes a sentence, with its capital and its stop, where the line is written as sentences are.
    The occurrence is divided in proportion to the words. Other wordings are split at the same clause end if they have
    as many clauses, else dropped, since half a compression is meaningless. The first part keeps a pinned start; with an
    override the second is pinned right after it. Both stay pinned in or out, and rules keep their meaning.

    Raises:
        EditRefused: if there are no words on one side.
    """
    line = line_of(script, identity)
    if not 0 <= variant < len(line.variants):
        raise EditRefused("That wording no longer exists.")
    cut = _split_text(line.variants[variant].text, offset)
    if cut is None:
        raise EditRefused("There is nothing to split here: put the cursor between two words.")
    text = line.variants[variant].text
    parts = {variant: two_sentences(text, *cut)}
    for place, other in enumerate(line.variants):
        alike = None if place == variant else _split_alike(text, offset, other.text)
        if alike is not None:
            parts[place] = two_sentences(other.text, *alike)
    places = sorted(parts)
    firsts, seconds = (
        tuple(replace(line.variants[place], text=parts[place][side], duration=None) for place in places)
        for side in (0, 1)
    )
    pinned = places.index(line.pin.variant) if line.pin.variant in places else None
    first_occurrence, second_occurrence = _split_occurrence(line.occurrence, count_words(cut[0]), count_words(cut[1]))
    first = replace(
        line,
        variants=firsts,
        occurrence=first_occurrence,
        pin=replace(line.pin, variant=pinned),
        origin=Origin.HUMAN,
        seen=True,
        approval=None,
    )
    second = replace(
        first,
        id=ids.fresh(Eventuality),
        variants=seconds,
        occurrence=second_occurrence,
        pin=_second_pin(script, first, firsts[pinned or 0]),
        within=_second_within(line, second_occurrence),
        joined=False,
        note="",
    )
    follower = id_after(script, position_of(script, identity))
    steps: list[Step] = [Replace(line, first), Insert(second, follower)]
    steps += rules_steps(script, with_split_line(script.rules, identity, second.id))
    return one_step(f"Split {line_name(line)}", steps)


def merge_lines(script: Script, identities: Iterable[str]) -> Step | None:
    """Merge two or more neighbouring lines into one, which keeps the first one's id and pin.

    A line that begins with a small letter goes on with the sentence before it; a new sentence gets a stop before it.
    Wordings of the same number are combined, the full ones first; those without a counterpart in every line are
    dropped. So is a shorter one that begins otherwise than its full wording, whose subject the next line counts on, as
    in “From her bag comes a glove, lays it down”. The occurrence covers all parts; salience is the mean weighted by
    length, so that the merged line is worth as much as its parts. In rules it takes their places.

    Raises:
        EditRefused: for fewer than two lines, or lines that are not neighbours in textual order.
    """
    lines = lines_of(script, identities)
    if len(lines) < 2:
        raise EditRefused("Select at least two neighbouring lines to merge.")
    first_place = position_of(script, lines[0].id)
    if script.eventualities[first_place : first_place + len(lines)] != tuple(lines):
        raise EditRefused("Only neighbouring lines can be merged, and there are others between these.")
    first, gone = lines[0], [line.id for line in lines[1:]]
    combined = _merged_variants(lines, _known_names(script))
    occurrences = [line.occurrence for line in lines if line.occurrence is not None]
    merged = replace(
        first,
        variants=tuple(combined.values()),
        occurrence=Span(min(o.start for o in occurrences), max(o.end for o in occurrences)) if occurrences else None,
        salience=_merged_salience(script, lines),
        pin=_merged_pin(lines, tuple(combined)),
        within=_merged_within(lines),
        origin=Origin.HUMAN,
        seen=True,
        accepted=all(line.accepted for line in lines),
        approval=None,
        weighed=any(line.weighed for line in lines),
        extract=checked_text(" ".join(dict.fromkeys(line.extract for line in lines if line.extract))),
        note=checked_text("\n".join(line.note for line in lines if line.note)),
    )
    steps = rules_steps(script, with_merged_lines(script.rules, gone, first.id))
    steps += removal_steps(script, gone)
    steps.append(Replace(first, merged))
    names = f"{line_name(first)} and {line_name(lines[1])}" if len(lines) == 2 else f"{len(lines)} lines"
    return one_step(f"Merge {names}", steps)


def _split_text(text: str, offset: int) -> tuple[str, str] | None:
    """A text split at a character, without white space at the cut; None if there are no words on one side."""
    parts = text[: max(0, offset)].rstrip(), text[max(0, offset) :].lstrip()
    return parts if all(count_words(part) for part in parts) else None


def _split_alike(text: str, offset: int, other: str) -> tuple[str, str] | None:
    """Another wording split after the same clause as `text` is, if both have as many clauses."""
    ends = [match.end() for match in _CLAUSE_END.finditer(text)]
    theirs = [match.end() for match in _CLAUSE_END.finditer(other)]
    head = len(text[: max(0, offset)].rstrip())
    if len(ends) != len(theirs) or head not in ends:
        return None
    return _split_text(other, theirs[ends.index(head)])


def _split_occurrence(occurrence: Span | None, first: int, second: int) -> tuple[Span | None, Span | None]:
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
    after_first = pin.start + script.duration(wording, first.voice) + script.settings.min_pause
    return replace(pin, start=clamped(script, after_first))


def _second_within(line: Eventuality, occurrence: Span | None) -> Span | None:
    """The second part's limits: not before its own event if the line was limited by its event."""
    within = line.within
    if within is None or occurrence is None or not is_spoiler_free(line):
        return within
    start = max(within.start, occurrence.start)
    return Span(start, max(start, within.end))


def _known_names(script: Script) -> frozenset[str]:
    """The words of names in the film, case-folded: of its cast, and of who speaks."""
    names = [*(person.name for person in script.people), *(cue.speaker for cue in script.cues if cue.speaker)]
    return frozenset(word.casefold() for name in names for word in name.split())


def _merged_variants(lines: Sequence[Eventuality], names: frozenset[str]) -> dict[int, Variant]:
    """The combined wordings by the number that their parts have."""
    found: dict[int, Variant] = {}
    for place, parts in enumerate(zip(*(line.variants for line in lines), strict=False)):
        if found and not _share_their_subjects(parts, lines):
            continue
        durations = [part.duration for part in parts if part.duration is not None]
        text = checked_text(run_together((part.text for part in parts), names))
        duration = sum(durations) if len(durations) == len(parts) else None
        rate = max(part.rate for part in parts)
        takes = [take for part in parts for take in part.takes][:MAX_TAKES]
        numbered = tuple(replace(take, id=f"take-{number}") for number, take in enumerate(takes, 1))
        found[place] = Variant(text, rate, duration, stale=any(part.stale for part in parts), takes=numbered)
    return found


def _share_their_subjects(parts: Sequence[Variant], lines: Sequence[Eventuality]) -> bool:
    """Whether wordings whose sentence goes on in the next line begin as the full one does, so with the same subject."""
    return all(
        not goes_on(following.text) or _first_word(part.text) == _first_word(line.variants[0].text)
        for part, following, line in zip(parts, parts[1:], lines, strict=False)
        if not goes_on(part.text)
    )


def _first_word(text: str) -> str:
    return next(iter(text.casefold().split()), "").strip(",.;:")


def _merged_salience(script: Script, lines: Sequence[Eventuality]) -> int | None:
    rated = [
        (line.salience, script.duration(line.variants[0], line.voice)) for line in lines if line.salience is not None
    ]
    total = sum(length for _, length in rated)
    if not rated:
        return None
    if not total:
        return max(salience for salience, _ in rated)
    return round(Fraction(sum(salience * length for salience, length in rated), total))


def _merged_pin(lines: Sequence[Eventuality], wordings: Sequence[int]) -> Pin:
    pins = [line.pin for line in lines]
    first = pins[0]
    variant = next((wordings.index(pin.variant) for pin in pins if pin.variant in wordings), None)
    if first.start is not None:
        return replace(first, variant=variant)
    if any(pin.selected is True or pin.start is not None for pin in pins):
        return Pin(selected=True, variant=variant)
    if all(pin.selected is False for pin in pins):
        return Pin(selected=False, variant=variant)
    return replace(NO_PIN, variant=variant)


def _merged_within(lines: Sequence[Eventuality]) -> Span | None:
    """The intersection of all limits, or their hull if it is empty."""
    bounds = [line.within for line in lines if line.within is not None]
    if not bounds:
        return None
    start, end = max(bound.start for bound in bounds), min(bound.end for bound in bounds)
    if start < end:
        return Span(start, end)
    return Span(min(bound.start for bound in bounds), max(bound.end for bound in bounds))
