"""What asks may cost before they have: so that a limit holds for those in hand too."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Generator
from dataclasses import dataclass, field

from adstudio.candidates.model_draft.estimate import estimate_ask
from adstudio.candidates.provider.capabilities import Capabilities
from adstudio.candidates.provider.model import Ask


@dataclass
class Costs:
    """What is in hand, and how near estimates have been, by kind of ask; all in millionths of a US dollar."""

    _in_hand: dict[str, int] = field(default_factory=dict[str, int])
    _seen: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    @property
    def held(self) -> int:
        """What all that is in hand will cost."""
        return sum(self._in_hand.values())

    def of(self, ask: Ask, stage: str, capabilities: Capabilities) -> int:
        """What an ask will cost, as far as those of its kind before it tell; 0 where no price is known."""
        due = capabilities.priced(estimate_ask(ask, capabilities)).micro_usd or 0
        thought, cost = self._seen.get(stage, (0, 0))
        return -(-due * cost // thought) if thought and cost else due

    def learn(self, stage: str, due: int, cost: int | None) -> None:
        """Note what an ask that was thought to cost `due` has cost."""
        if cost and due:
            before = self._seen.get(stage, (0, 0))
            self._seen[stage] = before[0] + due, before[1] + cost

    @contextlib.contextmanager
    def in_hand(self, key: str, due: int) -> Generator[None]:
        """While an ask is out."""
        self._in_hand[key] = due
        try:
            yield
        finally:
            del self._in_hand[key]


def dollars(micro_usd: int, *, exactly: bool = False) -> str:
    """An amount of millionths of a US dollar in words, with as many decimals as it takes to tell it from nothing."""
    amount = micro_usd / 1_000_000
    small = 0 < abs(amount) < 1
    decimals = 6 if exactly else max(2, 1 - math.floor(math.log10(abs(amount)))) if small else 2
    whole, _, rest = f"{amount:,.{min(decimals, 6)}f}".partition(".")
    return f"{whole}.{rest.rstrip('0'):0<2} US dollars"
