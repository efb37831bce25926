"""Full names and pronouns that texts tell of people."""

from __future__ import annotations

import pytest

from adstudio.characters.people_in_texts import (
    ShownPronouns,
    introduced,
    pronouns_of,
    proposed_pronouns,
    with_full_names,
)
from adstudio.core.cast import Person, Pronouns

NORA, TOM, GUARD = Person("n", "Nora"), Person("t", "Tom"), Person("g", "GUARD")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("NORA VALE hurries along the wall.", ("Nora Vale",)),
        ("Nora Vale hurries along the wall.", ("Nora Vale",)),
        ("Nora hurries along. Vale Street.", ()),
        ("NORA Vale hurries.", ()),
        ("On Nora Street a dog barks.", ()),
        ("NORA VALE meets NORA FINCH here.", ()),
        ("Nora’s Tom waits.", ()),
        ("Nora, Tom and others wait.", ()),
    ],
)
def test_a_full_name_is_a_further_name(text: str, wanted: tuple[str, ...]) -> None:
    nora, guard = with_full_names((NORA, GUARD), [text])
    assert (nora.aliases, guard.aliases) == (wanted, ())


def shown(*texts: str, dialogue: tuple[str, ...] = ()) -> dict[str, Pronouns]:
    return pronouns_of((NORA, TOM), texts, dialogue)


def test_he_or_she_in_a_sentence_about_one_person_shows_it() -> None:
    assert shown("Nora waits until she is alone.") == {"n": Pronouns.SHE}
    assert shown("Tom smooths his hair. Tom hurts himself.") == {"t": Pronouns.HE}
    assert shown("She sees Nora.", "Nora sees Tom, and he waves.") == {}


def test_somebody_else_s_hat_does_not_outweigh_the_rest() -> None:
    assert shown("Nora takes his hat.", "Nora smiles when she sees it.", "Nora laughs as she goes.") == {
        "n": Pronouns.SHE
    }
    assert shown("Nora takes his hat.", "Nora takes her bag.") == {}


def test_what_texts_are_sure_of_is_proposed_with_the_sentence_that_shows_it() -> None:
    texts = ("Rain.", "Tom smooths his hair.", "Tom runs out, the umbrella in his fist.", "Nora takes his hat.")
    found = proposed_pronouns((NORA, TOM), texts, ())
    assert found == {"t": ShownPronouns(Pronouns.HE, "Tom smooths his hair", 1, 1)}
    titled = proposed_pronouns((Person("n", "Nora Vale"),), [], ["Good evening, Miss Vale."])
    assert titled["n"][:3] == (Pronouns.SHE, "Good evening, Miss Vale.", None)


def test_what_the_describer_said_is_never_proposed_anew() -> None:
    kim = Person("n", "Nora", pronouns=Pronouns.THEY)
    assert proposed_pronouns((kim,), ["Nora waits until she is alone."], []) == {}


def test_whom_somebody_runs_after_is_somebody_else() -> None:
    assert shown("Tom runs after her.", "Tom turns to her, and waits.", "Tom smooths his hair.") == {"t": Pronouns.HE}
    assert shown("Tom runs after her.") == {}
    assert shown("Nora takes her bag.") == {"n": Pronouns.SHE}


def test_a_sentence_counts_once_however_often_it_is_said() -> None:
    assert proposed_pronouns((TOM,), ["Tom smooths his hair.", "Tom smooths his hair."], ()) == {}


def test_a_title_in_dialogue_shows_it() -> None:
    assert pronouns_of((Person("n", "Nora Vale"),), [], ["Good evening, Miss Vale."]) == {"n": Pronouns.SHE}


def test_the_cast_s_own_word_goes_first() -> None:
    kim = Person("n", "Nora", pronouns=Pronouns.THEY)
    assert pronouns_of((kim,), ["Nora waits until she is alone."], []) == {"n": Pronouns.THEY}


def test_a_place_called_after_somebody_is_no_surname() -> None:
    people = (Person.named("Billups"), Person.named("Nora"))
    texts = ("Billups Palace Hotel, room 412.", "NORA VALE hurries past Billups Mansion.")
    assert [person.aliases for person in with_full_names(people, texts)] == [(), ("Nora Vale",)]


def test_a_full_name_that_is_somebody_elses_is_nobodys_further_name() -> None:
    people = (Person.named("Nora"), Person.named("Nora Vale"))
    assert with_full_names(people, ("NORA VALE hurries along the wall.",)) == people


def test_what_texts_tell_is_noted_only_where_nothing_is_known() -> None:
    texts = (
        "NORA VALE, in a mustard coat, hurries along. She knocks.",
        "Nora opens the door herself.",
        "TOM FINCH, the clerk, writes in a ledger.",
        "IDA, the cook, waits.",
        "Sam waits. He sits. Sam rubs his eyes himself.",
    )
    people = (
        Person("n", "Nora", pronouns=Pronouns.SHE),
        Person("t", "Tom"),
        Person("i", "Ida", described_as="the girl with the pan"),
        Person("s", "Sam"),
    )
    described = [person.described_as for person in introduced(people, texts, (), "en")]
    assert described == ["the woman in the mustard coat", "the clerk", "the girl with the pan", ""]
    assert [person.described_as for person in introduced(people, texts, (), "de")][:2] == ["", ""]
