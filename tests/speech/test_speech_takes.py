"""Recordings of takes: kept without loss, read from any kind of sound file, cut, levelled; what a line sounds like."""

from __future__ import annotations

import io
import struct
import wave

import av
import numpy as np
import pytest

from adstudio.core.narration import Take
from adstudio.core.script import Variant
from adstudio.speech.sound import Sound
from adstudio.speech.takes import (
    MAX_TAKE_MS,
    RecordingError,
    decoded_recording,
    encoded_recording,
    line_sound,
    silence_around,
    spliced,
    take_sound,
)

RATE = 48_000


def sine(ms: int, level: float = 0.5, rate: int = RATE, hertz: float = 440.0) -> np.ndarray:
    return (level * np.sin(2 * np.pi * hertz * np.arange(rate * ms // 1000) / rate)).astype(np.float32)


def silence(ms: int) -> np.ndarray:
    return np.zeros(RATE * ms // 1000, np.float32)


def wav(samples: np.ndarray, rate: int = RATE, channels: int = 1, bits: int = 16) -> bytes:
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(bits // 8)
        file.setframerate(rate)
        whole = np.rint(samples.astype(np.float64) * ((1 << bits - 1) - 1)).astype("<i4")
        raw = whole.view("u1").reshape(-1, 4)[:, : bits // 8] if bits > 8 else (whole + 128).astype("u1")
        file.writeframes(raw.tobytes())
    return target.getvalue()


def test_24_bits_come_back_to_the_last_one() -> None:
    whole = np.random.default_rng(3).integers(-(1 << 23), 1 << 23, 100_001)
    sound = Sound((whole / (1 << 23)).astype(np.float32), RATE)
    data = encoded_recording(sound)
    assert data[:4] == b"fLaC"
    assert encoded_recording(sound) == data  # a take's key is the hash of its file
    assert np.array_equal(decoded_recording(data).sound.samples, sound.samples)


def test_what_is_beyond_full_scale_is_cut() -> None:
    found = decoded_recording(encoded_recording(Sound(np.array([2.0, -2.0] * 30, np.float32), RATE))).sound.samples
    assert (float(found.max()), float(found.min())) == (1 - 2**-23, -1.0)


@pytest.mark.parametrize("bits", [8, 16, 24, 32])
@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 48_000, 96_000])
def test_wavs_of_any_rate_and_width_become_48_khz(rate: int, bits: int) -> None:
    found = decoded_recording(wav(sine(500, rate=rate), rate, bits=bits)).sound
    assert (found.rate, found.ms) == (RATE, 500)
    middle = found.samples[6_000:18_000]
    assert np.abs(middle - sine(500)[6_000:18_000]).max() < (0.02 if bits == 8 else 0.002)


def test_channels_are_averaged() -> None:
    both = np.stack((sine(300, 0.4), sine(300, 0.2)), axis=1).reshape(-1)
    assert np.abs(decoded_recording(wav(both, channels=2)).sound.samples - sine(300, 0.3)).max() < 1e-3
    six = np.stack([sine(300, 0.6), *[silence(300)] * 5], axis=1).reshape(-1)
    assert np.abs(decoded_recording(wav(six, channels=6)).sound.samples - sine(300, 0.1)).max() < 1e-3


def test_a_file_of_floats_and_one_in_mp3_are_read() -> None:
    samples = sine(400)
    form = struct.pack("<HHIIHH", 3, 1, RATE, RATE * 4, 4, 32)
    raw = samples.astype("<f4").tobytes()
    data = b"RIFF" + struct.pack("<I", 36 + len(raw)) + b"WAVEfmt " + struct.pack("<I", 16) + form
    data += b"data" + struct.pack("<I", len(raw)) + raw
    assert np.array_equal(decoded_recording(data).sound.samples, samples)
    target = io.BytesIO()
    with av.open(target, "w", format="mp3") as file:
        stream = file.add_stream("mp3", rate=RATE)
        stream.codec_context.layout = "mono"
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="fltp", layout="mono")
        frame.sample_rate = RATE
        file.mux([*stream.encode(frame), *stream.encode(None)])
    assert abs(decoded_recording(target.getvalue()).sound.ms - 400) < 60


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"RIFF",
        b"RIFF\x04\0\0\0WAVE",
        b"\0" * 5000,
        b"fLaC" + b"\xff" * 500,
        wav(np.zeros(0)),
        b"%PDF-1.4 not a sound",
    ],
)
def test_what_is_no_sound_is_refused_in_a_sentence(data: bytes) -> None:
    with pytest.raises(RecordingError, match="sound"):
        decoded_recording(data)


def test_what_is_too_long_and_what_is_no_number_is_refused() -> None:
    with pytest.raises(RecordingError, match="longer than 10 minutes"):
        decoded_recording(wav(np.zeros(8_000 * (MAX_TAKE_MS // 1000 + 1)), 8_000, bits=8))
    form = struct.pack("<HHIIHH", 3, 1, RATE, RATE * 4, 4, 32)
    for value in (np.nan, np.inf, 3e38, -2000):
        bad = np.full(4_800, value, "<f4").tobytes()
        head = b"RIFF" + struct.pack("<I", 36 + len(bad)) + b"WAVEfmt " + struct.pack("<I", 16) + form
        with pytest.raises(RecordingError, match="no sound"):
            decoded_recording(head + b"data" + struct.pack("<I", len(bad)) + bad)


def test_a_file_that_ends_early_is_read_as_far_as_it_goes_and_that_is_known() -> None:
    whole = wav(sine(1000))
    found = decoded_recording(whole[: 44 + 48_000])
    assert (found.cut_off, found.sound.ms) == (True, 500)
    assert not decoded_recording(whole).cut_off


def take(**fields: int) -> Take:
    return Take("t", "0" * 64, 1000, "Tom waits.", **fields)


def test_a_take_is_heard_from_start_to_end_at_its_level_without_clicks() -> None:
    data = encoded_recording(Sound(np.full(RATE, 0.5, np.float32), RATE))
    found = take_sound(take(start=200, end=700, level=-60), data)
    assert found.ms == 500
    assert found.samples[0] == found.samples[-1] == 0
    # 6 dB down is a factor of 0.5012.
    assert found.samples[12_000] == pytest.approx(0.25059, abs=1e-4)
    whole = take_sound(take(), data).samples
    assert (whole[0], whole[-1], len(whole)) == (0.5, 0.5, RATE)


def test_a_line_sounds_as_its_chosen_take_else_as_the_voice() -> None:
    data = encoded_recording(Sound(sine(1000), RATE))
    spoken = Sound(silence(300), RATE)
    keys: list[str] = []

    def recording(key: str) -> bytes:
        keys.append(key)
        return data

    chosen = Variant("Tom waits.", takes=(take(),), take="t")
    assert line_sound(chosen, recording, lambda _: spoken).ms == 1000
    for other in (Variant("Tom waits.", takes=(take(),)), Variant("Tom sits.", takes=(take(),), take="t")):
        assert line_sound(other, recording, lambda _: spoken) is spoken
    assert keys == ["0" * 64]


def test_silence_around_is_found_in_a_quiet_room_and_in_a_noisy_one() -> None:
    noise = np.random.default_rng(5).standard_normal(3 * RATE).astype(np.float32)
    for floor in (0.0, 1e-4, 3e-3):
        sound = np.concatenate((silence(1000), sine(1200), silence(800))) + floor * noise
        start, end = silence_around(Sound(sound, RATE))
        assert 940 <= start <= 1000, floor
        assert 2200 <= end <= 2300, floor


@pytest.mark.parametrize("samples", [silence(500), np.zeros(0, np.float32), np.full(100, 0.5, np.float32)])
def test_where_nothing_is_heard_there_is_nothing_to_keep(samples: np.ndarray) -> None:
    assert silence_around(Sound(samples, RATE)) == (0, 0)


def test_one_sound_goes_on_in_another_without_a_click() -> None:
    joined = spliced(Sound(np.full(RATE, 0.5, np.float32), RATE), Sound(np.full(RATE, -0.5, np.float32), RATE))
    assert len(joined.samples) == 2 * RATE - 192  # 4 ms
    assert np.abs(np.diff(joined.samples)).max() < 0.01
    alone = Sound(sine(100), RATE)
    assert np.array_equal(spliced(Sound(silence(0), RATE), alone).samples, alone.samples)
