"""Names and words whose accents are characters of their own (as in PDFs and some file names) are the same names."""

from __future__ import annotations

from dataclasses import replace
from unicodedata import normalize

import pytest

from adstudio.characters.cast_sources import in_cues
from adstudio.core.cast import Person, people_error
from adstudio.core.film import Film
from adstudio.core.script import Cue, Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.candidates_file.element import tidy
from adstudio.drafting.existing_project import with_given
from adstudio.drafting.model.checks import Rules, Wanted, check
from adstudio.drafting.model.context import plain
from adstudio.drafting.model.scenes import prose
from adstudio.drafting.polish.checks import check as polished
from adstudio.drafting.polish.passage import Passage
from adstudio.drafting.polish.passage import Wanted as Line
from adstudio.drafting.text.ground.prose import read_prose
from adstudio.drafting.text.language.names import known_words, names_of, unknown_names
from adstudio.drafting.text.score.views import terms
from adstudio.editing.ids import Ids
from adstudio.editing.redraft import redraft_scene
from adstudio.editing.search import Search
from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Speech

ZOE = "Zoë"
APART = normalize("NFD", ZOE)
FULL = "Then {} opens the heavy wooden door of the old house."  # 11 words
SHORTER = {
    "r90": "Then {} opens the heavy door of the old house.",  # 10
    "r80": "Then {} opens the heavy door of the house.",  # 9
    "r70": "Then {} opens the door of the house.",  # 8
    "r60": "Then {} opens the old door there.",  # 7
    "r50": "Then {} opens the door.",  # 5, where 6 are wanted
}


def test_the_two_ways_of_writing_differ():
    assert (len(ZOE), len(APART)) == (3, 4)


@pytest.mark.parametrize(("told", "answered"), [(APART, ZOE), (ZOE, APART)])
def test_wordings_are_held_against_the_same_name(told, answered):
    full = FULL.format(told)
    answer = {key: text.format(answered) for key, text in {"full": FULL, **SHORTER}.items()}
    found = check(Wanted("e01", full, full), {"id": "e01", **answer}, Rules(18_000, names=known_words(told)))
    assert found.bad == ()
    assert dict(found.good) == {key: text.format(ZOE) for key, text in {"full": FULL, **SHORTER}.items()}


@pytest.mark.parametrize(("cast", "answered"), [(APART, ZOE), (ZOE, APART)])
def test_somebody_of_the_cast_may_be_named_in_the_full_wording(cast, answered):
    woman = Wanted("e01", "The woman opens the heavy wooden door of the old house.", "")
    answer = {"id": "e01", "full": f"Slowly {answered} opens the heavy wooden door of the old house."}
    assert check(woman, answer, Rules(18_000, names=known_words(cast))).full == answer["full"].replace(APART, ZOE)


@pytest.mark.parametrize(("line", "answered"), [(APART, ZOE), (ZOE, APART)])
def test_a_polished_line_names_the_same_person(line, answered):
    wanted = Line("p01", f"By door stands {line}.", (f"{line} stands by the door.",), 3_000, 10)
    found = polished(wanted, f"By the door stands {answered}.", Passage("s1", (wanted,)), lambda _text: ("", ""))
    assert found.text == "By the door stands Zoë."
    same = polished(wanted, f"By door stands {answered}.", Passage("s1", (wanted,)), lambda _text: ("", ""))
    assert same.why == "is good as it is"


def test_what_comes_in_has_its_letters_in_one_piece(tmp_path):
    assert tidy(APART) == prose(APART) == plain(APART) == ZOE
    play = parse_screenplay(f"INT. HALL\n\n{APART} waits.\n\n{APART.upper()}\nYes.\n".encode(), "film.fountain")
    action, speech = play.scenes[0].parts
    assert isinstance(action, Action)
    assert isinstance(speech, Speech)
    assert (action.text, speech.speaker) == ("Zoë waits.", "ZOË")
    (tmp_path / "d.txt").write_text(f"{APART} waits by the door. She looks at the clock.\n")
    assert read_prose(tmp_path / "d.txt").sections[0].text.startswith("Zoë waits")


def test_names_are_the_same_names():
    assert names_of([APART.upper()], ["Zoë waits."]) == names_of(["ZOË"], [f"{APART} waits."]) == ("Zoë",)
    found = in_cues([Cue("a", 0, 1, "Yes.", APART), Cue("b", 1, 2, "No.", "ZOË")])
    assert [person.name for person in found] == ["Zoë"]
    assert terms(APART) == terms(ZOE) == ["zoë"]
    assert unknown_names(f"Then {APART} waits.", known_words(ZOE), "en") == []


def test_people_are_the_same_people():
    assert people_error((Person.named(APART), Person.named(ZOE)))
    assert people_error((Person.named("O’Brien"), Person.named("O'Brien"))), "apostrophes are typed in two ways"
    assert with_given((Person.named(APART),), (Person.named(ZOE, b"face"),)) == (Person.named(ZOE, b"face"),)


def test_a_line_that_a_describer_keeps_is_not_drafted_once_more():
    kept = Eventuality("a", (Variant(f"{APART} waits."),), Span(0, 1_000), 1, scene="s1", accepted=True)
    script = Script(Film("f", 9_000), scenes=(Scene("s1", Span(0, 9_000)),), eventualities=(kept,))
    fresh = replace(kept, variants=(Variant("Zoë waits."),), accepted=False)
    assert redraft_scene(script, Ids(script), "s1", [fresh]) is None


def test_a_line_is_found_however_it_is_typed():
    assert Search("zoë").finder().contains(f"{APART} waits.")
    assert Search(APART).finder().contains("Zoë waits.")
