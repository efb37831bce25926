"""Runs the process that polishes the plan's lines, one run at a time, and hands on what comes of each scene."""

from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adstudio.candidates.model_draft.events import Spent
from adstudio.candidates.provider.model import Usage
from adstudio.core.script import Person
from adstudio.drafting.model_messages import Failed, Noted, Request, write_request
from adstudio.drafting.polish_messages import MODULE, Over, Wish, read_message, write_wish
from adstudio.drafting.polish_proposals import ScenePolished
from adstudio.ui.jobs import Job, Jobs, python_command

MOST_UNREAD = 2_000
"""Lines that say nothing to us; a process that writes more of them has gone wrong and is stopped."""
DIED = (
    "The polishing broke off, and the log says why. What had come by then is kept: start again, and it goes on there."
)
GONE_WRONG = (
    "The polishing wrote what nobody can read, and was stopped. What had come by then is kept: start again, and it goes"
    " on there."
)

LEFT = "A model is still polishing. That is stopped, and what has come is kept: start it again, and it goes on there."


class Polisher(QObject):
    """`usage` is what the film has taken so far."""

    came = Signal(object)
    """ScenePolished: what came of some lines of a scene."""
    spent = Signal()
    """`usage` is another."""
    ended = Signal(object)
    """Over or Failed; None where it was stopped before it had begun."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self.usage = Usage()
        self.noted = ""
        """What the describer should know of the run, without a full stop."""
        self.done = 0
        """Lines that have come back in this run, with a proposal or without."""

    @property
    def busy(self) -> bool:
        """Whether lines are being polished."""
        return self._job is not None

    @property
    def stopping(self) -> bool:
        """Whether it was asked to end and has not yet."""
        return self._job is not None and self._job.stopped

    def start(self, title: str, request: Request, wish: Wish, lines: int) -> None:
        """Polish as the request and the wish say, `lines` in all; what was asked before is forgotten.

        Raises:
            OSError, CodecError: where the request cannot be written.
        """
        self.forget()
        self.usage, self.done, self.noted = Usage(), 0, ""
        files = _written(request, wish)
        answers: list[Over | Failed] = []
        unread = 0

        def heard(line: bytes) -> None:
            nonlocal unread
            match read_message(line):
                case ScenePolished() as came if self._job is job:
                    self.done += len(came.proposals)
                    job.report(self.done / max(lines, 1), f"{self.done:,} of {lines:,}")
                    self.came.emit(came)
                case Spent(usage=usage) if self._job is job:
                    self.usage = usage
                    self.spent.emit()
                case Noted(sentence) if self._job is job:
                    self.noted = sentence
                case Over() | Failed() as answer:
                    answers.append(answer)
                case None:
                    unread += 1
                    if unread == MOST_UNREAD:
                        answers.append(Failed(GONE_WRONG))
                        job.kill()
                case _:
                    pass

        def ended(_code: int, _said: str) -> None:
            _remove(*files)
            if self._job is job:
                self._job = None
                self.ended.emit(answers[-1] if answers else None if job.stopped else Failed(DIED))

        command = python_command(MODULE, *map(str, files))
        job = self._job = self._jobs.start(title, command, heard, ended, left=LEFT)

    def stop(self) -> None:
        """Ask it to end; `ended` tells when it has."""
        if self._job is not None:
            self._job.stop()

    def forget(self) -> None:
        """Stop, and hear nothing of it any more."""
        job, self._job = self._job, None
        if job is not None:
            job.stop()


def _written(request: Request, wish: Wish) -> tuple[Path, Path]:
    """Files with what is asked, for this user's eyes only; of people no more than their names."""
    people = tuple(Person(person.name) for person in request.script.people)
    request = replace(request, script=replace(request.script, people=people))
    found: list[Path] = []
    try:
        for content in (write_request(request), write_wish(wish)):
            handle, name = tempfile.mkstemp(prefix="adstudio-", suffix=".json")
            found.append(Path(name))
            with os.fdopen(handle, "wb") as file:
                file.write(content)
    except BaseException:
        _remove(*found)
        raise
    return found[0], found[1]


def _remove(*paths: Path) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()
