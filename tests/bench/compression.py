"""Compression: how many sentences a second, how much of it is parsing, and how it grows with a sentence's length.

    .venv/bin/python tests/bench/compression.py [--elements 3000]

The elements are the two hundred sentences of the tests, over and over with other numbers of words; a film of two hours
has about three thousand. Beside the clock stands the processor's time, for a machine that has other work.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

from adstudio.drafting.text.compress.knapsack import Group, Unit, best_of_each_size
from adstudio.drafting.text.compress.shorten import compressions
from adstudio.drafting.text.language import grammar

SENTENCES = Path(__file__).parents[1] / "drafting" / "text" / "gold" / "sentences.txt"


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    clock, busy = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - busy


def row(what: str, count: int, taken: tuple[float, float]) -> None:
    print(f"| {what} | {count} | {taken[0]:.2f} | {taken[1]:.2f} | {count / taken[1]:.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, default=3000)
    count = parser.parse_args().elements
    elements = list(islice(cycle(SENTENCES.read_text(encoding="utf-8").splitlines()), count))
    print("| what | number | seconds | of the processor | a second |")
    print("| --- | --- | --- | --- | --- |")
    row("loading the parser", 1, timed(lambda: grammar.parsed(["A door opens."])))
    row("parsing alone", count, timed(lambda: grammar.parsed(elements)))
    row("compressions", count, timed(lambda: compressions(elements)))
    for words in (100, 250, 500, 1000):
        units = tuple(
            Unit(1, 100, tuple(Group((at,)) for at in range(1, words)) if not at else ()) for at in range(words)
        )
        row(f"the knapsack, {words} units under one", words, timed(lambda units=units: best_of_each_size(units, 0)))
    long = "The tired man walks slowly " + " and ".join(["past the old house on the dark hill"] * 55) + "."
    row(f"a sentence of {grammar.word_count(long)} words", 1, timed(lambda: compressions([long])))


if __name__ == "__main__":
    main()
