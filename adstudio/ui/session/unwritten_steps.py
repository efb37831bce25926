"""Steps that could not be written to the disk yet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class UnwrittenSteps:
    """How many steps are in memory only, and why: one sentence without its full stop."""

    steps: int = 0
    reason: str = ""

    @property
    def sentence(self) -> str:
        """The message for the describer; empty where everything has been written."""
        if not self.steps:
            return ""
        return f"{self.steps} {'step is' if self.steps == 1 else 'steps are'} not on the disk: {self.reason}"
