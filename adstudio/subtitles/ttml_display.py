"""Whether and when TTML content is displayed: styles, regions and animations.

TTML2 (https://www.w3.org/TR/ttml2/), sections 10.2 (`tts:display`, `tts:opacity`, `tts:visibility`) and 13 (animation).
What is displayed with interruptions counts as displayed from the first to the last moment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from adstudio.subtitles.ttml_namespaces import Vocabulary, attribute
from adstudio.subtitles.ttml_timing import Interval, Timing
from adstudio.subtitles.xml_scan import Attribute, Element

_CHAIN = 20
_ANIMATIONS = frozenset({"set", "animate"})
_ANIMATIONS_AT_MOST = 30
"""What has more of them on one style counts as always displayed."""


class Window(NamedTuple):
    """When something is displayed, in milliseconds; `end` is None if nothing ends it."""

    start: Fraction
    end: Fraction | None

    def within(self, other: Window) -> Window:
        """The common part of two windows, which may be empty."""
        ends = [end for end in (self.end, other.end) if end is not None]
        return Window(max(self.start, other.start), min(ends) if ends else None)

    @property
    def empty(self) -> bool:
        """Whether it has no length."""
        return self.end is not None and self.end <= self.start


ALWAYS = Window(Fraction(0), None)
NEVER = Window(Fraction(0), Fraction(0))


class Styles:
    """The styles and regions of a head, as far as they concern ruby and display."""

    def __init__(self, text: str, is_content: Callable[[Element], bool]) -> None:
        self._styles: dict[str, Element] = {}
        self._values: dict[tuple[str, str], str] = {}
        self._is_content = is_content
        # Most documents use few of these, so that not every element need be checked.
        names = ("ruby", "display", "visibility", "opacity")
        self._used = frozenset(name for name in names if re.search(rf"\b{name}\s*=", text))

    def add(self, style: Element) -> None:
        """Add a style or region under its id."""
        identity = style.attributes.get("xml:id") or style.attributes.get("id")
        if identity:
            self._styles.setdefault(identity.value.strip(), style)

    def region(self, element: Element) -> Element | None:
        """The region that an element names."""
        name = attribute(element, "region", Vocabulary.CONTENT)
        found = self._styles.get(name.value.strip()) if name else None
        return found if found is not None and found.local == "region" else None

    def value(self, element: Element, name: str) -> str:
        """A style's value on an element, in a region's own styles, or in those referenced; the last reference wins."""
        if name not in self._used:
            return ""
        found = attribute(element, name, Vocabulary.STYLING)
        if found is not None:
            return found.value.strip()
        references = attribute(element, "style", Vocabulary.CONTENT)
        if element.local == "region":
            return self._inherited([child for child in element.elements() if child.local == "style"], references, name)
        if references is None:
            return ""
        known = self._values.get((references.value, name))
        if known is None:
            known = self._values[references.value, name] = self._inherited([], references, name)
        return known

    def _inherited(self, nested: Sequence[Element], references: Attribute | None, name: str) -> str:
        """The value of a style in those nested in a region, or in those referenced."""
        visited: set[int] = set()
        waiting = [*self._referenced(references), *nested[-_CHAIN:]]
        while waiting and len(visited) <= _CHAIN:
            style = waiting.pop()
            if id(style) in visited:
                continue
            visited.add(id(style))
            found = attribute(style, name, Vocabulary.STYLING)
            if found is not None:
                return found.value.strip()
            waiting += self._referenced(attribute(style, "style", Vocabulary.CONTENT))
        return ""

    def _referenced(self, references: Attribute | None) -> list[Element]:
        names = references.value.split()[:_CHAIN] if references else []
        return [self._styles[name] for name in names if name in self._styles]

    def removed(self, element: Element) -> bool:
        """Whether an element takes no part in the display, with everything in it."""
        return any(
            _hides(name, self.value(element, name)) and not self.animations(element, name)
            for name in ("display", "opacity")
        )

    def visible(self, element: Element, *, inherited: bool) -> bool:
        """Whether an element's own text is visible where its parent's is so or not."""
        value = self.value(element, "visibility")
        if self.animations(element, "visibility"):
            return True
        return not _hides("visibility", value) if value else inherited

    def animations(self, element: Element, name: str) -> list[tuple[Element, str]]:
        """The animations of a style on an element, with their values."""
        if name not in self._used:
            return []
        found = [
            (child, attribute(child, name, Vocabulary.STYLING))
            for child in element.elements()
            if child.local in _ANIMATIONS and self._is_content(child)
        ]
        return [(child, value.value) for child, value in found if value is not None]


class Display:
    """When elements and regions are displayed."""

    def __init__(self, styles: Styles, timing: Timing) -> None:
        self._styles = styles
        self._timing = timing
        self._regions: dict[int, tuple[Window, Window | None]] = {}

    def of_region(self, region: Element) -> tuple[Window, Window | None]:
        """When a region is displayed, and when what is in it is visible by default; None if it does not say so."""
        found = self._regions.get(id(region))
        if found is None:
            active = self._timing.region(region)
            window, visible = self.of(region, active, None)
            found = Window(active.start, active.end).within(window), visible
            self._regions[id(region)] = found
        return found

    def of(self, element: Element, active: Interval, inherited: Window | None) -> tuple[Window, Window | None]:
        """When an element is displayed by its own styles, and when its own text is visible."""
        display = self._property(element, "display", active, ALWAYS)
        opacity = self._property(element, "opacity", active, ALWAYS)
        visible = self._property(element, "visibility", active, inherited or ALWAYS) or inherited
        return (display or ALWAYS).within(opacity or ALWAYS), visible

    def _property(self, element: Element, name: str, active: Interval, default: Window) -> Window | None:
        value = self._styles.value(element, name)
        animations = self._styles.animations(element, name)
        if not animations:
            return (NEVER if _hides(name, value) else ALWAYS) if value else None
        if len(animations) > _ANIMATIONS_AT_MOST:
            return ALWAYS
        hidden = _hides(name, value) if value else default == NEVER
        changes = [(self._timing.animation(child, active), _hides(name, new)) for child, new in animations]
        return _hull(hidden, changes, active)


def _hull(hidden: bool, changes: list[tuple[Interval, bool]], active: Interval) -> Window:
    """From when to when something active is shown that is hidden or not, except while changed; the last change wins."""
    places = [change.start for change, _ in changes] + [change.end for change, _ in changes if change.end is not None]
    inside = {at for at in places if active.start < at and (active.end is None or at < active.end)}
    order = [active.start, *sorted(inside)]
    first: Fraction | None = None
    last: Fraction | None = None
    for at, following in zip(order, [*order[1:], None], strict=True):
        current = [new for change, new in changes if change.start <= at and (change.end is None or at < change.end)]
        if not (current[-1] if current else hidden):
            first = at if first is None else first
            last = following
    if first is None:
        return NEVER
    return Window(Fraction(0) if first == active.start else first, last)


def _hides(name: str, value: str) -> bool:
    """Whether a style's value hides; of several in an animation all must."""
    if name == "opacity":
        return bool(value) and all(_is_zero(part) for part in value.split(";"))
    hiding = "none" if name == "display" else "hidden"
    return bool(value) and all(part.strip() == hiding for part in value.split(";"))


def _is_zero(number: str) -> bool:
    try:
        return float(number) <= 0
    except ValueError:
        return False
