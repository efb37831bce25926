"""Versions of a line: every wording, the longest first, as it is heard in the plan, then its other takes."""

from __future__ import annotations

from adstudio.core.film import Film
from adstudio.core.narration import Take
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.ui.hearing.audition import versions_of

FULL, SHORT = "She turns around and waits for him.", "She turns."


def take(name: str, text: str, title: str = "") -> Take:
    return Take(name, "0" * 64, 2_000, text, name=title)


def heard(*variants: Variant) -> list[tuple[str, str | None, str]]:
    line = Eventuality("a", variants)
    script = Script(Film("Film", 10_000), eventualities=(line,))
    return [(each.text, each.take.id if each.take else None, each.name) for each in versions_of(script, line)]


def test_wordings_without_takes():
    assert heard(Variant(SHORT), Variant(FULL)) == [
        (FULL, None, "Wording 1 of 2"),
        (SHORT, None, "Wording 2 of 2"),
    ]


def test_the_chosen_take_is_heard_instead_of_the_voice_and_then_the_others():
    takes = (take("t1", FULL), take("t2", FULL, "calm"), take("t3", FULL))
    assert heard(Variant(FULL, takes=takes, take="t2")) == [
        (FULL, "t2", "Wording 1 of 1, take calm"),
        (FULL, "t1", "Wording 1 of 1, take 1"),
        (FULL, "t3", "Wording 1 of 1, take 3"),
    ]


def test_takes_that_are_not_chosen_come_after_the_voice():
    assert heard(Variant(FULL, takes=(take("t1", FULL),))) == [
        (FULL, None, "Wording 1 of 1"),
        (FULL, "t1", "Wording 1 of 1, take 1"),
    ]


def test_a_take_of_other_words_is_not_heard():
    """The text has been changed since it was read: the voice says what is written now."""
    assert heard(Variant(FULL, takes=(take("t1", SHORT),), take="t1")) == [(FULL, None, "Wording 1 of 1")]
