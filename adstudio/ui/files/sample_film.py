"""The sample film: copied and drafted once in the background, then opened like any other project."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path
from PySide6.QtCore import QObject, Signal

from adstudio.ui.session.context import Context

NAME = "sample.adproj"


class SampleFilmAction(QObject):
    """Copies the film and drafts its project, with progress among the tasks."""

    ready = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._jobs = context.session, context.jobs
        self._making: QObject | None = None

    @property
    def project(self) -> Path:
        """The project's file, whether it exists yet or not."""
        return user_data_path("adstudio") / "sample" / NAME

    def make(self) -> None:
        """Start, unless it is already being prepared."""
        if self._making is not None:
            self._session.messages.say("The sample film is being prepared; it opens when it is ready.")
            return
        from adstudio.drafting.events import Failed, Finished, ModelFinished, SampleRequest
        from adstudio.ui.drafts.draft_process import DraftProcess

        folder = self.project.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._session.messages.say(f"The sample film cannot be copied to {folder}: {error.strerror}.")
            return
        process = self._making = DraftProcess(self._jobs, self)

        def ended(answer: Finished | ModelFinished | Failed | None) -> None:
            self._making = None
            process.deleteLater()
            if isinstance(answer, Finished):
                self.ready.emit()
            elif isinstance(answer, Failed):
                self._session.messages.say(answer.message)

        process.ended.connect(ended)
        self._session.messages.say("Preparing the sample film; it opens when it is ready.")
        process.start("Preparing the sample film", SampleRequest(folder))
