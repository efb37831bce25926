"""Fusions: which of a script's hold, and what is spoken where a plan takes one.

A fusion holds only for lines that nobody has changed or decided on since it was made, so that everything a describer
does to a line is about that line. What a plan speaks is a script too: one line in place of those that a fusion stands
for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import NO_PIN, Eventuality, Fusion, Pin, Script, Variant
from adstudio.core.timebase import Span

OF_SENTENCES = Fraction(95, 100)
"""What sentences said in one breath are worth, of what they are worth by themselves."""


def usable_fusions(script: Script) -> tuple[Fusion, ...]:
    """The fusions that hold, in textual order of their first members.

    Their members are neighbours of one scene, worded as they were, with an occurrence and a salience each, spoken by
    one voice, and free: neither linked, extended, recorded nor approved, with no lock but that they are
    spoken.
    """
    if not script.fusions:
        return ()
    index = script.eventuality_index
    found = [fusion for fusion in script.fusions if fusion.id not in index and holds(fusion, lines_of(script, fusion))]
    return tuple(sorted(found, key=lambda fusion: index[fusion.members[0]]))


def lines_of(script: Script, fusion: Fusion) -> tuple[Eventuality, ...]:
    """The lines on which it depends whether a fusion holds: as many as its members from the first on, and the next."""
    first = script.eventuality_index.get(fusion.members[0])
    return () if first is None else script.eventualities[first : first + len(fusion.members) + 1]


def holds(fusion: Fusion, lines: tuple[Eventuality, ...]) -> bool:
    """Whether a fusion holds for these lines (`lines_of`)."""
    count = len(fusion.members)
    lines, following = lines[:count], lines[count:]
    if tuple(line.id for line in lines) != fusion.members or any(line.joined for line in following):
        return False
    if tuple(line.variants[0].text for line in lines) != fusion.texts:
        return False
    head = lines[0]
    return all(
        _is_free(line) and (line.scene, line.voice, line.duck) == (head.scene, head.voice, head.duck) for line in lines
    )


def _is_free(line: Eventuality) -> bool:
    pin = line.pin
    return (
        line.occurrence is not None
        and line.salience is not None
        and pin.selected is not False
        and pin.variant is None
        and pin.start is None
        and not line.joined
        and not line.extended
        and not any(variant.takes for variant in line.variants)
        and not line.accepted
        and line.approval is None
    )


def salience_of(script: Script, fusion: Fusion) -> int:
    """What a fusion's narration is worth, in millionths: saying all of it counts as saying each member in full.

    Σ σ_i·l_i of the members' full wordings over the length of its own, up to the next millionth: of two plans that say
    the same, the one that says it in one breath is better. A breath of several sentences is worth `OF_SENTENCES` of
    that: by itself each is nearer to what it tells, so they are joined only where that makes room.
    """
    lines = [script.eventuality(member) for member in fusion.members]
    worth = sum((line.salience or 0) * script.planned_duration(line, 0) for line in lines)
    length = script.duration(fusion.variants[0], lines[0].voice)
    return salience_in_one_breath(worth, length, fusion.variants[0].text, fusion.texts)


def salience_in_one_breath(worth: int, length: int, said: str, texts: Sequence[str]) -> int:
    """The salience of `said`, of a length in ms, which stands for lines with these texts worth Σ σ_i·l_i together."""
    if not length or not worth:
        return 0
    return worth * OF_SENTENCES // length if _is_several_sentences(said, texts) else worth // length + 1


def _is_several_sentences(said: str, texts: Sequence[str]) -> bool:
    """Whether the sentence of a line other than the last ends within what is said."""
    ends = [text.split()[-1] for text in texts[:-1] if text.endswith((".", "!"))]
    return any(f"{end} " in said for end in ends)


def line_of(script: Script, fusion: Fusion) -> Eventuality:
    """A fusion as one line: what its members are together, with its own wordings."""
    lines = [script.eventuality(member) for member in fusion.members]
    held, within = any(line.pin.selected for line in lines), lines[0].within
    for line in lines[1:]:
        within = line.within if within is None else within if line.within is None else within.overlap(line.within)
    return replace(
        lines[0],
        id=fusion.id,
        variants=fusion.variants,
        occurrence=_from_first_to_last(lines),
        salience=salience_of(script, fusion),
        pin=Pin(selected=True) if held else NO_PIN,
        within=within,
        seen=all(line.seen for line in lines),
        extract=" ".join(dict.fromkeys(line.extract for line in lines if line.extract)),
        note="\n".join(line.note for line in lines if line.note),
        confidence=min((line.confidence for line in lines if line.confidence is not None), default=None),
    )


def _from_first_to_last(lines: list[Eventuality]) -> Span | None:
    first, last = lines[0].occurrence, lines[-1].occurrence
    return None if first is None or last is None else Span(first.start, max(first.start, last.end))


def as_spoken(script: Script, plan: Plan | None) -> Script:
    """The script as a plan speaks it: one line, by the fusion's id, for the members of each fusion that it takes."""
    taken = {delivery.members: delivery.element for delivery in plan.deliveries if delivery.members} if plan else {}
    fusions = [script.fusion_by_id[name] for of, name in taken.items() if _stands_for(script, name, of)]
    if not fusions:
        return script
    lines = {fusion.members[0]: line_of(script, fusion) for fusion in fusions}
    others = {member for fusion in fusions for member in fusion.members[1:]}
    return script.with_changes(
        eventualities=tuple(lines.get(line.id, line) for line in script.eventualities if line.id not in others),
        fusions=(),
    )


def _stands_for(script: Script, name: str, members: tuple[str, ...]) -> bool:
    fusion = script.fusion_by_id.get(name)
    return fusion is not None and fusion.members == members and script.eventuality_index.keys() >= set(members)


def wording_of(script: Script, delivery: Delivery) -> Variant | None:
    """What a delivery says, of a line or a fusion; None where the script does not have that."""
    place = script.eventuality_index.get(delivery.element)
    found = script.fusion_by_id.get(delivery.element) if place is None else script.eventualities[place]
    return found.variants[delivery.variant] if found and 0 <= delivery.variant < len(found.variants) else None


def has_words(script: Script, delivery: Delivery) -> bool:
    """Whether a delivery says anything: a line that was begun may be planned before it has words."""
    if delivery.text is not None:
        return bool(delivery.text.strip())
    wording = wording_of(script, delivery)
    return wording is not None and bool(wording.text.strip())


def items_said(script: Script, plan: Plan) -> frozenset[str]:
    """The eventualities that a plan says in words, by themselves or fused; by this they count as spoken everywhere."""
    return frozenset(name for each in plan.deliveries if has_words(script, each) for name in each.lines)
