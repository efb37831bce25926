"""The film's level under narration: deep enough under lines, in ramps inside gaps, and never down under dialogue."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.mix_settings import SHORTEST_RAMP, MixSettings
from adstudio.core.timebase import Span
from adstudio.mix.duck import Breakpoint, envelope
from adstudio.mix.lines import MixLine
from adstudio.speech.sound import Sound

SETTINGS = MixSettings(duck_depth=90, ramp_down=300, ramp_up=400, least_rise=700)
END = 60_000


def unused() -> Sound:
    raise AssertionError("the envelope needs no sound")


def line(start: int, end: int, *, gap: Span | None = None, override: bool = False, duck: int | None = None) -> MixLine:
    return MixLine("e1", 1, start, end - start, unused, gap=gap, override=override, duck=duck)


def level(points: tuple[Breakpoint, ...], ms: float) -> float:
    """By hand: straight between breakpoints, 0 outside; at a time with two breakpoints, the deeper."""
    at = [point.level for point in points if point.ms == ms]
    if at:
        return min(at)
    for one, then in pairwise(points):
        if one.ms < ms < then.ms:
            return one.level + (then.level - one.level) * (ms - one.ms) / (then.ms - one.ms)
    return 0


def test_a_line_in_a_wide_gap_has_both_ramps_outside_it() -> None:
    points = envelope(
        [line(10_000, 12_000, gap=Span(8_000, 20_000))], [Span(0, 7_900), Span(20_000, 30_000)], SETTINGS, END
    )
    assert points == ((9_700, 0), (10_000, -90), (12_000, -90), (12_400, 0))


def test_ramps_are_as_short_as_the_gap_has_room() -> None:
    points = envelope(
        [line(10_000, 12_000, gap=Span(9_900, 12_150))], [Span(0, 9_800), Span(12_200, 30_000)], SETTINGS, END
    )
    assert points == ((9_900, 0), (10_000, -90), (12_000, -90), (12_150, 0))


def test_a_line_that_fills_its_gap_is_ramped_within_itself() -> None:
    points = envelope(
        [line(10_000, 12_000, gap=Span(10_000, 12_000))], [Span(0, 10_000), Span(12_000, 30_000)], SETTINGS, END
    )
    assert points == ((10_000, 0), (10_020, -90), (11_980, -90), (12_000, 0))


def test_without_a_gap_the_dialogue_alone_bounds_the_ramps() -> None:
    points = envelope([line(10_000, 12_000)], [Span(0, 9_900), Span(12_100, 30_000)], SETTINGS, END)
    assert points == ((9_900, 0), (10_000, -90), (12_000, -90), (12_100, 0))


def test_dialogue_that_a_line_reaches_into_is_not_dipped() -> None:
    points = envelope([line(10_000, 13_000, gap=Span(9_000, 12_000))], [Span(12_000, 14_000)], SETTINGS, END)
    assert points == ((9_700, 0), (10_000, -90), (11_980, -90), (12_000, 0))


def test_dialogue_in_the_middle_of_a_line_stays_up_unless_it_is_overridden() -> None:
    cue = Span(11_000, 12_000)
    kept = envelope([line(10_000, 13_000)], [cue], SETTINGS, END)
    assert [level(kept, ms) for ms in (10_000, 10_980, 11_000, 11_500, 12_000, 12_020, 13_000)] == [
        -90, -90, 0, 0, 0, -90, -90,
    ]  # fmt: skip
    dipped = envelope([line(10_000, 13_000, override=True)], [cue], SETTINGS, END)
    assert dipped == ((9_700, 0), (10_000, -90), (13_000, -90), (13_400, 0))


def test_an_override_has_whole_ramps_though_they_lie_under_dialogue() -> None:
    points = envelope([line(10_000, 12_000, override=True)], [Span(5_000, 20_000)], SETTINGS, END)
    assert points == ((9_700, 0), (10_000, -90), (12_000, -90), (12_400, 0))


@pytest.mark.parametrize(("pause", "rises"), [(1_399, False), (1_400, True)])  # 400 + 300 ms of ramps, 700 ms up
def test_the_film_comes_up_between_lines_only_for_a_moment_or_more(pause: int, rises: bool) -> None:
    gap = Span(8_000, 20_000)
    points = envelope([line(10_000, 11_000, gap=gap), line(11_000 + pause, 14_000, gap=gap)], [], SETTINGS, END)
    assert (0 in {level(points, ms) for ms in range(11_000, 11_000 + pause)}) == rises
    assert len(points) == (8 if rises else 4)


def test_the_film_is_up_between_lines_that_dialogue_parts_however_short_it_is() -> None:
    cue = Span(11_100, 11_300)
    points = envelope(
        [line(10_000, 11_000, gap=Span(9_000, 11_100)), line(11_400, 13_000, gap=Span(11_300, 14_000))],
        [cue],
        SETTINGS,
        END,
    )
    assert [level(points, ms) for ms in (11_000, 11_100, 11_200, 11_300, 11_400)] == [-90, 0, 0, 0, -90]


def test_each_line_has_its_own_depth() -> None:
    gap = Span(8_000, 20_000)
    lines = [line(10_000, 11_000, gap=gap, duck=60), line(11_500, 12_500, gap=gap, duck=120)]
    points = envelope(lines, [], SETTINGS, END)
    # from 6 to 12 dB in half of the ramp's time
    assert points == ((9_700, 0), (10_000, -60), (11_350, -60), (11_500, -120), (12_500, -120), (12_900, 0))
    lines = [line(10_000, 11_000, gap=gap, duck=120), line(11_500, 12_500, gap=gap, duck=60)]
    assert envelope(lines, [], SETTINGS, END) == (
        (9_700, 0), (10_000, -120), (11_000, -120), (11_200, -60), (12_500, -60), (12_900, 0),
    )  # fmt: skip


def test_where_lines_sound_at_once_the_deeper_counts() -> None:
    points = envelope([line(10_000, 12_000, duck=60), line(11_000, 13_000, duck=120)], [], SETTINGS, END)
    assert [level(points, ms) for ms in (10_500, 11_000, 12_000, 13_000)] == [-60, -120, -120, -120]


def test_a_depth_of_nothing_and_a_line_beyond_the_end_change_nothing() -> None:
    assert envelope([line(10_000, 12_000, duck=0), line(END, END + 1_000)], [], SETTINGS, END) == ()


def test_a_line_over_the_end_is_ducked_up_to_it() -> None:
    assert envelope([line(59_000, 61_000)], [], SETTINGS, END) == (
        (58_700, 0),
        (59_000, -90),
        (59_980, -90),
        (60_000, 0),
    )


_TIME = st.integers(0, 12_000)


@st.composite
def spans(draw: st.DrawFn, least: int = 1) -> Span:
    start = draw(_TIME)
    return Span(start, start + draw(st.integers(least, 4_000)))


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[MixLine], list[Span], MixSettings, int]:
    cues = draw(st.lists(spans(0), max_size=4))
    lines: list[MixLine] = []
    for span in draw(st.lists(spans(), max_size=5)):
        before, after = draw(st.integers(0, 2_000)), draw(st.integers(0, 2_000))
        around = Span(max(span.start - before, 0), span.end + after)
        gap = around if draw(st.booleans()) else None
        depth = draw(st.none() | st.integers(0, 600))
        lines.append(line(span.start, span.end, gap=gap, override=draw(st.booleans()), duck=depth))
    settings = MixSettings(
        duck_depth=draw(st.integers(0, 600)),
        ramp_down=draw(st.integers(0, 1_000)),
        ramp_up=draw(st.integers(0, 1_000)),
        least_rise=draw(st.integers(0, 2_000)),
    )
    return lines, cues, settings, draw(st.integers(1, 18_000))


@given(cases())
def test_whatever_the_lines(case: tuple[list[MixLine], list[Span], MixSettings, int]) -> None:
    lines, cues, settings, end = case
    points = envelope(lines, cues, settings, end)
    depths = [settings.duck_depth if each.duck is None else each.duck for each in lines]
    assert [point.ms for point in points] == sorted(point.ms for point in points)
    assert all(0 <= point.ms <= end and -max(depths, default=0) <= point.level <= 0 for point in points)
    assert not points or (points[0].level, points[-1].level) == (0, 0)

    overridden = [
        Span(max(each.start - settings.ramp_down, 0), each.span.end + settings.ramp_up)
        for each in lines
        if each.override
    ]
    for cue in cues:
        for ms in {cue.start + 0.5, (cue.start + cue.end) / 2, cue.end - 0.5, *(point.ms for point in points)}:
            if cue.start < ms < cue.end and not any(span.start <= ms <= span.end for span in overridden):
                assert level(points, ms) == 0, (cue, ms)

    for each, depth in zip(lines, depths, strict=True):
        around = Span(max(each.start - SHORTEST_RAMP, 0), each.span.end + SHORTEST_RAMP)
        in_gap = (each.gap is None or each.gap.contains(around)) and each.start >= SHORTEST_RAMP
        clear = each.override or (in_gap and not any(cue.overlap(around) for cue in cues))
        if clear and around.end < end:
            assert all(level(points, ms) <= -depth for ms in (each.start, each.start + each.length / 2, each.span.end))
