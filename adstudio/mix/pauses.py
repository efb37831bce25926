"""When the picture is held for extended lines, and what time of the longer film a time of the film becomes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from adstudio.core.timebase import Span
from adstudio.mix.lines import MixLine

TAIL = 250
"""Milliseconds for which the picture is held on after an extended line: a breath before the film goes on."""


@dataclass(frozen=True)
class Pause:
    """The picture is held at film time `at` for `length` milliseconds; `line` is the id of what is spoken then."""

    at: int
    length: int
    line: str = ""


@dataclass(frozen=True)
class PauseMap:
    """Film time and extended time, both in milliseconds. Each pause begins where the one before it has ended, or later.

    A time at which the picture is held is two in the extended film: what ends then ends before the pause (`ending`),
    and what starts then starts after it (`starting`), as if somebody had pressed a player's pause key. Between pauses
    both are the same, and film time passes as extended time does.
    """

    pauses: tuple[Pause, ...] = ()
    """In order of time."""

    def __post_init__(self) -> None:
        times = self.times
        if any(pause.at < 0 or pause.length < 0 for pause in self.pauses) or list(times) != sorted(times):
            raise ValueError("pauses must be in order and cannot be negative")

    @cached_property
    def times(self) -> tuple[int, ...]:
        """The film times of the pauses."""
        return tuple(pause.at for pause in self.pauses)

    @cached_property
    def _before(self) -> tuple[int, ...]:
        """How long all pauses before each take together, and at the end all of them."""
        found = [0]
        for pause in self.pauses:
            found.append(found[-1] + pause.length)
        return tuple(found)

    @property
    def total(self) -> int:
        """How much longer the extended film is."""
        return self._before[-1]

    def ending(self, at: int) -> int:
        """The extended time of what ends at a film time, or only passes it: before a pause at that time."""
        return at + self._before[bisect_left(self.times, at)]

    def starting(self, at: int) -> int:
        """The extended time of what starts at a film time: after a pause at that time."""
        return at + self._before[bisect_right(self.times, at)]

    def begins(self, place: int) -> int:
        """The extended time at which a pause begins, by its place among all."""
        return self.times[place] + self._before[place]

    def film_time(self, at: int) -> int:
        """The film time that is seen at an extended time: that of the held picture during a pause."""
        place = bisect_right(range(len(self.pauses)), at, key=self.begins)
        if place == 0:
            return at
        return max(at - self._before[place], self.times[place - 1])

    def span(self, span: Span) -> Span:
        """A span in extended time: what it is about stays as long as the picture is held in it."""
        start = self.starting(span.start)
        return Span(start, max(self.ending(span.end), start))


NO_PAUSES = PauseMap()


def pauses_for(lines: Sequence[MixLine], end: int) -> PauseMap:
    """The pauses for the extended ones of these lines in a film of this length (ms).

    The picture is held at an extended line's start, but no other narration is interrupted: within another line it is
    held at that one's end. Lines of the same time are spoken one after the other, by their numbers.
    """
    spoken = sorted((line.span for line in lines if not line.extended), key=lambda span: (span.start, span.end))
    found: list[tuple[int, int, Pause]] = []
    for line in lines:
        if line.extended:
            at = _free_from(spoken, min(max(line.start, 0), end))
            found.append((min(at, end), line.number, Pause(min(at, end), line.length + TAIL, line.id)))
    return PauseMap(tuple(pause for *_, pause in sorted(found, key=lambda each: each[:2])))


def _free_from(spoken: Sequence[Span], at: int) -> int:
    """The first time from `at` on within none of these spans, which are in order of their starts."""
    for span in spoken:
        if span.start >= at:
            break
        at = max(at, span.end)
    return at
