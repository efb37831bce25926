"""What the checklist must find, each with a wording that has just that fault."""

from __future__ import annotations

from fractions import Fraction

import pytest
from compression_checklist import faults

FULL = "The old captain does not see the small grey boat near the quiet harbour."  # 14 words
HALF = Fraction(1, 2)


def test_a_sound_wording_has_none():
    assert faults(FULL, "The captain does not see the small boat.", HALF) == ()
    assert faults(FULL, "The captain does not see the boat.", HALF) == ()


@pytest.mark.parametrize(
    ("wording", "rate", "said"),
    [
        ("The captain does not see the boat.", Fraction(9, 10), "7 words where 13 are wanted"),
        ("The old captain does see the boat.", HALF, "negation"),
        ("The old captain does not the boat.", HALF, "“see” (ROOT) is lost"),
        ("Old does not see the small boat.", HALF, "“captain” (nsubj) is lost"),
        ("The old captain does not see harbour.", HALF, "“boat” (dobj) is lost"),
        ("the captain does not see the boat.", HALF, "no capital"),
        ("The captain does not see the boat", HALF, "no full stop"),
        ("The captain does not see the boat near.", Fraction(6, 10), "“near” has lost its noun"),
        ("The captain does not see the boat the.", HALF, "“the” is left hanging"),
        ("The captain not does see the boat.", HALF, "another order"),
        ("The captain does not see the ship.", HALF, "words that the full sentence has not"),
        ("The captain does not see the, boat.", HALF, "a small word before a mark"),
        ("The captain, , does not see the boat.", HALF, "marks in disorder"),
    ],
)
def test_each_fault_is_found(wording, rate, said):
    assert any(said in fault for fault in faults(FULL, wording, rate)), faults(FULL, wording, rate)


def test_names():
    full = "Anna watches the tall stranger and his brother Karl through the window."
    assert faults(full, "Anna watches the tall stranger and Karl.", HALF, ["Anna", "Karl"]) == ()
    assert any("Karl" in fault for fault in faults(full, "Anna watches the tall stranger.", HALF, ["Anna", "Karl"]))


def test_a_name_of_two_words():
    full = "Mary Jane slowly opens the heavy front door."
    assert any("Mary Jane" in fault for fault in faults(full, "Jane opens the door.", HALF, ["Mary Jane"]))


def test_quotations():
    full = 'A sign on the gate says "No entry after dark" in red.'
    assert faults(full, 'A sign says "No entry after dark".', HALF) == ()
    assert "a quotation is cut" in faults(full, 'A sign says "No entry".', HALF)
    assert "quotes that do not balance" in faults(full, 'A sign says "No entry after dark.', HALF)


def test_articles_and_doubled_words():
    full = "He eats an enormous apple and the small pear at the table."
    assert "“an pear”" in faults(full, "He eats an pear at the table.", HALF)
    assert any("twice" in fault for fault in faults(full, "He eats the the table.", HALF))


def test_a_conjunction_may_move_but_not_multiply():
    full = "He takes a cup, a plate and a spoon from the shelf."
    assert faults(full, "He takes a cup and a plate.", HALF) == ()
    assert any("another order" in fault for fault in faults(full, "He takes a cup and and a plate.", HALF))


def test_words_that_run_together():
    full = "Water pours through the hole in the ceiling and soaks the expensive carpet."
    assert any("run together" in fault for fault in faults(full, "Water pours through the hole the carpet.", HALF))


def test_a_number_keeps_what_it_counts():
    full = "He slowly counts out 25 silver coins on the table."
    assert any("a number" in fault for fault in faults(full, "He counts out 25 on the table.", Fraction(7, 10)))
