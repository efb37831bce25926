"""Failures shown to the user: one sentence that says which file, what is wrong and how to fix it."""

from __future__ import annotations

from dataclasses import dataclass


class AdstudioError(Exception):
    """A failure shown to the user in one sentence; details go to the log.

    `exit_code` is the command line's exit status for it (DESIGN section 5). `option` is the command line's option that
    lifts the refusal, empty where there is none; only the command line mentions it.
    """

    exit_code = 1
    option = ""


class BadInputError(AdstudioError):
    """Something the user supplied cannot be used as it is."""

    exit_code = 2


class OutsideFailureError(AdstudioError):
    """Something outside the program failed: the disk, a server, a licence, a missing component."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Oddity:
    """A problem in an input that could still be read: what it is, and its line (counted from 1) if known."""

    what: str
    line: int | None = None
