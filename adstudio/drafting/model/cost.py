"""What asks may cost before they have: so that a limit holds for those in hand too."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Generator
from dataclasses import dataclass, field

from adstudio.drafting.model.estimate import estimate_ask
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Request


@dataclass
class Costs:
    """What is in hand, and how near estimates have been, by kind of ask; all in millionths of a US dollar."""

    _pending: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    _seen: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    @property
    def held(self) -> int:
        """What all that is in hand will cost."""
        return sum(due for _, due in self._pending.values())

    def held_by(self, scene: str) -> int:
        """What the asks of a scene that are in hand will cost."""
        return sum(due for of, due in self._pending.values() if of == scene)

    def knows(self, stage: str) -> bool:
        """Whether anything of that kind has been seen."""
        return stage in self._seen

    def due(self, stage: str, thought: int) -> int:
        """What an ask will cost that is thought to cost so much, as far as those of its kind before it tell."""
        before, cost = self._seen.get(stage, (0, 0))
        return -(-thought * cost // before) if before and cost else thought

    def learn(self, stage: str, thought: int, cost: int | None) -> None:
        """Note what an ask that was thought to cost so much, uncorrected, has cost."""
        if cost and thought:
            before = self._seen.get(stage, (0, 0))
            self._seen[stage] = before[0] + thought, before[1] + cost

    @contextlib.contextmanager
    def pending(self, key: str, due: int, scene: str = "") -> Generator[None]:
        """While an ask about a scene is out."""
        self._pending[key] = scene, due
        try:
            yield
        finally:
            del self._pending[key]


def thought_of(ask: Request, capabilities: Capabilities) -> int:
    """What an ask may cost by its size alone; 0 where no price is known."""
    return capabilities.priced(estimate_ask(ask, capabilities)).micro_usd or 0


def dollars(micro_usd: int, *, exactly: bool = False) -> str:
    """An amount of millionths of a US dollar in words, with as many decimals as it takes to tell it from nothing."""
    amount = micro_usd / 1_000_000
    small = 0 < abs(amount) < 1
    decimals = 6 if exactly else max(2, 1 - math.floor(math.log10(abs(amount)))) if small else 2
    whole, _, rest = f"{amount:,.{min(decimals, 6)}f}".partition(".")
    return f"{whole}.{rest.rstrip('0'):0<2} US dollars"
