"""How far the film is down at each time: it makes way for lines, and never while somebody speaks in it.

The level is linear in decibels between breakpoints. Ramps lie inside the gap that a line is spoken in, and are shorter
where it has no room for them. Only a line that the describer wants over dialogue (an override) dips dialogue.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from adstudio.core.mix_settings import SHORTEST_RAMP, MixSettings
from adstudio.core.timebase import Span
from adstudio.mix.lines import MixLine


class Breakpoint(NamedTuple):
    """A film time in milliseconds, and the film's level there in tenths of a dB (0 or below)."""

    ms: int
    level: int


@dataclass(frozen=True)
class _Duck:
    """The film is down by `depth` from `start` to `end`; its ramps lie between `earliest` and `latest`."""

    start: int
    end: int
    depth: int
    earliest: int
    latest: int


def envelope(
    lines: Sequence[MixLine], dialogue: Iterable[Span], settings: MixSettings, end: int
) -> tuple[Breakpoint, ...]:
    """The film's level under these lines, as breakpoints in order: 0 before the first and after the last.

    `dialogue` is what occupies the film; `end` is the programme's length in milliseconds. Lines of a gap between which
    the film would be up for less than a moment (`MixSettings.least_rise`) are passed without coming up.
    """
    free = _free(dialogue, end)
    ducks = [duck for line in lines for duck in _ducks(line, free, settings, end)]
    points: list[Breakpoint] = []
    before: _Duck | None = None
    for duck in _disjoint(ducks):
        if before is None:
            _go_down(points, duck, settings)
        elif _stays_down(before, duck, settings):
            _change(points, before, duck, settings)
        else:
            _come_up(points, before, settings)
            _go_down(points, duck, settings)
        before = duck
    if before is not None:
        _come_up(points, before, settings)
    return tuple(points)


def _free(dialogue: Iterable[Span], end: int) -> list[Span]:
    """What dialogue leaves of the film."""
    found: list[Span] = []
    reached = 0
    for cue in sorted(dialogue):
        if cue.start > reached:
            found.append(Span(reached, min(cue.start, end)))
        reached = max(reached, cue.end)
        if reached >= end:
            return found
    return [*found, Span(reached, end)] if reached < end else found


def _ducks(line: MixLine, free: Sequence[Span], settings: MixSettings, end: int) -> list[_Duck]:
    """Where the film makes way for a line: once, unless the line reaches over dialogue that must not be dipped."""
    depth = settings.duck_depth if line.duck is None else line.duck
    span = line.span.overlap(Span(0, end))
    if depth <= 0 or span is None or not span.length:
        return []
    if line.override:
        earliest, latest = max(span.start - settings.ramp_down, 0), min(span.end + settings.ramp_up, end)
        return [_Duck(span.start, span.end, depth, earliest, latest)]
    found: list[_Duck] = []
    first = max(bisect_right(free, span.start, key=lambda each: each.start) - 1, 0)
    for each in free[first : bisect_left(free, span.end, key=lambda each: each.start)]:
        room = each if line.gap is None else each.overlap(line.gap)
        part = None if room is None else span.overlap(room)
        if room is not None and part is not None and part.length:
            found.append(_Duck(part.start, part.end, depth, room.start, room.end))
    return found


def _disjoint(ducks: Sequence[_Duck]) -> list[_Duck]:
    """The same in order; where lines sound at once, the deepest counts."""
    found: list[_Duck] = []
    active: list[_Duck] = []
    waiting = sorted(ducks, key=lambda duck: duck.start)
    times = sorted({time for duck in ducks for time in (duck.start, duck.end)})
    place = 0
    for start, end in pairwise(times):
        active = [duck for duck in active if duck.end > start]
        while place < len(waiting) and waiting[place].start <= start:
            active.append(waiting[place])
            place += 1
        if not active:
            continue
        duck = _Duck(
            start,
            end,
            max(each.depth for each in active),
            min(each.earliest for each in active),
            max(each.latest for each in active),
        )
        last = found[-1] if found else None
        if last is not None and last.end == start and last.depth == duck.depth:
            found[-1] = replace(
                last, end=end, earliest=min(last.earliest, duck.earliest), latest=max(last.latest, duck.latest)
            )
        else:
            found.append(duck)
    return found


def _stays_down(one: _Duck, then: _Duck, settings: MixSettings) -> bool:
    """Whether the film would be up between two ducks for less than a moment, and nobody speaks in it there."""
    clear = one.latest >= then.earliest
    rise = (then.start - settings.ramp_down) - (one.end + settings.ramp_up)
    return clear and rise < settings.least_rise


def _go_down(points: list[Breakpoint], duck: _Duck, settings: MixSettings) -> None:
    begin = max(duck.earliest, duck.start - settings.ramp_down)
    if points:
        begin = max(begin, points[-1].ms)
    down = max(duck.start, min(begin + SHORTEST_RAMP, (duck.start + duck.end) // 2))
    points += [Breakpoint(begin, 0), Breakpoint(down, -duck.depth)]


def _come_up(points: list[Breakpoint], duck: _Duck, settings: MixSettings) -> None:
    up = min(duck.latest, duck.end + settings.ramp_up)
    begin = max(min(duck.end, up - SHORTEST_RAMP), (duck.start + duck.end) // 2, points[-1].ms)
    points += [Breakpoint(min(begin, up), -duck.depth), Breakpoint(up, 0)]


def _change(points: list[Breakpoint], one: _Duck, then: _Duck, settings: MixSettings) -> None:
    """From one depth to another, without coming up in between: the film is never less far down than either asks."""
    change = then.depth - one.depth
    if change > 0:
        ramp = settings.ramp_down * change // then.depth
        begin = max(then.start - max(ramp, SHORTEST_RAMP), points[-1].ms)
        points += [Breakpoint(min(begin, then.start), -one.depth), Breakpoint(then.start, -then.depth)]
    elif change < 0:
        ramp = settings.ramp_up * -change // one.depth
        done = min(one.end + max(ramp, SHORTEST_RAMP), then.end)
        points += [Breakpoint(max(one.end, points[-1].ms), -one.depth), Breakpoint(done, -then.depth)]
