"""Names that come from nowhere: found wherever they stand in a line, and ordinary words taken for none."""

from __future__ import annotations

import pytest

from adstudio.drafting.model.checks import Rules, Wanted, check
from adstudio.drafting.text.language.names import Known, known_from, known_words, names_of, unknown_names

MAN = "The man parks the motorcycle beside the house and takes off his helmet."  # 13 words
CAST = known_from(["MIKAEL", "Anna Berg", "THE GUARD"], ["The guard waves to Mikael. So Voldemort is back, Anna?"])


def bad(language="en", film=CAST, full=MAN, **wordings):
    wanted = Wanted("e01", full, full)
    found = check(wanted, {"id": "e01", "full": full, **wordings}, Rules(60_000, language=language, film=film))
    return {each.key: each.why for each in found.bad if each.key in wordings}


@pytest.mark.parametrize(
    "name",
    [
        "Mikael",  # of the cast
        "Berg",
        "Voldemort",  # named in the subtitles
        "Gandalf",  # named nowhere, and no word
        "Hermione’s",
    ],
)
def test_a_line_may_not_begin_with_a_name_that_the_full_one_does_not_use(name):
    told = f"“{name.removesuffix('’s')}”"
    found = bad(r90=f"{name} parks the motorcycle beside the house and takes his helmet.")
    assert found == {"r90": f"names {told}, which the description does not"}


@pytest.mark.parametrize(
    "first",
    [
        "He", "This", "A", "Then", "Now", "Slowly,", "Another", "Someone", "Everybody", "Motorcyclist", "Helmetless,",
        "Parking,", "Parked,", "Smartphones", "It’s", "There’s", "Didn’t", "Guard", "Tired-looking,", "Tall", "Police",
        "Men", "Two", "X", "Will", "May", "Later", "Outside", "Underneath", "Biker", "Leather-clad,",
    ],
)  # fmt: skip
def test_a_line_may_begin_with_any_ordinary_word(first):
    assert unknown_names(f"{first} parks the motorcycle.", known_words(MAN), "en", CAST) == []


def test_what_the_films_texts_write_in_small_letters_is_no_name():
    full = "The creature leaps over the wall."
    assert unknown_names("Xenomorphs leap over the wall.", known_words(full), "en") == ["Xenomorphs"]
    film = known_from([], ["They call them xenomorphs."])
    assert unknown_names("Xenomorphs leap over the wall.", known_words(full), "en", film) == []
    assert unknown_names("Xenomorphs leap over it.", known_words("The xenomorph leaps."), "en") == [], (
        "a form of its word"
    )


def test_a_name_that_is_a_word_too_is_a_name_where_the_texts_use_it_as_one():
    full = known_words("The woman waits.")
    assert unknown_names("Rose waits.", full, "en", known_from(["ROSE"], ["I love you, Rose.", "The sun rose."])) == [
        "Rose"
    ]
    assert unknown_names("Guard waits.", full, "en", known_from(["GUARD"], ["The guard waits."])) == []


def test_the_full_wording_may_name_the_people_and_nobody_else():
    woman = Wanted("e01", "The woman opens the heavy door.", "")
    rules = Rules(60_000, names=known_words("Anna Berg"))
    named = check(woman, {"id": "e01", "full": "Anna Berg opens the heavy door."}, rules)
    assert named.full == "Anna Berg opens the heavy door."
    other = check(woman, {"id": "e01", "full": "Gollum opens the heavy door."}, rules)
    assert other.full == woman.text
    assert other.notes[-1].startswith("the full wording names “Gollum”, which the description does not")


GERMAN = known_from(
    ["MIKAEL", "WACHE"], ["Die Wache ruft Mikael.", "Wo ist die Wache?", "Wache! Der Mann hält an."], "de"
)
GERMAN_FULL = "Der Mann stellt das Motorrad neben dem Haus ab und nimmt den Helm ab."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Mikael stellt das Motorrad ab.", ["Mikael"]),
        ("Dann stellt Mikael das Motorrad ab.", ["Mikael"]),
        ("Mikaels Motorrad steht da.", []),  # German has no apostrophe: the form is not told from a word
        ("Die Wache stellt das Motorrad ab.", []),
        ("Wachen stehen neben dem Haus.", []),
        ("Dann stellt er das Rad ab.", []),
        ("Motorradfahrer halten an.", []),
        ("Behutsam nimmt er den Helm ab.", []),
        ("Das Motorrad steht neben dem Haus.", []),
    ],
)
def test_in_german_only_people_of_the_film_are_known_for_names(text, found):
    assert unknown_names(text, known_words(GERMAN_FULL), "de-AT", GERMAN) == found


def test_in_other_languages_a_first_word_is_a_name_where_the_film_has_one():
    film = known_from(["NADIA"], ["Je cherche Nadia, et Voldemort.", "Soudain, le garde arrive."], "fr")
    full = known_words("L’homme gare la moto.")
    assert [
        unknown_names(f"{first} gare la moto.", full, "fr", film)
        for first in ("Nadia", "Voldemort", "Puis il", "Garde")
    ] == [["Nadia"], ["Voldemort"], [], []]


def test_what_is_known_of_names():
    assert (
        Known(
            frozenset({"mikael", "anna", "berg", "the", "guard", "voldemort"}),
            frozenset({"guard", "waves", "to", "is", "back"}),
        )
        == CAST
    )
    assert known_from(["TOM"], ["Where Is The Train? It Has Gone, tom."]) == Known(
        frozenset({"tom"}), frozenset({"tom"})
    ), "texts that write all words with capitals"
    shouted = known_from([], ["NORA lifts a KEY, AND RUNS.", "- Look\n- Where, Tom?"])
    assert shouted == Known(frozenset({"tom"}), frozenset({"lifts", "a"}))


def test_somebody_who_never_speaks_has_the_name_that_the_texts_use():
    film = ["By the gate stands COOPER, a giant.", "Cooper rubs his chin. A bell rings.", "Cooper shakes his head."]
    assert names_of(["RUTH"], film) == ("Cooper", "Ruth")


@pytest.mark.parametrize(
    "film",
    [
        ["A COOPER hammers at a barrel.", "The Cooper rubs his chin.", "Cooper and Ruth shake her hand."],
        ["RAIN beats on the roof.", "Rain falls. Ruth shuts her eyes.", "Rain runs down the pane."],
        ["SMOKE fills the room.", "Smoke stings his eyes.", "He coughs in the smoke.", "Smoke hides her face."],
        ["By the gate stands COOPER, a giant.", "Cooper rubs his chin."],
    ],
)
def test_what_the_texts_use_as_a_word_or_hardly_at_all_is_no_name(film):
    assert names_of(["RUTH"], film) == ("Ruth",)


def test_what_speakers_are_called_beside_their_names_is_none():
    film = ["THE OLD BAKER waves. KARL THE BAKER is tall.", "Karl bows. Young Karl runs. Various hats fly."]
    assert names_of(["KARL", "YOUNG KARL", "A VOICE", "VARIOUS GUESTS"], film) == ("Guests", "Karl")
