"""Paragraphs that are for the makers: credits, cast lists, notes, numbers, shots, sounds."""

from __future__ import annotations

import pytest

from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Screenplay


def read(*paragraphs: str) -> Screenplay:
    return parse_screenplay("\n\n".join(("INT. HALL - DAY", *paragraphs)).encode(), "film.fountain")


def action(screenplay: Screenplay) -> list[str]:
    return [part.text for scene in screenplay.scenes for part in scene.parts if isinstance(part, Action)]


LEFT_OUT = [
    *("Written by Ben Smith", "Screenplay and Story by\nBen Smith", "Scritto da Anna Rossi", "Copyright (c) 2024 Ben"),
    *("All rights reserved.", "WGA Registered #12345", "ben@example.com", "TO BE CONTINUED...", "https://a.example/b"),
    *("V.O.", "PAGE 12.", "12A", "OMITTED", "12 OMITTED", "(music swells)", "(beat)", "[sound of rain]"),
    *("Note: check this.", "REVERSE ANGLE", "WIDE SHOT", "TWO SHOT - MARY AND BEN", "AERIAL SHOT: THE CITY"),
    *("ANGLE ON - BEN", "CLOSE-UP: MARY'S HAND", "<!-- a comment -->"),
    *("Written, edited and produced by Ben Lee", "Written and illustrated by Ben Smith", "Book by Ben Smith"),
]


@pytest.mark.parametrize("paragraph", LEFT_OUT)
def test_a_paragraph_for_the_makers_is_left_out_and_listed(paragraph: str):
    found = read("Ben sits.", paragraph, "Mary stands.")
    assert action(found) == ["Ben sits.", "Mary stands."]
    (oddity,) = found.oddities
    assert " ".join(paragraph.split()) in oddity.what


def test_to_black_is_a_transition():
    assert action(read("Ben sits.", "TO BLACK.")) == ["Ben sits."]


STAYS = [
    *("Written by a child, the note is short.", "By the door stands Ben.", "A script lies on the floor."),
    *("(Ben turns the music off.)", "Music fills the hall.", "A GUN SHOT.", "Wide shot glasses fill the bar."),
    *("Page 12 is torn.", "Registered nurses march in.", "A note: three words.", "Ben, 30, sits.", "MARY, 30s, sits."),
    *("The film ends.", "Ben: a tall man.", "Cast iron pans hang there."),
    *("Written and torn by the child, it flies.", "A book by the bed glows", "Music drifts by"),
]


@pytest.mark.parametrize("paragraph", STAYS)
def test_action_with_the_same_words_stays(paragraph: str):
    assert action(read("Ben sits.", paragraph)) == ["Ben sits.", paragraph]


CAST_LINES = ["BEN ........ John Smith", "MARY, 30s, a baker.", "MARIE : Anne Dupont", "Мария — Анна Смирнова"]


ENDS = ["THE END", "FIN", "ENDE", "FINE", "КОНЕЦ", "FINAL", "KRAJ", "Sfârșit"]
HEADINGS = ["CAST", "The Cast", "DRAMATIS PERSONAE", "В РОЛЯХ", "ROLVERDELING", "Darsteller", "DISTRIBUTION"]


@pytest.mark.parametrize("end", ENDS + HEADINGS)
def test_the_cast_after_the_end_or_a_heading_is_left_out_and_listed(end: str):
    found = read("Ben sits.", end, *CAST_LINES, "Written by Ben Smith")
    assert action(found) == ["Ben sits."]
    assert any("BEN ........ John Smith" in oddity.what for oddity in found.oddities)


def test_a_cast_list_directly_below_its_heading():
    assert action(read("Cast:\nBEN ..... John Smith\nMARY ..... Ann Lee", "MAX ..... Tim Roe", "Ben sits.")) == [
        "Ben sits."
    ]


def test_a_cast_heading_above_its_lines_is_no_speaker():
    found = read("Ben sits.", "CAST OF CHARACTERS\nBEN ..... John Smith", "MARY ..... Ann Lee")
    assert [part.text for scene in found.scenes for part in scene.parts] == ["Ben sits."]


def test_marks_in_double_spaced_rows_are_paragraphs_of_their_own():
    speeches = [f"{' ' * 20}{name}\n{' ' * 10}Hello." for name in ("BEN", "MARY")]
    rows = ("Ben sits.", speeches[0], "Mary stands.", speeches[1], "12A", "CLOSE-UP: MARY'S HAND", "Note: check this.")
    found = parse_screenplay("\n\n".join(("INT. HALL - DAY", *rows)).encode(), "film.txt")
    assert action(found) == ["Ben sits.", "Mary stands."]


def test_a_cast_list_ends_with_the_first_other_paragraph_or_heading():
    found = read(
        "CAST", "BEN ..... John Smith", "Ben sits.", "MARY, 30s, sits.", "THE END", "EXT. SEA - DAY", "BEN, 9, swims."
    )
    assert action(found) == ["Ben sits.", "MARY, 30s, sits.", "BEN, 9, swims."]


def test_a_credit_that_goes_on_for_ever_is_read_in_time_that_grows_with_its_length():
    endless = [f"Written{', and written' * 12_000}", f"Written{' and and' * 12_000}", f"Written and {'a' * 100_000}"]
    assert action(read(*endless)) == endless


def test_each_entry_of_a_list_is_a_paragraph_without_its_mark():
    found = read(
        "Geese cross the yard:\n- Grey ones with a limp\n- A white one", "- A dog naps.", "Ida looks up\n- and sighs."
    )
    assert action(found) == [
        *("Geese cross the yard:", "Grey ones with a limp", "A white one", "A dog naps.", "Ida looks up - and sighs.")
    ]


def test_a_centred_sentence_in_capitals_is_a_card_and_no_action():
    found = read("Ida waits.", "> THE TOWN SLEEPS. A GOOSE IS GONE. <", "> Ida sleeps. <")
    assert action(found) == ["Ida waits.", "Ida sleeps."]
    assert "THE TOWN SLEEPS" in " ".join(each.what for each in found.oddities)
