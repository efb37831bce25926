"""The computer's own voices by way of pyttsx3, which runs in a child process, one utterance each.

In one process pyttsx3 2.99 loses all but the last of several files, takes a new rate too late, writes a later spoken
line over a saved file, and dies with two threads; so nothing is asked of one process twice.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from adstudio.core.optional_parts import install_packages
from adstudio.speech.engine import (
    Capabilities,
    EngineMissingError,
    SpeechError,
    SpeechRequestError,
    Style,
    Voice,
    voices_for,
)
from adstudio.speech.engine_process import Command, run
from adstudio.speech.espeak import Espeak, espeak_pitch
from adstudio.system.codec import CodecError
from adstudio.system.worker import WorkerProtocol

NAME = "pyttsx3"
_TIMEOUT_S = 20.0
_ATTEMPTS = 5
_LONGEST_NAME = 300


@dataclass(frozen=True)
class Speak:
    """Speak a text into a file; `pitch` is eSpeak's, None where the system's voices have one pitch."""

    text: str
    voice: str
    rate: int
    pitch: int | None
    target: Path


@dataclass(frozen=True)
class ListVoices:
    """List the voices."""


@dataclass(frozen=True)
class VoiceList:
    """The system's voices, in its own order."""

    voices: tuple[Voice, ...]


@dataclass(frozen=True)
class Spoken:
    """The text is in the file; `settings_taken` is whether at the rate and pitch asked for."""

    settings_taken: bool


PROTOCOL = WorkerProtocol[ListVoices | Speak, VoiceList | Spoken](
    "adstudio.speech.pyttsx3_child", ListVoices | Speak, VoiceList | Spoken
)
"""As with any engine, it fails by its exit code and a sentence on its error output."""


@dataclass(frozen=True)
class Pyttsx3:
    """pyttsx3 in a child process of this Python, with the system's voices."""

    all_voices: tuple[Voice, ...]

    name = NAME
    capabilities = replace(Espeak.capabilities, phonemes=None) if sys.platform == "linux" else Capabilities(pitch=False)
    """It has no phonemes; of its drivers only eSpeak's changes the pitch (2.99)."""

    def fingerprint(self, voice: str) -> str:  # noqa: ARG002 - the system says nothing about its voices
        """As `Engine.fingerprint`: the installed version of pyttsx3."""
        try:
            return metadata.version(NAME)
        except metadata.PackageNotFoundError:
            return "unknown"

    def voices(self, language: str) -> tuple[Voice, ...]:
        """As `Engine.voices`: those of the system, as they were when it was found."""
        return voices_for(self.all_voices, language)

    def synthesise(self, text: str, style: Style, target: Path, limit: float) -> None:
        """As `Engine.synthesise`, in a child process."""
        voice = style.voice
        if not voice or len(voice) > _LONGEST_NAME or not voice.isprintable():
            raise SpeechRequestError(
                f"“{voice[:40]}” is not a voice of this computer: choose one from the list of voices"
            )
        pitch = espeak_pitch(style.pitch) if self.capabilities.pitch and style.pitch else None
        # SAPI takes a text that begins with “<” for mark-up.
        speak = Speak(text.replace("<", " "), voice, style.rate, pitch, target.absolute())
        for _ in range(_ATTEMPTS):
            answer = _answer(run(_child(speak), limit, NAME))
            if not isinstance(answer, Spoken):
                raise SpeechError(f"{NAME} does not answer as it should: reinstall it")
            if answer.settings_taken:
                return
        raise SpeechError(f"{NAME} does not take the speaking rate of {style.rate} words a minute: choose another one")

    def close(self) -> None:
        """As `Engine.close`: nothing stays between lines."""


def find_pyttsx3() -> Pyttsx3:
    """The pyttsx3 that is installed, with the system's voices.

    Raises:
        SpeechError: where it is not, or finds no voice or no speech library; the sentence says what to do.
    """
    if find_spec(NAME) is None:
        raise EngineMissingError(f"the speech engine {NAME} is not installed: {install_packages(NAME)} and try again")
    # That it is installed says nothing: it needs a speech library of the system, and says so when it is asked.
    voices = listed(run(_child(ListVoices()), _TIMEOUT_S, NAME))
    if not voices:
        raise EngineMissingError(f"{NAME} finds no voice on this computer: install one in the system's settings")
    return Pyttsx3(voices)


def listed(output: bytes) -> tuple[Voice, ...]:
    """The voices that a child lists.

    Raises:
        SpeechError: where it does not.
    """
    answer = _answer(output)
    if not isinstance(answer, VoiceList):
        raise SpeechError(f"{NAME} does not list its voices: reinstall it")
    return answer.voices


def _answer(output: bytes) -> VoiceList | Spoken | None:
    try:
        return PROTOCOL.read_event(output)
    except CodecError:
        return None


def _child(request: ListVoices | Speak) -> Command:
    program, *arguments = PROTOCOL.command()
    return Command(program, tuple(arguments), PROTOCOL.request_line(request))
