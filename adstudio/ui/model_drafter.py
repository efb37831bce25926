"""Runs the process that drafts by a model, one run at a time, and tells what comes of it at a pace that can be seen."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.candidates.model_draft.events import SceneDraft, SceneState
from adstudio.core.script import Rules, Scene
from adstudio.drafting.model_course import ModelCourse
from adstudio.drafting.model_messages import MODULE, Failed, Over, Request, read_message, write_request
from adstudio.ui.jobs import Job, Jobs, python_command

TICK_MS = 100
"""What is shown is renewed at most that often, however fast it comes."""
MOST_UNREAD = 2_000
"""Lines that say nothing to us; a process that writes more of them has gone wrong and is stopped."""
LONGEST_TELLING = 1_000_000
"""Bytes of a description as it comes; a longer one is not shown."""
DIED = "The drafting broke off, and the log says why. What had come by then is kept: start again, and it goes on there."
GONE_WRONG = (
    "The drafting wrote what nobody can read, and was stopped. What had come by then is kept: start again, and it goes"
    " on there."
)
LEFT = "A model is still drafting. That is stopped, and what has come is kept: start it again, and it goes on there."
_TELLING, _TEXT = b'{"telling": ', b', "text": '


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
        self._jobs = jobs
        self._job: Job | None = None
        self._file: Path | None = None
        self.course = ModelCourse(())
        self._changed: set[str] = set()
        self._telling: dict[bytes, bytes] = {}
        self._unread = 0
        self._answer: Over | Failed | None = None
        self._tick = QTimer(self)
        self._tick.setSingleShot(True)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._tell)

    @property
    def busy(self) -> bool:
        """Whether scenes are being drafted."""
        return self._job is not None

    @property
    def stopping(self) -> bool:
        """Whether it was asked to end and has not yet."""
        return self._job is not None and self._job.stopped

    def start(self, title: str, request: Request, scenes: Sequence[Scene]) -> None:
        """Draft these scenes as the request says; what was asked before is forgotten.

        Raises:
            OSError, CodecError: where the request cannot be written.
        """
        self.forget()
        request = replace(request, scenes=tuple(scene.id for scene in scenes))
        path = self._file = _written(request)
        self.course = ModelCourse(scenes)
        self._changed, self._unread, self._answer = set(self.course.scenes), 0, None

        def heard(line: bytes) -> None:
            if self._job is job:
                self._hear(line)

        def ended(_code: int, _said: str) -> None:
            _remove(path)
            if self._job is job:
                self._end(job.stopped)

        job = self._job = self._jobs.start(title, python_command(MODULE, str(path)), heard, ended, left=LEFT)
        self._tick.start()

    def stop(self) -> None:
        """Ask it to end; `ended` tells when it has."""
        if self._job is not None:
            self._job.stop()

    def forget(self) -> None:
        """Stop, and hear nothing of it any more."""
        job, self._job = self._job, None
        if job is not None:
            job.stop()
        self._remove_request()
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

    def _hear(self, line: bytes) -> None:
        if line.startswith(_TELLING):
            # Most lines by far: only the newest of a scene's part is ever read.
            if len(line) <= LONGEST_TELLING and len(self._telling) <= 4 * len(self.course.scenes):
                self._telling[line[: line.find(_TEXT, len(_TELLING))]] = line
                self._tell_soon()
            return
        message = read_message(line)
        if message is None:
            self._unread += 1
            if self._unread == MOST_UNREAD and self._job is not None:
                self._answer = Failed(GONE_WRONG)
                self._job.kill()
            return
        # Whatever it says, it has read what it was asked.
        self._remove_request()
        if isinstance(message, Over | Failed):
            self._answer = message
            return
        if isinstance(message, SceneDraft):
            self.read_tellings()
        scene = self.course.hear(message)
        if scene is not None:
            self._changed.add(scene)
        self._tell_soon()
        if isinstance(message, SceneDraft) and scene is not None:
            self._report()
            self.drafted.emit(message)

    def _tell_soon(self) -> None:
        if not self._tick.isActive():
            self._tick.start()

    def _tell(self) -> None:
        self.read_tellings()
        changed, self._changed = frozenset(self._changed), set()
        if 0 <= self.course.looking < 1 and self._job is not None:
            self._job.report(self.course.looking, "looking for cuts")
        self.moved.emit(changed)

    def _report(self) -> None:
        if self._job is not None:
            ended, all_ = self.course.ended, len(self.course.scenes)
            self._job.report(ended / all_, f"{ended:,} of {all_:,}")

    def _end(self, stopped: bool) -> None:
        self._job = None
        answer = self._answer
        if answer is None and not stopped:
            answer = Failed(DIED)
        if isinstance(answer, Failed):
            self.course.broke_off(SceneState.FAILED, answer.sentence.rstrip("."))
        else:
            self.course.broke_off(SceneState.STOPPED, "it was stopped")
        self._tick.stop()
        self._changed = set(self.course.scenes)
        self._tell()
        self.ended.emit(answer)

    def _remove_request(self) -> None:
        path, self._file = self._file, None
        if path is not None:
            _remove(path)


def _written(request: Request) -> Path:
    """A file with the request, for this user's eyes only; the script without what a model is not told."""
    script = replace(request.script, eventualities=(), rules=Rules(), silences=(), openings=())
    content = write_request(replace(request, script=script))
    handle, name = tempfile.mkstemp(prefix="adstudio-", suffix=".json")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    return Path(name)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
