"""Synthetic films and scenes for the benchmarks, of the size and density that the paper reports."""

import random
from dataclasses import replace

from adstudio.core.timebase import Span
from adstudio.planning.problem import Element, FusedElement, Problem

RATES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
WORD_MS = 300


def gaps_between_dialogue(rng: random.Random, end: int) -> tuple[Span, ...]:
    """Gaps of at least a second, log-normal in length, between stretches of dialogue; times as subtitles have them."""
    gaps: list[Span] = []
    at = rng.randrange(0, 8_000)
    while at < end:
        length = min(60_000, max(1_000, int(rng.lognormvariate(1.1, 0.95) * 1000)))
        stop = min(end, at + length)
        if stop - at >= 1_000:
            gaps.append(Span(at, stop))
        at = stop + rng.randint(1_500, 14_000)
    return tuple(gaps)


def durations(rng: random.Random, words: int, *, measured: bool) -> tuple[int, ...]:
    """Of the full wording and its compressions: on the 0.3 s grid of 200 words a minute, or as a voice would take."""
    counts = sorted({max(1, round(words * rate)) for rate in RATES}, reverse=True)
    if not measured:
        return tuple(count * WORD_MS for count in counts)
    return tuple(max(200, int(count * WORD_MS * rng.uniform(0.82, 1.18))) for count in counts)


def film(
    seed: int = 1, *, end: int = 7_200_000, elements: int = 3_240, measured: bool = False, gaps: int = 0
) -> Problem:
    """A film of 3,240 eventualities spread over two hours."""
    rng = random.Random(seed)
    starts = sorted(rng.randrange(0, end - 6_000) for _ in range(elements))
    found = [
        Element(
            id=f"e{number}",
            occurrence=Span(start // 10 * 10, (start + rng.randint(500, 6_000)) // 10 * 10),
            salience=rng.randint(1, 99) * 10_000,
            durations=durations(rng, rng.randint(4, 16), measured=measured),
        )
        for number, start in enumerate(starts)
    ]
    return Problem("film", Span(0, end), gaps_between_dialogue(rng, end), tuple(found))


def with_fusions(problem: Problem, count: int, seed: int = 2) -> Problem:
    """The problem with so many fusions of neighbours, a fifth shorter than they are and worth as much in full."""
    rng = random.Random(seed)
    fusions: list[FusedElement] = []
    for first in sorted(rng.sample(range(len(problem.elements) - 2), count)):
        members = problem.elements[first : first + rng.choice((2, 2, 2, 3))]
        spans = [member.occurrence for member in members if member.occurrence is not None]
        together = sum(member.durations[0] for member in members)
        lengths = tuple(together * part // 100 // WORD_MS * WORD_MS for part in (80, 60, 45))
        fusions.append(
            FusedElement(
                id=f"f{first}",
                of=tuple(member.id for member in members),
                occurrence=Span(spans[0].start, max(spans[0].start, spans[-1].end)),
                salience=sum(member.salience * member.durations[0] for member in members) // lengths[0],
                durations=lengths,
            )
        )
    return replace(problem, fusions=tuple(fusions))


def scene(seed: int, *, elements: int | None = None, measured: bool = False) -> Problem:
    """A scene of about 57 s (the paper's mean) with the density of the paper's candidates."""
    rng = random.Random(seed)
    end = rng.randint(20, 120) * 1000
    count = elements or max(4, round(end / 1000 * rng.uniform(0.3, 0.8)))
    return film(seed, end=end, elements=count, measured=measured)


def hard_scene(seed: int = 3, *, measured: bool = False) -> Problem:
    """The kind that timed out after ten minutes in the paper: 32 s, 33 candidates, two gaps of 14.8 s in all."""
    rng = random.Random(seed)
    problem = film(seed, end=32_000, elements=33, measured=measured)
    first = Span(2_000, 2_000 + rng.randint(4, 8) * 1000)
    second = Span(15_000, 15_000 + 14_800 - first.length)
    return Problem(problem.scene, problem.span, (first, second), problem.elements)
