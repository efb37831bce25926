"""People found in texts: linked to the cast where that is certain, said to be unsure where it is not. By hand."""

from __future__ import annotations

import pytest

from adstudio.characters.mentions import MentionForm, mentions
from adstudio.characters.name_index import NameIndex, is_role
from adstudio.core.cast import Person, Pronouns


def person(name: str, *aliases: str, known: str = "", pronouns: Pronouns = Pronouns.UNKNOWN) -> Person:
    return Person(name, name, aliases, known, pronouns)


NORA = person("Nora Vale", known="the woman in the mustard coat", pronouns=Pronouns.SHE)
TOM = person("Tom Finch", known="the clerk", pronouns=Pronouns.HE)
GUARD = person("GUARD")
CAST = (NORA, TOM, GUARD)


def found(text: str, cast: tuple[Person, ...] = CAST, language: str = "en", ordinary: frozenset[str] = frozenset()):
    """What is mentioned, as it is written, and whom it means: a name, or names with a question mark where unsure."""
    return [
        (text[each.start : each.end], " ".join(each.people) + "?" * (each.person is None))
        for each in mentions(text, NameIndex(cast), language, ordinary)
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # Names and their parts.
        ("Nora comes in.", [("Nora", "Nora Vale")]),
        ("Outside the window Nora hurries past.", [("Nora", "Nora Vale")]),
        ("NORA VALE, in a coat, hurries along.", [("NORA VALE", "Nora Vale")]),
        ("Tom Finch and Nora Vale shake hands.", [("Tom Finch", "Tom Finch"), ("Nora Vale", "Nora Vale")]),
        ("Its tag says N. Vale.", [("Vale", "Nora Vale")]),
        ("Its tag says T. Vale.", []),
        ("Its tag says N. VALE.", [("VALE", "Nora Vale")]),
        ("Suddenly Nora laughs.", [("Nora", "Nora Vale")]),
        ("Then Tom looks up, and Nora looks down.", [("Tom", "Tom Finch"), ("Nora", "Nora Vale")]),
        ("Young Nora waits.", [("Nora", "Nora Vale")]),
        # Possessives and short forms of verbs.
        ("Nora's eyes go to Tom’s hand.", [("Nora", "Nora Vale"), ("Tom", "Tom Finch")]),
        ("Nora'll come.", [("Nora", "Nora Vale")]),
        # Titles.
        ("Good evening, Miss Vale.", [("Miss Vale", "Nora Vale")]),
        ("Good evening, Mr. Finch.", [("Mr. Finch", "Tom Finch")]),
        ("Mr Vale comes in.", []),
        ("Captain Finch!", [("Captain Finch", "Tom Finch")]),
        ("Thank you, Miss. Vale is a village.", [("Vale", "Nora Vale?")]),
        # Other people's names, places and firms.
        ("On Vale Street a dog barks.", []),
        ("FINCH BROTHERS, says the sign.", []),
        ("A van of Finch & Sons stops.", [("Finch", "Tom Finch?")]),
        ("They watch Tom Hanks.", [("Tom", "Tom Finch?")]),
        ("She meets Anna Vale.", [("Vale", "Nora Vale?")]),
        ("Anna Vale comes in.", [("Vale", "Nora Vale?")]),
        ("The Vales are at home.", [("Vales", "Nora Vale?")]),
        ("Anna-Nora waves to Eleanora.", []),
        ("A tom cat sits in the vale.", []),
        # Short forms.
        ("Tommy, come here.", [("Tommy", "Tom Finch")]),
        ("Thomas Finch signs.", [("Thomas Finch", "Tom Finch")]),
        # Roles and descriptions.
        ("Nora steps up to the GUARD.", [("Nora", "Nora Vale"), ("the GUARD", "GUARD")]),
        ("The guard looks up.", [("The guard", "GUARD")]),
        ("The guards look up.", []),
        ("A guard looks up.", [("A guard", "GUARD?")]),
        ("The young guard looks up.", [("guard", "GUARD?")]),
        ("The guard dog looks up.", [("The guard", "GUARD?")]),
        ("On guard, he waits.", []),
        ("The clerk writes.", [("The clerk", "Tom Finch")]),
        ("Tom Finch, the clerk, writes.", [("Tom Finch", "Tom Finch"), ("the clerk", "Tom Finch")]),
        ("He pays the clerk’s wages.", [("the clerk", "Tom Finch")]),
        ("She is no clerk.", []),
        ("The woman in the mustard coat runs.", [("The woman in the mustard coat", "Nora Vale")]),
        ("The woman runs.", []),
        ("", []),
        ("…", []),
    ],
)
def test_people_are_linked_where_it_is_certain(text: str, wanted: list[tuple[str, str]]) -> None:
    assert found(text) == wanted


WORDS = (person("Will Turner"), person("Rose"), person("Grace Hill"), person("May"), person("Mark"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Will you come?", [("Will", "Will Turner?")]),
        ("Will sits down.", [("Will", "Will Turner")]),
        ("Will Turner sits down.", [("Will Turner", "Will Turner")]),
        ("He looks at Will.", [("Will", "Will Turner")]),
        ("He will come; she has the will.", []),
        ("Will, come here!", [("Will", "Will Turner")]),
        ("Will!", [("Will", "Will Turner")]),
        ("Rose petals fall.", [("Rose", "Rose?")]),
        ("Rose walks in.", [("Rose", "Rose")]),
        ("Rose’s hand shakes.", [("Rose", "Rose")]),
        ("ROSE PETALS FALL.", [("ROSE", "Rose?")]),
        ("A hand: ROSE comes in.", [("ROSE", "Rose")]),
        ("She gives a rose to Rose.", [("Rose", "Rose")]),
        ("The Rose is a pub.", [("Rose", "Rose?")]),
        ("Grace, dignity, silence.", [("Grace", "Grace Hill?")]),
        ("Grace. Wait.", [("Grace", "Grace Hill?")]),
        ("Mr. Mark!", [("Mr. Mark", "Mark")]),
        ("They leave in May.", [("May", "May?")]),
        ("On May 5 they leave.", [("May", "May?")]),
        ("He kisses May.", [("May", "May")]),
        ("Up the Hill Grace runs.", [("Hill", "Grace Hill?"), ("Grace", "Grace Hill?")]),
        ("The Day Rose Came Home From Town", [("Rose", "Rose?")]),
        ("Mark my words.", [("Mark", "Mark?")]),
        ("Mark opens the door.", [("Mark", "Mark")]),
        ("Grace falls on us.", [("Grace", "Grace Hill?")]),
        ("Grace smiles.", [("Grace", "Grace Hill")]),
        ("mark my words, rose.", []),
    ],
)
def test_a_name_that_is_a_word_needs_something_that_shows_it(text: str, wanted: list[tuple[str, str]]) -> None:
    assert found(text, WORDS) == wanted


def test_a_word_that_the_film_also_writes_small_may_be_no_name() -> None:
    assert found("Echo dies away.", (person("Echo"),)) == [("Echo", "Echo")]
    assert found("Echo dies away.", (person("Echo"),), ordinary=frozenset({"echo"})) == [("Echo", "Echo?")]
    assert found("He calls Echo.", (person("Echo"),), ordinary=frozenset({"echo"})) == [("Echo", "Echo")]


def test_of_two_people_of_one_name_neither_is_chosen() -> None:
    cast = (person("Tom Finch"), person("Tom Vale", pronouns=Pronouns.HE), person("Nora Vale", pronouns=Pronouns.SHE))
    assert found("Tom looks up.", cast) == [("Tom", "Tom Finch Tom Vale?")]
    assert found("Tom Vale looks up.", cast) == [("Tom Vale", "Tom Vale")]
    assert found("He sees Vale.", cast) == [("Vale", "Tom Vale Nora Vale?")]
    assert found("He sees Miss Vale.", cast) == [("Miss Vale", "Nora Vale")]
    assert found("He sees Mr Vale.", cast) == [("Mr Vale", "Tom Vale")]
    assert found("He sees Dr Vale.", cast) == [("Dr Vale", "Tom Vale Nora Vale?")]
    assert found("He sees T. Vale.", cast) == [("Vale", "Tom Vale")]


def test_a_name_as_the_cast_has_it_goes_before_parts_and_short_forms() -> None:
    cast = (person("Tom"), person("Tom Finch"), person("William Stone", "The Duke"), person("Bill"))
    assert found("He sees Tom.", cast) == [("Tom", "Tom")]
    assert found("He sees Bill.", cast) == [("Bill", "Bill")]
    assert found("He sees Willy.", cast) == [("Willy", "William Stone Bill?")]
    assert found("He sees The Duke.", cast) == [("The Duke", "William Stone")]


def test_a_short_form_that_two_may_have_is_unsure() -> None:
    cast = (person("Robert Ames"), person("Robin Bell"), person("Roberta Cole"))
    assert found("He sees Rob.", cast) == [("Rob", "Robert Ames")]
    assert found("He sees Bobby.", cast) == [("Bobby", "Robert Ames")]
    assert found("He sees Bert.", (person("Albert Ames"), person("Herbert Bell"))) == [
        ("Bert", "Albert Ames Herbert Bell?")
    ]


def test_texts_all_in_capitals_say_names_but_not_which_words_are_names() -> None:
    assert found("GOOD EVENING, MISS VALE. TOM!") == [("MISS VALE", "Nora Vale"), ("TOM", "Tom Finch")]
    assert found("COME HERE, NORA.") == [("NORA", "Nora Vale")]
    assert found("NO WILL AT ALL.", WORDS) == [("WILL", "Will Turner?")]


def test_texts_without_capitals_are_never_certain() -> None:
    assert found("nora comes in.") == [("nora", "Nora Vale?")]
    assert found("a will of iron.", WORDS) == []
    assert found("the vale is green.") == []


def test_accents_may_be_left_out() -> None:
    cast = (person("Zoë Åkesson"), person("José"))
    assert found("Zoe sees Jose.", cast) == [("Zoe", "Zoë Åkesson"), ("Jose", "José")]
    assert found("Zoe\u0308 waves.", cast) == [("Zoe\u0308", "Zoë Åkesson")]
    assert found("Zoe and Zoë.", (person("Zoe"), person("Zoë"))) == [("Zoe", "Zoe"), ("Zoë", "Zoë")]


@pytest.mark.parametrize(
    ("text", "names", "language", "wanted"),
    [
        ("Нора смотрит на Тома.", ("Нора", "Том"), "ru", [("Нора", "Нора"), ("Тома", "Том?")]),
        ("Рука Норы.", ("Нора",), "ru", [("Норы", "Нора?")]),
        ("Noras Hand zittert.", ("Nora",), "de", [("Noras", "Nora")]),
        ("Der Wächter sieht Nora.", ("Wächter", "Nora"), "de", [("Wächter", "Wächter?"), ("Nora", "Nora")]),
        ("Nora’nın eli.", ("Nora",), "tr", [("Nora’nın", "Nora")]),
        ("田中さんが笑う。", ("田中",), "ja", [("田中", "田中")]),
        ("田中は笑う。", ("田中",), "ja", [("田中", "田中")]),
        ("田中央を見る。", ("田中",), "ja", [("田中", "田中?")]),
        ("ノラは走る。エレノラも。", ("ノラ",), "ja", [("ノラ", "ノラ"), ("ノラ", "ノラ?")]),
        ("지민이 웃는다.", ("지민",), "ko", [("지민이", "지민")]),
        ("지민아, 이리 와.", ("지민",), "ko", [("지민아", "지민")]),
        ("नोरा हँसती है।", ("नोरा",), "hi", [("नोरा", "नोरा")]),
        ("ونورا تضحك", ("نورا",), "ar", [("ونورا", "نورا?")]),
        ("نورا تضحك", ("نورا",), "ar", [("نورا", "نورا")]),
        ("Το χέρι της Νόρας.", ("Νόρα",), "el", [("Νόρας", "Νόρα?")]),
        ("Barbara widzi Barbarę.", ("Barbara",), "pl", [("Barbara", "Barbara"), ("Barbarę", "Barbara?")]),
    ],
)
def test_other_scripts_and_endings_are_right_or_unsure(text, names, language, wanted) -> None:
    assert found(text, tuple(map(person, names)), language) == wanted


def test_a_mention_says_how_it_names_and_where_it_ends() -> None:
    text = "Miss Vale’s bag. Tommy. The clerk."
    first, second, third = mentions(text, NameIndex(CAST))
    assert (first.form, first.possessive, text[first.start : first.end]) == (MentionForm.TITLE, True, "Miss Vale")
    assert (second.form, second.names) == (MentionForm.SHORT, True)
    assert (third.form, third.names, third.possessive) == (MentionForm.ROLE, False, False)


@pytest.mark.parametrize("name", ["GUARD", "Guard #2", "OLD MAN", "WOMAN IN HAT", "the clerk", "NURSE 3", "Young boy"])
def test_who_is_called_by_what_they_are_has_a_role(name: str) -> None:
    assert is_role(name)


@pytest.mark.parametrize("name", ["Nora", "Nurse Betty", "Mr Vale", "Old Joe", "Tom Finch", "Will", "Mason", "J.R."])
def test_a_name_is_no_role(name: str) -> None:
    assert not is_role(name)


@pytest.mark.parametrize(
    ("label", "wanted"),
    [
        ("TOM", "Tom Finch"),
        ("Miss Vale", "Nora Vale"),
        ("MR VALE", None),
        ("the clerk", "Tom Finch"),
        ("GUARD", "GUARD"),
        ("GUARD 2", None),
        ("ANNA", None),
        ("", None),
    ],
)
def test_a_speaker_s_label_means_somebody_or_nobody(label: str, wanted: str | None) -> None:
    called = NameIndex(CAST).called(label)
    assert (called and called.name) == wanted


def test_a_cast_of_hundreds_with_one_surname_is_read_in_linear_time() -> None:
    cast = tuple(person(f"Anna{chr(97 + at % 26)}{chr(97 + at // 26)} Vale") for at in range(400))
    text = "Vale Vale Vale. " * 500
    assert all(each.person is None for each in mentions(text, NameIndex(cast)))


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "Ask Dr. Vale.", "Dr. Vale"),
        ("en", "Inspector Vale knows.", "Inspector Vale"),
        ("de", "Guten Abend, Frau Vale.", "Frau Vale"),
        ("de", "Frau Dr. Vale kommt.", "Frau Dr. Vale"),
        ("de", "Fr. Vale kommt.", "Fr. Vale"),
        ("de", "Frl. Vale!", "Frl. Vale"),
        ("de", "Frau Vales Schirm", "Frau Vales"),
        ("fr", "Bonsoir, madame Vale.", "madame Vale"),
        ("fr", "le docteur Vale arrive", "docteur Vale"),
        ("fr", "Mme Vale est là.", "Mme Vale"),
        ("fr", "Me Vale plaide.", "Me Vale"),
        ("es", "Buenas noches, señora Vale.", "señora Vale"),
        ("es", "La Srta. Vale llega.", "Srta. Vale"),
        ("es", "¿Dónde está la doctora Vale?", "doctora Vale"),
    ],
)
def test_a_title_and_a_surname_mean_the_only_one_of_that_name(language: str, text: str, wanted: str) -> None:
    other = person("Ida Vale", pronouns=Pronouns.SHE)
    assert found(text, language=language) == [(wanted, "Nora Vale")]
    assert found(text, (*CAST, other), language) == [(wanted, "Nora Vale Ida Vale?")]


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "Mr. Vale comes.", "Mr. Vale"),
        ("de", "Ich suche Herrn Vale.", "Herrn Vale"),
        ("de", "Herrn Vales Hut", "Herrn Vales"),
        ("fr", "M. Vale est là.", "M. Vale"),
        ("fr", "Où est monsieur Vale ?", "monsieur Vale"),
        ("es", "El señor Vale está aquí.", "señor Vale"),
        ("es", "Sr. Vale, por favor.", "Sr. Vale"),
    ],
)
def test_a_title_of_a_man_means_no_woman(language: str, text: str, wanted: str) -> None:
    assert found(text, language=language) == []
    both = (NORA, person("Tom Vale", pronouns=Pronouns.HE))
    assert found(text, both, language) == [(wanted, "Tom Vale")]


def test_an_initial_is_a_title_only_where_it_is_one() -> None:
    assert found("M. Vale, Monsieur.", (person("Mia Vale"),), "en") == [("Vale", "Mia Vale")]
    assert found("Il voit M. Vale.", (person("Mia Vale"), NORA), "fr") == [("M. Vale", "Mia Vale")]


def test_who_is_only_known_by_a_title_may_be_meant_by_another_one() -> None:
    cast = (person("Mrs Vale"), person("Nora Vale", pronouns=Pronouns.SHE))
    assert found("Good evening, Miss Vale.", cast) == [("Miss Vale", "Mrs Vale Nora Vale?")]
    assert found("Good evening, Mrs Vale.", cast) == [("Mrs Vale", "Mrs Vale")]


def test_a_speaker_with_a_title_is_the_only_one_of_that_surname() -> None:
    assert NameIndex(CAST).called("MISS VALE") is NORA
    assert NameIndex(CAST).called("Frau Dr. Vale") is NORA
    assert NameIndex(CAST).called("MR VALE") is None
    assert NameIndex((*CAST, person("Ida Vale"))).called("MISS VALE") is None
