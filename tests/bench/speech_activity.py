"""Speech activity: how right and how fast, and subtitles in step: `python tests/bench/speech_activity.py [--hours 2]`.

Right: against the annotated conversation, the captions of a radio play and of a trailer, and music, all beside the
checkout, counted in steps of 10 ms. Fast: a film of two hours made of those, coded in AAC, in a process of its own with
one thread, its memory included. In step: subtitles of the radio play moved and drifted, and the time that it takes for
two hours.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.editing.cues import retime_cue
from adstudio.gaps.subtitle_sync import estimate_sync
from adstudio.media.speech_activity import Activity, make_activity
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
VAD = DATA / "media" / "vad"


def heard(path: Path) -> Activity:
    *_, last = make_activity(path)
    return last.take()


def occupied(spans: Sequence[Span], length: int) -> np.ndarray:
    found = np.zeros(length // 10, np.bool_)
    for span in spans:
        found[round(span.start / 10) : round(span.end / 10)] = True
    return found


def row(name: str, spans: Sequence[Span], wanted: Sequence[Span], length: int) -> None:
    found, right = occupied(spans, length), occupied(wanted, length)
    common = (found & right).sum()
    precision, recall = common / max(found.sum(), 1), common / max(right.sum(), 1)
    missed, false = (right & ~found).sum() / right.sum(), (found & ~right).sum() / right.sum()
    f1 = 2 * common / (found.sum() + right.sum())
    print(
        f"{name:34} precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}  "
        f"detection error {missed + false:.3f} (missed {missed:.3f}, false {false:.3f})"
    )


def spoken(path: Path) -> list[Cue]:
    return [cue for cue in dialogue(read_subtitles(path)).cues if cue.kind is CueKind.SPEECH]


def right() -> None:
    lines = [line.split() for line in (VAD / "pyannote_sample.rttm").read_text().splitlines()]
    wanted = [Span(round(1000 * float(x[3])), round(1000 * (float(x[3]) + float(x[4])))) for x in lines]
    row("conversation (RTTM)", heard(VAD / "pyannote_sample.wav").spans, wanted, 30_000)
    pairs = [
        ("radio play (captions)", DATA / "media" / "shadow-radio.mp3", DATA / "media" / "shadow-radio.captions.vtt"),
        (
            "trailer (captions, 2.4 s early)",
            DATA / "film" / "plan9-trailer" / "plan9.av1.mp4",
            DATA / "film" / "plan9-trailer" / "captions.en.vtt",
        ),
    ]
    for name, film, captions in pairs:
        activity = heard(film)
        row(name, activity.spans, [Span(cue.start, cue.end) for cue in spoken(captions)], activity.duration)
    for path in (VAD / "ina_musanmix.mp3", VAD / "ina_lamartine.wav", DATA / "media" / "jfk.flac"):
        activity = heard(path)
        speech = sum(span.length for span in activity.spans) / 1000
        shown = ", ".join(f"{span.start / 1000:.1f}-{span.end / 1000:.1f}" for span in activity.spans)
        print(f"{path.name:34} {speech:.1f} of {activity.duration / 1000:.1f} s: {shown}")


def steps() -> None:
    print("\nin step: found offset and drift of moved subtitles, relative to what the unmoved ones give")
    for film, captions in (
        (DATA / "media" / "shadow-radio.mp3", DATA / "media" / "shadow-radio.captions.vtt"),
        (DATA / "film" / "plan9-trailer" / "plan9.av1.mp4", DATA / "film" / "plan9-trailer" / "captions.en.vtt"),
    ):
        activity, cues = heard(film), spoken(captions)
        base = estimate_sync(cues, activity.spans, activity.duration)
        print(f"{film.name} ({len(cues)} cues): unmoved {base.offset_ms:+} ms, ratio {base.ratio}, sure {base.sure}")
        for offset, ratio in ((700, Fraction(1)), (-700, Fraction(1)), (0, Fraction(24, 25)), (0, Fraction(25, 24))):
            moved = [retime_cue(cue, offset, ratio) for cue in cues]
            found = estimate_sync(moved, activity.spans, activity.duration)
            error = found.offset_ms + offset / ratio - base.offset_ms
            print(
                f"  moved {offset:+5} ms, times {ratio!s:6} -> ratio {found.ratio!s:6} {found.offset_ms:+6} ms, "
                f"off by {float(error):+.0f} ms; sure {found.sure}, evidence {found.evidence:.1f}, "
                f"margin {found.margin:.1f}"
            )


def long_film(folder: Path, hours: float) -> Path:
    """The sounds of the shared data one after the other, in stereo at 48 kHz, until it is long enough."""
    path = folder / "long.m4a"
    sources = [VAD / "ina_musanmix.mp3", DATA / "media" / "shadow-radio.mp3", VAD / "pyannote_sample.wav"]
    inputs = [part for source in sources for part in ("-i", str(source))]
    parts = "".join(f"[{n}:a]aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo[s{n}];" for n in range(3))
    joined = f"{parts}[s0][s1][s2]concat=n=3:v=0:a=1"
    once = folder / "once.m4a"
    quiet = ["ffmpeg", "-v", "error", "-y"]
    subprocess.run([*quiet, *inputs, "-filter_complex", joined, "-vn", "-b:a", "192k", str(once)], check=True)
    loop = ["-stream_loop", "-1", "-i", str(once), "-t", str(hours * 3600), "-c", "copy", str(path)]
    subprocess.run([*quiet, *loop], check=True)
    return path


def fast(hours: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        film = long_film(Path(folder), hours)
        print(f"\n{hours:g} hours of AAC in stereo, a process of its own")
        (Path(folder) / "part").mkdir()
        for each in (long_film(Path(folder) / "part", 0.1 * hours), film):
            done = subprocess.run([sys.executable, __file__, "--one", str(each)], check=True, capture_output=True)
            print("  " + done.stdout.decode().strip())
        spans, cues = heard_lines(hours)
        begun = time.perf_counter()
        found = estimate_sync(cues, spans, int(hours * 3_600_000))
        print(f"in step for {hours:g} hours and {len(cues)} cues: {time.perf_counter() - begun:.2f} s, {found.ratio}")


def heard_lines(hours: float) -> tuple[list[Span], list[Cue]]:
    chance = np.random.default_rng(1)
    edges = np.cumsum(chance.uniform(400, 5000, int(hours * 1400) * 2)).astype(int)
    spans = [Span(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    spans = [span for span in spans if span.end < hours * 3_600_000]
    cues = [Cue(f"c{n}", round(s.start * 24 / 25), round(s.end * 24 / 25) + 300, "said") for n, s in enumerate(spans)]
    return spans, cues


def one(path: Path) -> None:
    wall, processor = time.perf_counter(), time.process_time()
    activity = heard(path)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = activity.duration / 1000
    print(
        f"{seconds / 3600:.2f} h: {wall:.1f} s ({processor:.1f} s of processor), {seconds / processor:.0f} times "
        f"real time on one core ({seconds / wall:.0f} by the clock), at most {memory:.0f} MB"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--hours", type=float, default=2)
    parser.add_argument("--one", type=Path)
    asked = parser.parse_args()
    if asked.one:
        one(asked.one)
    else:
        right()
        steps()
        fast(asked.hours)
