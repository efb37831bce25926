"""Sound as numbers: one channel of floats in −1…1, and how it is read from WAV files and written.

WAV files are read by their content rather than their header. Layout after the Multimedia Programming Interface and Data
Specifications 1.0 (IBM and Microsoft 1991) and its WAVE_FORMAT_EXTENSIBLE. An engine that is stopped or writes to a
pipe leaves a wrong length in the header. macOS writes AIFF, whatever the file's name; that is read by FFmpeg.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from adstudio.core.errors import AdstudioError
from adstudio.speech.engine import SpeechError
from adstudio.system.files import read_bounded

Samples = NDArray[np.floating[Any]]

SILENCE = 10 ** (-50 / 20)
"""What lies this far below a line's own peak, before and after it, counts as silence."""

ENDING = ".wav"
LARGEST = 256 << 20
"""Bytes in one file: ten minutes of stereo at 96 kHz and 16 bits."""

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_RATES = range(4_000, 192_001)
_CHANNELS = range(1, 9)
_KINDS = {(_PCM, 8): "u1", (_PCM, 16): "<i2", (_PCM, 24): "u1", (_PCM, 32): "<i4", (_FLOAT, 32): "<f4"}
_ZERO = {(_PCM, 8): 128.0}
_ODD = (1, 3, 5, 9, 15, 25, 27, 45, 75, 81, 125, 135, 225, 243)


def not_wav(target: Path) -> str:
    """Why a sound file cannot be written under a name, as a sentence; empty where it can."""
    if target.suffix.casefold() == ENDING:
        return ""
    return f"{target}: sound files are written as WAV; choose a name that ends in {ENDING}"


@dataclass(frozen=True, eq=False)
class Sound:
    """One channel of sound: its samples and how many of them make a second."""

    samples: Samples
    rate: int

    @property
    def ms(self) -> int:
        """Milliseconds, rounded up: nothing sounds beyond them."""
        return -(-len(self.samples) * 1000 // self.rate)

    @property
    def peak(self) -> float:
        """The greatest absolute value of a sample."""
        return float(np.max(np.abs(self.samples), initial=0.0))

    def peaks(self, rate: int) -> NDArray[np.uint8]:
        """The greatest amplitude in each part of a second, `rate` of them in one: 0 to 255 for full scale."""
        edges = np.arange(0, len(self.samples), self.rate / rate).astype(np.int64)
        if not len(edges):
            return np.zeros(0, np.uint8)
        loudest = np.maximum.reduceat(np.abs(self.samples), edges)
        return np.clip(np.rint(loudest * 255), 0, 255).astype(np.uint8)

    def trimmed(self) -> Sound:
        """The same sound without the silence before and after it; empty where nothing is heard."""
        audible = np.flatnonzero(np.abs(self.samples) > self.peak * SILENCE)
        return Sound(self.samples[audible[0] : audible[-1] + 1] if len(audible) else self.samples[:0], self.rate)

    def with_gain(self, tenths: int) -> Sound:
        """The same sound so many tenths of a dB louder, but nowhere beyond full scale: then it is less."""
        if not tenths:
            return self
        factor = min(10 ** (tenths / 200), 1 / self.peak if self.peak else 1.0)
        return Sound((self.samples * np.float32(factor)).astype(np.float32), self.rate)

    def at_rate(self, rate: int) -> Sound:
        """The same sound at another sample rate, band-limited by way of its spectrum."""
        length = round(len(self.samples) * rate / self.rate)
        if rate == self.rate or not length:
            return Sound(self.samples[:length].astype(np.float32), rate)
        # Silence is added up to lengths of small factors, in the exact ratio of the rates: those transform fast.
        common = gcd(self.rate, rate)
        blocks = _fast_length(-(-len(self.samples) * common // self.rate))
        before, after = blocks * (self.rate // common), blocks * (rate // common)
        spectrum = np.fft.rfft(self.samples, before)
        other = np.zeros(after // 2 + 1, dtype=spectrum.dtype)
        shared = min(len(spectrum), len(other))
        other[:shared] = spectrum[:shared]
        return Sound((np.fft.irfft(other, after)[:length] * (after / before)).astype(np.float32), rate)


def _fast_length(least: int) -> int:
    # The smallest of 2^n times a few odd numbers of small factors.
    return min(odd << (-(-least // odd) - 1).bit_length() for odd in _ODD)


def read_sound(path: Path) -> Sound:
    """The sound in a finished WAV or AIFF file, its channels averaged to one.

    Raises:
        SpeechError: for a missing, empty, unfinished or cut-off file, one that is no WAV, or samples that are no
            numbers.
    """
    try:
        data = read_bounded(path, LARGEST, "sound file")
    except AdstudioError as error:
        raise SpeechError(f"the spoken line could not be read: {error}") from error
    return decoded(data)


def decoded(data: bytes, *, streamed: bool = False) -> Sound:
    """The sound in the bytes of a WAV file; `streamed` takes all that came, whatever length the header names.

    Raises:
        SpeechError: as `read_sound` does.
    """
    if data[:4] == b"FORM" and data[8:11] == b"AIF":
        return _aiff(data)
    if len(data) < 12 or data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        what = "an empty file" if not data else "a file that is not WAV"
        raise SpeechError(f"the speech engine wrote {what}: try again, or choose another voice")
    form: tuple[int, int, int, int] | None = None
    for name, start, length in _chunks(data):
        if name == b"fmt ":
            form = _format(data[start : start + length])
        elif name == b"data":
            if form is None:
                break
            there = len(data) - start
            if length > there and not streamed:
                raise SpeechError("the speech engine stopped before its sound was complete: try again")
            return _sound(data[start : start + min(length, there)], *form)
    raise SpeechError("the speech engine wrote a WAV file without sound in it: try again, or choose another voice")


def encoded(samples: Samples, rate: int, channels: int = 1) -> bytes:
    """The bytes of a 16-bit PCM WAV file, the same samples in each channel; what is beyond ±1 is cut."""
    whole = np.clip(np.rint(samples * 32768.0), -32768, 32767).astype("<i2")
    raw = np.repeat(whole, channels).tobytes()
    block = 2 * channels
    form = struct.pack("<HHIIHH", _PCM, channels, rate, rate * block, block, 16)
    size = 4 + 8 + len(form) + 8 + len(raw)
    header = b"RIFF" + struct.pack("<I", size) + b"WAVEfmt " + struct.pack("<I", len(form)) + form
    return header + b"data" + struct.pack("<I", len(raw)) + raw


def _aiff(data: bytes) -> Sound:
    import av
    from av.error import FFmpegError

    rate = 0
    pieces: list[Samples] = []
    try:
        # PyAV's types say little; what is used of them is this.
        with cast("Any", av.open(io.BytesIO(data), format="aiff")) as file:
            for frame in file.decode(audio=0):
                rate = int(frame.sample_rate)
                # Of any layout and width: one channel of floats.
                to_floats = cast("Any", av.AudioResampler(format="fltp", layout="mono", rate=rate))
                pieces.extend(same.to_ndarray()[0] for same in to_floats.resample(frame))
    except (FFmpegError, ValueError, IndexError) as error:
        raise SpeechError("the speech engine wrote a damaged AIFF file: try again, or choose another voice") from error
    if not pieces or rate not in _RATES:
        raise SpeechError("the speech engine wrote an AIFF file without sound in it: choose another voice")
    return Sound(np.concatenate(pieces).astype(np.float32), rate)


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    place = 12
    while place + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, place)
        yield name, place + 8, length
        place += 8 + length + length % 2


def _format(chunk: bytes) -> tuple[int, int, int, int]:
    # kind, channels, samples a second, bits
    if len(chunk) < 16:
        raise SpeechError("the speech engine wrote a damaged WAV file: try again, or choose another voice")
    kind, channels, rate, _, block, bits = struct.unpack_from("<HHIIHH", chunk)
    if kind == _EXTENSIBLE and len(chunk) >= 26:
        (kind,) = struct.unpack_from("<H", chunk, 24)
    sound = (kind, bits) in _KINDS and channels in _CHANNELS and rate in _RATES and block == channels * bits // 8
    if not sound:
        raise SpeechError(
            f"the speech engine wrote a WAV file of an unknown kind ({kind}, {channels} × {bits} bits at {rate} Hz): "
            "choose another voice"
        )
    return kind, channels, rate, bits


def _sound(raw: bytes, kind: int, channels: int, rate: int, bits: int) -> Sound:
    block = channels * bits // 8
    whole: NDArray[Any] = np.frombuffer(raw[: len(raw) // block * block], dtype=_KINDS[kind, bits])
    if bits == 24:
        # The three bytes become the upper three of four.
        wide = np.zeros((len(whole) // 3, 4), dtype="u1")
        wide[:, 1:] = whole.reshape(-1, 3)
        whole = wide.view("<i4")[:, 0]
        bits = 32
    numbers = whole.astype(np.float32)
    if kind == _PCM:
        numbers = (numbers - np.float32(_ZERO.get((kind, bits), 0.0))) / np.float32(2.0 ** (bits - 1))
    if not np.isfinite(numbers).all():
        raise SpeechError("the speech engine wrote invalid samples: try again, or choose another voice")
    return Sound(numbers.reshape(-1, channels).mean(axis=1, dtype=np.float32), rate)
