"""The state of the player, and the arithmetic of moving through a film."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from adstudio.core.timebase import FrameRate

SLOWEST, FASTEST = 0.25, 8.0
SHUTTLE = (1, 2, 4, 8)
"""Times the film's own pace, one step for each press of J or L."""
LOUDEST = 100
EARLY_MS = 5
"""Milliseconds by which mpv lets a picture come too early when it seeks exactly."""


@dataclass(frozen=True)
class PlayerState:
    """The state of the player. Times are in milliseconds of film time; `volume` is in per cent.

    `file` is None where there is no picture: a clock then moves the playhead. `shuttle` is the pace of J-K-L (negative:
    backwards), 0 when the film plays at `speed`. `error` is a sentence, or empty.
    """

    file: Path | None = None
    duration: int = 0
    time: int = 0
    playing: bool = False
    speed: float = 1.0
    shuttle: int = 0
    volume: int = LOUDEST
    mute: bool = False
    error: str = ""

    @property
    def pace(self) -> float:
        """How fast film time passes while it plays."""
        return float(self.shuttle) if self.shuttle else self.speed


def next_shuttle(shuttle: int, direction: int) -> int:
    """The pace after another press of L (direction 1) or J (−1): the first of that direction, then faster each time."""
    if shuttle * direction <= 0:
        return direction * SHUTTLE[0]
    return direction * next((step for step in SHUTTLE if step > abs(shuttle)), SHUTTLE[-1])


def clamped_speed(speed: float) -> float:
    """The nearest permitted speed."""
    return max(SLOWEST, min(FASTEST, speed))


@dataclass(frozen=True)
class Frames:
    """The pictures of a film: where each starts. Without a steady rate, times stay as they are."""

    rate: FrameRate | None = None

    @property
    def length(self) -> float:
        """Milliseconds that a picture is shown."""
        return float(1000 / self.rate.rate) if self.rate else 40.0

    def snapped(self, ms: int) -> int:
        """The start of the nearest picture."""
        return self.rate.ms_of_frame(self.rate.frame_at(ms)) if self.rate else ms

    def moved(self, ms: int, by: int) -> int:
        """The start of the picture so many after (or before) the one at a time."""
        if self.rate is None:
            return ms + round(by * self.length)
        return self.rate.ms_of_frame(max(0, self.rate.frame_at(ms) + by))

    def aim(self, ms: int) -> float:
        """Seconds to ask mpv for, so that the picture nearest to a time is shown.

        mpv shows the first picture that starts no more than 5 ms before the time asked for. Half a picture earlier
        is right for every grid: files whose first picture does not start at 0 included.
        """
        if self.rate is None:
            return max(0, ms) / 1000
        return max(0.0, ms - self.length / 2 + EARLY_MS) / 1000


def frames_of(rate: FrameRate, measured: Fraction | None, *, varies: bool) -> Frames:
    """The pictures of a film labelled at `rate`, if the video's own rate is that one and steady."""
    return Frames(None if varies or (measured is not None and measured != rate.rate) else rate)


def mpv_volume(percent: float, decibels: float) -> float:
    """The volume on mpv’s scale for one in per cent, turned down by so many decibels.

    mpv's scale is cubic: amplitude = (volume / 100)³ (mpv manual, `--volume`), so 60 dB are a factor of ten.
    """
    return max(0.0, percent) * 10 ** (decibels / 60)
