"""How fast two hours are mixed, and in how much memory: `python tests/bench/mix.py [--hours 2] [--kinds mix stem]`.

A stereo film coded in AAC, and a line every ten seconds; each render is in a process of its own. Beside it, in the same
run, the peer: FFmpeg decodes the same film and codes it as 24-bit WAV, and measures it with its own meter, all in C.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from adstudio.core.film import Film
from adstudio.core.mix_settings import MixSettings
from adstudio.core.progress import Progress
from adstudio.core.script import Cue, Script
from adstudio.core.timebase import Span
from adstudio.mix.lines import MixLine
from adstudio.mix.request import MixKind, MixRequest
from adstudio.mix.service import render
from adstudio.speech.sound import Sound

RATE = 48_000
MINUTE = 60
EVERY = 10_000
"""Milliseconds from line to line."""


def write_film(path: Path, hours: float) -> Path:
    """A minute of noise that swells and fades, coded once and repeated for hours."""
    chance = np.random.default_rng(1)
    time_ = np.arange(RATE * MINUTE) / RATE
    swell = 0.1 * (0.3 + 0.7 * np.sin(2 * np.pi * time_ / 7) ** 2)
    samples = np.vstack([np.convolve(row, np.ones(8) / 3, "same") for row in chance.standard_normal((2, len(time_)))])
    samples = (samples * swell).astype(np.float32)
    with av.open(str(path), "w") as film:
        stream = film.add_stream("aac", rate=RATE, layout="stereo")
        stream.bit_rate = 192_000
        coded: list[tuple[bytes, int]] = []
        for first in range(0, samples.shape[1], 1024):
            piece = np.ascontiguousarray(samples[:, first : first + 1024])
            frame = av.AudioFrame.from_ndarray(piece, format="fltp", layout="stereo")
            frame.sample_rate, frame.pts = RATE, first
            coded += [(bytes(packet), packet.duration) for packet in stream.encode(frame) if packet.duration]
        at = 0
        while at < hours * 3600 * RATE:
            for data, length in coded:
                packet = av.Packet(data)
                packet.stream, packet.time_base = stream, Fraction(1, RATE)
                packet.pts = packet.dts = at
                packet.duration = length
                film.mux(packet)
                at += length
    return path


def spoken(length: int, seed: int) -> Sound:
    """A line of noise in syllables at the rate of a voice."""
    chance = np.random.default_rng(seed)
    count = 22_050 * length // 1000
    syllables = np.sin(np.arange(count) * 2 * np.pi * 3 / 22_050) ** 2
    return Sound((chance.standard_normal(count) * syllables * 0.05).astype(np.float32), 22_050)


def mix(film: Path, kind: str, hours: float, folder: Path) -> None:
    """Render, and print pace and memory as it goes."""
    end = round(hours * 3600 * 1000)
    lines = tuple(
        MixLine(f"e{at}", number, at, 4_000, lambda seed=number: spoken(4_000, seed), gap=Span(at - 500, at + 5_000))
        for number, at in enumerate(range(5_000, end - 5_000, EVERY), 1)
    )
    cues = tuple(Cue(f"c{at}", at + 5_000, at + 8_000, "Who is there?") for at in range(5_000, end - 10_000, EVERY))
    script = Script(Film("Two hours", end), cues=cues)
    memory: list[int] = []

    def follow(progress: Progress) -> None:
        while len(memory) < 20 and (progress.fraction or 0) * 20 >= len(memory) % 10 * 2 + 1 - (len(memory) >= 10):
            memory.append(int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 20)

    began, used = time.perf_counter(), time.process_time()
    target = folder / ("lines" if kind == "lines" else "out.wav")
    report = render(MixRequest(MixKind(kind), script, lines, target, MixSettings(), film), follow)
    wall, processor = time.perf_counter() - began, time.process_time() - used
    seconds = end / 1000
    most = int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) >> 10
    print(
        f"{kind:6} {seconds / wall:6.0f}× real time ({seconds / processor:.0f}× by processor time), "
        f"{len(lines)} lines; {report.loudness or 0:.2f} LUFS, {report.true_peak or 0:.2f} dBTP; {most} MB at most, "
        "as it went: " + " ".join(map(str, memory))
    )


def peer(film: Path, hours: float, folder: Path) -> None:
    """FFmpeg decodes, measures loudness and true peak, and codes 24-bit WAV."""
    from av.filter import Graph

    began, used = time.perf_counter(), time.process_time()
    with av.open(str(film)) as source, av.open(str(folder / "peer.wav"), "w") as target:
        out = target.add_stream("pcm_s24le", rate=RATE, layout="stereo")
        graph = Graph()
        first = graph.add_abuffer(sample_rate=RATE, format="fltp", layout="stereo", time_base=Fraction(1, RATE))
        meter = graph.add("ebur128", "metadata=1:peak=true")
        form, last = graph.add("aformat", "sample_fmts=s32"), graph.add("abuffersink")
        first.link_to(meter)
        meter.link_to(form)
        form.link_to(last)
        graph.configure()
        for frame in source.decode(audio=0):
            graph.push(frame)
            while True:
                try:
                    measured = graph.pull()
                except (av.error.BlockingIOError, av.error.EOFError):
                    break
                target.mux(out.encode(measured))
        target.mux(out.encode(None))
    wall, processor = time.perf_counter() - began, time.process_time() - used
    seconds = hours * 3600
    print(f"peer   {seconds / wall:6.0f}× real time ({seconds / processor:.0f}× by processor time), one pass in C")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=2)
    parser.add_argument("--kinds", nargs="+", default=["mix", "stem"])
    parser.add_argument("--film", type=Path)
    parser.add_argument("--only")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        film = given.film or write_film(folder / "film.m4a", given.hours)
        if given.only == "peer":
            peer(film, given.hours, folder)
        elif given.only:
            mix(film, given.only, given.hours, folder)
        else:
            for each in ("peer", *given.kinds):
                arguments = [__file__, "--hours", str(given.hours), "--film", str(film), "--only", each]
                subprocess.run([sys.executable, *arguments], check=True)
