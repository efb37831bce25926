"""What a validator finds in a file: the rule of a specification that is broken, and where."""

from __future__ import annotations

from dataclasses import dataclass


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
