"""When the elements of a DAPT document are active (TTML2, section 12: each begins relative to the one around it)."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from adstudio.dapt.names import PARAMETER
from adstudio.dapt.xml_tree import Element
from adstudio.subtitles.ttml_times import TimeParameters, read_ttml_time

_NUMBER = re.compile(r"0*([1-9]\d{0,8})", re.ASCII)


class Interval(NamedTuple):
    """Exact milliseconds of the programme; `end` is None where nothing ends it."""

    begin: Fraction
    end: Fraction | None


ALWAYS = Interval(Fraction(0), None)


class Timing:
    """The intervals of a document's elements."""

    def __init__(self, root: Element) -> None:
        self.parameters = time_parameters(root)
        self.unread: list[Element] = []
        """Elements with a time that could not be read, and counts as if it were not there."""

    def of(self, element: Element, outer: Interval) -> Interval:
        """When an element is active, inside the interval of the one around it."""
        begin = outer.begin + (self._read(element, "begin") or 0)
        ends = [outer.end]
        end, length = self._read(element, "end"), self._read(element, "dur")
        if end is not None:
            ends.append(outer.begin + end)
        if length is not None:
            ends.append(begin + length)
        known = [each for each in ends if each is not None]
        return Interval(begin, max(begin, min(known)) if known else None)

    def _read(self, element: Element, name: str) -> Fraction | None:
        value = element.get(("", name))
        if value is None:
            return None
        time = read_ttml_time(value, self.parameters)
        if time is None:
            self.unread.append(element)
            return None
        return time.ms


def time_parameters(root: Element) -> TimeParameters:
    """The parameters of `tt` that times depend on, those that cannot be read as if they were not there."""
    rate = _count(root.get((PARAMETER, "frameRate")))
    frames = Fraction(rate or 30)
    effective = frames * Fraction(*_multiplier(root))
    ticks = _count(root.get((PARAMETER, "tickRate")))
    default = effective if rate else Fraction(1)
    return TimeParameters(frames, effective, tick_rate=Fraction(ticks) if ticks else default)


def frame_rate(root: Element) -> tuple[int, int, int] | None:
    """Frames a second and their multiplier, None where the document has none."""
    rate = _count(root.get((PARAMETER, "frameRate")))
    return None if rate is None else (rate, *_multiplier(root))


def rounded(ms: Fraction) -> int:
    """Whole milliseconds, halves up."""
    return (2 * ms.numerator + ms.denominator) // (2 * ms.denominator)


def _multiplier(root: Element) -> tuple[int, int]:
    parts = (root.get((PARAMETER, "frameRateMultiplier")) or "").split()
    over, under = (_count(parts[0]), _count(parts[1])) if len(parts) == 2 else (None, None)
    return (over, under) if over and under else (1, 1)


def _count(text: str | None) -> int | None:
    found = _NUMBER.fullmatch(text.strip()) if text is not None else None
    return int(found[1]) if found else None
