"""A scene drafted again: the machine's lines are new, the describer's are what and where they were."""

from dataclasses import replace

import pytest

from adstudio.core.document import Document
from adstudio.core.film import Film
from adstudio.core.fusions import usable_fusions
from adstudio.core.provenance import Provenance, ScreenplayLine
from adstudio.core.script import Eventuality, Fusion, Origin, Pin, Rules, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused
from adstudio.editing.ids import Ids
from adstudio.editing.redraft import redraft_scene


def line(name: str, start: int, scene: str = "s1") -> Eventuality:
    """A line as a draft from a screenplay makes it."""
    return Eventuality(
        name,
        (Variant(f"{name} happens."),),
        Span(start, start + 1000),
        500_000,
        scene=scene,
        extract=f"the {name}",
        confidence=800,
        provenance=Provenance(ScreenplayLine(3)),
    )


def script(*lines: Eventuality, rules: Rules | None = None) -> Script:
    scenes = (
        Scene("s1", Span(0, 10_000), "Hall"),
        Scene("s2", Span(10_000, 20_000)),
        Scene("s3", Span(20_000, 30_000)),
    )
    return Script(Film("f", 30_000), scenes=scenes, eventualities=lines, rules=rules or Rules())


def texts(of: Script) -> list[str]:
    return [each.variants[0].text.removesuffix(" happens.") for each in of.eventualities]


def redrafted(before: Script, *fresh: Eventuality, scene: str = "s1") -> Script:
    step = redraft_scene(before, Ids(before), scene, fresh)
    assert step is not None
    after = step.apply(before)
    assert step.inverse().apply(after) == before
    return after


def test_machine_lines_are_replaced_within_their_scene_alone():
    before = script(line("a", 0), line("b", 3000), line("c", 11_000, "s2"))
    after = redrafted(before, line("x", 0), line("y", 2000), line("z", 4000))
    assert texts(after) == ["x", "y", "z", "c"]
    assert [each.scene for each in after.eventualities] == ["s1", "s1", "s1", "s2"]


HUMAN = {
    "worded": {"origin": Origin.HUMAN},
    "pinned": {"pin": Pin(selected=True)},
    "accepted": {"accepted": True},
    "noted": {"note": "check the name"},
    "bounded": {"within": Span(0, 9000)},
    "timed by hand": {"confidence": None},
    "weighed": {"weighed": True},
}


@pytest.mark.parametrize("work", HUMAN)
def test_human_work_stays_in_its_place(work: str):
    mine = replace(line("mine", 2500), **HUMAN[work])
    before = script(line("a", 0), mine, line("b", 5000))
    after = redrafted(before, line("x", 0), line("y", 4000))
    assert texts(after) == ["x", "mine", "y"]
    assert after.eventuality("mine") == mine


def test_a_line_in_a_rule_stays():
    before = script(line("a", 0), line("b", 3000), rules=Rules(requires=(("b", "a"),)))
    assert texts(redrafted(before, line("x", 5000))) == ["a", "b", "x"]


def test_a_line_only_looked_at_is_the_machines():
    before = script(replace(line("a", 0), seen=True))
    assert texts(redrafted(before, line("x", 0))) == ["x"]


def test_what_stays_does_not_come_again():
    mine = replace(line("b", 3000), accepted=True)
    after = redrafted(script(line("a", 0), mine), line("a2", 0), line("b", 3000), line("c", 6000))
    assert texts(after) == ["a2", "b", "c"]
    assert after.eventuality("b") == mine


def test_what_stays_keeps_its_order_even_if_the_draft_has_another():
    one, other = replace(line("one", 6000), accepted=True), replace(line("two", 1000), accepted=True)
    after = redrafted(script(one, other), line("two", 1000), line("x", 3000), line("one", 6000))
    assert [name for name in texts(after) if name != "x"] == ["one", "two"]
    assert sorted(texts(after)) == ["one", "two", "x"]


def test_a_scene_without_lines_gets_them_between_its_neighbours():
    before = script(line("a", 0), line("c", 21_000, "s3"))
    assert texts(redrafted(before, line("x", 11_000), scene="s2")) == ["a", "x", "c"]


def test_the_same_draft_changes_nothing():
    before = script(line("a", 0), replace(line("b", 3000), accepted=True))
    assert redraft_scene(before, Ids(before), "s1", [line("a", 0), line("b", 3000)]) is None


def test_ids_are_never_used_again():
    before = script(line("line-1", 0))
    after = redrafted(before, line("line-1x", 0))
    assert after.eventualities[0].id == "line-2"


def test_it_is_one_step_of_the_document():
    document = Document(script(line("a", 0), line("b", 3000)))
    step = redraft_scene(document.script, Ids(document.script), "s1", [line("x", 0), line("y", 1)])
    assert step is not None
    document.apply(step)
    assert texts(document.script) == ["x", "y"]
    document.undo()
    assert texts(document.script) == ["a", "b"]


def test_a_scene_that_went_is_refused():
    with pytest.raises(EditRefused, match="no longer in the script"):
        redraft_scene(script(), Ids(script()), "s9", [])


def test_fusions_go_and_come_with_the_lines_that_they_are_of() -> None:
    old = [
        Eventuality(name, (Variant(text),), Span(at, at + 500), 1, "s1", confidence=500)
        for name, text, at in (("a", "She parks.", 0), ("b", "She waits.", 1000))
    ]
    other = Eventuality("c", (Variant("He sits."),), Span(9000, 9500), 1, "s2", confidence=500)
    last = replace(other, id="d", variants=(Variant("He reads."),))
    kept = Fusion("f2", ("c", "d"), (Variant("He sits and reads."),), ("He sits.", "He reads."))
    script = Script(
        Film("f", 20_000),
        scenes=(Scene("s1", Span(0, 8000)), Scene("s2", Span(8000, 20_000))),
        eventualities=(*old, other, last),
        fusions=(Fusion("f1", ("a", "b"), (Variant("She parks and waits."),), ("She parks.", "She waits.")), kept),
    )
    fresh = [
        replace(old[0], id="x1", variants=(Variant("She drives up."),)),
        replace(old[1], id="x2", variants=(Variant("She gets out."),)),
        replace(old[1], id="x3", variants=(Variant("She waves."),)),
    ]
    texts = ("She drives up.", "She gets out.")
    fusions = (
        Fusion("x1-f2", ("x1", "x2"), (Variant("She drives up and gets out."),), texts),
        Fusion("x3-f2", ("x3", "elsewhere"), (Variant("Gone."),), ("She waves.", "No.")),
    )
    step = redraft_scene(script, Ids(script), "s1", fresh, fusions)
    assert step is not None
    after = step.apply(script)
    new = [line.id for line in after.eventualities[:3]]
    assert after.fusions == (kept, Fusion("fusion-1", tuple(new[:2]), fusions[0].variants, texts))
    assert usable_fusions(after) == (after.fusions[1], kept)
    assert step.inverse().apply(after) == script
