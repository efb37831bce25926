"""The engines by name: which are here, with which voices, and which one speaks where none was chosen."""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.core.optional_parts import install_packages
from adstudio.speech import espeak, piper_engine, pyttsx3_engine
from adstudio.speech.engine import Engine, EngineMissingError, EngineVoices, SpeechError, SpeechRequestError

_FINDERS: dict[str, Callable[[], Engine]] = {
    espeak.NAME: espeak.find_espeak,
    pyttsx3_engine.NAME: pyttsx3_engine.find_pyttsx3,
    piper_engine.NAME: piper_engine.find_piper,
}
ENGINES = tuple(_FINDERS)
"""The names of all engines."""


def find_engine(name: str) -> Engine:
    """An engine by its name.

    Raises:
        SpeechRequestError: for a name that is no engine's.
        SpeechError: where it is not installed or has no voice; the sentence says what to do.
    """
    if name not in _FINDERS:
        raise SpeechRequestError(
            f"“{name[:40]}” is not a speech engine: choose {', '.join(ENGINES[:-1])} or {ENGINES[-1]}"
        )
    return _FINDERS[name]()


def choose_engine(name: str = "", *, platform: str = sys.platform) -> Engine:
    """The engine of a name, else the first that is here: espeak-ng on Linux and pyttsx3 elsewhere, then the others.

    Raises:
        SpeechRequestError: for a name that is no engine's.
        SpeechError: when that engine, or every engine, is missing; the sentence says what to install.
    """
    if name:
        return find_engine(name)
    for each in _by_preference(platform):
        try:
            return find_engine(each)
        except SpeechError:
            continue
    if platform == "linux":
        mend = "run “sudo apt-get install espeak-ng” (Fedora: “sudo dnf install espeak-ng”)"
    else:
        mend = f"{install_packages('pyttsx3')}, or install eSpeak NG"
    raise SpeechError(f"no voice is installed, so lines cannot be spoken: {mend} and try again")


def engine_voices(language: str, name: str = "", *, platform: str = sys.platform) -> tuple[EngineVoices, ...]:
    """Every engine (or the named one) with its voices for a language, all for the empty tag; the first choice first.

    An engine without one is listed too, with the reason. On Linux pyttsx3 speaks with eSpeak's voices, which are listed
    once.

    Raises:
        SpeechRequestError: for a name that is no engine's.
    """
    first, *others = (name,) if name else _by_preference(platform)
    listed = _listed(first, language)
    repeats = pyttsx3_engine.NAME if platform == "linux" and listed.voices else ""
    why = f"{repeats} has the same voices as {first} here: choose {first}"
    return (
        listed,
        *(
            EngineVoices(each, (), problem=why, absent=True) if each == repeats else _listed(each, language)
            for each in others
        ),
    )


def no_voice_message(engine: str, language: str) -> str:
    """The sentence about an engine that has no voice for a language."""
    return f"{engine} has no voice for the language “{language[:40]}”: choose another engine, or a voice"


def _listed(name: str, language: str) -> EngineVoices:
    try:
        engine = find_engine(name)
        voices = engine.voices(language)
    except SpeechError as error:
        return EngineVoices(name, (), problem=str(error), absent=isinstance(error, EngineMissingError))
    can = engine.capabilities
    problem = piper_engine.unusable_message(engine) if isinstance(engine, piper_engine.Piper) else ""
    absent = not voices and not problem
    if absent:
        problem = no_voice_message(name, language)
    return EngineVoices(name, voices, can.phonemes is not None, can.pitch, problem, absent)


def _by_preference(platform: str) -> tuple[str, ...]:
    first = espeak.NAME if platform == "linux" else pyttsx3_engine.NAME
    return (first, *(name for name in ENGINES if name != first))
