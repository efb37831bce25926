"""The lines of each scene worded as a describer says them, and which of them can be said in one breath."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from adstudio.drafting.text.language.grammar import LONGEST_TEXT, Sentence, parsed, word_count
from adstudio.drafting.text.language.people import PROPER
from adstudio.drafting.text.line_faults import ENGLISH, NO_CONTEXT, LineFault, faults_of_lines
from adstudio.drafting.text.segment.elements import Element
from adstudio.drafting.text.segment.sentence_kind import SentenceKind
from adstudio.drafting.text.wording.fusing import LONGEST_BREATH, Fused, Half, chains, fused_pair
from adstudio.drafting.text.wording.openings import opening_line, place_of, with_place
from adstudio.drafting.text.wording.references import Reference, genders_of, is_possessive, references
from adstudio.drafting.text.wording.repairs import in_the_present, repaired

_UNSAYABLE = {
    LineFault.VIEWER: SentenceKind.PRODUCTION,
    LineFault.CAMERA: SentenceKind.PRODUCTION,
    LineFault.PRODUCTION: SentenceKind.PRODUCTION,
    LineFault.UNFILMABLE: SentenceKind.UNFILMABLE,
    LineFault.SOUND: SentenceKind.SOUND,
    LineFault.NEGATION: SentenceKind.NEGATION,
}
"""What a line is that still has a fault after it was repaired, by the graver faults first."""


@dataclass(frozen=True)
class SceneLines:
    """The elements of a scene in textual order, each with the number of its paragraph, and the scene's heading.

    `fixed` are the numbers of elements that people worded as lines: they stay as they are.
    """

    elements: tuple[Element, ...]
    paragraphs: tuple[int, ...]
    fixed: frozenset[int] = frozenset()
    heading: str = ""


@dataclass(frozen=True)
class Worded:
    """The elements of a scene as they are said, and the breaths that some of them can share."""

    elements: tuple[Element, ...]
    fused: tuple[Fused, ...] = ()


@dataclass(frozen=True)
class WordedFilm:
    """All scenes as they are said, and he or she for each name of which that is known."""

    scenes: tuple[Worded, ...]
    pronouns: tuple[tuple[str, str], ...] = ()


def worded_scenes(scenes: Sequence[SceneLines], *, language: str = ENGLISH, names: Collection[str] = ()) -> WordedFilm:
    """Each scene with its lines reworded; in a language other than English as it is.

    Raises:
        OutsideFailureError: for English, if the parser or its model is not installed.
    """
    if language.lower().split("-")[0] != ENGLISH:
        return WordedFilm(tuple(Worded(scene.elements) for scene in scenes))
    judged = _judged(_in_the_present([_repaired(scene) for scene in scenes]))
    grammar = _grammar(element.text for scene in judged for element in scene.elements)
    in_order = [[grammar[element.text] for element in scene.elements] for scene in judged]
    genders = genders_of([line for lines in in_order for line in lines], frozenset(names))
    straight = any("'s" in element.text for scene in judged for element in scene.elements)
    possessive = "'s" if straight else "’s"
    known = frozenset(names)
    places = [place_of(scene.heading, known) for scene in judged]
    said = tuple(
        _worded(scene, lines, references(lines, genders, known), possessive, place if place != before else "", known)
        for scene, lines, before, place in zip(judged, in_order, ["", *places], places, strict=False)
    )
    single = sorted((name, gender.value) for name, gender in genders.items() if name.isalpha())
    return WordedFilm(said, tuple(single))


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
    faults = _faults(scenes)
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


def _worded(
    scene: SceneLines,
    lines: Sequence[tuple[Sentence, ...]],
    found: Sequence[Reference | None],
    possessive: str,
    place: str,
    names: Collection[str],
) -> Worded:
    halves = [
        _half(element, line, None if number in scene.fixed else reference, possessive)
        for number, (element, line, reference) in enumerate(zip(scene.elements, lines, found, strict=True))
    ]
    opens = opening_line(scene.elements, place)
    if opens is not None and opens not in scene.fixed:
        halves[opens] = replace(halves[opens], own=with_place(halves[opens].own, lines[opens], place, names))
    elements = tuple(_with_text(element, half.own) for element, half in zip(scene.elements, halves, strict=True))
    said = [element.kind in (SentenceKind.SEEN, SentenceKind.SOUND) for element in elements]
    breaths: dict[tuple[int, int], Fused] = {}
    for first, element in enumerate(elements):
        for count, text in element.breaths:
            if all(said[first : first + count]) and word_count(text) <= LONGEST_BREATH:
                breaths[first, count] = Fused(first, count, text)
    pairs = [Fused(first, 2, text) for first, text in _pairs(scene, halves, said)]
    for pair in (*pairs, *chains([*pairs, *breaths.values()], halves)):
        breaths.setdefault((pair.first, pair.count), pair)
    return Worded(elements, tuple(breaths[key] for key in sorted(breaths)))


def _pairs(scene: SceneLines, halves: Sequence[Half], said: Sequence[bool]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for first in range(len(halves) - 1):
        near = scene.paragraphs[first] == scene.paragraphs[first + 1]
        free = first not in scene.fixed and first + 1 not in scene.fixed
        if near and free and said[first] and said[first + 1]:
            text = fused_pair(halves[first], halves[first + 1])
            if text:
                found.append((first, text))
    return found


def _half(element: Element, line: tuple[Sentence, ...], reference: Reference | None, possessive: str) -> Half:
    if reference is not None:
        own = reference.named(element.text, possessive if is_possessive(line) else "")
        return Half(own, element.text, line, reference.name)
    return Half(element.text, element.text, line, _subject_name(line))


def _subject_name(line: tuple[Sentence, ...]) -> str:
    """The name that a line begins with, or that is the subject of its verb; "" where there is none."""
    if len(line) != 1:
        return ""
    words = line[0].words
    if words[0].tag in PROPER:
        return words[0].text
    subjects = [word for word in words if word.dep == "nsubj" and words[word.head].dep == "ROOT"]
    return subjects[0].text if len(subjects) == 1 and subjects[0].tag in PROPER else ""
