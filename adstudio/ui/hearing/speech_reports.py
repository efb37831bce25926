"""What is wrong with speaking, in sentences, each said once: it would be the same for each segment of the film."""

from __future__ import annotations

from adstudio.core.errors import AdstudioError
from adstudio.speech.ignored import ignored_message
from adstudio.speech.messages import Rendered, Said
from adstudio.system.worker import Failed
from adstudio.ui.session.messages import Messages
from adstudio.ui.widgets.formatting import as_sentence


class SpeechReports:
    """Remembers what has been said, until another project is open or somebody else speaks."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._said: set[str] = set()

    def forget(self) -> None:
        """Say everything anew."""
        self._said.clear()

    def say_once(self, sentence: str) -> None:
        """Say it, unless it has been said."""
        if sentence not in self._said:
            self._said.add(sentence)
            self._messages.say(sentence)

    def say_failed(self, answer: object) -> None:
        """Say why something cannot be heard: a `Failed`, the error of a request, or no answer."""
        match answer:
            case Failed(message):
                self.say_once(message)
            case AdstudioError():
                self.say_once(as_sentence(str(answer)))
            case _:
                self.say_once("The voice gave no answer; try again.")

    def say_ignored(self, answer: Said | Rendered) -> None:
        """Say what the voice cannot do."""
        for each in answer.ignored:
            self.say_once(as_sentence(ignored_message(each, answer.engine)))
