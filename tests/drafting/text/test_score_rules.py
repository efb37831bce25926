"""Rules suggested between the lines of a scene."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.script import Penalty, Rules
from adstudio.drafting.text.score.embeddings import embedder
from adstudio.drafting.text.score.rules import MOST, Antecedent, Line, antecedents, suggested


class Places:
    """Vectors by hand: each text's direction in degrees stands at its end."""

    def embeddings(self, texts):
        angles = np.radians([float(text.split()[-1]) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1) if texts else np.zeros((0, 2))


def lines(*texts, worth=2_000_000):
    return [Line(f"e{n}", text, worth) for n, text in enumerate(texts)]


def test_near_duplicates_cost_their_likeness_times_the_smaller_worth():
    # cos 60° = ½ and cos 30° = 0.866; e0 and e2 are 10° apart: 0.984808 · 1,000,000.
    scene = [
        Line("e0", "red umbrella 0", 3_000_000),
        Line("e1", "train 60", 1),
        Line("e2", "red umbrella 10", 1_000_000),
    ]
    found = suggested(scene, Places(), language="de")
    assert found.rules == Rules(penalties=(Penalty("e0", "e2", 984_808),))
    assert (
        found.penalties[0].reason
        == "“red umbrella 0” and “red umbrella 10” say nearly the same thing: one of them may be enough."
    )


def test_likeness_without_words_in_common_is_none():
    assert not suggested(lines("umbrella 0", "station 1"), Places(), language="de").rules


def test_what_is_worth_nothing_needs_no_penalty():
    assert not suggested(lines("red umbrella 0", "red umbrella 0", worth=0), Places(), language="de").rules


def test_a_line_is_in_one_pair_and_pairs_are_few():
    same = suggested(lines("red umbrella 0", "red umbrella 0", "red umbrella 0"), Places(), language="de")
    assert [(p.penalty.first, p.penalty.second) for p in same.penalties] == [("e0", "e1")]
    many = suggested(lines(*(f"thing{n // 2} {n // 2}" for n in range(40))), Places(), language="de")
    assert len(many.penalties) == MOST


def test_the_same_line_twice_costs_all_of_one():
    found = suggested(lines("A title: Plan 9.", "A title: Plan 9."), embedder())
    assert found.penalties[0].penalty == Penalty("e0", "e1", 2_000_000)


def test_it_needs_the_line_that_brings_it_in():
    scene = lines("Maria takes a bag from the shelf.", "He unzips it.")
    found = suggested(scene, embedder(), known=["Maria Gray"])
    assert found.rules == Rules(requires=(("e1", "e0"),))
    assert found.requires[0].reason == (
        "“it” in “He unzips it.” only makes sense after “Maria takes a bag from the shelf.”."
    )


@pytest.mark.parametrize(
    "texts",
    [
        ("It rains.", "It is night."),
        ("Tom picks up a book and a pen.", "He drops it."),  # the book or the pen
        ("Tom shoves it aside and opens a case.", "He lifts it."),  # the case, or what he shoved
        ("Tom opens a case.", "Tom shuts the case.", "He lifts it."),  # two lines name it
        ("Tom opens the case.", "He lifts it."),  # known before
        ("Tom opens a case.", "He waits.", "He lifts it."),  # not the line before
        ("She waits.", "A woman comes in.", "She sits down."),  # the one who waits, or who comes in
        ("A woman and a girl come in.", "She sits down."),
        ("A man comes in.", "She sits down."),
        ("The man comes in.", "He sits down."),
        ("Tom comes in.", "He sits down."),
        ("",),
        ("…", "He sits."),
        (),
    ],
)
def test_where_more_than_one_can_be_meant_nothing_is_suggested(texts):
    assert antecedents(texts, known=["Tom Finch"]) == ()


def test_a_person_brought_in_by_one_line():
    assert antecedents(["A guard opens a gate.", "Rain falls.", "He steps aside."]) == (Antecedent(2, 0, "He"),)


def test_a_thing_brought_in_by_the_line_before():
    found = antecedents(["A car slowly approaches the building.", "The car stops at the door."])
    assert found == (Antecedent(1, 0, "The car"),)


def test_grammar_is_asked_for_english_only():
    assert not suggested(lines("A guard opens a gate.", "He steps aside."), embedder(), language="de").rules


def test_a_scene_without_lines():
    assert not suggested([], embedder()).rules


sentences = st.sampled_from(
    [
        *("A guard opens a gate.", "He opens it.", "The gate creaks.", "She sees a letter.", "She reads it.", "…"),
        *("Nora hides a smile.", "A woman hides a smile.", "It falls.", "Tom runs.", "The letter burns."),
    ]
)


@settings(max_examples=25, deadline=None)
@given(st.lists(sentences, max_size=10))
def test_suggestions_are_few_sound_and_never_in_a_ring(texts):
    scene = lines(*texts)
    found = suggested(scene, embedder())
    assert len(found.penalties) <= MOST
    assert len(found.requires) <= MOST
    order = {line.id: place for place, line in enumerate(scene)}
    assert all(order[each.needs] < order[each.line] for each in found.requires)  # so there is no ring
    assert len({each.line for each in found.requires}) == len(found.requires)
    assert all(0 < each.penalty.cost <= 2_000_000 for each in found.penalties)
