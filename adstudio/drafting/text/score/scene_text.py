"""What salience is worked out from: a film's scenes as texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Scores = tuple[tuple[float, ...], ...]
"""For each scene, one finite number for each of its elements."""
OnScenesDone = Callable[[int, int], None]
"""Called as work goes on: scenes done, scenes in all."""


@dataclass(frozen=True)
class SceneText:
    """A scene's description elements as sentences, in textual order, and its whole description.

    Where there is no description, the elements one after another stand for it.
    """

    elements: tuple[str, ...]
    text: str = ""

    @property
    def description(self) -> str:
        """The whole scene as one text."""
        return self.text.strip() or " ".join(self.elements)


def no_progress(_done: int, _total: int) -> None:
    """Nobody wants to know how far the work is."""
