"""Scenes, lines and fusions of a script, from the chapters of a text and the lines drafted from them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from adstudio.core.provenance import Provenance
from adstudio.core.script import Eventuality, Fusion, Origin, Scene
from adstudio.core.timebase import Span
from adstudio.drafting.text.chapters import Chapter
from adstudio.drafting.text.line_pipeline import Breath, DraftedLines, Line

SLACK_MS = 700
"""A cut within this time after the first known event of a scene may still be its beginning."""


def script_items(
    chapters: Sequence[Chapter], drafted: DraftedLines, end: int, cuts: Sequence[int]
) -> tuple[tuple[Scene, ...], tuple[Eventuality, ...], tuple[Fusion, ...]]:
    """Scenes that cover the film, their lines and fusions; lines of a scene without a place go with the one before."""
    lines = drafted.lines
    known = [_known(number, chapter, lines) for number, chapter in enumerate(chapters)]
    spans = scene_spans(known, end, cuts)
    placed = [(number, span) for number, span in enumerate(spans) if span is not None]
    if not placed:
        placed = [(0, Span(0, end))]
    scenes: list[Scene] = []
    scene_of: dict[int, Scene] = {}
    for place, (number, span) in enumerate(placed, 1):
        scene = Scene(f"s{place}", span, title=chapters[number].heading if chapters else "")
        scenes.append(scene)
        scene_of[number] = scene
    for number in range(len(chapters)):
        # Chapters before the first scene that is in the film go with that scene.
        scene_of.setdefault(number, scene_of.get(number - 1, scenes[0]))
    count: dict[str, int] = {}
    eventualities: list[Eventuality] = []
    for line in lines:
        scene = scene_of[line.chapter]
        count[scene.id] = count.get(scene.id, 0) + 1
        eventualities.append(
            Eventuality(
                f"{scene.id}-e{count[scene.id]:02d}",
                line.variants,
                line.grounding.occurrence,
                line.salience,
                scene=scene.id,
                origin=Origin.MACHINE,
                extract=line.extract,
                note=(provenance := Provenance(line.paragraph.source)).note,
                confidence=line.grounding.confidence,
                provenance=provenance,
            )
        )
    fusions = tuple(_fusion(breath, eventualities) for breath in drafted.breaths)
    return tuple(scenes), tuple(eventualities), fusions


def _fusion(breath: Breath, eventualities: Sequence[Eventuality]) -> Fusion:
    members = eventualities[breath.first : breath.first + breath.count]
    return Fusion(
        f"{members[0].id}-f{breath.count}",
        tuple(line.id for line in members),
        breath.variants,
        tuple(line.variants[0].text for line in members),
    )


def _known(number: int, chapter: Chapter, lines: Sequence[Line]) -> Span | None:
    spans = [line.grounding.occurrence for line in lines if line.chapter == number]
    found = [span for span in (chapter.dialogue_span, *spans) if span is not None]
    return Span(min(span.start for span in found), max(span.end for span in found)) if found else None


def scene_spans(known: Sequence[Span | None], end: int, cuts: Sequence[int]) -> tuple[Span | None, ...]:
    """For each scene, in order, its span of the film, given the span of all that is known to happen in it.

    A scene of which nothing is known has none. The others cover the film, each with a positive length; a scene for
    which no time is left has none either.
    """
    starts: list[tuple[int, int]] = []
    latest = 0
    for number, span in enumerate(known):
        if span is None:
            continue
        start = 0 if not starts else _boundary(latest, span.start, cuts)
        if starts and start <= starts[-1][1]:
            start = max(span.start, starts[-1][1] + 1)
        if start < end:
            starts.append((number, start))
        latest = max(latest, span.end)
    spans: list[Span | None] = [None] * len(known)
    for (number, start), (_, following) in pairwise([*starts, (len(known), end)]):
        spans[number] = Span(start, following)
    return tuple(spans)


def _boundary(last: int, first: int, cuts: Sequence[int]) -> int:
    """Where a scene begins whose first thing is at `first`, after one whose last thing ended at `last`."""
    place = bisect_right(cuts, first) - 1
    if place >= 0 and cuts[place] >= min(last, first):
        return cuts[place]
    following = bisect_left(cuts, first)
    return cuts[following] if following < len(cuts) and cuts[following] <= first + SLACK_MS else first
