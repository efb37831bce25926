"""The raw material of the film's sound: noise in a band, tones that die away, rooms. Always the same samples."""

from __future__ import annotations

from zlib import crc32

import numpy as np

from sample_film.speech import SAMPLE_RATE, Samples


def chance(name: str) -> np.random.Generator:
    """A source of chance that belongs to a name, so that each sound is the same in every film."""
    return np.random.default_rng(crc32(name.encode()))


def samples_in(seconds: float) -> int:
    """How many samples last that long."""
    return round(seconds * SAMPLE_RATE)


def clock_of(seconds: float) -> Samples:
    """The time of each sample, in seconds."""
    return np.arange(samples_in(seconds), dtype=np.float32) / SAMPLE_RATE


def filtered(sound: Samples, low: float, high: float, *, slope: float = 1.0) -> Samples:
    """The part of a sound between two frequencies (Hz); `slope` is the width of the edges in octaves."""
    spectrum = np.fft.rfft(sound)
    octaves = np.log2(np.maximum(np.fft.rfftfreq(len(sound), 1 / SAMPLE_RATE), 1.0))
    rise = np.clip((octaves - np.log2(low)) / slope + 0.5, 0, 1)
    fall = np.clip((np.log2(high) - octaves) / slope + 0.5, 0, 1)
    return np.fft.irfft(spectrum * (rise * fall), len(sound)).astype(np.float32)


def noise(name: str, seconds: float, low: float, high: float) -> Samples:
    """Noise between two frequencies, at an effective level of 1."""
    sound = filtered(chance(name).standard_normal(samples_in(seconds)).astype(np.float32), low, high)
    return (sound / np.sqrt(np.mean(sound**2) + 1e-12)).astype(np.float32)


def tone(frequency: float, seconds: float, *, dies: float, attack: float = 0.003) -> Samples:
    """A sine that dies away with the time constant `dies`."""
    t = clock_of(seconds)
    return (np.sin(2 * np.pi * frequency * t) * np.exp(-t / dies) * np.minimum(t / attack, 1)).astype(np.float32)


def swell(seconds: float, *points: tuple[float, float]) -> Samples:
    """A level that runs straight between (second, level) points."""
    xs, ys = zip(*points, strict=True)
    return np.interp(clock_of(seconds), xs, ys).astype(np.float32)


def put(onto: Samples, sound: Samples, second: float, gain: float = 1.0) -> None:
    """Add a sound to another from a second on; what lies beyond its end is lost."""
    start = samples_in(second)
    room = max(0, min(len(sound), len(onto) - start))
    onto[start : start + room] += sound[:room] * gain


def in_room(sound: Samples, name: str, seconds: float, share: float) -> Samples:
    """The sound in a room whose echo dies in `seconds`; it becomes that much longer."""
    t = clock_of(seconds)
    echo = noise(name, seconds, 200, 5000) * np.exp(-t * 5 / seconds)
    echo /= np.sqrt(np.sum(echo**2))
    length = len(sound) + len(echo) - 1
    size = 1 << (length - 1).bit_length()
    wet = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(echo, size), size)[:length].astype(np.float32)
    wet[: len(sound)] = wet[: len(sound)] * share + sound * (1 - share * 0.5)
    wet[len(sound) :] *= share
    return wet
