"""The results of the checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from adstudio.llm.keys import masked

FORMAT = "adstudio-server-check/1"

Outcome = Literal["passed", "failed", "untestable"]
CheckResult = tuple[Outcome, str, str]
"""How a check ended, what was observed, and how to fix it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: number and title, outcome, what was observed, and how to fix it (`mend`) if something is wrong."""

    number: int
    title: str
    outcome: Outcome
    what: str
    mend: str = ""

    def __post_init__(self) -> None:
        # A server may quote the key that it was sent, also as its model's name.
        object.__setattr__(self, "what", masked(self.what))

    def lines(self, plain: Callable[[str], str]) -> tuple[str, ...]:
        """For people: one line, and a second with the fix, if any; `plain` makes a server's words safe to print."""
        first = f"{self.number}  {self.title:<14}  {self.outcome:<10}  {plain(self.what)}"
        return (first, f"{'':<17}  {'fix':<10}  {plain(self.mend)}") if self.mend else (first,)


def report(url: str, model: str, findings: tuple[Finding, ...]) -> dict[str, Any]:
    """For programs."""
    return {"format": FORMAT, "url": url, "model": model, "checks": [asdict(finding) for finding in findings]}
