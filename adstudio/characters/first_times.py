"""When the film first shows each character, lets them speak, and says their name, as far as the project knows."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.characters.name_words import Case, TextCase, plain_key, text_words, words_of_name
from adstudio.core.cast import Person
from adstudio.core.script import CueKind, Script


@dataclass(frozen=True)
class FirstTimes:
    """Times in milliseconds, None where nothing tells; those that the describer set go first. `cues`: how many."""

    seen: int | None = None
    speech: int | None = None
    named: int | None = None
    cues: int = 0


def first_times(script: Script) -> dict[str, FirstTimes]:
    """The first times of everybody in the cast, by id.

    Seen: the earliest face that was named as theirs. Speech: the earliest cue that they speak. Named: the earliest cue,
    spoken or sung, that says one of their names with capitals where the cue has any.
    """
    seen: dict[str, int] = {}
    for face in script.named_faces:
        if face.person is not None:
            seen[face.person] = min(face.time, seen.get(face.person, face.time))
    speech: dict[str, int] = {}
    named: dict[str, int] = {}
    counts: dict[str, int] = {}
    names = _names(script)
    for cue in script.cues:
        if cue.kind not in (CueKind.SPEECH, CueKind.SUNG):
            continue
        if (speaker := script.person_named(cue.speaker)) is not None:
            counts[speaker.id] = counts.get(speaker.id, 0) + 1
            speech[speaker.id] = min(cue.start, speech.get(speaker.id, cue.start))
        for identity in _said(cue.text, names):
            named[identity] = min(cue.start, named.get(identity, cue.start))
    return {
        person.id: FirstTimes(
            _first(person.first_seen, seen.get(person.id)),
            _first(person.first_speech, speech.get(person.id)),
            _first(person.first_named, named.get(person.id)),
            counts.get(person.id, 0),
        )
        for person in script.people
    }


def _first(own: int | None, known: int | None) -> int | None:
    return known if own is None else own


def _names(script: Script) -> dict[str, list[tuple[tuple[str, ...], Person]]]:
    """The names that mean just one person, as words, by their first word."""
    found: dict[str, list[tuple[tuple[str, ...], Person]]] = {}
    for person in script.people:
        for name in person.names:
            words = tuple(map(plain_key, words_of_name(name)))
            if words and script.person_named(name) is person:
                found.setdefault(words[0], []).append((words, person))
    return found


def _said(text: str, names: dict[str, list[tuple[tuple[str, ...], Person]]]) -> set[str]:
    """The ids of those whose names a text says."""
    if not names:
        return set()
    read = text_words(text)
    words = [plain_key(word.key) for word in read.words]
    small = read.case is TextCase.MIXED
    found: set[str] = set()
    for place, (word, at) in enumerate(zip(words, read.words, strict=True)):
        if small and at.case is Case.SMALL:
            continue
        for name, person in names.get(word, ()):
            if tuple(words[place : place + len(name)]) == name:
                found.add(person.id)
    return found
