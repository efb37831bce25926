"""The map from film time to the time of a film that is held: by examples, and its laws for any pauses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.timebase import Span
from adstudio.mix.lines import MixLine
from adstudio.mix.pauses import TAIL, Pause, PauseMap, pauses_for
from adstudio.speech.sound import Sound

TWO = PauseMap((Pause(1000, 500, "a"), Pause(3000, 200, "b")))


@pytest.mark.parametrize(
    ("at", "ending", "starting"),
    [(0, 0, 0), (999, 999, 999), (1000, 1000, 1500), (1001, 1501, 1501), (3000, 3500, 3700), (4000, 4700, 4700)],
)
def test_times_around_pauses(at: int, ending: int, starting: int) -> None:
    assert (TWO.ending(at), TWO.starting(at)) == (ending, starting)


@pytest.mark.parametrize(
    ("extended", "film"), [(0, 0), (1000, 1000), (1001, 1000), (1499, 1000), (1500, 1000), (1501, 1001), (3600, 3000)]
)
def test_what_is_seen_at_an_extended_time(extended: int, film: int) -> None:
    assert TWO.film_time(extended) == film


@pytest.mark.parametrize(
    ("span", "extended"),
    [
        (Span(0, 900), Span(0, 900)),
        (Span(500, 1000), Span(500, 1000)),  # ends as the picture is held
        (Span(1000, 2000), Span(1500, 2500)),  # starts once it goes on
        (Span(900, 1100), Span(900, 1600)),  # stays while it is held
        (Span(900, 3100), Span(900, 3800)),
        (Span(1000, 1000), Span(1500, 1500)),
    ],
)
def test_captions_stay_while_the_picture_is_held(span: Span, extended: Span) -> None:
    assert TWO.span(span) == extended


def test_two_pauses_at_one_time_follow_each_other() -> None:
    both = PauseMap((Pause(1000, 500, "a"), Pause(1000, 200, "b")))
    assert [both.begins(0), both.begins(1)] == [1000, 1500]
    assert (both.ending(1000), both.starting(1000)) == (1000, 1700)
    assert both.film_time(1650) == 1000
    assert both.total == 700


def test_no_pauses_change_nothing() -> None:
    assert (PauseMap().ending(7), PauseMap().starting(7), PauseMap().film_time(7), PauseMap().total) == (7, 7, 7, 0)


@pytest.mark.parametrize("pauses", [(Pause(2, 1), Pause(1, 1)), (Pause(-1, 1),), (Pause(1, -1),)])
def test_pauses_that_cannot_be(pauses: tuple[Pause, ...]) -> None:
    with pytest.raises(ValueError, match="pauses"):
        PauseMap(pauses)


pause_maps = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 3000)), max_size=8).map(
    lambda pairs: PauseMap(tuple(Pause(at, length) for at, length in sorted(pairs, key=lambda pair: pair[0])))
)
times = st.integers(0, 6000)


@given(pause_maps, times, times)
def test_the_order_of_times_stays(pauses: PauseMap, one: int, other: int) -> None:
    one, other = sorted((one, other))
    assert pauses.ending(one) <= pauses.starting(one)
    if one < other:
        assert pauses.starting(one) < pauses.ending(other)
        assert pauses.ending(one) < pauses.ending(other)
        assert pauses.starting(one) < pauses.starting(other)


@given(pause_maps, times)
def test_film_time_is_the_inverse(pauses: PauseMap, at: int) -> None:
    assert pauses.film_time(pauses.ending(at)) == at
    assert pauses.film_time(pauses.starting(at)) == at


@given(pause_maps, st.integers(0, 30_000))
def test_outside_pauses_extended_time_is_the_inverse(pauses: PauseMap, extended: int) -> None:
    inside = any(
        pauses.begins(place) < extended < pauses.begins(place) + pause.length
        for place, pause in enumerate(pauses.pauses)
    )
    seen = pauses.film_time(extended)
    assert pauses.ending(seen) <= extended <= pauses.starting(seen)
    if not inside and not any(pause.at == seen for pause in pauses.pauses):
        assert pauses.ending(seen) == pauses.starting(seen) == extended


@given(pause_maps, times, times)
def test_a_span_becomes_longer_by_the_pauses_in_it(pauses: PauseMap, one: int, other: int) -> None:
    one, other = sorted((one, other))
    inside = sum(pause.length for pause in pauses.pauses if one < pause.at < other)
    assert pauses.span(Span(one, other)).length == other - one + inside


@given(pause_maps)
def test_nothing_is_lost_at_the_end(pauses: PauseMap) -> None:
    assert pauses.starting(6000) == 6000 + pauses.total == 6000 + sum(pause.length for pause in pauses.pauses)


def line(number: int, start: int, length: int, *, extended: bool = False) -> MixLine:
    def load() -> Sound:
        raise AssertionError

    return MixLine(f"l{number}", number, start, length, load, extended=extended)


def test_the_picture_is_held_at_the_line_and_a_breath_longer() -> None:
    found = pauses_for([line(1, 2000, 1200, extended=True)], 10_000)
    assert found.pauses == (Pause(2000, 1200 + TAIL, "l1"),)


def test_no_other_narration_is_interrupted() -> None:
    lines = [
        line(1, 1000, 800),
        line(2, 1500, 1000),  # overlaps the first
        line(3, 1200, 500, extended=True),
        line(4, 2500, 500, extended=True),  # just as the second has ended
        line(5, 1000, 500, extended=True),  # just as the first begins
    ]
    assert [(pause.at, pause.line) for pause in pauses_for(lines, 10_000).pauses] == [
        (1000, "l5"),
        (2500, "l3"),
        (2500, "l4"),
    ]


def test_lines_of_one_time_come_by_their_numbers() -> None:
    lines = [line(2, 1000, 10, extended=True), line(1, 1000, 10, extended=True)]
    assert [pause.line for pause in pauses_for(lines, 5000).pauses] == ["l1", "l2"]


@pytest.mark.parametrize(("start", "at"), [(-5, 0), (0, 0), (5000, 5000), (9000, 5000)])
def test_lines_outside_the_film_are_spoken_at_its_ends(start: int, at: int) -> None:
    assert [pause.at for pause in pauses_for([line(1, start, 10, extended=True)], 5000).pauses] == [at]
