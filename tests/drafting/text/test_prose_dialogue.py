"""Dialogue that a description gives behind names, as scripts do, is not narrated; captions stay."""

from __future__ import annotations

import pytest

from adstudio.core.script import Cue
from adstudio.drafting.text.ground.prose import Prose, parse_prose
from adstudio.drafting.text.ground.section_reader import Section
from adstudio.drafting.text.prose_dialogue import dialogue_lines, spoken_words
from adstudio.drafting.text.prose_speech import without_speech

CUES = (
    Cue("c1", 11_200, 14_520, "Good evening, Miss Vale. Lost\nsomething again?"),
    Cue("c2", 14_720, 18_760, "My umbrella. The red one. I left\nit on the six-forty."),
    Cue("c3", 20_000, 20_400, "Red…"),
    Cue("c4", 28_000, 30_360, "No. Nothing red, I'm afraid."),
)


def left(text: str, cues: tuple[Cue, ...] = CUES) -> list[tuple[str, str]]:
    return [(section.text, section.cue) for section in without_speech(parse_prose(text), cues).sections]


def test_lines_behind_names_are_speech_where_the_film_says_them():
    script = "TOM: Good evening.\nNORA: My umbrella. The red one. I left it on the six-forty.\nTOM: Red...\nHe nods."
    # “Red…” could be said anywhere: the words of the speech before it say when he nods.
    assert left(script) == [("He nods.", "My umbrella. The red one. I left it on the six-forty.")]
    (told,) = without_speech(parse_prose(script), CUES).oddities
    assert told.what.startswith("3 sentences report what somebody says")


def test_a_direction_in_brackets_and_small_letters_do_not_hide_it():
    text = "Nora enters.\n\nNora: (sadly) My umbrella. The red one.\n\nTom writes."
    assert left(text) == [("Nora enters.", ""), ("Tom writes.", "My umbrella. The red one.")]


def test_a_speech_goes_on_over_lines():
    text = "Nora enters.\nNORA: My umbrella. The red one.\nI left it on\nthe six-forty.\nTom looks down."
    said = "My umbrella. The red one. I left it on the six-forty."
    assert left(text) == [("Nora enters.", ""), ("Tom looks down.", said)]


def test_two_short_ones_of_people_whom_the_text_names_are_speech():
    text = "NORA enters, and Tom looks up.\nTOM: Good evening.\nNora: (sadly) Good evening."
    assert left(text) == [("NORA enters, and Tom looks up.", "")]


def test_three_lines_of_people_who_come_back_are_speech_without_subtitles():
    text = "IDA: Well?\nBEN: Not now.\nIDA: When?\nBEN: Soon.\n\nA dog runs past."
    assert left(text, ()) == [("A dog runs past.", "")]
    cast = (Cue("c1", 0, 900, "Hm.", speaker="Ida"), Cue("c2", 1_000, 1_900, "Hm.", speaker="Ben"))
    assert left("Ida: Well?\nBen: Not now.\nIda: When?\n\nA dog runs past.", cast) == [("A dog runs past.", "")]


@pytest.mark.parametrize(
    "text",
    [
        "The sign: LOST PROPERTY",
        "Sign: Nothing red, I'm afraid.",
        "Later: the yard",
        "Tom: Red...",
        "Later: the yard.\nLater: the house.\nMeanwhile: a boat.\nMeanwhile: a car.",
        "Narrator: A woman runs.\nNarrator: A man writes.\nNarrator: Rain.",
        "Ida: a woman of sixty in a coat.",
        "The ledger. Scarf, grey: N. Vale.",
    ],
)
def test_a_caption_a_jump_in_time_and_a_narrators_mark_stay(text: str):
    assert [each for each, _ in left(text)] == [section.text for section in parse_prose(text).sections]
    assert not without_speech(parse_prose(text), CUES).oddities


def test_lines_begin_where_the_text_says():
    (section,) = parse_prose("One  *two*.\nThree.\n  Four.").sections
    assert [section.text[at:] for at in section.breaks] == ["Three. Four.", "Four."]


def test_twenty_thousand_different_names_take_no_longer_than_they_are_long():
    sections = tuple(
        Section(f"Caption{chr(65 + n % 26)}{n}: what nobody says anywhere in this film.", n + 1, "")
        for n in range(20_000)
    )
    assert dialogue_lines(Prose(sections), CUES, spoken_words(CUES)) == {}
