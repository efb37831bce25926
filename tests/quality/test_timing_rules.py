"""T1 to T6 and T8, each with values worked out by hand, on both sides of its boundary to the millisecond."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quality_scripts import HOUSE, checks, film, found, ids, line, song, speech, spoken

from adstudio.core.film import Film
from adstudio.core.narration import LengthSource, Take, VoiceSettings
from adstudio.core.script import Cue, CueKind, Opening, Pin, Script, Silence, Variant
from adstudio.core.settings import GapSettings
from adstudio.core.timebase import Span
from adstudio.presets.library import preset_named
from adstudio.quality.checks import house_checks
from adstudio.quality.findings import (
    Misplaced,
    Misplacement,
    Near,
    Occupied,
    Offset,
    Overlap,
    ShortGap,
    Side,
    TooFast,
    TooLong,
)
from adstudio.speech.voice_lengths import VoiceLengths, manner_of

ALLOWED = Pin(selected=True, start=5000, override=True)


def taken(ms: int, text: str = "Tom waits.") -> Variant:
    """A wording with its chosen take, of which so many ms are used."""
    return Variant(text, takes=(Take("t1", "0" * 64, ms + 500, text, start=200, end=ms + 200),), take="t1")


def voiced(script: Script, lengths: dict[str, int]) -> Script:
    """The script with a voice that was measured to take so long."""
    script = replace(script, voice=VoiceSettings("espeak-ng"))
    known = VoiceLengths().with_measured(manner_of(script.narrator), "1", lengths)
    return script.with_changes(lengths=known)


# T1


@pytest.mark.parametrize(("take", "level"), [(3100, []), (3101, ["T1 error"])])
def test_a_take_may_be_a_tenth_of_a_second_longer_than_its_slot(take: int, level: list[str]) -> None:
    script = film(line("a", variants=(taken(take),)))
    assert ids(script, spoken(("a", 1000, 4000))) == level


def test_what_a_line_is_too_long_by_comes_with_its_source() -> None:
    script = film(line("a", variants=(taken(3500),)))
    (finding,) = found(script, spoken(("a", 1000, 4000)))
    assert (finding.lines, finding.span) == (("a",), Span(1000, 4000))
    assert finding.facts == TooLong(spoken=3500, source=LengthSource.TAKE, planned=3000)


@pytest.mark.parametrize(("measured", "level"), [(3100, []), (3101, ["T1 error"])])
def test_the_measured_voice_counts_where_a_length_was_set_by_hand(measured: int, level: list[str]) -> None:
    script = voiced(film(line("a", variants=(Variant("Tom waits.", duration=3000),))), {"Tom waits.": measured})
    assert script.length(script.eventualities[0].variants[0])[1] is LengthSource.OWN
    assert ids(script, spoken(("a", 1000, 4000))) == level


def test_a_take_counts_before_the_measured_voice() -> None:
    script = voiced(film(line("a", variants=(replace(taken(2900), duration=3000),))), {"Tom waits.": 4000})
    assert ids(script, spoken(("a", 1000, 4000))) == []


def test_a_take_of_other_words_does_not_count() -> None:
    script = film(line("a", variants=(replace(taken(9000), text="Tom waits outside."),)))
    assert ids(script, spoken(("a", 1000, 4000))) == []


class Predicting:
    """A voice that was never measured, and is predicted to take four seconds for anything."""

    def measured(self, *_: object) -> None:
        return None

    def predicted(self, *_: object) -> int:
        return 4000

    def changed_from(self, *_: object) -> None:
        return None


def test_a_predicted_length_is_said_to_be_one_and_is_no_error() -> None:
    script = film(line("a", variants=(Variant("Tom waits.", duration=3000),)), voice=VoiceSettings("espeak-ng"))
    script = script.with_changes(lengths=Predicting())
    (finding,) = found(script, spoken(("a", 1000, 4000)))
    assert (finding.level.value, finding.facts) == ("warning", TooLong(4000, LengthSource.PREDICTED, 3000))


def test_without_a_voice_the_speaking_rate_says_nothing_of_a_length_set_by_hand() -> None:
    script = film(line("a", variants=(Variant("Tom waits.", duration=500),)))
    assert ids(script, spoken(("a", 1000, 1500))) == []


# T2: ten words at 200 a minute take 3 s

TEN = "One two three four five six seven eight nine ten."


@pytest.mark.parametrize(("length", "level"), [(3000, []), (2999, ["T2 warning"])])
def test_ten_words_at_two_hundred_a_minute_take_three_seconds(length: int, level: list[str]) -> None:
    script = film(line("a", variants=(Variant(TEN, duration=length),)))
    assert ids(script, spoken(("a", 1000, 1000 + length))) == level


@pytest.mark.parametrize(("least", "level"), [(10, ["T2 warning"]), (11, [])])
def test_short_lines_are_not_judged_by_their_pace(least: int, level: list[str]) -> None:
    script = film(line("a", variants=(Variant(TEN, duration=2000),)))
    assert ids(script, spoken(("a", 1000, 3000)), checks(least_rated_words=least)) == level


def test_the_pace_is_that_of_the_take_not_of_the_slot() -> None:
    script = film(line("a", variants=(taken(2000, TEN),)))
    (finding,) = found(script, spoken(("a", 1000, 5000)))
    assert finding.facts == TooFast(words=10, length=2000, most=200, source=LengthSource.TAKE)


def test_a_narration_that_is_too_fast_as_a_whole_is_one_finding() -> None:
    """Of five lines of 10 words three take 3 s (200 a minute), two 5 s (120): 50 words in 19 s are 157.9 a minute."""
    lengths = {"a": 3000, "b": 3000, "c": 5000, "d": 3000, "e": 5000}
    script = film(*(line(name, variants=(Variant(TEN, duration=ms),)) for name, ms in lengths.items()))
    plan = spoken(*((name, place * 6000, place * 6000 + ms) for place, (name, ms) in enumerate(lengths.items())))
    (finding,) = found(script, plan, checks(most_words_per_minute=157))
    assert finding.lines == ("a", "b", "d")
    assert finding.facts == TooFast(50, 19_000, 157, LengthSource.OWN, overall=True)
    # At 158 a minute the whole is slow enough, and the lines are findings of their own.
    alone = [("a",), ("b",), ("d",)]
    assert [each.lines for each in found(script, plan, checks(most_words_per_minute=158))] == alone
    # Four lines are no whole.
    fewer = replace(script, eventualities=script.eventualities[:4])
    assert [each.lines for each in found(fewer, plan, checks(most_words_per_minute=150))] == alone


# T3: dialogue from 10 to 12 s

DIALOGUE = (speech("c1", 10_000, 12_000),)
NO_COLLARS = checks(collar_before=0, collar_after=0)


@pytest.mark.parametrize(
    ("start", "end", "by"),
    [
        (8000, 10_000, 0),
        (8000, 10_001, 1),
        (12_000, 14_000, 0),
        (11_999, 14_000, 1),
        (9000, 13_000, 2000),
        (10_500, 11_500, 1000),
    ],
)
def test_a_line_overlaps_dialogue_by_a_millisecond(start: int, end: int, by: int) -> None:
    findings = found(film(line("a"), cues=DIALOGUE), spoken(("a", start, end)), NO_COLLARS)
    wanted = [Overlap(by, Occupied.DIALOGUE, "c1", allowed=False)] if by else []
    assert [each.facts for each in findings] == wanted
    assert [each.level.value for each in findings] == ["error"] * len(wanted)


def test_cues_that_overlap_each_other_count_once() -> None:
    cues = (speech("c1", 10_000, 14_000), speech("c2", 11_000, 12_000), speech("c3", 13_500, 15_000))
    (finding,) = found(film(line("a"), cues=cues), spoken(("a", 13_000, 16_000)), NO_COLLARS)
    assert finding.facts == Overlap(2000, Occupied.DIALOGUE, "c1", allowed=False)


def test_a_cue_that_ends_before_it_starts_lasts_as_long_as_its_words() -> None:
    """Three words at 160 a minute: 1.125 s, so that the dialogue lasts until 11.125 s (gaps.spoken_until)."""
    cues = (speech("c1", 10_000, 9000),)
    assert ids(film(line("a"), cues=cues), spoken(("a", 11_125, 13_000)), NO_COLLARS) == []
    assert ids(film(line("a"), cues=cues), spoken(("a", 11_124, 13_000)), NO_COLLARS) == ["T3 error"]


def test_an_override_is_a_note() -> None:
    script = film(line("a", pin=replace(ALLOWED, start=11_000)), cues=DIALOGUE)
    (finding,) = found(script, spoken(("a", 11_000, 13_000)))
    assert (finding.level.value, finding.facts) == ("note", Overlap(1000, Occupied.DIALOGUE, "c1", allowed=True))
    # It says nothing of how near to the next dialogue it ends as well.
    near = film(*script.eventualities, cues=(*DIALOGUE, speech("c2", 13_100, 14_000)))
    assert ids(near, spoken(("a", 11_000, 13_000))) == ["T3 note"]
    # An override without a start means nothing.
    script = film(line("a", pin=Pin(override=True)), cues=DIALOGUE)
    assert ids(script, spoken(("a", 11_000, 13_000))) == ["T3 error"]


@pytest.mark.parametrize(("opened", "level"), [(12_000, "T3 note"), (11_999, "T3 error")])
def test_an_opening_makes_it_a_note_where_it_frees_all_of_the_overlap(opened: int, level: str) -> None:
    script = film(line("a"), cues=DIALOGUE, openings=(Opening("o1", Span(11_000, opened)),))
    assert ids(script, spoken(("a", 11_000, 13_000)), NO_COLLARS) == [level]


def test_a_silence_is_kept_free_too() -> None:
    script = film(line("a"), silences=(Silence("x1", Span(5000, 6000)),))
    (finding,) = found(script, spoken(("a", 5900, 8000)))
    assert finding.facts == Overlap(100, Occupied.SILENCE, "x1", allowed=False)
    assert ids(script, spoken(("a", 6000, 8000))) == []
    assert ids(film(line("a", pin=ALLOWED), silences=script.silences), spoken(("a", 5000, 8000))) == ["T3 note"]


def test_songs_count_where_the_house_keeps_them_free_and_sounds_do_not() -> None:
    sound = Cue("c2", 20_000, 22_000, "[door]", kind=CueKind.SOUND)
    script = film(line("a"), line("b"), cues=(song("c1", 10_000, 12_000), sound))
    plan = spoken(("a", 11_000, 13_000), ("b", 21_000, 23_000))
    assert ids(script, plan, NO_COLLARS) == ["T3 error"]
    free = replace(NO_COLLARS, dialogue=frozenset({CueKind.SPEECH}))
    assert ids(script, plan, free) == []


# T4: 0.3 s before and after dialogue from 10 to 12 s


@pytest.mark.parametrize(
    ("start", "end", "facts"),
    [
        (7000, 9700, []),
        (7000, 9701, [Near(Side.BEFORE, 299, 300, "c1", allowed=False)]),
        (7000, 10_000, [Near(Side.BEFORE, 0, 300, "c1", allowed=False)]),
        (12_300, 14_000, []),
        (12_299, 14_000, [Near(Side.AFTER, 299, 300, "c1", allowed=False)]),
        (12_000, 14_000, [Near(Side.AFTER, 0, 300, "c1", allowed=False)]),
    ],
)
def test_a_line_stays_three_tenths_away_from_dialogue(start: int, end: int, facts: list[Near]) -> None:
    findings = found(film(line("a"), cues=DIALOGUE), spoken(("a", start, end)))
    assert [each.facts for each in findings] == facts
    assert all(each.level.value == "warning" for each in findings)


def test_the_collars_are_those_of_the_house() -> None:
    """UK: 0.5 s before dialogue, 0.3 s after it."""
    uk = house_checks(preset_named("uk"))
    script = film(line("a"), line("b"), cues=DIALOGUE)
    assert ids(script, spoken(("a", 7000, 9500), ("b", 12_300, 14_000)), uk) == []
    assert ids(script, spoken(("a", 7000, 9501), ("b", 12_299, 14_000)), uk) == ["T4 warning", "T4 warning"]


def test_between_two_cues_both_sides_are_looked_at() -> None:
    cues = (*DIALOGUE, speech("c2", 14_000, 16_000))
    findings = found(film(line("a"), cues=cues), spoken(("a", 12_100, 13_900)))
    assert [each.facts for each in findings] == [
        Near(Side.AFTER, 100, 300, "c1", allowed=False),
        Near(Side.BEFORE, 100, 300, "c2", allowed=False),
    ]


def test_an_overlap_is_not_told_as_nearness_too() -> None:
    assert ids(film(line("a"), cues=DIALOGUE), spoken(("a", 7000, 10_100))) == ["T3 error"]
    assert ids(film(line("a"), cues=DIALOGUE), spoken(("a", 11_900, 13_000))) == ["T3 error"]


def test_an_opened_margin_is_a_note() -> None:
    """The line lacks the time from 9.7 to 9.9 s, which the opening frees, or of which it frees a part."""
    for start, level in ((9700, "T4 note"), (9701, "T4 warning")):
        openings = (Opening("o1", Span(start, 10_000)),)
        script = film(line("a"), cues=DIALOGUE, openings=openings)
        assert ids(script, spoken(("a", 7000, 9900))) == [level]


# T5


def test_lines_that_overlap_by_a_millisecond() -> None:
    script = film(line("a"), line("b"))
    assert found(script, spoken(("a", 1000, 3000), ("b", 3000, 5000))) == []
    (finding,) = found(script, spoken(("a", 1000, 3001), ("b", 3000, 5000)))
    assert (finding.level.value, finding.lines) == ("error", ("a", "b"))
    assert finding.facts == Misplaced(Misplacement.OVERLAP, 1)


def test_a_line_inside_another_one_overlaps_by_its_length_and_the_next_one_too() -> None:
    script = film(line("a"), line("b"), line("c"))
    findings = found(script, spoken(("a", 1000, 9000), ("b", 2000, 3000), ("c", 8000, 9500)))
    assert [(each.lines, each.facts) for each in findings] == [
        (("a", "b"), Misplaced(Misplacement.OVERLAP, 1000)),
        (("a", "c"), Misplaced(Misplacement.OVERLAP, 1000)),
    ]


def test_a_line_before_the_one_it_follows_in_the_script() -> None:
    (finding,) = found(film(line("a"), line("b"), line("c")), spoken(("b", 1000, 2000), ("a", 3000, 4000)))
    assert (finding.lines, finding.facts) == (("b", "a"), Misplaced(Misplacement.ORDER))


@pytest.mark.parametrize(
    ("start", "end", "facts"),
    [
        (0, 1000, []),
        (-1, 1000, [Misplaced(Misplacement.BEFORE_FILM, 1)]),
        (58_000, 60_000, []),
        (58_000, 60_001, [Misplaced(Misplacement.AFTER_FILM, 1)]),
        (2000, 2001, []),
        (2000, 2000, [Misplaced(Misplacement.NO_DURATION)]),
        (2000, 1999, [Misplaced(Misplacement.NO_DURATION)]),
    ],
)
def test_a_line_has_some_time_inside_the_film(start: int, end: int, facts: list[Misplaced]) -> None:
    assert [each.facts for each in found(film(line("a")), spoken(("a", start, end)))] == facts


def test_a_line_twice() -> None:
    (finding,) = found(film(line("a")), spoken(("a", 1000, 2000), ("a", 4000, 5000)))
    assert (finding.lines, finding.facts) == (("a",), Misplaced(Misplacement.TWICE))
    (finding,) = found(film(line("a"), line("a", "Another.")), spoken(("a", 1000, 2000)))
    assert finding.facts == Misplaced(Misplacement.TWICE)


def test_lines_without_words_are_not_spoken() -> None:
    assert found(film(line("a", variants=(Variant("  "),))), spoken(("a", 2000, 2000))) == []


# T6: free between dialogue to 10 s and from 12 s: 2 s; with margins of 0.3 s 1.4 s


@pytest.mark.parametrize(("least", "level"), [(2000, []), (2001, ["T6 warning"])])
def test_a_gap_is_as_long_as_is_asked(least: int, level: list[str]) -> None:
    cues = (speech("c1", 8000, 10_000), speech("c2", 12_000, 14_000))
    script = film(line("a"), cues=cues)
    assert ids(script, spoken(("a", 10_500, 11_500)), checks(least_gap=least)) == level


def test_a_gap_is_what_the_margins_of_the_project_leave() -> None:
    cues = (speech("c1", 8000, 10_000), speech("c2", 12_000, 14_000))
    script = film(line("a"), line("b"), cues=cues)
    script = replace(script, settings=replace(script.settings, gaps=GapSettings(300, 300)))
    plan = spoken(("a", 10_400, 10_900), ("b", 11_000, 11_500))
    assert ids(script, plan, checks(least_gap=1400)) == []
    (finding,) = found(script, plan, checks(least_gap=1401))
    assert finding.lines == ("a", "b")
    assert finding.facts == ShortGap(Span(10_300, 11_700), 1401, allowed=False)


def test_a_short_gap_that_was_opened_or_allowed_is_a_note() -> None:
    cues = (speech("c1", 8000, 10_000), speech("c2", 10_500, 14_000))
    opened = film(line("a"), cues=cues, openings=(Opening("o1", Span(9900, 10_600)),))
    assert ids(opened, spoken(("a", 9900, 10_600)), NO_COLLARS) == ["T3 note", "T6 note"]
    allowed = film(line("a", pin=replace(ALLOWED, start=10_000)), cues=cues)
    assert ids(allowed, spoken(("a", 10_000, 10_500)), NO_COLLARS) == ["T6 note"]


# T8


def test_all_lines_an_hour_late() -> None:
    hour = 3_600_000
    script = film(line("a"), line("b"), end=60_000)
    (finding,) = found(script, spoken(("a", hour, hour + 2000), ("b", hour + 58_000, hour + 60_000)))
    assert (finding.rule.id, finding.lines) == ("T8", ("a", "b"))
    assert finding.facts == Offset(hour, from_timecode=False)


@pytest.mark.parametrize(("first", "last"), [(3_599_999, 3_600_500), (3_600_000, 3_660_001)])
def test_lines_that_an_hour_would_not_put_into_the_film_are_just_after_it(first: int, last: int) -> None:
    script = film(line("a"), line("b"))
    assert ids(script, spoken(("a", first, first + 100), ("b", first + 200, last))) == ["T5 error", "T5 error"]


def test_all_lines_late_by_the_start_timecode() -> None:
    """10:00:00:00 at 25 frames: ten hours."""
    script = replace(film(line("a")), film=Film("Film", 60_000, start_timecode="10:00:00:00"))
    (finding,) = found(script, spoken(("a", 36_005_000, 36_007_000)))
    assert finding.facts == Offset(36_000_000, from_timecode=True)


# What takes no part


def test_an_extended_line_needs_no_gap() -> None:
    script = film(line("a", extended=True, occurrence=Span(11_000, 11_500)), line("b"), cues=DIALOGUE)
    assert ids(script, spoken(("b", 13_000, 14_000))) == []


def test_what_a_plan_of_another_script_names_is_passed_over() -> None:
    assert found(film(line("a")), spoken(("x", 1000, 2000))) == []
    assert found(film(), spoken()) == []


def test_the_gravest_come_first_and_then_the_earliest() -> None:
    script = film(line("a"), line("b"), line("c", pin=ALLOWED), cues=DIALOGUE)
    plan = spoken(("c", 5000, 9800), ("a", 12_100, 13_000), ("b", 59_000, 61_000))
    rules = [(each.level.value, each.rule.id) for each in found(script, plan, HOUSE)]
    assert rules == [("error", "T5"), ("error", "T5"), ("warning", "T4"), ("note", "T4")]
