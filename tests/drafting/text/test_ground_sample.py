"""Grounding on the sample film: where its own eventualities land when its dialogue is all that is known of them."""

from __future__ import annotations

import random

import pytest

from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.drafting.text.align.align import align
from adstudio.drafting.text.chapters import screenplay_chapters
from adstudio.drafting.text.ground.evidence import Passage, Seen
from adstudio.drafting.text.ground.ground import ground
from adstudio.screenplay.parsed_screenplay import Action, Part, Screenplay, ScreenplayScene, Speech
from sample_film.source import FilmSource, read_source

WORD_MS = 400
OTHERS = ("where is the dog now", "never mind the weather", "we could take the bus", "half past nine then")


@pytest.fixture(scope="module")
def source() -> FilmSource:
    return read_source()


def spoken(source: FilmSource) -> list[tuple[Cue, str]]:
    """The film's lines at about their times, with who says them."""
    lines = [(shot.at(line.at), line) for scene in source.scenes for shot in scene.shots for line in shot.lines]
    return [
        (Cue(f"c{number}", start, start + WORD_MS * count_words(line.text), line.text), line.voice)
        for number, (start, line) in enumerate(lines, 1)
    ]


def screenplay(source: FilmSource, share: float, seed: int) -> tuple[Screenplay, list[Span]]:
    """The film's eventualities as action between its lines, some of which say something else; when they are seen."""
    rng = random.Random(seed)
    scenes: list[ScreenplayScene] = []
    truth: list[Span] = []
    for scene in source.scenes:
        seen = sorted((sum(e.occurrence) / 2, e.occurrence, e.text) for e in scene.elements if e.occurrence is not None)
        parts: list[tuple[float, Part]] = [(middle, Action(text)) for middle, _, text in seen]
        for cue, voice in spoken(source):
            if scene.start <= cue.start < scene.end:
                text = rng.choice(OTHERS) if rng.random() < share else cue.text
                parts.append(((cue.start + cue.end) / 2, Speech(voice.upper(), text)))
        parts.sort(key=lambda part: part[0])
        scenes.append(ScreenplayScene("INT. STATION", tuple(part for _, part in parts)))
        truth += [Span(*occurrence) for _, occurrence, _ in seen]
    return Screenplay(tuple(scenes)), truth


@pytest.mark.parametrize(("changed", "near", "placed"), [(0.0, 0.99, 1.0), (0.1, 0.98, 1.0), (0.3, 0.9, 0.95)])
def test_lines_are_seen_where_they_are_told(source: FilmSource, changed: float, near: float, placed: float):
    cues = [cue for cue, _ in spoken(source)]
    cuts = tuple(shot.start for scene in source.scenes for shot in scene.shots)[1:]
    film = Seen(source.end, cuts, tuple(Span(cue.start, cue.end) for cue in cues))
    errors: list[int] = []
    count = 0
    for seed in range(5):
        text, truth = screenplay(source, changed, seed)
        alignment = align(text, cues)
        chapters = screenplay_chapters(text, alignment)
        passages = [
            Passage((each.text,), each.after, each.before, each.sure)
            for chapter in chapters
            for each in chapter.paragraphs
        ]
        for (found,), true in zip(ground(passages, film), truth, strict=True):
            count += 1
            if found.occurrence is not None:
                errors.append(abs(found.occurrence.doubled_midpoint - true.doubled_midpoint) // 2)
    assert len(errors) >= placed * count
    assert sum(error <= 5_000 for error in errors) >= near * len(errors)
