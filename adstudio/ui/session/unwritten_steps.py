"""Steps that the disk does not have yet, in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unwritten:
    """Steps that are kept in memory only, and why the disk does not have them: one sentence without its full stop."""

    steps: int = 0
    reason: str = ""

    @property
    def sentence(self) -> str:
        """What the describer is told; empty where the disk has everything."""
        if not self.steps:
            return ""
        return f"{self.steps} {'step is' if self.steps == 1 else 'steps are'} not on the disk: {self.reason}"
