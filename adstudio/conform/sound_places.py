"""Where stretches of a film's sound are in another cut.

A few seconds of the former cut at a time are looked for in the whole of the new one. Of the places that are alike,
those are taken that follow on from one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from adstudio.conform.sound_levels import Core, stretched
from adstudio.gaps.subtitle_sync import RATIOS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Levels = NDArray[np.float64]

Stretches = Sequence[tuple[float, float]]
"""From and to, in bins."""

LIKELY, LEAST_LIKELY = 0.75, 3
"""What is less sure is believed where so many blocks, one of them so much alike, go on in film of no other core."""
COARSE = 5
"""Bins of one value that is looked for."""
BLOCKS = ((60_000, 250, 50), (10 * 60_000, 400, 100), (60 * 60_000, 600, 200), (1 << 60, 600, 400))
"""Up to which length of the film (ms) how many bins are looked for at a time, and from one block to the next."""
SHORT_BLOCK, SHORT_HOP, LEAST_SHORT = 150, 25, 3
"""Bins of the blocks that are looked for in what is left over, and how many of them must follow one another."""
SMOOTHED = 200
"""Bins over which the mean is taken off, so that only changes of the level count."""
SILENT = 0.08
"""Standard deviation of the level, in octaves, below which a block says nothing."""
ALIKE = 0.6
"""Correlation from which two blocks may be the same sound. Of other sound, the best of an hour's places has 0.55."""
CANDIDATES = 4
WORTH = 0.35
"""Correlation that a block needs to count for its place at all."""
JUMP = 0.45
"""What a change of place costs, in correlation."""
NEAR_BINS = 4
"""Places that are this near follow on from one another."""
SPEEDS = (Fraction(1), Fraction(25, 24), Fraction(24, 25))
SAMPLED = 40
"""Blocks that decide about the speed."""
NEAR_SPEED = 0.0025
"""Speeds that differ by less are told apart by how places drift."""
BATCH = 16
SURE = 0.8
"""Correlation of the blocks at both ends of a core."""
SURE_OF_FEW, FEW = 0.9, 5
"""Correlation that one block of a core has at least where there are so few: short stretches are alike by chance."""


def find_cores(old: Levels, new: Levels, duration: int) -> tuple[list[Core], Fraction]:
    """Where two cuts sound alike, in order of the former one, and its speed; `duration` is the former one's in ms."""
    block, hop = next((block, hop) for longest, block, hop in BLOCKS if duration <= longest)
    if min(len(old), len(new)) < 2 * block:
        return [], Fraction(1)
    search = _Search(new, block)
    speed = _speed(old, search)
    places = _chain(search.places(old, speed, hop), speed)
    ratio = _fine_speed(places, speed)
    return _cores(places, ratio), ratio


def short_cores(
    old: Levels,
    new: Levels,
    ratio: Fraction,
    covered: Sequence[tuple[float, float]],
    there: Sequence[tuple[float, float]],
) -> list[Core]:
    """Cores in film that is covered on neither side: short stretches, which are only looked for there.

    `covered` and `there` are in bins, of the former cut at the new one's speed and of the new one.
    """
    left, room = _uncovered(covered, int(len(old) * ratio)), _uncovered(there, len(new))
    if not left or not room:
        return []
    search = _Search(new, SHORT_BLOCK)
    found: list[Core] = []
    for stretch in left:
        blocks = search.places(old, ratio, SHORT_HOP, within=(stretch,), among=room)
        for group in _grouped(_chain(blocks, ratio), ratio):
            core = _core(group, ratio, SURE)
            if core and len(group) >= LEAST_SHORT and max(map(_alike, group)) >= SURE_OF_FEW:
                found.append(core)
    return found


def _alike(place: _Place) -> float:
    return place.alike


def _uncovered(spans: Stretches, length: int) -> list[tuple[float, float]]:
    """What is between spans, and before and after them, if a short block has room there."""
    found: list[tuple[float, float]] = []
    at = 0.0
    for start, end in (*sorted(spans), (float(length), float(length))):
        if start - at >= SHORT_BLOCK:
            found.append((at, start))
        at = max(at, end)
    return found


@dataclass(frozen=True)
class _Place:
    """A block's place: the middle of it in both cuts (bins, of the former cut at its own speed), and how alike."""

    old: float
    new: float
    alike: float


def _changes(levels: Levels) -> Levels:
    """The levels without their running mean."""
    import numpy as np

    total = np.concatenate(([0.0], np.cumsum(levels)))
    middle = np.arange(len(levels))
    first, last = (middle - SMOOTHED // 2).clip(0), (middle + SMOOTHED // 2).clip(None, len(levels))
    return levels - (total[last] - total[first]) / (last - first)


def _coarse(levels: Levels) -> Levels:
    whole = len(levels) // COARSE * COARSE
    return levels[:whole].reshape(-1, COARSE).mean(axis=1)


class _Search:
    """The new cut, in which blocks are looked for."""

    def __init__(self, levels: Levels, block: int) -> None:
        import numpy as np

        self.block = block
        self._fine = _changes(levels)
        self._coarse = _coarse(self._fine)
        self._size = 1 << (len(self._coarse) + block // COARSE).bit_length()
        self._spectrum = np.fft.rfft(self._coarse, self._size)
        length = self.block // COARSE
        squares = np.concatenate(([0.0], np.cumsum(self._coarse**2)))
        sums = np.concatenate(([0.0], np.cumsum(self._coarse)))
        energy = squares[length:] - squares[:-length] - (sums[length:] - sums[:-length]) ** 2 / length
        self._strength = np.sqrt(energy.clip(length * SILENT**2, None))

    def places(
        self,
        old: Levels,
        speed: Fraction,
        hop: int,
        sampled: int = 0,
        within: Stretches = (),
        among: Stretches = (),
    ) -> list[list[_Place]]:
        """For each block of the former cut that says something, where it may be.

        `sampled`: only of so many; `within` and `among` limit what is looked for, and where, both in bins.
        """
        import numpy as np

        fine = _changes(stretched(old, speed))
        coarse = _coarse(fine)
        length = self.block // COARSE
        starts = list(range(0, len(coarse) - length + 1, hop // COARSE))
        if within:
            starts = [start for start in starts if _is_inside(start * COARSE, self.block, within)]
        if sampled and len(starts) > sampled:
            starts = [starts[len(starts) * k // sampled] for k in range(sampled)]
        found: list[list[_Place]] = []
        for first in range(0, len(starts), BATCH):
            batch = starts[first : first + BATCH]
            blocks = np.stack([coarse[start : start + length] for start in batch])
            blocks -= blocks.mean(axis=1, keepdims=True)
            norms = np.sqrt((blocks**2).sum(axis=1))
            spectra = np.fft.rfft(blocks, self._size, axis=1)
            alike = np.fft.irfft(self._spectrum * np.conj(spectra), self._size, axis=1)[:, : len(self._strength)]
            for row, start in enumerate(batch):
                if norms[row] < SILENT * length**0.5:
                    continue
                likeness = alike[row] / (norms[row] * self._strength)
                if among:
                    likeness = np.where(self._inside(among), likeness, -1.0)
                best = _highest(likeness)
                fitted = [self._fitted(fine, start * COARSE, lag * COARSE, speed) for lag in best]
                found.append([place for place in fitted if place is not None])
        return found

    def _inside(self, spans: Stretches) -> NDArray[np.bool_]:
        """Which coarse places have room for a block within these spans."""
        import numpy as np

        found = np.zeros(len(self._strength), np.bool_)
        for start, end in spans:
            found[max(0, int(start) // COARSE - 1) : max(0, int(end - self.block) // COARSE + 2)] = True
        return found

    def _fitted(self, fine: Levels, start: int, near: int, speed: Fraction) -> _Place | None:
        """The place of a block to a fraction of a bin, near a coarse one; None where it is not alike."""
        import numpy as np

        block = fine[start : start + self.block]
        block = block - block.mean()
        norm = float(np.sqrt((block**2).sum()))
        reach = 2 * COARSE
        lags = [lag for lag in range(near - reach, near + reach + 1) if 0 <= lag <= len(self._fine) - self.block]
        if not lags or not norm:
            return None
        values: list[float] = []
        for lag in lags:
            other = self._fine[lag : lag + self.block]
            other = other - other.mean()
            strength = max(float(np.sqrt((other**2).sum())), SILENT * self.block**0.5)
            values.append(float(block @ other) / (norm * strength))
        best = max(range(len(values)), key=values.__getitem__)
        if values[best] < ALIKE:
            return None
        part = 0.0
        if 0 < best < len(values) - 1:
            low, mid, high = values[best - 1 : best + 2]
            bend = low - 2 * mid + high
            part = 0.5 * (low - high) / bend if bend < 0 else 0.0
        middle = self.block / 2
        return _Place((start + middle) / float(speed), lags[best] + middle + part, values[best])


def _is_inside(start: int, length: int, spans: Stretches) -> bool:
    return any(span[0] - COARSE <= start and start + length <= span[1] + COARSE for span in spans)


def _highest(alike: Levels) -> list[int]:
    """The places that are most alike, none near another."""
    found: list[int] = []
    alike = alike.copy()
    while len(found) < CANDIDATES:
        best = int(alike.argmax())
        if alike[best] < ALIKE - 0.1:
            break
        found.append(best)
        alike[max(0, best - 10) : best + 11] = -1
    return found


def _speed(old: Levels, search: _Search) -> Fraction:
    """The speed at which most of the former cut is in the new one."""

    def alike(speed: Fraction) -> float:
        blocks = search.places(old, speed, search.block // 4, SAMPLED)
        return sum(max((place.alike for place in block), default=0.0) for block in blocks)

    return max(SPEEDS, key=alike)


@dataclass(frozen=True)
class _State:
    """The best choice of places up to a block: its value, its own place if any, the last one, and the state before."""

    value: float
    place: _Place | None = None
    last: _Place | None = None
    before: _State | None = None


def _chain(blocks: Sequence[list[_Place]], speed: Fraction) -> list[_Place]:
    """One place, or none, for each block, so that most follow on from one another."""
    states = [_State(0.0)]
    for block in blocks:
        best = max(states, key=lambda state: state.value)
        states = [
            _State(best.value, None, best.last, best),
            *(_State(state.value, None, state.last, state) for state in states if state is not best),
            *(max((_led_to(state, place, speed) for state in states), key=_value) for place in block),
        ]
        states = _fewer(states)
    at: _State | None = max(states, key=_value)
    chosen: list[_Place] = []
    while at is not None:
        if at.place is not None:
            chosen.append(at.place)
        at = at.before
    return chosen[::-1]


def _value(state: _State) -> float:
    return state.value


def _led_to(state: _State, place: _Place, speed: Fraction) -> _State:
    cost = JUMP / 2 if state.last is None else 0.0 if _follows(state.last, place, speed) else JUMP
    return _State(state.value + place.alike - WORTH - cost, place, place, state)


def _fewer(states: Sequence[_State]) -> list[_State]:
    """Of states that go on alike the best, and of all the best few: the others cannot catch up."""
    best: dict[_Place | None, _State] = {}
    for state in states:
        known = best.get(state.last)
        if known is None or state.value > known.value:
            best[state.last] = state
    return sorted(best.values(), key=_value, reverse=True)[: 3 * CANDIDATES]


def _follows(one: _Place, other: _Place, speed: Fraction) -> bool:
    return abs((other.new - one.new) - (other.old - one.old) * float(speed)) <= NEAR_BINS


def _fine_speed(places: Sequence[_Place], speed: Fraction) -> Fraction:
    """The standard speed near this one at which places drift least; this one unless another is clearly better."""

    def drift(ratio: Fraction) -> float:
        total = 0.0
        for group in _grouped(places, speed):
            offsets = [place.new - place.old * float(ratio) for place in group]
            middle = sorted(offsets)[len(offsets) // 2]
            total += sum(min(abs(offset - middle), 5.0) for offset in offsets)
        return total

    near = [ratio for ratio in RATIOS if abs(ratio / speed - 1) < NEAR_SPEED]
    best = min(near, key=drift)
    return best if drift(best) < 0.5 * drift(speed) else speed


def _grouped(places: Sequence[_Place], speed: Fraction) -> Iterator[list[_Place]]:
    group: list[_Place] = []
    for place in places:
        if group and not _follows(group[-1], place, speed):
            yield group
            group = []
        group.append(place)
    if group:
        yield group


def _cores(places: Sequence[_Place], ratio: Fraction) -> list[Core]:
    """The groups of places that are believed: sure ones, and others in film that no sure one is of."""
    groups = _split(list(_grouped(places, ratio)))
    sure = [core for group in groups if (core := _core(group, ratio, SURE)) and _is_sure(group)]
    if not sure:
        return []
    for group in groups:
        likely = max(place.alike for place in group) >= LIKELY and len(group) >= LEAST_LIKELY
        core = _core(group, ratio, ALIKE) if likely and not _is_sure(group) else None
        if core and not any(core.new[0] < each.new[1] and each.new[0] < core.new[1] for each in sure):
            sure.append(core)
    return sorted(sure, key=lambda core: core.start)


def _split(groups: Sequence[list[_Place]]) -> list[list[_Place]]:
    """The groups, cut in two wherever the new cut has places of another sure one between two of theirs."""
    sure = [number for number, group in enumerate(groups) if _is_sure(group)]
    order = sorted((place.new, number) for number in sure for place in groups[number])
    following = {new: number for (new, _), (_, number) in pairwise(order)}
    found: list[list[_Place]] = []
    for number, group in enumerate(groups):
        part: list[_Place] = []
        for place in group:
            if part and following.get(part[-1].new, number) != number:
                found.append(part)
                part = []
            part.append(place)
        found.append(part)
    return found


def _is_sure(group: Sequence[_Place]) -> bool:
    sure = [place.alike for place in group if place.alike >= SURE]
    return len(sure) >= FEW or (len(sure) > 1 and max(sure) >= SURE_OF_FEW)


def _core(group: Sequence[_Place], ratio: Fraction, least: float) -> Core | None:
    """A group without what is less alike at its ends."""
    alike = [number for number, place in enumerate(group) if place.alike >= least]
    if not alike:
        return None
    group = group[alike[0] : alike[-1] + 1]
    lags = sorted(place.new - place.old * float(ratio) for place in group)
    ends = [place.old * float(ratio) for place in group]
    return Core(min(ends), max(ends), lags[len(lags) // 2], sum(place.alike for place in group) / len(group))
