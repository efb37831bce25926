"""Parses a JSON text value by value, with positions and bounded memory.

The standard decoder gives no positions and builds everything at once. Here arrays and objects are iterated, and the
decoder is used for one small value at a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

LARGEST_VALUE = 256 * 1024
"""Characters of one value (an element with six wordings of 2,000 escaped characters has 80,000)."""
DEEPEST = 32
"""Nesting depth of lists and objects."""
LONGEST_NUMBER = 400
"""Characters of a number."""

_SPACE = re.compile(r"[ \t\n\r]*+")
_TO_BRACKET = re.compile(r'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)


def _number(literal: str) -> Decimal:
    if len(literal) > LONGEST_NUMBER:
        return Decimal("NaN")
    try:
        return Decimal(literal)
    except InvalidOperation:
        return Decimal("NaN")


class JsonWalk:
    """A position in a JSON text. Errors are `json.JSONDecodeError`, with line and column in the whole text."""

    def __init__(self, text: str, position: int = 0) -> None:
        self.text = text
        self.position = position
        self.repeated_keys: list[str] = []
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_float=_number, parse_int=_number, parse_constant=_number
        )

    def peek(self) -> str:
        """Move to the next character that is not white space and return it; "" at the end of the text."""
        found = _SPACE.match(self.text, self.position)
        self.position = found.end() if found else self.position
        return self.text[self.position : self.position + 1]

    def items(self) -> Iterator[None]:
        """Iterate over an array; at each step the caller must read the value at the position."""
        yield from self._steps("]")

    def entries(self) -> Iterator[str]:
        """Iterate over an object's keys; at each step the caller must read the value."""
        for _ in self._steps("}"):
            if self.peek() != '"':
                raise self._error("a key in double quotes is missing")
            key, self.position = self._decode()
            self._expect(":", "a colon is missing")
            yield str(key)

    def value(self) -> object:
        """Read the whole value at the position; `repeated_keys` then lists its duplicate keys.

        Numbers become `Decimal`; NaN, infinities and overlong numbers become non-finite values.
        """
        self.repeated_keys.clear()
        if self.peek() in tuple("[{"):
            self._require_small()
        value, self.position = self._decode()
        return value

    def _steps(self, closing: str) -> Iterator[None]:
        self.position += 1
        if self.peek() == closing:
            self.position += 1
            return
        while True:
            self.peek()
            yield
            if self.peek() == closing:
                self.position += 1
                return
            self._expect(",", f"a comma or {closing} is missing")

    def _decode(self) -> tuple[object, int]:
        return self._decoder.raw_decode(self.text, self.position)

    def _require_small(self) -> None:
        depth, at = 0, self.position
        limit = self.position + LARGEST_VALUE
        while True:
            found = _TO_BRACKET.match(self.text, at, limit)
            if found is None:
                if len(self.text) > limit:
                    raise self._error(f"one value is longer than {LARGEST_VALUE:,} characters")
                return
            depth += 1 if found[1] in "[{" else -1
            at = found.end()
            if depth > DEEPEST:
                raise self._error(f"lists and objects are nested more than {DEEPEST} deep")
            if depth == 0:
                return

    def _expect(self, character: str, what: str) -> None:
        if self.peek() != character:
            raise self._error(what)
        self.position += 1

    def _error(self, what: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(what, self.text, self.position)

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        inserted = dict(pairs)
        if len(inserted) < len(pairs):
            seen: set[str] = set()
            self.repeated_keys += [key for key, _ in pairs if key in seen or seen.add(key)]
        return inserted
