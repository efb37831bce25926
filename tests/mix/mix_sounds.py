"""Sounds made by rule, their files, scripts and lines, and meters that are not those under test."""

from __future__ import annotations

import struct
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.filter import Graph

from adstudio.core.film import Film
from adstudio.core.mix_settings import MixSettings
from adstudio.core.script import Cue, Script
from adstudio.core.timebase import Span
from adstudio.mix.lines import MixLine
from adstudio.mix.request import MixKind, MixRequest
from adstudio.speech.sound import Sound

RATE = 48_000


def sine(frequency: float, dbfs: float, seconds: float, channels: int = 2, phase: float = 0.0) -> np.ndarray:
    """A tone whose peak is `dbfs`, the same in all channels."""
    time = np.arange(round(seconds * RATE)) / RATE
    return np.tile(10 ** (dbfs / 20) * np.sin(2 * np.pi * frequency * time + phase), (channels, 1))


def noise(dbfs: float, seconds: float, channels: int = 2, seed: int = 1) -> np.ndarray:
    """Noise below about 3 kHz, whose mean power is `dbfs`, different in each channel."""
    rough = np.random.default_rng(seed).standard_normal((channels, round(seconds * RATE)))
    smooth = np.vstack([np.convolve(row, np.hanning(17), "same") for row in rough])
    return smooth / np.sqrt((smooth**2).mean()) * 10 ** (dbfs / 20)


def voice(ms: int, seed: int = 1, rate: int = 22_050, level: float = 0.1) -> Callable[[], Sound]:
    """A line's sound: noise in syllables, which correlates with nothing but itself."""

    def load() -> Sound:
        count = rate * ms // 1000
        samples = np.random.default_rng(seed).standard_normal(count)
        syllables = 0.3 + 0.7 * np.sin(np.arange(count) * 2 * np.pi * 3 / rate) ** 2
        return Sound((np.convolve(samples, np.hanning(9), "same") * syllables * level).astype(np.float32), rate)

    return load


def line(name: str, start: int, length: int, **others: Any) -> MixLine:
    number = int("".join(filter(str.isdigit, name)) or 1)
    return MixLine(name, number, start, length, others.pop("load", voice(length, number)), **others)


def script(end: int, *cues: Span, **film: Any) -> Script:
    dialogue = tuple(Cue(f"c{number}", cue.start, cue.end, "Who is there?") for number, cue in enumerate(cues, 1))
    return Script(Film("Sample", end, **film), cues=dialogue)


def request(
    kind: MixKind, target: Path, of: Script, *lines: MixLine, settings: MixSettings | None = None, **others: Any
) -> MixRequest:
    return MixRequest(kind, of, lines, target, settings or MixSettings(), **others)


def film_file(
    path: Path,
    samples: np.ndarray,
    *,
    rate: int = RATE,
    layout: str = "stereo",
    codec: str = "pcm_s16le",
    at: float = 0,
) -> Path:
    """A file with this sound, whose first sample is at `at` seconds; a picture runs from 0 where that is not 0."""
    with av.open(str(path), "w") as container:
        picture = container.add_stream("mpeg4", rate=25) if at else None
        stream = container.add_stream(codec, rate=rate, layout=layout)
        if picture:
            picture.width = picture.height = 32
            for number in range(round((at + samples.shape[1] / rate) * 25)):
                frame = av.VideoFrame(32, 32, "yuv420p")
                frame.pts, frame.time_base = number, Fraction(1, 25)
                container.mux(picture.encode(frame))
            container.mux(picture.encode(None))
        for first in range(0, samples.shape[1], 1024):
            piece = np.ascontiguousarray(samples[:, first : first + 1024], np.float32)
            frame = av.AudioFrame.from_ndarray(piece, format="fltp", layout=layout)
            frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
            frame.pts = first + round(at * rate)
            for each in to_format(frame, stream):
                container.mux(stream.encode(each))
        container.mux(stream.encode(None))
    return path


def to_format(frame: av.AudioFrame, stream: Any) -> list[av.AudioFrame]:
    """The same in the encoder's own format."""
    wanted = stream.codec_context.format.name
    if frame.format.name == wanted:
        return [frame]
    resampler = av.AudioResampler(format=wanted, layout=frame.layout.name, rate=frame.sample_rate)
    found = [*resampler.resample(frame), *resampler.resample(None)]
    for each in found:
        each.pts, each.time_base = frame.pts, frame.time_base
    return found


def read_wav(path: Path) -> np.ndarray:
    """The samples of a WAV file of 16 or 24 bits, by its chunks."""
    data = path.read_bytes()
    chunks = wav_chunks(data)
    _, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", chunks["fmt "])
    assert rate == RATE
    if bits == 16:
        whole = np.frombuffer(chunks["data"], "<i2").astype(np.float64) / 2**15
    else:
        wide = np.zeros((len(chunks["data"]) // 3, 4), "u1")
        wide[:, 1:] = np.frombuffer(chunks["data"], "u1").reshape(-1, 3)
        whole = wide.view("<i4")[:, 0] / 2**31
    return whole.reshape(-1, channels).T


def wav_chunks(data: bytes) -> dict[str, bytes]:
    """The chunks of a RIFF file, whose sizes are right."""
    assert data[:4] == b"RIFF"
    assert data[8:12] == b"WAVE"
    assert struct.unpack_from("<I", data, 4)[0] == len(data) - 8
    found: dict[str, bytes] = {}
    place = 12
    while place < len(data):
        name, size = struct.unpack_from("<4sI", data, place)
        found[name.decode()] = data[place + 8 : place + 8 + size]
        place += 8 + size + size % 2
    assert place == len(data)
    return found


def ffmpeg_meter(samples: np.ndarray, layout: str = "stereo") -> tuple[float, float]:
    """Integrated loudness (LUFS) and true peak (dBTP) by FFmpeg's own filter."""
    graph = Graph()
    tick = Fraction(1, RATE)
    source = graph.add_abuffer(sample_rate=RATE, format="fltp", layout=layout, time_base=tick)
    meter, sink = graph.add("ebur128", "metadata=1:peak=true"), graph.add("abuffersink")
    source.link_to(meter)
    meter.link_to(sink)
    graph.configure()
    facts: dict[str, str] = {}

    def pull() -> None:
        while True:
            try:
                facts.update(graph.pull().metadata)
            except (av.error.BlockingIOError, av.error.EOFError):
                return

    for first in range(0, samples.shape[1], RATE):
        piece = np.ascontiguousarray(samples[:, first : first + RATE], np.float32)
        frame = av.AudioFrame.from_ndarray(piece, format="fltp", layout=layout)
        frame.sample_rate, frame.pts, frame.time_base = RATE, first, tick
        graph.push(frame)
        pull()
    graph.push(None)
    pull()
    peak = float(facts["lavfi.r128.true_peak"])
    return float(facts["lavfi.r128.I"]), 20 * np.log10(peak) if peak else -np.inf


def place_of(wanted: np.ndarray, within: np.ndarray) -> int:
    """The sample at which a sound is in another one, by correlation."""
    size = 1 << (len(wanted) + len(within) - 1).bit_length()
    product = np.fft.rfft(within, size) * np.conj(np.fft.rfft(wanted, size))
    return int(np.argmax(np.fft.irfft(product, size)[: len(within)]))


def level(samples: np.ndarray) -> float:
    """The mean power in dBFS."""
    return 10 * np.log10((np.asarray(samples, np.float64) ** 2).mean() + 1e-30)
