"""A process of ours that is asked something and tells of it in lines: one at a time, for whoever needs its answer."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar, cast

from adstudio.core.progress import Stage
from adstudio.drafting.draft_stages import StageStatus
from adstudio.ui.background.jobs import Job, Jobs

Message = TypeVar("Message")
Answer = TypeVar("Answer")

MOST_UNREAD = 2_000
"""Lines that say nothing to us; a process that writes more of them has gone wrong and is stopped."""


@dataclass(frozen=True)
class Speech(Generic[Message, Answer]):
    """What a process says, and what counts as its answer where it gives none.

    `read` makes a message of a line, None of what says nothing to us. Messages of the types in `answers` are its
    answer: the last of them counts. `left` is `Job.left`.
    """

    read: Callable[[bytes], Message | Answer | None]
    answers: tuple[type[Answer], ...]
    died: Answer
    gone_wrong: Answer
    left: str = ""


class OneProcess(Generic[Message, Answer]):
    """Runs one such process at a time: asking again forgets the one before.

    `hear` is told each message that is no answer, `end` the answer once the process has ended: None where it was
    stopped before it gave one.
    """

    def __init__(
        self,
        jobs: Jobs,
        speech: Speech[Message, Answer],
        hear: Callable[[Message], None],
        end: Callable[[Answer | None], None],
    ) -> None:
        self._jobs, self._speech, self._hear, self._end = jobs, speech, hear, end
        self._job: Job | None = None
        self._files: tuple[Path, ...] = ()

    @property
    def busy(self) -> bool:
        """Whether it runs."""
        return self._job is not None

    @property
    def stopping(self) -> bool:
        """Whether it was asked to end and has not yet."""
        return self._job is not None and self._job.stopped

    @property
    def stages(self) -> tuple[StageStatus, ...]:
        """How the stages of its work stand, where they were told."""
        return () if self._job is None else self._job.stages

    def start(
        self,
        title: str,
        command: Sequence[str],
        *,
        files: Iterable[Path] = (),
        stages: Sequence[Stage] = (),
        question: bytes = b"",
    ) -> None:
        """Run a command; the process is told the question.

        It reads `files` before it says anything: they are removed as soon as it has, or will not any more.
        """
        self.forget()
        files = self._files = tuple(files)
        speech = self._speech
        answer: Answer | None = None
        unread = 0

        def heard(line: bytes) -> None:
            nonlocal answer, unread
            if self._job is not job:
                return
            message = speech.read(line)
            if message is None:
                unread += 1
                if unread == MOST_UNREAD:
                    answer = speech.gone_wrong
                    job.kill()
                return
            self._remove_files()
            if isinstance(message, speech.answers):
                answer = message
            else:
                # What is left of the two; the checker does not follow types that are held in a tuple.
                self._hear(cast("Message", message))

        def ended(_code: int, _said: str) -> None:
            _remove(files)
            if self._job is job:
                self._job = None
                self._end(speech.died if answer is None and not job.stopped else answer)

        job = self._job = self._jobs.start(title, command, heard, ended, stages, left=speech.left)
        if question:
            job.write(question)

    def report(self, fraction: float, what: str = "") -> None:
        """Tell the list of tasks how far it is (0..1, or below 0 where nobody knows)."""
        if self._job is not None:
            self._job.report(fraction, what)

    def stop(self) -> None:
        """Ask it to end; `end` is told when it has."""
        if self._job is not None:
            self._job.stop()

    def forget(self) -> None:
        """Stop it, and hear nothing of it any more."""
        job, self._job = self._job, None
        if job is not None:
            job.stop()
        self._remove_files()

    def _remove_files(self) -> None:
        files, self._files = self._files, ()
        _remove(files)


def request_files(*contents: bytes) -> tuple[Path, ...]:
    """Files with what a process is asked, for this user's eyes only.

    Raises:
        OSError: where they cannot be written; none is left then.
    """
    files: list[Path] = []
    try:
        for content in contents:
            handle, name = tempfile.mkstemp(prefix="adstudio-", suffix=".json")
            files.append(Path(name))
            with os.fdopen(handle, "wb") as file:
                file.write(content)
    except BaseException:
        _remove(files)
        raise
    return tuple(files)


def _remove(files: Iterable[Path]) -> None:
    for path in files:
        with contextlib.suppress(OSError):
            path.unlink()
