"""A subtitle file by lines, and what SRT and WebVTT have in common: headers of cues, blank lines, stray text."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.markup import viewer_text
from adstudio.subtitles.parsed_file import Aside, Place, SubtitleCue
from adstudio.subtitles.source import Source
from adstudio.subtitles.times import INVISIBLE, TimingLine, has_odd_arrows, may_hold_odd_arrow, read_timing_line

MAX_CUES = 200_000
QUOTED = 80


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
    # Nearly every line is empty or begins with a letter or digit: those are told at once.
    if not line or line[0].isalnum():
        return not line
    return not line.strip() or not line.strip().strip(INVISIBLE).strip()


def cue_number(line: str) -> int | None:
    """The number of a line that is nothing but a number."""
    if not line or line[0].isalpha():
        return None
    stripped = line if line.isdecimal() else line.strip().strip(INVISIBLE).strip()
    return int(stripped) if stripped.isdecimal() and len(stripped) <= 9 else None


def timing_lines(text: str, lines: Lines) -> tuple[dict[int, TimingLine], list[int]]:
    """Every line that begins with two times and an arrow, by index, and the other lines that hold an arrow.

    Misspelt arrows count, where times stand on both sides.
    """
    if has_odd_arrows(text):
        candidates = [k for k, line in enumerate(lines.texts) if "-->" in line or may_hold_odd_arrow(line)]
    else:
        candidates = [k for k, line in enumerate(lines.texts) if "-->" in line]
    found: dict[int, TimingLine] = {}
    others: list[int] = []
    for index in candidates:
        timing = read_timing_line(lines.texts[index])
        if timing is None:
            others.append(index)
            continue
        found[index] = timing
        if len(found) > MAX_CUES:
            raise SubtitleError(f"there are more than {MAX_CUES:,} cues: split the file")
    return found, others


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
        words_from, words_to = starts[begin], starts[stop - 1] + len(texts[stop - 1])
    else:
        raw = ""
        words_from = words_to = column + len(texts[at])
    rest = timing.rest
    if source.damaged:
        raw, rest, identifier = source.clean(raw), source.clean(rest), source.clean(identifier)
    # A byte order mark inside a file comes from joining two; it is no part of what anybody reads.
    shown, voices = viewer_text(raw.replace("\ufeff", "") if "\ufeff" in raw else raw)
    start_from, start_to = timing.start_at
    end_from, end_to = timing.end_at
    place = Place(
        starts[first],
        words_to,
        column + start_from,
        column + start_to,
        column + end_from,
        column + end_to,
        words_from,
        words_to,
    )
    return SubtitleCue(number, at + 1, timing.start, timing.end, raw, shown, voices, identifier, rest, place)
