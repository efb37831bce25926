"""Speaks a line to a WAV: from the cache, or synthesised by this machine's engine, checked and trimmed."""

from __future__ import annotations

import re
import sys
import tempfile
import unicodedata
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from adstudio.core.spoken_form import spoken_form
from adstudio.core.words import count_words
from adstudio.speech.cache import SpeechCache, line_key
from adstudio.speech.engine import FASTEST, SLOWEST, Engine, SpeechError, SpeechRequestError
from adstudio.speech.engine_process import run
from adstudio.speech.espeak import find_espeak
from adstudio.speech.pyttsx3_engine import Pyttsx3
from adstudio.speech.sound import Sound, encoded, read_sound

LIMIT_S = 20.0
"""Seconds that an engine may take for one line before it is taken to hang."""

LONGEST_S = 600
"""Seconds that one line may last: a slow voice says the longest line in less."""

LONGEST = 2_000
"""Characters in one line: about two minutes of speech, more than any gap takes."""

_BREAKS = re.compile(r"\s+")
# Two brackets open phoneme codes in eSpeak; they mean nothing to a describer.
_PHONEME_CODE = re.compile(r"\[(?=\[)")
_JOINERS = "\u200c\u200d"  # Persian, Indic scripts and joined emoji are spelt with them


@dataclass(frozen=True)
class Spoken:
    """A line as it was spoken: its key in the cache, its file (one channel) and its sound, without silence around."""

    key: str
    path: Path
    sound: Sound


@dataclass(frozen=True)
class Speaker:
    """An engine and the lines that it has spoken already; `limit` is the seconds that one line may take to make."""

    engine: Engine
    cache: SpeechCache
    limit: float = LIMIT_S
    _best: dict[str, str] = field(default_factory=dict[str, str])

    def best_voice(self, language: str) -> str:
        """The voice for a language where none was chosen.

        Raises:
            SpeechError: when the engine has no voice for the language.
        """
        if language not in self._best:
            voices = self.engine.voices(language)
            if not voices:
                name = self.engine.name
                raise SpeechError(f"{name} has no voice for the language “{language[:40]}”: choose one in the settings")
            self._best[language] = voices[0].id
        return self._best[language]

    def say(self, text: str, voice: str, rate: int, language: str = "en") -> Spoken:
        """Speak a line in a language at `rate` words a minute, or find it where it has been spoken before.

        Raises:
            SpeechRequestError: for a text, a rate or a voice that cannot be spoken.
            SpeechError: when the engine fails, hangs, or makes no sound.
        """
        line = speakable(text, language)
        if not SLOWEST <= rate <= FASTEST:
            raise SpeechRequestError(
                f"{rate} words per minute is not a valid speaking rate: choose {SLOWEST} to {FASTEST} in the settings"
            )
        key = line_key(self.engine.name, self.engine.version, voice, rate, line)
        known = self.cache.find(key)
        if known is not None:
            try:
                return Spoken(key, known, read_sound(known))
            except SpeechError:
                self.cache.drop(key)
        sound = self._synthesised(line, voice, rate)
        path = self.cache.store(key, encoded(sound.samples, sound.rate))
        # What was written, not what was meant, is what will be heard.
        return Spoken(key, path, read_sound(path))

    def _synthesised(self, line: str, voice: str, rate: int) -> Sound:
        what = self.engine.name
        with tempfile.TemporaryDirectory(prefix="adstudio-", ignore_cleanup_errors=True) as folder:
            target = Path(folder) / "line.wav"
            run(self.engine.command(line, voice, rate, target), self.limit, what)
            if not target.exists():
                raise SpeechError(f"{what} produced no sound for “{line[:40]}”: choose another voice")
            sound = read_sound(target).trimmed()
        if not len(sound.samples):
            raise SpeechError(f"{what} produced silence for “{line[:40]}”: choose another voice")
        if sound.ms > LONGEST_S * 1000:
            raise SpeechError(f"this line takes more than {LONGEST_S // 60} minutes to speak: split it")
        return sound


def speakable(text: str, language: str = "en") -> str:
    """The text as one line in its spoken form, without control characters, marks of direction, and an engine's codes.

    Raises:
        SpeechRequestError: for a text without a word in it, or one longer than `LONGEST` characters.
    """
    if len(text) > LONGEST:
        raise SpeechRequestError(f"this line has {len(text):,} characters, and the limit is {LONGEST:,}: split it")
    plain = "".join(char if _is_text(char) else " " if char.isspace() or char == "\0" else "" for char in text)
    line = _BREAKS.sub(" ", _PHONEME_CODE.sub("[ ", spoken_form(plain, language))).strip()
    if not count_words(line):
        shown = f"“{line[:40]}” has no words" if line else "this line is empty"
        raise SpeechRequestError(f"{shown}: write the text to be spoken")
    return line


def is_speakable(text: str) -> bool:
    """Whether `speakable` takes the text."""
    try:
        speakable(text)
    except SpeechRequestError:
        return False
    return True


def _is_text(char: str) -> bool:
    # Cc holds eSpeak's embedded commands (\x01), Cf the marks of direction, Cs halves of characters.
    return char in _JOINERS or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co"}


def choose_engine(*, platform: str = sys.platform) -> Engine:
    """The engine to speak with: espeak-ng on Linux and pyttsx3 elsewhere, each the other's second choice.

    Raises:
        SpeechError: when no engine works; the sentence says what to install.
    """
    choices = (_espeak, _pyttsx3) if platform == "linux" else (_pyttsx3, _espeak)
    for choice in choices:
        engine = choice()
        if engine is not None:
            return engine
    if platform == "linux":
        mend = "run “sudo apt-get install espeak-ng” (Fedora: “sudo dnf install espeak-ng”)"
    else:
        mend = "run “pip install pyttsx3”, or install eSpeak NG"
    raise SpeechError(f"no voice is installed, so lines cannot be spoken: {mend} and try again")


def _espeak() -> Engine | None:
    try:
        return find_espeak()
    except SpeechError:
        return None


def _pyttsx3() -> Engine | None:
    # That it is installed says nothing: it needs a speech library of the system, and says so when it is asked.
    if find_spec("pyttsx3") is None:
        return None
    engine = Pyttsx3()
    try:
        return engine if engine.voices("") else None
    except SpeechError:
        return None
