"""Fountain's rules one by one: https://fountain.io/syntax/."""

from __future__ import annotations

import pytest

from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Form, Part, Screenplay, Speech, Transition


def read(text: str) -> Screenplay:
    return parse_screenplay(text.encode(), "film.fountain")


def parts(text: str) -> tuple[Part, ...]:
    return tuple(part for scene in read(text).scenes for part in scene.parts)


def headings(text: str) -> list[tuple[str, str]]:
    return [(scene.heading, scene.number) for scene in read(text).scenes]


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "INT. HOUSE - DAY",
            "EXT. HOUSE",
            "ext. olympia circus - night",
            "INT HOUSE",
            "EST. THE TOWN",
            "EST THE TOWN",
        ),
        *("INT./EXT. CAR", "INT/EXT. CAR", "EXT./INT CAR", "I/E CAR", "I/E. CAR"),
        *("ИНТ. КУХНЯ – ДЕНЬ", "НАТ. УЛИЦА", "INNEN. KÜCHE - TAG", "AUSSEN KÜCHE", "WN. KUCHNIA", "INT。 病院-日"),
    ],
)
def test_scene_headings(heading: str):
    assert headings(f"{heading}\n\nShe waits.") == [(heading, "")]


@pytest.mark.parametrize(
    "text",
    ["International law", "Est-ce vrai ?", "Est belle.", "Interior", "Externally, calm.", "INT.", ". not", "...so"],
)
def test_what_is_no_scene_heading(text: str):
    assert parts(f"{text}\n\nX.")[0] == Action(text, 1)


def test_forced_heading_and_scene_numbers():
    text = ".BINOCULARS POV\n\nINT. HOUSE #3#\n\nINT. HALL #A3-1.b#\n\nINT. ROOM #no number here#"
    assert headings(text) == [
        *(("BINOCULARS POV", ""), ("INT. HOUSE", "3"), ("INT. HALL", "A3-1.b")),
        ("INT. ROOM #no number here#", ""),
    ]


def test_what_stands_before_the_first_heading_is_a_scene_without_one():
    scenes = read("Black.\n\nINT. HOUSE\n\nLight.").scenes
    assert [(scene.heading, scene.line) for scene in scenes] == [("", 0), ("INT. HOUSE", 3)]


def test_action_paragraphs_are_joined_and_forced():
    assert parts("She   waits.\n    Long.\n\n!INT. IS NO HEADING HERE\n\n!BANG\nHe falls.") == (
        Action("She waits. Long.", 1),
        Action("INT. IS NO HEADING HERE", 4, forced=True),
        Action("BANG He falls.", 6, forced=True),
    )


def test_speech_with_everything():
    text = "ANNA (V.O.) (CONT'D)\n(softly)\nWait for me.\n(then,\nlouder)\n_Please_.\n"
    assert parts(text) == (Speech("ANNA", "Wait for me. Please.", 1, ("softly", "then, louder"), "V.O."),)


@pytest.mark.parametrize(
    ("line", "speaker", "extension"),
    [
        *(("ANNA", "ANNA", ""), ("   ANNA  ", "ANNA", ""), ("R2D2", "R2D2", ""), ("1ST COP", "1ST COP", "")),
        *(("@McAvoy", "McAvoy", ""), ("HANS (on the radio)", "HANS", "on the radio"), ("MOM (O. S.)", "MOM", "O. S.")),
        *(("ANNA (CONT’D)", "ANNA", ""), ("ANNA (cont.)", "ANNA", ""), ("ANNA (V.O.)(O.S.)", "ANNA", "V.O., O.S.")),
        *(
            ("MÜLLER-GROß", "MÜLLER-GROß", ""),
            ("ЖЕНЯ", "ЖЕНЯ", ""),
            ("花子", "花子", ""),
            ("ANNA & TOM", "ANNA & TOM", ""),
        ),
    ],
)
def test_character_names(line: str, speaker: str, extension: str):
    assert parts(f"{line}\nHello there.") == (Speech(speaker, "Hello there.", 1, extension=extension),)


@pytest.mark.parametrize("line", ["Anna", "23", "Han (O.S.)", "ANNA ^ (x)", "ANNA (V.O.) says", "そうです。"])
def test_what_is_no_name(line: str):
    assert isinstance(parts(f"{line}\nHello there.")[0], Action)


def test_a_name_needs_a_line_under_it():
    assert parts("ANNA\n\nHello.\n\nTOM") == (Action("ANNA", 1), Action("Hello.", 3), Action("TOM", 5))


def test_dual_dialogue_marks_the_second():
    first, second = parts("ANNA\nNo!\n\nTOM (O.S.) ^\nYes!")
    assert first == Speech("ANNA", "No!", 1)
    assert second == Speech("TOM", "Yes!", 4, extension="O.S.", dual=True)


def test_two_spaces_keep_a_speech_together_and_an_empty_line_ends_it():
    assert parts("DEALER\nTen.\n  \nFour.\n\nHit?") == (Speech("DEALER", "Ten. Four.", 1), Action("Hit?", 6))


def test_two_spaces_do_not_hold_a_name_or_heading():
    text = "ANNA\nYes.\n  \nTOM\nNo.\n  \nINT. HALL\n\nDark."
    assert [type(part) for part in parts(text)] == [Speech, Speech, Action]
    assert headings(text)[1] == ("INT. HALL", "")


def test_a_file_whose_empty_lines_all_hold_spaces():
    text = "ANNA\nYes.\n  \nShe goes.\n  \nTom stays.\n  \nTOM\nNo."
    assert [type(part) for part in parts(text)] == [Speech, Action, Action, Speech]
    assert any("all blank lines contain spaces" in oddity.what for oddity in read(text).oddities)


def test_lyrics_are_speeches_of_their_own():
    assert parts("ANNA\nListen.\n~Happy birthday\n~to you\n\n~ All sing.") == (
        Speech("ANNA", "Listen.", 1),
        Speech("ANNA", "Happy birthday to you", 3, lyrics=True),
        Speech("", "All sing.", 6, lyrics=True),
    )


def test_transitions():
    assert parts("CUT TO:\n\n> Burn to white.\n\n          SMASH CUT TO:\n\nboop TO:") == (
        *(
            Transition("CUT TO:", 1),
            Transition("Burn to white.", 3),
            Transition("SMASH CUT TO:", 5),
            Action("boop TO:", 7),
        ),
    )


def test_centred_text_is_action():
    assert parts("> THE *BIG* ONE <\n> PART TWO <\n\n>END<") == (
        Action("THE BIG ONE PART TWO", 1, forced=True),
        Transition("END", 4),
    )


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        *(
            ("FADE IN:", True),
            ("FADE OUT.", True),
            ("FADE TO BLACK.", True),
            ("THE END", True),
            ("CUT TO BLACK.", True),
        ),
        *(
            ("She fades into the crowd.", False),
            ("THE ENDLESS SEA", False),
            ("Fade in", True),
            ("A CUT ON HIS ARM", False),
            ("The rope is cut.", False),
        ),
    ],
)
def test_action_that_only_names_a_cut(text: str, cut: bool):
    assert parts(text) == (Transition(text, 1) if cut else Action(text, 1),)


@pytest.mark.parametrize(
    "text",
    [
        *("FADE IN:", "THE END", "ACT ONE", "CAST: BEN, RUTH", "Note: check this.", "12A", "REVERSE ANGLE", "V.O."),
        *("CUT TO: BEN", "Written by Ben Smith", "INT. HALL - DAY", "BEN", "BEN, RUTH", "> KITCHEN", "# ONE", "LATER"),
    ],
)
def test_what_is_forced_is_action_whatever_it_looks_like(text: str):
    before = "INT. SEA - DAY\n\nBEN\nYes.\n\nRUTH\nNo.\n\nCAST\n\nMAX ..... Tim Roe\n\n"
    (scene,) = read(f"{before}!{text}\n\nShe waits.").scenes
    assert [part for part in scene.parts if isinstance(part, Action)] == [
        Action(text, 13, forced=True),
        Action("She waits.", 15),
    ]
    (scene,) = read(f"{before}She goes.\n!{text}").scenes
    assert scene.parts[-1] == Action(f"She goes. {text}", 13)


def test_sections_synopses_and_page_breaks_are_not_action():
    assert parts("# ACT ONE\n\n= All begins.\n\nShe waits.\n\n===\n\n## More\n\nHe comes.") == (
        Action("She waits.", 5),
        Action("He comes.", 11),
    )


def test_notes_go_and_part_nothing():
    assert parts("She [[who?]]waits.\n\nANNA\n[[sad]]\nYes.\n[[over\ntwo lines]]\nNo.\n\n[[a\n  \nb]]\n\nDark.") == (
        *(Action("She waits.", 1), Speech("ANNA", "Yes. No.", 3), Action("Dark.", 14)),
    )


def test_boneyards_go():
    text = "She /* perhaps */ waits.\n\nCUT TO:\n/*\nINT. GONE\n\n*/\nINT. HALL\n\n/* a /* b */ c */Dark."
    assert parts(text) == (Action("She waits.", 1), Transition("CUT TO:", 3), Action("Dark.", 10))


def test_a_boneyard_that_is_never_closed_lasts_to_the_end_and_is_told():
    found = read("She waits.\n\n/* He does not.\n\nINT. GONE\n\nShe goes.")
    assert [part.text for scene in found.scenes for part in scene.parts] == ["She waits."]
    assert [(oddity.line, oddity.what[:9]) for oddity in found.oddities[1:]] == [(3, "“/*” has ")]
    assert "4 lines" in found.oddities[1].what


def test_a_boneyard_that_would_hide_everything_is_text_and_told():
    found = read("Title: X\n\n/* He does not.\n\nShe goes.")
    assert [part.text for scene in found.scenes for part in scene.parts] == ["/* He does not.", "She goes."]
    assert [oddity.line for oddity in found.oddities[1:]] == [3]


@pytest.mark.parametrize(
    ("text", "left", "line"),
    [
        ("She [[who?\n\nor he?\n\nor they?]] waits.\n\nDark.", ["She waits.", "Dark."], 1),
        ("She waits.\n\n[[cut this scene\n\nINT. GONE\n\nHe dies.]]\n\nDark.", ["She waits.", "Dark."], 3),
        ("She waits. [[never closed\nmore\n\nDark.", ["She waits.", "Dark."], 1),
        ("She waits.\n\n[[never closed\n\nDark. [[closed]]\n\nLight.", ["She waits.", "Dark.", "Light."], 3),
        ("She waits.\n\nDark.\n\n[[never closed", ["She waits.", "Dark."], 5),
    ],
)
def test_notes_that_go_on_are_never_action_and_told(text: str, left: list[str], line: int):
    found = read(text)
    assert [part.text for scene in found.scenes for part in scene.parts] == left
    assert [oddity.line for oddity in found.oddities[1:]] == [line]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        *(("*a* **b** ***c*** _d_", "a b c d"), ("_a *b* c_", "a b c"), (r"\*9765\* \_x\_", "*9765* _x_")),
        *(("dialed *69 and *23, up", "dialed *69 and *23, up"), ("my_file_name.txt", "my_file_name.txt")),
        *(("**a*", "**a*"), ("2 * 3 * 4", "2 * 3 * 4"), ("_**a_**", "a"), ("*a", "*a"), ("a*", "a*")),
    ],
)
def test_emphasis_is_taken_off(written: str, shown: str):
    assert parts(f"It reads {written}") == (Action(f"It reads {shown}", 1),)


def test_emphasis_does_not_go_over_lines():
    assert parts("so *it\nis* here") == (Action("so *it is* here", 1),)


def test_title_page():
    found = read(
        "Title:\n    _**BRICK & STEEL**_\n    FULL RETIRED\nCredit: by\nDraft date: 1/2\nMine: x\n\nINT. HALL\n\nDark."
    )
    assert found.title == "BRICK & STEEL FULL RETIRED"
    assert found.title_page[1:] == (("Credit", "by"), ("Draft date", "1/2"), ("Mine", "x"))
    assert found.scenes[0].line == 8


@pytest.mark.parametrize("text", ["Steel, on the phone:\nHe shouts.", "CUT TO:", "INT. HALL: THE DOOR"])
def test_what_is_no_title_page(text: str):
    assert read(f"{text}\n\nDark.").title_page == ()


def test_hashtags_go_where_headings_carry_them():
    assert parts("INT. HALL #dark  #old\n\nShe waits. #sad\n\nANNA #a\nYes. #b")[0] == Action("She waits.", 3)
    assert parts("INT. HALL\n\nShe types #metoo")[0] == Action("She types #metoo", 3)
    assert parts("INT. HALL #x\n\nROOM #1\nHello")[0] == Speech("ROOM #1", "Hello", 3)


def test_a_heading_inside_a_paragraph_is_mended_and_told():
    found = read("INT. HALL\n\nShe goes.\nINT. KITCHEN - NIGHT\nShe sits.")
    assert [(scene.heading, len(scene.parts)) for scene in found.scenes] == [
        ("INT. HALL", 1),
        ("INT. KITCHEN - NIGHT", 1),
    ]
    assert [oddity.line for oddity in found.oddities] == [4]


def test_a_heading_ends_a_speech():
    found = read("INT. HALL\n\nANNA\nYes.\nEXT. SEA\n\nWaves.")
    assert [(scene.heading, len(scene.parts)) for scene in found.scenes] == [("INT. HALL", 1), ("EXT. SEA", 1)]
    assert [(oddity.what, oddity.line) for oddity in found.oddities] == [
        ("a scene heading inside a speech: read as a heading", 5)
    ]


def test_a_shout_that_fountain_takes_for_a_name_is_told():
    (oddity,) = read("INT. HALL\n\nBANG!\nHe falls.").oddities
    assert "“BANG!” is read as a character name" in oddity.what
    assert oddity.line == 3


def test_line_numbers_survive_what_is_taken_out():
    text = "Title: X\n\n/*\ngone\n*/\nINT. HALL [[n\nn]]\n\nDark.\n\nANNA\nYes."
    found = read(text)
    assert [part.line for part in found.scenes[0].parts] == [9, 11]
    assert (found.scenes[0].line, found.form) == (6, Form.FOUNTAIN)


def test_no_heading_is_one_scene_and_told():
    found = read("She waits.\n\nHe comes.")
    assert len(found.scenes) == 1
    assert found.oddities[0].what.startswith("no scene heading was found")
