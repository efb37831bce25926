"""What is not action: headings of other countries, transitions, acts, casts, title pages, shots, lone names."""

from __future__ import annotations

from pathlib import Path

import pytest

from adstudio.screenplay.file import parse_screenplay, read_screenplay
from adstudio.screenplay.line_kinds import (
    cue,
    is_mini_heading,
    lists_cast,
    names_act,
    names_transition,
    numbered_heading,
)
from adstudio.screenplay.parsed_screenplay import Action, Screenplay, ScreenplayError, Speech, Transition


def read(text: str, name: str = "film.fountain") -> Screenplay:
    return parse_screenplay(text.encode(), name)


def action(screenplay: Screenplay) -> list[str]:
    return [part.text for scene in screenplay.scenes for part in scene.parts if isinstance(part, Action)]


def speakers(screenplay: Screenplay) -> list[str]:
    return [part.speaker for scene in screenplay.scenes for part in scene.parts if isinstance(part, Speech)]


REPORTS = {
    "61/de": [
        *("Eine Katze läuft über das Regal und wirft eine Tasse um.", "Ein Gärtner harkt das Laub zu einem Haufen."),
        *("Ruth hält eine Socke gegen das Licht.", "Eine Lampe flackert.", "Zwei Schatten laufen davon."),
        "Eine Tür fällt ins Schloss.",
    ],
    "61/en-odd": [
        *("A cat walks along the shelf.", "Ruth holds a sock up to the light.", "A lamp flickers."),
        *("A gardener rakes the leaves into a heap.", "Mice run over the boxes.", "A door clicks shut."),
    ],
    "61/es": [
        *("Un gato camina por el estante y tira una taza.", "Un jardinero rastrilla las hojas."),
        *("Rosa levanta un calcetín hacia la luz.", "Una lámpara parpadea.", "Una puerta se cierra."),
    ],
    "61/fr": [
        *("Un chat marche sur l'étagère et renverse une tasse.", "Un jardinier ratisse les feuilles."),
        *("Hélène lève une chaussette vers la lumière.", "Une lampe clignote.", "Une porte se ferme."),
    ],
    "61/it": [
        *("Un gatto cammina sullo scaffale e rovescia una tazza.", "Un giardiniere rastrella le foglie."),
        *("Rita alza un calzino verso la luce.", "Due ombre scappano via.", "Una porta si chiude."),
    ],
    "61/ru": [
        *("Кошка идёт по полке и роняет чашку.", "Садовник сгребает листья в кучу."),
        *("Рита поднимает носок к свету.", "Двое теней убегают прочь."),
    ],
    "65/fade-first": [
        *("A clock ticks behind a wall.", "A cat walks along the shelf.", "Ben opens a drawer and shuts it."),
        "Ruth looks at the empty hook.",
    ],
    "65/title-blank": ["A cat walks along the shelf.", "Ruth looks at the empty hook."],
}


@pytest.mark.parametrize("name", REPORTS)
def test_only_action_is_action(shared_data: Path, name: str):
    assert action(read_screenplay(shared_data / "reports" / f"{name}.fountain")) == REPORTS[name]


CAPS = "A CAT WALKS ALONG THE SHELF AND KNOCKS OVER A BLUE CUP. BEN ENTERS WITH ONE SHOE ON."
MULTICAM = [CAPS, "RUTH DROPS A SOCK INTO A BUCKET.", "A DOOR UPSTAIRS CLICKS SHUT."]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("multicam.txt", MULTICAM),
        ("multicam.pdf", [*MULTICAM, "A KETTLE BOILS OVER."]),
        ("multicam-double.pdf", [*MULTICAM[:2], "BEN CROSSES TO THE STAIRS.", MULTICAM[2]]),
        ("multicam-tight.pdf", [*MULTICAM[:2], "BEN CROSSES TO THE STAIRS.", MULTICAM[2]]),
    ],
)
def test_multicamera_scripts(shared_data: Path, name: str, expected: list[str]):
    found = read_screenplay(shared_data / "reports" / "63" / name)
    assert action(found) == expected
    assert speakers(found) == ["BEN", "RUTH", "BEN", "RUTH", "BEN", "RUTH"]
    speeches = [part for scene in found.scenes for part in scene.parts if isinstance(part, Speech)]
    assert [part.text for part in speeches][:3] == [
        *("Did you bring the key?", "It was on the hook this morning.", "Then somebody took it before breakfast."),
    ]
    assert speeches[1].parentheticals == ("LOOKING AT THE HOOK",)
    assert found.title == ""
    assert any("“ACT ONE”" in oddity.what and "“(Ben, Ruth)”" in oddity.what for oddity in found.oddities)


@pytest.mark.parametrize(
    ("line", "heading", "number"),
    [
        ("INN. KELLER – TAG", "INN. KELLER – TAG", ""),
        ("AUSS. STRASSE – NACHT", "AUSS. STRASSE – NACHT", ""),
        ("KÜCHE – INNEN/TAG", "KÜCHE – INNEN/TAG", ""),
        ("BILD 3 – KÜCHE – INNEN/TAG", "KÜCHE – INNEN/TAG", "3"),
        ("INTERIOR. COCHE - TARDE", "INTERIOR. COCHE - TARDE", ""),
        ("EXTÉRIEUR JARDIN - NUIT", "EXTÉRIEUR JARDIN - NUIT", ""),
        ("8. CUISINE – INT. JOUR", "CUISINE – INT. JOUR", "8"),
        ("(12) INT. CAVE - JOUR", "INT. CAVE - JOUR", "12"),
        ("7/EXT./PLAGE/NUIT", "EXT./PLAGE/NUIT", "7"),
        ("ESTERNO STRADA - NOTTE", "ESTERNO STRADA - NOTTE", ""),
        ("INT./EST. AUTO - SERA", "INT./EST. AUTO - SERA", ""),
        ("CENA 12 – EXT. RUA – DIA", "EXT. RUA – DIA", "12"),
        ("SEC. 12 INT. SÓTANO - DÍA", "INT. SÓTANO - DÍA", "12"),
        ("12A INT. CELLAR - NIGHT 12A", "INT. CELLAR - NIGHT", "12A"),
        ("12. INT. CAVE - JOUR", "INT. CAVE - JOUR", "12"),
        ("SCENE 4: INT. ROAD - DAY", "INT. ROAD - DAY", "4"),
        ("SISÄ. KEITTIÖ - PÄIVÄ", "SISÄ. KEITTIÖ - PÄIVÄ", ""),
        ("1. PLENER. LAS - NOC", "PLENER. LAS - NOC", "1"),
        ("2. НАТ. УЛИЦА. НОЧЬ.", "НАТ. УЛИЦА. НОЧЬ.", "2"),
        ("ΕΣΩΤ. ΚΟΥΖΙΝΑ - ΜΕΡΑ", "ΕΣΩΤ. ΚΟΥΖΙΝΑ - ΜΕΡΑ", ""),
        ("İÇ. MUTFAK - GÜN", "İÇ. MUTFAK - GÜN", ""),
        ("内景 咖啡馆 日", "内景 咖啡馆 日", ""),
        ("○病院・中(夜)", "○病院・中(夜)", ""),
    ],
)
def test_headings_of_other_countries_and_with_numbers(line: str, heading: str, number: str):
    assert numbered_heading(line) == (heading, number)
    (scene,) = read(f"{line}\n\nx.").scenes
    assert (scene.heading, scene.number, len(scene.parts)) == (heading, number, 1)


@pytest.mark.parametrize(
    "line",
    [
        *("12 men wait.", "UTE (OFF)", "Interior design is fun.", "INTERNAL AFFAIRS OFFICE", "Binnen loopt hij."),
        *("Scene 12: the house burns", "THE INTERIOR", "She goes in. 12 INT."),
    ],
)
def test_what_is_no_heading(line: str):
    assert numbered_heading(line) is None
    assert not is_mini_heading(line)


def test_a_place_and_a_time_alone_in_capitals_are_a_heading():
    found = read("INT. HALL\n\nDark.\n\nTHE KITCHEN - LATER\n\nLight.\n\nHE RUNS - LATER\nhe walks.")
    assert [scene.heading for scene in found.scenes] == ["INT. HALL", "THE KITCHEN - LATER"]


@pytest.mark.parametrize(
    "line",
    [
        *(
            "FADE IN:",
            "FADE OUT",
            "Fade to black.",
            "SMASH CUT TO BLACK",
            "CUT TO",
            "DISSOLVE TO:",
            "TIME CUT:",
            "WIPE TO",
        ),
        *(
            "SCHNITT AUF:",
            "HARTER SCHNITT AUF",
            "ÜBERBLENDUNG ZU:",
            "Abblende.",
            "CORTE A:",
            "FUNDIDO A NEGRO",
            "CORTA PARA:",
        ),
        *(
            "FONDU AU NOIR",
            "Fondu enchaîné",
            "OUVERTURE AU NOIR",
            "COUPE SUR",
            "COUPE FRANCHE SUR :",
            "STACCO SU:",
            "DISSOLVENZA IN NERO",
        ),
        *(
            "OVERGANG NAAR:",
            "KLIPP TILL:",
            "ÖVERTONING TILL",
            "LEIKKAUS:",
            "PRZENIKANIE:",
            "STŘIH NA:",
            "VÁGÁS:",
            "KESME:",
        ),
        *(
            "В ЗТМ.",
            "ПЕРЕХОД НА:",
            "フェードアウト",
            "暗転",
            "切至：",
            "淡出",
            "THE END",
            "FIN",
            "END OF FLASHBACK",
            "ENDE DER RÜCKBLENDE",
        ),
        *("ROLL CREDITS.", "GÉNÉRIQUE DE FIN", "КОНЕЦ ПЕРВОЙ СЕРИИ", "LATER:"),
    ],
)
def test_transitions_in_any_language(line: str):
    assert names_transition(line)
    found = read(f"INT. HALL\n\nDark.\n\n{line}\n\nLight.")
    assert [type(part) for part in found.scenes[0].parts] == [Action, Transition, Action]


@pytest.mark.parametrize(
    "line",
    [
        *("The rope is cut.", "He cuts to the chase.", "A CUT ON HIS ARM", "BEN ENTERS, CARRYING A LARGE BOX:"),
        *(
            "She fades into the crowd.",
            "The end of the road.",
            "Finally.",
            "Black.",
            "Er schneidet.",
            "Una corte a cielo.",
        ),
    ],
)
def test_what_is_no_transition(line: str):
    assert not names_transition(line)


def test_what_a_transition_leads_to():
    found = read("INT. X\n\nCorte a: Rosa corre.\n\nSCHNITT AUF: DIE KÜCHE\n\nLook: she waits.\n\nSteel: a wall.")
    assert found.scenes[0].parts == (
        *(Transition("Corte a:", 3), Action("Rosa corre.", 3), Transition("SCHNITT AUF: DIE KÜCHE", 5)),
        *(Action("Look: she waits.", 7), Action("Steel: a wall.", 9)),
    )


@pytest.mark.parametrize("mark", ["FADE IN:", "STACCO SU:", "SMASH CUT TO:", "FONDU AU NOIR", "FADE IN"])
def test_a_transition_is_no_speaker(mark: str):
    assert cue(mark) is None
    (scene,) = read(f"{mark}\nA clock ticks.").scenes
    assert [type(part) for part in scene.parts] == [Transition, Action]


@pytest.mark.parametrize("name", ["SON", "FINE", "REZ", "FIN", "TOM FINE"])
def test_a_name_that_could_be_a_transition_speaks(name: str):
    assert speakers(read(f"INT. X\n\n{name}\nHello.")) == [name]


@pytest.mark.parametrize(
    "line",
    [
        *(
            "ACT ONE",
            "END OF ACT ONE",
            "ACT TWO: THE KEY",
            "A",
            "(B)",
            "Scene 3",
            "SCENE A",
            "TEASER",
            "COLD OPEN",
            "TAG",
        ),
        *(
            "1. AKT",
            "ERSTER AKT",
            "PRIMER ACTO",
            "ACTE II",
            "ATTO SECONDO",
            "АКТ 1",
            "第一幕",
            "Chapter One",
            "PART TWO",
            "12.",
        ),
    ],
)
def test_acts_and_letters_are_no_action_and_told(line: str):
    assert names_act(line)
    found = read(f"INT. HALL\n\nDark.\n\n{line}\n\nLight.")
    assert action(found) == ["Dark.", "Light."]
    assert [(oddity.line, line in oddity.what) for oddity in found.oddities] == [(5, True)]


def test_marks_directly_above_action_are_no_names():
    text = "TEASER\nA cat walks.\n\nACT ONE\nSCENE 2\nINT. HALL\n\nDark.\nEND OF ACT ONE\nLight."
    found = read(f"{text}\n\nTAG 3\n\nA\nHello.")
    assert action(found) == ["A cat walks.", "Dark.", "Light.", "TAG 3"]
    assert speakers(found) == ["A"]


@pytest.mark.parametrize(
    "line", ["Part of the wall falls.", "a", "1984", "THE PART", "Act", "One", "AB", "THE SECOND MAN"]
)
def test_what_is_no_act(line: str):
    assert not names_act(line)


@pytest.mark.parametrize(
    "line",
    ["(Ben, Ruth)", "(BEN)", "(Ben and Ruth)", "CAST: BEN, RUTH", "Personen: Ben, Ruth", "(Ben, Ruth, Officer Dilly)"],
)
def test_cast_lists(line: str):
    assert lists_cast(line, below_heading=True)
    found = read(f"INT. HALL\n\n{line}\n\nDark.")
    assert action(found) == ["Dark."]
    assert line in found.oddities[0].what


@pytest.mark.parametrize(
    "line", ["(Rain falls.)", "(Ben waits)", "(Night. Rain.)", "(the sound of rain)", "Ben waits."]
)
def test_what_is_no_cast_list(line: str):
    assert not lists_cast(line, below_heading=True)


def test_lists_of_those_who_speak_are_cast_lists_too():
    found = read("INT. HALL\n\nBEN, RUTH\n\nDark.\n\nBEN\nYes.\n\nRUTH\nNo.\n\n(Ben, Ruth, guests)\n\nBEN\n\nLight.")
    assert action(found) == ["Dark.", "Light."]


@pytest.mark.parametrize(
    "head",
    [
        "Title: THE KEY\n\nCredit: written by\nAuthor: A Writer\nDraft date: June 2019",
        "\n\nTitle:\n    THE KEY\n\n\nAuthor: A Writer\n\nContact:\n    a@b.example\nPhone: 555",
        "THE KEY\n\nby\n\nA Writer\n\nFirst Draft\n\nJune 3, 2019",
        "> THE KEY <\n\n> Written by A Writer <\n\n> © 2019 <",
        "THE KEY\nDrehbuch von A Writer\n\nFassung 3\n03.06.2019",
        "LA LLAVE\npor A Writer",
        "LA CHIAVE\n\ndi A Writer",
        "THE KEY\nWritten, directed and edited by A Writer",
    ],
)
def test_title_pages_are_never_spoken(head: str):
    found = read(f"{head}\n\nFADE IN:\n\nBlack.\n\nINT. HALL\n\nDark.")
    assert ("Title:" in head) is not any("title page" in oddity.what for oddity in found.oddities)
    assert action(found) == ["Black.", "Dark."]
    assert "A Writer" in str(found.title_page)


def test_what_is_no_title_page_is_action():
    found = read("Rain falls.\n\nBy the wall Tom waits\n\nA street.\n\nINT. HALL\n\nDark.")
    assert action(found) == ["Rain falls.", "By the wall Tom waits", "A street.", "Dark."]
    assert action(read("A street\n\nBy the wall Tom waits\n\nINT. HALL\n\nDark."))[:2] == [
        *("A street", "By the wall Tom waits"),
    ]


def test_credits_above_a_laid_out_script():
    rows = ["THE KEY", "by A Writer", "", "FADE IN:", "", "INT. HALL - DAY", "", "A cat.", "", " " * 22 + "BEN"]
    rows += [" " * 11 + "Key?", "", "A dog.", "", " " * 22 + "RUTH", " " * 11 + "No."]
    found = read("\n".join(rows), "film.txt")
    assert action(found) == ["A cat.", "A dog."]
    assert found.title_page == (("Text", "THE KEY\nby A Writer"),)


def test_synopses_and_shots_anywhere():
    text = "INT. HALL\n= He will die.\nShe waits.\n= So she thinks.\n!!CLOSE ON ANNA\nHe comes."
    found = read(f"{text}\n\nANNA\n= no word\nYes.\n\n!! WIDE")
    assert action(found) == ["She waits.", "He comes."]
    assert [part.text for part in found.scenes[0].parts if isinstance(part, Speech)] == ["Yes."]
    assert [(oddity.line, "CLOSE ON ANNA" in oddity.what, "WIDE" in oddity.what) for oddity in found.oddities] == [
        (5, True, True)
    ]


DOUBLE = "INT. HALL\n\nA cat walks.\n\n{a}\n\nWhere?\n\n{b}\n\nHere.\n\n{a}\n\nWhy?\n\n{b}\n\nSo."


def test_speeches_below_an_empty_row_are_read_in_a_short_text_too():
    found = read(DOUBLE.format(a="BEN", b="RUTH"), "film.txt")
    speeches = [part for part in found.scenes[0].parts if isinstance(part, Speech)]
    assert [(part.speaker, part.text) for part in speeches] == [
        *(("BEN", "Where?"), ("RUTH", "Here.")),
        *(("BEN", "Why?"), ("RUTH", "So.")),
    ]
    assert action(found) == ["A cat walks."]


def test_plain_text_with_names_and_no_speech_is_rejected_with_figures():
    with pytest.raises(ScreenplayError, match="4 character names"):
        read("INT. HALL\n\nA cat.\n\nBEN: Where?\nRUTH: Here.\n\nBEN: Why?\n\nRUTH: So.", "film.txt")


def test_a_silent_film_is_read():
    found = read("INT. HALL\n\nA cat walks.\n\nLATER\n\nA dog walks.\n\nLATER\n\nA cow walks.", "film.txt")
    assert action(found) == ["A cat walks.", "LATER", "A dog walks.", "LATER", "A cow walks."]


def test_double_spaced_dialogue_in_columns():
    rows = ["INT. HALL - DAY", "A cat walks along the shelf until it falls off"]
    for who, said in (("ANNA", ("(low) Wait for", "me.")), ("TOM", ("Why?",)), ("ANNA", ("So.",))):
        rows += [" " * 30 + who, *(" " * 12 + line for line in said)]
    found = read("\n\n".join([*rows, "He goes."]), "film.txt")
    assert action(found) == ["A cat walks along the shelf until it falls off", "He goes."]
    assert speakers(found) == ["ANNA", "TOM", "ANNA"]
    speech = next(part for scene in found.scenes for part in scene.parts if isinstance(part, Speech))
    assert (speech.text, speech.parentheticals) == ("Wait for me.", ("low",))
