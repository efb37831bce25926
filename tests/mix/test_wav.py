"""WAV files: what other readers find in them, in 16 and 24 bits, with their origin, and beyond 4 GB."""

from __future__ import annotations

import struct
import wave
from pathlib import Path

import av
import numpy as np
import pytest
from mix_sounds import RATE, noise, read_wav, sine, wav_chunks

from adstudio.mix import wav
from adstudio.mix.layout import FIVE_ONE, MONO, STEREO, Layout
from adstudio.mix.wav import WavWriter


def write(path: Path, samples: np.ndarray, layout: Layout, bits: int, **facts: float) -> Path:
    with WavWriter(path, layout, bits, origin=int(facts.get("origin", 0)), description="A film, ça va") as file:
        for first in range(0, samples.shape[1], 10_000):
            file.write(samples[:, first : first + 10_000].astype(np.float32))
        file.loudness, file.true_peak = facts.get("loudness"), facts.get("true_peak")
    return path


@pytest.mark.parametrize("layout", [MONO, STEREO, FIVE_ONE], ids=lambda layout: layout.name)
@pytest.mark.parametrize("bits", [16, 24])
def test_samples_are_read_back(tmp_path: Path, layout: Layout, bits: int) -> None:
    samples = noise(-20, 0.5, layout.channels)
    path = write(tmp_path / "a.wav", samples, layout, bits)
    # Half a step of rounding, and one of dither at 16 bits.
    step = 1.6 / 2**15 if bits == 16 else 0.51 / 2**23
    assert read_wav(path) == pytest.approx(samples.astype(np.float32), abs=step)
    with av.open(str(path)) as file:
        stream = file.streams.audio[0]
        assert (stream.rate, stream.channels, stream.codec.name) == (RATE, layout.channels, f"pcm_s{bits}le")
        if layout is FIVE_ONE:
            assert stream.layout.name == "5.1"


@pytest.mark.parametrize("bits", [16, 24])
def test_the_python_library_reads_it(tmp_path: Path, bits: int) -> None:
    path = write(tmp_path / "a.wav", noise(-20, 0.25, 2), STEREO, bits)
    with wave.open(str(path)) as file:
        assert file.getparams()[:4] == (2, bits // 8, RATE, RATE // 4)


def test_an_odd_number_of_bytes_is_padded(tmp_path: Path) -> None:
    chunks = wav_chunks(write(tmp_path / "a.wav", sine(100, -6, 101 / RATE, 1), MONO, 24).read_bytes())
    assert len(chunks["data"]) == 303


def test_origin_and_loudness_are_in_it(tmp_path: Path) -> None:
    path = write(tmp_path / "a.wav", noise(-20, 0.1), STEREO, 24, origin=172_800_000, loudness=-23.04, true_peak=-1.26)
    bext = wav_chunks(path.read_bytes())["bext"]
    assert len(bext) == 602
    assert bext[:256].rstrip(b"\0") == b"A film, ?a va"
    assert bext[256:288].rstrip(b"\0") == b"adstudio"
    assert struct.unpack_from("<QH", bext, 338) == (172_800_000, 2)
    assert struct.unpack_from("<hhh", bext, 412) == (-2304, 0x7FFF, -126)
    with av.open(str(path)) as file:
        assert file.metadata["time_reference"] == "172800000"


def test_16_bits_are_dithered_by_a_triangle_of_one_step(tmp_path: Path) -> None:
    # A level between two steps stays on average what it is; the noise has the power of a triangle: 1/6, and 1/12.
    samples = np.full((1, RATE * 2), 0.3 / 2**15)
    found = read_wav(write(tmp_path / "a.wav", samples, MONO, 16)) * 2**15
    assert found.mean() == pytest.approx(0.3, abs=0.02)
    assert found.var() == pytest.approx(1 / 6 + 1 / 12, abs=0.01)
    assert set(np.unique(found)) <= {-1.0, 0.0, 1.0, 2.0}


def test_silence_stays_silent(tmp_path: Path) -> None:
    assert not read_wav(write(tmp_path / "a.wav", np.zeros((2, RATE)), STEREO, 16)).any()


def test_what_is_beyond_full_scale_is_cut(tmp_path: Path) -> None:
    found = read_wav(write(tmp_path / "a.wav", np.array([[2.0, -2.0]]), MONO, 24))
    assert found.tolist() == [[1 - 2**-23, -1.0]]


def test_beyond_4_gb_it_is_rf64(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wav, "MOST_RIFF", 100_000)
    samples = noise(-20, 1)
    path = write(tmp_path / "a.wav", samples, STEREO, 16)
    data = path.read_bytes()
    assert data[:16] == b"RF64\xff\xff\xff\xffWAVEds64"
    assert struct.unpack_from("<IQQQI", data, 16) == (28, len(data) - 8, RATE * 4, RATE, 0)
    with av.open(str(path)) as file:
        assert file.streams.audio[0].duration == RATE
        frames = [frame.to_ndarray() for frame in file.decode(audio=0)]
    assert sum(frame.shape[1] for frame in frames) == RATE * 2


def test_four_gigabytes_and_more_are_counted_right(tmp_path: Path) -> None:
    """The sizes of a file of six gigabytes, without its samples: they are written as a hole."""
    path = tmp_path / "a.wav"
    length = 6 << 30
    with WavWriter(path, STEREO, 24) as file:
        file._file.seek(length, 1)
        file._file.truncate()
        file._length = length
    with path.open("rb") as written:
        head = written.read(44)
        assert head[:4] == b"RF64"
        assert struct.unpack_from("<QQQ", head, 20) == (path.stat().st_size - 8, length, length // 6)
