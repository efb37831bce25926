"""WAV files are believed by their content, and silence is measured and taken away to the sample."""

from __future__ import annotations

import contextlib
import io
import struct
import wave
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.speech.engine import SpeechError
from adstudio.speech.sound import Sound, decoded, encoded, read_sound


def wav(frames: bytes, *, rate: int = 8000, channels: int = 1, width: int = 2) -> bytes:
    held = io.BytesIO()
    with wave.open(held, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(frames)
    return held.getvalue()


def with_length(data: bytes, length: int) -> bytes:
    place = data.index(b"data") + 4
    return data[:place] + struct.pack("<I", length) + data[place + 4 :]


@pytest.mark.parametrize(
    ("width", "frames"),
    [
        (1, bytes([128, 192, 64, 128])),
        (2, struct.pack("<4h", 0, 16384, -16384, 0)),
        (3, b"\0\0\0" + b"\0\0\x40" + b"\0\0\xc0" + b"\0\0\0"),
        (4, struct.pack("<4i", 0, 1 << 30, -(1 << 30), 0)),
    ],
)
def test_samples_of_every_width(width: int, frames: bytes):
    sound = decoded(wav(frames, width=width))
    assert sound.samples.tolist() == [0, 0.5, -0.5, 0]
    assert sound.rate == 8000


def test_two_channels_become_their_mean():
    assert decoded(wav(struct.pack("<4h", 16384, 0, -16384, -16384), channels=2)).samples.tolist() == [0.25, -0.5]


def test_floats_and_extensible_formats_are_read():
    data = struct.pack("<2f", 0.5, -0.25)
    plain = struct.pack("<HHIIHH", 3, 1, 8000, 32000, 4, 32)
    extensible = struct.pack("<HHIIHHHHI", 0xFFFE, 1, 8000, 32000, 4, 32, 22, 32, 4) + struct.pack("<H", 3) + b"\0" * 14
    for form in (plain, extensible):
        body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
        assert decoded(b"RIFF" + struct.pack("<I", len(body)) + body).samples.tolist() == [0.5, -0.25]


def test_the_length_is_of_the_frames_rounded_up():
    # 8001 frames at 8000 Hz are 1000.125 ms
    assert decoded(wav(b"\0\0" * 8001)).ms == 1001
    assert decoded(wav(b"\0\0" * 8000)).ms == 1000


@pytest.mark.parametrize("length", [5, 0x7FFFF000, 0xFFFFFFFF])
def test_a_header_that_promises_more_than_there_is(length: int):
    data = with_length(wav(struct.pack("<2h", 16384, -16384)), length)
    with pytest.raises(SpeechError, match="stopped before its sound was complete"):
        decoded(data)
    assert decoded(data, streamed=True).samples.tolist() == [0.5, -0.5]


def test_chunks_that_mean_nothing_here_are_passed_over():
    data = wav(struct.pack("<2h", 16384, -16384))
    place = data.index(b"data")
    odd = data[:place] + b"LIST" + struct.pack("<I", 3) + b"abc\0" + data[place:]
    assert decoded(odd).samples.tolist() == [0.5, -0.5]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "an empty file"),
        (b"FORM\0\0\0\x04AIFF", "AIFF"),
        (b"FORM\0\0\0\x04ILBM", "a file that is not WAV"),
        (b"\0" * 64, "a file that is not WAV"),
        (wav(b"")[:30], "damaged|without sound"),
        (wav(b"")[:36], "without sound"),
        (b"RIFF\x0c\0\0\0WAVEdata\x02\0\0\0\0\0", "without sound"),
        (wav(b"\0\0", rate=1), "unknown kind"),
        (wav(b"\0" * 18, channels=9), "unknown kind"),
    ],
)
def test_what_is_no_sound_is_refused_with_a_sentence(data: bytes, what: str):
    with pytest.raises(SpeechError, match=what):
        decoded(data)


def test_numbers_that_are_none_are_refused():
    form = struct.pack("<HHIIHH", 3, 1, 8000, 32000, 4, 32)
    body = b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", 4) + struct.pack("<f", float("nan"))
    with pytest.raises(SpeechError, match="invalid samples"):
        decoded(b"RIFF" + struct.pack("<I", len(body)) + body)


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes_give_a_sound_or_a_sentence(rest: bytes):
    for data in (rest, b"RIFF\0\0\0\0WAVE" + rest, wav(b"\0\0\1\1")[:40] + rest):
        with contextlib.suppress(SpeechError):
            assert decoded(data).ms >= 0


def test_files_that_cannot_be_read(tmp_path: Path):
    for path in (tmp_path / "none.wav", tmp_path):
        with pytest.raises(SpeechError, match="could not be read"):
            read_sound(path)


def test_the_aiff_of_a_mac_is_read():
    # 8000 = 2^12 × 1.953125, as an 80-bit float: exponent 16383 + 12, mantissa with its first bit set
    rate = struct.pack(">HQ", 16383 + 12, 8000 << 51)
    chunks = b"COMM" + struct.pack(">IhIh", 18, 1, 3, 16) + rate
    chunks += b"SSND" + struct.pack(">IIIhhh", 14, 0, 0, 16384, -16384, 8192)
    sound = decoded(b"FORM" + struct.pack(">I", 4 + len(chunks)) + b"AIFF" + chunks)
    assert sound.samples.tolist() == [0.5, -0.5, 0.25]
    assert sound.rate == 8000


def test_what_is_written_is_read_by_the_standard_library(tmp_path: Path):
    with wave.open(io.BytesIO(encoded(np.array([0.5, -0.5, 2.0]), 22050, channels=2))) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth(), file.getnframes()) == (22050, 2, 2, 3)
        assert struct.unpack("<6h", file.readframes(3)) == (16384, 16384, -16384, -16384, 32767, 32767)


def test_silence_is_measured_and_taken_away_to_the_sample():
    # 50 dB below a peak of 0.5 is 0.00158: 0.0015 is silence, 0.0017 is heard
    samples = np.array([0, 0.0015, 0.0017, 0.5, 0, -0.0017, -0.0015, 0, 0], np.float32)
    sound = Sound(samples, 8000)
    assert sound.peak == 0.5
    assert sound.trimmed().samples.tolist() == samples[2:6].tolist()


@pytest.mark.parametrize("length", [0, 5])
def test_a_silent_sound_has_nothing_left(length: int):
    sound = Sound(np.zeros(length, np.float32), 8000)
    assert sound.peak == 0
    assert len(sound.trimmed().samples) == 0
    assert len(sound.trimmed().at_rate(48_000).samples) == 0


@pytest.mark.parametrize(("rate", "target"), [(22_050, 48_000), (16_000, 48_000), (44_100, 48_000), (48_000, 16_000)])
def test_a_tone_keeps_its_pitch_and_level_at_another_rate(rate: int, target: int):
    # 10 whole periods of a tone that both rates hold
    tone = np.sin(2 * np.pi * 100 * np.arange(rate // 10) / rate)
    expected = np.sin(2 * np.pi * 100 * np.arange(target // 10) / target)
    assert np.allclose(Sound(tone, rate).at_rate(target).samples, expected, atol=1e-5)


def test_a_length_of_large_factors_is_resampled_in_place():
    # 9973 is a prime; far from the ends a tone of 200 Hz is the same tone
    tone = np.sin(2 * np.pi * 200 * np.arange(9973) / 22_050)
    after = Sound(tone, 22_050).at_rate(48_000).samples
    assert len(after) == 21_710  # 9973 × 48,000 / 22,050 = 21,709.93
    expected = np.sin(2 * np.pi * 200 * np.arange(21_710) / 48_000)
    assert np.allclose(after[1000:-1000], expected[1000:-1000], atol=2e-3)


def test_the_same_rate_changes_nothing():
    samples = np.array([0.1, -0.2], np.float32)
    assert Sound(samples, 48_000).at_rate(48_000).samples.tolist() == samples.tolist()
