"""The scenes that are begun: what each will still take is set aside, so that near a limit they come before new ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from adstudio.drafting.model.cost import Costs

WHOLE = "a scene"
"""The kind of cost (`Costs`) that a scene is, with all that is asked about it."""
UNSURE = 3
"""How many times its estimate a scene may take, as long as none has been seen to its end."""


@dataclass
class _Scene:
    thought: int
    spent: int
    learning: bool


@dataclass
class Begun:
    """Scenes that are begun and not ended, the first one first; all in millionths of a US dollar."""

    costs: Costs
    _scenes: dict[str, _Scene] = field(default_factory=dict[str, _Scene])

    def due(self, thought: int) -> int:
        """What a scene may take that is thought to take so much."""
        return self.costs.due(WHOLE, thought) if self.costs.knows(WHOLE) else UNSURE * thought

    def begin(self, scene: str, thought: int, spent: int = 0) -> None:
        """Set aside what a scene may take, of which so much is `spent` already."""
        self._scenes[scene] = _Scene(thought, spent, learning=not spent)

    def spend(self, scene: str, cost: int) -> None:
        """Note what an ask about a scene has cost."""
        if scene in self._scenes:
            self._scenes[scene].spent += cost

    def end(self, scene: str, *, whole: bool) -> None:
        """Nothing more is asked about a scene; where it came `whole`, it tells what others will take."""
        ended = self._scenes.pop(scene, None)
        if ended is not None and whole and ended.learning:
            self.costs.learn(WHOLE, ended.thought, ended.spent)

    def __contains__(self, scene: str) -> bool:
        return scene in self._scenes

    def __len__(self) -> int:
        return len(self._scenes)

    @property
    def left(self) -> int:
        """What all of them will still take, what is in hand aside."""
        return sum(map(self._left, self._scenes))

    def left_before(self, scene: str) -> int:
        """What those will still take that were begun before a scene; nothing for one that is not among them."""
        if scene not in self._scenes:
            return 0
        order = list(self._scenes)
        return sum(map(self._left, order[: order.index(scene)]))

    def _left(self, scene: str) -> int:
        begun = self._scenes[scene]
        return max(self.due(begun.thought) - begun.spent - self.costs.held_by(scene), 0)
