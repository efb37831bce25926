"""T9: lengths that are only estimated, because no voice is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quality_scripts import film, found, ids, line, spoken

from adstudio.core.narration import NO_VOICE, Take, VoiceSettings
from adstudio.core.script import Eventuality, Pin, Variant
from adstudio.core.timebase import Span
from adstudio.quality.findings import Estimated

PLAN = spoken(("a", 1000, 2000), ("b", 3000, 4000), ("c", 5000, 6000))
RECORDED = Variant("Line b.", takes=(Take("t1", "0" * 64, 1000, "Line b."),), take="t1")
SET = Variant("Line c.", duration=1000)


def test_without_a_voice_all_lines_timed_by_their_words_are_one_warning() -> None:
    lines = line("a"), line("b"), line("c"), line("d")  # the last is not spoken
    (finding,) = found(film(*lines, voice=NO_VOICE), PLAN)
    assert (finding.rule.id, finding.level.value, finding.lines) == ("T9", "warning", ("a", "b", "c"))
    assert (finding.span, finding.facts) == (Span(1000, 2000), Estimated(of=3))


def test_a_take_or_a_length_that_was_set_is_no_estimate() -> None:
    lines = line("a"), line("b", variants=(RECORDED,)), line("c", variants=(SET,))
    (finding,) = found(film(*lines, voice=NO_VOICE), PLAN)
    assert (finding.lines, finding.facts) == (("a",), Estimated(of=3))


@pytest.mark.parametrize("each", [line("b", variants=(RECORDED,)), line("c", variants=(SET,))])
def test_where_all_lines_have_takes_or_set_lengths_nothing_is_said(each: Eventuality) -> None:
    assert ids(film(each, voice=NO_VOICE), PLAN) == []


def test_with_a_voice_that_has_not_spoken_yet_nothing_is_said() -> None:
    assert ids(film(line("a"), line("b"), voice=VoiceSettings("espeak-ng")), PLAN) == []


def test_a_take_that_no_longer_says_the_line_does_not_count() -> None:
    other = replace(RECORDED, text="Line b, and more.")
    assert ids(film(line("b", variants=(other,)), voice=NO_VOICE), PLAN) == ["T9 warning"]


def test_where_no_line_is_spoken_nothing_is_estimated() -> None:
    assert ids(film(line("a", pin=Pin(selected=False)), voice=NO_VOICE), spoken()) == []
