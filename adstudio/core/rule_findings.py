"""What a validator finds in a file: the rule of a specification that is broken, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MAX_FINDINGS = 1000


@dataclass(frozen=True)
class Rule:
    """A rule of a specification: a name that stays the same, and where the specification has it."""

    id: str
    clause: str


@dataclass(frozen=True)
class RuleFinding:
    """A place that breaks a rule: what is wrong and how to mend it, as a sentence without its full stop.

    `line` is counted from 1, None for the file as a whole. `advice`: the specification only recommends it, so that the
    file is valid all the same.
    """

    rule: Rule
    what: str
    line: int | None = None
    advice: bool = False


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
        return by_line(self._found)


def by_line(findings: Iterable[RuleFinding]) -> tuple[RuleFinding, ...]:
    """Findings in the order of their lines, those about the whole file first."""
    return tuple(sorted(findings, key=lambda finding: finding.line or 0))
