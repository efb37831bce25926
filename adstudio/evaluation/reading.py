"""Reading a reference or a system's output as a transcript: from any script that import reads, or a project's plan."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.settings import Settings
from adstudio.core.timebase import FrameRate, Span
from adstudio.core.words import count_words, folded, spoken_ms
from adstudio.evaluation.material import Description, Transcript
from adstudio.evaluation.request import ScriptFile
from adstudio.importing.film_script import film_script
from adstudio.importing.findings import ScriptTimesError, TimeFault
from adstudio.importing.script_times import HOUR_MS, ScriptTimes, speed_ratio
from adstudio.script_files.finished import FinishedLine, FinishedScript
from adstudio.script_files.finished_table import UnclearColumnsError
from adstudio.script_files.reading import MAX_BYTES
from adstudio.subtitles.decoding import decode, recoded
from adstudio.subtitles.errors import SubtitleError
from adstudio.system.files import read_bounded

PROJECT_ENDING = ".adproj"
_FILM_COLUMNS = ("vid", "imdbid", "movie", "film", "video")
"""Columns that name the film in tables of several films, as AutoAD-Zero (vid) and shot-by-shot (imdbid) write them."""
_GENERATED = "text_gen"
_WORD = re.compile(r"\w+")
_SPEAKER = 3
"""So many words a speaker's label has at most."""
_LEAST_DIALOGUE = 3
"""Of fewer lines that are worded as dialogue is, nothing can be told."""


@dataclass(frozen=True)
class ReadScript:
    """A script as a transcript, what was odd in it, and its language as its file says, empty where it does not."""

    transcript: Transcript
    oddities: tuple[Oddity, ...] = ()
    language: str = ""


@dataclass(frozen=True)
class OpenedProject:
    """The last save of a project, and its plan."""

    script: Script
    plan: Plan
    oddities: tuple[Oddity, ...] = ()


def is_project(path: Path) -> bool:
    """Whether a system's file is a project, by its name."""
    return path.suffix.lower() == PROJECT_ENDING


def open_project(path: Path) -> OpenedProject:
    """A project's last save and the plan saved with it, else made now.

    Raises:
        BadInputError, OutsideFailureError: if it cannot be opened.
    """
    from adstudio.delivery.export import plan_to_export
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(path, read_only=True) as opened:
        script, plan = opened.saved_script, opened.saved_plan
        odd = list(opened.oddities)
        if opened.recoverable:
            odd.append(Oddity("it has unsaved changes, which are not included"))
    return OpenedProject(script, plan_to_export(script, plan), tuple(odd))


def plan_transcript(name: str, script: Script, plan: Plan) -> Transcript:
    """What a project's plan speaks, each line as one description, in order of time."""
    from adstudio.delivery.formats import exported_lines

    lines = exported_lines(script, plan)
    return Transcript(name, tuple(sorted(Description(each.span, each.text) for each in lines if _spoken(each.text))))


def moved_plan(plan: Transcript, source: ScriptFile, rate: FrameRate) -> Transcript:
    """What a plan speaks, with the speed and the shift that were given for its file; `rate` is that of the film."""
    factor = Fraction(1) if source.speed is None else speed_ratio(source.speed, rate)

    def moved(time: int) -> int:
        return round(time * factor) + (source.shift or 0)

    spans = [Span(moved(each.span.start), moved(each.span.end)) for each in plan.descriptions]
    lines = zip(spans, plan.descriptions, strict=True)
    return replace(plan, descriptions=tuple(Description(span, each.text) for span, each in lines))


def read_script(source: ScriptFile, film: Script, film_name: str = "", encoding: str | None = None) -> ReadScript:
    """The transcript of a file in the time of a film, of which the dialogue, the end and the frame rate count.

    `film_name` picks the film from a table of several; the `encoding` is the file's, where it says none itself.

    Raises:
        ScriptTimesError: if its times seem to be those of another version of the film; it says what would mend them.
        BadInputError: for a file that is no script, or holds nothing that is spoken.
        OutsideFailureError: if it cannot be read.
    """
    name = str(source.path)
    data = recoded(read_bounded(source.path, MAX_BYTES, "script"), name, encoding)
    data = _of_film(data, name, film_name)

    # Where its times are known to be off, and by how much, nothing is looked for.
    speed = source.speed or (film.film.frame_rate if source.shift is not None else None)
    try:
        found = film_script(data, name, film, ScriptTimes(speed=speed))
    except ScriptTimesError as error:
        if error.fix.fault is TimeFault.SPEED:
            # All of the dialogue lies over dialogue, whatever its speed.
            unmoved = film_script(data, name, film, ScriptTimes(speed=film.film.frame_rate))
            _require_description(unmoved.finished, name, film)
        raise _mended(error, source) from None
    except UnclearColumnsError as error:
        raise BadInputError(f"{error.why}: name its columns in their first row, as start, end, text") from None
    finished = found.finished
    _require_description(finished, name, film)
    odd = [*finished.oddities, *found.label_oddities, *(Oddity(note) for note in found.notes)]
    descriptions = _descriptions(finished, source.shift or 0, film, odd)
    if not descriptions:
        raise BadInputError(f"{name} has no description with both a time and words: check that it is the right file")
    return ReadScript(Transcript(source.name, descriptions), tuple(odd), finished.language)


def _require_description(finished: FinishedScript, name: str, film: Script) -> None:
    """Check that a script is not the dialogue of the film, as its subtitles in another file are.

    Raises:
        BadInputError: if more than half of its lines are worded as cues are.
    """
    cues = {_wording(cue.text) for cue in film.cues}
    lines = [worded for line in finished.lines if (worded := _wording(line.text))]
    # Before the words there may be who speaks, and how.
    same = sum(any(line[skipped:] in cues for skipped in range(min(len(line), _SPEAKER + 1))) for line in lines)
    if same >= _LEAST_DIALOGUE and 2 * same > len(lines):
        raise BadInputError(
            f"{name} is dialogue: {same:,} of its {len(lines):,} lines are those of the film’s subtitles: choose the"
            " file of an AD"
        )


def _wording(text: str) -> tuple[str, ...]:
    """The words of a text without case and punctuation."""
    return tuple(_WORD.findall(folded(text)))


def _mended(error: ScriptTimesError, source: ScriptFile) -> ScriptTimesError:
    """The error with the option of the evaluation that mends one file."""
    fix = error.fix
    if fix.fault is TimeFault.START:
        error.option = f"--shift {source.name}=-{int(fix.value[:2]) * HOUR_MS // 1000}"
    elif fix.fault is TimeFault.RATE:
        error.option = f"--frame-rate {fix.value}"
    else:
        error.option = f"--speed {source.name}={fix.value}"
    return error


def _descriptions(finished: FinishedScript, shift: int, film: Script, odd: list[Oddity]) -> tuple[Description, ...]:
    """The lines as descriptions in order of time, each with an end; what is odd in them is told."""
    if finished.untimed:
        odd.append(_about(finished.untimed, "without a time, so not used"))
    spoken = [line for line in finished.lines if _spoken(line.text)]
    if silent := [line for line in finished.lines if not _spoken(line.text)]:
        odd.append(_about(silent, "without a word, so not used"))
    moved = sorted((replace(line, start=line.start + shift, end=_plus(line.end, shift)) for line in spoken), key=_start)
    rate = Settings().rate_for(film.film.language)
    followed = [after.start for _, after in pairwise(moved)]
    ends = [_end(line, following, rate) for line, following in zip(moved, [*followed, None], strict=False)]
    if open_ended := [line for line, (_, known) in zip(moved, ends, strict=True) if not known]:
        what = f"without an end: taken to last at {rate} words a minute, at most until the next one"
        odd.append(_about(open_ended, what))
    return tuple(
        sorted(
            Description(Span(line.start, until), " ".join(line.text.split()))
            for line, (until, _) in zip(moved, ends, strict=True)
        )
    )


def _end(line: FinishedLine, following: int | None, rate: int) -> tuple[int, bool]:
    """When a line ends, and whether the file says so."""
    if line.end is not None and line.end > line.start:
        return line.end, True
    until = line.start + max(1, spoken_ms(line.text, rate))
    return (until if following is None or following <= line.start else min(until, following)), False


def _spoken(text: str) -> bool:
    return count_words(text) > 0


def _start(line: FinishedLine) -> int:
    return line.start


def _plus(time: int | None, shift: int) -> int | None:
    return None if time is None else time + shift


def _about(lines: Sequence[FinishedLine], what: str) -> Oddity:
    count = "1 line is" if len(lines) == 1 else f"{len(lines):,} lines are"
    return Oddity(f"{count} {what}", min(line.line for line in lines))


def _of_film(data: bytes, name: str, film_name: str) -> bytes:
    """A table of generated descriptions without the rows of other films; any other file as it is.

    Raises:
        BadInputError: for a table of several films none of which is called as this one.
    """
    if _GENERATED.encode() not in data[:4096]:
        return data
    try:
        source, _ = decode(data, name)
    except SubtitleError:
        return data
    rows = csv.reader(io.StringIO(source.clean(source.text)))
    try:
        head = next(rows, list[str]())
        at = next((head.index(column) for column in _FILM_COLUMNS if column in head), None)
        if at is None or _GENERATED not in head:
            return data
        body = [row for row in rows if len(row) > at]
    except csv.Error:
        return data
    films = Counter(row[at].strip() for row in body)
    if len(films) < 2:
        return data
    wanted = next((each for each in films if folded(each) == folded(film_name)), None)
    if wanted is None:
        some = ", ".join(list(films)[:5])
        raise BadInputError(
            f"{name} has the descriptions of {len(films):,} films ({some}{' …' if len(films) > 5 else ''}), and none is"
            f" called “{film_name}”: name the film as in its column {head[at]}"
        )
    return _written((head, *(row for row in body if row[at].strip() == wanted)))


def _written(rows: Iterable[Sequence[str]]) -> bytes:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue().encode()
