"""A text file's bytes and the characters they stand for, so that a place in one can be found in the other."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

ESCAPED = re.compile("[\ud800-\udfff]")
"""Bytes that are no character in the file's encoding, as Python escapes them (PEP 383), and halves of pairs."""

_NEWLINE = re.compile(r"\r\n|\n|\r")
_NEWLINE_BYTES = re.compile(rb"\r\n|\n|\r")


@dataclass(frozen=True)
class Source:
    """The bytes of a file and its text without BOM; newlines are as they are, undecodable bytes are escaped.

    `encoding` is the name shown, `codec` Python's; `bom` the length of the byte order mark.
    """

    data: bytes = field(repr=False)
    text: str = field(repr=False)
    encoding: str
    codec: str
    guessed: bool
    bom: int

    @property
    def unit(self) -> int:
        """Bytes of an ASCII character."""
        return 2 if self.codec.startswith("utf-16") else 4 if self.codec.startswith("utf-32") else 1

    @cached_property
    def damaged(self) -> bool:
        """Whether some bytes are no characters."""
        return ESCAPED.search(self.text) is not None

    @cached_property
    def line_starts(self) -> list[int]:
        """The character offset at which each line begins."""
        return [0, *(match.end() for match in _NEWLINE.finditer(self.text))]

    def line_of(self, offset: int) -> int:
        """The line, from 1, that a character offset lies in."""
        return bisect_right(self.line_starts, offset)

    def shown(self, start: int, end: int) -> str:
        """A stretch of text fit to be shown: what is no character becomes U+FFFD."""
        return self.clean(self.text[start:end])

    def clean(self, text: str) -> str:
        """Text in which what is no character became U+FFFD (each such place is an oddity of the file)."""
        return ESCAPED.sub("\ufffd", text) if self.damaged else text

    def encode(self, text: str) -> bytes:
        """Text in the file's encoding; escaped bytes become themselves again.

        Raises:
            UnicodeEncodeError: for a character that the encoding does not have.
        """
        return text.encode(self.codec, "surrogatepass" if self.unit > 1 else "surrogateescape")

    def byte_offsets(self, offsets: Sequence[int]) -> list[int]:
        """Where characters stand in the bytes; the offsets given must not fall."""
        if len(self.text) * self.unit == len(self.data) - self.bom or self.unit == 4:
            return [self.bom + offset * self.unit for offset in offsets]
        if self.unit == 2:
            return self._in_pairs(offsets)
        # Lines are the same in bytes and in characters, whatever the encoding makes of what is between them.
        starts = [0, *(match.end() for match in _NEWLINE_BYTES.finditer(self.data, self.bom))]
        starts[0] = self.bom
        found: list[int] = []
        for offset in offsets:
            line = bisect_right(self.line_starts, offset) - 1
            found.append(starts[line] + len(self.encode(self.text[self.line_starts[line] : offset])))
        return found

    def _in_pairs(self, offsets: Sequence[int]) -> list[int]:
        found: list[int] = []
        position, at = self.bom, 0
        for offset in offsets:
            position += len(self.encode(self.text[at:offset]))
            at = offset
            found.append(position)
        return found
