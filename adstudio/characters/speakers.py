"""Who speaks each cue, by a cascade (paper, appendix “Dialogue Speaker Identification”).

What is known goes first: the describer's word and the subtitles' labels, then the screenplay, then a language model.
Voices, or another program's diarisation, carry those names to cues without one. What remains is unknown, but where the
cast leaves only one possibility. Names of the describer and of labels are never changed, so a correction teaches: the
next run carries it to the cues of the same voice.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from adstudio.characters.voice_embeddings import clusters
from adstudio.characters.voices import Voices
from adstudio.characters.word_times import spoken
from adstudio.core.cast import People, SpeakerSource, name_key, people_by_name
from adstudio.core.script import Cue
from adstudio.core.timebase import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAME_VOICE = 0.40
"""Cosine distance below which voices are one person's (average linkage): in the sample film, four of purity 0.96."""
LEAST = 500
"""A name is given from this confidence (thousandths) on; below it, who speaks is unknown."""
FROM_SCREENPLAY = 900
FROM_MODEL = 820
"""The paper's precision of names that a model read in subtitles: 82.2 %."""
FROM_PROGRAM = 800
FROM_CAST = 600
_ALIKE, _MARGIN = 500, 2_500
"""A voice as near to two people has a confidence of 0.5; a margin of 0.2 in cosine distance makes it sure."""
LEAST_SHARE = (3, 5)
"""Of all that turns cover of a cue, its speaker's cover three fifths at least: half as much again as another's."""
_STRANGER = 0.45
"""The distance at which somebody is supposed who has not been named yet."""
CERTAIN_SOURCES = (None, SpeakerSource.LABEL, SpeakerSource.DESCRIBER)
"""Whose names are never changed; None: they came with the subtitles, or from an older project."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A stretch of speech by one voice (ms), as another program tells voices apart; `speaker` is its tag or a name."""

    span: Span
    speaker: str
    named: bool = False
    """Whether the tag is a person's name, not a number that the program counts voices by."""


@dataclass(frozen=True, slots=True)
class NamedCue:
    """Who speaks a cue, how that is known, and how sure (thousandths; None for a person's word)."""

    cue: str
    speaker: str
    source: SpeakerSource | None
    confidence: int | None = None


@dataclass(frozen=True)
class CuesByTurns:
    """Which cues are whose, by the turns of another program; their ids, in order.

    Attributes:
        by_tag: the cues of each of its voices, by its tag.
        shared: those covered by turns of several voices about alike, so that they are nobody's.
    """

    by_tag: Mapping[str, Sequence[str]]
    shared: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """What is known beside the cues themselves: names by the id of their cue, voices, and another program's turns.

    Where there are turns, they are used in place of the voices.
    """

    screenplay: Mapping[str, str]
    model: Mapping[str, str]
    voices: Voices
    turns: tuple[Turn, ...] = ()


def name_speakers(cues: Sequence[Cue], people: People, evidence: Evidence) -> tuple[NamedCue, ...]:
    """Who speaks each spoken cue, in order; cues of which nobody can say it are left out."""
    said = [cue for cue in cues if spoken(cue)]
    known = people_by_name(people)

    def resolved(name: str) -> str:
        person = known.get(name_key(name))
        return name.strip() if person is None else person.name

    named: dict[str, NamedCue] = {}
    for cue in said:
        if cue.speaker and cue.speaker_source in CERTAIN_SOURCES:
            named[cue.id] = NamedCue(cue.id, resolved(cue.speaker), cue.speaker_source)
        elif evidence.screenplay.get(cue.id, "").strip():
            name = resolved(evidence.screenplay[cue.id])
            named[cue.id] = NamedCue(cue.id, name, SpeakerSource.SCREENPLAY, FROM_SCREENPLAY)
        elif by_model := evidence.model.get(cue.id, "").strip() or _named_by_model(cue):
            named[cue.id] = NamedCue(cue.id, resolved(by_model), SpeakerSource.MODEL, FROM_MODEL)
    groups = _groups(said, evidence)
    carried = (
        list(_by_turns(groups, named, {turn.speaker: resolved(turn.speaker) for turn in evidence.turns if turn.named}))
        if evidence.turns
        else list(_by_voices(groups, named, evidence.voices))
    )
    named.update((each.cue, each) for each in carried)
    named.update((each.cue, each) for each in _by_cast(groups, named, people))
    return tuple(named[cue.id] for cue in said if cue.id in named)


def known_from_screenplay(cues: Sequence[Cue]) -> dict[str, str]:
    """The names that cues have from a screenplay, by the id of the cue."""
    known = (cue for cue in cues if cue.speaker_source is SpeakerSource.SCREENPLAY)
    return {cue.id: cue.speaker for cue in known if cue.speaker}


def unnamed_cues(cues: Sequence[Cue], screenplay: Mapping[str, str]) -> tuple[Cue, ...]:
    """The spoken cues that a model may be asked about: neither labels, the describer nor the screenplay name them."""
    return tuple(
        cue
        for cue in cues
        if spoken(cue)
        and not (cue.speaker and cue.speaker_source in CERTAIN_SOURCES)
        and not screenplay.get(cue.id, "").strip()
    )


def _named_by_model(cue: Cue) -> str:
    """The name that a model gave a cue in an earlier run; it need not be asked again."""
    return (cue.speaker or "") if cue.speaker_source is SpeakerSource.MODEL else ""


def _groups(cues: Sequence[Cue], evidence: Evidence) -> Mapping[str, Sequence[str]]:
    """The cues of each voice, by its number or by another program's tag for it."""
    if evidence.turns:
        return cues_by_turns(cues, evidence.turns).by_tag
    groups: dict[str, list[str]] = defaultdict(list)
    voiced = [cue.id for cue in cues if cue.id in evidence.voices]
    for name, number in zip(voiced, clusters([evidence.voices[name] for name in voiced], SAME_VOICE), strict=True):
        groups[str(number)].append(name)
    return groups


def cues_by_turns(cues: Sequence[Cue], turns: Sequence[Turn]) -> CuesByTurns:
    """Whose turns cover most of each spoken cue, if they cover a fifth of it, and clearly more than others do."""
    turns = sorted(turns, key=lambda turn: turn.span)
    starts = [turn.span.start for turn in turns]
    ends = list(accumulate((turn.span.end for turn in turns), max))
    groups: dict[str, list[str]] = defaultdict(list)
    shared: list[str] = []
    part, whole = LEAST_SHARE
    for cue in filter(spoken, cues):
        covered = _covered(cue, turns[bisect_right(ends, cue.start) : bisect_left(starts, cue.end)])
        tag, most = max(covered.items(), key=lambda each: each[1], default=("", 0))
        if 5 * most < cue.end - cue.start:
            continue
        if whole * most >= part * sum(covered.values()):
            groups[tag].append(cue.id)
        else:
            shared.append(cue.id)
    return CuesByTurns(groups, tuple(shared))


def _covered(cue: Cue, turns: Sequence[Turn]) -> dict[str, int]:
    """How much of a cue (ms) each voice's turns cover, in order of time; where turns of one overlap, once."""
    covered: dict[str, int] = defaultdict(int)
    until: dict[str, int] = {}
    for turn in turns:
        start, end = max(turn.span.start, until.get(turn.speaker, cue.start)), min(turn.span.end, cue.end)
        if start < end:
            covered[turn.speaker] += end - start
            until[turn.speaker] = end
    return covered


def _votes(members: Sequence[str], named: Mapping[str, NamedCue]) -> Counter[str]:
    """How much speaks for each name in a group, in thousandths of a cue."""
    votes: Counter[str] = Counter()
    for each in members:
        if each in named:
            votes[named[each].speaker] += 1000 if named[each].confidence is None else named[each].confidence or 0
    return votes


def _by_turns(
    groups: Mapping[str, Sequence[str]], named: Mapping[str, NamedCue], names: Mapping[str, str]
) -> Iterator[NamedCue]:
    """The name with most votes for each of another program's voices, for all its cues; a tie is unknown.

    A voice without any has the name that its program gave it, if that is one (`names`, by its tag).
    """
    for tag, members in groups.items():
        votes = _votes(members, named) or Counter({names[tag]: FROM_PROGRAM} if tag in names else {})
        if not votes:
            continue
        (name, most), *others = votes.most_common(2)
        confidence = most * 1000 // sum(votes.values()) if len(votes) > 1 else min(most, 1000)
        if confidence < LEAST or (others and others[0][1] == most):
            continue
        for each in members:
            if each not in named:
                yield NamedCue(each, name, SpeakerSource.DIARISATION, confidence)


def _by_voices(
    groups: Mapping[str, Sequence[str]], named: Mapping[str, NamedCue], voices: Voices
) -> Iterator[NamedCue]:
    """Each voice's nearest named person, among those of its group where it has any."""
    people = _centres(named, voices)
    if not people:
        return
    for members in groups.values():
        votes = _votes(members, named)
        total = sum(votes.values())
        for each in members:
            if each in named:
                continue
            distances = {name: 1 - float(voices[each] @ centre) for name, centre in people.items()}
            within = {name: distances[name] for name in votes} or distances
            name = min(within, key=lambda other: (within[other], other))
            others = min((distance for other, distance in distances.items() if other != name), default=_STRANGER)
            margin = min(others, _STRANGER) - within[name]
            confidence = min(max(round(_ALIKE + _MARGIN * margin), 0), 1000)
            if total:
                confidence = (confidence + 1000 * votes[name] // total) // 2
            if confidence >= LEAST:
                yield NamedCue(each, name, SpeakerSource.VOICE, confidence)


def _centres(named: Mapping[str, NamedCue], voices: Voices) -> dict[str, NDArray[np.float32]]:
    import numpy as np

    of_name: dict[str, list[NDArray[np.float32]]] = defaultdict(list)
    for each in named.values():
        if each.cue in voices:
            of_name[each.speaker].append(voices[each.cue])
    sums = {name: np.sum(found, axis=0) for name, found in of_name.items()}
    return {name: total / max(float(np.linalg.norm(total)), 1e-9) for name, total in sums.items()}


def _by_cast(groups: Mapping[str, Sequence[str]], named: Mapping[str, NamedCue], people: People) -> Iterator[NamedCue]:
    """Where one person of the cast has no cue and one voice has no name, it is that person's."""
    speaking = {name_key(each.speaker) for each in named.values()}
    silent = [person for person in people if name_key(person.name) not in speaking]
    nameless = [members for members in groups.values() if not any(each in named for each in members)]
    if len(silent) == 1 and len(nameless) == 1 and speaking:
        for each in nameless[0]:
            yield NamedCue(each, silent[0].name, SpeakerSource.CAST, FROM_CAST)
