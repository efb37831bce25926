"""Sentences put together from parts, and any text at all."""

from __future__ import annotations

from itertools import pairwise

from compression_checklist import faults
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adstudio.drafting.text.compress.shorten import compressions
from adstudio.drafting.text.language.grammar import word_count

SUBJECTS = ("Anna", "The old man", "A tall woman in a long coat", "Two soldiers", "His brother", "The red car")
VERBS = ("opens the heavy door", "does not see the boy", "puts a glass on the table", "never looks up",
         "picks up a small stone", "is very tired", "walks away", "hands Tom a letter")  # fmt: skip
EXTRAS = ("", " slowly", " in the dark", " with a smile", " while the dog sleeps", ", looking at the old clock",
          " and leaves the room", " near the house that burns", " without a word", ", her face pale")  # fmt: skip
COMPOSED = st.builds(
    "{} {}{}{}.".format,
    st.sampled_from(SUBJECTS),
    st.sampled_from(VERBS),
    st.sampled_from(EXTRAS),
    st.sampled_from(EXTRAS),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(COMPOSED, min_size=1, max_size=4))
def test_composed_sentences(sentences):
    for full, several in zip(sentences, compressions(sentences, names=["Anna", "Tom"]), strict=True):
        assert all(not faults(full, one.text, one.rate, ["Anna", "Tom"]) for one in several)
        assert all(longer > shorter for longer, shorter in pairwise(word_count(one.text) for one in several))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=120))
def test_any_text_at_all(text):
    for several in compressions([text]):
        assert all(word_count(one.text) < word_count(text) for one in several)


DISORDER = (
    'the a old man runs "stop" and , ; — ( ) not Anna , who with without to of in 5 p.m. Mr. ’s n’t don’t ... ? !'
)
PIECES = st.sampled_from(DISORDER.split())


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_words_in_disorder(text):
    for several in compressions([text], names=["Anna"]):
        for one in several:
            assert ("Anna" in one.text) == ("Anna" in text)
            assert word_count(one.text) < word_count(text)
