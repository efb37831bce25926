"""What the editor asks of the process that reads what the plan is compared with, and what it says: see `PROTOCOL`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adstudio.core.script import Rules, Script
from adstudio.evaluation.gap_rows import SpokenLine
from adstudio.evaluation.material import Description
from adstudio.evaluation.reference_reading import ReferenceScript
from adstudio.importing.findings import TimeFix
from adstudio.importing.script_times import ScriptTimes
from adstudio.script_files.columns import Column, ColumnChoices
from adstudio.script_files.finished_table import ColumnSeen
from adstudio.system.worker import Failed, WorkerProtocol

CRASHED = "This could not be read; see the log for details."


@dataclass(frozen=True)
class ReadReference:
    """Read a reference AD for a film.

    `film` is the project's script without its lines (`film_of`), `plan` what it says; `columns` are what columns of a
    table hold, by their numbers, None where nobody has said it.
    """

    path: Path
    film: Script
    times: ScriptTimes
    columns: tuple[tuple[int, Column | None], ...] | None = None
    plan: tuple[Description, ...] = ()

    @property
    def choices(self) -> ColumnChoices | None:
        """The columns as they were chosen."""
        return None if self.columns is None else ColumnChoices(dict(self.columns))


@dataclass(frozen=True)
class ReadVersion:
    """Read the lines that a version speaks, from its content as the project file has it (`version_rows.packed`)."""

    name: str
    content: bytes


@dataclass(frozen=True)
class VersionRead:
    """The lines of a version, in the order of time."""

    lines: tuple[SpokenLine, ...]


@dataclass(frozen=True)
class ReferenceRead:
    """The reference."""

    reference: ReferenceScript


@dataclass(frozen=True)
class TimesDoubtful:
    """The times seem to be wrong as a whole; this would mend them."""

    fix: TimeFix


@dataclass(frozen=True)
class ColumnsUnclear:
    """Only a person can say which column holds what."""

    why: str
    columns: tuple[ColumnSeen, ...]


Request = ReadReference | ReadVersion
Event = ReferenceRead | TimesDoubtful | ColumnsUnclear | VersionRead | Failed
PROTOCOL = WorkerProtocol[Request, Event]("adstudio.evaluation.reference_worker", Request, Event)


def film_of(script: Script) -> Script:
    """A project's script without all that no reference is read by."""
    return script.with_changes(eventualities=(), rules=Rules(), people=(), prompts=(), lexicon=())
