"""The lines of each scene worded as a describer says them, and which of them can be said in one breath."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from adstudio.drafting.text.filmable import unseen
from adstudio.drafting.text.language.grammar import LONGEST_TEXT, Sentence, parsed, word_count
from adstudio.drafting.text.language.people import Gender
from adstudio.drafting.text.line_faults import (
    ENGLISH,
    NO_CONTEXT,
    LineFault,
    faults_of_lines,
    speaks_of_narrator,
    speaks_of_viewers,
)
from adstudio.drafting.text.segment.elements import Element
from adstudio.drafting.text.segment.sentence_kind import SentenceKind
from adstudio.drafting.text.wording.fusing import (
    LONGEST_BREATH,
    Fused,
    Half,
    about_one_person,
    chains,
    fused_pair,
    half_of,
)
from adstudio.drafting.text.wording.mentions import genders_of
from adstudio.drafting.text.wording.openings import opening_line, place_of, with_place
from adstudio.drafting.text.wording.references import Reference, names_its_own, references, says_no_subject
from adstudio.drafting.text.wording.repairs import in_the_present, repaired
from adstudio.drafting.text.wording.spoken_between import Said, said_before
from adstudio.drafting.text.wording.things import things
from adstudio.drafting.text.wording_certainty import LEAST_CERTAIN, Judged, certainty

_UNSAYABLE = {
    LineFault.VIEWER: SentenceKind.PRODUCTION,
    LineFault.CAMERA: SentenceKind.PRODUCTION,
    LineFault.PRODUCTION: SentenceKind.PRODUCTION,
    LineFault.UNFILMABLE: SentenceKind.UNFILMABLE,
    LineFault.SOUND: SentenceKind.SOUND,
    LineFault.NEGATION: SentenceKind.NEGATION,
    LineFault.TORN: SentenceKind.TORN,
    LineFault.SUBJECT: SentenceKind.TORN,
    LineFault.TENSE: SentenceKind.TORN,
}
"""What a line is that still has a fault after it was repaired, by the graver faults first."""
PAST_SHARE = 0.3
"""The share of lines in the past from which a text counts as told in it."""
_IN_BREATHS = frozenset({SentenceKind.SEEN, SentenceKind.SOUND, SentenceKind.UNNAMED})
"""What is said as its sentence has it: there a sound has its place, and a pronoun its person."""
_CLOSING = "”’\"'»)]"


@dataclass(frozen=True)
class SceneLines:
    """The elements of a scene in textual order, each with the number of its paragraph, and the scene's heading.

    `fixed` are the numbers of elements that people worded as lines: they stay as they are. `speakers` has for each
    element whose speech it follows, and `dialogue` what is said right before it, "" where it follows none; both are
    empty where nothing is known.
    """

    elements: tuple[Element, ...]
    paragraphs: tuple[int, ...]
    fixed: frozenset[int] = frozenset()
    heading: str = ""
    speakers: tuple[str, ...] = ()
    dialogue: tuple[str, ...] = ()


@dataclass(frozen=True)
class Worded:
    """The elements of a scene as they are said, and the breaths that some of them can share."""

    elements: tuple[Element, ...]
    fused: tuple[Fused, ...] = ()


def worded_scenes(
    scenes: Sequence[SceneLines], *, language: str = ENGLISH, names: Collection[str] = ()
) -> tuple[Worded, ...]:
    """Each scene with its lines reworded; in a language other than English as it is, but for what says “I”.

    Raises:
        OutsideFailureError: for English, if the parser or its model is not installed.
    """
    if language.lower().split("-")[0] != ENGLISH:
        return tuple(Worded(_without_narrator(scene, language)) for scene in scenes)
    judged = _judged(_in_the_present([_repaired(scene) for scene in scenes]))
    texts = [[element.text for element in scene.elements] for scene in judged]
    said = said_before(texts, [scene.dialogue for scene in judged], frozenset(names))
    grammar = _grammar(text for each in texts for text in each)
    in_order = [[grammar[text] for text in each] for each in texts]
    genders = genders_of([line for lines in in_order for line in lines], frozenset(names))
    straight = any("'s" in element.text for scene in judged for element in scene.elements)
    possessive = "'s" if straight else "’s"
    known = frozenset(names)
    places = [place_of(scene.heading, known) for scene in judged]
    named = tuple(
        _named(scene, lines, found, between, possessive)
        for scene, lines, found, between in zip(
            judged, in_order, _meant(judged, in_order, said, genders, known), said, strict=True
        )
    )
    named = _objects_named(judged, named, said, genders, known)
    unnamed = _unnamed(judged, named, known)
    judged = _uncertain(judged, named)
    return tuple(
        _worded(scene, halves, lost, place if place != before else "", known, genders)
        for scene, halves, lost, before, place in zip(judged, named, unnamed, ["", *places], places, strict=False)
    )


def _without_narrator(scene: SceneLines, language: str) -> tuple[Element, ...]:
    return tuple(
        replace(element, kind=SentenceKind.PRODUCTION)
        if element.kind is SentenceKind.SEEN
        and number not in scene.fixed
        and speaks_of_narrator(element.text, language)
        else element
        for number, element in enumerate(scene.elements)
    )


def _meant(
    scenes: Sequence[SceneLines],
    in_order: Sequence[Sequence[tuple[Sentence, ...]]],
    said: Sequence[Sequence[Said]],
    genders: Mapping[str, Gender],
    names: Collection[str],
) -> list[tuple[Reference | None, ...]]:
    """The references of each scene; what has no heading goes on with the people of what precedes it."""
    runs: list[list[int]] = []
    for number, scene in enumerate(scenes):
        if runs and not scene.heading:
            runs[-1].append(number)
        else:
            runs.append([number])
    found: list[tuple[Reference | None, ...]] = []
    for run in runs:
        lines = [line for number in run for line in in_order[number]]
        speakers = [speaker for number in run for speaker in (scenes[number].speakers or ("",) * len(in_order[number]))]
        between = [each for number in run for each in said[number]]
        together = iter(references(lines, genders, names, speakers, between))
        found += [tuple(islice(together, len(in_order[number]))) for number in run]
    return found


def _repaired(scene: SceneLines) -> SceneLines:
    elements = tuple(
        element
        if number in scene.fixed or element.kind is not SentenceKind.SEEN
        else _with_text(element, repaired(element.text))
        for number, element in enumerate(scene.elements)
    )
    return replace(scene, elements=elements)


def _with_text(element: Element, text: str) -> Element:
    """The element with another wording, and its breaths too where they begin with the old one."""
    if text == element.text:
        return element
    old = element.text.rstrip(".")
    breaths = tuple(
        (count, text.rstrip(".") + said.removeprefix(old)) for count, said in element.breaths if said.startswith(old)
    )
    return replace(element, text=text, breaths=breaths)


def _in_the_present(scenes: Sequence[SceneLines]) -> list[SceneLines]:
    """The scenes with what a text in the past tense tells in the present.

    In a text in the present the past is what happened before (He was the first to land here): that stays as it is.
    """
    faults = _faults(scenes)
    if sum(LineFault.TENSE in each for found in faults for each in found) < PAST_SHARE * sum(map(len, faults)):
        return list(scenes)
    past = [
        [LineFault.TENSE in each and number not in scene.fixed for number, each in enumerate(found)]
        for scene, found in zip(scenes, faults, strict=True)
    ]
    grammar = _grammar(
        element.text
        for scene, which in zip(scenes, past, strict=True)
        for element, old in zip(scene.elements, which, strict=True)
        if old
    )

    def present(element: Element) -> Element:
        found = grammar[element.text]
        return _with_text(element, in_the_present(element.text, found[0])) if len(found) == 1 else element

    return [
        replace(
            scene,
            elements=tuple(
                present(element) if old else element for element, old in zip(scene.elements, which, strict=True)
            ),
        )
        for scene, which in zip(scenes, past, strict=True)
    ]


def _judged(scenes: Sequence[SceneLines]) -> list[SceneLines]:
    """The scenes with the kind of each element by the faults that it has."""
    return [
        replace(
            scene,
            elements=tuple(
                element
                if number in scene.fixed or element.kind is not SentenceKind.SEEN
                else replace(element, kind=_kind(each))
                for number, (element, each) in enumerate(zip(scene.elements, found, strict=True))
            ),
        )
        for scene, found in zip(scenes, _faults(scenes), strict=True)
    ]


def _kind(faults: Collection[LineFault]) -> SentenceKind:
    return next((kind for fault, kind in _UNSAYABLE.items() if fault in faults), SentenceKind.SEEN)


def _faults(scenes: Sequence[SceneLines]) -> list[tuple[tuple[LineFault, ...], ...]]:
    found = iter(faults_of_lines([(element.text, NO_CONTEXT) for scene in scenes for element in scene.elements]))
    return [tuple(next(found) for _ in scene.elements) for scene in scenes]


def _grammar(texts: Iterable[str]) -> dict[str, tuple[Sentence, ...]]:
    wanted = list(dict.fromkeys(texts))
    return dict(zip(wanted, parsed([text[:LONGEST_TEXT] for text in wanted]), strict=True))


def _named(
    scene: SceneLines,
    lines: Sequence[tuple[Sentence, ...]],
    found: Sequence[Reference | None],
    said: Sequence[Said],
    possessive: str,
) -> list[Half]:
    meant = things(lines, said, _in_one_sentence(scene))
    return [
        half_of(element.text, line, None, None, possessive)
        if number in scene.fixed
        else half_of(element.text, line, found[number], meant[number], possessive)
        for number, (element, line) in enumerate(zip(scene.elements, lines, strict=True))
    ]


def _in_one_sentence(scene: SceneLines) -> list[bool]:
    """Of each line, whether the source says it in one sentence with the line before it."""
    paragraphs = [-1, *scene.paragraphs]
    before = ["", *(element.extract.rstrip().rstrip(_CLOSING) for element in scene.elements)]
    return [
        one == other and not text.endswith((".", "!", "?", "…"))
        for one, other, text in zip(paragraphs, scene.paragraphs, before, strict=False)
    ]


def _goes_on(element: Element, half: Half) -> bool:
    """Whether a line is what “and” or “then” adds to a sentence before it, without its subject: (and) presses start."""
    added = element.extract.lower().startswith(("and ", "but ", "then ")) and element.extract[:1].islower()
    return added and not element.complete and half.own == half.text


def _objects_named(
    scenes: Sequence[SceneLines],
    named: Sequence[Sequence[Half]],
    said: Sequence[Sequence[Said]],
    genders: Mapping[str, Gender],
    names: Collection[str],
) -> tuple[list[Half], ...]:
    """The lines with the names of those to whom their subjects do something: Tom looks up at her → … at Nora."""
    grammar = _grammar(half.own for halves in named for half in halves)
    lines = [[grammar[half.own] for half in halves] for halves in named]
    found: list[list[Half]] = []
    for scene, halves, references_found in zip(scenes, named, _meant(scenes, lines, said, genders, names), strict=True):
        found.append(
            [
                replace(half, own=reference.named(half.own, ""))
                if number not in scene.fixed
                and reference is not None
                and half.own[reference.start : reference.end] in ("him", "her")
                and not reference.possessive
                else half
                for number, (half, reference) in enumerate(zip(halves, references_found, strict=True))
            ]
        )
    return tuple(found)


def _unnamed(scenes: Sequence[SceneLines], named: Sequence[Sequence[Half]], names: Collection[str]) -> list[list[bool]]:
    """Of each line, whether by itself it does not say whom it is about, or is no more than a name."""
    faults = iter(faults_of_lines([(half.own, NO_CONTEXT) for halves in named for half in halves]))
    return [
        [
            number not in scene.fixed
            and (
                (LineFault.PRONOUN in found and not names_its_own(half.sentences, names))
                or _goes_on(element, half)
                or half.own.rstrip(".!") in names
                or (half.own.split()[:1] == half.text.split()[:1] and says_no_subject(half.sentences))
            )
            for number, (element, half, found) in enumerate(zip(scene.elements, halves, faults, strict=False))
        ]
        for scene, halves in zip(scenes, named, strict=True)
    ]


def _uncertain(scenes: Sequence[SceneLines], named: Sequence[Sequence[Half]]) -> list[SceneLines]:
    """The scenes with the lines marked of which it is not sure enough that they can be said as they are worded."""
    texts = [half.own for halves in named for half in halves]
    grammar = _grammar(texts)
    likeness = iter(unseen(texts))
    return [
        replace(
            scene,
            elements=tuple(
                replace(element, kind=SentenceKind.UNCERTAIN)
                if element.kind is SentenceKind.SEEN
                and number not in scene.fixed
                and certainty(Judged(half.own, grammar[half.own], element.complete, alike)) < LEAST_CERTAIN
                else element
                for number, (element, half, alike) in enumerate(zip(scene.elements, halves, likeness, strict=False))
            ),
        )
        for scene, halves in zip(scenes, named, strict=True)
    ]


def _worded(
    scene: SceneLines,
    halves: Sequence[Half],
    unnamed: Sequence[bool],
    place: str,
    names: Collection[str],
    genders: Mapping[str, Gender],
) -> Worded:
    elements = [
        replace(
            _with_text(element, half.own),
            kind=SentenceKind.UNNAMED
            if element.kind in (SentenceKind.SEEN, SentenceKind.UNCERTAIN)
            and (lost or (number not in scene.fixed and half.lacks_a_thing))
            else element.kind,
        )
        for number, (element, half, lost) in enumerate(zip(scene.elements, halves, unnamed, strict=True))
    ]
    breaths = _breaths(scene, elements, halves, genders)
    opens = opening_line(elements, place)
    if opens is not None and opens not in scene.fixed:
        old = elements[opens].text
        new = with_place(old, halves[opens].sentences, place, names)
        elements[opens] = _with_text(elements[opens], new)
        breaths = [_beginning(fused, old, new) if fused.first == opens else fused for fused in breaths]
    return Worded(tuple(elements), tuple(breaths))


def _beginning(fused: Fused, old: str, new: str) -> Fused:
    """A breath that begins with another wording of its first line."""
    return replace(fused, text=new.rstrip(".") + fused.text.removeprefix(old.rstrip(".")))


def _breaths(
    scene: SceneLines, elements: Sequence[Element], halves: Sequence[Half], genders: Mapping[str, Gender]
) -> list[Fused]:
    """What the source says in one sentence, what grammar makes one, and sentences about one person, by their places."""
    said = [element.kind in _IN_BREATHS for element in elements]
    found: dict[tuple[int, int], Fused] = {}
    for first, element in enumerate(elements):
        for count, text in element.breaths if element.kind is not SentenceKind.UNNAMED else ():
            whole = all(said[first : first + count]) and not speaks_of_viewers(text)
            if whole and word_count(text) <= LONGEST_BREATH:
                found[first, count] = Fused(first, count, text)
    free = [element.kind is SentenceKind.SEEN and at not in scene.fixed for at, element in enumerate(elements)]
    pairs = [Fused(first, 2, text) for first, text in _pairs(scene, halves, free)]
    for fused in (*pairs, *chains([*pairs, *found.values()], halves)):
        found.setdefault((fused.first, fused.count), fused)
    pair = {first: fused.text for (first, count), fused in found.items() if count == 2}
    for fused in about_one_person([half.own for half in halves], free, pair, genders):
        found.setdefault((fused.first, fused.count), fused)
    return [found[key] for key in sorted(found)]


def _pairs(scene: SceneLines, halves: Sequence[Half], free: Sequence[bool]) -> list[tuple[int, str]]:
    return [
        (first, text)
        for first in range(len(halves) - 1)
        if scene.paragraphs[first] == scene.paragraphs[first + 1]
        and all(free[first : first + 2])
        and not halves[first + 1].thing_in_doubt
        and (text := fused_pair(halves[first], halves[first + 1]))
    ]
