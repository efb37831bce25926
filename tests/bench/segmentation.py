"""Cutting into description elements: agreement with the gold set beside two baselines, and sentences a second.

Run: python tests/bench/segmentation.py
"""

from __future__ import annotations

import json
import resource
import sys
import time
from functools import reduce
from operator import add
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fakes"))

import element_agreement as agreement

from adstudio.drafting.text.segment.elements import elements_of

PARTS = ("tuned on", "held out", "second, held out")
GOLD = Path(__file__).parents[1] / "drafting" / "text" / "gold" / "elements.json"


def gold_set(part: str) -> list[tuple[str, tuple[agreement.Interval, ...]]]:
    """The descriptions of one part, with the intervals of their gold elements."""
    found = []
    for description in json.loads(GOLD.read_text())["descriptions"]:
        if description["part"] == part:
            text = " ".join(description["elements"])
            at, intervals = 0, []
            for element in description["elements"]:
                intervals.append((at, at + len(element)))
                at += len(element) + 1
            found.append((text, tuple(intervals)))
    return found


def ours(texts: list[str]) -> list[tuple[agreement.Interval, ...]]:
    """The intervals that the program cuts."""
    return [tuple((one.start, one.end) for one in found) for found in elements_of(texts)]


def main() -> None:
    """Print the tables."""
    print(f"{'part':18} {'cut by':18} {'exact F1':>9} {'overlap F1':>11} {'boundary F1':>12}")
    for part in PARTS:
        pairs = gold_set(part)
        texts = [text for text, _ in pairs]
        for name, cut in (
            ("adstudio", ours(texts)),
            ("commas", [agreement.split_at_commas(text) for text in texts]),
            ("sentences only", [agreement.split_at_sentences(text) for text in texts]),
        ):
            rows = list(zip(texts, cut, (gold for _, gold in pairs), strict=True))
            exact = reduce(add, (agreement.exact(*row) for row in rows)).f1
            overlap = reduce(add, (agreement.overlap(*row) for row in rows)).f1
            starts = reduce(add, (agreement.boundaries(mine, gold) for _, mine, gold in rows)).f1
            print(f"{part:18} {name:18} {100 * exact:9.1f} {100 * overlap:11.1f} {100 * starts:12.1f}")
    texts = [text for part in PARTS for text, _ in gold_set(part)] * 38  # about 3,000 sentences
    before = time.perf_counter()
    cut = elements_of(texts)
    seconds = time.perf_counter() - before
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sentences = sum(len(agreement.split_at_sentences(text)) for text in texts)
    print(
        f"{sentences} sentences, {sum(map(len, cut))} elements: {seconds:.1f} s, {sentences / seconds:.0f} sentences/s"
    )
    print(f"memory at most {memory:.0f} MB")


if __name__ == "__main__":
    main()
