"""How sure it is that a line can be said: what is left out of plans, and what is not. Our own sentences.

None of them is among those that the likeness is fitted to.
"""

from __future__ import annotations

import pytest
from test_wording import worded

from adstudio.drafting.text.filmable import unseen
from adstudio.drafting.text.language.grammar import parsed
from adstudio.drafting.text.segment.sentence_kind import SentenceKind
from adstudio.drafting.text.wording_certainty import LEAST_CERTAIN, Judged, certainty

NOT_SEEN = [
    "The harbour has known better times.",
    "This is where her luck runs out.",
    "The loss of his brother changes everything for him.",
    "Her pride is at stake.",
    "It is the kind of town where everybody minds his own business.",
    "The village keeps its secrets.",
]
SEEN = [
    "A ferry crosses the harbour.",
    "Ida ties a scarf around her head.",
    "Ned motions to the goose politely.",
    "The yard is deep in snow.",
    "It is Ida, the ferryman's daughter.",
    "Her brother lifts the lid and grins.",
    "A lantern with a broken pane.",
    "A gust.",
    "The almanac.",
    "Inside the barn.",
    "Ida has not heard Ned.",
    "Night.",
    "Nobody.",
    "Snow in the lamplight.",
    "Under a lamp, apples.",
    "The station clock shows 7:45.",
]


def sure(text: str, *, complete: bool = True, unlike: float | None = None) -> float:
    alike = unseen([text])[0] if unlike is None else unlike
    return certainty(Judged(text, parsed([text])[0], complete, alike))


@pytest.mark.parametrize("text", NOT_SEEN)
def test_what_says_in_other_words_what_no_picture_shows_is_left_out(text):
    assert unseen([text])[0] > 0
    assert sure(text) < LEAST_CERTAIN


@pytest.mark.parametrize("text", SEEN)
def test_what_is_seen_is_not(text):
    assert sure(text) >= LEAST_CERTAIN


@pytest.mark.parametrize("text", ["Empty.", "Toward the old harbour.", "Loud clapping.", "Trust."])
def test_a_scrap_that_presents_nothing_is_left_out(text):
    assert sure(text, unlike=0.0) < LEAST_CERTAIN


@pytest.mark.parametrize(
    "text", ["Grabs the lamp from the shelf.", "Taps Ned on the shoulder.", "Ida sees this.", "Ida glances at them."]
)
def test_what_lacks_whom_it_is_about_is_left_out(text):
    assert sure(text, unlike=0.0) < LEAST_CERTAIN


@pytest.mark.parametrize(
    "text",
    [
        "Flames lick the walls.",
        "Shelves full of old books and maps.",
        "The geese hiss, and Ida feeds them.",
        "James is asleep.",
    ],
)
def test_what_names_it_is_not(text):
    assert sure(text, unlike=0.0) >= LEAST_CERTAIN


@pytest.mark.parametrize("text", ["Ned lifts the lid and from his pocket.", "Ned very slowly and opens the lid."])
def test_what_a_cut_tears_is_left_out(text):
    assert sure(text, unlike=0.0) < LEAST_CERTAIN


def test_signs_add_up():
    # 1 - 0.3 for a dash at its end; 0.15 less without a verb given by its text; 0.3 less where nobody is likened.
    assert sure("Ida lifts the lid --", unlike=0.0) == pytest.approx(0.7)
    assert sure("Ida lifts the lid --", complete=False, unlike=0.0) == pytest.approx(0.55)
    assert sure("Ida lifts the lid --", unlike=0.3) == pytest.approx(0.4)
    assert sure("The lid falls open.", unlike=0.3) == pytest.approx(1 - 0.3 * 1.7)


@pytest.mark.parametrize("text", ["...", "— —", "Nora waits. ..."])
def test_a_sentence_of_marks_alone_is_judged_as_any_other(text):
    assert 0.0 <= sure(text, unlike=0.0) <= 1.0


def test_texts_without_any_have_no_likeness():
    assert unseen([]) == ()


def test_a_doubtful_line_stays_an_item_and_enters_no_breath():
    found = worded("The town is proud of its history. Nora lifts the lid.")
    assert [each.kind for each in found.elements] == [SentenceKind.UNCERTAIN, SentenceKind.SEEN]
    assert found.fused == ()
