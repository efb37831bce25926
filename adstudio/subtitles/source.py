"""A decoded text file."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

ESCAPED = re.compile("[\ud800-\udfff]")
"""Undecodable bytes as Python escapes them (PEP 383), and lone surrogates."""

_NEWLINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Source:
    """A file's text without its byte-order mark, newlines unchanged, undecodable bytes escaped.

    `encoding` is the name shown to the user.
    """

    text: str = field(repr=False)
    encoding: str
    guessed: bool

    @cached_property
    def damaged(self) -> bool:
        """Whether some bytes could not be decoded."""
        return ESCAPED.search(self.text) is not None

    @cached_property
    def line_starts(self) -> array[int]:
        """The character offset at which each line starts."""
        starts = array("Q", (0,))
        starts.extend(match.end() for match in _NEWLINE.finditer(self.text))
        return starts

    def line_of(self, offset: int) -> int:
        """The line, from 1, of a character offset."""
        return bisect_right(self.line_starts, offset)

    def shown(self, start: int, end: int) -> str:
        """A part of the text for display, with undecodable bytes as U+FFFD."""
        return self.clean(self.text[start:end])

    def clean(self, text: str) -> str:
        """Text with undecodable bytes replaced by U+FFFD (each is listed as an oddity)."""
        return ESCAPED.sub("\ufffd", text) if self.damaged else text
