"""The rows: what is made of a script, and that an update says exactly where it looks different."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from timeline_scripts import line, small_script

from adstudio.core.plan import Delivery, HoldConflict, Plan, Status
from adstudio.core.script import SALIENCE_UNIT, Pin, Script
from adstudio.core.timebase import Span
from adstudio.planning.film.live_plan import FilmPlanner, Outcome
from adstudio.ui.timeline.item_descriptions import states
from adstudio.ui.timeline.rows import SHADES, GapUse, JoinedPair, Rows

GAPS = (Span(0, 10_000), Span(20_000, 34_000), Span(36_000, 40_000), Span(50_000, 60_000))


def outcome(*deliveries: Delivery, apart: tuple[Delivery, ...] = (), conflicts: tuple = ()) -> Outcome:
    return Outcome(Plan(Status.OPTIMAL, "exact", 1, deliveries=deliveries), conflicts, apart)


def with_line(script: Script, identity: str, **fields: object) -> Script:
    lines = tuple(replace(e, **fields) if e.id == identity else e for e in script.eventualities)
    return replace(script, eventualities=lines)


E1, E2, E3 = Delivery("e1", 0, 0, 2_000), Delivery("e2", 0, 3_000, 6_000), Delivery("e3", 0, 23_000, 27_000)


def made() -> Rows:
    rows = Rows()
    assert rows.update(small_script(), outcome(E1, E2, E3), GAPS) is None
    return rows


def test_the_first_update_is_everything() -> None:
    rows = made()
    assert rows.cues.keys == ("c1", "c2")
    assert rows.narration.keys == ("e1", "e2", "e3")
    assert rows.uses == [GapUse(5_000, 2), GapUse(4_000, 1), GapUse(), GapUse()]


def test_nothing_new_is_nothing_dirty() -> None:
    rows = made()
    assert rows.update(rows.script, Outcome(rows.plan), GAPS) == []


def test_a_scene_that_is_open_again_is_repainted() -> None:
    rows = made()
    scene = rows.script.scenes[0]
    span = (scene.span.start, scene.span.end)
    reviewed = frozenset({scene.id})
    assert rows.update(rows.script, Outcome(rows.plan), GAPS, reviewed) == [span]
    assert rows.update(rows.script, Outcome(rows.plan), GAPS, reviewed) == []
    assert rows.update(rows.script, Outcome(rows.plan), GAPS) == [span]
    assert rows.reviewed == frozenset()


def test_another_salience_repaints_where_the_line_happens_and_is_said() -> None:
    rows = made()
    assert rows.update(with_line(rows.script, "e2", salience=1), outcome(E1, E2, E3), GAPS) == [(3_000, 6_000)]


def test_two_lines_in_one_breath_are_tied_while_the_plan_says_them_so() -> None:
    rows = made()
    # A second between them: both are repainted.
    assert rows.update(with_line(rows.script, "e2", joined=True), outcome(E1, E2, E3), GAPS) == [(0, 6_000)]
    assert rows.joined == {"e2": JoinedPair(0, 2_000, 3_000, 6_000)}
    assert states(rows, rows.script.eventuality("e2")) == ["in one breath with the line before"]
    # Behind dialogue, and more than a second and a half later, they are not one.
    rows.update(with_line(rows.script, "e3", joined=True), outcome(E1, E2, E3), GAPS)
    assert list(rows.joined) == ["e2"]
    rows.update(rows.script, outcome(E1, replace(E2, start=3_501, end=6_501), E3), GAPS)
    assert rows.joined == {}
    assert states(rows, rows.script.eventuality("e2")) == []


def test_a_line_that_moves_repaints_where_it_was_and_where_it_is_and_its_gap() -> None:
    rows = made()
    moved = replace(E3, start=28_000, end=32_000)
    # spoken at 23–27 before, 28–32 now, happens at 24–26: the thread reaches over all of it
    assert rows.update(rows.script, outcome(E1, E2, moved), GAPS) == [(23_000, 32_000)]


def test_a_line_that_goes_repaints_its_gap_since_its_free_seconds_change() -> None:
    rows = made()
    assert rows.update(rows.script, outcome(E1, E2), GAPS) == [(20_000, 34_000)]
    assert rows.uses[1] == GapUse()


def test_a_gap_that_is_cut_is_painted_before_and_after() -> None:
    rows = made()
    gaps = (Span(0, 8_000), *GAPS[1:])
    assert rows.update(rows.script, outcome(E1, E2, E3), gaps) == [(0, 10_000)]
    assert rows.uses[0] == GapUse(5_000, 2)


def test_a_pin_over_an_edge_counts_with_what_lies_in_the_gap() -> None:
    rows = made()
    over = replace(E3, start=32_000, end=38_000)
    rows.update(rows.script, outcome(E1, E2, over), GAPS)
    assert rows.uses[1:3] == [GapUse(2_000, 1), GapUse(2_000, 1)]


def test_what_is_set_apart_is_stacked_over_the_plan() -> None:
    rows = made()
    apart = Delivery("e4", 0, 24_000, 26_000)
    dirty = rows.update(
        rows.script, outcome(E1, E2, E3, apart=(apart,), conflicts=((HoldConflict("e4", "start"),),)), GAPS
    )
    place = rows.narration.place
    assert {rows.narration.depths[place["e3"]], rows.narration.depths[place["e4"]]} == {2}
    assert rows.delivery("e4") == apart
    assert dirty == [(20_000, 54_000)]  # the gap that it is said to stand in, and the thread to where it happens
    assert rows.in_conflict == {"e4"}


def test_shades_go_from_the_least_to_the_most() -> None:
    rows = made()
    assert rows.shade(None) == rows.shade(-5 * SALIENCE_UNIT) == 0
    assert rows.shade(SALIENCE_UNIT) == SHADES - 1
    rows.update(with_line(rows.script, "e3", salience=20 * SALIENCE_UNIT), outcome(E1, E2, E3), GAPS)
    assert rows.shade(10 * SALIENCE_UNIT) == SHADES // 2  # half of the film's greatest, where models go beyond 1


def test_a_greater_salience_repaints_everything_and_back_again() -> None:
    rows = made()
    assert rows.update(with_line(rows.script, "e3", salience=20 * SALIENCE_UNIT), outcome(E1, E2, E3), GAPS) is None
    assert rows.update(small_script(), outcome(E1, E2, E3), GAPS) is None
    assert rows.greatest == SALIENCE_UNIT


EDITS = st.lists(
    st.tuples(
        st.sampled_from(("pin", "salience", "occurrence", "gone", "new")), st.integers(0, 30), st.integers(0, 50)
    ),
    min_size=1,
    max_size=6,
)


@given(EDITS)
def test_rows_renewed_step_by_step_are_those_made_at_once(edits) -> None:
    """Whatever is edited, in the end the rows are the same as fresh ones, and what moved lies in what is dirty."""
    script = small_script()
    rows = Rows()
    planner = FilmPlanner(script, GAPS)
    rows.update(script, planner.outcome, GAPS)
    for number, (what, which, value) in enumerate(edits):
        lines = list(script.eventualities)
        place = which % len(lines) if lines else 0
        if what == "new" or not lines:
            lines.insert(place, line(f"n{number}", value * 1000, value * 1000 + 2000, 1500))
        elif what == "gone":
            del lines[place]
        elif what == "pin":
            lines[place] = replace(lines[place], pin=Pin(selected=bool(value % 2)))
        elif what == "salience":
            lines[place] = replace(lines[place], salience=value * 10_000)
        else:
            lines[place] = replace(lines[place], occurrence=Span(value * 1000, value * 1000 + 500))
        script = replace(script, eventualities=tuple(lines))
        before, said = rows.occurrences, rows.narration
        dirty = rows.update(script, planner.replan(script, GAPS), GAPS)
        fresh = Rows()
        fresh.update(script, planner.outcome, GAPS)
        assert (rows.occurrences, rows.narration, rows.uses, rows.free) == (
            fresh.occurrences,
            fresh.narration,
            fresh.uses,
            fresh.free,
        )
        if dirty is not None:
            for old, new in ((before, rows.occurrences), (said, rows.narration)):
                was = set(zip(old.starts, old.ends, old.keys, old.levels, strict=True))
                now = set(zip(new.starts, new.ends, new.keys, new.levels, strict=True))
                for start, end, *_ in was ^ now:
                    assert any(first <= start and end <= last for first, last in dirty)
