"""Evaluations for tests of reports: several films and systems, hundreds of gaps, with values from a fixed seed."""

from __future__ import annotations

from random import Random

from adstudio.core.timebase import Span
from adstudio.evaluation.material import SequenceSource
from adstudio.evaluation.results import (
    Evaluation,
    FilmFacts,
    FilterCounts,
    GapComparison,
    Measure,
    QuestionResult,
    Selection,
    SequenceFacts,
    SequenceResult,
    Significance,
    SystemAnswer,
    SystemResult,
    Unrealistic,
)

PAPER = {
    "Expert": (51.4, 20.1, 16.3, 81.0, 69.6, 61.2),
    "Random": (1.3, 4.4, 4.0, 27.1, 34.1, 2.3),
    "Qwen 3.5": (13.2, 8.1, 7.4, 38.4, 43.9, 17.3),
    "Qwen 3.5, realistic": (11.3, 6.5, 7.1, 31.2, 42.6, 14.8),
    "Gemini 3.1": (19.0, 8.2, 7.9, 36.0, 42.3, 16.4),
    "Gemini 3.1, realistic": (16.9, 7.3, 7.7, 32.0, 41.9, 15.1),
    "Gemini scheduler": (14.5, 6.6, 6.9, 45.8, 41.6, 19.9),
    "Gemini MILP": (13.6, 8.4, 8.0, 55.7, 45.9, 25.5),
}
"""Some rows of the paper's table, as what the invented sequences vary around."""
REFERENCES = ("American AD", "British AD")
FIRST = ("Snape", "Hermione", "Ron", "A guard", "The old man", "Lisbeth", "A child in red")
THEN = (
    "glares at the door",
    "gets up",
    "walks down the aisle",
    "hands over a stack of sheets",
    "lies down on the sand",
)
LAST = ("and grabs a textbook from the table", "and returns", "in the rain", "as the train leaves", "slowly")


def evaluation(films: int = 3, sequences: int = 6, gaps: int = 8, *, measures: int = 6, seed: int = 7) -> Evaluation:
    """`gaps` in each of the `sequences` in each of the `films`."""
    random = Random(seed)
    names = [f"Film {number + 1}" for number in range(films)]
    keys = [(film, f"Sequence {number + 1}") for film in names for number in range(sequences)]
    facts = tuple(_facts(random, film, name, number % sequences) for number, (film, name) in enumerate(keys))
    systems = tuple(_system(random, name, keys, tuple(Measure)[:measures]) for name in PAPER)
    return Evaluation(
        films=tuple(
            FilmFacts(name, sequences, SequenceSource.FILE, REFERENCES, ("2 subtitles overlap",), "en-GB")
            for name in names
        ),
        systems=systems,
        significance=_tests(systems, random),
        gaps=tuple(_gap(random, each, number, gaps) for each in facts for number in range(gaps)),
        notes=("QEval was not computed for scene descriptions: no question file was given",),
        sequences=facts,
        questions=tuple(_question(random, each, number) for each in facts for number in range(2)),
        day="2026-11-29",
    )


def _facts(random: Random, film: str, name: str, place: int) -> SequenceFacts:
    seconds = 10 ** random.uniform(-2, 2)
    span = Span(place * 180_000, (place + 1) * 180_000)
    return SequenceFacts(film, name, span, random.randint(1_000, 120_000), min(seconds, 60.0), seconds < 60)


def _system(random: Random, name: str, keys: list[tuple[str, str]], measures: tuple[Measure, ...]) -> SystemResult:
    centres = dict(zip(Measure, PAPER[name], strict=True))
    results = tuple(
        SequenceResult(film, key, {m: min(100.0, max(0.0, random.gauss(centres[m], centres[m] / 5))) for m in measures})
        for film, key in keys
    )
    films = {
        film: {m: _mean([each.scores[m] for each in results if each.film == film]) for m in measures}
        for film in dict.fromkeys(film for film, _ in keys)
    }
    mean = {m: _mean([scores[m] for scores in films.values()]) for m in measures}
    realistic = name.endswith("realistic")
    total = 120 * len(films)
    removed = {Unrealistic.TOO_FAST: total // 5, Unrealistic.OVER_DIALOGUE: total // 60, Unrealistic.OVERLAPPING: 0}
    return SystemResult(
        name=name,
        mean=mean,
        films=films,
        sequences=results,
        intervals={m: (mean[m] * 0.93, mean[m] * 1.06) for m in measures},
        filtered=FilterCounts(total, removed, total // 15) if realistic or name.endswith("scheduler") else None,
        unfiltered=name.removesuffix(", realistic") if realistic else None,
        selections=tuple(_selection(random, film, key) for film, key in keys) if name.endswith("MILP") else (),
    )


def _selection(random: Random, film: str, key: str) -> Selection:
    items = random.randint(10, 40)
    lines = [random.choice((100, 100, 100, 90, 80, 70, 60, 50)) for _ in range(items // 2)]
    return Selection(film, key, items, {rate: lines.count(rate) for rate in sorted(set(lines), reverse=True)})


def _tests(systems: tuple[SystemResult, ...], random: Random) -> tuple[Significance, ...]:
    return tuple(
        Significance(one.name, other.name, m, one.mean[m] - other.mean[m], random.choice((0.0002, 0.008, 0.03, 0.4)))
        for place, one in enumerate(systems)
        for other in systems[place + 1 :]
        for m in one.mean
    )


def _gap(random: Random, facts: SequenceFacts, number: int, of: int) -> GapComparison:
    start = facts.span.start + number * facts.span.length // of
    said = {name: _text(random) for name in PAPER if random.random() < 0.7}
    references = {name: _text(random) for name in REFERENCES if random.random() < 0.8}
    scored = {
        name: {Measure.GAP_CIDER: random.uniform(0, 60), Measure.GAP_METEOR: random.uniform(0, 30)}
        for name in PAPER
        if references
    }
    return GapComparison(
        facts.film, facts.sequence, Span(start, start + random.randint(1_000, 9_000)), references, said, scored
    )


def _question(random: Random, facts: SequenceFacts, number: int) -> QuestionResult:
    time = Span(facts.span.start + 1_000, facts.span.start + 3_000)
    kinds = (SystemAnswer("Snape", time, in_time=True), SystemAnswer("Snape"), SystemAnswer("Ron"), SystemAnswer(""))
    answers = {name: random.choice(kinds) for name in PAPER if random.random() < 0.8}
    return QuestionResult(facts.film, facts.sequence, f"q{number}", "Who gets up?", "Snape", time, answers)


def _text(random: Random) -> str:
    return f"{random.choice(FIRST)} {random.choice(THEN)} {random.choice(LAST)}."


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
