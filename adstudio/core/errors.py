"""What can go wrong, as the user is told it: one sentence that says which file, what, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass


class AdstudioError(Exception):
    """A failure that is told to the user in one sentence; the detail goes to the log.

    `exit_code` is what the command line returns for it (DESIGN section 5).
    """

    exit_code = 1


class BadInputError(AdstudioError):
    """Something the user gave cannot be used as it is."""

    exit_code = 2


class OutsideFailureError(AdstudioError):
    """Something outside the program failed: disk, server, licence, a part that is not installed."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something odd in an input that was read all the same: where (a line from 1, where there are lines) and what."""

    what: str
    line: int | None = None
