"""Reads a description line by line, or by the rows of a table, into sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from adstudio.core.errors import Oddity
from adstudio.core.timebase import FrameRate
from adstudio.core.words import count_words
from adstudio.script_files.asides import bracketed_line, cue_words, named_cue, speech, spoken, without_label
from adstudio.script_files.columns import Column, column_of, is_heading_row
from adstudio.script_files.grids import cells_of, is_rule
from adstudio.script_files.table import ScriptTable
from adstudio.script_files.times import (
    Stamp,
    is_duration,
    is_time,
    out_time,
    split_at_times,
    time_stamp,
    without_emphasis,
    without_marks,
)
from adstudio.script_files.title_block import NUMBERED, is_mark, is_short, is_title_entry, title_block, without_time

LONGEST_PARAGRAPH = 20_000
"""Characters; a text without paragraphs is cut into pieces of that length."""
SHOWN_ASIDES = 4
LEAST_MARKS = 3
"""So many lines with a time, cue words or a label make a text a script, and the short lines above them its title."""
LEAST_LABELS = 2
LEAST_NUMBERED = 3
"""So many lines with numbers that follow one another are numbered lines."""
_UNDERLINE = re.compile(r"\s*(?:=+|-{2,}|\*{3,}|_{3,}|(?:[-*_]\s){2,}[-*_]|```\w*|~~~\w*)\s*")
_BYLINE = re.compile(
    r"\W*(?:(?:(?:written|described|audio description|text|notes?|script)\s+)?(?:by|von|par|por|di)\s+\w"
    r"|(?:draft|version|revision|rev\.?|v\.?)\s*\d|(?:author|autor|auteur|copyright|date|datum)\b\s*:?|©|\(c\)\s)",
    re.IGNORECASE,
)
LONGEST_BYLINE = 12
"""Words; a byline comes first in a text, before any heading but the title, and is not part of it."""
_REEL = re.compile(r"\W*(?:reel|filmrolle|rolle|akt|bobine|rollo|bobina|rullo|spoel)\s+\d{1,2}\W*", re.IGNORECASE)
_END = re.compile(
    r"\W*(?:end of (?:the )?(?:ad|audio description|description|script|reel|film|programme?|episode|part)\b.{0,20}"
    r"|(?:the )?end|ends|ende(?: der audiodeskription)?|fin|fine|fim)\W*",
    re.IGNORECASE,
)
_SAID = re.compile(r"\s*(?:[“\"«„](?=[.…]).*|[“\"«„].*[”\"»“][.,!?…]*|(?:\.{2,}|…).*)\s*")
_HEADING = re.compile(
    r"\s*(?:#{1,6}\s+(?P<hash>\S.*)|(?P<scene>(?:scene|szene|scène|escena)\s+\d+[a-z]?\b[\s.:–—-]*.{0,100})"
    r"|(?P<slug>(?:INT|EXT|EST|I/E|INT\.?/EXT)[. ].{1,150}))\s*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Section:
    """A run of prose under one heading or from one time (ms) on; `line` is where its text begins, from 1.

    `written` is the time as it stands there; `label`: it is a timecode with frames, which counts labels. `cue`: the
    words, or the sound, after which it is spoken. `whole`: it is one line of a script, however many sentences it has.
    `note` is what is noted beside it. `breaks` are the characters of the text at which the file's further lines begin.
    """

    text: str
    line: int
    heading: str = ""
    at: int | None = None
    until: int | None = None
    written: str = field(default="", compare=False)
    label: bool = field(default=False, compare=False)
    cue: str = ""
    whole: bool = field(default=False, compare=False)
    note: str = field(default="", compare=False)
    breaks: tuple[int, ...] = field(default=(), compare=False)


class SectionReader:
    """Holds the section that is being read. `lines` are all lines of the text, by which its layout is known."""

    def __init__(self, rate: FrameRate, lines: Sequence[str] = ()) -> None:
        self.sections: list[Section] = []
        self.oddities: list[Oddity] = []
        self._rate = rate
        self._lines: list[str] = []
        self._start, self._heading = 1, ""
        self._stamp: Stamp | None = None
        self._cue = ""
        self._whole = False
        self._note = ""
        self._in_list = False
        self._asides: list[tuple[int, str]] = []
        self._titles: list[tuple[int, str]] = []
        self._numbered = _numbered_lines(lines)
        labels = sum(without_label(without_time(line, rate)) is not None for line in lines)
        self._title_lines = title_block(lines, rate)
        marks = [at for at, line in enumerate(lines, 1) if at > self._title_lines and is_mark(line, rate)]
        self._is_script = labels >= LEAST_LABELS or sum(named_cue(line) is not None for line in lines) >= LEAST_LABELS
        self._has_dialogue = labels >= LEAST_LABELS
        self._first_mark = marks[0] if len(marks) >= LEAST_MARKS else 0
        self._first_line = next((at for at, line in enumerate(lines, 1) if line.strip()), 0)

    def close(self) -> None:
        """Ends the section."""
        text = " ".join(without_emphasis(" ".join(self._lines)).split())
        stamp = self._stamp
        if not self.sections and stamp is None and _BYLINE.match(text) and count_words(text) <= LONGEST_BYLINE:
            self.oddities.append(Oddity(f"this line names the author, so it is skipped: {text}", self._start))
            text = ""
        at, until, written, label = None, None, "", False
        if stamp is not None and stamp.wrong is None:
            at, until, written, label = stamp.at, stamp.until, stamp.written, stamp.label
        if stamp is not None and stamp.wrong_end is not None:
            until = None
        found = [
            Section(piece, self._start, self._heading, at, until, written, label, self._cue, self._whole, self._note)
            for piece in _pieces(text)
            if count_words(piece)
        ]
        if len(found) == 1:
            found = [replace(found[0], breaks=_breaks(self._lines, text))]
        if found:
            self.sections += found
            self._cue = ""
        self._lines.clear()

    def end(self) -> None:
        """Ends the text."""
        self.close()
        if self._titles:
            shown = ", ".join(f"“{text[:40]}”" for _, text in self._titles[:SHOWN_ASIDES])
            self.oddities.append(
                Oddity(f"above the first line of the script, so not described: {shown}", self._titles[0][0])
            )
        if self._asides:
            kinds = [*dict.fromkeys(text for _, text in self._asides[:50])][:SHOWN_ASIDES]
            shown = ", ".join(f"“{text[:40]}”" for text in kinds)
            what = f"cue words, pauses and directions are not spoken ({len(self._asides):,}), such as {shown}"
            self.oddities.append(Oddity(what, self._asides[0][0]))

    def read_table(self, table: ScriptTable) -> None:
        """The rows of a table, a section each."""
        self.oddities += table.oddities
        labels = sum(without_label(row.text) is not None for row in table.rows)
        self._has_dialogue = self._has_dialogue or labels >= LEAST_LABELS
        for row in table.rows:
            self.close()
            if self._is_dialogue(row.line, row.text):
                continue
            self._start, self._stamp, self._heading = row.line, row.stamp, row.scene or self._heading
            self._report_wrong(row.line, row.stamp)
            self._cue = row.cue or self._cue
            self._whole, self._note = row.stamp is not None or bool(self._cue), row.notes
            rest = without_label(row.text)
            self._add_spoken(row.line, row.text if rest is None else rest, item=False)
        self.close()
        self._stamp, self._whole, self._note = None, False, ""

    def read(self, number: int, line: str, following: str) -> None:
        """A line, and the one behind it."""
        if not line.strip():
            self._in_list = False
            # A section with a time or cue words goes on over empty lines; without them a paragraph ends.
            if self._stamp is None and not self._cue:
                self.close()
                self._start = number + 1
            return
        if _UNDERLINE.fullmatch(line):
            if self._stamp is None and len(self._lines) == 1 and not self._lines[0].rstrip().endswith((".", "!", "?")):
                self._heading = without_emphasis(self._lines.pop()).strip(" #:.–—-")
                self._start = number + 1
            return
        if self._is_title(number, line, following):
            self._titles.append((number, line.strip()))
            return
        if (number == self._first_line and column_of(line) is Column.TEXT) or self._is_layout(number, line, following):
            return
        if self._is_cue(number, line):
            return
        row = cells_of(line)
        if row:
            if is_rule(row) or is_rule(cells_of(following)):
                return  # the head of a table says what its columns are, not what is seen
            line, item = " ".join(cell for cell in row if cell), True
        else:
            line, item = self._without_number(number, line)
            line, marked = without_marks(line, numbered=self._in_list or not self._lines or self._starts_numbered(line))
            item = item or marked
            self._in_list = marked
        for part in split_at_times(line, self._rate):
            self._part(number, part, item=item)

    def _is_title(self, number: int, line: str, following: str) -> bool:
        """Whether a line above the first one of a script is its title, or says what it is."""
        if number <= self._title_lines:
            return True
        if number >= self._first_mark or _HEADING.match(line) or _UNDERLINE.fullmatch(following):
            return False
        return is_title_entry(line) or (is_short(line) and line.rstrip()[-1] not in '”"')

    def _is_layout(self, number: int, line: str, following: str) -> bool:
        """Whether a line only heads columns, or holds a number, an out time or a duration of what is described.

        The number of a reel is reported.
        """
        if _REEL.fullmatch(line):
            self._asides.append((number, line.strip()))
            return True
        is_number = line.strip(" .:)#").isdigit() and is_mark(following, self._rate)
        ends = bool(self._first_mark) and _END.fullmatch(line) is not None
        return is_number or ends or is_heading_row(line) or is_duration(line) or self._is_out_time(number, line)

    def _is_out_time(self, number: int, line: str) -> bool:
        until = out_time(line, self._rate)
        if until is None and self._is_bare_in_time(number - 1) and is_time(line):
            out = time_stamp(line, self._rate)
            if out is not None and out.until is None and self._stamp is not None and out.at > self._stamp.at:
                until = out.at
        if until is None or self._stamp is None:
            return False
        if until > self._stamp.at:
            self._stamp = replace(self._stamp, until=until)
        return True

    def _is_bare_in_time(self, number: int) -> bool:
        """Whether a line holds the section's time and nothing else, so that a bare time on the next one is its end."""
        stamp = self._stamp
        return (
            stamp is not None
            and stamp.until is None
            and self._start == number
            and not stamp.rest.strip()
            and not "".join(self._lines).strip()
        )

    def _is_cue(self, number: int, line: str) -> bool:
        """Whether a line holds cue words and nothing else; what follows them begins a section."""
        cue = named_cue(line)
        if cue is None and self._is_dialogue(number, line):
            return True
        if cue is None and self._is_script and time_stamp(line, self._rate) is None:
            whole = bracketed_line(line)
            if whole is not None and not spoken(line).asides:
                cue = whole
            elif _SAID.fullmatch(line) is not None:
                cue = cue_words(line)
        if cue is None:
            return False
        self._asides.append((number, line.strip()))
        self._begin_cue(number, cue)
        return True

    def _is_dialogue(self, number: int, line: str) -> bool:
        """Whether a line is the film's dialogue (BEN: Did you?), after which the next description is spoken."""
        words = speech(line) if self._has_dialogue and without_label(line) is None else None
        if words is None:
            return False
        self._asides.append((number, line.strip()))
        self._begin_cue(number, words)
        return True

    def _begin_cue(self, number: int, cue: str) -> None:
        if self._lines or self._stamp is None:
            self.close()
            self._stamp = None
        self._start, self._cue = number, cue

    def _without_number(self, number: int, line: str) -> tuple[str, bool]:
        """A line without its number and the label of a description, and whether it had one."""
        found = NUMBERED.match(line)
        if found is not None and (number in self._numbered or time_stamp(line[found.end() :], self._rate) is not None):
            line = line[found.end() :]
            return self._without_label(line)[0], True
        return self._without_label(line)

    def _without_label(self, line: str) -> tuple[str, bool]:
        rest = without_label(line)
        if rest is None:
            return line, False
        if any(map(str.strip, self._lines)):
            self.close()
            self._stamp = None
        return rest, True

    def _starts_numbered(self, line: str) -> bool:
        return time_stamp(without_marks(line, numbered=True)[0], self._rate) is not None

    def _part(self, number: int, line: str, *, item: bool) -> None:
        titled = _HEADING.match(line)
        stamp = time_stamp(titled["hash"] if titled and titled["hash"] else line, self._rate)
        if stamp:
            self.close()
            self._stamp = None
            if self._is_dialogue(number, stamp.rest):
                return
            self._start, self._stamp = number, stamp
            self._report_wrong(number, stamp)
            if titled and (name := stamp.rest.strip(" #*_")) and not name.endswith((".", "!", "?")):
                self._heading = name
            else:
                rest = without_label(stamp.rest)
                self._add_spoken(number, stamp.rest if rest is None else rest, item=False)
        elif titled:
            self.close()
            self._heading = without_emphasis(titled["hash"] or titled["scene"] or titled["slug"]).strip(" #:.–—-")
            self._start, self._stamp, self._cue = number + 1, None, ""
        else:
            self._add_spoken(number, line, item=item)

    def _report_wrong(self, number: int, stamp: Stamp | None) -> None:
        if stamp is None:
            return
        for wrong, so in (
            (stamp.wrong, "what follows is placed by its order"),
            (stamp.wrong_end, "this end is ignored"),
        ):
            if wrong is not None:
                what = f"{wrong.written} is no time: it has {wrong.has}, so {so}: correct it"
                self.oddities.append(Oddity(what, number))

    def _add_spoken(self, number: int, line: str, *, item: bool) -> None:
        found = spoken(line)
        self._asides += [(number, text) for text in found.asides]
        for piece in found.pieces:
            if piece.cue:
                self._begin_cue(number, piece.cue)
            if piece.text or not found.asides:
                self._add(number, piece.text, item=item)

    def _add(self, number: int, line: str, *, item: bool) -> None:
        if not self._lines and not self._cue:
            self._start = number
        elif self._lines and item:
            if self._stamp is None:
                self.close()
                self._start = number
            elif count_words(self._lines[-1]) and not self._lines[-1].rstrip().endswith((".", "!", "?", "…", "”")):
                self._lines[-1] = self._lines[-1].rstrip() + "."
        self._lines.append(line)


def _numbered_lines(lines: Sequence[str]) -> frozenset[int]:
    """The lines (from 1) whose numbers follow one another, if nearly all lines with a number do."""
    found = [(at, int(match["number"])) for at, line in enumerate(lines, 1) if (match := NUMBERED.match(line))]
    chain: list[int] = []
    following = None
    for at, number in found:
        if following is None or number == following:
            chain.append(at)
            following = number + 1
    return frozenset(chain if len(chain) >= LEAST_NUMBERED and len(chain) * 5 >= len(found) * 4 else ())


def _breaks(lines: Sequence[str], text: str) -> tuple[int, ...]:
    """Where in a text its lines but the first begin; empty where emphasis goes over several lines."""
    plain = [line for each in lines if (line := " ".join(without_emphasis(each).split()))]
    ends = accumulate(len(line) + 1 for line in plain)
    return tuple(ends)[:-1] if " ".join(plain) == text else ()


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that are not too long for one paragraph, cut behind sentences where there are any."""
    while len(text) > LONGEST_PARAGRAPH:
        place = max(text.rfind(mark, 0, LONGEST_PARAGRAPH) for mark in (". ", "! ", "? ", "。")) + 1
        place = place or LONGEST_PARAGRAPH
        yield text[:place].strip()
        text = text[place:].strip()
    yield text
