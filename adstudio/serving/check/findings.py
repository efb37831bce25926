"""What a check found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

FORMAT = "adstudio-server-check/1"

Outcome = Literal["passed", "failed", "untestable"]
Seen = tuple[Outcome, str, str]
"""How a check ended, what was seen, and how to mend it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: its number and name, how it ended, what was seen, and how to mend it where something is wrong."""

    number: int
    title: str
    outcome: Outcome
    what: str
    mend: str = ""

    def lines(self, plain: Callable[[str], str]) -> tuple[str, ...]:
        """For a person: one line, and a second where something is to be mended; `plain` fits a server's words."""
        first = f"{self.number}  {self.title:<14}  {self.outcome:<10}  {plain(self.what)}"
        return (first, f"{'':<17}  {'mend':<10}  {plain(self.mend)}") if self.mend else (first,)


def report(url: str, model: str, findings: tuple[Finding, ...]) -> dict[str, Any]:
    """For a program."""
    return {"format": FORMAT, "url": url, "model": model, "checks": [asdict(finding) for finding in findings]}
