"""Each conflict is explained by its cause, with figures worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.core.film import Film
from adstudio.core.script import Cue, Eventuality, Pin, Rules, Scene, Script, Silence, Variant
from adstudio.core.settings import GapSettings, Settings
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.planning.film.problem_conflicts import conflict_sentence
from adstudio.planning.solve import solve

IN = Pin(selected=True)


def line(identity: str, start: int, end: int, *durations: int, pin: Pin = Pin(), within: Span | None = None):
    variants = tuple(Variant(f"Line {identity}", duration=ms) for ms in durations)
    return Eventuality(identity, variants, Span(start, end), 500_000, pin=pin, within=within)


def film(*lines: Eventuality, settings: Settings | None = None, rules: Rules | None = None) -> Script:
    """A minute; Anna speaks at 10–14 s, somebody at 20–24 s, so gaps of 0–10, 14–20 and 24–60 s."""
    return Script(
        Film("Film", 60_000),
        settings or Settings(),
        scenes=(Scene("s", Span(0, 60_000)),),
        cues=(Cue("c1", 10_000, 14_000, "Who is there?", "ANNA"), Cue("c2", 20_000, 24_000, "It is only me.")),
        eventualities=lines,
        rules=rules or Rules(),
    )


def explained(script: Script) -> list[str]:
    gaps = gaps_of(script).gaps
    outcome = FilmPlanner(script, gaps).outcome
    return [conflict_message(script, gaps, conflict) for conflict in outcome.conflicts]


@pytest.mark.parametrize(
    ("start", "why"),
    [
        (12_000, "it would start while Anna says “Who is there?”"),
        (21_000, "it would start while “It is only me” is spoken"),
        # 9 + 3 s is 12 s, and the gap ends at 10 s.
        (9_000, "it runs 2.0 s past the gap, which ends at 00:00:10:00, even in its shortest wording"),
        # Its middle is at 15 s, its delivery's at 30 + 1.5 s: 16.5 s apart, of which 10 are allowed.
        (30_000, "it is 6.5 s too far from its action (maximum distance: 10 s)"),
    ],
)
def test_a_start_that_fails_by_itself(start: int, why: str) -> None:
    (sentence,) = explained(film(line("a", 14_000, 16_000, 4_000, 3_000, pin=Pin(start=start))))
    assert sentence == f"“Line a” cannot be spoken at 00:00:{start // 1000:02d}:00: {why}."


def test_a_start_with_two_faults_names_both() -> None:
    (sentence,) = explained(film(line("a", 0, 2_000, 3_000, pin=Pin(start=12_000))))
    # 12 + 1.5 s is 13.5 s, 12.5 s from the middle at 1 s.
    assert sentence.endswith("Anna says “Who is there?”; it is 2.5 s too far from its action (maximum distance: 10 s).")


def test_a_start_in_a_silence_in_too_short_a_gap_in_a_margin_and_past_the_end() -> None:
    script = film(line("a", 4_000, 6_000, 2_000, pin=Pin(start=5_000)))
    quiet = replace(script, silences=(Silence("q", Span(4_500, 6_000)),))
    assert explained(quiet) == [
        "“Line a” cannot be spoken at 00:00:05:00: it would start in the silence 00:00:04:12–00:00:06:00."
    ]
    short = replace(quiet, silences=(Silence("q", Span(0, 4_800)), Silence("r", Span(5_500, 10_000))))
    assert explained(short) == [
        "“Line a” cannot be spoken at 00:00:05:00: there is no gap: the pause is shorter than 1.0 s."
    ]
    margins = film(
        line("a", 4_000, 6_000, 2_000, pin=Pin(start=9_800)), settings=Settings(gaps=GapSettings(margin_before=500))
    )
    assert "it would start too close to “Who is there?”" in explained(margins)[0]
    late = film(line("a", 58_000, 60_000, 2_000, pin=Pin(start=61_000)))
    assert explained(late) == ["“Line a” cannot be spoken at 00:01:01:00: the film has ended by then."]


def test_a_start_before_it_happens_even_with_an_override() -> None:
    held = Pin(start=5_000, override=True)
    (sentence,) = explained(film(line("a", 6_200, 8_000, 2_000, pin=held, within=Span(6_200, 60_000))))
    assert sentence == "“Line a” cannot be spoken at 00:00:05:00: it starts 1.2 s before its action."


def test_a_locked_wording_too_long_for_any_gap() -> None:
    # Dialogue all around but 14–20 s: within ±10 s of 17 s a line of 12 s could be from 1 to 33 s; 24–33 s is 9 s.
    (sentence,) = explained(film(line("a", 16_000, 18_000, 12_000, 3_000, pin=Pin(selected=True, variant=0))))
    assert sentence == (
        "“Line a” is locked in, but that wording takes 12.0 s and the largest gap in reach has 9.0 s: 3.0 s too long."
    )


def test_two_starts_that_overlap_are_too_close_or_in_the_wrong_order() -> None:
    def two(first: int, second: int, pause: int = 0) -> list[str]:
        a = line("a", 24_000, 26_000, 4_000, pin=Pin(start=first))
        b = line("b", 26_000, 28_000, 3_000, pin=Pin(start=second))
        return explained(film(a, b, settings=Settings(min_pause=pause)))

    assert two(25_000, 27_500) == ["“Line a” at 00:00:25:00 runs 1.5 s into “Line b” at 00:00:27:13."]
    assert two(30_000, 25_000) == [
        (
            "“Line b” at 00:00:25:00 and “Line a” at 00:00:30:00 are in the wrong order: "
            "“Line a” comes first in the script."
        )
    ]
    assert two(25_000, 29_300, 1_000) == [
        ("“Line a” at 00:00:25:00 and “Line b” at 00:00:29:07 are 0.7 s too close: the minimum pause is 1.0 s.")
    ]


def test_a_line_too_long_to_fit_between_two_locked_lines() -> None:
    a = line("a", 24_000, 26_000, 4_000, pin=Pin(start=24_000))
    b = line("b", 26_000, 28_000, 5_000, 4_500, pin=IN)
    c = line("c", 28_000, 30_000, 3_000, pin=Pin(start=31_000))
    # a is over at 28 s and c begins at 31 s: 3 s for 4.5 s.
    (sentence,) = explained(film(a, b, c))
    assert sentence == "“Line b” is 1.5 s too long to fit between “Line a” and “Line c”, even in its shortest wording."
    # b alone with c at 28 s: from 24 s there are 4 s, but 14–20 s is in reach too, with 6 s; so all is well.
    assert explained(film(b, replace(c, pin=Pin(start=28_000)))) == []


def test_lines_locked_in_that_need_more_time_than_there_is() -> None:
    script = film(
        line("a", 14_000, 16_000, 4_000, pin=IN),
        line("b", 15_000, 17_000, 4_500, pin=IN),
        settings=Settings(delta_max=2_000),
    )
    # a may lie from 11 to 19 s, b from 11.75 to 20.25 s: of 11–20.25 s only 14–20 s are free, and 8.5 s are needed.
    assert explained(script) == ["“Line a” and “Line b” take 8.5 s together, but only 6.0 s is free: 2.5 s too long."]


def test_locks_against_rules() -> None:
    a, b = line("a", 25_000, 26_000, 3_000, pin=IN), line("b", 30_000, 31_000, 3_000, pin=IN)
    out = replace(b, pin=Pin(selected=False))
    assert explained(film(a, b, rules=Rules(alternatives=(("a", "b"),)))) == [
        (
            "“Line a” is locked in and “Line b” is locked in, "
            "but the rule “Only one of these” allows only one of “Line a” and “Line b”."
        )
    ]
    assert explained(film(a, out, rules=Rules(requires=(("a", "b"),)))) == [
        (
            "“Line a” is locked in and “Line b” is locked out, "
            "but the rule “First requires second” allows “Line a” only with “Line b”."
        )
    ]
    assert explained(film(a, out, rules=Rules(together=(("a", "b"),)))) == [
        (
            "“Line a” is locked in and “Line b” is locked out, "
            "but the rule “All or none” allows “Line a” and “Line b” only together."
        )
    ]


def test_a_share_of_the_gaps() -> None:
    # In reach is the gap of 14–20 s only, and half of it is 3 s.
    half = Settings(delta_max=2_000, max_share=500_000)
    assert explained(film(line("a", 14_000, 16_000, 4_000, 3_500, pin=IN), settings=half)) == [
        (
            "“Line a” is locked in, but the gap at 00:00:14:00 could take 3.0 s, 50 % of 6.0 s; its shortest wording"
            " takes 3.5 s."
        )
    ]
    assert explained(film(line("a", 14_000, 16_000, 4_000, pin=Pin(start=14_000)), settings=half)) == [
        (
            "“Line a” cannot be spoken at 00:00:14:00: the gap at 00:00:14:00 could take 3.0 s, 50 % of 6.0 s; it takes"
            " 4.0 s."
        )
    ]
    two = (line("a", 14_000, 16_000, 2_000, pin=IN), line("b", 16_000, 18_000, 1_600, pin=Pin(start=17_000)))
    assert explained(film(*two, settings=half)) == [
        (
            "“Line a” and “Line b” take 3.6 s together, but the gap at 00:00:14:00 could take 3.0 s, 50 % of 6.0 s:"
            " 0.6 s too long."
        )
    ]


def test_gaps_out_of_reach() -> None:
    # Its action is in the gap of 14–20 s; that at 24 s is the next.
    there = Settings(delta_max=20_000, reach=0)
    assert explained(film(line("a", 14_000, 16_000, 4_000, pin=Pin(start=25_000)), settings=there)) == [
        (
            "“Line a” cannot be spoken at 00:00:25:00: the gap at 00:00:24:00 is 1 gap from its action, where only that"
            " of the action is allowed."
        )
    ]
    assert explained(film(line("a", 14_000, 16_000, 7_000, pin=IN), settings=there)) == [
        "“Line a” is locked in, but the gap at 00:00:14:00 has 6.0 s; it takes 7.0 s."
    ]


@pytest.mark.parametrize(
    ("pin", "why"),
    [
        (Pin(start=12_000), "a “Line a” locked at 00:00:12.000: no gap is open then"),
        (
            Pin(start=9_000),
            "a “Line a” locked at 00:00:09.000: the gap ends at 00:00:10.000, and its shortest wording takes 3 s",
        ),
        (
            Pin(start=30_000),
            (
                "a “Line a” locked at 00:00:30.000: it would be 16.5 s after its action, middle to middle, where"
                " at most 10 s is allowed"
            ),
        ),
    ],
)
def test_of_a_problem_file_the_time_and_the_reason_are_given(pin: Pin, why: str) -> None:
    script = film(line("a", 14_000, 16_000, 4_000, 3_000, pin=pin))
    asked = film_problem(script, gaps_of(script).gaps)
    assert conflict_sentence(solve(asked), asked) == f"this lock cannot hold: {why}"


def test_of_a_problem_file_each_lock_in_a_conflict_is_given_with_its_time() -> None:
    lines = (line("a", 0, 2_000, 3_000, pin=Pin(start=1_000)), line("b", 0, 2_000, 3_000, pin=Pin(start=2_000)))
    script = film(*lines)
    asked = film_problem(script, gaps_of(script).gaps)
    assert conflict_sentence(solve(asked), asked) == (
        "these locks conflict, as there is no room for all of them in script order:"
        " a “Line a” locked at 00:00:01.000; b “Line b” locked at 00:00:02.000"
    )


@pytest.mark.parametrize(
    ("settings", "pin", "why"),
    [
        (
            Settings(max_share=200_000),
            IN,
            (
                "a “Line a” locked in: the gap at 00:00:14.000 could take 1.2 s, 20 % of 6 s; its shortest wording"
                " takes 3 s"
            ),
        ),
        (
            Settings(max_share=200_000),
            Pin(start=15_000),
            (
                "a “Line a” locked at 00:00:15.000: the gap could take 1.2 s, 20 % of 6 s, and its shortest wording"
                " takes 3 s"
            ),
        ),
        (
            Settings(delta_early=1_000, delta_late=5_000),
            Pin(start=5_000),
            (
                "a “Line a” locked at 00:00:05.000: it would be 8.5 s before its action, middle to middle, where"
                " at most 1 s is allowed"
            ),
        ),
        (
            Settings(delta_max=60_000, reach=0),
            Pin(start=5_000),
            "a “Line a” locked at 00:00:05.000: its gap is not that of its action",
        ),
    ],
)
def test_of_a_problem_file_the_houses_limit_that_is_in_the_way_is_named(settings: Settings, pin: Pin, why: str) -> None:
    """The action is at 14–16 s, in the gap of 14–20 s; the wordings take 4 and 3 s."""
    script = film(line("a", 14_000, 16_000, 4_000, 3_000, pin=pin), settings=settings)
    asked = film_problem(script, gaps_of(script).gaps)
    assert conflict_sentence(solve(asked), asked) == f"this lock cannot hold: {why}"
