"""Triangular filters on Slaney's mel scale, each with the same area, as librosa makes them by default."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LINEAR_HZ = 200 / 3
"""Hertz of a mel below 1,000 Hz."""
_BREAK_HZ = 1000.0
_LOG_STEP = 0.06875177742094912
"""ln(6.4) / 27: the step of a mel above 1,000 Hz."""


@cache
def mel_filters(bands: int, fft: int, rate: int) -> NDArray[np.float32]:
    """One row for each band, one column for each frequency of a transform of `fft` samples at `rate`."""
    import numpy as np

    top = _BREAK_HZ / _LINEAR_HZ + math.log(rate / 2 / _BREAK_HZ) / _LOG_STEP
    edges = np.array([_hertz(top * number / (bands + 1)) for number in range(bands + 2)])
    slopes = edges[:, np.newaxis] - np.fft.rfftfreq(fft, 1 / rate)
    widths = edges[1:] - edges[:-1]
    rising = -slopes[:-2] / widths[:-1, np.newaxis]
    falling = slopes[2:] / widths[1:, np.newaxis]
    filters = np.maximum(0, np.minimum(rising, falling))
    return (filters * (2 / (edges[2:] - edges[:-2]))[:, np.newaxis]).astype(np.float32)


def _hertz(mel: float) -> float:
    linear = mel * _LINEAR_HZ
    return linear if linear < _BREAK_HZ else _BREAK_HZ * math.exp(_LOG_STEP * (mel - _BREAK_HZ / _LINEAR_HZ))
