"""Full names and pronouns that texts tell of people."""

from __future__ import annotations

import pytest

from adstudio.characters.people_in_texts import pronouns_of, with_full_names
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


def test_a_title_in_dialogue_shows_it() -> None:
    assert pronouns_of((Person("n", "Nora Vale"),), [], ["Good evening, Miss Vale."]) == {"n": Pronouns.SHE}


def test_the_cast_s_own_word_goes_first() -> None:
    kim = Person("n", "Nora", pronouns=Pronouns.THEY)
    assert pronouns_of((kim,), ["Nora waits until she is alone."], []) == {"n": Pronouns.THEY}
