"""The label of a film's first frame, as what is to be taken off times that count from it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from adstudio.core.timebase import FrameRate


@dataclass(frozen=True)
class FirstLabel:
    """What is taken off a timecode with frames, and off a time of the clock (ms); both are 0 for a film from zero."""

    written: str
    of_labels: int
    of_clock: int


def first_label(written: str, rate: FrameRate) -> FirstLabel:
    """The start timecode of a film.

    Raises:
        TimeError: for what is no label of that rate.
    """
    frame = rate.frame_of_label(written)
    hours, minutes, seconds, frames = (int(part) for part in re.split("[:;.,]", written.strip()))
    clock = ((hours * 60 + minutes) * 60 + seconds) * 1000 + round(frames * 1000 / rate.rate)
    return FirstLabel(written.strip(), rate.ms_of_frame(frame), clock)
