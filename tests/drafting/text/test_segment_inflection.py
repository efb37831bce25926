from __future__ import annotations

import pytest

from adstudio.drafting.text.segment.verbs import participle, present, verb_of_participle


@pytest.mark.parametrize(
    ("verb", "one", "several"),
    [
        ("be", "is", "are"),
        ("have", "has", "have"),
        ("do", "does", "do"),
        ("go", "goes", "go"),
        ("undo", "undoes", "undo"),
        ("carry", "carries", "carry"),
        ("play", "plays", "play"),
        ("buy", "buys", "buy"),
        ("watch", "watches", "watch"),
        ("push", "pushes", "push"),
        ("kiss", "kisses", "kiss"),
        ("fix", "fixes", "fix"),
        ("buzz", "buzzes", "buzz"),
        ("whiz", "whizzes", "whiz"),
        ("woo", "woos", "woo"),
        ("see", "sees", "see"),
        ("lie", "lies", "lie"),
        ("tiptoe", "tiptoes", "tiptoe"),
        ("laugh", "laughs", "laugh"),
    ],
)
def test_the_present_of_a_third_person(verb: str, one: str, several: str):
    assert (present(verb, plural=False), present(verb, plural=True)) == (one, several)


@pytest.mark.parametrize(
    ("form", "verb"),
    [
        ("staring", "stare"),
        ("starring", "star"),
        ("hoping", "hope"),
        ("hopping", "hop"),
        ("singing", "sing"),
        ("lying", "lie"),
        ("tying", "tie"),
        ("being", "be"),
        ("having", "have"),
        ("seeing", "see"),
        ("panicking", "panic"),
        ("travelling", "travel"),
        ("Wearing", "wear"),
        ("visiting", "visit"),
        ("beginning", "begin"),
        ("ceiling", ""),
        ("stops", ""),
    ],
)
def test_the_verb_of_a_participle(form: str, verb: str):
    assert verb_of_participle(form) == verb


def test_participles_that_a_verb_may_have():
    assert participle("travel") == {"travelling", "traveling"}
    assert participle("run") == {"running"}
