"""Writes WAV files of any length while they are rendered: 16 or 24 bits, with their origin time and loudness.

The Broadcast Wave Format, version 2 (EBU Tech 3285), and beyond 4 GB RF64 (EBU Tech 3306). Room for the latter's sizes
is left at the beginning, so that the file need not be written again when it turns out to be that long.
"""

from __future__ import annotations

import struct
from datetime import datetime
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adstudio.mix.film_sound import Block
from adstudio.mix.layout import RATE, Layout

BITS = (16, 24)
"""Bits of a sample that can be written."""
MOST_RIFF = 0xFFFF_FFFF
"""Bytes of the longest RIFF file; a longer one is RF64."""

_PCM, _EXTENSIBLE = 1, 0xFFFE
_PCM_GUID = bytes.fromhex("0100000000001000800000aa00389b71")
_SIZES = 28
"""Bytes of the sizes of RF64."""
_UNKNOWN = 0x7FFF
"""A loudness that is not stated."""
_ORIGINATOR = b"adstudio"


class WavWriter:
    """A WAV file in the making; `with` closes it, and its header is right from then on."""

    def __init__(self, path: Path, layout: Layout, bits: int, *, origin: int = 0, description: str = "") -> None:
        """`origin`: samples from midnight to the first one, by timecode. Raises OSError, as all the methods do."""
        self.loudness: float | None = None
        """LUFS, to be set before the file is closed if it is known; so with the true peak, in dBTP."""
        self.true_peak: float | None = None
        self._layout, self._bits, self._origin, self._description = layout, bits, origin, description
        self._dither = np.random.default_rng(1)
        self._began = datetime.now().astimezone()
        self._length = 0
        self._file = path.open("wb")
        self._file.write(self._header())

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Close the file; unless something was raised, its header is completed."""
        with self._file:
            if kind is None:
                self._file.write(bytes(self._length % 2))
                self._file.seek(0)
                self._file.write(self._header())

    def write(self, block: Block) -> None:
        """Append samples. What is beyond full scale is cut; 16 bits are dithered, except in silence."""
        data = self._whole(block.T).tobytes()
        self._file.write(data)
        self._length += len(data)

    def _whole(self, samples: NDArray[np.float32]) -> NDArray[np.integer]:
        full = 1 << (self._bits - 1)
        scaled = samples * np.float32(full) if self._bits == 16 else samples.astype(np.float64) * full
        if self._bits == 16 and samples.any():
            # The difference of two uniform values is of triangular distribution, of one step to either side.
            scaled += self._dither.random(samples.shape, np.float32) - self._dither.random(samples.shape, np.float32)
        whole = np.clip(np.rint(scaled), -full, full - 1).astype("<i4")
        if self._bits == 16:
            return whole.astype("<i2")
        return np.ascontiguousarray(whole).view("u1").reshape(*whole.shape, 4)[..., :3]

    def _header(self) -> bytes:
        bext, form = self._origin_chunk(), self._format_chunk()
        rest = b"bext" + struct.pack("<I", len(bext)) + bext + b"fmt " + struct.pack("<I", len(form)) + form
        size = 4 + 8 + _SIZES + len(rest) + 8 + self._length + self._length % 2
        if size <= MOST_RIFF:
            sizes = b"JUNK" + struct.pack("<I", _SIZES) + bytes(_SIZES)
            return (
                b"RIFF" + struct.pack("<I", size) + b"WAVE" + sizes + rest + b"data" + struct.pack("<I", self._length)
            )
        frames = self._length // (self._layout.channels * self._bits // 8)
        sizes = b"ds64" + struct.pack("<IQQQI", _SIZES, size, self._length, frames, 0)
        unstated = struct.pack("<I", 0xFFFF_FFFF)
        return b"RF64" + unstated + b"WAVE" + sizes + rest + b"data" + unstated

    def _format_chunk(self) -> bytes:
        channels = self._layout.channels
        block = channels * self._bits // 8
        kind = _PCM if channels <= 2 else _EXTENSIBLE
        form = struct.pack("<HHIIHH", kind, channels, RATE, RATE * block, block, self._bits)
        return form if kind == _PCM else form + struct.pack("<HHI", 22, self._bits, self._layout.mask) + _PCM_GUID

    def _origin_chunk(self) -> bytes:
        loudness, peak = (_hundredths(value) for value in (self.loudness, self.true_peak))
        return struct.pack(
            "<256s32s32s10s8sQH64shhhhh180s",
            self._description.encode("ascii", "replace"),
            _ORIGINATOR,
            b"",
            f"{self._began:%Y-%m-%d}".encode(),
            f"{self._began:%H:%M:%S}".encode(),
            self._origin,
            2,
            b"",
            loudness,
            _UNKNOWN,
            peak,
            _UNKNOWN,
            _UNKNOWN,
            b"",
        )


def _hundredths(value: float | None) -> int:
    return _UNKNOWN if value is None else max(round(value * 100), -9999)
