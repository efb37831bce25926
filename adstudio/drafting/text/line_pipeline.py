"""From chapters to lines: segmented, grounded, compressed, weighed. Each stage reports progress and is cached."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from adstudio.core.errors import Oddity
from adstudio.core.progress import OnProgress, Progress, Stage
from adstudio.core.script import SALIENCE_UNIT, Cue, Variant
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
"""Thousandths of time confidence below which a line counts as uncertain: it is more likely wrong than right."""

NEARLY_ALL = 0.9
"""The share of uncertain or unplaced lines from which listing them one by one no longer helps."""
LEAST_LINES = 5
PLACES = 1_000
"""Salience is rounded to a thousandth: no estimate is finer, and a describer reads and corrects it."""

SOUND_WEIGHT = 0.5
"""The factor for the salience of a line that only describes a sound: in most films the audience hears it."""

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


def draft_lines(
    chapters: Sequence[Chapter],
    seen: Seen,
    language: str,
    names: Sequence[str],
    stages: Stages,
    progress: OnProgress,
    placing: Placing | None = None,
    cues: Sequence[Cue] = (),
) -> tuple[tuple[Line, ...], int]:
    """The lines of all chapters in textual order, and the number of sentences that only give production directions.

    Those become no lines. The salience of a sound alone is multiplied by `SOUND_WEIGHT`.

    Raises:
        OutsideFailureError: if a component that a stage needs is not installed.
    """
    everything = list(_cut(chapters, language, names, stages, progress))
    cut = [[pair for pair in pairs if pair[1].kind is not SentenceKind.PRODUCTION] for pairs in everything]
    unseen = sum(map(len, everything)) - sum(map(len, cut))
    flat = [(number, *pair) for number, pairs in enumerate(cut) for pair in pairs]
    progress(Progress(Stage.GROUNDING, 0.0))
    pairs = [(paragraph, element) for _, paragraph, element in flat]
    if placing is not None:
        groundings = list(placing(pairs))
    else:
        passages = [Passage((e.text,), p.after, p.before, p.sure) for p, e in pairs]
        groundings = [grounding for found in ground(passages, seen) for grounding in found]
    variants = list(_shortened(cut, language, names, stages, progress))
    kinds = [element.kind for _, _, element in flat]
    weights = [
        weight * SOUND_WEIGHT if what is SentenceKind.SOUND and weight > 0 else weight
        for what, weight in zip(kinds, _weighed(cut, groundings, cues, language, stages, progress), strict=True)
    ]
    lines = tuple(
        Line(number, paragraph, element.extract, wordings, grounding, round(weight * PLACES) * SALIENCE_UNIT // PLACES)
        for (number, paragraph, element), grounding, wordings, weight in zip(
            flat, groundings, variants, weights, strict=True
        )
    )
    return lines, unseen


def has_footing(lines: Sequence[Line]) -> bool:
    """Whether enough of the lines are more likely to be right about their time than wrong."""
    return len(lines) < LEAST_LINES or sum(map(_is_unsure, lines)) < NEARLY_ALL * len(lines)


def _is_unsure(line: Line) -> bool:
    return line.grounding.occurrence is None or line.grounding.confidence < UNSURE


class PlacingOddity(Oddity):
    """One about the times of lines: irrelevant where the times come from elsewhere."""

    __slots__ = ()


def oddities_of(lines: Sequence[Line], unseen: int, advice: str, reported: Collection[int] = ()) -> Iterator[Oddity]:
    """What the describer should know about the lines: what was left out, which have no time, how many are uncertain.

    `advice` is a clause that says what to do if nearly all times are guesses. For the text's lines in `reported` it has
    been reported already why they have no time.
    """
    if unseen:
        what = "1 sentence gives" if unseen == 1 else f"{unseen:,} sentences give"
        yield Oddity(f"{what} production directions (fade in, music up), so no line was drafted from them")
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


def _shortened(
    cut: Sequence[Sequence[tuple[Paragraph, Element]]],
    language: str,
    names: Sequence[str],
    stages: Stages,
    progress: OnProgress,
) -> Iterator[tuple[Variant, ...]]:
    from adstudio.drafting.text.compress.film_colours import mentions_colour

    name = stages.compressor.name
    film = [element.text for pairs in cut for _, element in pairs if mentions_colour(element.text)]
    for number, pairs in enumerate(cut):
        progress(Progress(Stage.COMPRESSING, number / len(cut)))
        texts = [element.text for _, element in pairs]
        found = cached(
            f"compress: {name}",
            [texts, language, list(names), film],
            lambda texts=texts: tuple(
                tuple(Variant(each.text, each.rate) for each in shorter)
                for shorter in stages.compressor.compressions(texts, language, names, film)
            ),
            tuple[tuple[Variant, ...], ...],
        )
        for text, shorter in zip(texts, found, strict=True):
            yield (Variant(text), *shorter)


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
