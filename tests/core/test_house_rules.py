"""House rules that contradict themselves are found, and only those."""

from dataclasses import replace

import pytest

from adstudio.core.house_rules import HouseFault, house_fault
from adstudio.core.settings import Near, Settings
from adstudio.core.timebase import Span
from adstudio.planning.problem import Problem

HOUSE = Settings(
    max_share=850_000, delta_early=1_500, delta_late=4_000, near=Near(500, 2_000, 800_000), reach=1
)  # fmt: skip


@pytest.mark.parametrize(
    "sound",
    [
        Settings(),
        Settings(delta_max=0),
        HOUSE,
        replace(HOUSE, delta_early=0, near=None),
        replace(HOUSE, delta_late=0, near=None),
        replace(HOUSE, near=Near(1_500, 4_000, 1)),
        replace(HOUSE, near=Near(0, 0, 1_000_000)),
        Settings(near=Near(10_000, 10_000, 500_000)),
        replace(HOUSE, reach=0),
        replace(HOUSE, max_share=1),
    ],
)
def test_sound_house_rules_have_no_fault(sound: Settings) -> None:
    assert house_fault(sound) is None
    assert house_fault(sound, gaps=1) is None


@pytest.mark.parametrize(
    ("faulty", "fault", "key"),
    [
        (replace(HOUSE, max_share=0), HouseFault.SHARE, "max_share"),
        (replace(HOUSE, max_share=1_000_001), HouseFault.SHARE, "max_share"),
        (replace(HOUSE, delta_early=0, delta_late=0), HouseFault.NO_PLACE, "delta_early"),
        (Settings(delta_max=0, delta_late=0), HouseFault.NO_PLACE, "delta_early"),
        (replace(HOUSE, near=Near(1_501, 0, 500_000)), HouseFault.NEAR_EARLY, "near"),
        (replace(HOUSE, near=Near(0, 4_001, 500_000)), HouseFault.NEAR_LATE, "near"),
        (Settings(near=Near(10_001, 0, 500_000)), HouseFault.NEAR_EARLY, "near"),
        (Settings(delta_early=2_000, near=Near(0, 10_001, 500_000)), HouseFault.NEAR_LATE, "near"),
        (replace(HOUSE, near=Near(0, 0, 0)), HouseFault.FAR_GAIN, "near"),
        (replace(HOUSE, near=Near(0, 0, 1_000_001)), HouseFault.FAR_GAIN, "near"),
    ],
)
def test_each_fault_is_found_whatever_the_gaps(faulty: Settings, fault: HouseFault, key: str) -> None:
    assert house_fault(faulty) is fault
    assert house_fault(faulty, gaps=3) is fault
    assert fault.key == key


def test_reach_needs_a_gap() -> None:
    assert house_fault(HOUSE, gaps=0) is HouseFault.NO_GAPS
    assert house_fault(replace(HOUSE, reach=None), gaps=0) is None
    problem = Problem("s", Span(0, 1), (), (), reach=1)
    assert house_fault(problem, gaps=0) is HouseFault.NO_GAPS
