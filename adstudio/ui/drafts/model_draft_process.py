"""Runs the process that drafts by a model, one run at a time, and tells what comes of it at a pace that can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.core.script import Rules, Scene
from adstudio.drafting.model.events import Event, SceneDraft, SceneState
from adstudio.drafting.model.messages import (
    MODULE,
    Failed,
    Looking,
    Noted,
    Over,
    Request,
    read_message,
    write_request,
)
from adstudio.drafting.model.run_state import STOPPED, ModelCourse
from adstudio.ui.background.jobs import Jobs, python_command
from adstudio.ui.background.process_client import OneProcess, Speech, request_files

TICK_MS = 100
"""What is shown is renewed at most that often, however fast it comes."""
LONGEST_TELLING = 1_000_000
"""Bytes of a description as it comes; a longer one is not shown."""
DIED = "The drafting broke off, and the log says why. What had come by then is kept: start again, and it goes on there."
GONE_WRONG = (
    "The drafting wrote what nobody can read, and was stopped. What had come by then is kept: start again, and it goes"
    " on there."
)
LEFT = "A model is still drafting. That is stopped, and what has come is kept: start it again, and it goes on there."
_TELLING, _TEXT = b'{"telling": ', b', "text": '


@dataclass(frozen=True)
class _Telling:
    """A description as it comes, still unread: most lines by far are such, and only the newest of a part is read."""

    line: bytes


def _read(line: bytes) -> Event | Looking | Noted | Over | Failed | _Telling | None:
    return _Telling(line) if line.startswith(_TELLING) else read_message(line)


SPEECH = Speech[Event | Looking | Noted | _Telling, Over | Failed](
    _read, (Over, Failed), died=Failed(DIED), gone_wrong=Failed(GONE_WRONG), left=LEFT
)


class ModelDrafter(QObject):
    """Its `course` is that of the run in hand, or of the last one."""

    moved = Signal(object)
    """The scenes (ids) that stand otherwise than when this was told last; never more often than the eye can follow."""
    drafted = Signal(object)
    """SceneDraft: a scene has come to its end."""
    ended = Signal(object)
    """Over or Failed; None where it was stopped before it had begun."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._process = OneProcess(jobs, SPEECH, self._hear, self._end)
        self.course = ModelCourse(())
        self._changed: set[str] = set()
        self._telling: dict[bytes, bytes] = {}
        self._tick = QTimer(self)
        self._tick.setSingleShot(True)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._tell)

    @property
    def busy(self) -> bool:
        """Whether scenes are being drafted."""
        return self._process.busy

    @property
    def stopping(self) -> bool:
        """Whether it was asked to end and has not yet."""
        return self._process.stopping

    def start(self, title: str, request: Request, scenes: Sequence[Scene]) -> None:
        """Draft these scenes as the request says; what was asked before is forgotten.

        Raises:
            OSError, CodecError: where the request cannot be written.
        """
        self.forget()
        request = replace(request, scenes=tuple(scene.id for scene in scenes))
        files = request_files(write_request(_needed(request)))
        self.course = ModelCourse(scenes)
        self._changed = set(self.course.scenes)
        self._process.start(title, python_command(MODULE, *map(str, files)), files=files)
        self._tick.start()

    def stop(self) -> None:
        """Ask it to end; `ended` tells when it has."""
        self._process.stop()

    def forget(self) -> None:
        """Stop, and hear nothing of it any more."""
        self._process.forget()
        self._tick.stop()
        self._telling.clear()
        self.course = ModelCourse(())

    def read_tellings(self) -> None:
        """Take in the newest of each description: of those that came between nobody has to know."""
        waiting, self._telling = self._telling, {}
        for line in waiting.values():
            message = read_message(line)
            scene = None if message is None else self.course.hear(message)
            if scene is not None:
                self._changed.add(scene)

    def _hear(self, message: Event | Looking | Noted | _Telling) -> None:
        if isinstance(message, _Telling):
            self._keep(message.line)
            return
        if isinstance(message, SceneDraft):
            self.read_tellings()
        scene = self.course.hear(message)
        if scene is not None:
            self._changed.add(scene)
        self._tell_soon()
        if isinstance(message, SceneDraft) and scene is not None:
            ended, total = self.course.ended, len(self.course.scenes)
            self._process.report(ended / total, f"{ended:,} of {total:,}")
            self.drafted.emit(message)

    def _keep(self, line: bytes) -> None:
        if len(line) <= LONGEST_TELLING and len(self._telling) <= 4 * len(self.course.scenes):
            self._telling[line[: line.find(_TEXT, len(_TELLING))]] = line
            self._tell_soon()

    def _tell_soon(self) -> None:
        if not self._tick.isActive():
            self._tick.start()

    def _tell(self) -> None:
        self.read_tellings()
        changed, self._changed = frozenset(self._changed), set()
        if 0 <= self.course.looking < 1:
            self._process.report(self.course.looking, "looking for cuts")
        self.moved.emit(changed)

    def _end(self, answer: Over | Failed | None) -> None:
        if isinstance(answer, Failed):
            self.course.broke_off(SceneState.FAILED, answer.sentence.rstrip("."))
        else:
            self.course.broke_off(SceneState.STOPPED, STOPPED)
        self._tick.stop()
        self._changed = set(self.course.scenes)
        self._tell()
        self.ended.emit(answer)


def _needed(request: Request) -> Request:
    """The request without what a model is not told of the script."""
    script = replace(request.script, eventualities=(), rules=Rules(), silences=(), openings=())
    return replace(request, script=script)
