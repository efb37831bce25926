"""What it means, said in its place, so that a line can be spoken without the one before it. Our own sentences."""

from __future__ import annotations

import pytest
from test_wording import NAMES, texts, worded

from adstudio.core.script import Cue
from adstudio.drafting.text.segment.elements import elements_of
from adstudio.drafting.text.segment.sentence_kind import SentenceKind
from adstudio.drafting.text.text_drafting import Footage, from_screenplay
from adstudio.drafting.text.wording.scene_wording import SceneLines, Worded, worded_scenes
from adstudio.screenplay.file import parse_screenplay


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


def after_speech(before: str, speech: str, after: str) -> Worded:
    cut = elements_of((before, after), names=NAMES)
    elements = tuple(element for each in cut for element in each)
    numbers = tuple(number for number, each in enumerate(cut) for _ in each)
    dialogue = tuple(speech if number == len(cut[0]) else "" for number in range(len(elements)))
    (found,) = worded_scenes([SceneLines(elements, numbers, dialogue=dialogue)], names=NAMES)
    return found


@pytest.mark.parametrize(
    ("before", "speech", "after"),
    [
        ("Tom tears the heel off a loaf.", "What is in the bag?", "Tom hides it."),
        ("Tom slips off the shoe.", "Where is the bag?", "Tom drops it."),
        ("Tom slips off the shoe.", "Bag?", "Tom drops it."),
        ("Tom lifts the glove. He waits.", "And my umbrella?", "Tom waves it."),
        ("A lantern stands on the sill.", "Stop that engine.", "It flickers."),
        ("Tom lifts the glove.", "Well. " * 30, "Tom drops it."),
    ],
)
def test_it_after_dialogue_that_speaks_of_another_thing_is_not_guessed(before, speech, after):
    last = after_speech(before, speech, after).elements[-1]
    assert (last.text, last.kind) == (after, SentenceKind.UNNAMED)


@pytest.mark.parametrize(
    "speech",
    [
        "",
        "Well?",
        "Give me that glove.",
        "A glove at this time of day?",
        "You should know, Leo.",
        "Leo!",
        "Rose!",
        "My God! Ann!",
    ],
)
def test_it_after_dialogue_that_speaks_of_no_other_thing_means_what_it_did(speech):
    last = after_speech("Tom lifts the glove.", speech, "He drops it.").elements[-1]
    assert (last.text, last.kind) == ("Tom drops the glove.", SentenceKind.SEEN)


def test_they_after_dialogue_that_speaks_of_several_things_are_not_guessed_to_be_people():
    last = after_speech("Nora and Tom wait.", "Where are the keys?", "They lie on the sill.").elements[-1]
    assert (last.text, last.kind) == ("They lie on the sill.", SentenceKind.UNNAMED)
    last = after_speech("Nora and Tom wait.", "Ready?", "They run.").elements[-1]
    assert (last.text, last.kind) == ("Nora and Tom run.", SentenceKind.SEEN)


@pytest.mark.parametrize(
    ("paragraph", "last"),
    [
        ("Tom lifts the glove. Tom opens the box. He drops it.", "Tom drops it."),
        ("Tom draws a black Beretta from his belt. He aims it at Leo.", "Tom aims it at Leo."),
        ("Nora wakes from a dream. She examines it.", "Nora examines it."),
        ("Gathering her courage, Nora waits. She walks toward it.", "Nora walks toward it."),
        ("Nora and Tom wait. Tom drops the coins. They roll over the floor.", "They roll over the floor."),
        ("Nora glides among them.", "Nora glides among them."),
        ("The clock beside it says seven.", "The clock beside it says seven."),
        ("A lantern stands on the sill. Its flame moves. Tom puts it down.", "Tom puts it down."),
    ],
)
def test_of_two_things_that_a_pronoun_may_mean_or_none_a_line_says_neither_and_is_none_by_itself(paragraph, last):
    found = worded(paragraph)
    assert (found.elements[-1].text, found.elements[-1].kind) == (last, SentenceKind.UNNAMED)


def test_no_breath_says_in_one_sentence_what_may_be_one_thing_or_another():
    found = worded("Tom lifts the glove. Tom opens the box. He drops it.")
    assert [each.text for each in found.fused] == ["Tom lifts the glove and opens the box."]


@pytest.mark.parametrize(
    ("paragraph", "last"),
    [
        ("Tom lifts the glove. He finds a box. He opens it.", "Tom opens the box."),
        ("Under the bench: a wet hat. Tom picks it up.", "Tom picks the hat up."),
        ("By his feet: a red hat. Its tag says RUHN. Tom pushes it away.", "Tom pushes the hat away."),
        (
            "On the wall, a map: Ruhn and the river. The clock beside it stands still.",
            "The clock beside the map stands still.",
        ),
        ("Tom lifts the glove. He opens the box and shakes it.", "Tom shakes the box."),
        ("A stool slides over the tiles. It stops against the stove.", "The stool stops against the stove."),
        (
            "Nora tears a heel off a loaf. She pushes it over without looking at Tom.",
            "Nora pushes the heel over without looking at Tom.",
        ),
        ("Nora and Tom carry boxes. They sit down.", "Nora and Tom sit down."),
        (
            "Tom takes the glove. With the side of his shoe he pushes it away.",
            "With the side of his shoe Tom pushes the glove away.",
        ),
    ],
)
def test_what_is_brought_in_or_done_last_in_one_sentence_is_what_is_spoken_of(paragraph, last):
    found = worded(paragraph)
    assert (found.elements[-1].text, found.elements[-1].kind) == (last, SentenceKind.SEEN)


def test_a_line_about_two_does_not_open_with_a_pronoun_for_one_of_them_in_a_breath():
    assert not any("She and" in each.text for each in worded("Nora and Tom carry boxes. They sit down.").fused)


BAKERY = """\
INT. BAKERY - NIGHT

Tom tears the heel off a loaf.

RUTH
Good evening.

He drops it.

RUTH
What is in the bag?

He drops it.
"""


def test_what_a_screenplay_has_said_between_two_paragraphs_counts():
    cues = (Cue("c1", 4_000, 5_000, "Good evening."), Cue("c2", 10_000, 11_000, "What is in the bag?"))
    drafted = from_screenplay(parse_screenplay(BAKERY.encode(), "film.fountain"), Footage(20_000, cues))
    lines = [(line.variants[0].text, bool(line.salience)) for line in drafted.eventualities]
    assert lines[1:] == [("Tom drops the heel.", True), ("Tom drops it.", False)]
