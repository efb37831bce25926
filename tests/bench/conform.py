"""Lines that are right in a new cut: films are cut anew, and projects conformed: `python tests/bench/conform.py`.

Of the sample film and of two public ones, new cuts are encoded (PyAV): a scene cut out, one moved, a title sequence in
front, 24 to 25 fps, and 0, 5 and 20 % of the film changed at random. A line stands at every second, and every third is
locked. A line is right if it lies within 40 ms of where it belongs, or is reported as gone where its film is. One that
is wrong is noticed if it is listed, as gone or as one to be checked.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from adstudio.conform.conforming import conformed
from adstudio.conform.matching import Cut, OtherFilmError, match_cuts
from adstudio.conform.report import LineFate
from adstudio.conform.time_map import Piece, TimeMap, time_map
from adstudio.core.film import Film
from adstudio.core.script import Cue, Eventuality, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.editing.ids import Ids
from adstudio.media.peaks import PEAKS, Peaks
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles

RATE = 22_050
RIGHT_MS = 40
NEW = -1.0
ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources" / "sample"
DATA = ROOT.parent / "shared" / "data" / "film"
FILMS = {
    "sample": (SAMPLE / "film.mp4", SAMPLE / "dialogue.srt"),
    "plan9-trailer": (DATA / "plan9-trailer/plan9.av1.mp4", DATA / "plan9-trailer/captions.en.vtt"),
    "chrome-ad": (DATA / "chrome-ad/chrome.webm", None),
}
Parts = list[tuple[float, float]]
"""From and to (seconds of the former cut); `NEW` and a length for film that came."""


@dataclass
class Source:
    """A film's sound and dialogue."""

    sound: Any
    start: float
    peaks: Peaks
    cues: tuple[Cue, ...]

    @property
    def length(self) -> float:
        return self.start + len(self.sound) / RATE


def read(video: Path, subtitles: Path | None) -> Source:
    """Decode a film's sound, which may begin a little after the film does."""
    resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
    parts: list[Any] = []
    with av.open(str(video)) as container:
        first = None
        for frame in container.decode(audio=0):
            first = frame.time if first is None else first
            parts += [each.to_ndarray()[0] for each in resampler.resample(frame)]
        parts += [each.to_ndarray()[0] for each in resampler.resample(None)]
    cues = () if subtitles is None else dialogue(read_subtitles(subtitles)).cues
    return Source(np.concatenate(parts), max(0.0, first or 0.0), PEAKS.of_film(video), cues)


def new_cut(source: Source, parts: Parts, speed: Fraction, path: Path) -> None:
    """Encode a cut of these parts; what comes is noise with the rhythm of speech."""
    noise = np.random.default_rng(7)
    pieces: list[Any] = []
    for start, end in parts:
        if start == NEW:
            count = int(end * RATE)
            rhythm = np.repeat(noise.uniform(0, 0.5, int(end * 5) + 1), RATE // 5 + 1)[:count]
            pieces.append(noise.standard_normal(count) * rhythm * 0.5)
        else:
            first, last = (max(0, round((at - source.start) * RATE)) for at in (start, end))
            pieces.append(source.sound[first:last])
    sound = np.concatenate(pieces).clip(-1, 1)
    if speed != 1:
        sound = np.interp(np.arange(int(len(sound) * speed)) / float(speed), np.arange(len(sound)), sound)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=RATE)
        stream.layout = "mono"
        for at in range(0, len(sound), 1024):
            frame = av.AudioFrame.from_ndarray(sound[at : at + 1024].astype(np.float32)[None], "fltp", "mono")
            frame.sample_rate, frame.pts = RATE, at
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def truth(source: Source, parts: Parts, speed: Fraction) -> TimeMap:
    """The map that comparing the cuts should find."""
    pieces: list[Piece] = []
    at = 0.0
    # The sound of the first part begins where the file does.
    for start, end in parts:
        length = end if start == NEW else end - max(start, source.start)
        if start != NEW:
            new = Span(round(at * 1000 * speed), round((at + length) * 1000 * speed))
            pieces.append(Piece(Span(round(max(start, source.start) * 1000), round(end * 1000)), new))
        at += length
    return time_map(pieces, round(source.length * 1000), round(at * 1000 * speed), speed)


def script_of(source: Source) -> Script:
    """A script with a line at every second."""
    lines = tuple(
        Eventuality(
            f"e{second}",
            (Variant("Somebody comes in."),),
            Span(second * 1000 + 100, second * 1000 + 900),
            500_000,
            pin=Pin(selected=True, start=second * 1000 + 200) if second % 3 == 0 else Pin(),
        )
        for second in range(int(source.length) - 1)
    )
    return Script(Film("Film", round(source.length * 1000)), cues=source.cues, eventualities=lines)


def new_cues(source: Source, true: TimeMap, seed: int = 0) -> tuple[Cue, ...]:
    """The dialogue of the new cut; every tenth cue is worded a little otherwise."""
    rng = random.Random(seed)
    found: list[Cue] = []
    for cue in source.cues:
        span = true.span(Span(cue.start, cue.end))
        if span is None:
            continue
        said = cue.text.split()
        if rng.random() < 0.1 and len(said) > 2:
            said[rng.randrange(len(said))] = "really"
        found.append(replace(cue, id=f"n{len(found)}", start=span.start, end=span.end, text=" ".join(said)))
    return tuple(sorted(found, key=lambda cue: cue.start))


def changed(share: float, length: float, seed: int) -> Parts:
    """Parts of a film of which so much is changed, a third each removed, moved and replaced by other film."""
    if not share:
        return [(0, length)]
    rng = random.Random(seed)
    size = share * length / 3
    cuts = sorted(rng.uniform(0.05, 0.2) * length + k * 0.3 * length for k in range(3))
    removed, moved, replaced = cuts
    return [
        (0, removed),
        (removed + size, moved),
        (moved + size, replaced),
        (NEW, size * 1.3),
        (replaced + size, 0.95 * length),
        (moved, moved + size),
        (0.95 * length, length),
    ]


def cases(length: float) -> dict[str, tuple[Parts, Fraction]]:
    """The new cuts, with their speed."""
    once = Fraction(1)
    a, b, c, d, e, f = (share * length for share in (0.2, 0.35, 0.4, 0.6, 0.75, 0.8))
    return {
        "as it was": ([(0, length)], once),
        "scene cut out": ([(0, a), (c, length)], once),
        "scene moved": ([(0, a), (c, f), (a, c), (f, length)], once),
        "titles in front": ([(NEW, 12.4), (0, length)], once),
        "24 to 25 fps": ([(0, length)], Fraction(24, 25)),
        "23.976 to 24 fps": ([(0, length)], Fraction(1000, 1001)),
        "all four": ([(NEW, 12.4), (0, a), (b, d), (a, b), (e, length)], Fraction(24, 25)),
        "5 % changed": (changed(0.05, length, 1), once),
        "20 % changed": (changed(0.2, length, 2), once),
        "20 % changed, 24 to 25": (changed(0.2, length, 3), Fraction(24, 25)),
    }


def measured(source: Source, new: Cut, true: TimeMap) -> tuple[str, list[str]]:
    """Right lines of all, as text, and the wrong ones."""
    script = script_of(source)
    old = Cut(source.cues, script.film.end, source.peaks if new.peaks is not None else None)
    if new.peaks is not None and not new.cues:
        old = replace(old, cues=())
    try:
        found = match_cuts(old, new)
    except OtherFilmError as error:
        return "refused", [str(error)]
    done = conformed(script, found.time_map, script.film, None, Ids(script))
    after = script if done.step is None else done.step.apply(script)
    right, locks, locked = 0, 0, 0
    wrong: list[str] = []
    reports = {each.line.id: each for each in done.report.lines}
    for line in script.eventualities:
        assert line.occurrence is not None
        expected = true.span(line.occurrence)
        got = after.eventuality(line.id)
        gone = reports[line.id].fate is LineFate.GONE
        if expected is None or got.occurrence is None:
            good = (expected is None) == gone
        else:
            good = abs(got.occurrence.start - expected.start) <= RIGHT_MS
        right += good
        if not good:
            noticed = gone or reports[line.id].unsure
            wrong.append(f"{line.id}: {got.occurrence} for {expected}{'' if noticed else ' unnoticed'}")
        if line.pin.start is not None and (at := true.at(line.pin.start)) is not None and expected is not None:
            locked += 1
            locks += got.pin.start is not None and abs(got.pin.start - at) <= RIGHT_MS
    unnoticed = sum(each.endswith("unnoticed") for each in wrong)
    missed = f" ({unnoticed} unnoticed)" if wrong else ""
    ratio = "" if found.time_map.ratio == true.ratio else f" SPEED {found.time_map.ratio}"
    return f"{right}/{len(script.eventualities)}, locks {locks}/{locked}{missed}{ratio}", wrong


def main(show: bool = False) -> None:
    """Print the table."""
    print(f"{'film':<14} {'new cut':<24} {'by sound':<40} {'by dialogue':<40} {'by both':<40} seconds")
    for name, (video, subtitles) in FILMS.items():
        if not video.exists():
            print(f"{name:<14} not there: {video}")
            continue
        source = read(video, subtitles)
        for case, (parts, speed) in cases(source.length).items():
            true = truth(source, parts, speed)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "cut.mp4"
                new_cut(source, parts, speed, path)
                *_, last = PEAKS.make(path)
                peaks = last.take()
            cues = new_cues(source, true)
            started = time.process_time()
            ways = {"sound": Cut((), true.new_end, peaks)}
            if cues:
                ways |= {"dialogue": Cut(cues, true.new_end), "both": Cut(cues, true.new_end, peaks)}
            results = {way: measured(source, cut, true) for way, cut in ways.items()}
            took = time.process_time() - started
            columns = " ".join(
                f"{results[way][0] if way in results else '-':<40}" for way in ("sound", "dialogue", "both")
            )
            print(f"{name:<14} {case:<24} {columns} {took:.2f}")
            if show:
                for way, (_, wrong) in results.items():
                    for each in wrong:
                        print(f"    {way}: {each}")


if __name__ == "__main__":
    main("--wrong" in sys.argv)
