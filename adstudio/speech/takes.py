"""How recordings of takes are kept, and what is heard of a line: its chosen take, else the voice.

Recordings are kept as FLAC (RFC 9639), one channel of 24 bits at 48 kHz: lossless, and about half as large as WAV.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from adstudio.core.errors import BadInputError
from adstudio.core.narration import Take
from adstudio.core.script import Variant
from adstudio.speech.sound import Samples, Sound

SAMPLE_RATE = 48_000
"""Samples a second of every take."""
MAX_TAKE_MS = 600_000
"""The longest recording of a take: as long as the longest wording."""
FADE_MS = 4
"""What is cut out of a recording begins and ends without a click."""

_FULL_SCALE = 1 << 23
_BLOCK = 1 << 16
_BEYOND = 1000.0
"""60 dB above full scale: files of floats may have what is above it, but not so far."""
_HEADER = re.compile(rb"RIFF|RF64|BW64|FORM|riff|fLaC|OggS|ID3|\xff[\xe0-\xff]|....ftyp", re.DOTALL)
"""How sound files begin."""
_WINDOW_MS = 10
_UNKNOWN_LENGTHS = (0, 0xFFFFFFFF)


class RecordingError(BadInputError):
    """A recording that cannot be read, or of which nothing can be used."""


@dataclass(frozen=True)
class DecodedRecording:
    """What was read from a sound file: mono at 48 kHz, and whether the file ends before its header says."""

    sound: Sound
    cut_off: bool = False


def decoded_recording(data: bytes) -> DecodedRecording:
    """The sound in the bytes of a sound file of any kind that FFmpeg reads: its channels averaged, at 48 kHz.

    Raises:
        RecordingError: if there is none in it, or more than `MAX_TAKE_MS`.
    """
    samples, rate = _decoded(data)
    return DecodedRecording(Sound(samples, rate).at_rate(SAMPLE_RATE), _cut_off(data))


def encoded_recording(sound: Sound) -> bytes:
    """The FLAC file in which a sound is kept, at 48 kHz; what is beyond ±1 is cut."""
    import av

    samples = sound.at_rate(SAMPLE_RATE).samples
    whole = np.clip(np.rint(samples.astype(np.float64) * _FULL_SCALE), -_FULL_SCALE, _FULL_SCALE - 1)
    # The upper 24 of 32 bits, as FFmpeg has them.
    wide = (whole.astype(np.int32) << 8).reshape(1, -1)
    target = io.BytesIO()
    # PyAV's types say little; what is used of them is this.
    with cast("Any", av.open(target, "w", format="flac")) as file:
        stream = file.add_stream("flac", rate=SAMPLE_RATE)
        stream.codec_context.format = "s32"
        stream.codec_context.layout = "mono"
        for start in range(0, wide.shape[1], _BLOCK):
            frame = cast("Any", av.AudioFrame).from_ndarray(
                np.ascontiguousarray(wide[:, start : start + _BLOCK]), format="s32", layout="mono"
            )
            frame.sample_rate, frame.pts = SAMPLE_RATE, start
            for packet in stream.encode(frame):
                file.mux(packet)
        for packet in stream.encode(None):
            file.mux(packet)
    return target.getvalue()


def take_sound(take: Take, recording: bytes) -> Sound:
    """What is heard of a take: its recording, cut to what is used of it, at its level.

    Raises:
        RecordingError: if the recording cannot be read.
    """
    return used_part(decoded_recording(recording).sound, take.start, take.end, take.level)


def used_part(sound: Sound, start: int, end: int | None, level: int) -> Sound:
    """What is from `start` to `end` (ms) of a sound, `level` tenths of a dB louder, faded where it was cut."""
    first = start * sound.rate // 1000
    last = len(sound.samples) if end is None else min(len(sound.samples), end * sound.rate // 1000)
    samples = sound.samples[first:last].astype(np.float32) * np.float32(10 ** (level / 200))
    ramp = np.linspace(0, 1, min(FADE_MS * sound.rate // 1000, len(samples) // 2), dtype=np.float32)
    if len(ramp):
        if first:
            samples[: len(ramp)] *= ramp
        if last < len(sound.samples):
            samples[-len(ramp) :] *= ramp[::-1]
    return Sound(samples, sound.rate)


def line_sound(variant: Variant, recording: Callable[[str], bytes], speak: Callable[[str], Sound]) -> Sound:
    """The sound of a line in a wording: the chosen take's, else the voice's.

    `recording` gives the bytes of a recording by its key, as `ProjectFile.sound` does; `speak` speaks a text. A take
    whose words have been changed since is not used.

    Raises:
        BadInputError: if the recording of the chosen take is missing or cannot be read.
    """
    take = variant.chosen_take
    return speak(variant.text) if take is None else take_sound(take, recording(take.sound))


def silence_around(sound: Sound) -> tuple[int, int]:
    """From where to where (ms) something is heard: what is before and after it can be trimmed away.

    The level is taken of each hundredth of a second. Silence is what is less than 6 dB above the quietest tenth of
    them, but at least 30 and at most 50 dB below the loudest one: rooms are not silent. A little of it stays on either
    side, for soft consonants. Equal where nothing is heard.
    """
    window = sound.rate * _WINDOW_MS // 1000
    count = len(sound.samples) // window
    if not count or not sound.peak:
        return 0, 0
    parts = sound.samples[: count * window].reshape(count, window).astype(np.float64)
    levels = np.sqrt(np.mean(np.square(parts), axis=1))
    loudest = float(levels.max())
    threshold = min(max(2 * float(np.percentile(levels, 10)), loudest * 10 ** (-50 / 20)), loudest * 10 ** (-30 / 20))
    audible = np.flatnonzero(levels > threshold)
    start = int(audible[0]) * _WINDOW_MS - 40
    end = (int(audible[-1]) + 1) * _WINDOW_MS + 80
    return max(0, start), min(sound.ms, end)


def spliced(before: Sound, after: Sound) -> Sound:
    """One sound after the other, with a crossfade of `FADE_MS` from the last of the first to the first of the second.

    Both are at 48 kHz.
    """
    length = min(FADE_MS * SAMPLE_RATE // 1000, len(before.samples), len(after.samples))
    if not length:
        return Sound(np.concatenate((before.samples, after.samples)).astype(np.float32), SAMPLE_RATE)
    ramp = np.linspace(0, 1, length, dtype=np.float32)
    middle = before.samples[-length:] * (1 - ramp) + after.samples[:length] * ramp
    parts = (before.samples[:-length], middle, after.samples[length:])
    return Sound(np.concatenate(parts).astype(np.float32), SAMPLE_RATE)


def _decoded(data: bytes) -> tuple[Samples, int]:
    import av
    from av.error import FFmpegError

    pieces: list[Samples] = []
    rate = count = 0
    try:
        with cast("Any", av.open(io.BytesIO(data))) as file:
            if not file.streams.audio:
                raise RecordingError("there is no sound in it")
            for frame in file.decode(audio=0):
                if rate and frame.sample_rate != rate:
                    raise RecordingError("its sample rate changes midway: convert it to WAV")
                rate = int(frame.sample_rate)
                to_floats = cast("Any", av.AudioResampler(format="fltp", layout=frame.layout, rate=rate))
                for same in to_floats.resample(frame):
                    with np.errstate(over="ignore", invalid="ignore"):
                        pieces.append(same.to_ndarray().mean(axis=0, dtype=np.float32))
                    count += len(pieces[-1])
                if count > rate * MAX_TAKE_MS // 1000:
                    raise RecordingError(f"it is longer than {MAX_TAKE_MS // 60_000} minutes: cut it into lines")
    except (FFmpegError, ValueError, IndexError, OverflowError) as error:
        if count or _HEADER.match(data):
            raise RecordingError(
                "it is damaged, or of a kind of sound that cannot be read: save it as WAV again"
            ) from error
        why = "it is not a sound file, whatever its name" if data else "it is empty: there is no sound in it"
        raise RecordingError(why) from error
    if not count or not 1_000 <= rate <= 768_000:
        raise RecordingError("there is no sound in it")
    samples = np.concatenate(pieces)
    if not np.isfinite(samples).all() or float(np.max(np.abs(samples))) > _BEYOND:
        raise RecordingError("some of its samples are no sound: save it as WAV with whole numbers")
    return samples, rate


def _cut_off(data: bytes) -> bool:
    # Recorders that were stopped leave a length of nothing or of everything: those are no sign.
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        return False
    place = 12
    while place + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, place)
        if name == b"data":
            return length not in _UNKNOWN_LENGTHS and place + 8 + length > len(data)
        place += 8 + length + length % 2
    return False
