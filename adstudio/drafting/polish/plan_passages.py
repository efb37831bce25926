"""Divides a plan's lines into passages to polish, each line with its time, and with what is heard around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from adstudio.core.fusions import wording_of
from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import CueKind, Script
from adstudio.core.timebase import Span
from adstudio.core.words import words
from adstudio.delivery.lines import JOIN_PAUSE_MS, gap_containing
from adstudio.drafting.model.response_schema import LONGEST
from adstudio.drafting.polish.passage import AT_ONCE, ContextLine, Passage, Wanted
from adstudio.drafting.polish.proposals import may_polish
from adstudio.drafting.polish.time_budget import Room, length_of, most_words, rooms
from adstudio.drafting.text.language.names import known_from, known_words, names_of
from adstudio.planning.film.film_problem import scene_of_each

AROUND_MS = 15_000
"""How much is given with a passage before and after it."""
MOST_AROUND = 6
MOST_CONTEXT = 150
"""Pieces of dialogue given within a passage."""


@dataclass(frozen=True)
class Asked:
    """A passage, and the deliveries to which its ids refer."""

    passage: Passage
    deliveries: dict[str, Delivery]


def passages(
    script: Script, gaps: Sequence[Span], plan: Plan, *, scenes: Sequence[str] = (), whole: bool = False
) -> tuple[Asked, ...]:
    """A plan's passages, scene by scene, of these scenes or of all; `whole`: with all lines.

    Without it, lines are left out that a person has worded or accepted, or whose wording a person chose.
    """
    spoken = [each for each in plan.deliveries if _text(script, each).strip()]
    room = rooms(script, gaps, plan)
    scene_of = dict(zip((line.id for line in script.eventualities), scene_of_each(script), strict=True))
    speakers = [cue.speaker for cue in script.cues if cue.speaker]
    lines = [_text(script, each) for each in spoken]
    names = names_of([*speakers, *(person.name for person in script.people)], lines)
    known = known_from(names, [*lines, *(cue.text for cue in script.cues)], script.film.language)
    goes_on = _going_on(gaps, spoken)
    named = _named_before(script, spoken)
    found: list[Asked] = []
    by_scene: dict[str, list[int]] = {}
    for place, each in enumerate(spoken):
        if each.members:
            # What a model makes of it would be a wording of none of its lines.
            continue
        line, scene = script.eventuality(each.element), scene_of[each.element]
        wanted = (whole or may_polish(line)) and len(_text(script, each)) <= LONGEST and (not scenes or scene in scenes)
        if wanted:
            by_scene.setdefault(scene, []).append(place)
    for scene, places in by_scene.items():
        for lot in _lots(places, goes_on):
            ids = {place: f"p{number:02d}" for number, place in enumerate(lot, 1)}
            deliveries = {ids[place]: spoken[place] for place in lot}
            wanted_lines = tuple(
                _wanted(
                    script,
                    spoken[place],
                    ids[place],
                    room[spoken[place].element],
                    goes_on[place : place + 2],
                    named[place],
                )
                for place in lot
            )
            passage = Passage(
                scene,
                wanted_lines,
                _context(script, spoken, ids),
                known.names,
                known.ordinary,
                script.film.language,
                _lasting(script, deliveries),
            )
            found.append(Asked(passage, deliveries))
    return tuple(found)


def _text(script: Script, delivery: Delivery) -> str:
    """What is spoken; "" for an unknown line or wording."""
    wording = None if delivery.text is not None else wording_of(script, delivery)
    return "" if wording is None else wording.text


def _going_on(gaps: Sequence[Span], spoken: Sequence[Delivery]) -> list[bool]:
    """Which lines follow the one before in the same gap after at most a short pause."""
    held = [gap_containing(gaps, each.span) for each in spoken]
    following = [
        gap is not None and gap == other and 0 <= then.start - first.end <= JOIN_PAUSE_MS
        for (first, gap), (then, other) in pairwise(zip(spoken, held, strict=True))
    ]
    return [False, *following][: len(spoken)]


def _named_before(script: Script, spoken: Sequence[Delivery]) -> list[frozenset[str]]:
    """For each line, the capitalised words in the lines before it."""
    known: frozenset[str] = frozenset()
    found: list[frozenset[str]] = []
    for each in spoken:
        found.append(known)
        capitals = [word for word in words(_text(script, each)) if any(letter.isupper() for letter in word)]
        known |= known_words(" ".join(capitals))
    return found


def _lots(places: Sequence[int], goes_on: Sequence[bool]) -> Iterator[Sequence[int]]:
    """Lines in batches for one request each, divided between lines that do not follow directly, if possible."""
    rest = list(places)
    while len(rest) > AT_ONCE:
        cut = next((at for at in range(AT_ONCE, AT_ONCE // 2, -1) if not goes_on[rest[at]]), AT_ONCE)
        yield rest[:cut]
        rest = rest[cut:]
    if rest:
        yield rest


def _wanted(
    script: Script, delivery: Delivery, identity: str, room: Room, goes_on: Sequence[bool], named: frozenset[str]
) -> Wanted:
    """A line; `goes_on` is its own and that of the next one, if any."""
    line = script.eventuality(delivery.element)
    now = line.variants[delivery.variant]
    wordings = (*(variant.text for variant in line.variants[:1]), *([line.extract] if line.extract else []))
    return Wanted(
        identity,
        now.text,
        wordings,
        room.most,
        most_words(script, now, room.most),
        goes_on=goes_on[0],
        leads_on=len(goes_on) > 1 and goes_on[1],
        named=named,
    )


def _lasting(script: Script, deliveries: dict[str, Delivery]) -> Callable[[str, str], int]:
    before = {
        identity: script.eventuality(each.element).variants[each.variant] for identity, each in deliveries.items()
    }
    return lambda identity, text: length_of(script, before[identity], text)


def _context(script: Script, spoken: Sequence[Delivery], ids: dict[int, str]) -> tuple[ContextLine, ...]:
    """All that is heard from shortly before the first line of a batch to shortly after the last."""
    first, last = min(ids), max(ids)
    start, end = spoken[first].start - AROUND_MS, spoken[last].end + AROUND_MS
    lines = [
        ContextLine(each.start, each.end, _text(script, each), ids.get(place, ""))
        for place, each in enumerate(
            spoken[max(first - MOST_AROUND, 0) : last + 1 + MOST_AROUND], max(first - MOST_AROUND, 0)
        )
        if start <= each.start and each.end <= end
    ]
    cues = [
        ContextLine(cue.start, cue.end, cue.text, dialogue=True, speaker=cue.speaker or "")
        for cue in script.cues
        if cue.kind in (CueKind.SPEECH, CueKind.SUNG) and start <= cue.start <= cue.end <= end
    ]
    before = [each for each in cues if each.start < spoken[first].start][-MOST_AROUND:]
    between = [each for each in cues if spoken[first].start <= each.start < spoken[last].end]
    behind = [each for each in cues if each.start >= spoken[last].end][:MOST_AROUND]
    found = sorted([*lines, *before, *between[:MOST_CONTEXT], *behind], key=lambda each: (each.start, each.end))
    return tuple(found)
