"""A finished script brought into the time of a project's film: its file read, its times checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import Oddity
from adstudio.core.script import Script
from adstudio.core.timebase import FrameRate
from adstudio.importing.script_times import ScriptTimes, impossible_labels, timed_script, wrong_labels
from adstudio.script_files.columns import ColumnChoices
from adstudio.script_files.finished import FinishedScript
from adstudio.script_files.reading import MAX_BYTES, TimesRead, read_with_clock
from adstudio.script_files.script_clock import ScriptClock
from adstudio.subtitles.decoding import recoded
from adstudio.system.files import read_bounded


@dataclass(frozen=True)
class FilmScript:
    """A finished script in film time.

    `label_oddities` are timecodes that cannot be as they are written, which `finished.oddities` does not have; `notes`
    are what was assumed of the times.
    """

    finished: FinishedScript
    label_oddities: tuple[Oddity, ...]
    notes: tuple[str, ...]


def read_film_script(
    path: Path,
    script: Script,
    times: ScriptTimes,
    columns: ColumnChoices | None = None,
    encoding: str | None = None,
) -> FilmScript:
    """Read a finished script of any form, in the `encoding` given where it says none itself (`recoded`).

    Of the project's script its film, dialogue and gaps count, not its lines.

    Raises:
        UnclearColumnsError: where only a person can say which column of a table holds what.
        ScriptTimesError: if the times seem to be wrong as a whole; it says what would mend them.
        BadInputError: for a file that is no finished script.
        OutsideFailureError: if it cannot be read.
    """
    data = recoded(read_bounded(path, MAX_BYTES, "script"), str(path), encoding)
    return film_script(data, str(path), script, times, columns)


def film_script(
    data: bytes, name: str, script: Script, times: ScriptTimes, columns: ColumnChoices | None = None
) -> FilmScript:
    """As `read_film_script`, from bytes; `name` is the file's in messages."""
    read: list[TimesRead] = []

    def by(rate: FrameRate, start: str) -> TimesRead:
        read.append(read_with_clock(data, name, ScriptClock(rate, start), columns))
        return read[-1]

    finished, notes = timed_script(by, name, script, times)
    wrong = wrong_labels(read[0])
    labels = [Oddity(f"{label} is no timecode of this rate: the nearest frame is taken", line) for line, label in wrong]
    labels += [
        Oddity(f"{label} is no timecode of any rate (hours end at 23, minutes and seconds at 59): added up", line)
        for line, label in impossible_labels(read[0])
    ]
    return FilmScript(finished, tuple(labels), notes)
