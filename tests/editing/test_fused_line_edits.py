"""What a person does to a fused line makes it a line of that person's own."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.film import Film
from adstudio.core.fusions import as_spoken
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Approval, Eventuality, Fusion, Pin, Rules, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.editing.fusions import own_plan, own_steps
from adstudio.editing.labels import label_of
from adstudio.editing.pins import pin_as_planned, set_accepted
from adstudio.editing.scenes import set_reviewed

PARKS = Eventuality("a", (Variant("She parks."),), Span(0, 2000), 500_000, "s1", note="which car?")
CROSSES = Eventuality("b", (Variant("She crosses."),), Span(3000, 5000), 400_000, "s1", weighed=True)
LEAVES = Eventuality("c", (Variant("She leaves."),), Span(8000, 9000), 300_000, "s2")
BOTH = Fusion(
    "f",
    ("a", "b"),
    (Variant("She parks and crosses."), Variant("Parks and crosses.")),
    ("She parks.", "She crosses."),
)
SCRIPT = Script(
    Film("Shop", 30_000),
    scenes=(Scene("s1", Span(0, 6000)), Scene("s2", Span(6000, 30_000))),
    eventualities=(PARKS, CROSSES, LEAVES),
    rules=Rules(requires=(("b", "c"),)),
    fusions=(BOTH,),
)
FUSED = Delivery("f", 1, 1000, 2200, members=("a", "b"))
PLAN = Plan(Status.OPTIMAL, "exact", deliveries=(FUSED, Delivery("c", 0, 8000, 8600)))


def test_a_fused_line_becomes_one_that_is_spoken_just_so() -> None:
    script = SCRIPT
    for step in own_steps(SCRIPT, PLAN):
        script = step.apply(script)
    own, leaves = script.eventualities
    assert (own.id, own.variants, own.occurrence, own.scene) == ("a", BOTH.variants, Span(0, 5000), "s1")
    assert (own.note, own.weighed, own.worked) == ("which car?", True, True)
    assert own.salience == as_spoken(SCRIPT, PLAN).eventualities[0].salience
    assert leaves == LEAVES
    assert not script.rules
    assert own_plan(PLAN).deliveries == (Delivery("a", 1, 1000, 2200), PLAN.deliveries[1])


def test_only_the_lines_that_are_meant() -> None:
    assert own_steps(SCRIPT, PLAN, {"c"}) == []
    assert own_plan(PLAN, {"c"}) is PLAN
    assert own_steps(SCRIPT, replace(PLAN, deliveries=PLAN.deliveries[1:])) == []


def test_locking_it_as_planned_locks_wording_and_start() -> None:
    step = pin_as_planned(SCRIPT, PLAN, ["b"])
    assert step is not None
    script = step.apply(SCRIPT)
    assert script.eventuality("a").pin == Pin(selected=True, variant=1, start=1000)
    assert label_of(step, script) == "Lock ‘She parks and crosses.’ as planned"
    assert step.inverse().apply(script) == SCRIPT


def test_accepting_it_accepts_what_is_spoken() -> None:
    step = set_accepted(SCRIPT, ["a", "b", "c"], on=True, plan=PLAN)
    assert step is not None
    script = step.apply(SCRIPT)
    assert [(line.id, line.accepted, line.approval) for line in script.eventualities] == [
        ("a", True, Approval(1, 1000)),
        ("c", True, Approval(0, 8000)),
    ]
    assert step.inverse().apply(script) == SCRIPT


def test_reviewing_its_scene_approves_it() -> None:
    step = set_reviewed(SCRIPT, ["s1"], on=True, plan=PLAN)
    assert step is not None
    script = step.apply(SCRIPT)
    assert [(line.id, line.approval) for line in script.eventualities] == [("a", Approval(1, 1000)), ("c", None)]
    assert step.inverse().apply(script) == SCRIPT
    other = set_reviewed(SCRIPT, ["s2"], on=True, plan=PLAN)
    assert other is not None
    assert len(other.apply(SCRIPT).eventualities) == 3
