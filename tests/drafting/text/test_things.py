"""What it means, said in its place, so that a line can be spoken without the one before it. Our own sentences."""

from __future__ import annotations

import pytest
from test_wording import texts, worded

from adstudio.drafting.text.segment.sentence_kind import SentenceKind


@pytest.mark.parametrize(
    ("paragraph", "last"),
    [
        (
            "Tom takes the glove from his coat and lays it on the empty bench.",
            "Tom lays the glove on the empty bench.",
        ),
        ("Tom finds a red leather glove. He turns it over.", "Tom turns the leather glove over."),
        ("Tom finds a glove. He lifts it. He drops it in the river.", "Tom drops the glove in the river."),
        ("A telephone rings. Nora picks it up.", "Nora picks the telephone up."),
        ("Tom lifts a glove. He sees Nora in the rain. He runs out with it.", "Tom runs out with the glove."),
        ("A lantern stands on the sill. It flickers.", "The lantern flickers."),
        ("A hand lays a wet glove on the counter. Then, beside it, a hat.", "Beside the glove, a hat."),
        ("Tom stares past the stove at the clock. Beside it, a wreath.", "Beside the clock, a wreath."),
    ],
)
def test_it_is_the_one_thing_that_the_line_before_speaks_of(paragraph, last):
    assert texts(paragraph)[-1] == last


@pytest.mark.parametrize(
    "paragraph",
    [
        "Tom looks from the window to Nora. He runs out with it.",
        "The page says: supper for two. Nora signs it.",
        "Names are engraved on a plaque. Nora touches it.",
        "Tom looks into everything. It is a pretty smile.",
    ],
)
def test_it_stays_where_its_thing_is_only_passed_or_written(paragraph):
    assert "it" in texts(paragraph)[-1].rstrip(".").lower().split()


def test_a_line_whose_it_may_be_one_of_two_things_says_neither_and_is_none_by_itself():
    last = worded("The key hangs beside the map. Nora looks at it.").elements[-1]
    assert (last.text, last.kind) == ("Nora looks at it.", SentenceKind.UNNAMED)


@pytest.mark.parametrize(
    "paragraph",
    [
        "Twelve geese cross the road. One hits a postman.",
        "The guests stand up. Others clap.",
        "A coin rolls away. Two more coins follow.",
        "The lamp and the vase stand on the sill. It is old and cracked.",
    ],
)
def test_a_line_about_some_of_what_another_names_is_none_by_itself(paragraph):
    assert worded(paragraph).elements[-1].kind is SentenceKind.UNNAMED


@pytest.mark.parametrize("text", ["Nora laughs it off.", "Tom makes it.", "One of the geese bites a postman."])
def test_it_of_an_idiom_lacks_nothing_and_neither_does_who_is_one_of_those_it_names(text):
    assert worded(text).elements[-1].kind is SentenceKind.SEEN


def test_a_line_about_what_neither_it_nor_the_line_before_names_is_none_by_itself():
    assert worded("Nora waits. Tom waves. Ruth kisses it.").elements[-1].kind is SentenceKind.UNNAMED


@pytest.mark.parametrize("text", ["It is raining.", "It is Tom.", "The lamp falls and Nora lifts it."])
def test_it_that_stands_for_nothing_or_follows_its_thing_is_let_be(text):
    assert worded(text).elements[-1].kind is SentenceKind.SEEN


def test_the_breath_that_says_both_lines_keeps_its_it():
    found = worded("Tom takes the glove and lays it on the bench.")
    assert [each.text for each in found.fused] == ["Tom takes the glove and lays it on the bench."]
