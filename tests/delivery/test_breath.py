"""Which joined lines are spoken in one breath, and why others are not: by the rule that the script is handed in by."""

from __future__ import annotations

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.joined_lines import link_state, linked_pairs
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
    ("spoken", "obstacle"),
    [
        ((("e1", 1000, 2000), ("e2", 2000, 2500)), ""),
        ((("e1", 1000, 2000), ("e2", 3500, 4000)), ""),
        ((("e1", 1000, 2000), ("e2", 4300, 4800)), "there are 2.3 s between them"),
        ((("e1", 9000, 10_000), ("e2", 14_000, 14_500)), "they are not in the same gap"),
        ((("e1", 1000, 2000),), "it is left out"),
        ((("e2", 1000, 2000),), "no line is spoken before it"),
        ((("e3", 500, 500), ("e2", 1000, 2000)), "no line is spoken before it"),
        ((("e1", 1000, 2000), ("e3", 2000, 2000), ("e2", 2100, 2500)), ""),
        ((("e1", 1000, 2000), ("e2", 1500, 2500)), "they overlap"),
    ],
)
def test_a_joined_line_is_one_with_what_is_said_before_it_or_says_why_not(
    spoken: tuple[tuple[str, int, int], ...], obstacle: str
) -> None:
    planned = plan(*spoken)
    found = link_state(SCRIPT, planned, GAPS, SCRIPT.eventuality("e2"))
    assert found.obstacle == obstacle
    handed_in = [line for line in script_lines(SCRIPT, planned) if line.elements == ("e1", "e2")]
    assert len(handed_in) == len(list(linked_pairs(SCRIPT, planned, GAPS))) == (not obstacle)
    if not obstacle:
        assert (found.before, found.line) == (planned.by_element["e1"], planned.by_element["e2"])
