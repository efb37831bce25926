"""WebVTT (W3C, https://www.w3.org/TR/webvtt1/, section 6): blocks between blank lines, some of which are cues.

What the standard's parser would silently drop or misread is reported. NOTE blocks are never cues, even if one contains
a timing line.
"""

from __future__ import annotations

import re
from fractions import Fraction

from adstudio.core.errors import Oddity
from adstudio.subtitles.lines import (
    Found,
    blank,
    close_endless,
    cue_from_lines,
    cue_number,
    quoted,
    split_lines,
    timing_lines,
    unreadable,
    unreadable_end,
)
from adstudio.subtitles.parsed_file import SubtitleCue, TrackKind
from adstudio.subtitles.source import Source
from adstudio.subtitles.times import TimingLine, read_start, read_time
from adstudio.subtitles.track_kind import declared_kind, not_dialogue

_NOTE = re.compile(r"\s*NOTE(?:\s|$)")
_BLOCK = re.compile(r"\s*(STYLE|REGION)\s*")
_FIELD = re.compile(r"\s*([A-Za-z][\w-]*)\s*[:=]\s*(.*?)\s*", re.DOTALL)
"""A line of the header; WebVTT leaves its fields to others."""
_LONGEST_FIELD = 200
_LOCAL = re.compile(r"LOCAL\s*:\s*([\d:.]{5,20})", re.IGNORECASE)
_MPEG_TIME = re.compile(r"MPEGTS\s*:\s*(\d{1,12})(?!\d)", re.IGNORECASE)
_MPEG_CLOCK = 90_000
"""Ticks a second of MPEG time."""


class VttReader:
    """Reads the lines once; `at` is the next line."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines: list[str] = split_lines(source.text)
        self.timings: dict[int, TimingLine] = timing_lines(source.text, self.lines)[0]
        self.cues: list[SubtitleCue] = []
        self.oddities: list[Oddity] = []
        self.language: str | None = None
        self.endless: dict[int, str] = {}
        self.track: TrackKind | None = None
        self._maps: set[str] = set()
        self.at = 0

    def read(self) -> Found:
        """The cues of a WebVTT file and its problems."""
        self._header()
        texts = self.lines
        while self.at < len(texts):
            if blank(texts[self.at]):
                self.at += 1
            elif self.at in self.timings:
                self._cue(self.at)
            elif _NOTE.match(texts[self.at]):
                self._note()
            elif self.at + 1 in self.timings:
                self._cue(self.at + 1)
            elif _BLOCK.fullmatch(texts[self.at]):
                self._block()
            else:
                self._stray()
        self.oddities += close_endless(self.cues, self.endless)
        return Found(self.cues, self.oddities, self.language, self.track)

    def _header(self) -> None:
        texts = self.lines
        while self.at < len(texts) and blank(texts[self.at]):
            self.at += 1
        if self.at >= len(texts) or not texts[self.at].lstrip(" \t\ufeff").startswith("WEBVTT"):
            self.oddities.append(Oddity("the file does not start with “WEBVTT”, as WebVTT requires", 1))
            return
        self._fields()

    def _fields(self) -> None:
        """Reads the line that starts with WEBVTT, which some writers put fields on, and those below it."""
        texts = self.lines
        _, _, head = texts[self.at].partition("WEBVTT")
        for part in head[:_LONGEST_FIELD].split(";"):
            self._field(part)
        self.at += 1
        while self.at < len(texts) and not blank(texts[self.at]) and not self._begins_cue(self.at):
            if "-->" in texts[self.at]:
                break
            self._field(texts[self.at])
            self.at += 1

    def _field(self, text: str, *, comment: bool = False) -> bool:
        """Takes a field of the header, or of a comment; whether it is one."""
        field = _FIELD.fullmatch(text[:_LONGEST_FIELD])
        if field is None:
            return False
        name, value = field[1].casefold(), self.source.clean(field[2])
        if name in ("language", "lang"):
            self.language = self.language or value or None
        elif name == "kind":
            self._kind(field[0].strip(), value, comment=comment)
        elif name == "x-timestamp-map":
            self._timestamp_map(value)
        else:
            return False
        return True

    def _kind(self, declaration: str, value: str, *, comment: bool) -> None:
        kind = declared_kind(value)
        if kind is None and not comment and value:
            what = f"the file declares a kind ({quoted(value)}) that is none of WebVTT’s: check that it holds dialogue"
            self.oddities.append(Oddity(what, self.at + 1))
        elif kind is not None and self.track is None:
            self.track = kind
            if kind is not TrackKind.DIALOGUE:
                self.oddities.append(not_dialogue(kind, self.source.clean(declaration), self.at + 1))

    def _timestamp_map(self, value: str) -> None:
        """Reports how the file's times lie in a stream (RFC 8216, section 3.5), once for each map."""
        if value in self._maps:
            return
        self._maps.add(value)
        local, ticks = _LOCAL.search(value), _MPEG_TIME.search(value)
        time = read_time(local[1]) if local else None
        if ticks is None or time is None:
            what = f"X-TIMESTAMP-MAP cannot be read: {quoted(value)}"
        else:
            offset = round(Fraction(int(ticks[1]) * 1000, _MPEG_CLOCK)) - time.ms
            seconds = f"{abs(offset) / 1000:.3f}".rstrip("0").rstrip(".")
            where = f"{seconds} s {'earlier' if offset < 0 else 'later'}" if offset else "at the same time (0 s later)"
            what = (
                f"by X-TIMESTAMP-MAP the cues lie {where} in the stream that they were made for; they are used as "
                "written, since a stream seldom starts at 0: check the first ones against the film"
            )
        self.oddities.append(Oddity(what, self.at + 1))

    def _begins_cue(self, index: int) -> bool:
        return index in self.timings or (index + 1 in self.timings and cue_number(self.lines[index]) is not None)

    def _until_blank(self) -> int:
        index = self.at + 1
        while index < len(self.lines) and not blank(self.lines[index]):
            index += 1
        return index

    def _note(self) -> None:
        begin, end = self.at, self._until_blank()
        if not self.cues:
            self._field(self.lines[begin].strip()[len("NOTE") :], comment=True)
            for self.at in range(begin + 1, end):
                self._field(self.lines[self.at], comment=True)
        self.at = end
        commented = next((index for index in range(begin, self.at) if index in self.timings), None)
        if commented is not None:
            self.oddities.append(Oddity("times inside a NOTE are a comment, not a cue", commented + 1))

    def _block(self) -> None:
        begin, end = self.at, self._until_blank()
        self.at = next((index for index in range(begin + 1, end) if self._begins_cue(index)), end)

    def _cue(self, timing_at: int) -> None:
        texts = self.lines
        first = self.at
        number = cue_number(texts[first]) if first < timing_at else None
        begin = timing_at + 1
        stop = self._text_end(begin, number)
        self.at = stop
        while begin < stop and blank(texts[begin]):
            begin += 1
        while begin < stop and blank(texts[stop - 1]):
            stop -= 1
        timing = self.timings[timing_at]
        self._add(texts[begin:stop], timing, timing_at)

    def _add(self, words: list[str], timing: TimingLine, at: int) -> None:
        if not timing.ends:
            self.endless[len(self.cues)] = unreadable_end(self.source, self.lines[at])
        self.cues.append(cue_from_lines(self.source, words, timing, len(self.cues) + 1, at))
        if timing.note:
            self.oddities.append(Oddity(self.source.clean(timing.note), at + 1))

    def _text_end(self, index: int, number: int | None) -> int:
        """The line at which a cue's text ends: a blank one, or the start of another cue."""
        texts = self.lines
        begin = index
        while index < len(texts):
            line = texts[index]
            if not line or index in self.timings or (blank(line) and self._separates(index)):
                break
            if "-->" in line and line.strip()[:1].isdigit():
                break
            if index + 1 in self.timings and index >= begin and number is not None and cue_number(line) == number + 1:
                break
            index += 1
        return index

    def _separates(self, index: int) -> bool:
        """Whether a line of white space, which counts as text in the standard, was meant to be blank."""
        texts = self.lines
        if index + 1 >= len(texts):
            return True
        line = texts[index + 1]
        return (
            blank(line)
            or index + 1 in self.timings
            or index + 2 in self.timings
            or _NOTE.match(line) is not None
            or _BLOCK.fullmatch(line) is not None
        )

    def _stray(self) -> None:
        """Reports a block that is neither a cue nor a note."""
        texts = self.lines
        begin = self.at
        index = begin
        while index < len(texts) and not blank(texts[index]) and (index == begin or not self._begins_cue(index)):
            index += 1
        if texts[begin].startswith("WEBVTT"):
            self.oddities.append(Oddity("another WebVTT file begins here: its times are used as written", begin + 1))
            self._fields()
            return
        known = 0
        if not self.cues:
            # Some writers leave a blank line inside the header.
            for self.at in range(begin, index):
                known += self._field(texts[self.at])
        self.at = index
        if known == index - begin:
            return
        text = self.source.clean("\n".join(texts[begin:index]))
        arrow = next((k for k in range(begin, min(index, begin + 2)) if "-->" in texts[k]), None)
        if arrow is not None:
            words = texts[arrow + 1 : index]
            timing = read_start(texts[arrow])
            if timing is None:
                self.oddities.append(unreadable(self.source, texts[arrow], "\n".join(words), arrow + 1))
            else:
                self._add(words, timing, arrow)
        else:
            self.oddities.append(Oddity(f"text without times was ignored: {quoted(text)}", begin + 1))
