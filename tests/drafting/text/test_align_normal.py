"""Words in normal form: the steps of Radford 2023, appendix C, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.drafting.text.align.normalisation import normal_words


def normal(text):
    return " ".join(word.text for word in normal_words(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, WORLD!", "hello world"),
        ("[door slams] Who (softly) is <i>there</i>?", "who is there"),
        ("Uh, hmm, mm, mhm, um... yes", "yes"),
        ("I won't. I can't, shan't; don't!", "i will not i can not shall not do not"),
        ("We're late, they've gone; I'm sure you'll see", "we are late they have gone i am sure you will see"),
        ("Let’s go", "let us go"),
        ("She's here, Anna's dog, he's been away", "she is here anna is dog he has been away"),
        ("He'd go. He'd gone.", "he would go he had gone"),
        ("gonna wanna gotta", "going to want to got to"),
        ("Mr. and Mrs. Smith, Dr. No, ma'am", "mister and missus smith doctor no madam"),
        ("Café naïve Søren", "cafe naive soren"),
        ("well-known — really…yes", "well known really yes"),
        ("o'clock", "o clock"),
        ("twenty-five", "25"),
        ("one hundred and five men", "105 men"),
        ("nineteen eighty-four", "1984"),
        ("two thousand and one", "2001"),
        ("one two three", "123"),
        ("the twenty-first", "the 21st"),
        ("first, second, third, eleventh", "1st 2nd 3rd 11th"),
        ("the nineties", "the 90s"),
        ("three point one four", "3.14"),
        ("two and a half", "2.5"),
        ("seven oh five", "705"),
        ("Oh no", "oh no"),
        ("Ten thousand dollars", "$10000"),
        ("five per cent, six percent", "5% 6%"),
        ("20 thousand", "20000"),
        ("1,200", "1200"),
        ("minus two", "-2"),
        ("no one, the one and only", "no one the one and only"),
        ("the colour of my neighbour's grey pyjamas", "the color of my neighbor is gray pajamas"),
        ("He realised the theatre was cancelled", "he realized the theater was canceled"),
        ("our four hours, promise, surprise, here, more", "our 4 hours promise surprise here more"),
        ("analyse the defence programme", "analyze the defense program"),
        ("行くよ", "行 く よ"),
        ("Ça va, l'homme", "ca va l homme"),
        ("♪ ... ♪", ""),
        ("", ""),
    ],
)
def test_normal_form(text, expected):
    assert normal(text) == expected


def test_each_word_knows_where_it_stands():
    text = "(so) I don't know."
    words = normal_words(text)
    assert [word.text for word in words] == ["i", "do", "not", "know"]
    assert text[words[0].start : words[0].end] == "I"
    assert text[words[3].start : words[3].end].rstrip(".") == "know"
    assert (words[1].start, words[2].end) == (7, 12)  # both halves of “don't”
    assert words[1].end <= words[2].start + 1


def test_a_number_stands_where_its_words_stand():
    text = "at twenty five past"
    word = normal_words(text)[1]
    assert (word.text, text[word.start : word.end]) == ("25", "twenty five")


def test_hostile_text_is_read_in_good_time():
    assert normal("[" * 50_000) == ""
    assert len(normal_words("a" * 100_000)) == 1
    assert normal_words("one " * 20_000)[0].text.startswith("111")
    assert normal_words("hundred " * 20_000)


NUMBER_WORDS = """
zero one two nine ten nineteen twenty ninety hundred thousand trillion and a half point first fifth twelfth thirtieth
sixties oh o double triple minus negative dollars cent per percent 5 2.5 1900 ¾ ٣ '
"""


@given(st.lists(st.sampled_from(NUMBER_WORDS.split()), max_size=12))
def test_no_run_of_number_words_fails_or_loses_its_place(words):
    text = " ".join(words)
    found = normal_words(text)
    assert all(0 <= word.start <= word.end <= len(text) for word in found)
    assert [word.start for word in found] == sorted(word.start for word in found)


@given(st.text(max_size=60))
def test_any_text_has_a_normal_form(text):
    for word in normal_words(text):
        assert word.text
        assert 0 <= word.start <= word.end <= len(text)
