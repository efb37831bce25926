"""Collecting what a validator finds."""

from __future__ import annotations

from adstudio.core.rule_findings import Rule, RuleFinding

MAX_FINDINGS = 1000
_SHOWN = 40


class Findings:
    """Findings in the order in which they are added; beyond `MAX_FINDINGS` they are dropped."""

    def __init__(self) -> None:
        self._found: list[RuleFinding] = []

    def add(self, rule: Rule, what: str, line: int | None, *, advice: bool = False) -> None:
        """Add a finding at a line, counted from 1."""
        if len(self._found) < MAX_FINDINGS:
            self._found.append(RuleFinding(rule, what, line, advice))

    def by_line(self) -> tuple[RuleFinding, ...]:
        """All of them in the order of their lines."""
        return tuple(sorted(self._found, key=lambda finding: finding.line or 0))


def shown(text: str) -> str:
    """The start of a line, for a sentence."""
    flat = " ".join(text[: 4 * _SHOWN].split())
    return f"“{flat[:_SHOWN]}…”" if len(flat) > _SHOWN or len(text) > 4 * _SHOWN else f"“{flat}”"
