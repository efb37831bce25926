"""Watching an answer as it comes, so that one that runs away costs little: blanks, digits, the same over and over."""

from __future__ import annotations

from collections.abc import Callable

from adstudio.llm.faults import RunawayError

MOST_BLANKS = 400
"""White space in a row; servers that indent JSON write some dozens."""
MOST_DIGITS = 64
LOOK = 256
"""Characters from one look for repetition to the next."""
TAIL = 2048
LONGEST_UNIT = 200
"""Characters of the longest thing whose repetition is noticed: it fills the tail at least ten times."""


class RunawayGuard:
    """Looks at the pieces of one answer as they come; `most` bounds its characters."""

    def __init__(self, most: int) -> None:
        self.characters = 0
        self._most = most
        self._blanks = 0
        self._digits = 0
        self._tail = ""
        self._unseen = 0

    def feed(self, chunk: str) -> None:
        """See one more piece.

        Raises:
            RunawayError: when the answer has run away.
        """
        self.characters += len(chunk)
        if self.characters > self._most:
            raise RunawayError(
                f"the answer was longer than {self._most} characters, so it was stopped: ask for less at a time"
            )
        longest, self._blanks = _run(chunk, self._blanks, str.isspace)
        if longest > MOST_BLANKS:
            raise RunawayError(
                "the answer went on with nothing but blanks, so it was stopped: try again or another model"
            )
        longest, self._digits = _run(chunk, self._digits, str.isdigit)
        if longest > MOST_DIGITS:
            raise RunawayError(
                "the answer went on with nothing but digits, so it was stopped: try again or another model"
            )
        self._tail = (self._tail + chunk)[-TAIL:]
        self._unseen += len(chunk)
        if self._unseen >= LOOK and len(self._tail) == TAIL:
            self._unseen = 0
            tail = self._tail
            if any(tail[unit:] == tail[:-unit] for unit in range(1, LONGEST_UNIT + 1)):
                raise RunawayError(
                    "the answer said the same over and over, so it was stopped: try again or another model"
                )


def _run(chunk: str, before: int, belongs: Callable[[str], bool]) -> tuple[int, int]:
    """The longest run of such characters that this piece has or goes on with, and the one it ends in."""
    longest = run = before
    for character in chunk:
        run = run + 1 if belongs(character) else 0
        longest = max(longest, run)
    return longest, run


def well_formed(text: str) -> str:
    """The text without halves of characters, which JSON can hold and no file or database can."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
