"""Compression: what it loses that it must not, how many sentences a second, and how it grows with a sentence's length.

    .venv/bin/python tests/bench/compression.py [--elements 3000] [--losses]

The first two tables (`--losses`: only these) are of our own sentences with the words that must not be lost, those that
the rules were tuned on and those that were set apart: how many have a shorter wording at all, how many of these come
out with the fault (of sound ones: how many lose what they can do without), how many wordings there are, and in how many
the second check alone finds the fault (of sound ones: suspects one). Before these rules and this check were there, the
last columns were as `BEFORE` says.

The elements are the two hundred sentences of the tests, over and over with other numbers of words; a film of two hours
has about three thousand. Beside the clock stands the processor's time, for a machine that has other work.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fakes"))

from compression_gold import HELD_OUT, SOUND, TUNING, GoldSentence, read_gold

from adstudio.drafting.text.compress.film_colours import coloured_things
from adstudio.drafting.text.compress.knapsack import Group, Unit, best_of_each_size
from adstudio.drafting.text.compress.second_check import losses
from adstudio.drafting.text.compress.shorten import compressions
from adstudio.drafting.text.language import grammar

SENTENCES = Path(__file__).parents[1] / "drafting" / "text" / "gold" / "sentences.txt"
BEFORE = {
    "compression_tuning": "phrase 3, degree 1, noun 9, compound 11, colour 20, frame 19, verb 5, sound 63",
    "compression_held_out": "phrase 2, degree 0, noun 5, compound 3, colour 10, frame 12, verb 2, sound 31",
}
"""The column "with the fault" at 8096cd87."""


def is_suspected(sentence: GoldSentence) -> bool:
    """Whether the second check finds fault with the sentence without what is in brackets."""
    (full,), short = grammar.parsed([sentence.text])[0], grammar.parsed([sentence.short])[0]
    things = coloured_things((sentence.text, *sentence.film))
    return len(short) != 1 or bool(losses(full, short[0], things))


def print_losses(path: Path) -> None:
    sentences = read_gold(path)
    print(f"\n{path.stem} (before: {BEFORE[path.stem]})\n")
    print("| kind | sentences | shortened | with the fault | wordings | found by the second check |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind in dict.fromkeys(each.kind for each in sentences):
        those = [each for each in sentences if each.kind == kind]
        several = [[one.text for one in compressions([each.text], film=(each.text, *each.film))[0]] for each in those]
        hit = [
            any(each.drops_what_may_go(text) if kind == SOUND else each.spoils(text) for text in texts)
            for each, texts in zip(those, several, strict=True)
        ]
        figures = (len(those), sum(map(bool, several)), sum(hit), sum(map(len, several)), sum(map(is_suspected, those)))
        print(f"| {kind} | {' | '.join(map(str, figures))} |", flush=True)


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
    parser.add_argument("--losses", action="store_true")
    options = parser.parse_args()
    for path in (TUNING, HELD_OUT):
        print_losses(path)
    if options.losses:
        return
    print()
    count = options.elements
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
