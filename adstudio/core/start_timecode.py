"""The timecode of a film's first frame, and what to subtract from times that count from it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from adstudio.core.timebase import FrameRate


@dataclass(frozen=True)
class StartTimecode:
    """A start timecode as written, and the milliseconds to subtract from timecodes with frames and from clock times.

    The two differ at rates such as 23.976, where labelled seconds are longer than real ones.
    """

    written: str
    label_offset: int
    clock_offset: int


def parse_start_timecode(written: str, rate: FrameRate) -> StartTimecode:
    """A film's start timecode.

    Raises:
        TimeError: if it is not a timecode of that rate.
    """
    frame = rate.frame_of_label(written)
    hours, minutes, seconds, frames = (int(part) for part in re.split("[:;.,]", written.strip()))
    clock = ((hours * 60 + minutes) * 60 + seconds) * 1000 + round(frames * 1000 / rate.rate)
    return StartTimecode(written.strip(), rate.ms_of_frame(frame), clock)
