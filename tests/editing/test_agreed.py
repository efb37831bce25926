"""Lines that people agreed to and that are spoken otherwise in a new plan: which, of what kind, and when."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.editing.approval import approved_changes_text, compare_approved, has_approved


def line(identity: str, at: int, scene: str | None, accepted: bool = False) -> Eventuality:
    variants = (Variant(f"Line {identity} in full."), Variant(f"Line {identity}."))
    return Eventuality(identity, variants, Span(at, at + 1000), 5, scene=scene, accepted=accepted)


SCRIPT = Script(
    Film("f", 60_000),
    scenes=(Scene("s1", Span(0, 30_000)), Scene("s2", Span(30_000, 60_000), reviewed=True)),
    eventualities=(
        line("a", 0, "s1", accepted=True),
        line("b", 5000, "s1", accepted=True),
        line("c", 10_000, "s1"),
        line("d", 20_000, "s1", accepted=True),
        line("e", 40_000, None),
        line("f", 45_000, "s2", accepted=True),
    ),
)


def plan(*deliveries: tuple[str, int, int]) -> Plan:
    return Plan(Status.OPTIMAL, "exact", deliveries=tuple(Delivery(e, v, at, at + 900) for e, v, at in deliveries))


BEFORE = plan(("a", 0, 1000), ("b", 0, 5000), ("c", 0, 10_000), ("e", 0, 40_000), ("f", 0, 45_000))


def test_out_reworded_and_moved_with_their_times() -> None:
    agreed = compare_approved(
        BEFORE, plan(("b", 1, 5100), ("d", 0, 20_000), ("e", 0, 40_250), ("f", 0, 45_000)), SCRIPT
    )
    assert (agreed.accepted, agreed.reviewed) == (("a", "b"), ("e",)), "c is nobody's, and d came in"
    assert approved_changes_text(agreed, SCRIPT) == (
        "2 accepted lines and 1 line in reviewed scenes have changed: "
        "dropped 00:00:01:00 “Line a in full”; reworded 00:00:05:03 “Line b in full”; "
        "moved 00:00:40:06 “Line e in full”"
    )


def test_nothing_of_what_stays_and_of_lines_that_are_gone() -> None:
    assert compare_approved(BEFORE, BEFORE, SCRIPT).lines == ()
    without = SCRIPT.with_changes(eventualities=SCRIPT.eventualities[1:])
    agreed = compare_approved(BEFORE, plan(*((d.element, d.variant, d.start) for d in BEFORE.deliveries[1:])), without)
    assert (agreed.lines, approved_changes_text(agreed, without)) == ((), "")


def test_many_are_counted_and_the_first_ten_named() -> None:
    script = Script(
        Film("f", 60_000), eventualities=tuple(line(f"{n}", n * 1000, None, accepted=True) for n in range(12))
    )
    said = approved_changes_text(
        compare_approved(plan(*((f"{n}", 0, n * 1000) for n in range(12))), plan(), script), script
    )
    assert said.startswith("12 accepted lines have changed: dropped 00:00:00:00 “Line 0 in full”")
    assert said.endswith("00:00:09:00 “Line 9 in full”, and 2 more")


def test_whether_anything_is_agreed_to() -> None:
    assert has_approved(SCRIPT)
    plain = SCRIPT.with_changes(eventualities=tuple(replace(each, accepted=False) for each in SCRIPT.eventualities))
    assert has_approved(plain), "a scene is reviewed"
    assert not has_approved(plain.with_changes(scenes=SCRIPT.scenes[:1]))
