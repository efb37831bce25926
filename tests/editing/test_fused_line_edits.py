"""What a person does to a fused line makes it a line of that person's own."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.film import Film
from adstudio.core.fusions import as_spoken
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Approval, Eventuality, Fusion, Pin, Rules, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.formats import FORMATS
from adstudio.editing.fusions import as_own, own_plan, own_steps, spoken_line
from adstudio.editing.labels import label_of
from adstudio.editing.pins import pin_as_planned, set_accepted
from adstudio.editing.replacing import Where, count_matches, replace_matches
from adstudio.editing.scenes import set_reviewed
from adstudio.editing.search import Search
from adstudio.editing.takes import NewTake, add_spoken_takes
from adstudio.recording.exported_numbers import exported_numbers
from adstudio.recording.importing import numbered_lines

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
    assert label_of(step, script) == "Lock “She parks and crosses” as planned"
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
    assert label_of(step, script) == "Mark scene 00:00:00:00–00:00:06:00 as reviewed, with 1 fused line made your own"
    assert step.inverse().apply(script) == SCRIPT
    other = set_reviewed(SCRIPT, ["s2"], on=True, plan=PLAN)
    assert other is not None
    assert "fused" not in label_of(other, SCRIPT)


def _shown(line: Eventuality) -> int:
    """What the table shows of the lines of `PLAN`: of the fused one, its second wording."""
    return 1 if line.variants == BOTH.variants else 0


def replaced(words: str, by: str, where: Where = Where.SPOKEN) -> tuple[str, ...]:
    step = replace_matches(SCRIPT, Search(words), by, ("a", "b", "c"), where, _shown, PLAN)
    if step is None:
        return ()
    script = step.apply(SCRIPT)
    assert step.inverse().apply(script) == SCRIPT
    return tuple(variant.text for line in script.eventualities for variant in line.variants)


def test_what_is_spoken_fused_is_found_and_replaced_there() -> None:
    """“Parks and” is in no line's own wording; the other line of the fused one goes, as with any rewording."""
    own = spoken_line(SCRIPT, PLAN, "a")[0]
    shown = [own, CROSSES, LEAVES]
    assert count_matches(shown, Search("Parks and").finder(), Where.SPOKEN, _shown) == (1, 1)
    assert replaced("Parks and", "Stops and") == ("She parks and crosses.", "Stops and crosses.", "She leaves.")
    assert replaced("and crosses", "and goes over", Where.WORDINGS) == (
        "She parks and goes over.", "Parks and goes over.", "She leaves.",
    )  # fmt: skip


def test_replacing_elsewhere_leaves_a_fused_line_alone() -> None:
    assert replaced("leaves", "goes") == ("She parks.", "She crosses.", "She goes.")
    assert replaced("no such words", "x") == ()


def test_a_fused_line_is_recorded_as_it_is_spoken() -> None:
    """The take is of the spoken wording, in a line of one's own that is locked in it; others stay as they are."""
    script, plan = as_own(SCRIPT, PLAN)
    assert [(each.number, each.line, each.variant, each.text) for each in numbered_lines(SCRIPT, PLAN)] == [
        (1, "a", 1, "Parks and crosses."),
        (2, "c", 0, "She leaves."),
    ]
    assert plan.deliveries[0] == Delivery("a", 1, 1000, 2200)
    step = add_spoken_takes(SCRIPT, PLAN, [NewTake("a", 1, "0" * 64, 1500)])
    assert step is not None
    after = step.apply(SCRIPT)
    own, leaves = after.eventualities
    assert (own.id, own.variants[1].text, own.variants[1].takes[0].length) == ("a", "Parks and crosses.", 1500)
    assert own.variants[1].chosen_take is not None
    assert own.pin.variant == 1
    assert leaves == script.eventuality("c")
    assert step.inverse().apply(after) == SCRIPT
    only = add_spoken_takes(SCRIPT, PLAN, [NewTake("c", 0, "0" * 64, 1500)])
    assert only is not None
    assert only.apply(SCRIPT).eventualities[:2] == (PARKS, CROSSES)


def test_the_numbers_of_an_exported_script_are_of_the_fused_line_while_it_is_spoken_so() -> None:
    data = FORMATS["json"](SCRIPT, PLAN)
    places = exported_numbers(data, "script.json", as_own(SCRIPT, PLAN)[0])
    assert [(each.number, each.line, each.variant) for each in places] == [(1, "a", 1), (2, "c", 0)]
    # Spoken apart now: what was recorded is of neither.
    assert [(each.number, each.line) for each in exported_numbers(data, "script.json", SCRIPT)] == [(2, "c")]
