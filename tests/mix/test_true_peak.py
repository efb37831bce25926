"""True peaks: the cases of EBU Tech 3341, and a limiter that keeps them, by FFmpeg's meter as by ours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mix_sounds import RATE, ffmpeg_meter, noise, sine

from adstudio.mix.limiter import AHEAD, DELAY, MARGIN, Limiter
from adstudio.mix.true_peak import TruePeakMeter


def peak(samples: np.ndarray, block: int = RATE) -> float | None:
    meter = TruePeakMeter(len(samples))
    for first in range(0, samples.shape[1], block):
        meter.add(samples[:, first : first + block].astype(np.float32))
    return meter.peak


def faded(samples: np.ndarray) -> np.ndarray:
    """Without the jumps at its ends, which are peaks of their own."""
    ramp = np.clip(np.arange(samples.shape[1]) / 2400, 0, 1)
    return samples * ramp * ramp[::-1]


def limited(samples: np.ndarray, ceiling: float, block: int = RATE) -> tuple[np.ndarray, float]:
    limiter = Limiter(len(samples), ceiling)
    padded = np.concatenate([samples, np.zeros((len(samples), DELAY))], axis=1).astype(np.float32)
    out = [limiter(padded[:, first : first + block]) for first in range(0, padded.shape[1], block)]
    return np.concatenate(out, axis=1)[:, DELAY:], limiter.most


@pytest.mark.parametrize(
    ("divisor", "degrees", "amplitude", "expected"),
    [
        # Cases 15 to 19: no sample is at the sine's peak, or only in the first.
        (4, 0, 0.5, -6.0),
        (4, 45, 0.5, -6.0),
        (6, 60, 0.5, -6.0),
        (8, 67.5, 0.5, -6.0),
        (4, 45, 1.41, 3.0),
    ],
)
def test_the_cases_of_tech_3341(divisor: int, degrees: float, amplitude: float, expected: float) -> None:
    samples = sine(RATE / divisor, 20 * np.log10(amplitude), 2, phase=np.radians(degrees))
    assert peak(faded(samples)) == pytest.approx(expected, abs=0.2)


def test_silence_has_no_peak() -> None:
    assert peak(np.zeros((2, RATE))) is None


@pytest.mark.parametrize("block", [1_000, 48_000, 7])
def test_a_peak_between_blocks_is_found(block: int) -> None:
    samples = np.zeros((2, 4_200))
    samples[1, 999:1001] = 0.5  # between them: 4/π times as high
    assert peak(samples, block) == pytest.approx(20 * np.log10(0.5 * 4 / np.pi), abs=0.2)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_agrees_with_ffmpeg(seed: int) -> None:
    samples = faded(noise(-20, 10, seed=seed))
    assert peak(samples) == pytest.approx(ffmpeg_meter(samples)[1], abs=0.1)


LOUD = {
    "noise": noise(0, 6),
    "low tone": sine(50, 6, 6),
    "high tone": faded(sine(12_000, 2.3, 6, phase=0.8)),
    "clipped tone": np.sign(sine(441, 0, 6)) * 0.99,
    "clicks": np.where(np.arange(6 * RATE) % 4801 == 0, 1.0, 0.0) * np.ones((2, 1)),
    "bursts": noise(-3, 6) * np.repeat([0.01, 3, 0.01, 1, 0.01, 2], RATE),
    "5.1": noise(0, 4, channels=6),
}


@pytest.mark.parametrize("name", LOUD)
@pytest.mark.parametrize("ceiling", [-1.0, -2.0, -9.0])
def test_no_true_peak_passes_the_limiter(name: str, ceiling: float) -> None:
    out, most = limited(LOUD[name], ceiling)
    assert out.shape == LOUD[name].shape
    ours, theirs = peak(out), ffmpeg_meter(out, "5.1" if name == "5.1" else "stereo")[1]
    assert ours is not None
    assert ours <= ceiling
    assert theirs <= ceiling
    assert ours > ceiling - 1, "far more is taken away than has to be"
    assert most > 0


def test_what_is_below_the_ceiling_is_not_touched() -> None:
    samples = noise(-20, 3)
    out, most = limited(samples, -1.0)
    assert most == 0
    assert np.array_equal(out, samples.astype(np.float32))


def test_it_is_down_before_a_peak_and_up_again_after_it() -> None:
    samples = sine(1000, -20, 3)
    samples[:, RATE : RATE + 48] *= 10 ** (20 / 20)
    out, most = limited(samples, -6.0)
    assert most == pytest.approx(6.0 + MARGIN, abs=0.2)
    factor = np.abs(out[0]) / np.maximum(np.abs(samples[0]), 1e-9)
    loud = np.abs(samples[0]) > 0.02
    untouched = np.arange(samples.shape[1]) < RATE - AHEAD - 50
    assert factor[loud & untouched] == pytest.approx(1.0)
    # 20 dB in a second: up again after about a third of one
    later = np.arange(samples.shape[1]) > RATE * 1.4
    assert factor[loud & later] == pytest.approx(1.0, abs=1e-3)


@given(st.integers(0, 10_000), st.lists(st.integers(1, 3_000), min_size=1, max_size=12), st.integers(-120, 0))
def test_blocks_of_any_length_come_out_alike(seed: int, blocks: list[int], tenths: int) -> None:
    chance = np.random.default_rng(seed)
    length = sum(blocks)
    samples = (chance.standard_normal((2, length)) * chance.uniform(0, 3)).astype(np.float32)
    whole, _ = limited(samples, tenths / 10, block=length + DELAY)
    limiter = Limiter(2, tenths / 10)
    out: list[np.ndarray] = []
    first = 0
    for block in [*blocks, DELAY]:
        piece = np.zeros((2, DELAY), np.float32) if first == length else samples[:, first : first + block]
        out.append(limiter(piece))
        first += 0 if first == length else block
    assert np.concatenate(out, axis=1)[:, DELAY:] == pytest.approx(whole, abs=1e-4)
