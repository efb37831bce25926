"""The computer's own voices by way of pyttsx3, which runs in a child process, one utterance each.

In one process pyttsx3 2.99 loses all but the last of several files, takes a new rate too late, writes a later spoken
line over a saved file, and dies with two threads; so nothing is asked of one process twice.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, cast

from adstudio.speech.engine import Command, SpeechError, SpeechRequestError, Voice
from adstudio.speech.engine_process import run
from adstudio.speech.voices import for_language

_NAME = "pyttsx3"
_CHILD = ("-P", "-m", "adstudio.speech.pyttsx3_child")
_PATIENCE_S = 20.0
_LONGEST_NAME = 300


@dataclass(frozen=True)
class Pyttsx3:
    """pyttsx3 in a child process of this Python."""

    bound: bool = False

    name = _NAME

    @property
    def version(self) -> str:
        """The installed version of pyttsx3; of the system's voices none is to be had."""
        try:
            return metadata.version(_NAME)
        except metadata.PackageNotFoundError:
            return "unknown"

    def voices(self, language: str) -> tuple[Voice, ...]:
        """The system's voices for a language tag, best first.

        Raises:
            SpeechError: when pyttsx3 or what it drives is not there, or does not tell.
        """
        said = run(_child({"voices": True}), _PATIENCE_S, _NAME, bound=self.bound)
        return for_language(listed(said), language)

    def command(self, text: str, voice: str, rate: int, target: Path) -> Command:
        """The child process that speaks `text` into `target`.

        Raises:
            SpeechRequestError: for what cannot be a voice's name.
        """
        if not voice or len(voice) > _LONGEST_NAME or not voice.isprintable():
            raise SpeechRequestError(f"“{voice[:40]}” is no voice of this computer: choose one from the list of voices")
        return _child({"text": text, "voice": voice, "rate": rate, "target": str(target.absolute())})


def listed(said: bytes) -> tuple[Voice, ...]:
    """The voices in a child's answer, a JSON array of `[id, name, language]`.

    Raises:
        SpeechError: for anything else.
    """
    try:
        entries: Any = json.loads(said)
    except (ValueError, RecursionError):
        entries = None
    if not isinstance(entries, list):
        raise SpeechError(f"{_NAME} does not tell its voices: install it again")
    found: list[Voice] = []
    for entry in cast("list[Any]", entries):
        match entry:
            case [str(identity), str(name), str(language)]:
                found.append(Voice(identity, name, language))
            case _:
                continue
    return tuple(found)


def _child(request: dict[str, Any]) -> Command:
    return Command(sys.executable, _CHILD, json.dumps(request).encode())
