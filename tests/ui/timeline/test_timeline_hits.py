"""What lies under the pointer: items, edges, short and overlapping ones."""

from __future__ import annotations

import pytest
from timeline_scripts import odd_script, small_script

from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.ui.session.selection import Kind
from adstudio.ui.timeline.items import Box, Hit, Item, Part, box, hit, part_at, within
from adstudio.ui.timeline.lanes import Lane, arrange
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.timeline.visible_range import VisibleRange

BANDS = arrange(400)


def rows_of(script) -> Rows:
    rows = Rows()
    gaps = gaps_of(script).gaps
    rows.update(script, FilmPlanner(script, gaps).outcome, gaps)
    return rows


def at(view: VisibleRange, rows: Rows, ms: float, lane: Lane) -> Hit:
    return hit(view, BANDS, rows, view.x(ms), BANDS[lane].top + BANDS[lane].height / 2)


@pytest.fixture(scope="module")
def small() -> tuple[VisibleRange, Rows]:
    return VisibleRange(1000, 60_000, 60.0, 0.0), rows_of(small_script())


@pytest.mark.parametrize(
    ("ms", "lane", "kind", "key", "part"),
    [
        (15_000, Lane.DIALOGUE, Kind.CUE, "c1", Part.BODY),
        (5_000, Lane.GAPS, Kind.GAP, "0-10000", Part.BODY),
        (9_900, Lane.GAPS, Kind.GAP, "0-10000", Part.END),
        (20_100, Lane.GAPS, Kind.GAP, "20000-34000", Part.START),
        (35_000, Lane.GAPS, Kind.SILENCE, "q1", Part.BODY),
        (34_060, Lane.GAPS, Kind.SILENCE, "q1", Part.START),
        (35_980, Lane.GAPS, Kind.SILENCE, "q1", Part.END),
        (25_000, Lane.NARRATION, Kind.LINE, "e3", Part.BODY),
        (45_000, Lane.SCENES, Kind.SCENE, "s2", Part.BODY),
    ],
)
def test_the_item_under_the_pointer(small, ms, lane, kind, key, part) -> None:
    view, rows = small
    assert at(view, rows, ms, lane) == Hit(lane, Item(kind, key, lane), part)


@pytest.mark.parametrize(("ms", "lane"), [(30_000, Lane.DIALOGUE), (45_000, Lane.NARRATION), (15_000, Lane.GAPS)])
def test_between_items_there_is_nothing(small, ms, lane) -> None:
    assert at(*small, ms, lane) == Hit(lane)


def test_below_all_lanes_there_is_nothing(small) -> None:
    assert hit(*(small[0], BANDS, small[1]), 100, 5000) == Hit()


def test_occurrences_have_edges_and_deliveries_do_not(small) -> None:
    view, rows = small
    place = rows.occurrences.place["e2"]
    found = box(view, BANDS[Lane.ACTION], rows.occurrences, place)
    assert hit(view, BANDS, rows, found.left + 1, found.middle).part is Part.START
    assert hit(view, BANDS, rows, found.right - 1, found.middle).part is Part.END
    assert hit(view, BANDS, rows, found.right + 2, found.middle).part is Part.END
    said = box(view, BANDS[Lane.NARRATION], rows.narration, rows.narration.place["e3"])
    assert hit(view, BANDS, rows, said.left + 1, said.middle).part is Part.BODY


def test_a_short_item_has_edges_inside_and_a_body_between() -> None:
    nine = Box(100, 0, 109, 10)
    assert [part_at(nine, x) for x in (101, 104.5, 108)] == [Part.START, Part.BODY, Part.END]
    wide = Box(100, 0, 200, 10)
    assert [part_at(wide, x) for x in (105, 107, 193, 195)] == [Part.START, Part.BODY, Part.BODY, Part.END]


def test_cues_of_no_length_and_reversed_ones_can_be_taken_hold_of() -> None:
    rows = rows_of(odd_script())
    view = VisibleRange(1000, 20_000, 20.0, 0.0)
    for key in ("c4", "c5"):
        found = box(view, BANDS[Lane.DIALOGUE], rows.cues, rows.cues.place[key])
        assert found.right - found.left == 8
        for x in (found.left + 1, found.centre, found.right - 1):
            item = hit(view, BANDS, rows, x, found.middle).item
            assert item is not None
            assert item.key == key


def test_of_overlapping_cues_each_is_hit_in_its_own_row() -> None:
    rows = rows_of(odd_script())
    view = VisibleRange(1000, 20_000, 20.0, 0.0)
    for key in ("c1", "c2", "c3", "c6"):
        found = box(view, BANDS[Lane.DIALOGUE], rows.cues, rows.cues.place[key])
        item = hit(view, BANDS, rows, view.x(3_000), found.middle).item
        assert item is not None
        assert item.key == key


def test_an_opening_is_taken_at_the_top_of_the_gaps_lane() -> None:
    rows = rows_of(odd_script())
    view = VisibleRange(1000, 20_000, 20.0, 0.0)
    top = BANDS[Lane.GAPS].top
    assert hit(view, BANDS, rows, view.x(4_500), top + 3).item == Item(Kind.OPENING, "o1", Lane.GAPS)
    below = hit(view, BANDS, rows, view.x(4_500), top + 20).item
    assert below is not None
    assert below.kind is Kind.GAP


def test_a_rubber_band_takes_the_lines_that_it_touches(small) -> None:
    view, rows = small
    happens, said = BANDS[Lane.ACTION], BANDS[Lane.NARRATION]
    assert within(view, BANDS, rows, Box(0, happens.top, view.x(10_000), happens.bottom)) == ("e1", "e2")
    assert within(view, BANDS, rows, Box(view.x(22_000), said.top, view.x(28_000), said.bottom)) == ("e3",)
    assert within(view, BANDS, rows, Box(view.x(12_000), happens.top, view.x(19_000), said.bottom)) == ()
