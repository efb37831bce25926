"""W1: lines that begin in the middle of a sentence which is not spoken before them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quality_scripts import film, found, line, spoken

from adstudio.core.script import Eventuality
from adstudio.quality.findings import Finding, MidSentence


def mid_sentence(*lines: Eventuality) -> list[Finding]:
    plan = spoken(*((each.id, 1000 * at, 1000 * at + 900) for at, each in enumerate(lines)))
    return [each for each in found(film(*lines), plan) if each.rule.id == "W1"]


def test_what_goes_on_with_the_line_before_it_is_no_finding() -> None:
    assert mid_sentence(line("a", "She takes a glove,"), line("b", "lays it on the bench"), line("c", "Rain.")) == []


def test_what_goes_on_after_a_sentence_that_has_ended_is_found() -> None:
    (each,) = mid_sentence(line("a", "She waits."), line("b", "lays it on the bench"), line("c", "Rain falls."))
    assert (each.lines, each.facts, each.level.value) == (("b",), MidSentence("a"), "warning")


def test_what_goes_on_with_nothing_is_found() -> None:
    (each,) = mid_sentence(line("a", "lays it on the bench."), line("b", "Rain falls."))
    assert (each.lines, each.facts) == (("a",), MidSentence(""))


def test_what_another_scene_began_is_not_gone_on_with() -> None:
    other = replace(line("b", "lays it on the bench."), scene="s2")
    (each,) = mid_sentence(line("a", "She takes a glove,"), other, line("c", "Rain falls."))
    assert each.facts == MidSentence("")


def test_a_script_without_capitals_is_let_be() -> None:
    assert mid_sentence(line("a", "nora waits."), line("b", "rain falls."), line("c", "Tom nods.")) == []


def test_what_has_no_small_letters_begins_no_sentence_in_its_middle() -> None:
    assert mid_sentence(line("a", "Rain."), line("b", "雨が降る。"), line("c", "7:45")) == []


@pytest.mark.parametrize(
    "text",
    [
        "10 men run.",
        "7 p.m. The street is dark.",
        "3rd floor.",
        "iPhone in hand, he runs.",
        "“rest in peace” is cut in stone.",
        "„sofort“ steht auf dem Brief.",
        "« à bientôt », dit la carte.",
        "ნედი დგას.",  # Georgian, whose sentences begin as they go on
    ],
)
def test_a_number_a_quotation_and_a_name_begin_a_sentence_of_their_own(text: str) -> None:
    assert mid_sentence(line("a", "She waits."), line("b", text), line("c", "Rain falls.")) == []


@pytest.mark.parametrize("before", ["He stops…", "He stops...", "“Stop!”", "„Halt!“", "He stops –"])
def test_a_sentence_may_go_on_behind_an_ellipsis_and_behind_speech(before: str) -> None:
    assert mid_sentence(line("a", before), line("b", "then goes."), line("c", "Rain falls.")) == []


@pytest.mark.parametrize("text", ["…legt ihn hin.", "(lays it down)", "потом уходит.", "pose le gant, et sort."])
def test_what_goes_on_is_found_in_any_language_that_has_capitals(text: str) -> None:
    (each,) = mid_sentence(line("a", "She waits."), line("b", text), line("c", "Rain falls."))
    assert each.lines == ("b",)
