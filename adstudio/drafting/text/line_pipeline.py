"""From chapters to lines: segmented, grounded, compressed, weighed. Each stage reports progress and is cached."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise
from typing import TYPE_CHECKING

from adstudio.core.errors import Oddity
from adstudio.core.progress import OnProgress, Progress, Stage
from adstudio.core.script import SALIENCE_UNIT, Cue, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.candidates_file.findings import shown
from adstudio.drafting.text.chapters import Chapter, Paragraph
from adstudio.drafting.text.ground.evidence import Grounding, Passage, Seen
from adstudio.drafting.text.ground.ground import ground
from adstudio.drafting.text.segment.sentence_kind import SentenceKind
from adstudio.drafting.text.stage_cache import cached
from adstudio.drafting.text.stages import Stages

if TYPE_CHECKING:
    from adstudio.drafting.text.segment.elements import Element
    from adstudio.drafting.text.wording.fusing import Fused

UNSURE = 500
"""Thousandths of time confidence below which a line counts as uncertain: it is more likely wrong than right."""

NEARLY_ALL = 0.9
"""The share of uncertain or unplaced lines from which listing them one by one no longer helps."""
LEAST_LINES = 5
PLACES = 1_000
"""Salience is rounded to a thousandth: no estimate is finer, and a describer reads and corrects it."""

DOUBTFUL = frozenset({SentenceKind.TORN, SentenceKind.UNNAMED, SentenceKind.UNCERTAIN})
"""What may be no line by itself: what breaks off, does not say whom it is about, or may be worded wrongly."""
WEIGHTLESS = DOUBTFUL | {SentenceKind.SOUND, SentenceKind.NEGATION}
"""What a plan leaves out: what is doubtful, a sound, which the audience of most films hears, and what does not happen.
It stays an item that a describer can raise."""
UNSAID = frozenset({SentenceKind.PRODUCTION, SentenceKind.UNFILMABLE})
LONGEST_BREATH_MS = 15_000
"""From the beginning of the first occurrence to the end of the last, for lines that are said in one breath."""

Placing = Callable[[Sequence[tuple[Paragraph, "Element"]]], Sequence[Grounding]]
"""Gives the grounding of each element of the film, in order: for texts that no dialogue divides into passages."""


@dataclass(frozen=True)
class Line:
    """An element of a chapter (by its number) with its wordings, grounding and salience."""

    chapter: int
    paragraph: Paragraph
    extract: str
    variants: tuple[Variant, ...]
    grounding: Grounding
    salience: int


@dataclass(frozen=True)
class Breath:
    """`count` lines from number `first` said as one, with the wordings of that."""

    first: int
    count: int
    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class LeftOut:
    """What became no line, or one without salience: the words of the text, and on which line of it they are."""

    text: str
    line: int | None = None


@dataclass(frozen=True)
class DraftedLines:
    """The lines of all chapters in textual order, the breaths that some can share, and what became no line.

    `directions` sentences only give production directions, `unfilmable` ones say what no picture can show. `doubtful`
    lines have no salience, because they may not be said as they are worded.
    """

    lines: tuple[Line, ...]
    breaths: tuple[Breath, ...] = ()
    directions: tuple[LeftOut, ...] = ()
    unfilmable: tuple[LeftOut, ...] = ()
    doubtful: tuple[LeftOut, ...] = ()


def draft_lines(
    chapters: Sequence[Chapter],
    seen: Seen,
    language: str,
    names: Sequence[str],
    stages: Stages,
    progress: OnProgress,
    placing: Placing | None = None,
    cues: Sequence[Cue] = (),
) -> DraftedLines:
    """The lines of all chapters. Those of `WEIGHTLESS` kinds have no salience.

    Raises:
        OutsideFailureError: if a component that a stage needs is not installed.
    """
    from adstudio.drafting.text.compress.film_colours import mentions_colour

    cut_chapters = list(_cut(chapters, language, names, stages, progress))
    everything, fused = _worded(chapters, cut_chapters, language, names, stages)
    cut = [[pair for pair in pairs if pair[1].kind not in UNSAID] for pairs in everything]
    flat = [(number, *pair) for number, pairs in enumerate(cut) for pair in pairs]
    progress(Progress(Stage.GROUNDING, 0.0))
    pairs = [(paragraph, element) for _, paragraph, element in flat]
    if placing is not None:
        groundings = list(placing(pairs))
    else:
        passages = [Passage((e.text,), p.after, p.before, p.sure) for p, e in pairs]
        groundings = [grounding for found in ground(passages, seen) for grounding in found]
    texts = [[element.text for _, element in pairs] for pairs in cut]
    film = [text for each in texts for text in each if mentions_colour(text)]
    said = [[each.text for each in breaths] for breaths in fused]
    variants: list[tuple[Variant, ...]] = []
    of_breaths: list[tuple[Variant, ...]] = []
    both = [[*one, *other] for one, other in zip(texts, said, strict=True)]
    for one, found in zip(texts, _shortened(both, film, language, names, stages, progress), strict=True):
        variants += found[: len(one)]
        of_breaths += found[len(one) :]
    kinds = [element.kind for _, _, element in flat]
    weights = [
        0.0 if what in WEIGHTLESS and weight > 0 else weight
        for what, weight in zip(kinds, _weighed(cut, groundings, cues, language, stages, progress), strict=True)
    ]
    lines = tuple(
        Line(number, paragraph, element.extract, wordings, grounding, round(weight * PLACES) * SALIENCE_UNIT // PLACES)
        for (number, paragraph, element), grounding, wordings, weight in zip(
            flat, groundings, variants, weights, strict=True
        )
    )
    starts = accumulate((len(pairs) for pairs in cut), initial=0)
    flat_breaths = [
        (start + each.first, each.count) for start, breaths in zip(starts, fused, strict=False) for each in breaths
    ]
    breaths = tuple(
        Breath(first, count, wordings)
        for (first, count), wordings in zip(flat_breaths, of_breaths, strict=True)
        if _near([line.grounding.occurrence for line in lines[first : first + count]])
    )
    directions, unfilmable, doubtful = (
        tuple(
            LeftOut(element.extract, paragraph.line)
            for pairs in everything
            for paragraph, element in pairs
            if element.kind in kinds
        )
        for kinds in ({SentenceKind.PRODUCTION}, {SentenceKind.UNFILMABLE}, DOUBTFUL)
    )
    return DraftedLines(lines, breaths, directions, unfilmable, doubtful)


def _near(occurrences: Sequence[Span | None]) -> bool:
    """Whether what happens one after the other can be said in one breath."""
    spans = [span for span in occurrences if span is not None]
    if len(spans) < len(occurrences):
        return False
    in_order = all(one.start <= other.start for one, other in pairwise(spans))
    return in_order and spans[-1].end - spans[0].start <= LONGEST_BREATH_MS


def has_footing(lines: Sequence[Line]) -> bool:
    """Whether enough of the lines are more likely to be right about their time than wrong."""
    return len(lines) < LEAST_LINES or sum(map(_is_unsure, lines)) < NEARLY_ALL * len(lines)


def _is_unsure(line: Line) -> bool:
    return line.grounding.occurrence is None or line.grounding.confidence < UNSURE


class PlacingOddity(Oddity):
    """One about the times of lines: irrelevant where the times come from elsewhere."""

    __slots__ = ()


def _quoting(what: str, left_out: Sequence[LeftOut]) -> Oddity:
    """What is odd about some words of a text, with the first of them and their line."""
    return Oddity(f"{what}: {shown(left_out[0].text)}", left_out[0].line)


def oddities_of(drafted: DraftedLines, advice: str, reported: Collection[int] = ()) -> Iterator[Oddity]:
    """What the describer should know about the lines: what was left out, which have no time, how many are uncertain.

    `advice` is a clause that says what to do if nearly all times are guesses. For the text's lines in `reported` it has
    been reported already why they have no time.
    """
    lines = drafted.lines
    if count := len(drafted.directions):
        what, speaks, them = ("1 sentence gives", "speaks", "it")
        if count > 1:
            what, speaks, them = (f"{count:,} sentences give", "speak", "them")
        yield _quoting(
            f"{what} production directions (fade in, music up) or {speaks} of “I”, “we” or “you”, so no line was "
            f"drafted from {them}",
            drafted.directions,
        )
    if count := len(drafted.unfilmable):
        what, them = ("1 sentence says", "it") if count == 1 else (f"{count:,} sentences say", "them")
        yield _quoting(f"{what} what no picture can show, so no line was drafted from {them}", drafted.unfilmable)
    if count := len(drafted.doubtful):
        what, may = ("1 line has", "it may") if count == 1 else (f"{count:,} lines have", "they may")
        yield _quoting(
            f"{what} no salience, so no plan uses {'it' if count == 1 else 'them'}: {may} be worded wrongly, or leave "
            "open whom or what is meant (give one salience to have it spoken)",
            drafted.doubtful,
        )
    lost: dict[tuple[int | None, str], list[Line]] = {}
    for line in lines:
        if line.grounding.occurrence is None and line.paragraph.line not in reported:
            lost.setdefault((line.paragraph.line, line.paragraph.text), []).append(line)
    for (number, text), those in lost.items():
        what = "this line happens, so it has" if len(those) == 1 else f"these {len(those)} lines happen, so they have"
        first = those[0].extract if len(those) == 1 else text
        yield PlacingOddity(f"nothing indicates when {what} no time: {shown(first)}", number)
    unsure = sum(line.grounding.occurrence is not None and _is_unsure(line) for line in lines)
    if not has_footing(lines):
        yield PlacingOddity(
            f"its times are mostly guesses: {sum(map(_is_unsure, lines)):,} of {len(lines):,} lines may be off by many "
            f"seconds, so the draft is barely usable: {advice}"
        )
    elif unsure:
        yield PlacingOddity(
            f"the time is uncertain for {unsure:,} of {len(lines):,} lines; they are marked: check them first"
        )


def _cut(
    chapters: Sequence[Chapter], language: str, names: Sequence[str], stages: Stages, progress: OnProgress
) -> Iterator[list[tuple[Paragraph, Element]]]:
    from adstudio.drafting.text.segment.elements import Element

    name = stages.segmenter.name
    for number, chapter in enumerate(chapters):
        progress(Progress(Stage.SEGMENTING, number / len(chapters)))
        texts = [paragraph.text for paragraph in chapter.paragraphs if not paragraph.whole]
        found = cached(
            f"segment: {name}",
            [texts, language, list(names)],
            lambda texts=texts: stages.segmenter.elements(texts, language, names),
            tuple[tuple[Element, ...], ...],
        )
        cut = iter(found)
        pairs: list[tuple[Paragraph, Element]] = []
        for paragraph in chapter.paragraphs:
            if paragraph.whole:
                elements = (Element(paragraph.text, 0, len(paragraph.text), paragraph.text, complete=True),)
            else:
                elements = next(cut)
            pairs += [(paragraph, element) for element in elements]
        yield pairs


def _worded(
    chapters: Sequence[Chapter],
    cut: Sequence[Sequence[tuple[Paragraph, Element]]],
    language: str,
    names: Sequence[str],
    stages: Stages,
) -> tuple[list[list[tuple[Paragraph, Element]]], list[list[Fused]]]:
    """The elements of each chapter as they are said, and which that become lines share a breath."""
    from adstudio.drafting.text.wording.scene_wording import SceneLines, Worded

    scenes: list[SceneLines] = []
    for chapter, pairs in zip(chapters, cut, strict=True):
        paragraphs = [id(paragraph) for paragraph, _ in pairs]
        numbers = {each: number for number, each in enumerate(dict.fromkeys(paragraphs))}
        fixed = frozenset(number for number, (paragraph, _) in enumerate(pairs) if paragraph.whole)
        elements = tuple(element for _, element in pairs)
        before = _first_of_each([paragraph for paragraph, _ in pairs])
        speakers = tuple(each.speaker if each is not None else "" for each in before)
        dialogue = tuple(each.dialogue if each is not None else "" for each in before)
        places = tuple(numbers[each] for each in paragraphs)
        scenes.append(SceneLines(elements, places, fixed, chapter.heading, speakers, dialogue))
    found = cached(
        f"wording: {stages.worder.name}",
        [
            [
                [_plain(each) for each in scene.elements],
                list(scene.paragraphs),
                sorted(scene.fixed),
                scene.heading,
                list(scene.speakers),
                list(scene.dialogue),
            ]
            for scene in scenes
        ]
        + [language, list(names)],
        lambda: stages.worder.worded(scenes, language, names),
        tuple[Worded, ...],
    )
    everything: list[list[tuple[Paragraph, Element]]] = []
    fused: list[list[Fused]] = []
    for pairs, worded in zip(cut, found, strict=True):
        everything.append(
            [(paragraph, element) for (paragraph, _), element in zip(pairs, worded.elements, strict=True)]
        )
        said = [element.kind not in UNSAID for element in worded.elements]
        before = [0, *accumulate(said)]
        fused.append(
            [
                replace(each, first=before[each.first])
                for each in worded.fused
                if all(said[each.first : each.first + each.count])
            ]
        )
    return everything, fused


def _first_of_each(paragraphs: Sequence[Paragraph]) -> tuple[Paragraph | None, ...]:
    """For the first element of each paragraph, which may follow speech, the paragraph; None for the others."""
    before = (None, *paragraphs)
    return tuple(None if one is other else other for one, other in zip(before, paragraphs, strict=False))


def _plain(element: Element) -> list[object]:
    place = [element.extract, element.start, element.end]
    return [*place, element.text, element.complete, element.kind.value, [list(each) for each in element.breaths]]


def _shortened(
    texts_of_chapters: Sequence[Sequence[str]],
    film: Sequence[str],
    language: str,
    names: Sequence[str],
    stages: Stages,
    progress: OnProgress,
) -> Iterator[list[tuple[Variant, ...]]]:
    name = stages.compressor.name
    for number, texts in enumerate(texts_of_chapters):
        progress(Progress(Stage.COMPRESSING, number / len(texts_of_chapters)))
        found = cached(
            f"compress: {name}",
            [list(texts), language, list(names), film],
            lambda texts=texts: tuple(
                tuple(Variant(each.text, each.rate) for each in shorter)
                for shorter in stages.compressor.compressions(texts, language, names, film)
            ),
            tuple[tuple[Variant, ...], ...],
        )
        yield [(Variant(text), *shorter) for text, shorter in zip(texts, found, strict=True)]


def _weighed(
    cut: Sequence[Sequence[tuple[Paragraph, Element]]],
    groundings: Sequence[Grounding],
    cues: Sequence[Cue],
    language: str,
    stages: Stages,
    progress: OnProgress,
) -> list[float]:
    from adstudio.drafting.text.score.views import SceneText, dialogue_near

    dialogue = iter(dialogue_near([grounding.occurrence for grounding in groundings], cues))
    scenes = [
        SceneText(
            tuple(element.text for _, element in pairs),
            " ".join(dict.fromkeys(paragraph.text for paragraph, _ in pairs)),
            tuple(islice(dialogue, len(pairs))),
        )
        for pairs in cut
    ]

    def scores() -> tuple[tuple[float, ...], ...]:
        found = stages.weigher.scores(
            scenes, language, lambda done, total: progress(Progress(Stage.SCORING, done / max(total, 1)))
        )
        return tuple(tuple(map(float, each)) for each in found)

    progress(Progress(Stage.SCORING, 0.0))
    found = cached(
        f"salience: {stages.weigher.name}",
        [[list(scene.elements), scene.text, list(map(list, scene.dialogue))] for scene in scenes] + [language],
        scores,
        tuple[tuple[float, ...], ...],
    )
    return [number for each in found for number in each]
