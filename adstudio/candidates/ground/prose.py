"""A film described in prose: its sections, with the times and headings that stand in it.

A line may begin with a time (`[00:01:23]`, `00:01:23 – 00:01:30`, `1:23`, `10.5s:`), or be a heading (`# Kitchen`,
`Scene 3: The kitchen`, `INT. KITCHEN - DAY`). Both begin a section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.timebase import MAX_TIME_MS
from adstudio.core.words import count_words
from adstudio.store.files import read_bounded

LARGEST = 5_000_000
"""Bytes of the largest description that is read; a film told in full has a tenth of it."""
MOST_SECTIONS = 20_000
LONGEST_PARAGRAPH = 20_000
"""Characters; a text without paragraphs is cut into pieces of that length."""

_CLOCK = r"(?:(?:\d{1,2}:)?\d{1,3}:[0-5]\d(?:[.,:;]\d{1,3})?)"
_SECONDS = r"(?:\d{1,6}(?:[.,]\d{1,3})?)"
_DASH = r"\s*(?:-->|to|[-–—])\s*"
_TIMED = re.compile(
    rf"\s*(?:[\[(]\s*(?P<a>{_CLOCK})(?:{_DASH}(?P<b>{_CLOCK}))?\s*[\])]"
    rf"|[\[(]\s*(?P<e>{_SECONDS})\s*s(?:{_DASH}(?P<f>{_SECONDS})\s*s)?\s*[\])]"
    rf"|(?P<c>{_CLOCK})(?:{_DASH}(?P<d>{_CLOCK}))?(?=\s|:|$)"
    rf"|(?P<g>{_SECONDS})\s*s(?:{_DASH}(?P<h>{_SECONDS})\s*s)?\s*(?=[:–—-]))"
    r"\s*[:–—-]?\s*"
)
_HEADING = re.compile(
    r"\s*(?:#{1,6}\s+(?P<hash>\S.*)|(?P<scene>(?:scene|szene|scène|escena)\s+\d+[a-z]?\b[\s.:–—-]*.{0,100})"
    r"|(?P<slug>(?:INT|EXT|EST|I/E|INT\.?/EXT)[. ].{1,150}))\s*\Z",
    re.IGNORECASE,
)


class ProseError(BadInputError):
    """A description that cannot be read."""


@dataclass(frozen=True)
class Section:
    """A run of prose under one heading or from one time (ms) on; `line` is where its text begins, from 1."""

    text: str
    line: int
    heading: str = ""
    at: int | None = None
    until: int | None = None


@dataclass(frozen=True)
class Prose:
    """A description: its sections in order, and what was odd."""

    sections: tuple[Section, ...]
    oddities: tuple[Oddity, ...] = ()

    @property
    def timed(self) -> bool:
        """Whether any section says when it is."""
        return any(section.at is not None for section in self.sections)


def read_prose(path: Path) -> Prose:
    """The description in a text file (UTF-8, else UTF-16 with its mark, else Windows-1252).

    Raises:
        ProseError: for a file that is no plain text, holds no words, or is far too long.
        OutsideFailureError: where it cannot be read.
    """
    data = read_bounded(path, LARGEST, "description")
    for mark, what in ((b"PK\x03\x04", "a Word or OpenDocument file"), (b"%PDF", "a PDF"), (b"{\\rtf", "an RTF file")):
        if data.startswith(mark):
            raise ProseError(f"{path} is {what}: save it as plain text (.txt) and give that")
    text = _decoded(data)
    if "\0" in text:
        raise ProseError(f"{path} is no text: give the description as plain text (.txt)")
    prose = parse_prose(text)
    if not prose.sections:
        raise ProseError(f"{path} describes nothing: there is not one sentence in it")
    if len(prose.sections) > MOST_SECTIONS:
        raise ProseError(f"{path} has more than {MOST_SECTIONS:,} sections: split it")
    return prose


def parse_prose(text: str) -> Prose:
    """The sections of a description.

    Times that go back are not used: the sections are then in the order of the text like those without a time.
    """
    sections: list[Section] = []
    oddities: list[Oddity] = []
    lines: list[str] = []
    start, heading, at, until, latest = 1, "", None, None, -1

    def close() -> None:
        told = " ".join(" ".join(lines).split())
        sections.extend(Section(piece, start, heading, at, until) for piece in _pieces(told) if count_words(piece))
        lines.clear()

    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            # A section with a time goes on over empty lines; without one a paragraph ends.
            if at is None:
                close()
                start = number + 1
            continue
        titled = _HEADING.match(line)
        timed = None if titled else _TIMED.match(line)
        if titled:
            close()
            heading = (titled["hash"] or titled["scene"] or titled["slug"]).strip(" #:.–—-")
            start, at, until = number + 1, None, None
        elif timed and (begins := _milliseconds(timed["a"] or timed["c"], timed["e"] or timed["g"])) is not None:
            close()
            ends = _milliseconds(timed["b"] or timed["d"], timed["f"] or timed["h"])
            if begins < latest:
                oddities.append(Oddity("this time is before the one ahead of it, so it is not used", number))
                begins = ends = None
            else:
                latest = begins
            start, at, until = (
                number,
                begins,
                ends if ends is not None and begins is not None and ends > begins else None,
            )
            lines.append(line[timed.end() :])
        else:
            if not lines:
                start = number
            lines.append(line)
    close()
    return Prose(tuple(sections), tuple(oddities))


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that are not too long for one paragraph, cut behind sentences where there are any."""
    while len(text) > LONGEST_PARAGRAPH:
        place = max(text.rfind(mark, 0, LONGEST_PARAGRAPH) for mark in (". ", "! ", "? ", "。")) + 1
        place = place or LONGEST_PARAGRAPH
        yield text[:place].strip()
        text = text[place:].strip()
    yield text


def _milliseconds(clock: str | None, seconds: str | None) -> int | None:
    if seconds is not None:
        return _within(round(float(seconds.replace(",", ".")) * 1000))
    if clock is None:
        return None
    whole, _, rest = clock.replace(";", ":").replace(",", ".").partition(".")
    parts = [int(part) for part in whole.split(":")]
    if len(parts) == 4:
        parts.pop()  # frames: less than a second, which is nothing here
    total = 0
    for part in parts:
        total = total * 60 + part
    return _within(total * 1000 + (round(float(f"0.{rest}") * 1000) if rest else 0))


def _within(ms: int) -> int | None:
    return ms if ms < MAX_TIME_MS else None


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
