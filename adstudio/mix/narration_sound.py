"""The narration as one channel of sound at 48 kHz, each line from its very sample on, with its ends faded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adstudio.mix.layout import PER_MS, RATE
from adstudio.mix.lines import MixLine


class NarrationSound:
    """Lines in film time, read from the beginning to the end: a line's sound is loaded once, and let go after it."""

    def __init__(self, lines: Sequence[MixLine], guard: int) -> None:
        """`guard`: milliseconds of the fade at both ends of each line."""
        self._waiting = sorted(lines, key=lambda line: line.start, reverse=True)
        self._guard = guard
        self._active: list[tuple[int, NDArray[np.float32]]] = []

    def block(self, first: int, count: int) -> NDArray[np.float32] | None:
        """The next samples, from sample `first` on; None where nothing sounds. Blocks are asked for in order."""
        end = first + count
        while self._waiting and self._waiting[-1].start * PER_MS < end:
            line = self._waiting.pop()
            self._active.append((line.start * PER_MS, line_samples(line, self._guard)))
        self._active = [(at, samples) for at, samples in self._active if at + len(samples) > first]
        if not self._active:
            return None
        mixed = np.zeros(count, np.float32)
        for at, samples in self._active:
            begin, stop = max(at, first), min(at + len(samples), end)
            mixed[begin - first : stop - first] += samples[begin - at : stop - at]
        return mixed


def line_samples(line: MixLine, guard: int) -> NDArray[np.float32]:
    """A line's samples at its gain, faded in and out over `guard` milliseconds, or half of a line shorter than two."""
    samples = line.load().at_rate(RATE).samples.astype(np.float32)
    samples *= np.float32(10 ** (line.gain / 200))
    length = min(guard * PER_MS, len(samples) // 2)
    if length:
        fade = ((1 - np.cos(np.pi * (np.arange(length) + 0.5) / length)) / 2).astype(np.float32)
        samples[:length] *= fade
        samples[-length:] *= fade[::-1]
    return samples
