"""What a model is told of the people of a clip: who is seen in it, and who may not be named yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from adstudio.characters.introductions import NameTimes
from adstudio.characters.name_index import NameIndex, is_role
from adstudio.core.cast import People, Person
from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.drafting.model.context import LONGEST_NAME, plain

SURE_SPEAKER = 500
"""Thousandths of confidence from which a model is told who speaks: it is more likely right than wrong."""
LONGEST_DESCRIPTION = 120
MOST_SHOTS = 60
SEEN_TITLE = "SEEN, in seconds from the beginning of the clip, as far as faces were recognised"
UNNAMED_TITLE = "NOT YET NAMED"
RULE = (
    "Whoever is listed under NOT YET NAMED is called what is said there until the time that is given, and by name from"
    " then on, whatever else calls them by name."
)
"""What a task says where that list is given."""


@dataclass(frozen=True)
class SeenIn:
    """A span of film in which people of the cast (ids) are seen."""

    span: Span
    people: tuple[str, ...]


def seen_in(seen: Sequence[SeenIn], people: People, span: Span) -> list[str]:
    """Who is seen in a span, one line for each part of it: seconds from its start, and names."""
    names = {person.id: plain(person.name, LONGEST_NAME) for person in people}
    found: list[str] = []
    for each in seen:
        common = each.span.overlap(span)
        known = [names[person] for person in each.people if person in names]
        if common is not None and common.length and known:
            start, end = common.start - span.start, common.end - span.start
            found.append(f"{start / 1000:.1f}–{end / 1000:.1f} {', '.join(known)}")
    return found[:MOST_SHOTS]


def not_yet_named(times: NameTimes, people: People, span: Span) -> list[str]:
    """Who may not be named at the start of a span, what to say instead, and until when (seconds from its start)."""
    found: list[str] = []
    for person in people:
        since = times.since(person.id)
        if since <= span.start or is_role(person.name):
            continue
        described = plain(person.described_as, LONGEST_DESCRIPTION)
        instead = f"“{described}”" if described else "by what can be seen of them"
        until = f"until {(since - span.start) / 1000:.1f}" if since < span.end else "in all of this clip"
        found.append(f"{plain(person.name, LONGEST_NAME)}: {instead}, {until}")
    return found


def with_cast_speakers(cues: Sequence[Cue], people: People) -> tuple[Cue, ...]:
    """Cues whose speakers are called as the cast calls them, and left open where that is more likely wrong."""
    index = NameIndex(people)

    def called(cue: Cue) -> str | None:
        if cue.speaker is None or (cue.speaker_confidence is not None and cue.speaker_confidence < SURE_SPEAKER):
            return None
        person: Person | None = index.called(cue.speaker)
        return cue.speaker if person is None else person.name

    return tuple(cue if (name := called(cue)) == cue.speaker else replace(cue, speaker=name) for cue in cues)


def seen_by_faces(faces: Sequence[tuple[int, str]], cuts: Sequence[int], end: int) -> tuple[SeenIn, ...]:
    """The shots with the people (ids) whose faces are known at times (ms) within them, in order."""
    edges = sorted({0, *cuts, end})
    found: list[SeenIn] = []
    known = sorted(faces)
    for first, last in pairwise(edges):
        people = tuple(dict.fromkeys(person for time, person in known if first <= time < last))
        if people:
            found.append(SeenIn(Span(first, last), people))
    return tuple(found)
