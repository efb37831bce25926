"""What the readers of SRT, WebVTT and ASS share: lines, cue numbers, times and cues."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.core.timebase import clock
from adstudio.core.words import spoken_ms
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.markup import viewer_text
from adstudio.subtitles.parsed_file import SubtitleCue, TrackKind
from adstudio.subtitles.source import Source
from adstudio.subtitles.times import (
    INVISIBLE,
    TimingLine,
    frame_rate,
    frames_of,
    has_odd_arrows,
    may_hold_odd_arrow,
    read_timing_line,
)

MAX_CUES = 200_000
QUOTED = 80
_WORDS_PER_MINUTE = 160
_SHORTEST_MS = 1000


class Found(NamedTuple):
    """A reader's result."""

    cues: list[SubtitleCue]
    oddities: list[Oddity]
    language: str | None = None
    track: TrackKind | None = None
    signs: int = 0


def split_lines(text: str) -> list[str]:
    """A text's lines, which end at CR LF, LF or CR in any mixture; U+2028 and U+0085 are text."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def blank(line: str) -> bool:
    """Whether a line shows nothing: it is empty or has only white space and invisible characters."""
    # A quick answer for nearly all lines: they are empty or start with a letter or digit.
    if not line or line[0].isalnum():
        return not line
    return not line.strip() or not line.strip().strip(INVISIBLE).strip()


def cue_number(line: str) -> int | None:
    """The number on a line that consists of nothing else."""
    if not line or line[0].isalpha():
        return None
    stripped = line if line.isdecimal() else line.strip().strip(INVISIBLE).strip()
    return int(stripped) if stripped.isdecimal() and len(stripped) <= 9 else None


def timing_lines(text: str, lines: list[str]) -> tuple[dict[int, TimingLine], list[int]]:
    """Every line that starts with two times and an arrow, by index, and the other lines that contain an arrow.

    Misspelt arrows between two times count. Times with frames are read at a likely rate, which the first one notes.
    """
    if has_odd_arrows(text):
        candidates = [k for k, line in enumerate(lines) if "-->" in line or may_hold_odd_arrow(line)]
    else:
        candidates = [k for k, line in enumerate(lines) if "-->" in line]
    found: dict[int, TimingLine] = {}
    others: list[int] = []
    for index in candidates:
        timing = read_timing_line(lines[index])
        if timing is None:
            others.append(index)
            continue
        found[index] = timing
        if len(found) > MAX_CUES:
            raise SubtitleError(f"there are more than {MAX_CUES:,} cues: split the file")
    _read_frames(lines, found)
    return found, others


def _read_frames(lines: list[str], timings: dict[int, TimingLine]) -> None:
    """Read times such as 00:01:10:12 again, with the last number as frames if most of the file is written so."""
    framed = {at: times for at, timing in timings.items() if timing.note and (times := frames_of(lines[at]))}
    rate = frame_rate([time for times in framed.values() for time in times]) if framed else None
    if rate is None or 2 * len(framed) <= len(timings) or any(len(times) < 2 for times in framed.values()):
        for at in framed:
            note = f"{timings[at].note}; whether the last number counts hundredths or frames is unclear"
            timings[at] = timings[at]._replace(note=note)
        return
    for count, (at, (start, end)) in enumerate(framed.items()):
        example = f"“{lines[at].split('-->')[0].strip()}” is {clock(start.ms(rate))}"
        note = "" if count else f"the times count frames; at a rate of {rate.name}, which is assumed, {example}"
        timings[at] = timings[at]._replace(start=start.ms(rate), end=end.ms(rate), note=note)


def quoted(text: str) -> str:
    """The start of a text on one line, in quotation marks."""
    flat = " ".join(text[: 4 * QUOTED].split())
    return f"“{flat[:QUOTED]}…”" if len(flat) > QUOTED or len(text) > 4 * QUOTED else f"“{flat}”"


def cue_from_lines(source: Source, lines: list[str], timing: TimingLine, number: int, at: int) -> SubtitleCue:
    """A cue with its times on line index `at`, and these lines of text."""
    raw = lines[0] if len(lines) == 1 else "\n".join(lines)
    if source.damaged:
        raw = source.clean(raw)
    # A byte-order mark inside a file comes from joining two files; it is not text.
    shown, voices = viewer_text(raw.replace("\ufeff", "") if "\ufeff" in raw else raw)
    return SubtitleCue(number, at + 1, timing.start, timing.end, shown, voices)


def unreadable(source: Source, times: str, text: str, line: int) -> Oddity:
    """The problem of a cue that is ignored because its times cannot be read."""
    times, text = quoted(source.clean(times)), quoted(source.clean(text))
    return Oddity(f"the times {times} cannot be read, so the cue {text} was ignored", line)


def unreadable_end(source: Source, times: str) -> str:
    """Why a cue is among the endless ones (`close_endless`): of its times only the start can be read."""
    return f"the end in {quoted(source.clean(times))} cannot be read"


def close_endless(
    cues: list[SubtitleCue], endless: Mapping[int, str], *, shown_until_next: bool = False
) -> list[Oddity]:
    """Give the cues at these indexes an end, and say for each why it had none and what was used.

    They end when their words have been spoken, not before the end that they have so far, or when the next cue starts if
    that is earlier or `shown_until_next`.
    """
    following = dict(pairwise(sorted({cue.start for cue in cues}))) if endless else {}
    found: list[Oddity] = []
    for index, why in endless.items():
        cue = cues[index]
        spoken = max(cue.end, cue.start + max(_SHORTEST_MS, spoken_ms(cue.text, _WORDS_PER_MINUTE)))
        upcoming = following.get(cue.start, spoken)
        end = upcoming if shown_until_next else min(upcoming, spoken)
        cues[index] = cue._replace(end=end)
        source = "the length of its text" if end == spoken else "the start of the next one"
        found.append(Oddity(f"{why}; {source} was used", cue.line))
    return found
