"""Words, counted by hand in several languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.words import count_words, spoken_ms, words


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" \t\n ", 0),
        ("— … / - ! ?", 0),
        ("She parks.", 2),
        ("Salander parks her motorbike, and takes off her crash-helmet.", 9),
        ("She parks—then stops.", 4),
        ("She parks – then stops.", 4),
        ("She parks--then stops.", 4),
        ("Wait…what?", 2),
        ("Wait...what?", 2),
        ("and/or", 2),
        ("It's 3.5 km, isn't it?", 5),
        ("At 10:30 p.m. on 24/7 duty", 7),
        ("“Quoted,” he says.", 3),
        ("non\u00a0breaking", 2),
        ("line\nbreak\r\nhere", 3),
        ("Sie trägt ein Straßenkleid.", 4),
        ("L'homme s'arrête à l'entrée.", 4),
        ("¿Dónde está el niño?", 4),
        ("Она открывает дверь.", 3),
        ("היא פותחת את הדלת.", 4),
        ("تفتح الباب ببطء", 3),
        ("그녀는 문을 연다.", 3),
        ("वह दरवाज़ा खोलती है।", 4),
        ("彼女は走る。", 3),  # five characters: two and a half pairs
        ("她打开门。", 2),  # four characters
        ("เธอ", 2),  # three characters
        ("彼女はCDを買う", 5),  # three characters, one Latin word, three characters
        ("♪ ♪", 0),
        ("🙂 smile", 1),
        ("a", 1),
        ("½", 1),
    ],
)
def test_worked_out_counts(text: str, count: int) -> None:
    assert count_words(text) == count


def test_words_keep_their_order_and_punctuation() -> None:
    assert words("“Stop,” she says – now!") == ["“Stop,”", "she", "says", "now!"]


@pytest.mark.parametrize(
    ("text", "rate", "ms"),
    [
        ("one", 200, 300),
        ("one two three", 200, 900),
        ("one", 180, 334),  # 333.3 ms, rounded up
        ("one two three", 180, 1000),
        ("", 200, 0),
    ],
)
def test_speaking_time(text: str, rate: int, ms: int) -> None:
    assert spoken_ms(text, rate) == ms


@given(st.text(max_size=200), st.text(max_size=200))
def test_texts_on_lines_of_their_own_add_up(first: str, second: str) -> None:
    # After a space they need not: “3 ½” is said as one number.
    assert count_words(first + "\n" + second) == count_words(first) + count_words(second)


@given(st.text(max_size=200))
def test_every_word_says_something(text: str) -> None:
    assert all(any(char.isalnum() for char in word) or len(word) <= 2 for word in words(text))
