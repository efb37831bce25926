"""The ruler: its ticks and their labels. Pure."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from adstudio.core.film import Film
from adstudio.core.timebase import FrameRate, TimeError, clock

APART = 108
"""Pixels that a label and the space after it need."""
DAY = 24 * 3600
PARTS = {1: 5, 2: 4, 5: 5, 10: 5, 15: 3, 30: 6, 60: 6, 120: 4, 300: 5, 600: 5, 900: 3, 1800: 6, 3600: 4, 7200: 4}
"""By the seconds between two labels, the parts into which small ticks divide them."""


class Tick(NamedTuple):
    """A tick at a time; one without a label is a small one."""

    ms: float
    label: str = ""


def ticks(film: Film, start: float, end: float, ms_per_px: float) -> list[Tick]:
    """The ticks of a range: at whole seconds of the film's timecode, which at 23.976 are not those of the clock."""
    step = next((step for step in PARTS if step * 1000 / ms_per_px >= APART), max(PARTS))
    begin = int((max(0.0, start) / 1000 + _first_second(film)) // step) - 1
    last = begin + int((end - max(0.0, start)) / 1000 / step) + 4
    earliest, latest, parts = max(start, -0.5), min(end, film.end), PARTS[step]
    moments = _moments(film, begin, last, step)
    found: list[Tick] = []
    for number, (at, after) in enumerate(pairwise(moments), start=begin):
        if after < earliest or at > latest:
            continue
        for part in range(parts):
            ms = at + (after - at) * part / parts
            if earliest <= ms <= latest:
                found.append(Tick(ms, "" if part else _label(number * step)))
    return found


def _first_second(film: Film) -> int:
    """The whole seconds of the label of the first frame."""
    if not film.start_timecode:
        return 0
    hours, minutes, seconds = (int(part) for part in film.start_timecode[:8].replace(";", ":").split(":"))
    return (hours * 60 + minutes) * 60 + seconds


def _moments(film: Film, first: int, last: int, step: int) -> list[float]:
    """The film times at which the timecode reads `first` to `last` steps of so many whole seconds."""
    rate = film.frame_rate
    offset = _offset(rate, film.start_timecode)
    if rate.drop:
        return [_dropped(rate, number * step) - offset for number in range(first, last + 1)]
    labelled = rate.nominal * 1000 * rate.rate.denominator / rate.rate.numerator
    return [number * step * labelled - offset for number in range(first, last + 1)]


@lru_cache(maxsize=4096)
def _dropped(rate: FrameRate, second: int) -> float:
    """The same where drop-frame counting skips the first labels of most minutes."""
    day, rest = divmod(second, DAY)
    label = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    try:
        frames = rate.frame_of_label(f"{label};00")
    except TimeError:
        frames = rate.frame_of_label(f"{label};{rate.nominal // 15:02d}")
    if day:
        frames += day * (rate.frame_of_label(f"23:59:59;{rate.nominal - 1:02d}") + 1)
    return float(rate.ms_of_frame(frames))


@lru_cache(maxsize=16)
def _offset(rate: FrameRate, start: str) -> float:
    """The time of the first frame's label, counted from all zeros."""
    return float(rate.ms_of_frame(rate.frame_of_label(start))) if start else 0.0


@lru_cache(maxsize=4096)
def _label(second: int) -> str:
    return clock(second % DAY * 1000)[:8]
