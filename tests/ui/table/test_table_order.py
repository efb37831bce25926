"""Order, filter and search of the script table, without a window."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.planning.film.live_plan import Outcome
from adstudio.ui.table.cell_content import is_right_to_left, shown, spoken
from adstudio.ui.table.line_facts import Filter, Lines, State, pin_words
from adstudio.ui.table.row_order import Column, RowShift, common_ends, ranges, shifts

GAPS = (Span(0, 10_000), Span(14_000, 18_000))


def line(identity: str, start: int, end: int, *lengths: int, **more) -> Eventuality:
    return Eventuality(
        identity,
        tuple(Variant(f"{identity} {ms}", duration=ms) for ms in lengths),
        Span(start, end),
        500_000,
        **more,
    )


def lines_of(*eventualities: Eventuality, deliveries=(), overlay=()) -> Lines:
    script = Script(Film("f", 30_000), eventualities=eventualities)
    plan = Plan(Status.OPTIMAL, "exact", objective=0, deliveries=tuple(deliveries))
    return Lines(script, Outcome(plan, overlay=tuple(overlay)), GAPS)


def test_a_spoken_line_tells_its_time_length_and_what_its_gap_has_left():
    lines = lines_of(
        line("a", 0, 4000, 6000, 4000),
        line("b", 5000, 8000, 3000),
        deliveries=[Delivery("a", 1, 500, 4500), Delivery("b", 0, 5000, 8000)],
    )
    row = lines.of("a")
    # It may last from 0 to the start of b, which stays where it is: 1 s more than it does.
    assert (row.time, row.length, row.variant, row.room, row.gap) == (500, 4000, 1, 1000, GAPS[0])
    assert row.state is State.SPOKEN
    assert shown(row, Column.WORDING) == "2/2 · 100 %"
    assert shown(row, Column.ROOM) == "1.0 s"


def test_a_line_left_out_tells_where_it_happens_and_whether_its_shortest_wording_would_fit():
    lines = lines_of(
        line("a", 0, 4000, 8000),
        line("b", 5000, 7000, 5000, 2000),
        line("c", 5000, 7000, 5000, 4050),
        deliveries=[Delivery("a", 0, 0, 8000)],
    )
    # a leaves 8–10 s of the first gap; in the second, the action at 6 s allows 2d + L ≤ 32 s: 4 s from 14 s on.
    fits, too_long = lines.of("b"), lines.of("c")
    assert (fits.time, fits.room, fits.needs, fits.fits) == (5000, 4000, 2000, True)
    assert (too_long.room, too_long.needs, too_long.fits) == (4000, 4050, False)
    assert shown(fits, Column.STATE) == "Left out · fits"
    assert shown(too_long, Column.STATE) == "Left out"
    assert spoken(fits, Column.ROOM) == "room for 4.0 s beside the other lines, it needs 2.0 s: 2.0 s to spare"
    # 50 ms too long is not 0.0 s too long.
    assert spoken(too_long, Column.ROOM).endswith(": 0.1 s too long")


def test_less_than_a_tenth_of_a_second_is_no_room():
    lines = lines_of(
        line("a", 0, 4000, 9950),
        line("b", 1000, 2000, 300),
        deliveries=[Delivery("a", 0, 0, 9950)],
    )
    # In the second gap b would have to be within 10 s of 1.5 s: it begins at 14 s.
    assert lines.of("b").room == 50
    assert spoken(lines.of("b"), Column.ROOM) == "no room while the other lines stay, it needs 0.3 s"
    assert shown(lines.of("b"), Column.ROOM) == "−0.3 s"  # the gap is 50 ms


def test_the_nearest_gap_is_none_beyond_the_window():
    lines = lines_of(line("far", 29_000, 30_000, 1000))
    # Its middle is at 29.5 s, the last gap ends at 18 s: 11.5 s away, the window is 10 s.
    assert lines.of("far").gap is None
    assert shown(lines.of("far"), Column.ROOM) == "–"


def test_states_by_what_is_held():
    lines = lines_of(
        line("in", 0, 1000, 1000, pin=Pin(selected=True)),
        line("at", 0, 1000, 1000, pin=Pin(start=2000)),
        line("over", 0, 1000, 1000, pin=Pin(start=11_000, override=True)),
        line("out", 0, 1000, 1000, pin=Pin(selected=False)),
        line("clash", 0, 1000, 1000, pin=Pin(start=2000)),
        deliveries=[Delivery("in", 0, 0, 1000), Delivery("at", 0, 2000, 3000), Delivery("over", 0, 11_000, 12_000)],
        overlay=[Delivery("clash", 0, 2000, 3000)],
    )
    states = {each: lines.of(each).state for each in ("in", "at", "over", "out", "clash")}
    assert states == {
        "in": State.LOCKED_IN,
        "at": State.START,
        "over": State.OVERRIDE,
        "out": State.LOCKED_OUT,
        "clash": State.CONFLICT,
    }
    assert lines.of("over").room is None  # over dialogue
    assert lines.of("clash").time == 2000
    assert lines.filters(lines.script.eventuality("clash")) >= {Filter.DROPPED, Filter.PINNED, Filter.CONFLICTING}
    assert Filter.OVERRIDDEN in lines.filters(lines.script.eventuality("over"))


def test_pins_in_words():
    assert pin_words(Pin()) == ""
    assert pin_words(Pin(selected=True, variant=1)) == "in · wording 2"
    assert pin_words(Pin(start=5)) == "start"
    assert pin_words(Pin(start=5, override=True)) == "override"
    assert pin_words(Pin(selected=False)) == "out"


def test_one_row_that_moves_is_one_operation():
    assert shifts("abcde", "bcdea", "a") == [RowShift("a", 0, 4)]
    assert shifts("abcde", "abxcd", "x") == [RowShift("e", 4, None), RowShift("x", None, 2)]
    assert shifts("abc", "cba", "a") is None  # b and c changed places, which was not announced


@given(st.permutations(list("abcdefgh")), st.sets(st.sampled_from("abcdefgh")), st.sets(st.sampled_from("abcdefgh")))
def test_operations_lead_from_one_order_to_the_other(order: list[str], left_out: set[str], changed: set[str]):
    shown_rows = [each for each in "abcdefgh" if each not in left_out]
    wanted = [each for each in order if each not in changed or each not in left_out]
    operations = shifts(shown_rows, wanted, "abcdefgh")
    assert operations is not None
    rows = list(shown_rows)
    for each in operations:
        if each.row is not None:
            assert rows.pop(each.row) == each.identity
        if each.to is not None:
            rows.insert(each.to, each.identity)
    assert rows == wanted


def test_runs_of_rows():
    assert list(ranges([5, 1, 2, 3, 9])) == [(1, 3), (5, 5), (9, 9)]
    assert list(ranges([])) == []


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_common_ends_are_as_long_as_they_can_be(one: str, other: str):
    head, tail = common_ends(one, other)
    shorter = min(len(one), len(other))
    assert one[:head] == other[:head]
    assert head == shorter or one[head] != other[head] or one == other
    assert tail <= shorter - head
    assert tail == 0 or one[-tail:] == other[-tail:]
    assert tail == shorter - head or one[-1 - tail] != other[-1 - tail]


def test_the_first_letter_with_a_direction_tells_the_direction():
    assert is_right_to_left("… 3 שלום Tom")
    assert is_right_to_left("مرحبا")
    assert not is_right_to_left("Tom: שלום")
    assert not is_right_to_left("12 …")


def test_a_wording_that_the_full_one_was_changed_after_is_marked():
    made = line("a", 0, 4000, 6000, 4000)
    full, short = made.variants
    marked = replace(made, variants=(full, replace(short, stale=True)))
    for variant, cell, said in (
        (0, "1/2 · 100 %", "1 of 2, 100 %"),
        (1, "2/2 · 100 % · check", "2 of 2, 100 %, full wording changed since"),
    ):
        row = lines_of(marked, deliveries=[Delivery("a", variant, 0, 4000)]).of("a")
        assert (shown(row, Column.WORDING), spoken(row, Column.WORDING)) == (cell, said)
