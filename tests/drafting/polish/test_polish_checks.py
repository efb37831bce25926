"""Which polished lines may be proposed: time, sentence, tense, names, language; and whatever else a model may write."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.words import count_words
from adstudio.drafting.polish.checks import NO_SUBJECT, NO_VERB, RUNS_ON, check, english
from adstudio.drafting.polish.passage import Passage, Unusable, Wanted, Worded

FULL = "Severus Snape rises from his seat beside the fire."
WANTED = Wanted("p01", "Rises from seat.", (FULL,), 2_400, 8, named=frozenset({"hagrid"}))


def looked_at(text, wanted=WANTED, **passage):
    return check(wanted, text, Passage("s1", (wanted,), people=frozenset({"snape", "minerva"}), **passage),
                 grammar=lambda _text: ("", ""))  # fmt: skip


def test_what_fits_and_says_the_same_is_proposed():
    assert looked_at("Snape rises from his seat.") == Worded("p01", "Snape rises from his seat.")
    assert looked_at("  Snape rises\nfrom his seat. ").text == "Snape rises from his seat."
    assert looked_at("Rises from seat.").unusable is Unusable.UNCHANGED
    assert looked_at("Beside Hagrid, Snape rises from his seat.").good, "the lines before it name him"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "is missing"),
        (7, "is missing"),
        ("  ", "is missing"),
        ("…", "is no text"),
        ("Snape rises\x07.", "is no text"),
        ("Snape rises. " * 40, "is longer than 400 characters"),
        ("Snape rises. He leaves.", "is more than one sentence"),
        ("Snape rises from his seat and looks around.", ""),
        (
            "Snape rises from his seat beside the big fire.",
            "has 9 words where at most 8 fit: it lasts 2.7 s and there are 2.4 s",
        ),
        ("snape rises from his seat.", "has no capital"),
        ("Snape rises from his seat", "has no full stop"),
        ("Snape rises “from his seat.", "has quotes that do not balance"),
        ("Snape “rises” from his seat.", "quotes what is not quoted in the line"),
        ("He rises from the seat by Dumbledore.", "names “Dumbledore”"),
        ("Minerva rises from her seat.", "names “Minerva”"),
        ("We see Snape rise from his seat.", "says “we”: description is in the third person"),
        ("Она встаёт со своего места.", "is not in the language of the script"),
        ("A green train arrives in town.", "says nothing of what the line says"),
    ],
)
def test_what_cannot_be_proposed_says_why(text, why):
    found = looked_at(text)
    assert found.good == (not why)
    assert found.why.startswith(why)


def test_inside_a_passage_a_sentence_may_run_on_into_the_next_line():
    ahead, behind = replace(WANTED, leads_on=True), replace(WANTED, goes_on=True)
    assert looked_at("Snape rises from his seat").why == "has no full stop"
    assert looked_at("Snape rises from his seat,", ahead) == Worded(
        "p01", "Snape rises from his seat,", remarks=(RUNS_ON,)
    )
    assert looked_at("and rises from his seat.").why == "has no capital"
    assert looked_at("and rises from his seat.", behind) == Worded("p01", "and rises from his seat.")
    assert looked_at("and rises from his seat", behind).why == "has no full stop"
    ran_on = replace(ahead, text="Rises from seat,")
    assert looked_at("Snape rises from his seat,", ran_on).remarks == (), "it did so before"


def test_a_line_ends_as_its_language_ends_sentences():
    wanted = Wanted("p01", "उठता है।", ("अन्ना कुर्सी से उठती है।",), 3_000, 10)
    assert looked_at("अन्ना धीरे से उठती है।", wanted, language="hi").good
    assert looked_at("अन्ना उठती है। वह जाती है।", wanted, language="hi").why == "is more than one sentence"


def test_another_languages_line_is_told_by_its_small_words():
    wanted = Wanted("p01", "Steht auf.", ("Anna steht auf und geht zu der Tür.",), 3_000, 10)
    assert looked_at("Anna steht auf und geht zur Tür.", wanted, language="de").good
    english_one = looked_at("Anna is on the way to the door.", wanted, language="de-AT")
    assert english_one.why == "is not in the language of the script"


def test_much_that_is_new_is_remarked_on_and_little_is_not():
    assert looked_at("Tall, Snape rises from his seat.").remarks == ()
    assert looked_at("Grim Snape rises, smirking, brushing ash.").remarks == (
        "It says more than the line did: grim, smirking, brushing, ash.",
    )


@pytest.mark.parametrize(
    ("text", "fault", "remark"),
    [
        ("Snape rises from his seat.", "", ""),
        ("She parks her scooter and takes a package.", "", ""),
        ("She walked to the door.", "is not in the present tense: “walked”", ""),
        ("He will open the letter.", "is not in the present tense: “will”", ""),
        ("She was waiting.", "is not in the present tense: “was”", ""),
        ("The door is closed.", "", ""),
        ("Anna put the cup down.", "", ""),
        ("The sign reads “We closed.”", "", ""),
        ("Rises from seat.", "", NO_SUBJECT),
        ("A dark corridor.", "", NO_VERB),
    ],
)
def test_tense_and_subject_as_the_parser_sees_them(text, fault, remark):
    assert english(text) == (fault, remark)


@given(st.one_of(st.none(), st.integers(), st.text(max_size=500), st.lists(st.text(max_size=3), max_size=3)))
def test_whatever_comes_is_proposed_only_if_it_fits(given_text):
    found = looked_at(given_text)
    assert bool(found.text) != bool(found.why)
    if found.good:
        assert 0 < count_words(found.text) <= 8
        assert "\n" not in found.text


@given(st.text(alphabet="Snape rises from his seat.,;:“”…!?-\u2028é", max_size=60))
def test_texts_of_the_lines_own_letters_are_read_too(text):
    found = looked_at(text)
    assert bool(found.text) != bool(found.why)
