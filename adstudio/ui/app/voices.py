"""The voices that lines can be spoken in, as the speech process knows them; asked for once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.system.worker import Failed
from adstudio.ui.background.worker_clients import CompanionClient
from adstudio.ui.session.context import Context

if TYPE_CHECKING:
    from adstudio.speech.messages import Answer, Request


class Voices(QObject):
    """The voices of the project's language."""

    changed = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._session = context.session
        self._jobs = context.jobs
        self._client: CompanionClient[Request, Answer] | None = None
        self._asked = ""
        self.found: tuple[tuple[str, str], ...] = ()
        """Id and name of each, the best first."""
        self.problem = ""
        """Why there are none, in a sentence."""

    def ask(self) -> None:
        """Ask in the background for the voices of the project's language."""
        # Nothing of speech is loaded before somebody chooses a voice.
        from adstudio.speech.messages import CRASHED, PROTOCOL, Answer, ListVoices, Request

        if self._client is None:
            self._client = CompanionClient[Request, Answer](self._jobs, self, PROTOCOL, CRASHED)
        language = self._session.script.film.language
        if language != self._asked or self.problem:
            self._asked = language
            self._client.ask(ListVoices(language), self._answered)

    def _answered(self, answer: Answer) -> None:
        from adstudio.speech.messages import VoiceList

        match answer:
            case VoiceList():
                first = answer.first
                self.found = () if first is None else tuple((voice.id, voice.name) for voice in first.voices)
                self.problem = answer.engines[0].problem if first is None else ""
            case Failed(message):
                self.found, self.problem = (), message
            case _:
                return
        if self._client is not None:
            # Nothing more is asked of it; but not while its own output is being read.
            QTimer.singleShot(0, self, self._client.forget)
        self.changed.emit()
