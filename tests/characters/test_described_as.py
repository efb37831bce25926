"""What characters are called while their names may not be said, as texts introduce them."""

from __future__ import annotations

import pytest

from adstudio.characters.described_as import Description, descriptions, indefinite
from adstudio.core.cast import Person, Pronouns


def described(text: str, *, pronouns: Pronouns = Pronouns.UNKNOWN, known: str = "") -> str:
    person = Person("n", "Nora Vale", described_as=known, pronouns=pronouns)
    found = descriptions((person,), [text])
    return found["n"].full if found else ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("NORA VALE, the clerk, writes in a ledger.", "the clerk"),
        ("NORA VALE (30s), a young nurse, comes in.", "the young nurse"),
        ("At the desk waits NORA VALE, a nurse.", "the nurse"),
        ("Nora Vale, an old friend of Tom’s, waits.", ""),  # says more than can be cut off with certainty
        ("NORA VALE hurries along.", "the woman"),
        ("He sits with his 7 year-old daughter, NORA VALE.", "the girl"),
        ("He waits with his daughter NORA VALE.", "the woman"),
        ("A girl called NORA VALE waits.", "the girl"),
        ("A girl of about ten, NORA VALE, hurries along.", "the girl of about ten"),
        ("A tall woman, NORA VALE, in a red coat, hurries along.", "the tall woman"),
        ("A NURSE (NORA VALE, 30s) hurries along.", "the nurse"),
        ("An old woman with a stick, called Nora Vale, waits.", "the old woman with a stick"),
        ("In the hall waits a nurse – NORA VALE.", "the nurse"),
        ("Behind the nurse, NORA VALE, in a red coat, waits.", "the woman in the red coat"),
        ("A nurse, NORA VALE, and a guard wait.", "the woman"),
        ("A man walks up to NORA VALE.", "the woman"),
        ("NORA VALE (9) hurries along.", "the girl"),
        ("NORA VALE, 35, hurries along.", "the woman"),
        ("NORA VALE, in a mustard coat and without an umbrella, hurries along.", "the woman in the mustard coat"),
        ("NORA VALE, in the rain, hurries along.", "the woman in the rain"),
        ("NORA VALE, wearing a red hat, hurries along.", "the woman in the red hat"),
        ("Nora Vale, the Queen, waves.", "the woman"),
        ("NORA VALE, the open door between them, waves.", "the woman"),
        ("NORA VALE, an old fisherman with a pipe, waves.", "the old fisherman with a pipe"),
        ("Nora Vale’s, the clerk, comes in.", "the woman"),
    ],
)
def test_a_text_that_introduces_somebody_describes_them(text: str, wanted: str) -> None:
    if wanted:
        assert described(text, pronouns=Pronouns.SHE) == wanted


def test_the_cast_s_own_description_goes_before_a_text_s() -> None:
    assert described("NORA VALE, the clerk, writes.", known="the woman at the desk") == "the woman at the desk"


def test_of_whom_nothing_is_known_nothing_is_said() -> None:
    assert described("NORA VALE hurries along.") == ""
    assert described("NORA VALE, in a coat, hurries along.") == ""
    assert descriptions((Person("g", "GUARD"),), ["The GUARD waits."]) == {}


def test_pronouns_found_in_the_text_serve_where_the_cast_has_none() -> None:
    person = Person("n", "Nora Vale")
    assert descriptions((person,), [], {"n": Pronouns.SHE})["n"].full == "the woman"
    own = Person("n", "Nora Vale", pronouns=Pronouns.THEY)
    assert descriptions((own,), [], {"n": Pronouns.SHE}) == {}


@pytest.mark.parametrize(
    ("phrase", "wanted"),
    [
        ("the clerk", "a clerk"),
        ("the old man", "an old man"),
        ("the university porter", "a university porter"),
        ("the heir", "an heir"),
        ("the woman in the orange coat", "a woman in an orange coat"),
        ("Nora’s friend", "Nora’s friend"),
        ("the", "the"),
    ],
)
def test_who_is_not_known_yet_has_an_indefinite_article(phrase: str, wanted: str) -> None:
    assert indefinite(phrase) == wanted


def test_the_head_of_a_description_is_what_is_said_again() -> None:
    assert Description("the woman in the mustard coat").head == "the woman"
    assert Description("the young man with a scar").head == "the young man"
    assert Description("the clerk").head == "the clerk"
