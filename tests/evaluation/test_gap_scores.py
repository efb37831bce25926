"""What is said in gaps, and CIDEr worked out by hand."""

from __future__ import annotations

import sys
from math import exp, log, sqrt

import pytest
from word_scorer import film, said, spoken

from adstudio.core.timebase import Span
from adstudio.evaluation.gap_scores import cider, compared_gaps, texts_by_gap
from adstudio.evaluation.text_scoring import ScoringError

GAPS = [Span(10_000, 20_000), Span(21_000, 30_000)]


@pytest.fixture
def library() -> None:
    pytest.importorskip("pycocoevalcap.cider.cider", reason="the extra `eval` is not installed")


def test_texts_of_a_gap_are_joined_in_order_of_time_and_may_belong_to_two():
    lines = said((11, 12, "one"), (13, 14, "two"), (20, 21, "both"), (22, 23, "three"), (40, 41, "nowhere"))
    texts = [line.text for line in lines]
    assert texts_by_gap(lines, texts, GAPS) == ("one two both", "both three")


def test_a_text_without_tokens_leaves_no_second_space():
    assert texts_by_gap(said((11, 12, "…"), (13, 14, "x")), ["", "x"], GAPS) == ("x", "")


def test_every_gap_is_listed_with_what_is_said_in_it():
    one = film(
        {"uk": said((1, 2, "A dog."), (7, 8, "It barks."))},
        {"draft": said((6.5, 8, "Bark!")), "empty": ()},
        dialogue=spoken((3, 6)),
        bounds=(0, 5, 10),
    )
    gaps = compared_gaps(one)
    assert [(gap.sequence, gap.gap.start, gap.gap.end) for gap in gaps] == [("s1", 0, 3_000), ("s2", 6_000, 10_000)]
    assert [gap.references for gap in gaps] == [{"uk": "A dog."}, {"uk": "It barks."}]
    assert [gap.systems for gap in gaps] == [{}, {"draft": "Bark!"}]


def test_cider_of_two_gaps_by_hand(library: None):
    """Two gaps, so that a word of one of them weighs log(2 / 1) = L, and cosines need no logarithm."""
    # Gap 1: against “a b” the cosines are 1, 1, 0, 0 for n = 1…4 (there are no longer n-grams), against the empty
    # reference all are 0: (2 / 4 + 0) / 2 references × 10 × 100 = 250.
    # Gap 2: against “c d” the unigrams have c in common, L² / (√2 L · √2 L) = 1/2, and no bigram; against “c e” the
    # cosines are 1, 1, 0, 0: (0.5 / 4 + 2 / 4) / 2 × 1000 = 312.5.
    assert cider([["a b", ""], ["c d", "c e"]], ["a b", "c e"]) == pytest.approx([250, 312.5])


def test_cider_weighs_rare_words_and_damps_a_difference_in_length(library: None):
    """Three gaps: “the” is said in two of them and weighs log(3 / 2), “dog” in one and weighs log 3."""
    the, dog = log(3 / 2), log(3)
    # “the” against “the dog”: cosine the² / (the · √(the² + dog²)); lengths are counted in bigrams, 0 and 1, so that
    # the damping is e^(−1² / (2 · 6²)); no other n.
    expected = 1000 * (the / sqrt(the**2 + dog**2)) * exp(-1 / 72) / 4
    assert cider([["the dog"], ["the cat"], ["a man"]], ["the", "", ""]) == pytest.approx([expected, 0, 0])


def test_cider_clips_a_word_that_is_said_too_often(library: None):
    # “a a” against “a b” in two gaps: min(2L, L) · L / (2L · √2 L) = 1 / (2√2); the bigram “a a” is not there.
    assert cider([["a b"], ["c"]], ["a a", ""])[0] == pytest.approx(1000 / (2 * sqrt(2)) / 4)


def test_cider_of_the_same_words_is_1000_and_of_silence_0(library: None):
    references = [["he opens the door slowly"], ["she looks at him now"]]
    assert cider(references, [texts[0] for texts in references]) == pytest.approx([1000, 1000])
    assert cider(references, ["", ""]) == [0, 0]


def test_cider_of_one_gap_is_0_as_no_word_is_rare(library: None):
    assert cider([["he opens the door"]], ["he opens the door"]) == [0]  # every weight is log(1 / 1)


def test_no_gap_has_no_cider():
    assert cider([], []) == []


def test_without_the_package_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pycocoevalcap.cider", None)
    with pytest.raises(ScoringError, match=r"-m pip install .adstudio\[eval\]."):
        cider([["a"]], ["a"])
