"""The steps of each bout of typing, so that cancelling it can put back what all of them changed."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.steps import Step

KEPT = 16
"""So many bouts can still be cancelled: one a field that somebody may come back to from another window."""


class Bouts:
    """Knows which steps each bout has in the document; they need not be the last ones there."""

    def __init__(self) -> None:
        self._steps: dict[str, list[Step]] = {}

    def took(self, bout: str, step: Step, *, instead: bool) -> None:
        """A step of that bout was taken, `instead` of its last one or after it; nothing where the bout has no name."""
        if not bout:
            return
        steps = self._steps.pop(bout, [])
        if instead:
            del steps[-1:]
        self._steps[bout] = [*steps, step]
        while len(self._steps) > KEPT:
            del self._steps[next(iter(self._steps))]

    def withdrew(self, bout: str) -> None:
        """Its last step is not in the document any more."""
        del self._steps.get(bout, [])[-1:]

    def end(self, bout: str) -> Sequence[Step]:
        """Its steps, the first one first; they are forgotten."""
        return self._steps.pop(bout, [])
