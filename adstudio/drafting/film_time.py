"""Film time and timecode: the rate of labels, and dialogue in the film's own time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from adstudio.core.errors import Oddity
from adstudio.core.script import Cue
from adstudio.core.timebase import RATES, FrameRate, TimeError, parse_start_timecode
from adstudio.media.probe import Probe
from adstudio.subtitles.start_offset import shift_to_film_start


def labels_of(rate: FrameRate | None, probed: Probe | None, start_timecode: str = "") -> FrameRate:
    """The rate that timecode labels count: as asked, else the video's own, else 25.

    A video of 29.97 or 59.94 is counted in drop-frame, so that labels keep up with the clock, unless the label of its
    first frame is written as drop-frame labels are not (`10:00:00:00`).
    """
    if rate is not None:
        return rate
    if probed is None or probed.rate is None:
        return RATES["25"]
    matching = [known for known in RATES.values() if known.rate == probed.rate]
    if matching:
        drop = ";" in start_timecode or not start_timecode
        return next((known for known in matching if known.drop is drop), matching[0])
    try:
        return FrameRate(probed.rate)
    except TimeError:
        return RATES["25"]


def dialogue_in_film(
    cues: Sequence[Cue],
    subtitles: Path,
    probed: Probe | None,
    end: int | None,
    *,
    rate: FrameRate | None,
    start_timecode: str,
    by_guess: bool = False,
) -> tuple[tuple[Cue, ...], tuple[Oddity, ...]]:
    """Cues of subtitles counted from the film's start, and notes: `shift_to_film_start` with the labels' rate.

    Raises:
        TimeError: if the start timecode is none at the film's rate.
        BadInputError: as `shift_to_film_start` does.
    """
    labels = labels_of(rate, probed, start_timecode)
    first = parse_start_timecode(start_timecode, labels) if start_timecode else None
    return shift_to_film_start(cues, end, first, str(subtitles), by_guess=by_guess)
