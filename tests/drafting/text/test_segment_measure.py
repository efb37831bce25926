from __future__ import annotations

import importlib.util
from pathlib import Path

from element_agreement import (
    Agreement,
    boundaries,
    exact,
    overlap,
    split_at_commas,
    split_at_sentences,
)

from adstudio.drafting.text.segment.elements import elements_of

TEXT = "ab cd, ef gh."  # without white space: "abcd," 5, "efgh." 5
WHOLE = ((0, 13),)
HALVES = ((0, 6), (7, 13))


def test_character_level_f1_by_hand():
    assert exact(TEXT, HALVES, HALVES) == Agreement(10, 10, 10)
    assert exact(TEXT, WHOLE, HALVES) == Agreement(0, 10, 10)
    # One element can be matched with one gold element only: 5 of the 10 characters are right.
    assert overlap(TEXT, WHOLE, HALVES) == Agreement(5, 10, 10)
    assert overlap(TEXT, ((0, 2), (3, 13)), HALVES) == Agreement(2 + 5, 10, 10)
    assert (Agreement(5, 10, 10) + Agreement(1, 2, 6)).f1 == 2 * 6 / (12 + 16)
    assert Agreement(0, 0, 0).f1 == 1.0


def test_boundaries_by_hand():
    assert boundaries(HALVES, HALVES) == Agreement(1, 1, 1)
    assert boundaries(((0, 2), (3, 13)), HALVES) == Agreement(0, 1, 1)


def test_the_baselines():
    text = "He sits, and reads. She goes."
    assert [text[a:b] for a, b in split_at_commas(text)] == ["He sits,", "and reads.", "She goes."]
    assert [text[a:b] for a, b in split_at_sentences(text)] == ["He sits, and reads.", "She goes."]


def test_elements_agree_with_the_gold_set_better_than_either_baseline():
    path = Path(__file__).parents[2] / "bench" / "segmentation.py"
    spec = importlib.util.spec_from_file_location("segmentation_bench", path)
    assert spec is not None
    assert spec.loader is not None
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    for part in bench.PARTS:
        for text, gold in bench.gold_set(part):
            ours = tuple((one.start, one.end) for one in elements_of([text])[0])
            for baseline in (split_at_commas(text), split_at_sentences(text)):
                assert exact(text, ours, gold).right >= exact(text, baseline, gold).right, text
