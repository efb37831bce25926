"""What a reader found broken, untrue or pointless in a draft, with siblings: such things go or stay as a whole."""

from __future__ import annotations

import re

import pytest

from adstudio.drafting.text.compress.shorten import compressions

NAMES = ["Nora", "Tom", "Ben", "Anna", "Rosa"]


def texts(sentence: str) -> list[str]:
    return [one.text for one in compressions([sentence], names=NAMES)[0]]


@pytest.mark.parametrize(
    ("sentence", "whole", "begins"),
    [
        ("Nora sits alone on a bench under the canopy, her bag on her knees.", ", her bag on her knees.", "her bag"),
        ("Tom runs out on to the platform, bareheaded, the red umbrella in his fist.",
         ", the red umbrella in his fist.", "umbrella"),
        ("Tom and Nora come out under the one red umbrella, her arm through his, and walk away along the wet wall.",
         ", her arm through his, and walk away", "her arm"),
        ("The old guard stands at the gate of the park, his keys on a chain.", ", his keys on a chain.", "keys"),
        ("Anna walks slowly down the long aisle, both hands full of flowers.", ", both hands full of flowers.",
         "hands"),
        ("He hops straight down in front of Anna, the open door between them.", ", the open door between them.",
         "door"),
        ("Anna is painting with brand new paints, a stack of blank canvasses behind her.",
         ", a stack of blank canvasses behind her.", "stack"),
        ("A tired boy sits on the bed by the door, one arm in plaster, the other round a teddy bear.",
         ", one arm in plaster, the other round a teddy bear.", "arm"),
        ("Tom crosses the wide empty square in the rain, one shoe missing.", ", one shoe missing.", "shoe"),
    ],
)  # fmt: skip
def test_an_absolute_construction_goes_or_stays_as_a_whole(sentence: str, whole: str, begins: str):
    shorter = texts(sentence)
    assert shorter
    assert all(whole in text for text in shorter if begins in text)


@pytest.mark.parametrize(
    "sentence",
    [
        "Nora stares at the umbrella that was never lost.",
        "Tom looks at the letter that never came.",
        "Anna smiles at the boy who was always late.",
    ],
)
def test_a_relative_clause_keeps_the_noun_that_it_is_about(sentence: str):
    noun = re.search(r"(\w+ (?:that|who))", sentence)
    assert noun
    for text in texts(sentence):
        assert noun[1] in text or noun[1].split()[1] not in text


@pytest.mark.parametrize(
    "sentence",
    [
        "Ben trips over a pipe and would have fallen, had Anna not caught him.",
        "Tom slips on the steps and would have drowned if Rosa had not seen him.",
        "The old man would fall and break his hip, were Anna not there.",
        "The vase rolls off the shelf and would break, should nobody catch it.",
    ],
)
def test_what_did_not_happen_is_never_told_as_if_it_had(sentence: str):
    for text in texts(sentence):
        assert "would" in text
        assert text.split()[-3:] == sentence.split()[-3:]


@pytest.mark.parametrize(
    ("sentence", "stays"),
    [
        ("He nods hardly at all.", "hardly at all"),
        ("Anna does not look at all pleased with the big present.", "at all"),
        ("The tired man orders nothing but water in the crowded bar.", "nothing but water"),
        ("She slowly burns all but the last page in the open fire.", "all but the last page"),
        ("She looks left along the platform, then right.", "left"),
        ("Unable to speak, he sinks on to the bed.", "on to the bed"),
        ("Art Girl can't make out specific words.", "specific words"),
        ("The work in progress is just not that good.", "not that good"),
        ("She does not see a man with a hat.", "a man with a hat"),
        ("The old man doesn't speak loudly.", "doesn't speak loudly"),
        ("Anna does not quite look happy.", "not quite"),
        ("Nak pulls the trigger and blood splatters onto the painting.", "blood splatters onto"),
        ("His hand is an inch from the receiver when the phone rings.", "when the phone rings"),
        ("It has just the right combination of upscale and downtown.", "upscale and downtown"),
        ("It's a tough choice, one he makes every morning.", "every morning"),
        ("The sad man stares at the card with a look somewhere between fear and joy.", "look"),
        ("Well, it could be a career, but for the time being Baxter is an unemployed musician.", "for the time being"),
        ("Tom looks up at the bay windows in time to see a big black helicopter drop into view.", "into view"),
        ("A tiny shaped charge on the emergency brake cable detonates.", "detonates"),
        ("The car goes by the spot previously occupied by the printer.", "occupied by the printer"),
        ("Anna hears a sudden loud knock at the half open door.", "knock"),
        ("The old inspector brushes the snow off a glove with a pencil.", "off a glove"),
        ("Sam holds the phone to his ear, then away from it.", "to his ear"),
        ("The park playground is awash with children.", "awash with children"),
        ("Modern trains come and go at the station.", "come and go"),
        ("Betty slowly begins paging through it.", "through it"),
        ("Kate gasps at the papers underneath.", "at the papers"),
        ("Tom does not leave the empty room until she comes.", "until she comes"),
        ("Ben slowly turns the big map upside down.", "upside down"),
        ("They dance cheek to cheek, eyes closed.", "cheek to cheek"),
        ("The grey monitor shows a flat line.", "flat line"),
        ("Eve stands at the sink, up to her elbows in suds.", "sink"),
        ("He gets up and paces the cell: four steps, turn, four steps.", "paces the cell"),
        ("Nora steps up to the guard.", "up to the guard"),
        ("The place for a name is empty.", "place for a name"),
        ("The last line on the old form has space for a signature.", "space for a signature"),
        ("He sadly holds the green glove against his heart.", "against his heart"),
        ("The strong wind tears the sail from its ropes and hurls it overboard.", "the wind"),
        ("He is about to speak when a gun goes off.", "when a gun goes off"),
        ("Tom is quietly reading the paper when the window breaks.", "when the window breaks"),
        ("Anna, a tired nurse, doesn't see the man who follows her.", "man who follows her"),
        ("She slowly lays her gloved hand over the bare one.", "gloved hand over the bare one"),
    ],
)
def test_the_point_of_it_stays(sentence: str, stays: str):
    for text in texts(sentence):
        if stays == "the wind":
            assert "hurls" not in text or "hurls it overboard" in text
        elif stays == "look":
            assert "look" not in text or "between fear and joy" in text
        elif stays == "knock":
            assert "half" not in text or "half open" in text
        elif stays == "sink":
            assert "elbows" not in text or "up to her elbows in suds" in text
        elif stays == "paces the cell":
            assert "steps" not in text or "paces the cell: four" in text
        elif stays == "into view":
            assert "helicopter" not in text or "drop into view" in text
        elif stays == "left":
            assert "right" not in text or "then right" in text
        else:
            assert stays in text, text


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("Today's line reads: supper for two, eight o'clock.", "supper for two, eight o'clock."),
        ("Tom's hand slowly adds: umbrella, red.", "umbrella, red."),
        ("Tom's hand quickly adds another line in brown ink: umbrella, red.", "umbrella, red."),
        ("The old wooden sign on the gate says: no dogs, no bicycles.", "no dogs, no bicycles."),
        ("A small brass plate on the heavy door: dentist for nervous children.", "dentist for nervous children."),
        ("The faded poster on the wall reads Vote for the Old Mayor.", "reads Vote for the Old Mayor."),
    ],
)
def test_what_is_written_stays_whole(sentence: str, written: str):
    for text in texts(sentence):
        assert text.endswith(written) or "plate" in text


def test_what_is_not_understood_and_has_brackets_is_left_alone():
    assert texts("Tom (not looking up) Good evening, Miss Vale.") == []
