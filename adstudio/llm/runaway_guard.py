"""Stops degenerate output early, before it gets expensive: whitespace, digits, endless repetition."""

from __future__ import annotations

from collections.abc import Callable

from adstudio.llm.faults import RunawayError

MOST_BLANKS = 400
"""Consecutive whitespace characters; servers that indent JSON write a few dozen."""
MOST_DIGITS = 64
LOOK = 256
"""Characters between checks for repetition."""
TAIL = 2048
LONGEST_UNIT = 200
"""Length of the longest repeated unit that is detected; it fits into the tail at least ten times."""


class RunawayGuard:
    """Checks the chunks of one response; `most` bounds its characters."""

    def __init__(self, most: int) -> None:
        self.characters = 0
        self._most = most
        self._blanks = 0
        self._digits = 0
        self._tail = ""
        self._unseen = 0

    def feed(self, chunk: str) -> None:
        """Check one more chunk; raises RunawayError for runaway output."""
        self.characters += len(chunk)
        if self.characters > self._most:
            raise RunawayError(f"the response exceeded {self._most} characters and was stopped: ask for less at once")
        longest, self._blanks = _run(chunk, self._blanks, str.isspace)
        if longest > MOST_BLANKS:
            raise RunawayError(
                "the response degenerated into whitespace and was stopped: try again, or try another model"
            )
        longest, self._digits = _run(chunk, self._digits, str.isdigit)
        if longest > MOST_DIGITS:
            raise RunawayError("the response degenerated into digits and was stopped: try again, or try another model")
        self._tail = (self._tail + chunk)[-TAIL:]
        self._unseen += len(chunk)
        if self._unseen >= LOOK and len(self._tail) == TAIL:
            self._unseen = 0
            tail = self._tail
            if any(tail[unit:] == tail[:-unit] for unit in range(1, LONGEST_UNIT + 1)):
                raise RunawayError(
                    "the response kept repeating itself and was stopped: try again, or try another model"
                )


def _run(chunk: str, before: int, belongs: Callable[[str], bool]) -> tuple[int, int]:
    """The longest run of such characters, counting one carried over from before, and the run at the chunk's end."""
    longest = run = before
    for character in chunk:
        run = run + 1 if belongs(character) else 0
        longest = max(longest, run)
    return longest, run


def well_formed(text: str) -> str:
    """The text without lone surrogates, which JSON can carry but files and databases cannot."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
