"""The film's sound in film time: offsets, holes, sample rates and channels of every kind."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from mix_sounds import RATE, film_file, noise, place_of, sine, to_format

from adstudio.media.opening import MediaError
from adstudio.mix.film_sound import BREAK, FilmSound, film_sound
from adstudio.mix.layout import BLOCK, FIVE_ONE, STEREO


def whole(sound: FilmSound, length: int) -> np.ndarray:
    blocks = list(sound.blocks(length))
    assert all(block.dtype == np.float32 for block in blocks)
    assert all(block.shape[1] == BLOCK for block in blocks[:-1])
    return np.concatenate(blocks, axis=1)


def test_sound_comes_sample_by_sample(tmp_path: Path) -> None:
    samples = noise(-20, 3.5)
    found = whole(film_sound(film_file(tmp_path / "film.mkv", samples)), RATE * 5)
    assert found.shape == (2, RATE * 5)
    assert found[:, : samples.shape[1]] == pytest.approx(samples, abs=2 / 2**15)
    assert not found[:, samples.shape[1] :].any()


def test_what_is_past_the_programme_is_left_out(tmp_path: Path) -> None:
    assert whole(film_sound(film_file(tmp_path / "film.mkv", noise(-20, 4))), 100_001).shape == (2, 100_001)


@pytest.mark.parametrize(("name", "codec"), [("film.mkv", "pcm_s16le"), ("film.mp4", "aac"), ("film.mov", "pcm_s16le")])
@pytest.mark.parametrize("at", [0.4, 2.25])
def test_a_track_that_begins_late_is_heard_late(tmp_path: Path, name: str, codec: str, at: float) -> None:
    samples = noise(-20, 3)
    found = whole(film_sound(film_file(tmp_path / name, samples, codec=codec, at=at)), RATE * 6)
    assert place_of(samples[0, RATE : 2 * RATE], found[0]) / RATE == pytest.approx(at + 1, abs=0.002)


@pytest.mark.parametrize("rate", [44_100, 32_000, 96_000, 22_050])
def test_other_sample_rates_stay_in_place(tmp_path: Path, rate: int) -> None:
    time = np.arange(rate * 3) / rate
    samples = np.tile(np.where((time >= 1) & (time < 2), 0.5 * np.sin(2 * np.pi * 1000 * time), 0), (2, 1))
    found = whole(film_sound(film_file(tmp_path / "film.wav", samples, rate=rate)), RATE * 3)
    loud = np.flatnonzero(np.abs(found[0]) > 0.02)
    assert loud[0] / RATE == pytest.approx(1, abs=0.001)
    assert loud[-1] / RATE == pytest.approx(2, abs=0.001)
    assert np.sqrt((found[0, RATE * 5 // 4 : RATE * 7 // 4] ** 2).mean()) == pytest.approx(0.5 / np.sqrt(2), rel=0.01)


def in_pieces(path: Path, samples: np.ndarray, starts: list[float]) -> Path:
    """A film whose sound comes in equal pieces, each from a time of its own on."""
    size = samples.shape[1] // len(starts)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=RATE, layout="stereo")
        for number, start in enumerate(starts):
            piece = np.ascontiguousarray(samples[:, number * size : (number + 1) * size], np.float32)
            frame = av.AudioFrame.from_ndarray(piece, format="fltp", layout="stereo")
            frame.sample_rate, frame.time_base, frame.pts = RATE, Fraction(1, 1000), round(start * 1000)
            for each in to_format(frame, stream):
                for packet in stream.encode(each):
                    packet.pts = packet.dts = round(start * 1000)
                    packet.time_base = Fraction(1, 1000)
                    container.mux(packet)
    return path


def test_holes_are_silent_and_what_follows_them_is_in_its_place(tmp_path: Path) -> None:
    samples = noise(-20, 3)
    found = whole(film_sound(in_pieces(tmp_path / "film.mkv", samples, [0, 2.5, 5])), RATE * 7)
    for number, start in enumerate([0, 2.5, 5]):
        first = round(start * RATE)
        piece = samples[:, number * RATE : (number + 1) * RATE]
        assert found[:, first : first + RATE] == pytest.approx(piece, abs=2 / 2**15)
        assert not found[:, first + RATE : first + round(1.4 * RATE)].any()


def test_what_comes_too_early_is_heard_from_where_the_rest_has_ended(tmp_path: Path) -> None:
    samples = noise(-20, 2)
    found = whole(film_sound(in_pieces(tmp_path / "film.mkv", samples, [0, 0.5])), RATE * 3)
    assert found[:, :RATE] == pytest.approx(samples[:, :RATE], abs=2 / 2**15)
    assert found[:, RATE : RATE * 3 // 2] == pytest.approx(samples[:, RATE * 3 // 2 :], abs=2 / 2**15)
    assert not found[:, RATE * 3 // 2 :].any()


def test_jitter_is_no_hole(tmp_path: Path) -> None:
    samples = noise(-20, 4)
    jitter = BREAK * 0.9
    starts = [0, 1 + jitter, 2 - jitter, 3 + jitter]
    found = whole(film_sound(in_pieces(tmp_path / "film.mkv", samples, starts)), RATE * 4)
    assert found == pytest.approx(samples, abs=2 / 2**15)


@pytest.mark.parametrize(
    ("layout", "wanted"),
    [
        ("stereo", STEREO), ("mono", STEREO), ("2.1", STEREO), ("3.0", STEREO), ("quad", FIVE_ONE), ("4.0", FIVE_ONE),
        ("5.0", FIVE_ONE), ("5.1", FIVE_ONE), ("5.1(side)", FIVE_ONE), ("7.1", FIVE_ONE),
    ],
)  # fmt: skip
def test_layouts_become_stereo_or_5_1(tmp_path: Path, layout: str, wanted: object) -> None:
    channels = av.AudioLayout(layout).nb_channels
    samples = np.vstack([sine(300 + 100 * number, -20, 1.5, channels=1) for number in range(channels)])
    path = tmp_path / "film.wav"
    if channels == 8:
        # PyAV cannot make frames of more than seven planes.
        path = packed_wav(path, samples, 0x63F)
    else:
        film_file(path, samples, layout=layout)
    sound = film_sound(path)
    assert sound.layout == wanted
    assert sound.is_mapped == (layout not in {"stereo", "5.1", "5.1(side)"})
    found = whole(sound, RATE)
    assert found.shape == (sound.layout.channels, RATE)
    assert np.abs(found).max() > 0.05


def packed_wav(path: Path, samples: np.ndarray, mask: int) -> Path:
    import struct

    channels = len(samples)
    raw = (samples.T * 32767).astype("<i2").tobytes()
    guid = bytes.fromhex("0100000000001000800000aa00389b71")
    form = struct.pack("<HHIIHHHHI", 0xFFFE, channels, RATE, RATE * channels * 2, channels * 2, 16, 22, 16, mask) + guid
    chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(raw)) + raw
    path.write_bytes(b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks)
    return path


@pytest.mark.parametrize(
    ("channels", "wanted"), [(1, STEREO), (2, STEREO), (4, STEREO), (6, FIVE_ONE), (8, FIVE_ONE), (12, FIVE_ONE)]
)
def test_channels_of_unknown_places_are_taken_by_their_number(tmp_path: Path, channels: int, wanted: object) -> None:
    samples = np.vstack([sine(300 + 100 * number, -20, 1.5, channels=1) for number in range(channels)])
    sound = film_sound(packed_wav(tmp_path / "film.wav", samples, 0))
    assert sound.layout == wanted
    assert np.abs(whole(sound, RATE)).max() > 0.05


def test_5_1_stays_channel_by_channel(tmp_path: Path) -> None:
    samples = np.vstack([sine(200 * (number + 1), -20 - number, 1, channels=1) for number in range(6)])
    found = whole(film_sound(film_file(tmp_path / "film.wav", samples, layout="5.1")), RATE)
    assert found == pytest.approx(samples, abs=2 / 2**15)


def test_mono_sounds_from_both_sides_with_the_same_power(tmp_path: Path) -> None:
    samples = noise(-20, 1, channels=1)
    found = whole(film_sound(film_file(tmp_path / "film.wav", samples, layout="mono")), RATE)
    assert np.array_equal(found[0], found[1])
    assert 2 * (found[0] ** 2).mean() == pytest.approx((samples**2).mean(), rel=0.01)


def test_samples_that_are_no_numbers_are_silent(tmp_path: Path) -> None:
    samples = noise(-20, 2)
    samples[:, 100:200] = np.nan
    samples[0, 300] = np.inf
    found = whole(film_sound(film_file(tmp_path / "film.wav", samples, codec="pcm_f32le")), RATE * 2)
    assert np.isfinite(found).all()
    assert not found[:, 100:200].any()
    assert found[0, 300] == 0


def test_a_film_without_sound_is_silent(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    with av.open(str(path), "w") as container:
        picture = container.add_stream("mpeg4", rate=25)
        picture.width = picture.height = 32
        for number in range(25):
            frame = av.VideoFrame(32, 32, "yuv420p")
            frame.pts, frame.time_base = number, Fraction(1, 25)
            container.mux(picture.encode(frame))
        container.mux(picture.encode(None))
    sound = film_sound(path)
    assert sound.used is None
    assert whole(sound, 50_000).shape == (2, 50_000)
    assert not whole(sound, 50_000).any()
    assert not whole(film_sound(None), 50_000).any()


def test_what_is_no_film_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"nothing" * 100)
    with pytest.raises(MediaError):
        film_sound(path)
    with pytest.raises(MediaError, match="there is no such film"):
        film_sound(tmp_path / "other.mp4")


def test_a_track_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match="no sound track 2"):
        film_sound(film_file(tmp_path / "film.wav", noise(-20, 1)), 2)


def test_a_damaged_end_is_silent(tmp_path: Path) -> None:
    path = film_file(tmp_path / "film.mkv", noise(-20, 3))
    path.write_bytes(path.read_bytes()[:-200_000])
    found = whole(film_sound(path), RATE * 4)
    assert found.shape == (2, RATE * 4)
    assert np.abs(found[:, :RATE]).max() > 0.01
    assert not found[:, RATE * 3 :].any()
