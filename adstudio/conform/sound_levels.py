"""The level of a film's sound, by the waveform peaks that are cached for the timeline, and where two cuts are alike.

Bins are those of the peaks, hundredths of a second; levels are in octaves of the amplitude.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from adstudio.media.peaks import Peaks

    Levels = NDArray[np.float64]

AROUND = 100
"""Bins around a core that belong to it too, by the size of its blocks."""
UNLIKE_BY_FAR, UNLIKE_OF_ALL = 2.0, 0.04
"""A core is not believed if it is so many times as unlike as most of the film, and so many octaves more."""
NEAR_BEST = 0.1
"""Most of the film is those cores whose correlation is this near to the best."""
MOST_UNLIKE = 0.6
"""Nor if three quarters of it differ by so many octaves."""
QUIET = 4
"""Peaks below this are noise (of 255)."""


@dataclass(frozen=True)
class Core:
    """Where two cuts sound alike, in bins of the former one at the new one's speed; the new one is `lag` later."""

    start: float
    end: float
    lag: float
    alike: float

    @property
    def new(self) -> tuple[float, float]:
        """Its start and end in the new cut."""
        return self.start + self.lag, self.end + self.lag


def levels_of(peaks: Peaks) -> Levels:
    """The level at each bin."""
    import numpy as np

    return np.log2(QUIET + peaks.bins.astype(np.float64))


def stretched(levels: Levels, ratio: Fraction) -> Levels:
    """Levels at another speed."""
    import numpy as np

    if ratio == 1:
        return levels
    return np.interp(np.arange(int(len(levels) * ratio)) / float(ratio), np.arange(len(levels)), levels)


def louder(old: Levels, new: Levels, lag: float, start: float, end: float) -> Levels:
    """By how much the new cut is louder at each bin, in octaves; outside a cut there is silence."""
    import numpy as np

    bins = start + np.arange(max(0, round(end - start)))

    def at(levels: Levels, places: NDArray[Any]) -> Levels:
        return np.interp(places, np.arange(len(levels)), levels, left=2.0, right=2.0)

    return at(new, bins + lag) - at(old, bins)


def believed(old: Levels, new: Levels, cores: Sequence[Core], known: Sequence[Core] = ()) -> list[Core]:
    """The cores that are as much alike, bin by bin, as most of the film is; `known` ones count towards that too.

    Pauses and syllables follow one another alike in all speech, but the same sound has the same level at each moment.
    """
    import numpy as np

    unlike: dict[Core, float] = {}
    for core in (*known, *cores):
        by = louder(old, new, core.lag, core.start - AROUND, core.end + AROUND)
        unlike[core] = float(np.percentile(np.abs(by - np.median(by)), 75))
    best = max((core.alike for core in known or cores), default=0.0)
    order = sorted((core for core in known or cores if core.alike >= best - NEAR_BEST), key=unlike.__getitem__)
    total, at = sum(core.end - core.start + 2 * AROUND for core in order), 0.0
    usual = 0.0
    for core in order:
        usual, at = unlike[core], at + core.end - core.start + 2 * AROUND
        if 2 * at >= total:
            break
    most = min(max(UNLIKE_BY_FAR * usual, usual + UNLIKE_OF_ALL), MOST_UNLIKE)
    return [core for core in cores if unlike[core] <= most]
