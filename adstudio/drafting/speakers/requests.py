"""Asking a model who speaks cues that nobody else names, by the dialogue around them.

As in the paper (appendix “Dialogue Speaker Identification”, SDH extraction prompt) with half a minute of context on
either side, and several cues a request. Only names of the cast are answers; everything else is no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adstudio.core.cast import People, Person, name_key, people_by_name
from adstudio.core.script import Cue, CueKind
from adstudio.drafting.model.answers import read_answer
from adstudio.drafting.model.context import LONGEST_CUE, LONGEST_NAME, block, plain
from adstudio.drafting.model.prompts import fixed_prompt
from adstudio.drafting.model.response_schema import closed, one_of_each, spelled
from adstudio.llm.messages import Limits, Request, scene_key, user

CONTEXT_MS = 30_000
"""How far around the cues that are asked for dialogue is shown (paper)."""
AT_ONCE = 20
"""Cues asked for in one request."""
LONGEST_PART_MS = 120_000
"""How far from the first to the last of them."""
MOST_SHOWN = 120
"""Cues shown in one request, at most."""
MOST_LISTED = 60
"""Names that the form of the answer lists; of a larger cast they are only checked."""
CUE_TOKENS = 40
UNKNOWN = "unknown"


@dataclass(frozen=True)
class SpeakerPart:
    """Cues that are asked for together, with those around them, in order of time."""

    asked: tuple[Cue, ...]
    shown: tuple[Cue, ...]


def parts_of(cues: Sequence[Cue], asked: Sequence[Cue]) -> Iterator[SpeakerPart]:
    """The parts of the dialogue in which the cues `asked` are asked for."""
    ordered = sorted(asked, key=lambda cue: (cue.start, cue.end))
    group: list[Cue] = []
    for cue in ordered:
        if group and (len(group) == AT_ONCE or cue.start - group[0].start > LONGEST_PART_MS):
            yield _part(cues, group)
            group = []
        group.append(cue)
    if group:
        yield _part(cues, group)


def _part(cues: Sequence[Cue], group: Sequence[Cue]) -> SpeakerPart:
    first, last = group[0].start - CONTEXT_MS, max(cue.end for cue in group) + CONTEXT_MS
    near = sorted((cue for cue in cues if cue.end > first and cue.start < last), key=lambda cue: cue.start)
    if len(near) > MOST_SHOWN:
        wanted = {cue.id for cue in group}
        spare = iter(range(MOST_SHOWN - len(group)))
        near = [cue for cue in near if cue.id in wanted or next(spare, None) is not None]
    return SpeakerPart(tuple(group), tuple(near))


def speakers_request(part: SpeakerPart, people: People, known: Mapping[str, str], *, bound: bool) -> Request:
    """The request for who speaks the cues of a part.

    `known` are names by the id of their cue. `bound`: the server enforces the JSON schema.
    """
    names = _ids(part)
    start = max(min(cue.start for cue in part.shown), 0)
    listed = block("CAST", [_person(person) for person in people])
    said = block("DIALOGUE", [_cue(cue, names.get(cue.id, ""), known.get(cue.id, ""), start) for cue in part.shown])
    schema = _schema(list(names.values()), people)
    form = "" if bound else f"\n\n{spelled(schema)}"
    return Request(
        messages=(user(f"{listed}\n\n{said}\n\n{fixed_prompt('speakers').text}{form}"),),
        system=fixed_prompt("system").text,
        schema=schema,
        limits=Limits.of_answer(2 * CUE_TOKENS * len(names) + 500),
        temperature=0.0,
        scene=scene_key(f"speakers {said}"),
    )


def read_speakers(text: str, part: SpeakerPart, people: People) -> dict[str, str]:
    """Who speaks the cues of a part, by the id of the cue: names of the cast, whatever else the answer says."""
    cue_of = {name: cue for cue, name in _ids(part).items()}
    # As the request spells them, and as the cast has them.
    known = {name_key(plain(person.name, LONGEST_NAME)): person for person in people} | people_by_name(people)
    found: dict[str, str] = {}
    seen: set[str] = set()
    for element in read_answer(text):
        name, speaker = element.get("id"), element.get("speaker")
        if not isinstance(name, str) or name not in cue_of or name in seen or not isinstance(speaker, str):
            continue
        seen.add(name)
        person = known.get(name_key(speaker[:LONGEST_NAME]))
        if person is not None:
            found[cue_of[name]] = person.name
    return found


def is_answer(text: str, part: SpeakerPart) -> bool:
    """Whether an answer says anything of any cue that was asked for, be it that nobody knows."""
    names = set(_ids(part).values())
    return any(element.get("id") in names and "speaker" in element for element in read_answer(text))


def _ids(part: SpeakerPart) -> dict[str, str]:
    """What each cue is called in the request, by its id."""
    return {cue.id: f"c{number:02d}" for number, cue in enumerate(part.asked, 1)}


def _person(person: Person) -> str:
    others = ", ".join(plain(alias, LONGEST_NAME) for alias in person.aliases)
    more = "; ".join(filter(None, (f"also {others}" if others else "", plain(person.described_as, LONGEST_NAME))))
    return plain(person.name, LONGEST_NAME) + (f" ({more})" if more else "")


def _cue(cue: Cue, name: str, speaker: str, start: int) -> str:
    at = f"{max(cue.start - start, 0) / 1000:.1f}–{max(cue.end - start, 0) / 1000:.1f}"
    text = plain(cue.text, LONGEST_CUE)
    if cue.kind in (CueKind.SOUND, CueKind.MUSIC):
        return f"– {at} ({text})"
    return f"{name or '–'} {at} {f'{plain(speaker, LONGEST_NAME)}: ' if speaker else ''}{text}"


def _schema(names: Sequence[str], people: People) -> dict[str, Any]:
    cast = [UNKNOWN, *dict.fromkeys(plain(person.name, LONGEST_NAME) for person in people)]
    speaker: dict[str, Any] = {"type": "string"}
    speaker |= {"enum": cast} if len(cast) <= MOST_LISTED else {"maxLength": LONGEST_NAME}
    return one_of_each(
        "speakers", [closed({"id": {"type": "string", "enum": [each]}, "speaker": speaker}) for each in names]
    )
