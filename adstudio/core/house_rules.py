"""Whether what a house asks of a plan contradicts itself: one check for problem files, settings and presets."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from adstudio.core.settings import Near

ONE = 1_000_000
"""A share or gain of 1, in millionths."""


class HouseRules(Protocol):
    """The house rules of `Settings` or of a `Problem`: times in milliseconds, `max_share` in millionths."""

    @property
    def delta_max(self) -> int:
        """The most a midpoint may lie from its action’s on a side without a limit of its own."""
        ...

    @property
    def delta_early(self) -> int | None:
        """The most it may lie before."""
        ...

    @property
    def delta_late(self) -> int | None:
        """The most it may lie after."""
        ...

    @property
    def near(self) -> Near | None:
        """How near to its action a line counts in full."""
        ...

    @property
    def reach(self) -> int | None:
        """How many gaps a line may be away from its action."""
        ...

    @property
    def max_share(self) -> int:
        """How much of a gap may be narrated."""
        ...


class HouseFault(Enum):
    """Why house rules cannot hold: the key to change, and a sentence in the words of the file formats."""

    SHARE = "max_share", "must be above 0 and at most 1"
    NO_PLACE = "delta_early", "a line has no place if neither delta_early nor delta_late leaves any time"
    FAR_GAIN = "near", "far_gain must be above 0 and at most 1"
    NEAR_EARLY = "near", "early is wider than delta_early (where that is not set, delta_max)"
    NEAR_LATE = "near", "late is wider than delta_late (where that is not set, delta_max)"
    NO_GAPS = "reach", "there are no gaps that it could reach"

    @property
    def key(self) -> str:
        """The key to change."""
        return self.value[0]

    @property
    def sentence(self) -> str:
        """What is wrong with it."""
        return self.value[1]


def house_fault(rules: HouseRules, gaps: int | None = None) -> HouseFault | None:
    """The first fault of house rules whose numbers are not negative; None where they can hold.

    `gaps` is how many gaps there are, None where that does not matter. A `delta_max` of 0 without limits of either side
    is the paper's problem, and no fault.
    """
    early = rules.delta_max if rules.delta_early is None else rules.delta_early
    late = rules.delta_max if rules.delta_late is None else rules.delta_late
    by_side = rules.delta_early is not None or rules.delta_late is not None
    near = rules.near
    if not 0 < rules.max_share <= ONE:
        return HouseFault.SHARE
    if by_side and early == late == 0:
        return HouseFault.NO_PLACE
    if near is not None and not 0 < near.far_gain <= ONE:
        return HouseFault.FAR_GAIN
    if near is not None and near.early > early:
        return HouseFault.NEAR_EARLY
    if near is not None and near.late > late:
        return HouseFault.NEAR_LATE
    return HouseFault.NO_GAPS if rules.reach is not None and gaps == 0 else None
