"""Screenplays as they are printed, as plain text and as PDF: columns, pages, and speeches that go over them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from screenplay_pages import Piece, as_pdf, as_text, pages, pieces_of_fountain

from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Form, Part, Screenplay, Speech, Transition


def text(data: str) -> Screenplay:
    return parse_screenplay(data.encode(), "film.txt")


def parts(screenplay: Screenplay) -> list[Part]:
    return [part for scene in screenplay.scenes for part in scene.parts]


LAID_OUT = """\
                              THE HALL

                                 by

                               A. B.

               FADE IN:

               INT. HALL - DAY

               ANNA waits by the door. She
               has waited long.

                                     ANNA
                               (softly, to
                               herself)
                         Will he come, or
                         will he not?

                                     TOM (O.S.)
                         I am HERE.

               He comes in.

                                                            CUT TO:

       2       EXT. SEA - NIGHT                                          2

               Waves.

               3A  ANGLE ON ANNA

       3B      CLOSE ON THE CARD

               It reads 3.

       4       OMITTED                                                   4
"""


def test_columns():
    found = text(LAID_OUT)
    assert found.form is Form.TEXT
    assert found.title == "THE HALL"
    assert found.title_page[1] == ("Text", "by\nA. B.")
    assert [(scene.heading, scene.number, scene.line) for scene in found.scenes] == [
        *(("", "", 0), ("INT. HALL - DAY", "", 9), ("EXT. SEA - NIGHT", "2", 27)),
        *(("CLOSE ON THE CARD", "3B", 33), ("OMITTED", "4", 37)),
    ]
    assert parts(found) == [
        *(Transition("FADE IN:", 7), Action("ANNA waits by the door. She has waited long.", 11)),
        Speech("ANNA", "Will he come, or will he not?", 14, ("softly, to herself",)),
        Speech("TOM", "I am HERE.", 20, extension="O.S."),
        *(Action("He comes in.", 23), Transition("CUT TO:", 25)),
        *(Action("Waves.", 29), Action("3A ANGLE ON ANNA", 31)),
        Action("It reads 3.", 35),
    ]


@pytest.mark.parametrize(("name", "speech", "aside"), [(12, 6, 9), (20, 10, 15), (30, 15, 22), (25, 12, 12)])
def test_house_styles(name: int, speech: int, aside: int):
    lines = ["INT. HALL", "", "She waits."]
    for who in ("ANNA", "TOM"):
        lines += ["", " " * name + who, " " * aside + "(low)", " " * speech + "Hello there,", " " * speech + "YOU."]
    assert parts(text("\n".join([*lines, "", "He goes."]))) == [
        Action("She waits.", 3),
        Speech("ANNA", "Hello there, YOU.", 5, ("low",)),
        Speech("TOM", "Hello there, YOU.", 10, ("low",)),
        Action("He goes.", 15),
    ]


def test_names_without_empty_rows_between():
    lines = ["INT. HALL", " " * 22 + "ANNA", " " * 10 + "Go.", " " * 22 + "TOM", " " * 10 + "NO.", "He goes."]
    assert parts(text("\n".join(lines))) == [
        *(Speech("ANNA", "Go.", 2), Speech("TOM", "NO.", 4), Action("He goes.", 6)),
    ]


def test_double_spaced_pages():
    pieces = [Piece("heading", "INT. HALL - DAY")]
    for who in ("ANNA", "TOM", "EVE", "ADA"):
        pieces += [Piece("action", f"{who} waits there. " * 6), Piece("speech", who, ("Hello. " * 12,))]
    single = as_text(pages(pieces, continued=False))
    double = single.replace("\n", "\n\n")
    assert [part.text for part in parts(text(double))] == [part.text for part in parts(text(single))]


def test_page_furniture_goes_and_speeches_are_joined():
    lines = [
        *("               INT. HALL - DAY", "", "               She waits and", "", ""),
        *(" " * 70 + "(CONTINUED)", "\f" + " " * 70 + "12.", "", "               CONTINUED: (2)", ""),
        *("               waits.", "", " " * 37 + "ANNA", " " * 25 + "Will he,", " " * 37 + "(MORE)"),
        *("\f" + " " * 70 + "13.", "", " " * 37 + "ANNA (CONT'D)", " " * 25 + "or not?", ""),
        *(" " * 37 + "TOM", " " * 25 + "No.", "", " " * 37 + "TOM (CONT'D)", " " * 25 + "Yes.", ""),
    ]
    found = parts(text("\n".join(lines)))
    assert [(type(part), part.text) for part in found] == [
        *((Action, "She waits and waits."), (Speech, "Will he, or not?"), (Speech, "No."), (Speech, "Yes.")),
    ]
    assert [part.page for part in found] == [1, 2, 3, 3]


def test_a_year_on_a_row_of_its_own_is_no_page_number():
    lines = ["INT. HALL", "", "1984.", "", " " * 22 + "ANNA", " " * 10 + "12.", "", " " * 22 + "TOM", " " * 10 + "13."]
    assert [part.text for part in parts(text("\n".join(lines)))] == ["1984.", "12.", "13."]


def test_dual_dialogue_in_columns():
    lines = [
        *("INT. HALL", "", "          ANNA                      TOM", "     You go                    No, you"),
        *("     first.                    (laughs)", "                               go.", "", "They go."),
        *("", " " * 22 + "EVE", " " * 10 + "Ha.", "", " " * 22 + "EVE", " " * 10 + "Ho."),
    ]
    assert parts(text("\n".join(lines)))[:3] == [
        Speech("ANNA", "You go first.", 3),
        Speech("TOM", "No, you go.", 3, ("laughs",), dual=True),
        Action("They go.", 8),
    ]


def test_without_indentation_fountains_rules_hold():
    found = text("INT. HALL\n\nShe waits.\n\nANNA\nHello?\n\nCUT TO:\n")
    assert (found.form, parts(found)) == (
        Form.TEXT,
        [Action("She waits.", 3), Speech("ANNA", "Hello?", 5), Transition("CUT TO:", 8)],
    )


def test_a_card_of_centred_capitals_is_action():
    card = [" " * 26 + "THE LAST", " " * 25 + "BIG RETURN"]
    names = ["", " " * 22 + "ANNA", " " * 10 + "Go.", "", " " * 22 + "TOM", " " * 10 + "NO!"]
    assert parts(text("\n".join(["INT. HALL", "", *card, *names]))) == [
        *(Action("THE LAST BIG RETURN", 3), Speech("ANNA", "Go.", 6), Speech("TOM", "NO!", 9)),
    ]


def test_page_rows_go_from_text_that_lost_its_indentation():
    lines = ["INT. HALL", "", "ANNA", "Will he?", "(MORE)", "", "12.", "", "CONTINUED:", "", "ANNA (CONT'D)", "Or not?"]
    assert parts(text("\n".join([*lines, "", "(CONTINUED)", "", "1984"]))) == [
        *(Speech("ANNA", "Will he?", 3), Speech("ANNA", "Or not?", 11), Action("1984", 16)),
    ]


SHORT = [
    Piece("heading", "INT. HALL - DAY", number="1"),
    Piece("action", "She waits by the door, where nobody has come in for a long, long time, and reads."),
    Piece("speech", "ANNA", ("(softly)", "Will he come, or will he not come, or what will he do at all?")),
    Piece("transition", "CUT TO:"),
    Piece("heading", "EXT. SEA - NIGHT", number="2"),
    Piece("action", "Waves (high)."),
]


@pytest.mark.parametrize("form", [Form.TEXT, Form.PDF])
def test_the_same_page_as_text_and_as_pdf(form: Form):
    printed = pages(SHORT * 2)
    data = as_pdf(printed) if form is Form.PDF else as_text(printed).encode()
    found = parse_screenplay(data, "film")
    assert found.form is form
    assert [(scene.heading, scene.number) for scene in found.scenes] == [
        ("INT. HALL - DAY", "1"),
        ("EXT. SEA - NIGHT", "2"),
    ] * 2
    assert [(type(part), part.text) for part in parts(found)] == [
        (Action, SHORT[1].text),
        (Speech, SHORT[2].spoken[1]),
        (Transition, "CUT TO:"),
        (Action, "Waves (high)."),
    ] * 2


def whole(shared_data: Path) -> tuple[list[Piece], list[tuple[str, ...]]]:
    """A whole screenplay's paragraphs, and what the Fountain reader (tested against its twin) makes of it."""
    source = (shared_data / "screenplay" / "The-Last-Birthday-Card.fountain").read_text("utf-8")
    source = re.sub(r"[*_]", "", source[source.index("# ACT I") :])
    return pieces_of_fountain(source), items(parse_screenplay(source.encode(), "card.fountain"))


def items(screenplay: Screenplay) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for scene in screenplay.scenes:
        found += [("heading", scene.heading)] if scene.heading else []
        for part in scene.parts:
            said = (part.speaker, part.extension, *part.parentheticals) if isinstance(part, Speech) else ()
            found.append((type(part).__name__, part.text, *said))
    return found


@pytest.mark.parametrize("how", ["text", "text without form feeds", "pdf", "pdf without headers"])
def test_a_whole_screenplay_over_22_pages(shared_data: Path, how: str):
    pieces, expected = whole(shared_data)
    headed = pages(pieces, header="BIRTHDAY CARD  rev. 7/8/98")
    bare = pages(pieces)
    assert len(bare) == 22
    assert any(row.cells and row.cells[0][1] == "(MORE)" for page in bare for row in page)
    data = {
        "text": lambda: as_text(headed).encode(),
        "text without form feeds": lambda: as_text(bare, feed="\n").encode(),
        "pdf": lambda: as_pdf(headed, header_first=True),
        "pdf without headers": lambda: as_pdf(bare),
    }[how]()
    found = parse_screenplay(data, "card")
    assert items(found) == expected
    assert found.language == "en"
    assert not found.oddities
