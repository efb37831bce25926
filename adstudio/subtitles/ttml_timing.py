"""When the elements of a TTML document are active (TTML2, section 12).

An element's times count from the start of its parent, or in a `seq` container from the end of its predecessor. Without
an end of its own it lasts as its content does: text as long as the parent, but in a `seq` for no time at all. Many
writers count nested times from the film's start instead; that reading is used, and reported, if it fits elements into
their parents better than the standard's does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from adstudio.subtitles.ttml_namespaces import Vocabulary, attribute
from adstudio.subtitles.ttml_times import TimeParameters, TtmlTime, read_ttml_time
from adstudio.subtitles.xml_scan import Element

_TOLERANCE = Fraction(50)


@dataclass(frozen=True, slots=True)
class Interval:
    """When an element is active, in milliseconds; `end` is None if nothing ends it.

    `known`: a time is given for it or a parent. `cut`: its own end lies beyond its parent's. `never`: it lasts for
    no time where it stands. `last_start`: when the last of its parts starts, if it has several.
    """

    start: Fraction
    end: Fraction | None
    known: bool
    cut: bool = False
    never: bool = False
    last_start: Fraction | None = None


_WHOLE = Interval(Fraction(0), None, known=False)


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
        has_text: Callable[[Element], bool],
        odd: Callable[[int, str, TtmlTime | None], None],
    ) -> None:
        self._parameters = parameters
        self._is_content = is_content
        self._has_text = has_text
        self._odd = odd
        self._own: dict[int, _Own] = {}
        self._intervals: dict[int, Interval] = {}
        self._seen: set[str] = set()
        self.absolute = False

    def settle(self, body: Element) -> None:
        """Compute the intervals of a body and everything in it."""
        self._read(body)
        relative: dict[int, Interval] = {}
        misfits, _ = self._walk(body, _WHOLE, _WHOLE.start, relative, absolute=False)
        chosen = relative
        if misfits:
            counted: dict[int, Interval] = {}
            if self._walk(body, _WHOLE, _WHOLE.start, counted, absolute=True)[0] < misfits:
                chosen = counted
                self.absolute = True
        self._intervals |= chosen

    def own(self, element: Element) -> bool:
        """Whether the element itself has times."""
        own = self._own.get(id(element))
        return own is not None and own.any

    def of(self, element: Element) -> Interval:
        """When an element is active."""
        return self._intervals[id(element)]

    def region(self, region: Element) -> Interval:
        """When a region is active."""
        return _active(self._read_own(region), _WHOLE, _WHOLE.start, absolute=False, sequential=False)[0]

    def animation(self, animation: Element, of: Interval) -> Interval:
        """When an animation of an element that is active in `of` takes effect."""
        own = self._read_own(animation)
        return _active(own, of, of.start, absolute=self.absolute, sequential=False)[0]

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
            self._own[id(element)] = self._read_own(element)
            waiting += [child for child in element.elements() if self._is_content(child)]

    def _read_own(self, element: Element) -> _Own:
        return _Own(*[self._time(element, name) for name in ("begin", "end", "dur")])

    def _time(self, element: Element, name: str) -> Fraction | None:
        written = attribute(element, name, Vocabulary.CONTENT)
        if written is None:
            return None
        time = read_ttml_time(written.value, self._parameters)
        if time is None:
            if written.value.strip() != "indefinite":
                self._odd(written.start, written.value, None)
            return None
        # A notation used throughout the file is reported once.
        if time.note and (time.note not in self._seen or time.impossible_frame):
            self._seen.add(time.note)
            self._odd(written.start, written.value, time)
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
    ) -> tuple[int, Fraction | None]:
        """Compute the intervals of an element and its content.

        Returns how badly elements exceed their parents, and when the element ends by itself or with its content; None
        for never.
        """
        own = self._own[id(element)]
        interval, misfits = _active(own, holder, base, absolute=absolute, sequential=sequential)
        found[id(element)] = interval
        in_sequence = in_seq(element)
        at = latest = interval.start
        lasting = not in_sequence and not sequential and self._has_text(element)
        for child in element.elements():
            if not self._is_content(child):
                continue
            misfit, end = self._walk(child, interval, at, found, absolute=absolute, sequential=in_sequence)
            misfits += misfit
            if end is None:
                lasting = True
                continue
            latest = max(latest, end)
            if in_sequence:
                at = end
        if own.end is not None or own.dur is not None or lasting:
            return misfits, interval.end
        if sequential:
            found[id(element)] = replace(interval, end=latest, never=latest <= interval.start)
        return misfits, latest


def in_seq(element: Element) -> bool:
    """Whether an element's content is active in sequence."""
    container = attribute(element, "timeContainer", Vocabulary.CONTENT)
    return container is not None and container.value.strip() == "seq"


def _active(own: _Own, holder: Interval, base: Fraction, *, absolute: bool, sequential: bool) -> tuple[Interval, int]:
    """An element's interval in its parent, and how badly its times exceed it; starts count twice."""
    zero = Fraction(0) if absolute and not sequential else base
    start = zero + own.begin if own.begin is not None else base
    ends = [zero + own.end] if own.end is not None else []
    if own.dur is not None:
        ends.append(start + own.dur)
    end = min(ends) if ends else None
    misfit = 0
    # What both readings place alike says nothing about which is right.
    if base and not sequential:
        if own.begin is not None:
            outside = holder.end is not None and start > holder.end + (0 if absolute else -1)
            misfit = 2 if outside or start < holder.start - _TOLERANCE else 0
        if own.end is not None and end is not None and holder.end is not None:
            misfit += end > holder.end + _TOLERANCE
    cut = False
    if end is None:
        end = holder.end
    elif not absolute and holder.end is not None and end > holder.end:
        cut = end > holder.end + 1
        end = holder.end
    never = holder.never or (holder.end is not None and end is not None and end <= start and end == holder.end)
    known = own.any or holder.known
    return Interval(start, max(start, end) if never and end is not None else end, known, cut, never), misfit
