"""P1: lines that a machine wrote and nobody has seen."""

from __future__ import annotations

from quality_scripts import film, found, ids, line, spoken

from adstudio.core.script import Origin, Pin
from adstudio.core.timebase import Span
from adstudio.quality.findings import Unseen

MACHINE = Origin.MACHINE


def test_unseen_lines_of_a_machine_are_one_error() -> None:
    lines = (
        line("a", origin=MACHINE, seen=False),
        line("b", origin=MACHINE),  # seen
        line("c", seen=False),  # by a person
        line("d", origin=MACHINE, seen=False),
        line("e", origin=MACHINE, seen=False),  # not spoken
    )
    plan = spoken(("a", 1000, 2000), ("b", 3000, 4000), ("c", 5000, 6000), ("d", 7000, 8000))
    (finding,) = found(film(*lines), plan)
    assert (finding.rule.id, finding.level.value, finding.lines) == ("P1", "error", ("a", "d"))
    assert (finding.span, finding.facts) == (Span(1000, 2000), Unseen(of=4))


def test_extended_lines_are_handed_in_too() -> None:
    where = Span(5000, 5500)
    script = film(line("a", origin=MACHINE, seen=False, extended=True, occurrence=where))
    assert ids(script, spoken()) == ["P1 error"]
    locked_out = line("a", origin=MACHINE, seen=False, extended=True, occurrence=where, pin=Pin(selected=False))
    assert ids(film(locked_out), spoken()) == []


def test_a_script_that_was_seen_is_clean() -> None:
    assert ids(film(line("a", origin=MACHINE)), spoken(("a", 1000, 2000))) == []
