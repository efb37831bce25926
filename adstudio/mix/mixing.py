"""Film and narration mixed in two passes: measured, then rendered at the gains that follow. Both stream."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adstudio.mix.duck import Breakpoint
from adstudio.mix.film_sound import Block, FilmSound
from adstudio.mix.layout import BLOCK, MONO, PER_MS, Layout
from adstudio.mix.levels import Levels, Measured
from adstudio.mix.limiter import DELAY, Limiter
from adstudio.mix.lines import MixLine
from adstudio.mix.loudness import STEP, KWeighting, LoudnessMeter, Powers, powers
from adstudio.mix.narration_sound import NarrationSound
from adstudio.mix.true_peak import TruePeakMeter

OnFraction = Callable[[float], None]
"""Is told which part of the pass is done, once a second of film; it may raise to stop it."""


@dataclass(frozen=True)
class Parts:
    """What is mixed: the film's sound in `length` samples, and lines, under which it has the levels of `duck`."""

    film: FilmSound
    lines: Sequence[MixLine]
    duck: Sequence[Breakpoint]
    length: int
    guard: int

    def blocks(self) -> Generator[tuple[Block, Block, NDArray[np.float32] | None]]:
        """Second by second: the film, the film ducked, and the narration, None where there is none."""
        narration = NarrationSound(self.lines, self.guard)
        ducked = DuckedFilm(self.duck)
        first = 0
        with contextlib.closing(self.film.blocks(self.length)) as blocks:
            for block in blocks:
                yield block, ducked(block, first), narration.block(first, block.shape[1])
                first += block.shape[1]


class DuckedFilm:
    """The film at the levels of an envelope."""

    def __init__(self, envelope: Sequence[Breakpoint]) -> None:
        self._times = np.array([point.ms * PER_MS for point in envelope], np.float64)
        self._levels = np.array([point.level / 10 for point in envelope], np.float64)

    def __call__(self, block: Block, first: int) -> Block:
        """A block that begins at sample `first`: the same one where the film is up."""
        gains = self.gains(first, block.shape[1])
        return block if gains is None else block * gains

    def gains(self, first: int, count: int) -> NDArray[np.float32] | None:
        """The film's factors from sample `first` on; None where it is up all the time."""
        end = first + count
        if not len(self._times) or end <= self._times[0] or first >= self._times[-1]:
            return None
        inside = (self._times >= first) & (self._times <= end)
        edges = np.interp([first, end], self._times, self._levels)
        if not edges.any() and not self._levels[inside].any():
            return None
        levels = np.interp(np.arange(first, end), self._times, self._levels)
        return (10 ** (levels / 20)).astype(np.float32)


def measure(parts: Parts, on_fraction: OnFraction) -> Measured:
    """The first pass."""
    layout = parts.film.layout
    places = list(layout.narration)
    weights = np.array(layout.weights)
    film, down, voice = KWeighting(layout), KWeighting(layout), KWeighting(MONO)
    found: list[tuple[Powers, ...]] = []
    before: Block | None = None
    up, quiet = True, True
    done = 0
    for block, ducked, narration in parts.blocks():
        count = block.shape[1]
        weighted = low = film(block)
        # A filter forgets what came more than a second ago: it need not run where nothing differs.
        if ducked is not block or not up:
            if up and before is not None:
                down(before)
            low = down(ducked)
        if narration is not None or not quiet:
            mono = voice(np.zeros((1, count)) if narration is None else narration[np.newaxis])
        else:
            mono = np.zeros((1, count))
        up, quiet, before = ducked is block, narration is None, block
        spoken = np.repeat(mono, len(places), axis=0)
        found.append(
            (
                powers(weighted, weighted, weights),
                powers(low, low, weights),
                powers(spoken, spoken, weights[places]),
                powers(low[places], spoken, weights[places]),
            )
        )
        done += count
        on_fraction(done / parts.length)
    return Measured(*(np.concatenate(column) for column in zip(*found, strict=True)))


class Rendering:
    """The second pass: blocks at their gains, limited, and measured as they go out."""

    def __init__(self, layout: Layout, true_peak: int) -> None:
        """`true_peak`: what is not exceeded, in tenths of a dBTP."""
        self.layout = layout
        self._limiter = Limiter(layout.channels, true_peak / 10)
        self._loudness = LoudnessMeter(layout)
        self._peak = TruePeakMeter(layout.channels)

    @property
    def loudness(self) -> float | None:
        """LUFS of what went out; None while nothing sounds."""
        return self._loudness.loudness

    @property
    def true_peak(self) -> float | None:
        """DBTP of what went out; None while nothing sounds."""
        return self._peak.peak

    @property
    def limited(self) -> float:
        """By how many decibels the limiter has gone down at most."""
        return self._limiter.most

    def __call__(self, blocks: Iterable[Block]) -> Generator[Block]:
        """The same samples, as many and in their places, in blocks of whole tenths of a second but the last."""
        left = np.zeros((self.layout.channels, 0), np.float32)
        early = DELAY
        for block in blocks:
            out = self._limiter(block)
            passed = min(early, out.shape[1])
            early -= passed
            left = np.concatenate([left, out[:, passed:]], axis=1)
            whole = left.shape[1] // STEP * STEP
            if whole:
                yield self._measured(left[:, :whole])
                left = left[:, whole:]
        rest = self._limiter(np.zeros((self.layout.channels, DELAY), np.float32))
        left = np.concatenate([left, rest[:, early:]], axis=1)
        if left.shape[1]:
            yield self._measured(left)

    def _measured(self, block: Block) -> Block:
        self._loudness.add(block)
        self._peak.add(block)
        return block


def mixed(parts: Parts, levels: Levels) -> Generator[Block]:
    """Film and narration together at these gains."""
    gain, spoken = factor(levels.mix), factor(levels.mix + levels.narration)
    for _, ducked, narration in parts.blocks():
        block = ducked * gain
        if narration is not None:
            block[list(parts.film.layout.narration)] += narration * spoken
        yield block


def narrated(parts: Parts, levels: Levels) -> Generator[Block]:
    """The narration alone, in one channel, as loud as in each channel of the mix that it is in."""
    sound = NarrationSound(parts.lines, parts.guard)
    spoken = factor(levels.mix + levels.narration)
    for first in range(0, parts.length, BLOCK):
        count = min(BLOCK, parts.length - first)
        block = sound.block(first, count)
        yield (np.zeros(count, np.float32) if block is None else block * spoken)[np.newaxis]


def factor(decibels: float) -> np.float32:
    """What samples are multiplied by for a gain."""
    return np.float32(10 ** (decibels / 20))
