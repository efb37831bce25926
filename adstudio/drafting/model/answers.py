"""Reading what a model writes, while it comes and when it has come: the whole elements, whatever stands around them.

Half a JSON, a Markdown fence, thoughts before it, a doubled brace, control characters in texts, garbage behind it: what
is whole is used and the rest is left. Nothing that is read here is believed yet; see `checks`.
"""

from __future__ import annotations

import json
import re
from typing import Any, cast

LARGEST = 20_000
"""Characters of the largest element."""
MOST = 200
"""Elements of one answer."""
MOST_DIGITS = 9
SHOWN = 20
"""Characters of a number that is not whole."""
_START = re.compile(r"\[\s*(?=\{)")
_BETWEEN = re.compile(r"[\s,]*")
_NEXT = re.compile(r"\{\s*\"(?:id|start)\"\s*:")
"""How an element begins in the forms that we ask for."""


class Reading:
    """The elements of an answer that is still coming; `elements` are those that have come whole."""

    def __init__(self) -> None:
        self.elements: list[dict[str, Any]] = []
        self.ended = False
        """Whether the list was closed."""
        self.spoilt = False
        """Whether something in it was passed over that could not be read."""
        self._text = ""
        self._started = False
        self._hopeless = False

    def feed(self, text: str) -> list[dict[str, Any]]:
        """Take in more of the answer; gives the elements that it has completed."""
        self._text += text
        known = len(self.elements)
        if not self._started:
            start = _START.search(self._text)
            if start is None:
                # The beginning may have come in part; nothing of what is long past is looked at again.
                self._text = self._text[-LARGEST:]
                return []
            self._text, self._started = self._text[start.end() :], True
        while not self._hopeless and self._one():
            pass
        if len(self._text) > LARGEST:
            # What stands at the front is larger than any element: it is looked at no more until the end.
            self._hopeless = True
            self._text = self._text[-2 * LARGEST :]
        return self.elements[known:]

    def finish(self) -> list[dict[str, Any]]:
        """The answer has ended: skip what is malformed, and use the complete elements after it."""
        known = len(self.elements)
        while self._started and not self.ended:
            if self._one() or self.ended:
                continue
            following = _NEXT.search(self._text, 1)
            self.spoilt = self.spoilt or bool(self._text)
            if following is None:
                break
            self._text = self._text[following.start() :]
        return self.elements[known:]

    def _one(self) -> bool:
        """Take one element off the front; False where none is whole there, or the list has ended."""
        if self.ended:
            return False
        gap = _BETWEEN.match(self._text)
        self._text = self._text[gap.end() :] if gap else self._text
        if self._text.startswith("]") or len(self.elements) >= MOST:
            self.ended = True
            return False
        if self._text.startswith("{{"):
            self._text = self._text[1:]
        if not self._text.startswith("{"):
            return False
        try:
            value, end = _DECODER.raw_decode(self._text[: LARGEST + 1])
        except (ValueError, RecursionError):
            return False
        self._text = self._text[end:]
        if isinstance(value, dict):
            self.elements.append(cast("dict[str, Any]", value))
        return True


class Following:
    """Reads an answer of which, time and again, all is told that has come so far; it may be begun anew meanwhile."""

    def __init__(self) -> None:
        self._reading, self._taken = Reading(), ""

    def hear(self, text: str) -> list[tuple[int, dict[str, Any]]]:
        """The elements that were not whole the last time, each with its number in the answer, from 1."""
        if not text.startswith(self._taken):
            self._reading, self._taken = Reading(), ""
        known = len(self._reading.elements)
        new = self._reading.feed(text[len(self._taken) :])
        self._taken = text
        return list(enumerate(new, known + 1))


def read_whole(text: str) -> Reading:
    """An answer that has come."""
    reading = Reading()
    reading.feed(text)
    reading.finish()
    return reading


def read_answer(text: str) -> list[dict[str, Any]]:
    """The elements of an answer that has come, in its order."""
    return read_whole(text).elements


def _whole(digits: str) -> int | str:
    # Models repeat digits without end: such a number is none.
    return int(digits) if len(digits) <= MOST_DIGITS else _as_written(digits)


def _as_written(number: str) -> str:
    """A number that is none that we ask for, to be quoted; it must not read as if there were none."""
    return number[:SHOWN]


_DECODER = json.JSONDecoder(strict=False, parse_int=_whole, parse_float=_as_written, parse_constant=_as_written)
