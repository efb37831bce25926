"""Whether a script's times are those of the film: another start timecode, rate or speed is found, and can be mended."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import median

from adstudio.core.counts import percent
from adstudio.core.script import Script
from adstudio.core.timebase import RATES, FrameRate, Span, clock, parse_rate
from adstudio.gaps.gaps import gaps_of
from adstudio.importing.findings import ScriptTimesError, TimeFault, TimeFix, start_fix
from adstudio.script_files.finished import FinishedLine, FinishedScript
from adstudio.script_files.reading import TimesRead

Read = Callable[[FrameRate, str], TimesRead]
"""Reads a script's file with the rate of its timecode and the timecode of the film's first frame."""

HOUR_MS = 3_600_000
LEADER_MS = 120_000
"""What comes before the first frame may be described: titles of the distributor, two minutes at most."""
MOST = Fraction(9, 10)
"""The share of lines that must be in the film."""
LEAST_LINES = 12
"""Of fewer lines nobody can tell by what speed they were timed."""
SPEEDS = ("24", "25", "23.976")
"""Rates between which films are sped up and slowed down, the likeliest first where two are equally good."""
_WORSE = Fraction(1, 4)
"""The share of lines over dialogue from which on another speed is looked for."""
_BETTER = 3
"""So many times fewer must be over dialogue at another speed."""
_FEWER = 6
"""And so many lines fewer."""


@dataclass(frozen=True)
class ScriptTimes:
    """How a script's times are to be read; None or empty: as the film's are.

    `rate` is that of its timecode, `start` the timecode of the film's first frame in it, `speed` the rate of the
    version of the film that it was timed to, where that ran at another speed.
    """

    rate: FrameRate | None = None
    start: str = ""
    speed: FrameRate | None = None


def mended(times: ScriptTimes, fix: TimeFix) -> ScriptTimes:
    """How times are to be read once a mending that was offered is accepted."""
    match fix.fault:
        case TimeFault.START:
            return replace(times, start=fix.value)
        case TimeFault.RATE:
            return replace(times, rate=parse_rate(fix.value))
        case TimeFault.SPEED:
            return replace(times, speed=parse_rate(fix.value))


def timed_script(read: Read, name: str, script: Script, times: ScriptTimes) -> tuple[FinishedScript, tuple[str, ...]]:
    """The script of a file in the time of the film of a project, and what was assumed for it.

    Raises:
        ScriptTimesError: if the times seem to be wrong as a whole, and were not given.
        BadInputError: as reading it does.
    """
    film = script.film
    rate = times.rate or film.frame_rate
    starts = dict.fromkeys((times.start,) if times.start else (film.start_timecode, ""))
    found = [(start, read(rate, start)) for start in starts]
    plain = found[-1]
    # Of the clock times of DAPT, WebVTT and SRT, 0 is the film's first frame; only timecode counts from a start.
    likeliest = found if plain[1].clock.labels else reversed(found)
    start, best = next(((start, each) for start, each in likeliest if _inside(each.script.lines, film.end)), plain)
    notes: list[str] = []
    if start and not times.start and best.script.lines and plain[1].script.lines != best.script.lines:
        notes.append(f"its times count from the film’s start timecode ({start}), which was subtracted")
    _require_rate(best, name, given=times.rate is not None)
    finished = best.script
    if times.speed is not None:
        return _scaled(finished, speed_ratio(times.speed, film.frame_rate)), tuple(notes)
    outside = not times.start and not _inside(finished.lines, film.end)
    fix = _full_hour(finished.lines, script, rate) if outside else None
    if fix is None:
        fix = _other_speed(finished.lines, script)
    if fix is not None:
        raise ScriptTimesError(name, fix)
    return finished, tuple(notes)


def _require_rate(read: TimesRead, name: str, *, given: bool) -> None:
    wrong, clock_read = read.clock.wrong, read.clock
    suspected = clock_read.suspected_rate()
    # A slip of the pen is no other rate.
    slips = not clock_read.is_certain and len(wrong) * 50 < clock_read.labels
    if suspected is None or given or slips:
        return
    here, there = clock_read.rate.name, suspected.name
    why = f"its timecode is written with a semicolon, as that of {there} frames a second is, and not of {here}"
    if wrong:
        line, label = wrong[0]
        why = (
            f"its timecode is not of {here} frames a second: there is no {label} (line {line}), but there is at {there}"
        )
    raise ScriptTimesError(name, TimeFix(TimeFault.RATE, suspected.name.replace(" ", "").lower(), why))


def speed_ratio(version: FrameRate, film: FrameRate) -> Fraction:
    """What brings times of a version of the film that ran at another rate into those of the film."""
    return _speed(version) / _speed(film)


def wrong_labels(read: TimesRead) -> tuple[tuple[int, str], ...]:
    """The timecodes that a script's rate does not have, with their lines."""
    return tuple(dict.fromkeys(read.clock.wrong))


def impossible_labels(read: TimesRead) -> tuple[tuple[int, str], ...]:
    """The timecodes that no rate has, with their lines."""
    return tuple(dict.fromkeys(read.clock.impossible))


def _inside(lines: Sequence[FinishedLine], end: int) -> bool:
    return sum(0 <= line.start < end for line in lines) >= MOST * len(lines)


def _full_hour(lines: Sequence[FinishedLine], script: Script, rate: FrameRate) -> TimeFix | None:
    """The full hour that the times count from, if subtracting it brings the lines into the film."""
    starts = sorted(line.start for line in lines)
    if not starts:
        return None
    hour = (starts[0] + LEADER_MS) // HOUR_MS * HOUR_MS
    label_ms = rate.ms_of_label(f"{clock(hour)[:8]}:00") if 0 < hour < 24 * HOUR_MS else 0
    if not label_ms or sum(-LEADER_MS <= start - hour < script.film.end for start in starts) < MOST * len(starts):
        return None
    return start_fix(hour, rate, starts[0] - hour)


def _other_speed(lines: Sequence[FinishedLine], script: Script) -> TimeFix | None:
    """The speed at which far less of the lines lies over dialogue, if at their own much does."""
    if len(lines) < LEAST_LINES:
        return None
    gaps = gaps_of(script).gaps
    over = _over_dialogue(lines, gaps, Fraction(1), script.film.end)
    if over <= _WORSE:
        return None
    found: list[tuple[Fraction, str]] = []
    for name in SPEEDS:
        factor = RATES[name].rate / _speed(script.film.frame_rate)
        # 23.976 for 24 is a second in a quarter of an hour: too little to be seen in this way.
        if abs(factor - 1) > Fraction(1, 100):
            found.append((_over_dialogue(lines, gaps, factor, script.film.end), name))
    share, name = min(found, key=lambda each: each[0], default=(over, ""))
    if not name or share * _BETTER > over or (over - share) * len(lines) < _FEWER:
        return None
    before, after = (percent(each) for each in (over, share))
    why = (
        f"{before} of its lines lie over dialogue, but {after} if it was timed to a version of the film at {name}"
        f" frames a second; if it was not, give the film’s own rate ({script.film.frame_rate.name}) as that"
    )
    return TimeFix(TimeFault.SPEED, name, why)


def _speed(rate: FrameRate) -> Fraction:
    """The frames of the film that a second shows; rates for television repeat frames of these or fields."""
    for name in SPEEDS:
        if (rate.rate / RATES[name].rate) in (1, 2, Fraction(5, 4), Fraction(5, 2)):
            return RATES[name].rate
    return rate.rate


def _over_dialogue(lines: Sequence[FinishedLine], gaps: Sequence[Span], factor: Fraction, end: int) -> Fraction:
    """The share of lines whose middle lies in no gap, at a speed."""
    usual = round(median([(line.end or line.start) - line.start for line in lines]))
    starts = [gap.start for gap in gaps]
    outside = 0
    for line in lines:
        middle = round((line.start + max(0, (line.end or line.start + usual) - line.start) / 2) * factor)
        place = bisect_right(starts, middle) - 1
        outside += not (place >= 0 and middle <= gaps[place].end and middle < end)
    return Fraction(outside, len(lines))


def _scaled(finished: FinishedScript, factor: Fraction) -> FinishedScript:
    lines = tuple(
        replace(
            line,
            start=round(line.start * factor),
            end=None if line.end is None else round(line.end * factor),
        )
        for line in finished.lines
    )
    return replace(finished, lines=lines)
