"""A subtitle file by lines, and what SRT and WebVTT have in common: headers of cues, blank lines, stray text."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.markup import viewer_text
from adstudio.subtitles.model import Aside, Place, SubtitleCue
from adstudio.subtitles.source import Source
from adstudio.subtitles.times import ANY_ARROW, TimingLine, read_timing_line

MAX_CUES = 200_000
QUOTED = 80
_INVISIBLE = "\ufeff\u200b\u200e\u200f\u2060"


class Lines(NamedTuple):
    """The lines of a text without their ends, and the character offset at which each begins."""

    texts: list[str]
    starts: list[int]


class Found(NamedTuple):
    """What a reader makes of a file."""

    cues: list[SubtitleCue]
    oddities: list[Oddity]
    asides: list[Aside]
    language: str | None = None


def split_lines(text: str) -> Lines:
    """Lines end at CR LF, LF or CR, mixed as they come; U+2028 and U+0085 are text."""
    if "\r" not in text:
        texts = text.split("\n")
        return Lines(texts, [0, *accumulate([len(line) + 1 for line in texts[:-1]])])
    pairs = text.count("\r\n")
    if text.count("\r") == pairs == text.count("\n"):
        texts = text.split("\r\n")
        return Lines(texts, [0, *accumulate([len(line) + 2 for line in texts[:-1]])])
    texts = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    starts = [0]
    for line in texts[:-1]:
        end = starts[-1] + len(line)
        starts.append(end + (2 if text.startswith("\r\n", end) else 1))
    return Lines(texts, starts)


def blank(line: str) -> bool:
    """Whether a line shows nothing: empty, white space of any kind, or invisible marks."""
    return not line or not line.strip() or not line.strip().strip(_INVISIBLE).strip()


def cue_number(line: str) -> int | None:
    """The number of a line that is nothing but a number."""
    stripped = line.strip().strip(_INVISIBLE).strip()
    return int(stripped) if stripped.isdecimal() and len(stripped) <= 9 else None


def timing_lines(lines: Lines) -> dict[int, TimingLine]:
    """Every line that begins with two times and an arrow, by index; those with a misspelt arrow too."""
    found: dict[int, TimingLine] = {}
    for index, line in enumerate(lines.texts):
        if "-->" in line or (len(line) < 200 and _may_hold_odd_arrow(line)):
            timing = read_timing_line(line)
            if timing is not None:
                found[index] = timing
                if len(found) > MAX_CUES:
                    raise SubtitleError(f"there are more than {MAX_CUES:,} cues: split the file")
    return found


def _may_hold_odd_arrow(line: str) -> bool:
    head = line.lstrip()[:1]
    return (head.isdigit() or head == "-") and ":" in line and ANY_ARROW.search(line) is not None


def quoted(text: str) -> str:
    """The beginning of a text on one line, in quotation marks."""
    flat = " ".join(text[: 4 * QUOTED].split())
    return f"“{flat[:QUOTED]}…”" if len(flat) > QUOTED or len(text) > 4 * QUOTED else f"“{flat}”"


def make_cue(
    source: Source,
    lines: Lines,
    timing: TimingLine,
    *,
    number: int,
    first: int,
    at: int,
    text: tuple[int, int],
    identifier: str,
) -> SubtitleCue:
    """A cue that begins on line index `first`, has its times on `at` and its text on the lines `text[0]:text[1]`."""
    texts, starts = lines
    begin, stop = text
    column = starts[at]
    if begin < stop:
        raw = texts[begin] if stop - begin == 1 else "\n".join(texts[begin:stop])
        words = (starts[begin], starts[stop - 1] + len(texts[stop - 1]))
    else:
        raw = ""
        words = (column + len(texts[at]), column + len(texts[at]))
    if source.damaged:
        raw = source.clean(raw)
    shown, voices = viewer_text(raw)
    start_at, end_at = timing.start_at, timing.end_at
    place = Place(
        (starts[first], words[1]),
        (column + start_at[0], column + start_at[1]),
        (column + end_at[0], column + end_at[1]),
        words,
    )
    return SubtitleCue(
        number, at + 1, timing.start, timing.end, raw, shown, voices, identifier, source.clean(timing.rest), place
    )
