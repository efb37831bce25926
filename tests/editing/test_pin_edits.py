"""Pins, agreement and notes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, changed, done, pins, with_pin

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import NO_PIN, Pin
from adstudio.core.timebase import Span
from adstudio.editing import pins as holds
from adstudio.editing.change import EditRefused
from adstudio.editing.labels import label_of

HELD = with_pin("e2", Pin(selected=True, variant=0, start=5000, override=True))


def test_in_out_and_free() -> None:
    assert pins(done(holds.pin_in(SCRIPT, ["e1", "e2"]))) == {"e1": Pin(selected=True), "e2": Pin(selected=True)}
    assert pins(done(holds.pin_out(SCRIPT, ["e1"]))) == {"e1": Pin(selected=False)}
    assert pins(done(holds.pin_out(HELD, ["e2"]), HELD)) == {"e2": Pin(selected=False, variant=0)}
    assert pins(done(holds.pin_in(HELD, ["e1"]), HELD))["e2"] == HELD.eventuality("e2").pin
    assert pins(done(holds.unpin_placement(HELD, ["e2"]), HELD)) == {"e2": Pin(variant=0)}
    assert pins(done(holds.unpin(HELD, ["e2"]), HELD)) == {}


def test_what_changes_nothing_is_no_step() -> None:
    assert holds.unpin_placement(SCRIPT, ["e1", "e2"]) is None
    assert holds.unpin(SCRIPT, []) is None
    assert holds.pin_in(with_pin("e1", Pin(selected=True)), ["e1"]) is None
    assert holds.set_note(SCRIPT, "e2", "who?") is None
    assert holds.set_accepted(SCRIPT, ["e2"], on=True) is not None  # it was not marked as seen
    assert holds.pin_start(HELD, "e2", 5000) is None


def test_several_are_one_step_and_those_that_are_so_already_are_not_in_it() -> None:
    step = holds.pin_in(with_pin("e1", Pin(selected=True)), ["e4", "e1", "e2", "e4"])
    assert step is not None
    assert label_of(step, SCRIPT) == "Lock 2 lines in"
    single = holds.pin_in(with_pin("e1", Pin(selected=True)), ["e1", "e2"])
    assert single is not None
    assert label_of(single, SCRIPT) == "Lock “Tom waits” in"


def test_a_wording_is_held_without_holding_the_line() -> None:
    assert pins(done(holds.pin_variant(SCRIPT, "e1", 1))) == {"e1": Pin(variant=1)}
    held = with_pin("e1", Pin(selected=False, variant=1))
    assert pins(done(holds.pin_variant(held, "e1", None), held)) == {"e1": Pin(selected=False)}
    for wording in (2, -1):
        with pytest.raises(EditRefused, match="wording no longer exists"):
            holds.pin_variant(SCRIPT, "e1", wording)


def test_a_start_holds_in_and_stays_in_the_film() -> None:
    assert pins(done(holds.pin_start(SCRIPT, "e1", 47_900))) == {"e1": Pin(start=47_900)}
    assert pins(done(holds.pin_start(SCRIPT, "e1", -5))) == {"e1": Pin(start=0)}
    assert pins(done(holds.pin_start(SCRIPT, "e1", 60_001))) == {"e1": Pin(start=60_000)}
    out = with_pin("e1", Pin(selected=False, variant=1))
    assert pins(done(holds.pin_start(out, "e1", 100), out)) == {"e1": Pin(variant=1, start=100)}
    held = with_pin("e1", Pin(selected=True, start=1, override=True))
    assert pins(done(holds.pin_start(held, "e1", 100), held)) == {"e1": Pin(selected=True, start=100, override=True)}


def test_a_line_without_an_occurrence_is_overridden_where_it_is_pinned() -> None:
    assert pins(done(holds.pin_start(SCRIPT, "e3", 3000))) == {"e3": Pin(start=3000, override=True)}


def test_several_starts_at_once() -> None:
    step = holds.pin_starts(SCRIPT, {"e2": 300, "e1": 100})
    assert pins(done(step)) == {"e1": Pin(start=100), "e2": Pin(start=300)}


def test_lines_are_held_as_they_are_planned() -> None:
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 1, 100, 1000), Delivery("e2", 0, 5000, 5600)))
    step = holds.pin_as_planned(SCRIPT, plan, ["e1", "e2", "e4"])
    assert pins(done(step)) == {
        "e1": Pin(selected=True, variant=1, start=100),
        "e2": Pin(selected=True, variant=0, start=5000),
    }
    assert holds.pin_as_planned(SCRIPT, plan, ["e4"]) is None
    single = holds.pin_as_planned(SCRIPT, plan, ["e2"])
    assert single is not None
    assert label_of(single, SCRIPT) == "Lock “Tom waits” as planned"
    over = pins(done(holds.pin_as_planned(HELD, plan, ["e1", "e2"]), HELD))
    assert over["e2"] == HELD.eventuality("e2").pin


def test_the_start_alone_is_left_open_again() -> None:
    assert pins(done(holds.unpin_start(HELD, ["e2"]), HELD)) == {"e2": Pin(selected=True, variant=0)}


def test_an_override_needs_a_start() -> None:
    with pytest.raises(EditRefused, match=r"lock the time of “Tom waits\” first"):
        holds.set_override(SCRIPT, ["e2"], on=True)
    pinned = with_pin("e2", Pin(start=5000))
    assert pins(done(holds.set_override(pinned, ["e2"], on=True), pinned)) == {"e2": Pin(start=5000, override=True)}
    assert pins(done(holds.set_override(HELD, ["e2"], on=False), HELD))["e2"].override is False
    assert holds.set_override(SCRIPT, ["e2"], on=False) is None
    nowhere = with_pin("e3", Pin(start=5000, override=True))
    with pytest.raises(EditRefused, match="no action time"):
        holds.set_override(nowhere, ["e3"], on=False)


def test_agreement_implies_having_looked() -> None:
    line = done(holds.set_accepted(SCRIPT, ["e1"], on=True)).eventuality("e1")
    assert (line.accepted, line.seen) == (True, True)
    seen = changed(SCRIPT, "e2", seen=True)
    line = done(holds.set_seen(seen, ["e2"], on=False), seen).eventuality("e2")
    assert (line.accepted, line.seen) == (False, False)
    line = done(holds.set_accepted(seen, ["e2"], on=False), seen).eventuality("e2")
    assert (line.accepted, line.seen) == (False, True)
    assert done(holds.set_seen(SCRIPT, ["e1"], on=True)).eventuality("e1").accepted is False


def test_notes() -> None:
    assert done(holds.set_note(SCRIPT, "e2", "")).eventuality("e2").note == ""
    with pytest.raises(EditRefused, match="10,001 characters"):
        holds.set_note(SCRIPT, "e2", "x" * 10_001)


def test_a_line_that_is_gone_is_refused() -> None:
    with pytest.raises(EditRefused, match="no longer in the script"):
        holds.pin_in(SCRIPT, ["e1", "e9"])
    with pytest.raises(EditRefused, match="no longer in the script"):
        holds.pin_start(SCRIPT, "e9", 0)


def test_nothing_else_changes() -> None:
    line = done(holds.pin_in(SCRIPT, ["e2"])).eventuality("e2")
    assert replace(line, pin=NO_PIN) == SCRIPT.eventuality("e2")
    assert line.occurrence == Span(5000, 6000)
