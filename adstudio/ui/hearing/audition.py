"""Texts that are heard one after the other, each in full, without the film: a line, or all its versions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from adstudio.core.errors import AdstudioError
from adstudio.core.narration import Lexicon, Take
from adstudio.core.script import Eventuality, Script
from adstudio.speech.messages import Answer, Said
from adstudio.system.worker import Failed
from adstudio.ui.background.timers import single_shot
from adstudio.ui.hearing.audio_player import AudioPlayer
from adstudio.ui.hearing.speech_client import SpeechClient
from adstudio.ui.hearing.speech_requests import SpeechRequests
from adstudio.ui.widgets.formatting import as_sentence, duration

BETWEEN_MS = 400
"""Between one version and the next."""


@dataclass(frozen=True)
class Version:
    """A text as it is heard: in the voice of its line, or as a take; `name` is how it is called.

    `lexicon` is used instead of the project's.
    """

    text: str
    line: Eventuality | None = None
    take: Take | None = None
    name: str = ""
    lexicon: Lexicon | None = None


def versions_of(script: Script, line: Eventuality) -> list[Version]:
    """A line's wordings, the longest first, each as it is heard in the plan and then in its other takes."""
    ordered = sorted(line.variants, key=lambda variant: script.duration(variant, line.voice), reverse=True)
    found: list[Version] = []
    for number, variant in enumerate(ordered, 1):
        chosen = variant.chosen_take
        name = f"Wording {number} of {len(ordered)}"
        takes = [take for take in variant.takes if take.text == variant.text and take is not chosen]
        for take in (chosen, *takes):
            of_take = "" if take is None else f", take {take.name or variant.takes.index(take) + 1}"
            found.append(Version(variant.text, line, take, name + of_take))
    return found


class Audition(QObject):
    """Plays versions one after the other; `start_player` gives the player when it is first needed."""

    played = Signal(str)
    """A version begins: what it is and how long it lasts, where there are several."""
    said = Signal(object)
    """The `Said` of a version that begins."""
    failed = Signal(object)
    """A version cannot be heard: its `Failed`; the others are not played."""
    over = Signal()
    """Nothing is played any more."""

    def __init__(
        self,
        requests: SpeechRequests,
        speaking: SpeechClient,
        start_player: Callable[[], AudioPlayer | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._requests, self._speaking, self._start_player = requests, speaking, start_player
        self._player: AudioPlayer | None = None
        self._queue: list[Version] = []
        self._several = False
        self.busy = False
        """Whether something is played, or about to be."""
        self._pause = single_shot(self, BETWEEN_MS, self._next)

    def start(self, versions: list[Version]) -> None:
        """Play these."""
        if self._player is None:
            self._player = self._start_player()
            if self._player is None:
                return
            self._player.ended.connect(self._ended)
            self._player.failed.connect(self._ended)
        self._queue = list(versions)
        self._several = len(versions) > 1
        self.busy = True
        self._next()

    def stop(self) -> None:
        """Be quiet at once."""
        self._pause.stop()
        self._queue.clear()
        self.busy = False
        if self._player is not None:
            self._player.stop()

    def _next(self) -> None:
        if not self._queue:
            self.busy = False
            self.over.emit()
            return
        version = self._queue.pop(0)
        try:
            request = self._requests.say(version.text, version.line, version.take, version.lexicon)
        except AdstudioError as error:
            self._give_up(Failed(as_sentence(str(error))))
            return
        self._speaking.ask(request, lambda answer: self._said(version, answer), soon=True)

    def _said(self, version: Version, answer: Answer) -> None:
        if isinstance(answer, Said) and self._player is not None:
            if self._several:
                self.played.emit(f"{version.name}: {duration(answer.ms)}")
            self.said.emit(answer)
            self._player.say(answer.wav)
        else:
            self._give_up(answer)

    def _give_up(self, answer: object) -> None:
        self._queue.clear()
        self.busy = False
        self.failed.emit(answer)

    def _ended(self) -> None:
        if self._queue:
            self._pause.start()
        elif self.busy:
            self._next()
