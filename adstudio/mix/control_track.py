"""The control track beside a narration, from which receivers mix (BBC WHP 198): how far the programme is to fade.

A message is an AD_descriptor (ETSI TS 101 154, annex E) with a checksum: 16 bytes, ten times a second, as a Manchester
signal of 1280 bits a second. At 48 kHz a bit is 37.5 samples long, and a message 4,800 exactly: message k starts at
sample 4,800 k, so nothing drifts however long the programme is. Reading it again is in `control_decoder`.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adstudio.core.timebase import Span
from adstudio.mix.layout import RATE

BIT_RATE = 1280
HALF_BIT = RATE / BIT_RATE / 2
"""Samples of half a bit: one level of the signal."""
MESSAGE_MS = 100
MESSAGE_SAMPLES = RATE * MESSAGE_MS // 1000
TAG = b"DTGAD"
VERSION = ord("1")
LEAST_LENGTH = 8
"""The smallest AD_descriptor_length: tag, version, fade and pan."""
TAIL = 7
"""Bytes of a message behind those that its length counts: five reserved ones and the checksum."""
MUTE = 0xFF
"""The fade byte that silences the programme."""
STEP = 3
"""Tenths of a dB of one step of the fade byte."""
CENTRE = 0
"""The pan byte of narration from the front."""

_CRC_START = 0x1D0F
_RESERVED = b"\xff" * 5
_AMPLITUDE = 8231
"""−12 dBFS."""
_EDGE = 4
"""Samples from the middle of an edge to its end: rounded edges survive a change of sample rate, sharp ones ring."""


@dataclass(frozen=True, slots=True)
class ControlMessage:
    """What one message says: the programme's fade and the narration's pan, as their bytes."""

    fade: int
    pan: int = CENTRE
    version: int = VERSION

    def encoded(self) -> bytes:
        """Its 16 bytes, in version 1; over all of them the checksum is 0."""
        body = bytes((0xF0 | LEAST_LENGTH, *TAG, VERSION, self.fade, self.pan)) + _RESERVED
        return body + checksum(body).to_bytes(2, "big")


def checksum(data: bytes) -> int:
    """CRC-16 of polynomial 0x1021 that starts from 0x1D0F."""
    return crc_hqx(data, _CRC_START)


def fade_byte(depth: float) -> int:
    """The byte for a fade of this many tenths of a dB, to the nearest 0.3 dB; what is deeper than 76.3 dB is mute."""
    return min(max(round(depth / STEP), 0), MUTE)


def fade_depth(byte: int) -> int:
    """How deep a fade byte is, in tenths of a dB; that of mute stands for any depth beyond 76.3 dB."""
    return byte * STEP


def fade_bytes(envelope: Sequence[tuple[int, int]], length: int, dialogue: Iterable[Span] = ()) -> list[int]:
    """The fade bytes of a programme of `length` samples: each is the fade of the moment at which its message starts.

    `envelope` are times (ms) in order with the programme's levels there (tenths of a dB, 0 or below), between which
    the level is linear in decibels. As receivers hold a fade until the next message, the one in which `dialogue` starts
    has no fade, unless the programme is down at that moment.
    """
    count = -(-length // MESSAGE_SAMPLES)
    if not envelope:
        return [0] * count
    times, levels = zip(*envelope, strict=True)
    found = np.interp(np.arange(count) * MESSAGE_MS, times, levels, left=0, right=0)
    starts = np.array([span.start for span in dialogue if span.start < count * MESSAGE_MS], np.int64)
    found[starts[np.interp(starts, times, levels, left=0, right=0) == 0] // MESSAGE_MS] = 0
    return [fade_byte(-level) for level in found.tolist()]


def control_signal(fades: Iterable[int]) -> Iterator[NDArray[np.int16]]:
    """The signal of messages with these fade bytes, 16 bits at 48 kHz, in pieces of one message each."""
    before = 1.0
    for fade in fades:
        halves = _halves(ControlMessage(fade).encoded())
        # Each message begins with a 1, whose first half is high; so does whatever follows this one.
        levels = np.concatenate(([before], halves, [1.0]))
        before = halves[-1]
        yield np.rint((levels[_FIRST] + (levels[_SECOND] - levels[_FIRST]) * _BLEND) * _AMPLITUDE).astype(np.int16)


def _halves(data: bytes) -> NDArray[np.float64]:
    """The levels of all halves of the bits: a 1 is high and then low, a 0 low and then high."""
    bits = np.unpackbits(np.frombuffer(data, np.uint8)).astype(np.float64) * 2 - 1
    return np.column_stack((bits, -bits)).ravel()


def _edges() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """For each sample of a message the levels around the nearest edge, and how far it is from one to the other."""
    at = np.arange(MESSAGE_SAMPLES)
    nearest = np.rint(at / HALF_BIT).astype(np.int64)
    way = np.clip((at - nearest * HALF_BIT) / _EDGE, -1.0, 1.0)
    # `levels` has the one before the message first, so that edge k is between places k and k + 1.
    return nearest, nearest + 1, 0.5 + 0.5 * np.sin(way * np.pi / 2)


_FIRST, _SECOND, _BLEND = _edges()
