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
        (3, "this line has no name"),
        (4, "“nora” is there twice: the first one is taken"),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is not a cast list"),
        (b"\n\n", "is not a cast list"),
        (b"%PDF-1.7\n", "is not a text file"),
        (b"PK\x03\x04", "is not a text file"),
        (b"a\0b", "is not a text file"),
        (b"x" * (2 << 20) + b"x", "is larger than 2 MB"),
        (b"It was a dark and stormy night, and nobody was there at all.\n" * 20, "is not a cast list"),
        (b"name;alias\n", "is not a cast list"),
        (
            b"1\n00:00:01,000 --> 00:00:02,000\nWhere were you last night, when they came to the house?\n",
            "is not a cast list",
        ),
    ],
)
def test_what_is_no_cast_list_is_refused_in_a_sentence(data: bytes, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        read_cast_list(data, "list.bin")


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
