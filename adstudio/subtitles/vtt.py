"""WebVTT (W3C, https://www.w3.org/TR/webvtt1/, section 6): blocks between blank lines, some of which are cues.

What the standard's parser would silently drop or misread is reported. NOTE blocks are never cues, even if one contains
a timing line.
"""

from __future__ import annotations

import re

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
from adstudio.subtitles.parsed_file import SubtitleCue
from adstudio.subtitles.source import Source
from adstudio.subtitles.times import TimingLine, read_start

_NOTE = re.compile(r"\s*NOTE(?:\s|$)")
_BLOCK = re.compile(r"\s*(STYLE|REGION)\s*")
_METADATA = re.compile(r"\s*([A-Za-z][\w-]*)\s*[:=]\s*(.*?)\s*", re.DOTALL)


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
        return Found(self.cues, self.oddities, self.language)

    def _header(self) -> None:
        texts = self.lines
        while self.at < len(texts) and blank(texts[self.at]):
            self.at += 1
        if self.at >= len(texts) or not texts[self.at].lstrip(" \t\ufeff").startswith("WEBVTT"):
            self.oddities.append(Oddity("the file does not start with “WEBVTT”, as WebVTT requires", 1))
            return
        self.at += 1
        while self.at < len(texts) and not blank(texts[self.at]) and not self._begins_cue(self.at):
            metadata = _METADATA.fullmatch(texts[self.at][:200])
            if metadata and metadata[1].lower() in ("language", "lang") and self.language is None:
                self.language = metadata[2] or None
            self.at += 1

    def _begins_cue(self, index: int) -> bool:
        return index in self.timings or (index + 1 in self.timings and cue_number(self.lines[index]) is not None)

    def _until_blank(self) -> int:
        index = self.at + 1
        while index < len(self.lines) and not blank(self.lines[index]):
            index += 1
        return index

    def _note(self) -> None:
        begin, self.at = self.at, self._until_blank()
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
        self.at = index
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
