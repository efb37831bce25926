"""Times as subtitle files write them, correctly or not: timing lines in SRT and WebVTT, fields in ASS."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from adstudio.core.timebase import RATES, FrameRate, TimeError, clock

_WELL_WRITTEN = re.compile(
    r"[ \t]*(?:(\d{2,4}):)?([0-5]\d):([0-5]\d)[,.](\d{3})[ \t]*-->[ \t]*"
    r"(?:(\d{2,4}):)?([0-5]\d):([0-5]\d)[,.](\d{3})(?:[ \t]+(.*))?",
    re.ASCII | re.DOTALL,
)
_HOURS = {f"{n:02d}:": n * 3_600_000 for n in range(100)}
_MINUTES = {f"{n:02d}:": n * 60_000 for n in range(60)}
_SECONDS = {f"{n:02d}{mark}": n * 1000 for n in range(60) for mark in ",."}
_MILLISECONDS = {f"{n:03d}": n for n in range(1000)}

_BADLY_WRITTEN = re.compile(r"\s*([-+\u2212]?\d{1,9}(?:\s?[:.,;]\s?\d{1,9}){1,3})(?!\S)", re.ASCII)
_FRAMES = re.compile(r"\s*(\d{1,3})[:;](\d\d)[:;](\d\d)([:;])(\d\d)(?!\S)", re.ASCII)
_TIME_AFTER = re.compile(rf"[^\w:.,;]{{1,9}}{_BADLY_WRITTEN.pattern}", re.ASCII)
_LONE_TIME = re.compile(r"\s*\d{1,3}:\d\d:\d\d[.,]\d{1,3}(?:[^\w:.,;]{1,9}[\d:.,;]*)?", re.ASCII)
_LONGEST_TIMES = 200
_ODD_ARROW = re.compile(
    r"[ \t]*[-+]?\d[\d:.,; ]{2,20}?[ \t]*(-{1,3}[ ]?>|-[ ]->|[\u2012-\u2015\u2212]{1,2}>|=+>|"
    r"[\u2192\u279c\u27f6\u21d2])[ \t]*[-+]?\d[\d:.,; ]{2,20}"
)
_OTHER_ARROWS = ("- >", "=>", *(dash + ">" for dash in "\u2012\u2013\u2014\u2015\u2212"), *"\u2192\u279c\u27f6\u21d2")
INVISIBLE = "\ufeff\u200b\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that show nothing."""

_FIELD = re.compile(r"[:.,;]|\d+")
_SIGNS = {"-": -1, "\u2212": -1, "+": 1}


class ReadTime(NamedTuple):
    """A time in milliseconds, and whether its notation deviates from the format's."""

    ms: int
    odd: bool


class Frames(NamedTuple):
    """A time of hours, minutes, seconds and frames; `drop`: as drop-frame timecode writes it."""

    hour: int
    minute: int
    second: int
    frame: int
    drop: bool

    def ms(self, rate: FrameRate) -> int:
        """The time at a frame rate, in milliseconds."""
        label = f"{self.hour:02d}:{self.minute:02d}:{self.second:02d}{';' if rate.drop else ':'}{self.frame:02d}"
        try:
            return rate.ms_of_label(label)
        except TimeError:
            # Beyond a day, or among the labels that drop-frame timecode skips.
            return ((self.hour * 60 + self.minute) * 60 + self.second) * 1000 + round(self.frame * 1000 / rate.rate)


class TimingLine(NamedTuple):
    """A cue's times, what follows them, and a note about anything odd; `ends`: whether its end can be read."""

    start: int
    end: int
    rest: str = ""
    note: str = ""
    ends: bool = True


def read_timing_line(line: str) -> TimingLine | None:
    """A line that starts with two times and an arrow; None for any other line.

    Fractions are decimal (“,5” is half a second), rounded to the millisecond.
    """
    if len(line) == 29 and line[12:17] == " --> ":
        # Table lookup for the form of nearly every SRT line is three times as fast.
        try:
            return TimingLine(
                _HOURS[line[:3]] + _MINUTES[line[3:6]] + _SECONDS[line[6:9]] + _MILLISECONDS[line[9:12]],
                _HOURS[line[17:20]] + _MINUTES[line[20:23]] + _SECONDS[line[23:26]] + _MILLISECONDS[line[26:]],
            )
        except KeyError:
            pass
    match = _WELL_WRITTEN.fullmatch(line)
    if match is None:
        return _read_badly_written(line)
    sh, sm, ss, sf, eh, em, es, ef, rest = match.groups()
    return TimingLine(
        ((int(sh or 0) * 60 + int(sm)) * 60 + int(ss)) * 1000 + int(sf),
        ((int(eh or 0) * 60 + int(em)) * 60 + int(es)) * 1000 + int(ef),
        rest or "",
    )


def has_odd_arrows(text: str) -> bool:
    """Whether a text contains any arrow other than “-->”."""
    return text.count("->") > text.count("-->") or any(arrow in text for arrow in _OTHER_ARROWS)


def may_hold_odd_arrow(line: str) -> bool:
    """Whether a line could have times and a misspelt arrow: a quick check before the thorough one."""
    head = line[:40].lstrip()[:1]
    return (head.isdigit() or head in ("-", "+")) and len(line) < 200 and ":" in line


def _read_badly_written(line: str) -> TimingLine | None:
    odd_arrow = None
    arrow = line.find("-->")
    width = 3
    if arrow < 0:
        odd_arrow = _ODD_ARROW.match(line[:200])
        if odd_arrow is None:
            return None
        arrow, width = odd_arrow.start(1), odd_arrow.end(1) - odd_arrow.start(1)
    # Full-width digits and colons become plain ones; other characters keep their column.
    plain = line if line.isascii() else "".join(_plain(char) for char in line)
    head = plain[:arrow].rstrip()
    before = _BADLY_WRITTEN.fullmatch(head.rstrip("-").rstrip())
    after = _BADLY_WRITTEN.match(plain, arrow + width)
    if before is None or after is None:
        return None
    start, end = read_time(before[1]), read_time(after[1])
    if start is None or end is None:
        return None
    notes: list[str] = []
    if head.endswith("-"):
        notes.append("the arrow has too many hyphens")
    if odd_arrow is not None:
        notes.append(f"the arrow is written as “{odd_arrow[1]}”")
    notes += [
        f"“{text.strip()}” is read as {clock(time.ms)}"
        for text, time in ((before[1], start), (after[1], end))
        if time.odd or not line.isascii()
    ]
    return TimingLine(start.ms, end.ms, line[after.end() :].strip(), "; ".join(notes))


def frames_of(line: str) -> list[Frames]:
    """The two times of a timing line if both end in a number of two digits after a colon, as frames are written."""
    before, _, after = ("".join(_plain(char) for char in line[:_LONGEST_TIMES])).partition("-->")
    found = [_FRAMES.match(part) for part in (before, after)]
    return [Frames(*map(int, match.group(1, 2, 3, 5)), drop=match[4] == ";") for match in found if match]


def frame_rate(times: Sequence[Frames]) -> FrameRate | None:
    """The rate at which times may count frames, which their file does not say: the lowest that has them all, if any.

    It is 25 for most films: read at another rate, no time is off by more than a fifth of a second.
    """
    if any(time.drop for time in times):
        return RATES["29.97 DF"] if all(time.frame < 30 for time in times) else None
    highest = max(time.frame for time in times)
    return next((RATES[name] for name in ("25", "30", "50") if RATES[name].nominal > highest), None)


def read_start(line: str) -> TimingLine | None:
    """A line with a start, but with an end that cannot be read (it is then the start) or no arrow; None without one."""
    plain = "".join(_plain(char) for char in line[:_LONGEST_TIMES])
    before, arrow, after = plain.partition("-->")
    first = _BADLY_WRITTEN.match(before)
    start = read_time(first[1]) if first else None
    if first is None or start is None:
        return None
    second = _BADLY_WRITTEN.match(after) if arrow else _TIME_AFTER.match(before, first.end())
    end = read_time(second[1]) if second else None
    if end is None:
        return TimingLine(start.ms, start.ms, ends=False)
    return TimingLine(start.ms, end.ms, note=f"the times are read as {clock(start.ms)} to {clock(end.ms)}")


def is_lone_time(line: str) -> bool:
    """Whether a line has a full time, perhaps a second one, and nothing else: times that have lost their arrow."""
    return len(line) < _LONGEST_TIMES and _LONE_TIME.fullmatch(line) is not None


def _plain(char: str) -> str:
    # Byte-order and direction marks show nothing and can occur anywhere in joined files.
    if char in INVISIBLE:
        return " "
    folded = unicodedata.normalize("NFKC", char)
    return folded if len(folded) == 1 else char


def read_time(text: str, fraction_digits: int = 3) -> ReadTime | None:
    """A time of two to four fields, `[-][h:]m:s[.fraction]`; None for anything else.

    Of four fields the last is the fraction, whatever its separator; of fewer, only one after a dot or comma is.
    `fraction_digits` is the number of digits that the format requires.
    """
    text = text.strip()
    if _BADLY_WRITTEN.fullmatch(text) is None:
        return None
    sign = _SIGNS.get(text[:1], 1)
    pieces = _FIELD.findall(text)
    fields, separators = pieces[::2], pieces[1::2]
    fraction = ""
    clear = all(mark in ":;" for mark in separators[:-1])
    if len(fields) == 4 or (separators[-1] in ".," and clear):
        fraction = fields.pop()
    elif not clear or separators[-1] in ".,":
        return None
    whole = 0
    for field in fields:
        whole = whole * 60 + int(field)
    scale = 10 ** len(fraction)
    ms = whole * 1000 + ((int(fraction) * 2000 + scale) // (2 * scale) if fraction else 0)
    usual = (
        len(fields) >= 2
        and len(fraction) == fraction_digits
        and all(mark == ":" for mark in separators[:-1])
        and separators[-1] in ".,"
        and all(len(field) == 2 and field < "60" for field in fields[1:])
        and text[:1].isdigit()
        and " " not in text
    )
    return ReadTime(sign * ms, not usual)
