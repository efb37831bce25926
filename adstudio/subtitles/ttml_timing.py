"""When the elements of a TTML document are active (TTML2, section 12).

An element's times count from the start of its parent, or in a `seq` container from the end of its predecessor. Many
writers count nested times from the film's start instead; that reading is used, and reported, if it fits elements into
their parents better than the standard's does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from adstudio.subtitles.ttml_times import TimeParameters, TtmlTime, read_ttml_time
from adstudio.subtitles.xml_scan import Element

_TOLERANCE = Fraction(50)


@dataclass(frozen=True, slots=True)
class Interval:
    """When an element is active, in milliseconds; `end` is None if nothing ends it.

    `known`: a time is given for it or a parent. `cut`: its own end lies beyond its parent's.
    """

    start: Fraction
    end: Fraction | None
    known: bool
    cut: bool = False


class _Own(NamedTuple):
    begin: Fraction | None
    end: Fraction | None
    dur: Fraction | None

    @property
    def any(self) -> bool:
        return self != (None, None, None)


class Timing:
    """The intervals of all content elements, computed body by body."""

    def __init__(
        self,
        parameters: TimeParameters,
        is_content: Callable[[Element], bool],
        odd: Callable[[int, str, TtmlTime | None], None],
    ) -> None:
        self._parameters = parameters
        self._is_content = is_content
        self._odd = odd
        self._own: dict[int, _Own] = {}
        self._intervals: dict[int, Interval] = {}
        self._seen: set[str] = set()
        self.absolute = False

    def settle(self, body: Element) -> None:
        """Compute the intervals of a body and everything in it."""
        self._read(body)
        whole = Interval(Fraction(0), None, known=False)
        relative: dict[int, Interval] = {}
        misfits = self._walk(body, whole, whole.start, relative, absolute=False)
        chosen = relative
        if misfits:
            counted: dict[int, Interval] = {}
            if self._walk(body, whole, whole.start, counted, absolute=True) < misfits:
                chosen = counted
                self.absolute = True
        self._intervals |= chosen

    def own(self, element: Element) -> bool:
        """Whether the element itself has times."""
        own = self._own.get(id(element))
        return own is not None and own.any

    def of(self, element: Element) -> Interval | None:
        """When an element is active."""
        return self._intervals.get(id(element))

    def timed_spans(self, paragraph: Element) -> list[Element]:
        """The outermost spans of a paragraph that are timed."""
        found: list[Element] = []
        waiting = list(reversed([*paragraph.elements()]))
        while waiting:
            element = waiting.pop()
            if not self._is_content(element):
                continue
            if self.own(element):
                found.append(element)
            else:
                waiting += reversed([*element.elements()])
        return found

    def _read(self, body: Element) -> None:
        waiting = [body]
        while waiting:
            element = waiting.pop()
            values = [self._time(element, name) for name in ("begin", "end", "dur")]
            self._own[id(element)] = _Own(*values)
            waiting += [child for child in element.elements() if self._is_content(child)]

    def _time(self, element: Element, name: str) -> Fraction | None:
        attribute = element.attributes.get(name)
        if attribute is None:
            return None
        time = read_ttml_time(attribute.value, self._parameters)
        if time is None:
            if attribute.value.strip() != "indefinite":
                self._odd(attribute.start, attribute.value, None)
            return None
        # A notation used throughout the file is reported once.
        if time.note and (time.note not in self._seen or time.impossible_frame):
            self._seen.add(time.note)
            self._odd(attribute.start, attribute.value, time)
        return time.ms

    def _walk(
        self,
        element: Element,
        holder: Interval,
        base: Fraction,
        found: dict[int, Interval],
        *,
        absolute: bool,
        sequential: bool = False,
    ) -> int:
        """Compute the intervals of an element and its content; returns how badly elements exceed their parents."""
        own = self._own[id(element)]
        interval, misfit = _active(own, holder, base, absolute=absolute, sequential=sequential)
        found[id(element)] = interval
        container = element.attributes.get("timeContainer")
        in_sequence = container is not None and container.value.strip() == "seq"
        misfits = misfit
        at = interval.start
        for child in element.elements():
            if not self._is_content(child):
                continue
            misfits += self._walk(child, interval, at, found, absolute=absolute, sequential=in_sequence)
            settled = found[id(child)]
            if in_sequence and settled.end is not None:
                at = settled.end
        return misfits


def _active(own: _Own, holder: Interval, base: Fraction, *, absolute: bool, sequential: bool) -> tuple[Interval, int]:
    """An element's interval in its parent, and how badly its times exceed it; starts count twice."""
    zero = Fraction(0) if absolute and not sequential else base
    start = zero + own.begin if own.begin is not None else base
    ends = [zero + own.end] if own.end is not None else []
    if own.dur is not None:
        ends.append(start + own.dur)
    end = min(ends) if ends else None
    misfit = 0
    if own.begin is not None:
        outside = holder.end is not None and start > holder.end + (0 if absolute else -1)
        misfit = 2 if outside or start < holder.start - _TOLERANCE else 0
    if own.end is not None and end is not None and holder.end is not None:
        misfit += end > holder.end + _TOLERANCE
    cut = False
    if end is None:
        end = start if sequential and not own.any else holder.end
    elif not absolute and holder.end is not None and end > holder.end:
        cut = end > holder.end + 1
        end = max(start, holder.end)
    known = own.any or holder.known
    return Interval(start, end, known, cut), misfit
