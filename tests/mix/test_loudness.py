"""Loudness: the cases of EBU Tech 3341, worked out by hand, and FFmpeg's meter beside ours."""

from __future__ import annotations

import numpy as np
import pytest
from mix_sounds import RATE, ffmpeg_meter, noise, sine

from adstudio.mix.layout import FIVE_ONE, MONO, STEREO, Layout
from adstudio.mix.loudness import LoudnessMeter


def loudness(samples: np.ndarray, layout: Layout = STEREO, block: int = RATE) -> float | None:
    meter = LoudnessMeter(layout)
    for first in range(0, samples.shape[1], block):
        meter.add(samples[:, first : first + block].astype(np.float32))
    return meter.loudness


def tones(*parts: tuple[float, float]) -> np.ndarray:
    """1 kHz at some levels (dBFS), each for some seconds."""
    return np.concatenate([sine(1000, dbfs, seconds) for dbfs, seconds in parts], axis=1)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        # Two channels of a sine of 1 kHz and −23 dBFS peak: −0.691 + 10 lg(2 · 10^-2.3 / 2 · K) = −23.0 (K: +0.69 dB).
        ([(-23, 20)], -23.0),
        ([(-33, 20)], -33.0),
        # The relative gate takes out −36: it is more than 10 LU below the mean.
        ([(-36, 10), (-23, 60), (-36, 10)], -23.0),
        # The absolute gate takes out −72.
        ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23.0),
        # 10 lg((40 · 10^-2.6 + 20.1 · 10^-2.0) / 60.1) = −23.0
        ([(-26, 20), (-20, 20.1), (-26, 20)], -23.0),
    ],
)
def test_the_cases_of_tech_3341(parts: list[tuple[float, float]], expected: float) -> None:
    assert loudness(tones(*parts)) == pytest.approx(expected, abs=0.1)


def test_the_case_of_tech_3341_in_five_channels() -> None:
    """Case 6: −28 in front left and right, −24 in the centre, −30 at the sides: −23.0; the low channel is not heard."""
    levels = (-28, -28, -24, -10, -30, -30)
    samples = np.concatenate([sine(1000, each, 20, channels=1) for each in levels])
    assert loudness(samples, FIVE_ONE) == pytest.approx(-23.0, abs=0.1)


def test_one_channel_is_three_lu_softer_than_two_alike() -> None:
    assert loudness(sine(1000, -23, 20, channels=1), MONO) == pytest.approx(-23.0 - 3.01, abs=0.1)


def test_silence_and_what_is_below_the_absolute_gate_have_no_loudness() -> None:
    assert loudness(np.zeros((2, RATE * 2))) is None
    assert loudness(sine(1000, -71, 5)) is None
    assert LoudnessMeter(STEREO).loudness is None


def test_what_is_shorter_than_a_gating_block_counts_with_silence_after_it() -> None:
    # A fourth of a block: 10 lg(1/4) = −6.0
    found = loudness(sine(1000, -20, 0.1))
    assert found is not None
    assert found < -20 - 5.9


@pytest.mark.parametrize("block", [4_800, 9_600, RATE])
def test_the_length_of_blocks_does_not_matter(block: int) -> None:
    samples = noise(-25, 12) * np.repeat([1.0, 0.1, 0.5], 4 * RATE)
    assert loudness(samples, block=block) == pytest.approx(loudness(samples) or 0, abs=1e-6)


@pytest.mark.parametrize(("layout", "seed"), [(STEREO, 1), (STEREO, 2), (FIVE_ONE, 3), (MONO, 4)])
def test_it_agrees_with_ffmpeg(layout: Layout, seed: int) -> None:
    samples = noise(-28, 20, layout.channels, seed)
    steps = np.random.default_rng(seed).uniform(0.02, 2.0, 20)
    samples = samples * np.repeat(steps, RATE)
    assert loudness(samples, layout) == pytest.approx(ffmpeg_meter(samples, layout.name)[0], abs=0.05)
