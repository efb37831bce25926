"""How long the measures of an evaluation take, and how much memory; pycocoevalcap's own classes are the peer.

    python tests/bench/evaluation.py [--descriptions 900] [--sequences 45] [--systems 1] [--peer 2]

A made-up film has one reference and systems of as many descriptions. METEOR is started before the clock is, and the
time that this takes is shown. The peer compares the pairs of `--peer` sequences one by one, as its interface suggests,
and its time is extrapolated to all; 0 leaves it out.
"""

import argparse
import os
import random
import resource
import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from rich.console import Console
from rich.table import Table

from adstudio.core.progress import Progress
from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.evaluation.java_scorer import JavaScorer
from adstudio.evaluation.material import Description, EvaluatedFilm, FilmSequence, Transcript
from adstudio.evaluation.scoring import evaluate

clock: Callable[[], float] = perf_counter
console = Console(width=120)
EVERY_MS = 8_000
WHO = ("the old man", "a young woman", "Anna", "the two officers", "he", "she", "a crowd", "a tall stranger")
DOES = (
    "opens",
    "watches",
    "carries",
    "runs towards",
    "slowly turns to",
    "picks up",
    "points at",
    "walks past",
    "hides",
)
WHAT = (
    "the door",
    "a wooden box",
    "the window",
    "an empty car",
    "his hand",
    "the burning house",
    "a letter",
    "her coat",
)
WHERE = ("", "in the dark", "on the stairs", "behind the house", "at night", "under a grey sky", "with a faint smile")


def descriptions(seed: int, number: int) -> tuple[Description, ...]:
    """One description in each eight seconds, of 5 to 20 words."""
    rng = random.Random(seed)

    def clause() -> str:
        return " ".join(filter(None, map(rng.choice, (WHO, DOES, WHAT, WHERE))))

    found: list[Description] = []
    for place in range(number):
        start = place * EVERY_MS + rng.randrange(500)
        text = ", and ".join(clause() for _ in range(rng.choice((1, 1, 2))))
        found.append(Description(Span(start, start + 4_500), f"{text[0].upper()}{text[1:]}."))
    return tuple(found)


def film(number: int, sequences: int, systems: int) -> EvaluatedFilm:
    end = number * EVERY_MS
    bounds = [end * place // sequences for place in range(sequences + 1)]
    cues = (Cue(f"c{n}", n * EVERY_MS + 5_000, n * EVERY_MS + 7_500, "Is anybody there?") for n in range(number))
    return EvaluatedFilm(
        "film",
        end,
        tuple(cues),
        (Transcript("reference", descriptions(0, number)),),
        tuple(Transcript(f"system {seed}", descriptions(seed, number)) for seed in range(1, systems + 1)),
        tuple(FilmSequence(f"{place}", Span(*bounds[place : place + 2])) for place in range(sequences)),
    )


def megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def of_java(scorer: JavaScorer) -> float:
    """The most memory that METEOR's process has had."""
    process = scorer._meteor._process
    lines = Path(f"/proc/{process.pid}/status").read_text() if process else ""
    return next((int(line.split()[1]) / 1024 for line in lines.splitlines() if line.startswith("VmHWM")), 0.0)


def java_seconds(scorer: JavaScorer) -> float:
    """The processor time that METEOR's process has had, of all its threads."""
    process = scorer._meteor._process
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split() if process else []
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


class Counting:
    """A scorer that counts pairs on their way."""

    def __init__(self, scorer: JavaScorer) -> None:
        self.scorer, self.pairs = scorer, 0
        self.tokens = scorer.tokens

    def meteor(self, pairs: Any) -> list[float]:
        self.pairs += len(pairs)
        return self.scorer.meteor(pairs)


def peer_seconds(one: EvaluatedFilm, share: int) -> tuple[float, int]:
    """What pycocoevalcap takes for every pair of the first sequences, and how many pairs that are."""
    from pycocoevalcap.meteor.meteor import Meteor
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    end = one.sequences[share - 1].span.end
    sides = [each.descriptions for each in (one.references[0], one.systems[0])]
    texts = {f"{side}{n}": [{"caption": each.text}] for side in (0, 1) for n, each in enumerate(sides[side])}
    start = clock()
    tokens = {key: words[0] for key, words in PTBTokenizer().tokenize(texts).items()}
    tokenized = (clock() - start) * share / len(one.sequences)
    meteor = Meteor()
    meteor.compute_score({0: ["a dog"]}, {0: ["a dog"]})
    pairs = 0
    start = clock()
    for sequence in one.sequences[:share]:
        inside = [[n for n, each in enumerate(side) if sequence.span.contains(each.span)] for side in sides]
        for left in inside[0]:
            for right in inside[1]:
                meteor.compute_score({0: [tokens[f"0{left}"]]}, {0: [tokens[f"1{right}"]]})
                pairs += 1
    console.log(f"the peer compared {pairs} pairs, up to {end / 60_000:.0f} min of film")
    return clock() - start + tokenized, pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--descriptions", type=int, default=900)
    parser.add_argument("--sequences", type=int, default=45)
    parser.add_argument("--systems", type=int, default=1)
    parser.add_argument("--peer", type=int, default=2)
    arguments = parser.parse_args()
    one = film(arguments.descriptions, arguments.sequences, arguments.systems)
    table = Table("", "s", "processor, s", "pairs", "pairs / s", "Python, MB", "Java, MB")
    with JavaScorer() as scorer:
        start = clock()
        scorer.meteor([("a dog", "a cat")])
        row = [f"{clock() - start:.1f}", f"{java_seconds(scorer):.1f}"]
        table.add_row("METEOR started", *row, "", "", f"{megabytes():.0f}", f"{of_java(scorer):.0f}")
        for run in ("first evaluation", "again, from the cache"):
            counting, halfway = Counting(scorer), list[float]()

            def look(progress: Progress, halfway: list[float] = halfway) -> None:
                if not halfway and (progress.fraction or 0) >= 0.5:
                    halfway.append(megabytes())

            start, busy = clock(), process_time() + java_seconds(scorer)
            found = evaluate([one], counting, on_progress=look)
            took, busy = clock() - start, process_time() + java_seconds(scorer) - busy
            row = [f"{took:.1f}", f"{busy:.1f}", str(counting.pairs), f"{counting.pairs / took:.0f}"]
            table.add_row(run, *row, f"{halfway[0]:.0f} → {megabytes():.0f}", f"{of_java(scorer):.0f}")
    if arguments.peer:
        took, pairs = peer_seconds(one, arguments.peer)
        whole = took * arguments.sequences / arguments.peer * arguments.systems
        name = f"pycocoevalcap, {arguments.peer} sequences"
        table.add_row(name, f"{took:.1f}", "", str(pairs), f"{pairs / took:.0f}")
        table.add_row("pycocoevalcap, extrapolated", f"{whole:.0f}")
    console.print(table)
    for system in found.systems:
        console.print(system.name, {measure.value: round(score, 1) for measure, score in system.mean.items()})
    assert threading.active_count() == 1


if __name__ == "__main__":
    main()
