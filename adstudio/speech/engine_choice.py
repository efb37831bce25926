"""Chooses the speech engine of this machine."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from adstudio.speech.engine import Engine, SpeechError
from adstudio.speech.espeak import find_espeak
from adstudio.speech.pyttsx3_engine import Pyttsx3


def choose_engine(*, platform: str = sys.platform, bound: bool = False) -> Engine:
    """The engine to speak with: espeak-ng on Linux and pyttsx3 elsewhere, each the other's second choice.

    With `bound`, which is for programs without threads alone, the engine's processes end when this one is killed.

    Raises:
        SpeechError: when no engine works; the sentence says what to install.
    """
    choices = (_espeak, _pyttsx3) if platform == "linux" else (_pyttsx3, _espeak)
    for choice in choices:
        engine = choice(bound)
        if engine is not None:
            return engine
    if platform == "linux":
        mend = "run “sudo apt-get install espeak-ng” (Fedora: “sudo dnf install espeak-ng”)"
    else:
        mend = "run “pip install pyttsx3”, or install eSpeak NG"
    raise SpeechError(f"no voice is installed, so lines cannot be spoken: {mend} and try again")


def _espeak(bound: bool) -> Engine | None:
    try:
        return find_espeak(bound=bound)
    except SpeechError:
        return None


def _pyttsx3(bound: bool) -> Engine | None:
    # That it is installed says nothing: it needs a speech library of the system, and says so when it is asked.
    if find_spec("pyttsx3") is None:
        return None
    engine = Pyttsx3(bound)
    try:
        return engine if engine.voices("") else None
    except SpeechError:
        return None
