"""Prose as chapters, and the times that its own words give: those that stand in it, and the cues that it quotes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from adstudio.core.provenance import DescriptionLine
from adstudio.core.script import Cue
from adstudio.core.words import count_words, spoken_ms
from adstudio.drafting.text.chapters import Chapter, Paragraph
from adstudio.drafting.text.ground.certainty import ORDERED
from adstudio.drafting.text.ground.evidence import Passage
from adstudio.drafting.text.ground.prose import Prose, Section
from adstudio.drafting.text.ground.quotations import mentions
from adstudio.drafting.text.line_pipeline import Bounds

if TYPE_CHECKING:
    from adstudio.drafting.text.segment.elements import Element

TIMED = 0.95
"""How sure a time is that stands in the text."""
QUOTED = 0.8
"""How sure it is that what is told beside a quotation is seen when that is said."""
AROUND_MS = 3_000
"""How far from what it quotes a line may be seen."""
LEAST_TIMED_MS = 4_000
TELLING = 3
"""What a time begins is over after so many times the time it takes to tell it, if no other time says so before."""
WORDS_PER_MINUTE = 200
LEAST_SCENE_WORDS = 120
"""Where nothing parts the text into scenes, a scene is a paragraph, or several that together have so many words."""


def prose_chapters(prose: Prose, end: int) -> tuple[Chapter, ...]:
    """A chapter for each heading; without any, for each paragraph that is long enough, or several."""
    paragraphs = _paragraphs(prose.sections, end)
    if any(section.heading for section in prose.sections):
        groups = [
            (heading, [paragraph for _, paragraph in group])
            for heading, group in groupby(
                zip(prose.sections, paragraphs, strict=True), key=lambda pair: pair[0].heading
            )
        ]
    else:
        groups = [("", group) for group in _gathered(paragraphs)]
    return tuple(Chapter(heading, tuple(group), line=group[0].line) for heading, group in groups)


def bounds_of(cues: Sequence[Cue]) -> Bounds:
    """What ties each element: its section's time; else a quotation in it, and the ones before and after it."""

    def bounds(pairs: Sequence[tuple[Paragraph, Element]]) -> list[Passage]:
        untimed = [place for place, (paragraph, _) in enumerate(pairs) if paragraph.sure < TIMED]
        found = mentions([pairs[place][1].extract for place in untimed], cues)
        quoted = {untimed[mention.text]: cues[mention.cue] for mention in found}
        return [_passage(place, *pair, quoted) for place, pair in enumerate(pairs)]

    return bounds


def _passage(place: int, paragraph: Paragraph, element: Element, quoted: dict[int, Cue]) -> Passage:
    after, before, sure = paragraph.after, paragraph.before, paragraph.sure
    if sure < TIMED:
        own = quoted.get(place)
        if own is not None:
            after, before, sure = own.start - AROUND_MS, max(own.start, own.end) + AROUND_MS, QUOTED
        else:
            earlier = max((at for at in quoted if at < place), default=None)
            later = min((at for at in quoted if at > place), default=None)
            after = _later(after, None if earlier is None else quoted[earlier].start)
            before = _sooner(before, None if later is None else quoted[later].end)
    return Passage((element.text,), after, before, sure)


def _paragraphs(sections: Sequence[Section], end: int) -> list[Paragraph]:
    paragraphs: list[Paragraph] = []
    latest: int | None = None
    for place, section in enumerate(sections):
        following = next((later.at for later in sections[place + 1 :] if later.at is not None), None)
        source = DescriptionLine(section.line)
        if section.at is None:
            sure = ORDERED if latest is None or latest < end else 0.0
            paragraphs.append(Paragraph(section.text, source, section.line, latest, following, sure))
            continue
        latest = section.at
        telling = max(TELLING * spoken_ms(section.text, WORDS_PER_MINUTE), LEAST_TIMED_MS)
        until = section.until or section.at + telling
        if following is not None and following > section.at:
            until = min(until, following)
        sure = TIMED if section.at < end else 0.0
        paragraphs.append(Paragraph(section.text, source, section.line, section.at, until, sure))
    return paragraphs


def _gathered(paragraphs: Sequence[Paragraph]) -> list[list[Paragraph]]:
    groups: list[list[Paragraph]] = []
    room = 0
    for paragraph in paragraphs:
        if room <= 0:
            groups.append([])
            room = LEAST_SCENE_WORDS
        groups[-1].append(paragraph)
        room -= count_words(paragraph.text)
    return groups


def _later(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else max(one, other)


def _sooner(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)
