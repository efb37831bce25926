"""From chapters to eventualities: cut, grounded, shortened, weighed; each stage told, kept and in others' hands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adstudio.core.errors import Oddity
from adstudio.core.progress import OnProgress, Progress, Stage
from adstudio.core.script import SALIENCE_UNIT, Variant
from adstudio.drafting.candidates_file.findings import shown
from adstudio.drafting.text.chapters import Chapter, Paragraph
from adstudio.drafting.text.ground.evidence import Grounding, Passage, Seen
from adstudio.drafting.text.ground.ground import ground
from adstudio.drafting.text.segment.sentence_kind import SentenceKind
from adstudio.drafting.text.stage_cache import cached
from adstudio.drafting.text.stages import Stages

if TYPE_CHECKING:
    from adstudio.drafting.text.segment.elements import Element

UNSURE = 500
"""Thousandths of confidence below which a line is called unsure: it is more likely wrong than right."""

NEARLY_ALL = 0.9
"""Part of the lines: where so many are unsure or nowhere, pointing at them points nowhere."""
LEAST_LINES = 5
PLACES = 1_000
"""Salience is given to a thousandth: no estimate is finer, and a describer reads and corrects it."""

SOUND_WEIGHT = 0.5
"""What the salience of a sound alone is multiplied by: in most films the audience hears it."""

Bounds = Callable[[Sequence[tuple[Paragraph, "Element"]]], Sequence[Passage]]
"""One passage for each element of the film, in order: for texts whose own words say more of their times."""


@dataclass(frozen=True)
class Line:
    """An element of a chapter (by its number) with all that was made for it."""

    chapter: int
    paragraph: Paragraph
    extract: str
    variants: tuple[Variant, ...]
    grounding: Grounding
    salience: int


def draft_lines(
    chapters: Sequence[Chapter],
    seen: Seen,
    language: str,
    names: Sequence[str],
    stages: Stages,
    progress: OnProgress,
    bounds: Bounds | None = None,
) -> tuple[tuple[Line, ...], int]:
    """The lines of all chapters in textual order, and how many sentences only tell how the film is to be made.

    Those have no lines. A sound alone weighs `SOUND_WEIGHT` of what it would.

    Raises:
        OutsideFailureError: where a part that a stage needs is not installed.
    """
    everything = list(_cut(chapters, language, names, stages, progress))
    cut = [[pair for pair in pairs if pair[1].kind is not SentenceKind.PRODUCTION] for pairs in everything]
    unseen = sum(map(len, everything)) - sum(map(len, cut))
    flat = [(number, *pair) for number, pairs in enumerate(cut) for pair in pairs]
    progress(Progress(Stage.GROUNDING, 0.0))
    pairs = [(paragraph, element) for _, paragraph, element in flat]
    passages = bounds(pairs) if bounds else [_passage(*pair) for pair in pairs]
    groundings = [grounding for found in ground(passages, seen) for grounding in found]
    variants = list(_shortened(cut, language, names, stages, progress))
    kinds = [element.kind for _, _, element in flat]
    weights = [
        weight * SOUND_WEIGHT if what is SentenceKind.SOUND and weight > 0 else weight
        for what, weight in zip(kinds, _weighed(cut, language, stages, progress), strict=True)
    ]
    lines = tuple(
        Line(number, paragraph, element.extract, wordings, grounding, round(weight * PLACES) * SALIENCE_UNIT // PLACES)
        for (number, paragraph, element), grounding, wordings, weight in zip(
            flat, groundings, variants, weights, strict=True
        )
    )
    return lines, unseen


def has_footing(lines: Sequence[Line]) -> bool:
    """Whether at least some of the lines are more likely seen when they are said to be than not."""
    return len(lines) < LEAST_LINES or sum(map(_is_unsure, lines)) < NEARLY_ALL * len(lines)


def _is_unsure(line: Line) -> bool:
    return line.grounding.occurrence is None or line.grounding.confidence < UNSURE


class PlacingOddity(Oddity):
    """One about when lines are seen in the film: of no account where somebody else finds that out."""

    __slots__ = ()


def oddities_of(lines: Sequence[Line], unseen: int, mend: str, kinds: Collection[int] = ()) -> Iterator[Oddity]:
    """What a person should know of them: what was left out, what has no footing, line by line, how many are unsure.

    `mend` is a clause that says what to do where nearly nothing has a footing. Of the text's lines in `kinds`
    is told already why they have no place.
    """
    if unseen:
        what = "1 sentence says" if unseen == 1 else f"{unseen:,} sentences say"
        yield Oddity(
            f"{what} how the film is to be made, not what is seen (fade in, music up), and so no line was made"
        )
    lost: dict[tuple[int | None, str], list[Line]] = {}
    for line in lines:
        if line.grounding.occurrence is None and line.paragraph.line not in kinds:
            lost.setdefault((line.paragraph.line, line.paragraph.text), []).append(line)
    for (number, text), those in lost.items():
        what = "this line is seen, so it has" if len(those) == 1 else f"these {len(those)} lines are seen, so they have"
        first = those[0].extract if len(those) == 1 else text
        yield PlacingOddity(f"nothing says when {what} no place in the film: {shown(first)}", number)
    unsure = sum(line.grounding.occurrence is not None and _is_unsure(line) for line in lines)
    if not has_footing(lines):
        yield PlacingOddity(
            f"it has hardly any footing in the film: when it is seen is a guess for {sum(map(_is_unsure, lines)):,} of "
            f"{len(lines):,} lines, which may be many seconds away, so it is hardly usable as it stands: {mend}"
        )
    elif unsure:
        yield PlacingOddity(
            f"when it is seen is unsure for {unsure:,} of {len(lines):,} lines; they are marked: look at those first"
        )


def _passage(paragraph: Paragraph, element: Element) -> Passage:
    return Passage((element.text,), paragraph.after, paragraph.before, paragraph.sure)


def _cut(
    chapters: Sequence[Chapter], language: str, names: Sequence[str], stages: Stages, progress: OnProgress
) -> Iterator[list[tuple[Paragraph, Element]]]:
    from adstudio.drafting.text.segment.elements import Element

    name = stages.segmenter.name
    for number, chapter in enumerate(chapters):
        progress(Progress(Stage.SEGMENTING, number / len(chapters)))
        texts = [paragraph.text for paragraph in chapter.paragraphs]
        found = cached(
            f"segment: {name}",
            [texts, language, list(names)],
            lambda texts=texts: stages.segmenter.elements(texts, language, names),
            tuple[tuple[Element, ...], ...],
        )
        yield [
            (paragraph, element)
            for paragraph, elements in zip(chapter.paragraphs, found, strict=True)
            for element in elements
        ]


def _shortened(
    cut: Sequence[Sequence[tuple[Paragraph, Element]]],
    language: str,
    names: Sequence[str],
    stages: Stages,
    progress: OnProgress,
) -> Iterator[tuple[Variant, ...]]:
    name = stages.compressor.name
    for number, pairs in enumerate(cut):
        progress(Progress(Stage.COMPRESSING, number / len(cut)))
        texts = [element.text for _, element in pairs]
        found = cached(
            f"compress: {name}",
            [texts, language, list(names)],
            lambda texts=texts: tuple(
                tuple(Variant(each.text, each.rate) for each in shorter)
                for shorter in stages.compressor.compressions(texts, language, names)
            ),
            tuple[tuple[Variant, ...], ...],
        )
        for text, shorter in zip(texts, found, strict=True):
            yield (Variant(text), *shorter)


def _weighed(
    cut: Sequence[Sequence[tuple[Paragraph, Element]]], language: str, stages: Stages, progress: OnProgress
) -> list[float]:
    from adstudio.drafting.text.score.blend import SceneText

    scenes = [
        SceneText(
            tuple(element.text for _, element in pairs),
            " ".join(dict.fromkeys(paragraph.text for paragraph, _ in pairs)),
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
        [[list(scene.elements), scene.text] for scene in scenes] + [language],
        scores,
        tuple[tuple[float, ...], ...],
    )
    return [number for each in found for number in each]
