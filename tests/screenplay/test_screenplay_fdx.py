"""Final Draft's XML: what its paragraphs say, what is mended, and what a hostile file gets."""

from __future__ import annotations

from xml.sax.saxutils import escape

import pytest

from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Form, Part, Screenplay, ScreenplayError, Speech, Transition

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>\n'


def fdx(*paragraphs: tuple[str, str], more: str = "") -> bytes:
    body = "".join(f'<Paragraph Type="{kind}"><Text>{escape(text)}</Text></Paragraph>\n' for kind, text in paragraphs)
    return f'{HEAD}<FinalDraft DocumentType="Script">\n<Content>\n{body}{more}</Content>\n</FinalDraft>'.encode()


def read(data: bytes) -> Screenplay:
    return parse_screenplay(data, "film.fdx")


def parts(data: bytes) -> list[Part]:
    return [part for scene in read(data).scenes for part in scene.parts]


def oddities(data: bytes) -> list[str]:
    return [oddity.what for oddity in read(data).oddities]


def test_each_type():
    data = fdx(
        *(
            ("Scene Heading", "INT. HALL - DAY"),
            ("Action", "She waits & hopes."),
            ("Character", "ANNA (V.O.) (CONT'D)"),
        ),
        *(("Parenthetical", "(softly)"), ("Dialogue", "Wait."), ("Dialogue", "Please."), ("Singing", "La la")),
        *(("Shot", "ANGLE ON THE DOOR"), ("General", "It opens."), ("Transition", "CUT TO:")),
        *(("Cast List", "ANNA, TOM"), ("New Act", "ACT TWO"), ("Outline 1", "She leaves him"), ("Outline Body", "why")),
    )
    assert parts(data) == [
        Action("She waits & hopes.", 5),
        Speech("ANNA", "Wait. Please.", 6, ("softly",), "V.O."),
        Speech("ANNA", "La la", 10, (), "V.O.", lyrics=True),
        Transition("CUT TO:", 13),
    ]
    assert read(data).form is Form.FDX
    (listed,) = oddities(data)
    assert listed.startswith("“ANGLE ON THE DOOR”, “It opens.”: ")


def test_numbers_properties_runs_and_dual_dialogue():
    body = """<Paragraph Number="7A" Type="Scene Heading"><SceneProperties Page="1" Title="no"><Summary>
      <Paragraph><Text>not said</Text></Paragraph></Summary></SceneProperties><Text>EXT. </Text><Text>SEA</Text>
      </Paragraph><Paragraph Type="Action"><Text>One </Text><Text Style="Italic">two&#233;</Text><Text>
three.</Text><ScriptNote><Paragraph><Text>a note</Text></Paragraph></ScriptNote></Paragraph>
    <Paragraph><DualDialogue><Paragraph Type="Character"><Text>ANNA</Text></Paragraph><Paragraph Type="Dialogue">
    <Text>No!</Text></Paragraph><Paragraph Type="Character"><Text>TOM</Text></Paragraph><Paragraph Type="Dialogue">
    <Text>Yes!</Text></Paragraph></DualDialogue></Paragraph>"""
    scene = read(fdx(more=body)).scenes[0]
    assert (scene.heading, scene.number) == ("EXT. SEA", "7A")
    assert [part.text for part in scene.parts] == ["One twoé three.", "No!", "Yes!"]
    assert [part.dual for part in scene.parts if isinstance(part, Speech)] == [False, True]


def test_title_page():
    data = fdx(("Action", "Dark.")).replace(
        b"</FinalDraft>",
        b"<TitlePage><Content><Paragraph/><Paragraph><Text>THE HALL</Text></Paragraph><Paragraph><Text>by me</Text>"
        b"</Paragraph></Content></TitlePage></FinalDraft>",
    )
    assert read(data).title == "THE HALL"
    assert read(data).title_page == (("Title", "THE HALL"), ("Text", "by me"))


def test_heading_typed_as_action_or_dialogue():
    data = fdx(
        ("Action", "INT. HALL - DAY"), ("Action", "Dark."), ("Dialogue", "EXT. SEA - DAY"), ("Shot", "INT. X\nY")
    )
    assert [scene.heading for scene in read(data).scenes] == ["INT. HALL - DAY", "EXT. SEA - DAY", "INT. X"]
    assert [what[-17:] for what in oddities(data)] == ["read as a heading"] * 3 + [
        "are not described"
    ]  # "Y" is a letter


def test_centred_text_is_action_as_in_fountain():
    data = fdx(("Scene Heading", "INT. X"), ("Centered", "PART\nTWO"), ("Centered", "THE KEY"), ("Centered", "THE END"))
    assert parts(data) == [Action("THE KEY", 7, forced=True), Transition("THE END", 8)]


def test_action_that_only_begins_like_a_heading_stays_action():
    assert parts(fdx(("Action", "Int. the word stands for interior."))) == [
        Action("Int. the word stands for interior.", 4)
    ]


def test_character_without_dialogue_is_no_action():
    data = fdx(("Scene Heading", "INT. X"), ("Character", "ANNA (O.S.)"), ("Action", "She waits."))
    assert parts(data) == [Action("She waits.", 6)]
    assert "“ANNA” is a character name without a speech" in oddities(data)[0]


def test_dialogue_without_character_is_nobodys_speech():
    data = fdx(("Scene Heading", "INT. X"), ("Action", "She waits."), ("Dialogue", "Hello?"))
    assert parts(data)[1] == Speech("", "Hello?", 6)
    assert "without a character name" in oddities(data)[0]


def test_speech_inside_a_paragraph_of_action():
    data = fdx(
        *(("Scene Heading", "INT. X"), ("Character", "ANNA"), ("Dialogue", "Hm.")),
        *(("Action", "ANNA\n(low)\nCome here."), ("Action", "A SIGN\nSilence.")),
    )
    assert parts(data)[1:] == [Speech("ANNA", "Come here.", 7, ("low",)), Action("A SIGN Silence.", 10)]
    assert len(oddities(data)) == 1


def test_unknown_types_are_kept_as_action_and_told_once():
    data = fdx(("Scene Heading", "INT. X"), ("Gesture", "She waves."), ("Gesture", "Again."))
    assert [part.text for part in parts(data)] == ["She waves.", "Again."]
    assert oddities(data) == ["paragraphs of type “gesture” are unknown: read as action"]


@pytest.mark.parametrize("spaced", [True, False])
def test_a_script_pasted_as_one_type_is_read_by_its_writing(spaced: bool):
    lines = ["INT. HALL", "", "She waits.", "", "ANNA", "(low)", "Hello?", "", "He comes.", "", "TOM", "Yes."]
    lines += ["", "EXT. SEA", "", "Waves."]
    data = fdx(*[("Action", line) for line in lines if line or spaced])
    assert [type(part) for part in parts(data)] == [Action, Speech, Action, Speech, Action]
    assert [scene.heading for scene in read(data).scenes] == ["INT. HALL", "EXT. SEA"]
    assert "every paragraph has the type Action" in oddities(data)[0]


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>',
        '<!ENTITY a "b">',
    ],
)
def test_declarations_are_refused(declaration: str):
    data = fdx(("Action", "Dark.")).replace(b"<FinalDraft", declaration.encode() + b"<FinalDraft", 1)
    with pytest.raises(ScreenplayError, match=r"film\.fdx: line 2 declares entities"):
        read(data)


def test_a_doctype_without_declarations_loads_nothing():
    data = fdx(("Action", "Dark.")).replace(b"<FinalDraft", b'<!DOCTYPE x SYSTEM "http://a.b/c.dtd"><FinalDraft', 1)
    assert parts(data) == [Action("Dark.", 4)]
    assert any("nothing is ever loaded" in what for what in oddities(data))


def test_damage_is_mended_and_told():
    data = fdx(("Action", "Dark."), ("Action", "Light.")).replace(
        b"</Text></Paragraph>\n<P", b"</Text>\n</Paragraph><P"
    )
    cut = data[: data.index(b"Light.") + 3]
    assert [part.text for part in parts(cut)] == ["Dark.", "Lig"]
    assert any("never closed" in what for what in oddities(cut))


def test_a_final_draft_file_without_script():
    with pytest.raises(ScreenplayError, match="has no script in it"):
        read(f"{HEAD}<FinalDraft><SpellCheck/></FinalDraft>".encode())
    with pytest.raises(ScreenplayError, match="is empty: choose another"):
        read(fdx())


def test_bytes_that_are_no_characters_can_be_shown_everywhere():
    data = fdx(
        ("Act\u00e7", "Dark \u00e7."), more='<Paragraph Number="\u00e7" Type="Scene Heading"><Text\u00e7>'
    ).decode()
    data = data.replace("</Content>", "<Lost\u00e7>")
    found = read(data.encode("latin-1").replace(b"Dark", b"D\xc3\xbcrk " * 9))
    for oddity in found.oddities:
        oddity.what.encode()
    assert any("\ufffd" in oddity.what for oddity in found.oddities)


def test_utf_16():
    data = fdx(("Action", "Größe.")).decode().replace("UTF-8", "UTF-16").encode("utf-16")
    assert parts(data) == [Action("Größe.", 4)]


def test_general_shot_act_and_struck_text_are_left_out_and_listed():
    struck = '<Paragraph Type="Action"><Text>Ben </Text><Text Style="Bold+Strikeout">slowly </Text><Text>sits.</Text>'
    data = fdx(
        ("Act", "ACT ONE"), ("General", "Draft for the crew."), ("Shot", "THE DOOR"), more=f"{struck}</Paragraph>"
    )
    assert parts(data) == [Action("Ben sits.", 7)]
    (listed,) = (what for what in oddities(data) if "ACT ONE" in what)
    assert listed.startswith("“ACT ONE”, “Draft for the crew.”, “THE DOOR”, “slowly”: ")
    assert not any("read as action" in what for what in oddities(data))


def test_struck_words_of_a_speech_do_not_end_it():
    more = '<Paragraph Type="Dialogue"><Text Style="Strikeout">No. </Text><Text>Yes.</Text></Paragraph>'
    data = fdx(("Character", "BEN"), more=more)
    assert parts(data) == [Speech("BEN", "Yes.", 4)]
