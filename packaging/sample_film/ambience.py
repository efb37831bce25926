"""What is always there: rain on the roof, the office clock, the platform at night. Two channels, never silent."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sample_film.speech import Samples
from sample_film.synthesis import chance, clock_of, noise, put, samples_in, tone

_LOOP_S = 11.0
"""Ambience is made as a loop of this length: long enough that nobody hears it come round."""


def _level(decibels: float) -> float:
    return 10 ** (decibels / 20)


def _looped(name: str, low: float, high: float) -> Samples:
    # The end is blended into the beginning, so that the loop has no seam.
    blend = samples_in(1.0)
    sound = noise(name, _LOOP_S + 1.0, low, high)
    ramp = np.linspace(0, 1, blend, dtype=np.float32)
    sound[:blend] = sound[:blend] * np.sqrt(ramp) + sound[-blend:] * np.sqrt(1 - ramp)
    return sound[:-blend]


def _drops(name: str, a_second: float, pitch: tuple[float, float], level: float) -> Samples:
    dice = chance(name)
    out = np.zeros(samples_in(_LOOP_S), np.float32)
    for _ in range(round(a_second * _LOOP_S)):
        drop = tone(float(dice.uniform(*pitch)), 0.06, dies=0.012)
        put(out, drop, float(dice.uniform(0, _LOOP_S - 0.1)), level * float(dice.uniform(0.2, 1.0)))
    return out


def _rain(side: str) -> Samples:
    return (
        _looped(f"rain {side}", 700, 9000) * _level(-41)
        + _looped(f"far rain {side}", 120, 900) * _level(-45)
        + _drops(f"drops {side}", 24, (900, 3200), 0.02)
    )


def _office(side: str) -> Samples:
    out = (
        _looped(f"window rain {side}", 250, 2200) * _level(-44)
        + _looped("office", 45, 180) * _level(-46)
        + _drops(f"pane {side}", 7, (500, 1400), 0.012)
    )
    for k in range(round(_LOOP_S)):
        put(out, tone(1900, 0.08, dies=0.006) + tone(310, 0.08, dies=0.02), k + 0.10, 0.018)
        put(out, tone(1500, 0.08, dies=0.006) + tone(260, 0.08, dies=0.02), k + 0.60, 0.016)
    return out


def _platform(side: str) -> Samples:
    return (
        _looped(f"canopy rain {side}", 350, 5200) * _level(-42)
        + _looped("night", 50, 250) * _level(-44)
        + _drops(f"gutter {side}", 12, (350, 1200), 0.02)
    )


_MAKERS: dict[str, Callable[[str], Samples]] = {"rain": _rain, "office": _office, "platform": _platform}


def ambience(name: str) -> Samples:
    """A loop of two channels (samples by 2) at the level it has in the mix.

    Raises:
        KeyError: for a place that nobody has listened to.
    """
    make = _MAKERS[name]
    loop = np.stack([make("left"), make("right")], axis=1)
    breath = 1 + 0.12 * np.sin(2 * np.pi * clock_of(_LOOP_S) * 2 / _LOOP_S)
    return (loop * breath[:, None]).astype(np.float32)
