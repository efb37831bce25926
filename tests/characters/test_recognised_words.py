"""Words that another program recognised, laid on the words of the cues."""

from __future__ import annotations

from adstudio.characters.recognised_words import words_as_recognised
from adstudio.core.script import Cue
from adstudio.core.word_times import SpokenWord

CUE = Cue("c1", 1000, 3000, "Good evening, Miss Vale!")


def recognised(*words: tuple[str, int, int]) -> list[SpokenWord]:
    return [SpokenWord(text, start, end, 700) for text, start, end in words]


def laid(*words: tuple[str, int, int]) -> list[tuple[str, int, int, int | None]]:
    (found,) = words_as_recognised([CUE], recognised(*words), "en").words
    return [(word.text, word.start, word.end, word.confidence) for word in found.words]


def test_each_word_of_a_cue_gets_the_time_of_the_recognised_word_that_it_is():
    words = (
        ("um", 900, 950),
        ("good", 1100, 1300),
        ("EVENING", 1300, 1700),
        ("miss", 1800, 2000),
        ("vale", 2000, 2400),
    )
    assert laid(*words) == [
        ("Good", 1100, 1300, 700),
        ("evening,", 1300, 1700, 700),
        ("Miss", 1800, 2000, 700),
        ("Vale!", 2000, 2400, 700),
    ]


def test_words_between_two_that_match_share_the_time_and_those_at_an_end_have_none():
    assert laid(("good", 1100, 1300), ("vale", 2000, 2400)) == [
        ("Good", 1100, 1300, 700),
        ("evening,", 1300, 1650, 400),
        ("Miss", 1650, 2000, 400),
        ("Vale!", 2000, 2400, 700),
    ]
    assert laid(("evening", 1300, 1700), ("miss", 1800, 2000)) == [
        ("Good", 1300, 1300, 400),
        ("evening,", 1300, 1700, 700),
        ("Miss", 1800, 2000, 700),
        ("Vale!", 2000, 2000, 400),
    ]


def test_a_cue_of_which_less_than_half_was_recognised_is_not_known():
    assert laid(("vale", 2000, 2400), ("train", 2500, 2600)) == []
    assert laid(("good", 9000, 9100), ("evening", 9100, 9200), ("miss", 9200, 9300), ("vale", 9300, 9400)) == []


def test_a_file_that_has_none_of_the_words_is_of_another_film_however_few_the_cues():
    assert words_as_recognised([CUE], recognised(("nothing", 1100, 1200)), "en").other_sound
    assert not words_as_recognised([], recognised(("nothing", 1100, 1200)), "en").other_sound


def test_words_of_another_film_are_said_to_be_so():
    cues = [Cue(f"c{n}", 3000 * n, 3000 * n + 900, "Good evening, Miss Vale!") for n in range(8)]
    found = words_as_recognised(cues, recognised(("nothing", 100, 200)), "en")
    assert found.other_sound
    assert len(found.unknown) == 8
