"""The renders that are sound files: the mix, the narration alone, and each line by itself."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from adstudio.core.errors import OutsideFailureError
from adstudio.core.film import Film
from adstudio.core.progress import OnProgress, Stage
from adstudio.mix.film_sound import Block
from adstudio.mix.layout import BLOCK, MONO, PER_MS, RATE, Layout
from adstudio.mix.levels import Levels
from adstudio.mix.lines import MixLine
from adstudio.mix.mixing import OnFraction, Parts, Rendering, factor, mixed, narrated
from adstudio.mix.narration_sound import line_samples
from adstudio.mix.preparing import CLOSE, Outcome, Prepared, followed, prepare
from adstudio.mix.request import MixNote, MixNoteKind, MixReport, MixRequest, RenderedLine, Stop
from adstudio.mix.wav import WavWriter
from adstudio.system.files import reason, written_atomically
from adstudio.system.temporaries import clear_leftovers, temporary_in

MORE_TRIES = 3
"""How often what a limiter that worked hard took away is made up for."""
LONGEST_NAME = 60
"""Characters of a line's id in the name of its file."""
LINE_FILE = re.compile(r"\d{4,}-.+\.wav")
"""Names of lines' own files."""

Blocks = Callable[[Parts, Levels], Generator[Block]]


def render_mix(request: MixRequest, progress: OnProgress, stop: Stop) -> MixReport:
    """The film's sound with the narration in it, at the loudness of the settings."""
    ready = prepare(request, progress, stop)
    with written_atomically(request.target) as temporary:
        ready, outcome = write_mix(temporary, ready, followed(Stage.MIXING, progress, stop))
    return ready.report([request.target], outcome)


def write_mix(path: Path, ready: Prepared, on_fraction: OnFraction) -> tuple[Prepared, Outcome]:
    """Write a mix to `path` as often as it takes until a limiter no longer keeps it from its loudness.

    Raises:
        OSError: where the disk does not take it.
    """
    layout = ready.parts.film.layout
    outcome = _write(path, ready, layout, mixed, on_fraction)
    for _ in range(MORE_TRIES):
        missing = ready.missing(outcome)
        if abs(missing) <= CLOSE or not outcome.limited:
            break
        ready = ready.turned_up(missing)
        outcome = _write(path, ready, layout, mixed, on_fraction)
    return ready, outcome


def render_stem(request: MixRequest, progress: OnProgress, stop: Stop) -> MixReport:
    """The narration alone, in one channel, as long as the programme and as loud as in the mix."""
    ready = prepare(request, progress, stop)
    with written_atomically(request.target) as temporary:
        outcome = _write(temporary, ready, MONO, narrated, followed(Stage.MIXING, progress, stop))
    return ready.report([request.target], outcome)


def render_lines(request: MixRequest, progress: OnProgress, stop: Stop) -> MixReport:
    """Each line in a file of its own, as loud as in the mix, named by its number and id."""
    ready = prepare(request, progress, stop)
    on_fraction = followed(Stage.MIXING, progress, stop)
    found: list[RenderedLine] = []
    peaks: list[float] = []
    limited = 0.0
    names = line_file_names(ready.parts.lines)
    with _folder_target(request.target) as folder:
        for place, (line, name) in enumerate(zip(ready.parts.lines, names, strict=True), 1):
            rendering = _write_line(folder / name, ready, line)
            if rendering.true_peak is not None:
                peaks.append(rendering.true_peak)
            limited = max(limited, rendering.limited)
            found.append(RenderedLine(line.id, line.number, line.start, line.length, request.target / name))
            on_fraction(place / len(ready.parts.lines))
    others = tuple(sorted(_line_files(request.target) - {each.file.name for each in found if each.file}))
    if others:
        ready = replace(ready, notes=(*ready.notes, MixNote(MixNoteKind.OTHER_LINES, names=others)))
    outcome = Outcome(MONO, ready.levels.narration_loudness, max(peaks, default=None), limited)
    return ready.report([line.file for line in found if line.file], outcome, tuple(found))


def line_file_names(lines: Iterable[MixLine]) -> list[str]:
    """The names of lines' own files: number and id, and one more number where they would be the same."""
    # Some disks ignore case.
    found: dict[str, str] = {}
    for line in lines:
        safe = re.sub(r"[^\w.-]+", "_", line.id)[:LONGEST_NAME]
        name = stem = f"{line.number:04d}-{safe}"
        more = 1
        while name.casefold() in found:
            more += 1
            name = f"{stem}-{more}"
        found[name.casefold()] = f"{name}.wav"
    return list(found.values())


def _line_files(folder: Path) -> set[str]:
    """The names of files that are named like a line's own."""
    return {each.name for each in folder.iterdir() if LINE_FILE.fullmatch(each.name)}


def origin_of(film: Film) -> int:
    """The samples from midnight to the film's first frame, by its start timecode.

    Raises:
        TimeError: for a start timecode that is none of the film's rate.
    """
    if not film.start_timecode:
        return 0
    return round(film.frame_rate.frame_of_label(film.start_timecode) * RATE / film.frame_rate.rate)


def _write(path: Path, ready: Prepared, layout: Layout, blocks: Blocks, on_fraction: OnFraction) -> Outcome:
    request = ready.request
    rendering = Rendering(layout, request.settings.true_peak)
    film = request.script.film
    done = 0
    with WavWriter(path, layout, request.bits, origin=origin_of(film), description=film.title) as file:
        with contextlib.closing(blocks(ready.parts, ready.levels)) as unlimited:
            for block in rendering(unlimited):
                file.write(block)
                done += block.shape[1]
                on_fraction(done / ready.parts.length)
        file.loudness, file.true_peak = rendering.loudness, rendering.true_peak
    return Outcome(layout, rendering.loudness, rendering.true_peak, rendering.limited)


def _write_line(path: Path, ready: Prepared, line: MixLine) -> Rendering:
    request = ready.request
    rendering = Rendering(MONO, request.settings.true_peak)
    samples = line_samples(line, request.settings.click_guard) * factor(ready.levels.mix + ready.levels.narration)
    origin = origin_of(request.script.film) + line.start * PER_MS
    with WavWriter(path, MONO, request.bits, origin=origin, description=line.text) as file:
        seconds = (samples[np.newaxis, first : first + BLOCK] for first in range(0, len(samples), BLOCK))
        for block in rendering(seconds):
            file.write(block)
    return rendering


@contextlib.contextmanager
def _folder_target(target: Path) -> Generator[Path]:
    """A temporary folder in the target, or beside one to be made, whose files are in it once the block has ended."""
    folder = target if target.is_dir() else target.absolute().parent
    clear_leftovers(folder)
    try:
        with temporary_in(folder, Path.mkdir) as temporary:
            yield temporary
            if target.is_dir():
                for file in sorted(temporary.iterdir()):
                    file.replace(target / file.name)
            else:
                temporary.rename(target)
    except OSError as error:
        raise OutsideFailureError(f"{target} could not be written: {reason(error)}") from error
