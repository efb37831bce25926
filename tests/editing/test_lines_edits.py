"""New, deleted, reordered, reweighted and joined lines."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, TIED, changed, done, order, with_pin

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Origin, Pin, Rules, Script, Silence, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.lines import script_lines
from adstudio.editing import lines, splitting
from adstudio.editing.change import EditRefused
from adstudio.editing.ids import Ids, inserted_ids
from adstudio.editing.labels import label_of
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film


def test_a_new_line_at_the_playhead() -> None:
    step = lines.new_line(SCRIPT, Ids(SCRIPT), 8000, "A dog barks.")
    after = done(step)
    assert step is not None
    assert inserted_ids(step) == ("line-1",)
    line = after.eventuality("line-1")
    assert line.variants == (Variant("A dog barks."),)
    assert (line.occurrence, line.salience, line.scene) == (Span(8000, 9000), 500_000, "s1")
    assert (line.pin, line.origin, line.seen) == (Pin(selected=True), Origin.HUMAN, True)
    # e3 has no time of its own and stays with e2, which it follows.
    assert order(after) == ["e1", "e2", "e3", "line-1", "e4"]
    assert label_of(step, SCRIPT) == "Add “A dog barks”"


@pytest.mark.parametrize(
    ("at", "place", "occurrence"),
    [
        (0, 0, Span(0, 1000)),
        (1500, 1, Span(1500, 2500)),
        (59_800, 4, Span(59_800, 60_000)),
        (70_000, 4, Span(60_000, 60_000)),
        (-5, 0, Span(0, 1000)),
    ],
)
def test_where_a_new_line_stands(at: int, place: int, occurrence: Span) -> None:
    # Midpoints: e1 2.0 s, e2 5.5 s, e4 34.0 s. A line of 2.0 s itself, from 1.5 to 2.5, goes behind its equal.
    after = done(lines.new_line(SCRIPT, Ids(SCRIPT), at, "Wind."))
    assert order(after).index("line-1") == place
    assert after.eventuality("line-1").occurrence == occurrence


def test_a_new_line_heeds_where_others_are_pinned() -> None:
    # e1 happens at 2 s but is held at 9 s: a line at 5 s must be spoken before it.
    held = with_pin("e1", Pin(start=9000))
    moved = replace(held, eventualities=(held.eventuality("e2"), held.eventuality("e1")))
    assert order(done(lines.new_line(moved, Ids(moved), 7000, "Wind."), moved)) == ["e2", "line-1", "e1"]


def test_among_lines_out_of_order_a_new_one_stands_where_fewest_are_on_the_wrong_side() -> None:
    def line(name: str, second: int) -> Eventuality:
        return Eventuality(name, (Variant("x"),), Span(second * 1000, second * 1000), 1)

    script = Script(Film("", 60_000), eventualities=(line("a", 10), line("b", 30), line("c", 12), line("d", 40)))
    # At 20 s: behind c only b is on the wrong side, behind a only c.  Of equals the last.
    assert order(done(lines.new_line(script, Ids(script), 20_000, "x"), script)) == ["a", "b", "c", "line-1", "d"]
    assert order(done(lines.new_line(script, Ids(script), 11_000, "x"), script)) == ["a", "line-1", "b", "c", "d"]


def test_a_new_line_is_spoken_at_once() -> None:
    for at in (500, 8000, 12_000, 26_000, 45_000):
        after = done(lines.new_line(SCRIPT, Ids(SCRIPT), at, "A dog barks at the gate."))
        plan = plan_film(after, gaps_of(after).gaps)
        assert plan.status is Status.OPTIMAL
        assert "line-1" in plan.by_element


def test_a_new_line_is_spoken_though_others_must_go() -> None:
    film = Script(
        Film("", 4000),
        cues=(Cue("c", 1000, 4000, ""),),
        eventualities=(Eventuality("e", (Variant("Tom waits here."),), Span(0, 1000), 900_000),),
    )
    after = done(lines.new_line(film, Ids(film), 500, "A dog barks."), film)
    plan = plan_film(after, gaps_of(after).gaps)
    assert [delivery.element for delivery in plan.deliveries] == ["line-1"]


def test_a_new_line_without_words_takes_no_time_and_is_not_handed_in() -> None:
    after = done(lines.new_line(SCRIPT, Ids(SCRIPT), 8000))
    plan = plan_film(after, gaps_of(after).gaps)
    assert plan.status is Status.OPTIMAL
    assert plan.by_element["line-1"].span.length == 0
    assert "line-1" not in [line.element for line in script_lines(after, plan)]


def test_the_usual_salience_is_the_middle_one_on_whatever_scale() -> None:
    raw = changed(changed(SCRIPT, "e1", salience=12_000_000), "e2", salience=20_000_000)
    assert done(lines.new_line(raw, Ids(raw), 0, "x"), raw).eventuality("line-1").salience == 12_000_000
    empty = Script(Film("", 60_000))
    assert done(lines.new_line(empty, Ids(empty), 0, "x"), empty).eventuality("line-1").salience == 500_000


def test_ids_are_never_given_twice() -> None:
    held = replace(SCRIPT, eventualities=(*SCRIPT.eventualities, Eventuality("line-1", (Variant("x"),))))
    undone = lines.delete_lines(held, ["line-1"])
    gone = done(undone, held)
    assert undone is not None
    ids = Ids(gone, [undone, undone.inverse()])
    assert [ids.fresh(Eventuality), ids.fresh(Eventuality), ids.fresh(Silence)] == ["line-2", "line-3", "silence-1"]


def test_deleting_takes_rules_along() -> None:
    after = done(lines.delete_lines(TIED, ["e1"]), TIED)
    assert order(after) == ["e2", "e3", "e4"]
    assert after.rules == Rules(alternatives=(("e2", "e3"),), requires=(("e2", "e4"),), together=(("e3", "e4"),))
    after = done(lines.delete_lines(TIED, ["e4", "e2"]), TIED)
    assert after.rules == Rules(alternatives=(("e1", "e3"),))
    assert order(done(lines.delete_lines(SCRIPT, ["e1", "e2", "e3", "e4"]))) == []
    step = lines.delete_lines(SCRIPT, ["e4", "e2"])
    assert step is not None
    assert label_of(step, SCRIPT) == "Delete 2 lines"
    assert lines.delete_lines(SCRIPT, []) is None


def test_deleting_the_head_of_a_joined_line_parts_the_rest_from_what_stands_before() -> None:
    script = changed(changed(SCRIPT, "e3", joined=True), "e4", joined=True)

    def joined(*gone: str) -> list[str]:
        return [line.id for line in done(lines.delete_lines(script, gone), script).eventualities if line.joined]

    assert joined("e2") == ["e4"]
    assert joined("e3") == ["e4"]
    assert joined("e2", "e3") == []
    assert joined("e1") == ["e3", "e4"]


def test_salience() -> None:
    after = done(lines.set_salience(SCRIPT, ["e1", "e3"], 250_000))
    assert [line.salience for line in after.eventualities] == [250_000, 500_000, 250_000, 300_000]
    after = done(lines.nudge_salience(SCRIPT, ["e1", "e3"], -50_000))
    # Saliences 0.3, 0.5, 0.8: the usual one is 0.5.
    assert [line.salience for line in after.eventualities] == [750_000, 500_000, 450_000, 300_000]
    # A person weighed those, which no machine may undo.
    assert [line.weighed for line in after.eventualities] == [True, False, True, False]
    merged = done(splitting.merge_lines(after, ["e1", "e2"]), after)
    assert merged.eventuality("e1").weighed
    assert done(lines.set_salience(SCRIPT, ["e1"], 10**12)).eventuality("e1").salience == 10_000_000_000
    assert done(lines.nudge_salience(SCRIPT, ["e1"], -(10**12))).eventuality("e1").salience == -10_000_000_000
    assert lines.set_salience(SCRIPT, ["e1"], 800_000) is None


def test_reordering() -> None:
    assert order(done(lines.move_lines(SCRIPT, ["e4"], "e2"))) == ["e1", "e4", "e2", "e3"]
    assert order(done(lines.move_lines(SCRIPT, ["e1"], None))) == ["e2", "e3", "e4", "e1"]
    assert order(done(lines.move_lines(SCRIPT, ["e4", "e2"], "e1"))) == ["e2", "e4", "e1", "e3"]
    assert order(done(lines.move_lines(SCRIPT, ["e1", "e3"], "e3"))) == ["e2", "e1", "e3", "e4"]
    assert order(done(lines.move_lines(SCRIPT, ["e1", "e4"], "e4"))) == ["e2", "e3", "e1", "e4"]
    assert lines.move_lines(SCRIPT, ["e2"], "e3") is None
    assert lines.move_lines(SCRIPT, ["e2"], "e2") is None
    assert lines.move_lines(SCRIPT, ["e3", "e4"], None) is None
    with pytest.raises(EditRefused):
        lines.move_lines(SCRIPT, ["e2"], "e9")


def test_one_place_earlier_or_later() -> None:
    assert order(done(lines.move_earlier(SCRIPT, "e3"))) == ["e1", "e3", "e2", "e4"]
    assert order(done(lines.move_later(SCRIPT, "e1"))) == ["e2", "e1", "e3", "e4"]
    assert order(done(lines.move_later(SCRIPT, "e3"))) == ["e1", "e2", "e4", "e3"]
    assert lines.move_earlier(SCRIPT, "e1") is None
    assert lines.move_later(SCRIPT, "e4") is None


def joined_in(script: Script) -> list[str]:
    return [line.id for line in script.eventualities if line.joined]


def test_joining() -> None:
    assert joined_in(done(lines.join(SCRIPT, ["e2"]))) == ["e2"]
    assert joined_in(done(lines.join(SCRIPT, ["e2", "e1"]))) == ["e2"]
    assert joined_in(done(lines.join(SCRIPT, ["e2", "e3", "e4"]))) == ["e3", "e4"]
    assert lines.join(SCRIPT, []) is None
    assert lines.join(changed(SCRIPT, "e2", joined=True), ["e1", "e2"]) is None
    with pytest.raises(EditRefused, match="no previous line"):
        lines.join(SCRIPT, ["e1"])
    with pytest.raises(EditRefused, match="there are others between"):
        lines.join(SCRIPT, ["e2", "e4"])


def test_a_line_that_the_plan_leaves_out_may_lie_between_joined_ones() -> None:
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e2", 0, 0, 600), Delivery("e4", 0, 1000, 1900)))
    assert joined_in(done(lines.join(SCRIPT, ["e2", "e4"], plan))) == ["e4"]
    spoken = replace(plan, deliveries=(*plan.deliveries, Delivery("e3", 0, 700, 900)))
    with pytest.raises(EditRefused):
        lines.join(SCRIPT, ["e2", "e4"], spoken)


def test_parting() -> None:
    script = changed(changed(SCRIPT, "e2", joined=True), "e3", joined=True)
    assert joined_in(done(lines.unjoin(script, ["e1", "e2"]), script)) == ["e3"]
    assert lines.unjoin(SCRIPT, ["e1"]) is None
