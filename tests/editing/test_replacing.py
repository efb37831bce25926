"""Words are replaced in many lines as one step, in the texts that were chosen, and nothing else is touched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.core.document import Document
from adstudio.core.film import Film
from adstudio.core.script import Eventuality, Origin, Pin, Script, Variant
from adstudio.core.steps import Several
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused
from adstudio.editing.labels import label_of
from adstudio.editing.replacing import Where, count_matches, replace_matches, texts
from adstudio.editing.search import Search


def line(identity: str, *wordings: str, note: str = "", pin: Pin | None = None) -> Eventuality:
    variants = tuple(Variant(text, duration=2_000) for text in wordings)
    return Eventuality(identity, variants, Span(0, 1_000), 500_000, note=note, pin=pin or Pin())


SCRIPT = Script(
    Film("Film", 60_000),
    eventualities=(
        line("a", "Tom opens the old red door.", "Tom opens a door.", "A door.", note="Is it Tom?"),
        line("b", "Nora waits.", note="Ask about Tom"),
        line("c", "tom-cats, Tomas and Tom.", pin=Pin(selected=False)),
    ),
)


def second(event: Eventuality) -> int:
    return min(1, len(event.variants) - 1)


@pytest.mark.parametrize(
    ("where", "a", "note"),
    [
        (Where.SPOKEN, ["Tom opens the old red door.", "Tim opens a door.", "A door."], "Ask about Tom"),
        (Where.WORDINGS, ["Tim opens the old red door.", "Tim opens a door.", "A door."], "Ask about Tom"),
        (Where.NOTES, ["Tim opens the old red door.", "Tim opens a door.", "A door."], "Ask about Tim"),
    ],
)
def test_the_texts_that_were_chosen_are_replaced_as_one_step(where: Where, a: list[str], note: str):
    search = Search("Tom", whole_words=True, match_case=True)
    step = replace_matches(SCRIPT, search, "Tim", "abc", where, second)
    assert step is not None
    document = Document(SCRIPT)
    document.apply(step)
    found = {each.id: each for each in document.script.eventualities}
    assert [variant.text for variant in found["a"].variants] == a
    assert found["b"].note == note
    assert found["c"].variants[0].text == "tom-cats, Tomas and Tim."
    document.undo()
    assert document.script == SCRIPT


def test_a_wording_that_changes_is_measured_anew_and_nothing_is_locked_seen_or_taken_over():
    step = replace_matches(SCRIPT, Search("old red"), "green", ("a",), Where.WORDINGS, second)
    assert step is not None
    before, after = SCRIPT.eventuality("a"), step.apply(SCRIPT).eventuality("a")
    assert after.variants[0] == replace(before.variants[0], text="Tom opens the green door.", duration=None)
    assert after.variants[1:] == before.variants[1:]
    assert (after.pin, after.seen, after.accepted, after.origin) == (Pin(), False, False, Origin.MACHINE)
    assert after.worked  # a redraft leaves it alone


def test_lines_that_were_not_chosen_and_lines_without_it_stay():
    step = replace_matches(SCRIPT, Search("Tom"), "Tim", ("b", "c"), Where.WORDINGS, second)
    assert step is not None
    after = step.apply(SCRIPT)
    assert after.eventuality("a") is SCRIPT.eventuality("a")
    assert after.eventuality("b") is SCRIPT.eventuality("b")
    assert after.eventuality("c").pin == Pin(selected=False)
    assert replace_matches(SCRIPT, Search("nobody"), "Tim", "abc", Where.NOTES, second) is None
    assert replace_matches(SCRIPT, Search("Tom"), "Tom", "a", Where.NOTES, second) is None


def test_it_has_a_name_in_history():
    step = replace_matches(SCRIPT, Search("Tom"), "Tim", "abc", Where.NOTES, second)
    assert isinstance(step, Several)
    assert label_of(step, SCRIPT) == "Replace “Tom” with “Tim” in 3 lines"


def test_a_wording_is_never_left_without_words_and_then_nothing_is_replaced():
    with pytest.raises(
        EditRefused, match=r"Nothing was replaced: a wording of .Tom opens the old.* would be left without"
    ):
        replace_matches(SCRIPT, Search("A door."), " ", "abc", Where.WORDINGS, second)
    # A note may go.
    step = replace_matches(SCRIPT, Search("Ask about Tom"), "", "abc", Where.NOTES, second)
    assert step is not None
    assert step.apply(SCRIPT).eventuality("b").note == ""


def test_a_text_that_would_be_too_long_is_refused():
    with pytest.raises(EditRefused, match="characters"):
        replace_matches(SCRIPT, Search("o"), "o" * 9_000, "a", Where.WORDINGS, second)


def test_a_line_that_is_gone_is_refused():
    with pytest.raises(EditRefused, match="no longer in the script"):
        replace_matches(SCRIPT, Search("o"), "a", ("gone",), Where.WORDINGS, second)


def test_matches_are_counted_with_their_lines():
    search = Search("tom")
    assert count_matches(SCRIPT.eventualities, search.finder(), Where.NOTES, second) == (7, 3)
    assert count_matches(SCRIPT.eventualities, search.finder(), Where.SPOKEN, second) == (4, 2)


def test_the_texts_in_which_it_looks():
    a = SCRIPT.eventuality("a")
    assert list(texts(a, Where.SPOKEN, second)) == ["Tom opens a door."]
    assert len(list(texts(a, Where.WORDINGS, second))) == 3
    assert list(texts(a, Where.NOTES, second))[-1] == "Is it Tom?"
