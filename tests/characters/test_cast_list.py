"""Cast lists as tables and as text: characters, not actors; what is odd is said, and what is none refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.characters.cast_list import read_cast_list
from adstudio.core.cast import CharacterSource, Person, Pronouns
from adstudio.core.errors import BadInputError


def names(text: str, *known: str) -> list[str]:
    found = read_cast_list(text.encode(), "list.txt", tuple(Person.named(name) for name in known))
    return [person.name for person in found.people]


@pytest.mark.parametrize(
    "text",
    [
        "NORA VALE … Anna Smith\nTOM … Ben Lee\n",
        "NORA VALE ..... Anna Smith\nTOM ........... Ben Lee\n",
        "NORA VALE\tAnna Smith\nTOM\tBen Lee",
        "Nora Vale . . . . Anna Smith\nTom . . . . Ben Lee",
        "NORA VALE     Anna Smith\r\n\r\nTOM           Ben Lee\r\n",
        "Nora Vale – Anna Smith\nTom – Ben Lee",
        "Anna Smith as Nora Vale\nBen Lee as Tom",
        "Anna Smith ... NORA VALE\nBen Lee ... TOM",
        "NORA VALE\nTOM\n",
        "\ufeffNORA VALE\nTOM\n",
    ],
)
def test_characters_are_told_from_actors(text: str) -> None:
    assert names(text) == ["Nora Vale", "Tom"]


def test_who_is_known_tells_which_side_the_characters_are_on() -> None:
    text = "Anna Smith … Nora Vale\nBen Lee … Tom"
    assert names(text) == ["Anna Smith", "Ben Lee"]
    assert names(text, "Nora", "Tom") == ["Nora Vale", "Tom"]


def test_a_table_says_names_aliases_descriptions_and_pronouns() -> None:
    text = "name;alias;description;pronouns\nNORA VALE;Nora, Mrs Vale;the woman in red;she/her\nTOM;;;\n"
    nora, tom = read_cast_list(text.encode(), "cast.csv").people
    assert (nora.name, nora.aliases, nora.described_as) == ("Nora Vale", ("Nora", "Mrs Vale"), "the woman in red")
    assert (nora.pronouns, tom.pronouns, nora.source) == (Pronouns.SHE, Pronouns.UNKNOWN, CharacterSource.CAST_LIST)


def test_columns_are_found_in_any_order_and_quoted() -> None:
    text = 'Actor,Character,Also\n"Smith, Anna","Nora Vale","The Fox/Foxy"\n'
    (nora,) = read_cast_list(text.encode("utf-16"), "cast.csv").people
    assert (nora.name, nora.aliases) == ("Nora Vale", ("The Fox", "Foxy"))


def test_what_is_odd_is_said_with_its_line() -> None:
    found = read_cast_list(b"name;alias\nNORA;\n;x\nnora;y\nTOM;\n", "cast.csv")
    assert [person.name for person in found.people] == ["Nora", "Tom"]
    assert [(oddity.line, oddity.what) for oddity in found.oddities] == [
        (3, "this line has no name, so it is left out: write one, or delete the line"),
        (4, "“nora” is there twice: the first one is taken"),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        ("\n".encode("utf-16"), "is empty"),
        (b"%PDF-1.7\n", "is not a text file"),
        (b"PK\x03\x04", "is not a text file"),
        (b"NORA\0\0TOM\0xx", "is not a text file"),
        (b"x" * 2_000_000 + b"x", "is larger than 2 MB"),
        (b"It was a dark and stormy night, and nobody was there at all.\n" * 20, "is not a cast list"),
        (b"name;alias\n", "has a head and nothing below it"),
        (b"id,person_age\n1,31\n2,45\n", "its first line is to name the columns"),
        (b"id,person_age\n", "its first line is to name the columns"),
        (b"NORA;Anna Smith\nTOM;Ben Lee\n", "its first line is to name the columns"),
        (b'{"name": "Nora"}\n', "its first line is to name the columns"),
        (b'name,alias\n"NORA,Mrs Vale\n', "is not a cast list"),
        (
            b"1\n00:00:01,000 --> 00:00:02,000\nWhere were you last night, when they came to the house?\n",
            "is not a cast list",
        ),
    ],
)
def test_what_is_no_cast_list_is_refused_in_a_sentence(data: bytes, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        read_cast_list(data, "list.bin")


RUSSIAN = "name;description\nНора Вэйл;женщина в красном пальто\nТом Финч;продавец в старой лавке\nИнспектор Грей;\n"
JAPANESE = "名前,name\n1,野良犬のケン\n2,とむ・フィンチさん\n3,おばあちゃん\n"


@pytest.mark.parametrize(
    ("text", "codec", "shown", "first"),
    [
        (RUSSIAN, "cp1251", "windows-1251", "Нора Вэйл"),
        (RUSSIAN, "koi8-r", "koi8-r", "Нора Вэйл"),
        (JAPANESE, "shift_jis", "shift_jis", "野良犬のケン"),
    ],
)
def test_the_encoding_is_guessed_as_for_subtitles_and_the_guess_is_said(text, codec, shown, first) -> None:
    found = read_cast_list(text.encode(codec), "cast.csv")
    assert found.people[0].name == first
    assert f"{shown} was guessed" in found.oddities[0].what


def test_a_given_encoding_is_used_and_one_that_is_none_is_refused() -> None:
    data = "name,alias\nZoë Müller,Zoë\nJosé,\n".encode("cp850")
    found = read_cast_list(data, "cast.csv", encoding="cp850")
    assert ([person.name for person in found.people], found.oddities) == (["Zoë Müller", "José"], ())
    with pytest.raises(BadInputError, match="is not a valid encoding"):
        read_cast_list(data, "cast.csv", encoding="klingon")


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-32-le", "utf-32-be"])
def test_unicode_of_any_width_is_read_without_a_word(codec: str) -> None:
    found = read_cast_list("name,alias\nNora Vale,Nora\nTom,\n".encode(codec), "cast.csv")
    assert [person.name for person in found.people] == ["Nora Vale", "Tom"]
    assert all("guessed" in oddity.what for oddity in found.oddities)


def test_what_is_left_out_of_a_row_is_said() -> None:
    rows = ["name;alias;description;pronouns", "NORA;(none);;ze/zir", f"TOM;;{'x' * 600};he", '"ANN;;;']
    found = read_cast_list("\n".join(rows).encode(), "cast.csv")
    assert [(person.name, person.pronouns) for person in found.people] == [
        ("Nora", Pronouns.UNKNOWN),
        ("Tom", Pronouns.HE),
    ]
    said = [(oddity.line, oddity.what) for oddity in found.oddities]
    assert [line for line, _ in said] == [2, 2, 3, 4]
    assert said[0][1] == "“(none)” is no name, so it is left out"
    assert said[1][1].startswith("“ze/zir” are no pronouns that are known")
    assert "the description of “Tom” is not taken" in said[2][1]
    assert said[3][1] == "the quotation marks of this line do not match, so it is left out"


NOBODY = [
    "The",
    "?",
    "-",
    "–",
    "N/A",
    "n.a.",
    "42",
    "007",
    "TBC",
    "T.B.C.",
    "None",
    "...",
    "???",
    "1/2",
    "#3",
    "(V.O.)",
]


@pytest.mark.parametrize("written", NOBODY)
def test_what_stands_where_a_name_is_wanting_is_said_and_left_out(written: str) -> None:
    found = read_cast_list(f"name;alias\nNORA;Mrs Vale\n{written};\nTOM;{written}\n".encode(), "cast.csv")
    assert [(person.name, person.aliases) for person in found.people] == [("Nora", ("Mrs Vale",)), ("Tom", ())]
    (row, alias) = found.oddities
    assert (row.line, alias.line) == (3, 4)
    assert row.what == f"“{written}” names nobody, so this line is left out: write the character’s name there"
    assert alias.what == f"“{written}” is no name, so it is left out"
    if written != "...":  # which leads from a character to an actor
        assert names(f"NORA VALE\tAnna Smith\n{written}\tBen Lee\nTOM\tCy Dee\n") == ["Nora Vale", "Tom"]


@pytest.mark.parametrize("name", ["Will", "May", "M", "Q", "Guard 2", "Will.I.Am", "Number 6", "Na", "El", "日本", "Ö"])
def test_names_that_are_words_letters_or_have_a_number_are_taken(name: str) -> None:
    assert names(f"name;alias\n{name};\nTOM;\n") == [name, "Tom"]


@pytest.mark.parametrize("length", [121, 3_000, 90_000, 140_000, 1_000_000])
@pytest.mark.parametrize("column", ["description", "alias", "actor"])
def test_a_field_that_is_too_long_costs_no_more_than_its_line(length: int, column: str) -> None:
    text = f"name;{column};pronouns\nNORA;{'x' * length};she\nTOM;;he\n"
    found = read_cast_list(text.encode(), "cast.csv")
    assert [person.name for person in found.people][-1] == "Tom"
    assert {oddity.line for oddity in found.oddities} <= {2}
    assert ("Nora" in {person.name for person in found.people}) is (length < 100_000)
    assert found.oddities or column == "actor"


def test_a_table_in_which_no_line_has_a_name_says_why_of_the_first() -> None:
    with pytest.raises(BadInputError, match=r"no line below its head has a name \(line 2: “\?” names nobody"):
        read_cast_list(b"name;alias\n?;x\n-;y\n", "cast.csv")


def test_only_so_many_people_are_taken() -> None:
    found = read_cast_list("\n".join(f"P{n} X" for n in range(500)).encode(), "list.txt")
    assert len(found.people) == 400
    assert "only the first 400" in found.oddities[-1].what


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_are_a_cast_list_or_are_refused(data: bytes) -> None:
    try:
        found = read_cast_list(data, "list")
    except BadInputError:
        return
    assert found.people
    for person in found.people:
        Person.named(person.name)
