"""Headings of shots that are part of a sentence."""

from __future__ import annotations

import pytest

from adstudio.drafting.text.shot_headings import with_shot_headings, with_shouted_ends
from adstudio.drafting.text.text_drafting import Footage, from_screenplay
from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import Action, ScreenplayScene, Speech


def scenes(*pairs: tuple[str, str]) -> list[ScreenplayScene]:
    return [ScreenplayScene(heading, (Action(text),)) for heading, text in pairs]


@pytest.mark.parametrize(
    ("before", "heading", "text", "found"),
    [
        ("Ida waits.", "THE CART", "begins to roll.", {(1, 0): "THE CART begins to roll."}),
        ("Ida waits.", "INSIDE", "it is dark.", {(1, 0): "INSIDE it is dark."}),
        ("Ida watches as", "THE CART", "begins to roll.", {(1, 0): "THE CART begins to roll."}),
        (
            "Ida turns and is faced with",
            "A BULL.",
            "It lowers its head.",
            {(0, 0): "Ida turns and is faced with A BULL."},
        ),
        (
            "Ida points the telescope towards",
            "A LIGHTHOUSE",
            "with a red lamp.",
            {(0, 0): "Ida points the telescope towards A LIGHTHOUSE with a red lamp.", (1, 0): ""},
        ),
        ("Ida waits.", "THE CART", "It begins to roll.", {}),
        ("Ida turns and is faced with", "INT. BARN - DAY", "A bull lowers its head.", {}),
        ("Ida waits.", "INT. BARN - DAY", "a bull lowers its head.", {}),
    ],
)
def test_a_heading_goes_where_the_sentence_is_torn(before, heading, text, found):
    others = [("INT. HALL - DAY", "Ida sits.")] * 3
    assert with_shot_headings(scenes(("EXT. YARD - DAY", before), (heading, text), *others)) == found


def test_whoever_writes_without_capitals_tears_no_sentence():
    assert with_shot_headings(scenes(("THE YARD", "ida waits."), ("THE BARN", "ida sleeps."))) == {}


def test_a_heading_before_a_speech_belongs_to_no_sentence():
    found = scenes(("EXT. YARD - DAY", "Ida turns to"), ("THE BULL", "x"))
    assert with_shot_headings([found[0], ScreenplayScene("THE BULL", (Speech("IDA", "Oh."),))]) == {
        (0, 0): "Ida turns to THE BULL"
    }


def test_a_draft_says_who_does_what_a_torn_sentence_tells():
    text = (
        "EXT. FORT - DAY\n\nIda waits at the gate. She points the telescope towards\n\n.A LIGHTHOUSE\n\nwith a lamp."
        "\n\n.THE CART\n\nbegins to roll.\n\nIDA\nIt moves by itself.\n\nIda stares.\n"
    )
    made = from_screenplay(parse_screenplay(text.encode(), "film.fountain"), Footage(60_000), any_screenplay=True)
    assert [line.variants[0].text for line in made.eventualities] == [
        "Ida waits at the gate.",
        "Ida points the telescope towards a lighthouse with a lamp.",
        "The cart begins to roll.",
        "Ida stares.",
    ]


def test_titles_in_capitals_are_no_lines():
    text = "INT. HALL - DAY\n\nIda waits.\n\n.MAIN TITLES\n\nA FILM BY IDA\n\nA cart rolls past.\n\nIDA\nThere.\n"
    made = from_screenplay(parse_screenplay(text.encode(), "film.fountain"), Footage(60_000), any_screenplay=True)
    assert [line.variants[0].text for line in made.eventualities] == ["Ida waits.", "A cart rolls past."]


def test_a_sentence_that_ends_in_a_paragraph_of_capitals_is_whole():
    parts = (Action("Nora reaches closer and closer until she finally"), Action("RINGS THE BELL."), Action("THE HALL"))
    found = with_shouted_ends((ScreenplayScene("INT. HALL - DAY", parts),))
    assert found == {(0, 0): "Nora reaches closer and closer until she finally RINGS THE BELL.", (0, 1): ""}


def test_capitals_after_a_whole_sentence_are_one_of_their_own():
    parts = (Action("Nora reaches for the bell."), Action("THE BELL FALLS."))
    assert with_shouted_ends((ScreenplayScene("INT. HALL - DAY", parts),)) == {}


@pytest.mark.parametrize(
    ("paragraphs", "found"),
    [
        (
            ("The geese flee as", "TWO BIG HANDS", "reach over the fence. A dog barks."),
            ["The geese flee as TWO BIG HANDS reach over the fence. A dog barks.", "", ""],
        ),
        (
            ("Ida waits.", "TWO BIG HANDS", "reach over the fence."),
            ["Ida waits.", "TWO BIG HANDS reach over the fence.", ""],
        ),
        (("Ida waits.", "TWO BIG HANDS", "They reach over the fence."), None),
    ],
)
def test_capitals_between_two_halves_of_a_sentence_belong_to_it(paragraphs, found):
    scene = ScreenplayScene("EXT. YARD - DAY", tuple(map(Action, paragraphs)))
    said = with_shouted_ends([scene])
    assert [said.get((0, at), text) for at, text in enumerate(paragraphs)] == (found or list(paragraphs))
