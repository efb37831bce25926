"""Reads a control track (see `control_track`) from its signal, and says where it cannot be read.

The signal is read from the times between its edges: half a bit or a whole one, with five samples' tolerance. How
loud it is, a constant offset, and noise of a third of its own level do not matter. After any disturbance reading goes
on where two bits differ.

A signal of inverted polarity is read too, since that is one crossed cable, but reported: receivers need not read it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from adstudio.mix.control_track import (
    HALF_BIT,
    LEAST_LENGTH,
    MESSAGE_SAMPLES,
    TAG,
    TAIL,
    ControlMessage,
    checksum,
)

TOLERANCE = 5
"""Samples by which the time between two edges may be wrong."""
QUIETEST = 32
"""The mean level below which there is no signal, of 32,768."""

_BLOCK = 480
"""Samples over which the signal's level is taken: some 13 bits."""
_HYSTERESIS = 0.3
"""Of the level: how far beyond zero the signal must go to be on the other side."""
_TAG = int.from_bytes(TAG, "big")
_TAG_BITS = (1 << 40) - 1
_TAGS = (_TAG, _TAG ^ _TAG_BITS)
_TAG_END = 48
"""Bits from a message's start to the end of its tag."""
_LONGEST = (1 + 15 + TAIL) * 8
"""Bits of the longest message."""


Bit = tuple[int, float]
"""A bit, and the sample in its middle."""
Edge = tuple[float, bool]
"""When the signal goes through zero, in samples, and whether it rises."""


class ControlFault(Enum):
    """Why a stretch of the signal gives no message that a receiver would take."""

    MISSING = "no message"
    """There is no signal, or it is no Manchester signal, or has no message in it."""
    DAMAGED = "wrong checksum"
    SHORT = "impossible length"
    """The message says that it is shorter than one can be."""
    INVERTED = "inverted polarity"


@dataclass(frozen=True, slots=True)
class FaultyStretch:
    """A stretch with a fault; times in samples."""

    kind: ControlFault
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A message whose checksum is right, and the sample at which it starts."""

    start: int
    message: ControlMessage
    length: int
    """Samples."""
    inverted: bool = False


@dataclass(frozen=True)
class ControlReading:
    """All that a control track says, in order."""

    messages: tuple[ReadMessage, ...]
    faults: tuple[FaultyStretch, ...]
    length: int
    """Samples of the signal."""


def read_control_track(signal: Iterable[NDArray[np.int16]]) -> ControlReading:
    """Read a whole signal, 16 bits at 48 kHz, from pieces of any sizes."""
    decoder = ControlDecoder()
    messages = [message for piece in signal for message in decoder.feed(piece)]
    messages += decoder.finish()
    return ControlReading(tuple(messages), tuple(_faults(messages, decoder.rejected, decoder.length)), decoder.length)


class ControlDecoder:
    """Reads a signal piece by piece; only what is `rejected` grows with its length."""

    def __init__(self) -> None:
        self.length = 0
        """Samples fed."""
        self._rest: NDArray[np.int16] = np.empty(0, np.int16)
        self._edges = _Edges()
        self._bits = _Bits()
        self._messages = _Messages()

    @property
    def rejected(self) -> list[tuple[int, ControlFault]]:
        """Where messages begin that cannot be valid, in samples, and why they cannot."""
        return self._messages.rejected

    def feed(self, samples: NDArray[np.int16]) -> list[ReadMessage]:
        """The messages that end in these samples."""
        self.length += len(samples)
        waiting = np.concatenate((self._rest, samples))
        whole = len(waiting) // _BLOCK * _BLOCK
        self._rest = waiting[whole:]
        return self._read(waiting[:whole].reshape(-1, _BLOCK))

    def finish(self) -> list[ReadMessage]:
        """The messages that end in what was fed last."""
        rest, self._rest = self._rest, self._rest[:0]
        return self._read(rest[np.newaxis])

    def _read(self, blocks: NDArray[np.int16]) -> list[ReadMessage]:
        found: list[ReadMessage] = []
        for edge in self._edges.of(blocks) if blocks.size else ():
            bits = self._bits.at(edge)
            if bits or self._bits.lost:
                found += self._messages.add(bits, lost=self._bits.lost)
        return found


class _Edges:
    """The times at which a signal goes through zero."""

    def __init__(self) -> None:
        self._start = 0
        self._high: bool | None = None
        self._last = 0

    def of(self, blocks: NDArray[np.int16]) -> list[Edge]:
        """Those in the next blocks, which are all of one length."""
        start, self._start = self._start, self._start + blocks.size
        centred = blocks - blocks.mean(axis=1, keepdims=True, dtype=np.float32)
        sizes = np.abs(centred)
        level = sizes.mean(axis=1, keepdims=True)
        sure = np.flatnonzero(sizes > np.where(level < QUIETEST, np.inf, level * _HYSTERESIS))
        if not len(sure):
            return []
        high = centred.ravel()[sure] > 0
        sure += start
        # Each sample that is surely on one side, and the one before it that is: between them lies the edge.
        before = np.concatenate(([high[0] if self._high is None else self._high], high[:-1]))
        earlier = np.concatenate(([self._last], sure[:-1]))
        changes = np.flatnonzero(high != before)
        self._high, self._last = bool(high[-1]), int(sure[-1])
        return list(zip(((earlier + sure) / 2)[changes].tolist(), high[changes].tolist(), strict=True))


class _Bits:
    """Bits from edges: there is an edge in the middle of each bit, and one between two bits that are alike."""

    def __init__(self) -> None:
        self.lost = True
        """Whether what was last given does not follow what was given before."""
        self._in_middle: bool | None = None
        """Whether the last edge was in the middle of a bit; None while that is not known."""
        self._waiting: list[Edge] = []
        """The last edge, and before it those half a bit apart of which it is not known where in a bit they are."""

    def at(self, edge: Edge) -> list[Bit]:
        """The bits that this edge makes known."""
        halves = _halves_between(edge[0] - self._waiting[-1][0]) if self._waiting else 0
        # A whole bit from an edge between two bits leads nowhere: an edge is missing, or one too many.
        self.lost = halves == 0 or (halves == 2 and self._in_middle is False)
        if halves == 0:
            self._in_middle, self._waiting = None, [edge]
            return []
        if self.lost:
            self._in_middle, self._waiting = None, self._waiting[-1:]
        if self._in_middle is None:
            if halves == 1:
                self._waiting = [*self._waiting[-2 * _LONGEST :], edge]
                return []
            found = [*self._waiting[::-2][::-1], edge]
            self._in_middle = True
        else:
            self._in_middle = halves == 2 or not self._in_middle
            found = [edge] if self._in_middle else []
        self._waiting = [edge]
        return [(int(not rises), time) for time, rises in found]


def _halves_between(samples: float) -> int:
    """How many half bits lie between two edges: 1 or 2, or 0 for what is neither."""
    for halves in (1, 2):
        if abs(samples - halves * HALF_BIT) <= TOLERANCE:
            return halves
    return 0


class _Messages:
    """Messages from bits."""

    def __init__(self) -> None:
        self.rejected: list[tuple[int, ControlFault]] = []
        self._bits = bytearray()
        self._times: list[float] = []
        self._register = 0
        self._candidates: list[tuple[int, bool]] = []
        """Places among the bits where a message may begin, and whether it would be inverted."""

    def add(self, bits: Iterable[Bit], *, lost: bool) -> list[ReadMessage]:
        """The messages that these bits complete; `lost`: they do not follow those before."""
        if lost:
            self._reject_all()
        found: list[ReadMessage] = []
        for bit, time in bits:
            self._bits.append(bit)
            self._times.append(time)
            self._register = (self._register << 1 | bit) & _TAG_BITS
            if self._register in _TAGS and len(self._bits) >= _TAG_END:
                self._candidates.append((len(self._bits) - _TAG_END, self._register != _TAG))
            if self._candidates:
                found += self._completed()
            elif len(self._bits) > _LONGEST:
                self._forget(len(self._bits) - _TAG_END)
        return found

    def _completed(self) -> Iterator[ReadMessage]:
        while self._candidates:
            place, inverted = self._candidates[0]
            length = _number(self._bits[place + 4 : place + 8], inverted)
            end = place + (1 + length + TAIL) * 8
            if length >= LEAST_LENGTH and len(self._bits) < end:
                return
            start = round(self._times[place] - HALF_BIT)
            data = bytes(_number(self._bits[at : at + 8], inverted) for at in range(place, end, 8))
            if length < LEAST_LENGTH:
                self._reject(start, ControlFault.SHORT)
            elif checksum(data) != 0:
                self._reject(start, ControlFault.DAMAGED)
            else:
                samples = round(self._times[end - 1] - self._times[place] + 2 * HALF_BIT)
                yield ReadMessage(start, ControlMessage(data[7], data[8], data[6]), samples, inverted)
                # What looks like a message inside of a valid one is none.
                self._candidates = [each for each in self._candidates if each[0] >= end]
                self._forget(end)
                continue
            del self._candidates[0]

    def _reject(self, start: int, fault: ControlFault) -> None:
        self.rejected.append((start, fault))

    def _reject_all(self) -> None:
        for place, _ in self._candidates:
            self._reject(round(self._times[place] - HALF_BIT), ControlFault.DAMAGED)
        self._candidates = []
        self._register = 0
        self._forget(len(self._bits))

    def _forget(self, bits: int) -> None:
        del self._bits[:bits]
        del self._times[:bits]
        self._candidates = [(place - bits, inverted) for place, inverted in self._candidates]


def _number(bits: bytearray, inverted: bool) -> int:
    number = 0
    for bit in bits:
        number = number << 1 | (bit ^ inverted)
    return number


def _faults(
    messages: Sequence[ReadMessage], rejected: Sequence[tuple[int, ControlFault]], length: int
) -> Iterator[FaultyStretch]:
    """The stretches without a message, and those of inverted polarity, in order.

    At either end of the signal there may be a message that lies in it only in part.
    """
    bit = round(2 * HALF_BIT)
    rejected = sorted(rejected, key=itemgetter(0))
    end = 0
    for message in (*messages, None):
        start = length if message is None else message.start
        if start - end > (MESSAGE_SAMPLES - bit if message is None or end == 0 else bit):
            reason = bisect_left(rejected, end - bit, key=itemgetter(0))
            found = reason < len(rejected) and rejected[reason][0] < start
            yield FaultyStretch(rejected[reason][1] if found else ControlFault.MISSING, end, start)
        if message is not None:
            end = message.start + message.length
            if message.inverted:
                yield FaultyStretch(ControlFault.INVERTED, message.start, end)
