"""Two hundred sentences in the manner of audio description, at each of the five rates."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from compression_checklist import faults_of_all

from adstudio.drafting.text.compress.shorten import Compression, compressions
from adstudio.drafting.text.language.grammar import word_count

SENTENCES = tuple((Path(__file__).parent / "gold" / "sentences.txt").read_text(encoding="utf-8").splitlines())
RATES = tuple(Fraction(tenths, 10) for tenths in (9, 8, 7, 6, 5))


@pytest.fixture(scope="module")
def shortened() -> tuple[tuple[Compression, ...], ...]:
    return compressions(SENTENCES)


def test_there_are_two_hundred_different_ones():
    assert len(SENTENCES) == len(set(SENTENCES)) == 200


def test_every_wording_passes_the_checklist(shortened):
    wordings = [
        (full, one.text, one.rate) for full, several in zip(SENTENCES, shortened, strict=True) for one in several
    ]
    wrong = zip(wordings, faults_of_all(wordings), strict=True)
    assert {wording: found for wording, found in wrong if found} == {}


def test_each_is_within_a_word_of_its_rate(shortened):
    for full, several in zip(SENTENCES, shortened, strict=True):
        for one in several:
            aim = int(word_count(full) * one.rate + Fraction(1, 2))
            assert abs(word_count(one.text) - aim) <= 1, one


def test_rates_fall_lengths_fall_and_no_two_are_alike(shortened):
    for full, several in zip(SENTENCES, shortened, strict=True):
        rates = [one.rate for one in several]
        lengths = [word_count(full), *(word_count(one.text) for one in several)]
        assert set(rates) <= set(RATES)
        assert rates == sorted(set(rates), reverse=True)
        assert all(longer > shorter for longer, shorter in pairwise(lengths))
        assert len({full, *(one.text for one in several)}) == len(several) + 1


def test_most_sentences_can_be_shortened(shortened):
    assert sum(bool(several) for several in shortened) >= 160


def test_twice_the_same_and_alone_as_in_company(shortened):
    assert compressions(SENTENCES) == shortened
    assert compressions(SENTENCES[3:5]) == shortened[3:5]
