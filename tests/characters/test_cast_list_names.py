"""Names in cast lists: two people in a row are two, a name of one's own wins, and what is cut of a name is said."""

from __future__ import annotations

import pytest

from adstudio.characters.cast_collecting import collected
from adstudio.characters.cast_list import CastList, read_cast_list
from adstudio.core.cast import Person, Pronouns


def read(rows: str, *known: str, head: str = "name,alias\n") -> CastList:
    return read_cast_list((head + rows).encode(), "cast.csv", tuple(Person.named(name) for name in known))


def names(found: CastList) -> list[str]:
    return [person.name for person in found.people]


def said(found: CastList) -> list[tuple[int | None, str]]:
    return [(oddity.line, oddity.what) for oddity in found.oddities]


@pytest.mark.parametrize(
    "written",
    ["Nora & Tom", "NORA + TOM", "Nora and Tom", "NORA&TOM", "“Nora” & “Tom”", "“NORA & TOM”", "'Nora & Tom'"],
)
@pytest.mark.parametrize(
    ("others", "people"),
    [("", ["Nora", "Tom"]), ("Nora,\nTom,\n", ["Nora", "Tom"]), ("Tom,\nGuard,\n", ["Nora", "Tom", "Guard"])],
)
def test_a_row_of_two_people_is_two_or_refers_to_two_and_never_one(written, others, people) -> None:
    for rows, line in ((f"{written},\n{others}", 2), (f"{others}{written},\n", 2 + others.count("\n"))):
        found = read(rows)
        assert sorted(names(found)) == sorted(people)
        assert said(found) == [(line, f"“{written}” are several people, who are taken one by one: Nora, Tom")]
        cast = collected((), found.people)
        assert (sorted(person.name for person in cast.people), cast.mergers) == (sorted(people), ())
    text = read_cast_list(f"{written} … A. Smith & B. Lee\nGUARD … C. Gray\n".encode(), "cast.txt")
    assert names(text) == ["Nora", "Tom", "Guard"]


@pytest.mark.parametrize("written", ["NORA/TOM", "Nora und Tom", "Nora et Tom", "Nora y Tom"])
def test_strokes_and_foreign_ands_part_two_people_only_where_both_are_known(written: str) -> None:
    assert names(read(f"{written},\nNora,\nTom,\n")) == ["Nora", "Tom"]
    assert names(read(f"{written},\nNora Vale,\nFinch,Tom\n")) == ["Nora", "Nora Vale", "Finch"]
    assert names(read(f"{written},\n", "Nora Vale", "Tom Finch")) == ["Nora", "Tom"]
    assert len(names(read(f"{written},\nNora,\n"))) == 2
    assert len(names(read(f"{written},\n"))) == 1


def test_couples_have_one_surname_and_others_are_nobody() -> None:
    found = read("Mr. & Mrs. Vale,\nNora and others,\n")
    assert names(found) == ["Mr Vale", "Mrs. Vale", "Nora"]
    assert [person.pronouns for person in found.people] == [Pronouns.HE, Pronouns.SHE, Pronouns.UNKNOWN]
    assert said(found)[1] == (3, "“Nora and others” is taken as “Nora”")


@pytest.mark.parametrize("name", ['Tom "Rock & Roll" Finch', "Guard (night & day)", "Anderson", "Ortega y Gasset"])
def test_one_person_stays_one(name: str) -> None:
    assert names(read(f'"{name.replace(chr(34), chr(34) * 2)}",\nNora,\n')) == [name, "Nora"]


def test_several_people_are_no_further_name_and_what_else_their_row_says_is_left_out() -> None:
    found = read("Nora,Nora & Tom,\nNora & Tom,Duo,the two\n", head="name,alias,description\n")
    assert [(person.name, person.aliases) for person in found.people] == [("Nora", ()), ("Tom", ())]
    assert [line for line, _ in said(found)] == [2, 3]
    assert said(found)[0][1] == "“Nora & Tom” is not taken as a further name of Nora: these are several people"
    assert said(found)[1][1].endswith(": Nora, Tom; what else the line says is left out")


def test_whom_several_people_of_the_cast_are_made_of_is_not_merged_into_them() -> None:
    cast = collected((Person.named("Nora & Tom"),), read("Nora,\nTom,\n").people)
    assert [person.name for person in cast.people] == ["Nora & Tom", "Nora", "Tom"]


@pytest.mark.parametrize(
    ("rows", "people", "lines"),
    [
        ("Nora,Tom\nTom,\n", ["Nora", "Tom"], [2]),
        ("Tom,\nNora,TOM\n", ["Nora", "Tom"], [3]),
        ("Anna,Berta\nBerta,Anna\n", ["Anna", "Berta"], [2, 3]),
        ("Nora,Guard 1/Foxy\nGuard 1,\n", ["Guard 1", "Nora"], [2]),
    ],
)
def test_a_name_of_ones_own_goes_before_the_same_one_as_an_alias(rows, people, lines) -> None:
    found = read(rows)
    assert [line for line, _ in said(found)] == lines
    assert all("is not taken as a further name of" in what for _, what in said(found))
    cast = collected((), found.people)
    assert (sorted(person.name for person in cast.people), cast.mergers) == (people, ())


@pytest.mark.parametrize("mark", ["\u200e", "\u200f", "\u202e", "\u00ad", "\u200b", "\u2060", "\ufeff", "\x07", "\x1b"])
def test_what_shows_nothing_is_left_out_wherever_it_stands(mark: str) -> None:
    rows = f"{mark}No{mark}ra Vale{mark},{mark}Foxy,{mark}the wo{mark}man,{mark}she\n{mark},,,\n"
    found = read(rows, head=f"{mark}name,alias,description,pronouns{mark}\n")
    (nora,) = found.people
    assert (nora.name, nora.aliases, nora.described_as) == ("Nora Vale", ("Foxy",), "the woman")
    assert nora.pronouns is Pronouns.SHE
    assert said(found) == [(3, "this line has no name, so it is left out: write one, or delete the line")]


def test_joiners_of_persian_names_stay() -> None:
    assert names(read("علی\u200cرضا,\n")) == ["علی\u200cرضا"]


@pytest.mark.parametrize(
    "name", ['Nora "the Fox"', "Nora “the Fox”", "Nora 'the Fox'", '"Red" O’Brien', "Tom (young)", "Guard [2]"]
)
def test_matching_quotation_marks_and_brackets_of_a_name_stay(name: str) -> None:
    found = read(f'"{name.replace(chr(34), chr(34) * 2)}",\nTom,\n')
    assert (names(found), said(found)) == ([name, "Tom"], [])
    assert [person.name for person in collected((), found.people).people] == [name, "Tom"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Nora (V.O.)", "Nora"),
        ("Tom (young) (O.S. CONT’D)", "Tom (young)"),
        ("Nora (the Fox", "Nora"),
        ("Nora”", "Nora"),
        ("Nora (a (b))", "Nora"),
        ("The Fox’s", "The Fox"),
    ],
)
def test_what_is_left_out_of_a_name_is_said_with_its_line(written: str, name: str) -> None:
    found = read(f"Guard,\n{written},\n")
    assert (names(found)[1], said(found)) == (name, [(3, f"“{written}” is taken as “{name}”")])


@pytest.mark.parametrize("written", ["NORA", " Nora ", "“Nora”", "'Nora'", "Nora:", "- Nora"])
def test_letter_case_and_signs_around_a_name_need_no_word(written: str) -> None:
    found = read(f"{written},\n")
    assert (names(found), said(found)) == (["Nora"], [])


def test_a_name_that_is_cut_is_said() -> None:
    found = read(f"{'x' * 61},{'y' * 400}\n")
    assert (names(found), found.people[0].aliases) == (["x" * 60], ("y" * 60,))
    cut = "because a name has at most 60 characters"
    assert said(found) == [
        (2, f"“{'x' * 59}…” is taken as “{'x' * 60}”, {cut}"),
        (2, f"“{'y' * 59}…” is taken as “{'y' * 60}”, {cut}"),
    ]


def test_brackets_in_text_are_the_actors_unless_they_keep_people_apart() -> None:
    found = read_cast_list(b"Nora Vale (Anna Smith)\nTom (young)\nGuard (2)\n", "cast.txt")
    assert names(found) == ["Nora Vale", "Tom (young)", "Guard (2)"]
    assert said(found) == [(1, "“Nora Vale (Anna Smith)” is taken as “Nora Vale”")]


@pytest.mark.parametrize("row", ['"Nora Vale,Nora', "x" * 301, "x" * 2_001, "x" * 200_000])
def test_a_row_that_is_lost_is_said_to_be_left_out(row: str) -> None:
    found = read(f"{row}\nTom,T\n")
    assert names(found) == ["Tom"]
    ((line, what),) = said(found)
    assert (line, ", so it is left out" in what) == (2, True)


def test_many_rows_that_refer_to_two_are_no_reason_to_refuse_a_list() -> None:
    found = read_cast_list(b"NORA\nTOM\n" + b"NORA & TOM\n" * 5, "cast.txt")
    assert (names(found), len(found.oddities)) == (["Nora", "Tom"], 5)
