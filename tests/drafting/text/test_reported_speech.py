"""What a description says that somebody says is not narrated, and shows when the rest happens."""

from __future__ import annotations

import pytest

from adstudio.core.script import Cue
from adstudio.drafting.text.ground.prose import parse_prose
from adstudio.drafting.text.line_pipeline import DraftedLines, LeftOut, oddities_of
from adstudio.drafting.text.prose_speech import without_speech
from adstudio.drafting.text.segment.reported_speech import reported_speech


@pytest.mark.parametrize(
    ("text", "speeches"),
    [
        ('"Lost something again?" said Tom.', ['"Lost something again?" said Tom.']),
        ("She waits. “Take me,” she said. “Today, please.” He nods.", ["“Take me,” she said. “Today, please.”"]),
        ("“I shall look,” Tom said. He bends down.", ["“I shall look,” Tom said."]),
        ('Rain. "Is it here?" she asks. "No," says Tom.', ['"Is it here?" she asks.', '"No," says Tom.']),
        ("Tom asks, “Lost something?” Nora nods.", ["Tom asks, “Lost something?”"]),
        ("Then, looking up, Tom says: “Red…” and smiles. He goes.", ["Then, looking up, Tom says: “Red…” and smiles."]),
        ("A sign says, “No entry.” Tom says, “Red…”", ["Tom says, “Red…”"]),
        (
            "„Du bist früh“, sagte Fenn, ohne sie anzusehen. Sie wartet.",
            ["„Du bist früh“, sagte Fenn, ohne sie anzusehen."],
        ),
        ("«Tu viens ?» demanda Marie. Elle sort.", ["«Tu viens ?» demanda Marie."]),
        ("«¿Vienes?», preguntó María. Sale.", ["«¿Vienes?», preguntó María."]),
    ],
)
def test_a_quotation_with_who_says_it_is_speech(text: str, speeches: list[str]):
    assert [text[each.start : each.end] for each in reported_speech(text)] == speeches


@pytest.mark.parametrize(
    "text",
    [
        "Its tag says “N. Vale”.",
        "The sign over the door says: “Closed.” Tom turns it round.",
        "Nora reads the words “Lost Property” aloud.",
        "White letters appear: “Things Turn Up.” Nora hurries on.",
        "The card in his hand says, “Call me.”",
        "Words on the wall: “He said no.” She reads them.",
        "Nora takes a book titled “Said and Done”. Tom smiles.",
        "“The End”",
        "Tom says nothing. He looks at the red umbrella.",
    ],
)
def test_what_is_written_is_no_speech(text: str):
    assert not reported_speech(text)


def test_what_follows_a_speech_of_the_film_has_its_words_as_cue():
    cues = (Cue("c1", 1_000, 3_000, "I left it on the six-forty."), Cue("c2", 9_000, 9_900, "No."))
    found = without_speech(
        parse_prose("Rain. “I left it on the six-forty,” says Nora. Tom looks down. “No,” he says. He goes."), cues
    )
    assert [(section.text, section.cue) for section in found.sections] == [
        ("Rain.", ""),
        ("Tom looks down.", "I left it on the six-forty,"),
        ("He goes.", ""),
    ]
    assert len(found.oddities) == 1
    assert found.oddities[0].what.startswith("2 sentences report what somebody says")
    assert "no line was drafted from them: " in found.oddities[0].what
    (one,) = without_speech(parse_prose("Rain. “No,” says Nora. Tom looks down."), cues).oddities
    assert one.what.startswith("1 sentence reports what somebody says")
    assert "no line was drafted from it: " in one.what


def test_a_quotation_alone_is_speech_only_beside_speeches():
    caption = "She waits.\n\n“Five years later.”\n\nShe still waits."
    assert [section.text for section in without_speech(parse_prose(caption), ()).sections][1] == "“Five years later.”"
    told = without_speech(parse_prose(f"{caption}\n\n“Well?” says Tom."), ())
    assert [section.text for section in told.sections] == ["She waits.", "She still waits."]


def test_a_line_of_a_script_is_left_as_it_is():
    script = "| in | text |\n|---|---|\n| 00:00:01 | “Go,” says the sign to Tom. |\n| 00:00:05 | He goes. |"
    prose = parse_prose(script)
    assert without_speech(prose, ()) == prose


def test_lines_that_no_plan_uses_are_counted_and_the_first_is_quoted():
    (one,) = oddities_of(DraftedLines((), doubtful=(LeftOut("He goes.", 4),)), "")
    (two,) = oddities_of(DraftedLines((), doubtful=(LeftOut("It opens.", 2), LeftOut("He goes.", 4))), "")
    assert one.what.startswith("1 line has no salience, so no plan uses it: it may")
    assert (one.line, one.what.endswith("(give one salience to have it spoken): “He goes.”")) == (4, True)
    assert two.what.startswith("2 lines have no salience, so no plan uses them: they may")
    assert (two.line, two.what.endswith("(give one salience to have it spoken): “It opens.”")) == (2, True)


@pytest.mark.parametrize(("count", "of_whom"), [(1, "it"), (2, "them")])
def test_what_became_no_line_agrees_in_number_and_the_first_is_quoted(count: int, of_whom: str):
    those = (LeftOut("Fade in.", 3), LeftOut("Music up.", 7))[:count]
    found = [*oddities_of(DraftedLines((), directions=those, unfilmable=those), "")]
    assert [oddity.line for oddity in found] == [3, 3]
    assert all(oddity.what.endswith(f" from {of_whom}: “Fade in.”") for oddity in found)
