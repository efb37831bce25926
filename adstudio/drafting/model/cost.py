"""What requests will cost: those under way, and scenes that have begun, for which the rest is reserved.

So a cost limit holds for them too, and near the limit scenes that have begun come before new ones.
"""

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
    """What is under way, and how good estimates have been, by kind of request; in millionths of a US dollar."""

    _pending: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    _seen: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    @property
    def held(self) -> int:
        """What all requests under way will cost."""
        return sum(due for _, due in self._pending.values())

    def held_by(self, scene: str) -> int:
        """What a scene's requests under way will cost."""
        return sum(due for of, due in self._pending.values() if of == scene)

    def knows(self, stage: str) -> bool:
        """Whether anything of that kind has been seen."""
        return stage in self._seen

    def due(self, stage: str, thought: int) -> int:
        """What a request of this estimated cost will cost, going by earlier ones of its kind."""
        before, cost = self._seen.get(stage, (0, 0))
        return -(-thought * cost // before) if before and cost else thought

    def learn(self, stage: str, thought: int, cost: int | None) -> None:
        """Note what a request of this estimated cost, uncorrected, has cost."""
        if cost and thought:
            before = self._seen.get(stage, (0, 0))
            self._seen[stage] = before[0] + thought, before[1] + cost

    @contextlib.contextmanager
    def pending(self, key: str, due: int, scene: str = "") -> Generator[None]:
        """Count a request about a scene as under way."""
        self._pending[key] = scene, due
        try:
            yield
        finally:
            del self._pending[key]


def thought_of(ask: Request, capabilities: Capabilities) -> int:
    """What a request may cost by its size alone; 0 if no price is known."""
    return capabilities.priced(estimate_ask(ask, capabilities)).micro_usd or 0


def dollars(micro_usd: int, *, exactly: bool = False) -> str:
    """Millionths of a US dollar in words, with as many decimals as it takes to distinguish them from nothing."""
    amount = micro_usd / 1_000_000
    small = 0 < abs(amount) < 1
    decimals = 6 if exactly else max(2, 1 - math.floor(math.log10(abs(amount)))) if small else 2
    whole, _, rest = f"{amount:,.{min(decimals, 6)}f}".partition(".")
    return f"{whole}.{rest.rstrip('0'):0<2} US dollars"


WHOLE = "a scene"
"""The kind of cost (`Costs`) of a whole scene."""
UNSURE = 3
"""How many times its estimate a scene may take, until one has been completed."""


@dataclass
class _Scene:
    thought: int
    spent: int
    learning: bool


@dataclass
class Begun:
    """Scenes that have begun and not ended, in this order; in millionths of a US dollar."""

    costs: Costs
    _scenes: dict[str, _Scene] = field(default_factory=dict[str, _Scene])

    def due(self, thought: int) -> int:
        """What a scene of this estimated cost may take."""
        return self.costs.due(WHOLE, thought) if self.costs.knows(WHOLE) else UNSURE * thought

    def begin(self, scene: str, thought: int, spent: int = 0) -> None:
        """Reserve what a scene may take, of which this much is `spent` already."""
        self._scenes[scene] = _Scene(thought, spent, learning=not spent)

    def spend(self, scene: str, cost: int) -> None:
        """Note what a request about a scene has cost."""
        if scene in self._scenes:
            self._scenes[scene].spent += cost

    def end(self, scene: str, *, whole: bool) -> None:
        """End a scene; if it is complete (`whole`), it shows what others will take."""
        ended = self._scenes.pop(scene, None)
        if ended is not None and whole and ended.learning:
            self.costs.learn(WHOLE, ended.thought, ended.spent)

    def __contains__(self, scene: str) -> bool:
        return scene in self._scenes

    def __len__(self) -> int:
        return len(self._scenes)

    @property
    def left(self) -> int:
        """What all of them will still take besides the requests under way."""
        return sum(map(self._left, self._scenes))

    def left_before(self, scene: str) -> int:
        """What the scenes that began before this one will still take; 0 for one that has not begun."""
        if scene not in self._scenes:
            return 0
        order = list(self._scenes)
        return sum(map(self._left, order[: order.index(scene)]))

    def _left(self, scene: str) -> int:
        begun = self._scenes[scene]
        return max(self.due(begun.thought) - begun.spent - self.costs.held_by(scene), 0)
