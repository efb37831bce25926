"""The part of the film that is in view: time to pixels and back. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import floor

from adstudio.core.timebase import Span

FINEST = 0.25
"""Milliseconds a pixel at the closest zoom: a frame is then as wide as a thumbnail."""
MARGIN = 24
"""Pixels that may be seen before the film's start and behind its end."""
ROOM = 0.06
"""The share of the width that stays free on each side of what is fitted."""


@dataclass(frozen=True)
class VisibleRange:
    """A window on the film: `width` pixels from pixel `left`, counted from the film's start at this zoom.

    Pixels are device-independent; `step` is the finest of them that the screen can show (1 over the device pixel
    ratio), and `left` is always a multiple of it, so that what was painted can be moved without blurring.
    """

    width: int = 800
    end: int = 0
    ms_per_px: float = 20.0
    left: float = -MARGIN
    step: float = 1.0

    def x(self, ms: float) -> float:
        """The place of a time, in pixels from the left edge; snapped to what the screen can show."""
        return round(ms * (1 / self.ms_per_px / self.step)) * self.step - self.left

    def xs(self, times: Sequence[float], places: Iterable[int]) -> list[float]:
        """The `x` of the times at these `places`, in one go."""
        scale, step, left = 1 / self.ms_per_px / self.step, self.step, self.left
        return [round(times[i] * scale) * step - left for i in places]

    def time(self, x: float) -> float:
        """The time at a pixel, in milliseconds; it may lie outside the film."""
        return (x + self.left) * self.ms_per_px

    def ms(self, x: float) -> int:
        """The time at a pixel, kept inside the film."""
        return max(0, min(self.end, round(self.time(x))))

    @property
    def shown(self) -> tuple[float, float]:
        """The times at both edges."""
        return self.time(0), self.time(self.width)

    @property
    def coarsest(self) -> float:
        """Milliseconds a pixel when the whole film is in view."""
        return max(FINEST, self.end / max(1, self.width - 2 * MARGIN))

    @property
    def greatest_left(self) -> float:
        """How far the view may be scrolled."""
        return max(-MARGIN, self.end / self.ms_per_px + MARGIN - self.width)

    def sized(self, width: int, step: float) -> VisibleRange:
        """In a window of another width or on a finer screen; the left edge stays where it is."""
        return _settled(replace(self, width=max(1, width), step=step))

    def of_film(self, end: int) -> VisibleRange:
        """On a film of another length."""
        return _settled(replace(self, end=max(0, end)))

    def scrolled_to(self, left: float) -> VisibleRange:
        """With that pixel at the left edge."""
        return _settled(replace(self, left=left))

    def scrolled(self, pixels: float) -> VisibleRange:
        """Moved by some pixels, to later times where positive."""
        return self.scrolled_to(self.left + pixels)

    def zoomed(self, factor: float, x: float) -> VisibleRange:
        """Closer by a factor; the time under pixel `x` stays under it, except at the film's ends."""
        at = self.time(x)
        scale = min(max(self.ms_per_px / factor, FINEST), self.coarsest)
        return _settled(replace(self, ms_per_px=scale, left=at / scale - x))

    def fitted(self, span: Span) -> VisibleRange:
        """With a time range in view and some room around it."""
        scale = max(1, span.length) / (self.width * (1 - 2 * ROOM))
        scale = min(max(scale, FINEST), self.coarsest)
        return _settled(replace(self, ms_per_px=scale, left=(span.start + span.end) / 2 / scale - self.width / 2))

    def fitted_film(self) -> VisibleRange:
        """With the whole film in view."""
        return _settled(replace(self, ms_per_px=self.coarsest, left=-MARGIN))

    def showing(self, span: Span, *, margin: int = 48) -> VisibleRange:
        """Scrolled, not zoomed, as little as needed to see a time range; its start if it is longer than the view."""
        first, last = span.start / self.ms_per_px, span.end / self.ms_per_px
        long = last - first > self.width - 2 * margin
        if self.left <= first and (last <= self.left + self.width or (long and first < self.left + self.width / 2)):
            return self
        if long or first < self.left:
            return self.scrolled_to(first - margin)
        return self.scrolled_to(last + margin - self.width)

    def turned_to(self, ms: int) -> VisibleRange:
        """For following the playhead: a page on (or back) when it leaves the view, else as it is."""
        x = self.x(ms)
        if 0 <= x <= self.width * 0.94:
            return self
        return self.scrolled_to(ms / self.ms_per_px - self.width * 0.08)


def _settled(view: VisibleRange) -> VisibleRange:
    """Within the film, neither too close nor too far, and on a whole pixel of the screen."""
    scale = min(max(view.ms_per_px, FINEST), view.coarsest)
    if scale != view.ms_per_px:
        view = replace(view, ms_per_px=scale)
    left = min(max(view.left, -MARGIN), view.greatest_left)
    return replace(view, left=floor(left / view.step + 0.5) * view.step)
