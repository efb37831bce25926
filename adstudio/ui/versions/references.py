"""What the plan is compared with gap by gap: reference ADs, whose paths are remembered, and versions.

Each is read in the background.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.core.errors import AdstudioError
from adstudio.evaluation.gap_rows import SpokenLine, spoken_lines
from adstudio.evaluation.reference_events import (
    CRASHED,
    PROTOCOL,
    ColumnsUnclear,
    Event,
    ReadReference,
    ReadVersion,
    ReferenceRead,
    Request,
    TimesDoubtful,
    VersionRead,
    film_of,
)
from adstudio.evaluation.reference_reading import ReferenceScript
from adstudio.importing.findings import TimeFix
from adstudio.importing.script_times import ScriptTimes, mended
from adstudio.script_files.columns import ColumnChoices
from adstudio.script_files.finished_table import ColumnSeen
from adstudio.system.worker import Failed
from adstudio.ui.background.timers import single_shot
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.session.context import Context
from adstudio.ui.versions.reference_files import remember, remembered
from adstudio.ui.widgets.file_dialogs import is_there
from adstudio.ui.widgets.formatting import as_sentence

NONE = 0
"""What stands for no version among their numbers, which begin at 1."""
STOPPED = "Reading was stopped."


@dataclass
class OpenedReference:
    """A reference AD: how it is read, and what came of it.

    `problem` is why it could not be read; then `fix` may be what would mend its times. `unclear` are the columns about
    which a person has to be asked, also once it could be read as that person chose.
    """

    path: Path
    times: ScriptTimes = field(default_factory=ScriptTimes)
    columns: ColumnChoices | None = None
    script: ReferenceScript | None = None
    problem: str = ""
    fix: TimeFix | None = None
    unclear: tuple[ColumnSeen, ...] = ()


class References(QObject):
    """Opens references and has the current one read."""

    changed = Signal()
    """Another one is current, or something else is known of it."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._preferences = context.session, context.preferences
        self.all: list[OpenedReference] = []
        """The last one that was opened first."""
        self.current: OpenedReference | None = None
        texts = JobTexts(CRASHED)
        answers = (ReferenceRead, TimesDoubtful, ColumnsUnclear)
        self._client = JobClient[Request, Event](context.jobs, self, PROTOCOL, answers, texts)
        self._client.ended.connect(self._ended)
        self._soon = single_shot(self, 0, self._start)

    @property
    def reading(self) -> bool:
        """Whether the current one is being read, or is about to be."""
        return self._client.busy or self._soon.isActive()

    def restore(self) -> None:
        """Have those that were opened for the project before; the last one that is there is read."""
        project = self._session.project
        if project is not None and not self.all:
            self.all = [OpenedReference(path) for path in remembered(self._preferences, project.path)]
            if self.all:
                self.choose(next((each.path for each in self.all if is_there(each.path)), self.all[0].path))

    def open(self, path: Path) -> None:
        """Open a file; one that is open is read anew."""
        self.all = [OpenedReference(path), *(each for each in self.all if each.path != path)]
        self._remember()
        self.choose(path)

    def remove(self) -> None:
        """Have the current one no longer; the one opened last of the others is current then."""
        removed = self.current
        self.all = [each for each in self.all if each is not removed]
        self._remember()
        self.stop()
        self.current = None
        if self.all:
            self.choose(self.all[0].path)
        else:
            self.changed.emit()

    def choose(self, path: Path) -> None:
        """Have another one that is open be the current one."""
        self.stop()
        self.current = next((each for each in self.all if each.path == path), None)
        if self.current is not None and self.current.script is None:
            self._read(self.current)
        self.changed.emit()

    def mend(self) -> None:
        """Read the current one's times as it was offered."""
        current = self.current
        if current is not None and current.fix is not None:
            current.times = mended(current.times, current.fix)
            self._read(current)
            self.changed.emit()

    def choose_columns(self, columns: ColumnChoices | None) -> None:
        """Read the current one with columns as a person says."""
        if self.current is not None:
            self.current.columns = columns
            self._read(self.current)
            self.changed.emit()

    def stop(self) -> None:
        """Read nothing any more."""
        self._soon.stop()
        self._client.forget()

    def _read(self, opened: OpenedReference) -> None:
        opened.script, opened.fix, opened.problem = None, None, ""
        self._soon.start()

    def _start(self) -> None:
        opened = self.current
        if opened is None:
            return
        columns = None if opened.columns is None else tuple(opened.columns.columns.items())
        script, plan = self._session.script, self._session.plan
        spoken = tuple(line.description for line in spoken_lines(script, plan))
        request = ReadReference(opened.path, film_of(script), opened.times, columns, spoken)
        try:
            self._client.start(f"Reading {opened.path.name}", request)
        except AdstudioError as error:
            opened.problem = as_sentence(str(error))
            self.changed.emit()

    def _ended(self, answer: Event | None) -> None:
        current = self.current
        if current is None:
            return
        match answer:
            case ReferenceRead(script):
                current.script = script
            case TimesDoubtful(fix):
                current.fix, current.problem = fix, as_sentence(fix.why)
            case ColumnsUnclear(why, columns):
                current.unclear, current.problem = columns, as_sentence(why)
            case Failed(message):
                current.problem = as_sentence(message)
            case None:
                current.problem = STOPPED
        self.changed.emit()

    def _remember(self) -> None:
        project = self._session.project
        if project is not None:
            remember(self._preferences, project.path, [each.path for each in self.all])


class ComparedVersion(QObject):
    """The lines of the version that is compared too."""

    changed = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._session = context.session
        self._known: dict[int, tuple[SpokenLine, ...]] = {}
        self.number = NONE
        self.problem = ""
        self._client = JobClient[Request, Event](context.jobs, self, PROTOCOL, (VersionRead,), JobTexts(CRASHED))
        self._client.ended.connect(self._ended)

    @property
    def lines(self) -> tuple[SpokenLine, ...]:
        """What it speaks; nothing before that is known."""
        return self._known.get(self.number, ())

    @property
    def reading(self) -> bool:
        """Whether it is being read."""
        return self._client.busy

    def choose(self, number: int, name: str) -> None:
        """Compare another one, `NONE` for none."""
        self._client.forget()
        self.number, self.problem = number, ""
        project = self._session.project
        if project is not None and number != NONE and number not in self._known:
            try:
                self._client.start(f"Reading “{name}”", ReadVersion(name, project.versions.packed(number)))
            except AdstudioError as error:
                self.problem = as_sentence(str(error))
        self.changed.emit()

    def stop(self) -> None:
        """Read nothing any more."""
        self._client.forget()

    def _ended(self, answer: Event | None) -> None:
        match answer:
            case VersionRead(lines):
                self._known[self.number] = lines
            case Failed(message):
                self.problem = as_sentence(message)
            case _:
                self.problem = STOPPED
        self.changed.emit()
