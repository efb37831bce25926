"""When the film first shows each character, lets them speak, and says their name, as far as the project knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adstudio.characters.introductions import introductions
from adstudio.core.script import CueKind, Script


@dataclass(frozen=True)
class FirstTimes:
    """Times in milliseconds, None where nothing tells; those that the describer set go first. `cues`: how many."""

    seen: int | None = None
    speech: int | None = None
    named: int | None = None
    cues: int = 0


def first_times(script: Script, first_seen: Mapping[str, int] | None = None) -> dict[str, FirstTimes]:
    """The first times of everybody in the cast, by id.

    Seen: the earliest face that was named as theirs, or found to be theirs (`first_seen`, by id). Speech: the earliest
    cue that they speak. Named: the earliest cue that certainly says their name (see `introductions`).
    """
    seen = dict(first_seen or {})
    for face in script.named_faces:
        if face.person is not None:
            seen[face.person] = min(face.time, seen.get(face.person, face.time))
    speech: dict[str, int] = {}
    counts: dict[str, int] = {}
    for cue in script.cues:
        if cue.kind not in (CueKind.SPEECH, CueKind.SUNG):
            continue
        if (speaker := script.person_named(cue.speaker)) is not None:
            counts[speaker.id] = counts.get(speaker.id, 0) + 1
            speech[speaker.id] = min(cue.start, speech.get(speaker.id, cue.start))
    named = introductions(script.people, script.cues, script.film.language)
    return {
        person.id: FirstTimes(
            _first(person.first_seen, seen.get(person.id)),
            _first(person.first_speech, speech.get(person.id)),
            named[person.id].time if person.id in named else None,
            counts.get(person.id, 0),
        )
        for person in script.people
    }


def _first(own: int | None, known: int | None) -> int | None:
    return known if own is None else own
