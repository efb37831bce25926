"""SubRip (SRT), which has no specification: what files in the wild look like is read, what cannot be is listed.

A line with two times begins a cue, whatever stands before it; its number is the line above. Everything up to the next
cue's beginning is its text, blank lines included, for writers do leave blank lines in the middle of a sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from adstudio.core.errors import Oddity
from adstudio.subtitles.lines import Found, Lines, blank, cue_number, make_cue, quoted, split_lines, timing_lines
from adstudio.subtitles.parsed_file import SubtitleCue
from adstudio.subtitles.source import Source
from adstudio.subtitles.times import TimingLine

_COORDINATES = re.compile(r"(?:[XY][12]?:-?\d+[ \t]*)+|[a-z]+:\S+(?:[ \t]+[a-z]+:\S+)*")


def read_srt(source: Source) -> Found:
    """The cues of an SRT file and what was odd about it."""
    lines = split_lines(source.text)
    timings, others = timing_lines(source.text, lines)
    broken = _broken_timings(lines, others)
    heads = sorted([*timings, *broken])
    cues: list[SubtitleCue] = []
    oddities: list[Oddity] = []
    numbers: list[int | None] = []
    firsts: list[int] = []
    for k, at in enumerate(heads):
        floor = heads[k - 1] + 1 if k else 0
        first, number = _number_line(lines, at, floor, numbers[-1] if numbers else None)
        firsts.append(first)
        numbers.append(number)
    loose = _loose_numbers(lines, frozenset(firsts).union(heads))
    end_of_file = len(lines.texts)
    preamble = firsts[0] if firsts else end_of_file
    oddities += _stray(source, lines, 0, preamble, "text before the first cue")
    for k, at in enumerate(heads):
        stop = firsts[k + 1] if k + 1 < len(heads) else end_of_file
        following = numbers[k + 1] if k + 1 < len(heads) else None
        lost = _lost_number(loose, at, stop, numbers[k], following) if loose else None
        begin, stop, rest = _text_of(lines, at + 1, stop, lost)
        if at in broken:
            text = quoted(source.clean("\n".join(lines.texts[begin:stop])))
            what = f"the times {quoted(source.clean(lines.texts[at]))} cannot be read, so the cue {text} is not used"
            oddities.append(Oddity(what, at + 1))
        else:
            timing = timings[at]
            identifier = lines.texts[firsts[k]].strip(" \t\ufeff") if firsts[k] < at else ""
            cue = make_cue(
                source,
                lines,
                timing,
                number=len(cues) + 1,
                first=firsts[k],
                at=at,
                text=(begin, stop),
                identifier=identifier,
            )
            cues.append(cue)
            if timing.note or timing.rest or begin > at + 1 or stop - begin > 2:
                oddities += _about(source, timing, cue, lines.texts[begin:stop], begin - at - 1)
        if rest:
            oddities += _without_times(source, lines, *rest)
    if cues and not any(cue.identifier for cue in cues):
        oddities.append(Oddity("the cues are not numbered, as SRT asks", cues[0].line))
    return Found(cues, oddities, [])


def _broken_timings(lines: Lines, others: list[int]) -> frozenset[int]:
    """Lines with an arrow that stand where times belong but hold none that can be read."""
    found: list[int] = []
    for index in others:
        line = lines.texts[index]
        if "-->" not in line:
            continue
        above = lines.texts[index - 1] if index else ""
        numbered = cue_number(above) is not None and (index < 2 or blank(lines.texts[index - 2]))
        if numbered or (blank(above) and line.strip()[:1].isdigit()):
            found.append(index)
    return frozenset(found)


def _number_line(lines: Lines, at: int, floor: int, previous: int | None) -> tuple[int, int | None]:
    """The line that a cue begins on, and its number; `floor` is the first line that can belong to it."""
    texts = lines.texts
    above = at - 1
    if above < floor:
        return at, None
    if above > floor and not texts[above - 1] and texts[above].isdecimal() and len(texts[above]) <= 9:
        return above, int(texts[above])
    number = cue_number(texts[above])
    if number is not None:
        # Digits that touch the text above may be that text; the file's own counting decides.
        only_text = above == floor and floor > 0
        glued = above > 0 and not blank(texts[above - 1]) and above >= floor and floor > 0
        if not glued or (previous is not None and (number == previous + 1 or not only_text)):
            return above, number
        return at, None
    if blank(texts[above]) and above - 1 >= floor:
        number = cue_number(texts[above - 1])
        if number is not None and number == (previous or 0) + 1:
            return above - 1, number
    return at, None


def _loose_numbers(lines: Lines, taken: frozenset[int]) -> list[tuple[int, int]]:
    """Lines that are a number but begin no cue, after a blank line and before a filled one, with the number."""
    texts = lines.texts
    found: list[tuple[int, int]] = []
    numeric = [k for k, line in enumerate(texts) if line and line[0] <= "9" and k not in taken]
    for index in numeric:
        number = cue_number(texts[index])
        filled = 0 < index < len(texts) - 1 and blank(texts[index - 1]) and not blank(texts[index + 1])
        if number is not None and filled:
            found.append((index, number))
    return found


def _lost_number(
    loose: list[tuple[int, int]], at: int, stop: int, number: int | None, following: int | None
) -> int | None:
    """The line, after the times on line `at`, with the number of a next cue that has lost its own times."""
    if number is None or following == number + 1:
        return None
    for k in range(bisect_left(loose, (at + 2, 0)), len(loose)):
        if loose[k][0] >= stop:
            return None
        if loose[k][1] == number + 1:
            return loose[k][0]
    return None


def _text_of(lines: Lines, begin: int, stop: int, lost: int | None) -> tuple[int, int, tuple[int, int] | None]:
    """The lines of a cue's text without blank ones at its ends, and those of an entry that has lost its times."""
    texts = lines.texts
    rest = (lost, stop) if lost else None
    if lost:
        stop = lost
    # Asking whether a line is empty first saves most calls.
    while begin < stop and (not texts[begin] or blank(texts[begin])):
        begin += 1
    while begin < stop and (not texts[stop - 1] or blank(texts[stop - 1])):
        stop -= 1
    return begin, stop, rest


def _about(source: Source, timing: TimingLine, cue: SubtitleCue, texts: list[str], skipped: int) -> list[Oddity]:
    found: list[Oddity] = []
    if timing.note:
        found.append(Oddity(source.clean(timing.note), cue.line))
    if timing.rest and not _COORDINATES.fullmatch(timing.rest):
        found.append(Oddity(f"what follows the times is not used: {quoted(source.clean(timing.rest))}", cue.line))
    if texts and (skipped or (len(texts) > 2 and any(blank(text) for text in texts))):
        found.append(Oddity("a blank line stands inside the cue; the text after it is taken as its own", cue.line))
    return found


def _without_times(source: Source, lines: Lines, begin: int, stop: int) -> list[Oddity]:
    text = quoted(source.clean("\n".join(lines.texts[begin + 1 : stop])))
    return [Oddity(f"cue {lines.texts[begin].strip()} has no times, so {text} is not used", begin + 1)]


def _stray(source: Source, lines: Lines, begin: int, stop: int, what: str) -> list[Oddity]:
    filled = [index for index in range(begin, stop) if not blank(lines.texts[index])]
    if not filled:
        return []
    text = quoted(source.clean("\n".join(lines.texts[filled[0] : filled[-1] + 1])))
    return [Oddity(f"{what} is not used: {text}", filled[0] + 1)]
