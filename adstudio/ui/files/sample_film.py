"""The sample film: copied and drafted once in the background, then opened like any other project."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path
from PySide6.QtCore import QObject, Signal

from adstudio.ui.background.jobs import Job, python_command
from adstudio.ui.session.context import Desk

MODULE = "adstudio.drafting.worker"
NAME = "sample.adproj"
FAILED = "The sample film could not be opened; see the log for details."


class Sample(QObject):
    """Copies the film and drafts its project, with progress among the tasks."""

    ready = Signal()

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._session = desk.session
        self._jobs = desk.jobs
        self._job: Job | None = None

    @property
    def project(self) -> Path:
        """Where the project lies, whether it exists yet or not."""
        return user_data_path("adstudio") / "sample" / NAME

    def make(self) -> None:
        """Start, unless it is running already."""
        if self._job is not None:
            self._session.messages.say("The sample film is being prepared; it opens when it is ready.")
            return
        from adstudio.drafting.messages import Done, Failed, Progress, read_message, sample_arguments

        folder = self.project.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._session.messages.say(f"The sample film cannot be copied to {folder}: {error.strerror}.")
            return
        answers: list[Done | str] = []

        def heard(line: bytes) -> None:
            match read_message(line):
                case Progress() as progress:
                    job.report(progress.fraction, progress.what)
                case Done() as done:
                    answers.append(done)
                case Failed(sentence=sentence):
                    answers.append(sentence)
                case _:
                    pass

        def ended(_code: int, _said: str) -> None:
            self._job = None
            answer = answers[-1] if answers else FAILED
            if isinstance(answer, Done):
                self.ready.emit()
            elif not job.stopped:
                self._session.messages.say(answer)

        self._session.messages.say("Preparing the sample film; it opens when it is ready.")
        command = python_command(MODULE, *sample_arguments(folder))
        job = self._job = self._jobs.start("Preparing the sample film", command, heard, ended)
