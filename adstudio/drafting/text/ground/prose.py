"""A film described in prose: its sections, with their times and headings.

A line may begin with a time (`[00:01:23]`, `00:01:23 – 00:01:30`, `1:23`, `10.5s:`), or be a heading (`# Kitchen`,
`Scene 3: The kitchen`, `INT. KITCHEN - DAY`). Both begin a section.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.timebase import RATES, FrameRate
from adstudio.core.words import composed, count_words
from adstudio.drafting.text.ground.notation import (
    Stamp,
    cells,
    is_rule,
    row_line,
    split_at_times,
    time_stamp,
    without_emphasis,
    without_marks,
)
from adstudio.screenplay.parsed_screenplay import Action, ScreenplayError, Speech
from adstudio.system.files import read_bounded

LARGEST = 5_000_000
"""Bytes of the largest description that is read; a film described in full has a tenth of that."""
MOST_SECTIONS = 20_000
LONGEST_PARAGRAPH = 20_000
"""Characters; a text without paragraphs is cut into pieces of that length."""

_UNDERLINE = re.compile(r"\s*(?:=+|-{2,}|\*{3,}|_{3,}|(?:[-*_]\s){2,}[-*_]|```\w*|~~~\w*)\s*")
LONGEST_FRONT_MATTER = 40
_KEY = re.compile(r"\s*(?:[\w-]{1,40}:(?:\s|$)|-\s|#)")
_BYLINE = re.compile(
    r"\W*(?:(?:(?:written|described|audio description|text|notes?|script)\s+)?(?:by|von|par|por|di)\s+\w"
    r"|(?:draft|version|revision|rev\.?|v\.?)\s*\d|(?:author|autor|auteur|copyright|date|datum)\b\s*:?|©|\(c\)\s)",
    re.IGNORECASE,
)
LONGEST_BYLINE = 12
"""Words; a byline comes first in a text, before any heading but the title, and is not part of it."""
ORDINARY = RATES["25"]
"""The frame rate assumed for timecodes when it is unknown."""
_HEADING = re.compile(
    r"\s*(?:#{1,6}\s+(?P<hash>\S.*)|(?P<scene>(?:scene|szene|scène|escena)\s+\d+[a-z]?\b[\s.:–—-]*.{0,100})"
    r"|(?P<slug>(?:INT|EXT|EST|I/E|INT\.?/EXT)[. ].{1,150}))\s*\Z",
    re.IGNORECASE,
)
_ARROW_LINE = re.compile(
    r"^\s*(?:\d{1,2}:)?\d{1,2}:\d\d[.,]\d{2,3}[ \t]*-->[ \t]*(?:\d{1,2}:)?\d{1,2}:\d\d[.,]\d{2,3}[^\n]*$", re.MULTILINE
)
_NUMBER_LINE = re.compile(r"^\s*\d+\s*$", re.MULTILINE)
_JSON = re.compile(r"\s*(?:```\w*\s*)?(?:\{\s*[\"}]|\[\s*[{\[\]])")
_HEADINGS = re.compile(r"^\s*(?:INT|EXT|EST|I/E|INT\.?/EXT)[. ]", re.MULTILINE | re.IGNORECASE)
_TIMES = re.compile(r"^\W{0,6}\d{1,2}:[0-5]\d", re.MULTILINE)
_PART = 300_000
"""Characters examined: a file's beginning shows what it is."""
_SPEECHES_WITH_HEADINGS = 2
_SPEECHES = 4
_TIMED_LINES = 3
"""This many lines with a time make it a description, whatever its capitals suggest."""


class ProseError(BadInputError):
    """A description that cannot be read."""


@dataclass(frozen=True)
class Section:
    """A run of prose under one heading or from one time (ms) on; `line` is where its text begins, from 1.

    `written` is the time as it stands there; `label`: it is a timecode with frames, which counts labels.
    """

    text: str
    line: int
    heading: str = ""
    at: int | None = None
    until: int | None = None
    written: str = field(default="", compare=False)
    label: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Prose:
    """A description: its sections in order, and what was odd."""

    sections: tuple[Section, ...]
    oddities: tuple[Oddity, ...] = ()

    @property
    def timed(self) -> bool:
        """Whether any section says when it is."""
        return any(section.at is not None for section in self.sections)


def read_prose(path: Path, rate: FrameRate = ORDINARY) -> Prose:
    """The description in a text file (UTF-8, else UTF-16 with its mark, else Windows-1252).

    Raises:
        ProseError: for a file that is no plain text or no prose, holds no words, or is far too long.
        OutsideFailureError: where it cannot be read.
    """
    data = read_bounded(path, LARGEST, "description")
    for mark, what in ((b"PK\x03\x04", "a Word or OpenDocument file"), (b"%PDF", "a PDF"), (b"{\\rtf", "an RTF file")):
        if data.startswith(mark):
            raise ProseError(f"{path} is {what}: save it as plain text (.txt) and use that")
    text = composed(_decoded(data))
    if "\0" in text:
        raise ProseError(f"{path} is not a text file: give the description as plain text (.txt)")
    if what := _other_kind(text):
        raise ProseError(f"{path} does not seem to be a description but {what}")
    prose = parse_prose(text, rate)
    if not prose.sections:
        raise ProseError(f"{path} has no description in it: not a single sentence was found")
    if len(prose.sections) > MOST_SECTIONS:
        raise ProseError(f"{path} has more than {MOST_SECTIONS:,} sections: split it")
    return prose


def parse_prose(text: str, rate: FrameRate = ORDINARY) -> Prose:
    """The sections of a description, with all its times, even those that cannot be right.

    Lists, quotations, tables and emphasis as Markdown writes them are read, and their marks are no part of the text.
    Frames in a timecode are of that rate.
    """
    reader = _Reader(rate)
    lines = text.splitlines()
    _drop_front_matter(lines)
    for number, line in enumerate(lines, 1):
        reader.read(number, line, lines[number] if number < len(lines) else "")
    reader.close()
    return Prose(tuple(reader.sections), tuple(reader.oddities))


def _drop_front_matter(lines: list[str]) -> None:
    """Empties the block of keys and values that some programs put ahead of a text."""
    if not lines or lines[0].strip() != "---":
        return
    for number, line in enumerate(lines[1:LONGEST_FRONT_MATTER], 1):
        if line.strip() in ("---", "..."):
            lines[: number + 1] = [""] * (number + 1)
            return
        if line.strip() and not _KEY.match(line):
            return


class _Reader:
    """Reads line by line; holds the section that is being read."""

    def __init__(self, rate: FrameRate) -> None:
        self.sections: list[Section] = []
        self.oddities: list[Oddity] = []
        self._rate = rate
        self._lines: list[str] = []
        self._start, self._heading = 1, ""
        self._stamp: Stamp | None = None
        self._in_list = False

    def close(self) -> None:
        """Ends the section."""
        text = " ".join(without_emphasis(" ".join(self._lines)).split())
        stamp = self._stamp
        if not self.sections and stamp is None and _BYLINE.match(text) and count_words(text) <= LONGEST_BYLINE:
            self.oddities.append(Oddity(f"this line names the author, so it is skipped: {text}", self._start))
            text = ""
        at, until, written, label = (
            (stamp.at, stamp.until, stamp.written, stamp.label) if stamp else (None, None, "", False)
        )
        self.sections += [
            Section(piece, self._start, self._heading, at, until, written, label)
            for piece in _pieces(text)
            if count_words(piece)
        ]
        self._lines.clear()

    def read(self, number: int, line: str, following: str) -> None:
        """A line, and the one behind it."""
        if not line.strip():
            self._in_list = False
            # A section with a time goes on over empty lines; without one a paragraph ends.
            if self._stamp is None:
                self.close()
                self._start = number + 1
            return
        if _UNDERLINE.fullmatch(line):
            if self._stamp is None and len(self._lines) == 1 and not self._lines[0].rstrip().endswith((".", "!", "?")):
                self._heading = without_emphasis(self._lines.pop()).strip(" #:.–—-")
                self._start = number + 1
            return
        row = cells(line)
        if row:
            if is_rule(row) or is_rule(cells(following)):
                return  # the head of a table says what its columns are, not what is seen
            line, item = row_line(row), True
        else:
            line, item = without_marks(
                line, numbered=self._in_list or not self._lines or _starts_numbered(line, self._rate)
            )
            self._in_list = item
        for part in split_at_times(line, self._rate):
            self._part(number, part, item=item)

    def _part(self, number: int, line: str, *, item: bool) -> None:
        titled = _HEADING.match(line)
        stamp = time_stamp(titled["hash"] if titled and titled["hash"] else line, self._rate)
        if stamp:
            self.close()
            self._start, self._stamp = number, stamp
            if titled and (name := stamp.rest.strip(" #*_")) and not name.endswith((".", "!", "?")):
                self._heading = name
            else:
                self._lines.append(stamp.rest)
        elif titled:
            self.close()
            self._heading = without_emphasis(titled["hash"] or titled["scene"] or titled["slug"]).strip(" #:.–—-")
            self._start, self._stamp = number + 1, None
        else:
            self._add(number, line, item=item)

    def _add(self, number: int, line: str, *, item: bool) -> None:
        if not self._lines:
            self._start = number
        elif item:
            if self._stamp is None:
                self.close()
                self._start = number
            elif count_words(self._lines[-1]) and not self._lines[-1].rstrip().endswith((".", "!", "?", "…", "”")):
                self._lines[-1] = self._lines[-1].rstrip() + "."
        self._lines.append(line)


def _starts_numbered(line: str, rate: FrameRate) -> bool:
    return time_stamp(without_marks(line, numbered=True)[0], rate) is not None


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that are not too long for one paragraph, cut behind sentences where there are any."""
    while len(text) > LONGEST_PARAGRAPH:
        place = max(text.rfind(mark, 0, LONGEST_PARAGRAPH) for mark in (". ", "! ", "? ", "。")) + 1
        place = place or LONGEST_PARAGRAPH
        yield text[:place].strip()
        text = text[place:].strip()
    yield text


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _other_kind(text: str) -> str:
    """What a text seems to be and how to use it, as a clause; "" for prose."""
    start = text[:2000].lstrip("\ufeff \t\r\n")
    if _holds_subtitles(text[:_PART], start.lower()):
        return "a subtitle file: give it as --subtitles, or, if it is a description, put each time before its text"
    if markup := _markup(start.lower(), text.rstrip().endswith(">")):
        return markup
    if _JSON.match(start) and (_is_json(text) or not re.match(r"\s*\[\s*\[", start)):
        return "JSON: candidates are given as --candidates"
    return "a screenplay: give it as --screenplay" if _is_screenplay(text[:_PART]) else ""


def _holds_subtitles(text: str, start: str) -> bool:
    if start.startswith(("webvtt", "[script info]")) or "<tt " in start or "<tt>" in start:
        return True
    arrows = _ARROW_LINE.findall(text)
    return bool(arrows) and len(_NUMBER_LINE.findall(text)) * 2 >= len(arrows)


def _markup(start: str, closed: bool) -> str:
    if "<finaldraft" in start:
        return "a Final Draft screenplay: give it as --screenplay"
    if start.startswith(("<!doctype html", "<html")):
        return "a web page: copy its text into a plain text file"
    if start.startswith(("<?xml", "<!doctype")) or (closed and re.match(r"<[a-z][\w:.-]*(?:\s[^<>]*)?>", start)):
        return "an XML file: give the description as plain text (.txt)"
    return ""


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _is_screenplay(text: str) -> bool:
    """Whether it has dialogue in screenplay format: a name on its own line, and the speech below."""
    from adstudio.screenplay.file import parse_screenplay

    if len(_TIMES.findall(text)) >= _TIMED_LINES:
        return False
    try:
        read = parse_screenplay(text.encode(), "description.txt")
    except ScreenplayError:
        return False
    parts = [part for scene in read.scenes for part in scene.parts]
    speakers = [part.speaker for part in parts if isinstance(part, Speech) and part.speaker and part.text]
    if _HEADINGS.search(text):
        return len(speakers) >= _SPEECHES_WITH_HEADINGS
    actions = sum(isinstance(part, Action) for part in parts)
    # Headings in capitals look like names, but they do not recur.
    return len(speakers) >= max(_SPEECHES, actions // 4) and len(set(speakers)) <= len(speakers) * 2 // 3
