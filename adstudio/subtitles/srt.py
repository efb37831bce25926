"""SubRip (SRT), which has no specification: files in the wild are read as far as possible and the rest is reported.

A line with two times starts a cue, whatever precedes it; its number is the line above. Everything up to the next cue is
its text, including blank lines, which some writers leave in the middle of a sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left

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
from adstudio.subtitles.times import TimingLine, is_lone_time, read_start

_COORDINATES = re.compile(r"(?:[XY][12]?:-?\d+[ \t]*)+|[a-z]+:\S+(?:[ \t]+[a-z]+:\S+)*")


def read_srt(source: Source) -> Found:
    """The cues of an SRT file and its problems."""
    lines = split_lines(source.text)
    timings, others = timing_lines(source.text, lines)
    broken = _broken_timings(lines, timings, others)
    heads = sorted([*timings, *broken])
    cues: list[SubtitleCue] = []
    oddities: list[Oddity] = []
    numbers: list[int | None] = []
    firsts: list[int] = []
    endless: dict[int, str] = {}
    numbered = False
    for k, at in enumerate(heads):
        floor = heads[k - 1] + 1 if k else 0
        first, number = _number_line(lines, at, floor, numbers[-1] if numbers else None)
        firsts.append(first)
        numbers.append(number)
    loose = _loose_numbers(lines, frozenset(firsts).union(heads))
    end_of_file = len(lines)
    preamble = firsts[0] if firsts else end_of_file
    oddities += _stray(source, lines, 0, preamble, "text before the first cue")
    for k, at in enumerate(heads):
        stop = firsts[k + 1] if k + 1 < len(heads) else end_of_file
        following = numbers[k + 1] if k + 1 < len(heads) else None
        lost = _lost_number(loose, at, stop, numbers[k], following) if loose else None
        begin, stop, rest = _text_of(lines, at + 1, stop, lost)
        timing = timings.get(at) or read_start(lines[at])
        if timing is None:
            oddities.append(unreadable(source, lines[at], "\n".join(lines[begin:stop]), at + 1))
        else:
            if not timing.ends:
                endless[len(cues)] = unreadable_end(source, lines[at])
            cue = cue_from_lines(source, lines[begin:stop], timing, len(cues) + 1, at)
            cues.append(cue)
            numbered = numbered or firsts[k] < at
            if timing.note or timing.rest or begin > at + 1 or stop - begin > 2:
                oddities += _about(source, timing, cue, lines[begin:stop], begin - at - 1)
        if rest:
            oddities += _without_times(source, lines, *rest)
    oddities += close_endless(cues, endless)
    if cues and not numbered:
        oddities.append(Oddity("the cues are not numbered, as SRT requires", cues[0].line))
    return Found(cues, oddities)


def _broken_timings(lines: list[str], timings: dict[int, TimingLine], others: list[int]) -> list[int]:
    """Lines in place of a timing line, with an arrow or with times alone, that cannot be read as one."""
    arrows = [k for k in others if "-->" in lines[k]]
    lone = [k for k, line in enumerate(lines) if line[2:3] == ":" and k not in timings and is_lone_time(line)]
    found: list[int] = []
    for index in {*arrows, *lone}:
        line = lines[index]
        above = lines[index - 1] if index else ""
        numbered = cue_number(above) is not None and (index < 2 or blank(lines[index - 2]))
        if numbered or ("-->" in line and blank(above) and line.strip()[:1].isdigit()):
            found.append(index)
    return found


def _number_line(lines: list[str], at: int, floor: int, previous: int | None) -> tuple[int, int | None]:
    """The line on which a cue starts, and its number; `floor` is the first line that can belong to it."""
    above = at - 1
    if above < floor:
        return at, None
    if above > floor and not lines[above - 1] and lines[above].isdecimal() and len(lines[above]) <= 9:
        return above, int(lines[above])
    number = cue_number(lines[above])
    if number is not None:
        # Digits directly below text may belong to it; the file's numbering decides.
        only_text = above == floor and floor > 0
        glued = above > 0 and not blank(lines[above - 1]) and above >= floor and floor > 0
        if not glued or (previous is not None and (number == previous + 1 or not only_text)):
            return above, number
        return at, None
    if blank(lines[above]) and above - 1 >= floor:
        number = cue_number(lines[above - 1])
        if number is not None and number == (previous or 0) + 1:
            return above - 1, number
    return at, None


def _loose_numbers(lines: list[str], taken: frozenset[int]) -> list[tuple[int, int]]:
    """Lines, with their numbers, that are a number between a blank line and text but do not start a cue."""
    found: list[tuple[int, int]] = []
    numeric = [k for k, line in enumerate(lines) if line and line[0] <= "9" and k not in taken]
    for index in numeric:
        number = cue_number(lines[index])
        filled = 0 < index < len(lines) - 1 and blank(lines[index - 1]) and not blank(lines[index + 1])
        if number is not None and filled:
            found.append((index, number))
    return found


def _lost_number(
    loose: list[tuple[int, int]], at: int, stop: int, number: int | None, following: int | None
) -> int | None:
    """The line, after the times on line `at`, with the number of the next cue if that lacks its times."""
    if number is None or following == number + 1:
        return None
    for k in range(bisect_left(loose, (at + 2, 0)), len(loose)):
        if loose[k][0] >= stop:
            return None
        if loose[k][1] == number + 1:
            return loose[k][0]
    return None


def _text_of(lines: list[str], begin: int, stop: int, lost: int | None) -> tuple[int, int, tuple[int, int] | None]:
    """The lines of a cue's text without blank ones at its ends, and those of a following entry without times."""
    rest = (lost, stop) if lost else None
    if lost:
        stop = lost
    # Checking for empty lines first saves most calls.
    while begin < stop and (not lines[begin] or blank(lines[begin])):
        begin += 1
    while begin < stop and (not lines[stop - 1] or blank(lines[stop - 1])):
        stop -= 1
    return begin, stop, rest


def _about(source: Source, timing: TimingLine, cue: SubtitleCue, texts: list[str], skipped: int) -> list[Oddity]:
    found: list[Oddity] = []
    if timing.note:
        found.append(Oddity(source.clean(timing.note), cue.line))
    if timing.rest and not _COORDINATES.fullmatch(timing.rest):
        found.append(Oddity(f"text after the times was ignored: {quoted(source.clean(timing.rest))}", cue.line))
    if texts and (skipped or (len(texts) > 2 and any(blank(text) for text in texts))):
        found.append(Oddity("there is a blank line inside the cue; the text after it was kept", cue.line))
    return found


def _without_times(source: Source, lines: list[str], begin: int, stop: int) -> list[Oddity]:
    text = quoted(source.clean("\n".join(lines[begin + 1 : stop])))
    return [Oddity(f"cue {lines[begin].strip()} has no times, so {text} was ignored", begin + 1)]


def _stray(source: Source, lines: list[str], begin: int, stop: int, what: str) -> list[Oddity]:
    filled = [index for index in range(begin, stop) if not blank(lines[index])]
    if not filled:
        return []
    text = quoted(source.clean("\n".join(lines[filled[0] : filled[-1] + 1])))
    return [Oddity(f"{what} was ignored: {text}", filled[0] + 1)]
