"""A scorer that needs no Java: words as tokens, and in METEOR's place the Dice coefficient of two sets of words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.evaluation.material import Description, EvaluatedFilm, FilmSequence, Transcript


@dataclass
class WordScorer:
    """Counts what is asked of it."""

    calls: int = 0
    pairs: list[tuple[str, str]] = field(default_factory=list)

    def tokens(self, texts: Sequence[str]) -> list[str]:
        self.calls += 1
        return [" ".join(re.findall(r"\w+", text.lower())) for text in texts]

    def meteor(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.pairs += pairs
        words = [(set(reference.split()), set(hypothesis.split())) for reference, hypothesis in pairs]
        return [2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0 for one, other in words]


def said(*lines: tuple[float, float, str]) -> tuple[Description, ...]:
    """Descriptions from start and end in seconds and text."""
    return tuple(Description(Span(round(start * 1000), round(end * 1000)), text) for start, end, text in lines)


def spoken(*times: tuple[float, float]) -> tuple[Cue, ...]:
    """Dialogue from starts and ends in seconds."""
    return tuple(
        Cue(f"c{number}", round(start * 1000), round(end * 1000), "Who is there?")
        for number, (start, end) in enumerate(times)
    )


def film(
    references: dict[str, tuple[Description, ...]],
    systems: dict[str, tuple[Description, ...]] | Sequence[Transcript],
    *,
    name: str = "film",
    dialogue: tuple[Cue, ...] = (),
    bounds: Sequence[float] = (0, 100),
) -> EvaluatedFilm:
    """A film with sequences between bounds in seconds, named s1, s2…"""
    spans = [Span(round(start * 1000), round(end * 1000)) for start, end in itertools.pairwise(bounds)]
    transcripts = [Transcript(*each) for each in systems.items()] if isinstance(systems, dict) else systems
    return EvaluatedFilm(
        name,
        spans[-1].end,
        dialogue,
        tuple(Transcript(*each) for each in references.items()),
        tuple(transcripts),
        tuple(FilmSequence(f"s{number}", span) for number, span in enumerate(spans, 1)),
    )
