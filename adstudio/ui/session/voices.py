"""Who can speak here, as the speech process knows it, and who speaks in a project without a voice of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.core.narration import VoiceSettings
from adstudio.core.script import Script
from adstudio.system.worker import Failed
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import CompanionClient
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.text import sentence

if TYPE_CHECKING:
    from adstudio.speech.engine import EngineVoices
    from adstudio.speech.messages import Answer, Request

DEFAULT_ENGINE, DEFAULT_VOICE = "voice_engine", "voice"
"""The preferences that say who speaks in projects without a voice; empty for this computer's first, and its best."""
SHOWN = 60
"""As much is quoted of a name."""
LONGEST_TAG = 100


def default_voice(preferences: Preferences) -> VoiceSettings:
    """Who speaks in projects without a voice of their own; it decides nothing about lengths."""
    return VoiceSettings(preferences.text(DEFAULT_ENGINE), preferences.text(DEFAULT_VOICE))


def speaking_voice(script: Script, preferences: Preferences) -> VoiceSettings:
    """Who speaks: the project's voice, else the one of the preferences."""
    return script.voice if script.voice.engine else default_voice(preferences)


class Voices(QObject):
    """The engines and their voices, for the project's language and for all others; listed once for each language."""

    changed = Signal()

    def __init__(self, session: Session, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._client: CompanionClient[Request, Answer] | None = None
        self._asked: str | None = None
        self.language = ""
        """The one that `engines` were listed for."""
        self.engines: tuple[EngineVoices, ...] = ()
        """Each with its voices for the language, the best first."""
        self.all_engines: tuple[EngineVoices, ...] = ()
        """Each with its voices of all languages."""
        self.problem = ""
        """Why nobody can speak, in a sentence."""

    @property
    def known(self) -> bool:
        """Whether they have been listed."""
        return bool(self.engines)

    def ask(self, *, again: bool = False) -> None:
        """Have them listed in the background, unless that has been done for the project's language.

        With `again` they are listed once more where nobody could speak: something may have been installed meanwhile.
        """
        # Nothing of speech is loaded before somebody chooses a voice.
        from adstudio.speech.messages import CRASHED, PROTOCOL, Answer, ListVoices, Request

        if self._client is None:
            self._client = CompanionClient[Request, Answer](self._jobs, self, PROTOCOL, CRASHED)
        language = self._session.script.film.language[:LONGEST_TAG]
        mute = bool(self.problem) or (self.known and self.of("") is None)
        if language != self._asked or (again and mute):
            self._asked = language
            self._client.ask(ListVoices(language), lambda answer: self._answered(language, answer))

    def of(self, engine: str) -> EngineVoices | None:
        """An engine, with its voices for the language; without a name the one that speaks where none is chosen."""
        if engine:
            return next((each for each in self.engines if each.engine == engine), None)
        return next((each for each in self.engines if each.voices or not each.problem), None)

    def name_of(self, engine: str, voice: str) -> str:
        """What a person calls a voice; as its engine calls it where that is not known."""
        listed = (each for each in self.all_engines if engine in ("", each.engine))
        return next((one.name for each in listed for one in each.voices if one.id == voice), voice[:SHOWN])

    def problem_of(self, narrator: VoiceSettings) -> str:
        """Why a voice cannot speak here, in a sentence; empty if it can, or if that is not known yet."""
        if not self.known:
            return self.problem
        engine, voice = narrator.engine, narrator.voice
        found = self.of(engine)
        if found is None:
            unknown = f"This computer has no speech engine “{engine[:SHOWN]}”: choose another voice."
            return unknown if engine else sentence(self.engines[0].problem)
        there = next((each.voices for each in self.all_engines if each.engine == found.engine), found.voices)
        if not there or not (voice or found.voices):
            return sentence(found.problem)
        if voice and all(each.id != voice for each in there):
            return f"{found.engine} has no voice “{voice[:SHOWN]}” on this computer: choose another one."
        return ""

    def _answered(self, language: str, answer: Answer) -> None:
        from adstudio.speech.messages import ListVoices, VoiceList

        match answer:
            case VoiceList():
                self.engines, self.language, self.problem = answer.engines, language, ""
                if self._client is not None:
                    self._client.ask(ListVoices(""), self._answered_all)
            case Failed(message):
                self.engines, self.all_engines, self.problem = (), (), message
            case _:
                return
        self.changed.emit()

    def _answered_all(self, answer: Answer) -> None:
        from adstudio.speech.messages import VoiceList

        if isinstance(answer, VoiceList):
            self.all_engines = answer.engines
            # Nothing more is asked of it; but not while its own output is being read.
            QTimer.singleShot(0, self, self._forget)
            self.changed.emit()

    def _forget(self) -> None:
        if self._client is not None and not self._client.busy:
            self._client.forget()
