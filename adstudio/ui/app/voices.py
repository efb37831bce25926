"""The voices that lines can be spoken in, as the speech process knows them; asked for once."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.ui.background.jobs import Worker
from adstudio.ui.session.context import Desk


class Voices(QObject):
    """The voices of the project's language."""

    changed = Signal()

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._session = desk.session
        self._jobs = desk.jobs
        self._worker: Worker | None = None
        self._asked = ""
        self.found: tuple[tuple[str, str], ...] = ()
        """Id and name of each, the best first."""
        self.problem = ""
        """Why there are none, in a sentence."""

    def ask(self) -> None:
        """Ask in the background for the voices of the project's language."""
        from adstudio.speech.messages import (
            AnswerBuffer,
            Failed,
            ListVoices,
            VoiceList,
            request_line,
            worker_command,
        )

        language = self._session.script.film.language
        if self._worker is None:
            command = worker_command()
            worker = self._worker = self._jobs.worker([command.program, *command.arguments])
            buffer = AnswerBuffer()

            def heard(line: bytes) -> None:
                for answer in buffer.feed(line + b"\n"):
                    match answer:
                        case VoiceList():
                            self.found = tuple((voice.id, voice.name) for voice in answer.voices)
                            self.problem = ""
                        case Failed():
                            self.found, self.problem = (), answer.sentence
                        case _:
                            continue
                    # Not while its own output is being read.
                    QTimer.singleShot(0, worker, worker.kill)
                    self.changed.emit()

            worker.line.connect(heard)
        if language != self._asked or self.problem:
            self._asked = language
            self._worker.ask(request_line(ListVoices("voices", language)))
