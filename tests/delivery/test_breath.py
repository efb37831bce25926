"""Which joined lines are spoken in one breath, and why others are not: by the rule that the script is handed in by."""

from __future__ import annotations

import pytest

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Film, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.joined_lines import breath_of, breaths
from adstudio.delivery.lines import script_lines
from adstudio.gaps.gaps import gaps_of

SCRIPT = Script(
    Film("Film", 60_000),
    cues=(Cue("c1", 10_000, 14_000, "Who's there?"),),
    eventualities=(
        Eventuality("e1", (Variant("She parks,"),), Span(0, 1000), 1),
        Eventuality("e2", (Variant("unmasks"),), Span(1000, 2000), 1, joined=True),
        Eventuality("e3", (Variant(""),), Span(2000, 3000), 1),
    ),
)
GAPS = gaps_of(SCRIPT).gaps


def plan(*spoken: tuple[str, int, int]) -> Plan:
    return Plan(Status.OPTIMAL, "exact", deliveries=tuple(Delivery(name, 0, start, end) for name, start, end in spoken))


@pytest.mark.parametrize(
    ("spoken", "hindrance"),
    [
        ((("e1", 1000, 2000), ("e2", 2000, 2500)), ""),
        ((("e1", 1000, 2000), ("e2", 3500, 4000)), ""),
        ((("e1", 1000, 2000), ("e2", 4300, 4800)), "there are 2.3 s between them now"),
        ((("e1", 9000, 10_000), ("e2", 14_000, 14_500)), "they are not in the same gap now"),
        ((("e1", 1000, 2000),), "it is left out now"),
        ((("e2", 1000, 2000),), "nothing is said before it"),
        ((("e3", 500, 500), ("e2", 1000, 2000)), "nothing is said before it"),
        ((("e1", 1000, 2000), ("e3", 2000, 2000), ("e2", 2100, 2500)), ""),
        ((("e1", 1000, 2000), ("e2", 1500, 2500)), "they overlap now"),
    ],
)
def test_a_joined_line_is_one_with_what_is_said_before_it_or_says_why_not(
    spoken: tuple[tuple[str, int, int], ...], hindrance: str
) -> None:
    told = plan(*spoken)
    found = breath_of(SCRIPT, told, GAPS, SCRIPT.eventuality("e2"))
    assert found.hindrance == hindrance
    handed_in = [line for line in script_lines(SCRIPT, told) if line.elements == ("e1", "e2")]
    assert len(handed_in) == len(list(breaths(SCRIPT, told, GAPS))) == (not hindrance)
    if not hindrance:
        assert (found.before, found.line) == (told.by_element["e1"], told.by_element["e2"])
