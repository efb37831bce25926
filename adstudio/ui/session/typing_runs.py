"""The steps of each typing run, so that cancelling it can restore what all of them changed."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.steps import Step

MOST_RUNS = 16
"""How many runs can still be cancelled: one for each field that somebody may come back to from another window."""


class TypingRuns:
    """Knows which steps each run has in the document; they need not be the last ones there."""

    def __init__(self) -> None:
        self._steps: dict[str, list[Step]] = {}

    def took(self, run: str, step: Step, *, instead: bool) -> None:
        """A step of that run was taken, `instead` of its last one or after it; ignored where the run has no name."""
        if not run:
            return
        steps = self._steps.pop(run, [])
        if instead:
            del steps[-1:]
        self._steps[run] = [*steps, step]
        while len(self._steps) > MOST_RUNS:
            del self._steps[next(iter(self._steps))]

    def withdrew(self, run: str) -> None:
        """Its last step was removed from the document."""
        del self._steps.get(run, [])[-1:]

    def end(self, run: str) -> Sequence[Step]:
        """Its steps, the first one first; the run is forgotten."""
        return self._steps.pop(run, [])
