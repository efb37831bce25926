"""Table, inspector and drag say the same of whether a line fits, and what the planner makes of it."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, line
from pending_events import run_pending_events

from adstudio.core.film import Film
from adstudio.core.script import Cue, Pin, Script
from adstudio.core.settings import Near, Settings
from adstudio.core.timebase import Span
from adstudio.editing.fit import fit_of
from adstudio.editing.pins import pin_start
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.ui.inspector.panel import Inspector
from adstudio.ui.session.context import Context
from adstudio.ui.session.reason_texts import reason_text
from adstudio.ui.table.cell_content import room_words
from adstudio.ui.table.line_facts import lines_of
from adstudio.ui.timeline.drag_fit import drag_fit
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.widgets.formatting import drift_words, duration, free, lacking

SEEDS = range(25)
NOTHING_AMISS = re.compile(r"(?<!\d)0[.,]0 s (too|free|to spare|left|outside)")


def random_script(seed: int) -> Script:
    """A minute with dialogue and lines in it, under some house's rules."""
    dice = random.Random(seed)
    cues, at = [], dice.randint(2_000, 6_000)
    while at < 55_000:
        cues.append(Cue(f"c{len(cues)}", at, at + dice.randint(500, 4_000), "Well."))
        at = cues[-1].end + dice.randint(1_000, 9_000)
    lines = []
    for n in range(dice.randint(6, 14)):
        start = max(0, 4_500 * n + dice.randint(-2_000, 2_000))
        lengths = sorted({dice.randint(300, 4_500) for _ in range(dice.randint(1, 3))}, reverse=True)
        lines.append(line(f"e{n}", start, start + dice.randint(0, 3_000), dice.random(), *lengths))
    late = dice.choice((None, 900, 4_000))
    settings = Settings(
        delta_max=dice.choice((3_000, 10_000)),
        delta_early=dice.choice((None, 500, 1_500)),
        delta_late=late,
        near=dice.choice((None, Near(300, 800, 800_000))),
        reach=dice.choice((None, 0, 1)),
        min_pause=dice.choice((0, 300)),
        max_share=dice.choice((1_000_000, 850_000, 500_000)),
    )
    return Script(Film("Film", 60_000), settings, cues=tuple(cues), eventualities=tuple(lines))


@pytest.fixture(params=SEEDS)
def desk(request, tmp_path: Path, qapp):
    with desk_on(tmp_path, random_script(request.param)) as desk:
        dice, session = random.Random(request.param), desk.session
        for delivery in dice.sample(session.plan.deliveries, min(2, len(session.plan.deliveries))):
            session.edits.attempt(lambda script, delivery=delivery: pin_start(script, delivery.element, delivery.start))
        yield desk


def rows_of(desk: Context) -> Rows:
    rows, session = Rows(), desk.session
    rows.update(session.script, session.current_plan.outcome, session.gaps)
    return rows


def test_the_table_and_the_inspector_agree(desk: Context, qtbot):
    session, inspector = desk.session, Inspector(desk)
    qtbot.addWidget(inspector)
    inspector.show()
    for event in session.script.eventualities:
        row = lines_of(session).of(event.id)
        fits = [fit_of(session.rooms, event.id, variant) for variant in range(len(event.variants))]
        if row.delivery is not None:
            shown = fits[row.delivery.variant]
            assert (row.room, shown.fits, shown.elsewhere) == (shown.spare, True, False)
        else:
            assert row.fits is any(fit.fits for fit in fits)
            assert row.room in {None, min(fits, key=lambda fit: fit.duration).room}
        session.cursor.select_line(event.id)
        run_pending_events()
        assert room_words(row) in inspector.line.where.text()
        why = reason_text(session, event.id).full
        if not row.spoken and row.room is not None:
            assert not row.fits or "only fit if" not in why
            assert row.fits or "It would fit" not in why or "in one breath" in why
            assert not (row.fits and "No gap can take it" in why)
        for fit, shown in zip(fits, inspector.line.wordings.rows, strict=True):
            said = shown.numbers.text()
            assert not NOTHING_AMISS.search(said)
            assert fit.fits is ("to spare" in said)
            assert (lacking(fit.too_long) in said) is ("too long" in said)
            assert fit.room == 0 or ("too long" in said) is bool(fit.too_long)
        assert not NOTHING_AMISS.search(room_words(row))


def test_a_drag_agrees_with_what_the_planner_makes_of_it(desk: Context):
    session, rows = desk.session, rows_of(desk)
    dice, planner = random.Random(1), desk.session.current_plan.planner
    seen = {"fits": 0, "warns": 0}
    for delivery in session.plan.deliveries:
        starts = [delivery.start + by for by in (0, 1, -1, 300, -300)] + dice.sample(range(60_000), 3)
        for start in (each for each in starts if each >= 0):
            span = Span(start, start + delivery.end - delivery.start)
            found = drag_fit((delivery.element,), (span,), rows, planner)
            then = pin_start(session.script, delivery.element, start)
            script = session.script if then is None else then.apply(session.script)
            conflicts = FilmPlanner(script, session.gaps).outcome.conflicts
            assert bool(found.warning) is bool(conflicts), (delivery, start, found)
            assert not NOTHING_AMISS.search(found.warning)
            seen["warns" if found.warning else "fits"] += 1
    assert all(seen.values())


def test_a_drag_names_others_exactly_where_the_wording_does_not_fit_beside_them(desk: Context):
    session, rows = desk.session, rows_of(desk)
    for delivery in session.plan.deliveries:
        length = delivery.end - delivery.start
        for by in (-700, -200, 0, 200, 700):
            span = Span(max(0, delivery.start + by), max(0, delivery.start + by) + length)
            found = drag_fit((delivery.element,), (span,), rows, session.current_plan.planner)
            fits = session.rooms.obstacle(delivery.element, span) is None
            another = "give way" in found.note or "gives way" in found.note or found.note.startswith("wording")
            if not found.warning:
                assert fits is not another, (delivery, by, found)


def test_lines_dragged_together_are_not_in_each_others_way(tmp_path: Path, qapp):
    lines = (line("a", 1_000, 2_000, 0.5, 1_000), line("b", 2_000, 3_000, 0.5, 1_000))
    with desk_on(tmp_path, Script(Film("Film", 20_000), eventualities=lines)) as desk:
        rows, planner = rows_of(desk), desk.session.current_plan.planner
        assert [(d.start, d.end) for d in desk.session.plan.deliveries] == [(1_000, 2_000), (2_000, 3_000)]
        alone = drag_fit(("a",), (Span(1_500, 2_500),), rows, planner)
        assert alone.note.startswith("“b in 1000…” gives way")
        both = drag_fit(("a", "b"), (Span(1_500, 2_500), Span(2_500, 3_500)), rows, planner)
        assert (both.note, both.warning) == ("", "")


@pytest.mark.parametrize(
    ("start", "warning"),
    [(4_550, ""), (4_560, "0.1 s too late for its action"), (7_000, "2.5 s too late for its action")],
)
def test_a_drag_says_by_how_much_it_is_too_late(tmp_path: Path, qapp, start: int, warning: str):
    # It happens about 2 s, so its middle may be at 5.05 s at most, and its start at 4.55.
    script = Script(
        Film("Film", 20_000), Settings(delta_late=3_050), eventualities=(line("a", 1_000, 3_000, 0.5, 1_000),)
    )
    with desk_on(tmp_path, script) as desk:
        found = drag_fit(("a",), (Span(start, start + 1_000),), rows_of(desk), desk.session.current_plan.planner)
        assert found.warning == warning


def test_a_line_in_conflict_can_be_dragged_to_where_it_fits(tmp_path: Path, qapp):
    lines = (line("a", 1_000, 2_000, 0.5, 1_000), line("b", 6_000, 7_000, 0.5, 1_000))
    lines = (replace(lines[0], pin=Pin(start=1_000)), replace(lines[1], pin=Pin(start=1_500)))
    script = Script(Film("Film", 20_000), Settings(delta_max=6_000), eventualities=lines)
    with desk_on(tmp_path, script) as desk:
        rows, planner = rows_of(desk), desk.session.current_plan.planner
        assert "b" in rows.suspended
        assert drag_fit(("b",), (Span(6_000, 7_000),), rows, planner).warning == ""
        assert drag_fit(("b",), (Span(13_000, 14_000),), rows, planner).warning == "1.0 s too late for its action"


def test_what_lacks_is_rounded_up_and_what_is_free_down():
    assert [lacking(ms) for ms in (1, 99, 100, 101)] == ["0.1 s", "0.1 s", "0.1 s", "0.2 s"]
    assert [free(ms) for ms in (-5, 0, 99, 100, 199)] == ["nothing", "nothing", "nothing", "0.1 s", "0.1 s"]
    # 2.349 s and 0.049 s: drifts are in half-milliseconds.
    assert [drift_words(by) for by in (4_698, -4_698, 98, 0)] == ["2.3 s late", "2.3 s early", "on time", "on time"]
    assert duration(2_349) == "2.3 s"


def test_a_drag_says_what_it_costs_in_seconds_of_which_line(tmp_path: Path, qapp):
    """By hand: a at 1 s has 1 s before it and, in a film of 5 s, 1 s after it: b has to go."""
    lines = (line("a", 0, 3_000, 0.5, 3_000), line("b", 3_000, 5_000, 0.4, 2_000))
    with desk_on(tmp_path, Script(Film("Film", 5_000), eventualities=lines)) as desk:
        rows, planner = rows_of(desk), desk.session.current_plan.planner
        assert len(desk.session.plan.deliveries) == 2
        found = drag_fit(("a",), (Span(1_000, 4_000),), rows, planner)
        assert found.note == "“b in 2000…” gives way · costs 2.0 s of “b in 2000 ms”"
        assert drag_fit(("a",), (Span(0, 3_000),), rows, planner).note == ""
