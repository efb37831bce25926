"""A made-up script of any length, as full as a describer's real one, and real text in it for what is drawn."""

from __future__ import annotations

import random
from itertools import pairwise

from adstudio.core.film import Film
from adstudio.core.script import Cue, Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span

HOUR = 3_600_000
TEXT = (
    "the a she he they Nora Tom Mikael opens closes lifts drops a door window letter lamp glove umbrella street rain "
    "runs walks turns looks back slowly quickly past along behind under over and then while smiling frowning alone "
    "together in the dark station platform train carriage bench counter calendar hand face eyes"
)
WORDS = TEXT.split()
SPEAKERS = ("NORA", "TOM", "MIKAEL", "THE CONDUCTOR", None)
RATES = (1.0, 0.8, 0.6, 0.5)
CONFIDENCES = (None, 880, 610, 310, 420)
"""Of the lines in turn: said by a person, sure, likely, guessed, guessed."""


def long_script(eventualities: int = 4_000, *, end: int = 2 * HOUR, cues: int = 1_600, seed: int = 1) -> Script:
    """A film of two hours with 4,000 eventualities, 1,600 dialogue cues and a scene about every two minutes."""
    rng = random.Random(seed)

    def text(count: int) -> str:
        words = " ".join(rng.choice(WORDS) for _ in range(count))
        return words[:1].upper() + words[1:] + "."

    bounds = [0, *sorted(rng.sample(range(30_000, end - 30_000, 1_000), max(1, end // 120_000))), end]
    scenes = tuple(Scene(f"s{n}", Span(a, b), f"Scene {n}") for n, (a, b) in enumerate(pairwise(bounds), start=1))
    starts = sorted(rng.sample(range(0, end - 8_000, 100), cues))
    spoken = tuple(
        Cue(f"c{n}", a, min(a + rng.randint(800, 3_500), b - 40), text(rng.randint(2, 9)), rng.choice(SPEAKERS))
        for n, (a, b) in enumerate(pairwise([*starts, end]), start=1)
        if b - a > 900
    )
    lines: list[Eventuality] = []
    for number, start in enumerate(sorted(rng.sample(range(0, end - 8_000, 10), eventualities)), start=1):
        count = rng.randint(4, 16)
        wordings = tuple(Variant(text(max(1, round(count * rate)))) for rate in RATES)
        occurrence = Span(start, start + rng.randint(500, 6_000))
        salience, confidence = rng.randint(1, 99) * 10_000, CONFIDENCES[number % len(CONFIDENCES)]
        lines.append(Eventuality(f"e{number}", wordings, occurrence, salience, confidence=confidence))
    return Script(Film("A long film", end), scenes=scenes, cues=spoken, eventualities=tuple(lines))
