"""Speaks a line to a WAV: from the cache, or synthesised by the engine, checked and trimmed."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from adstudio.speech.cache import SpeechCache, line_key
from adstudio.speech.engine import Engine, SpeechError, Voice, require_rate
from adstudio.speech.engine_process import run
from adstudio.speech.sound import Sound
from adstudio.speech.speakable import speakable
from adstudio.speech.wav import encoded, read_sound

LIMIT_S = 20.0
"""Seconds that an engine may take for one line before it is taken to hang."""

LONGEST_S = 600
"""Seconds that one line may last: a slow voice says the longest line in less."""


@dataclass(frozen=True)
class Spoken:
    """A line as it was spoken: its key in the cache, its file (one channel) and its sound, without silence around."""

    key: str
    path: Path
    sound: Sound

    @property
    def ms(self) -> int:
        """The time needed to say the line, measured in the decoded file, in milliseconds rounded up."""
        return self.sound.ms


@dataclass(frozen=True)
class Speaker:
    """An engine and the lines that it has spoken already; `limit` is the seconds that one line may take to make."""

    engine: Engine
    cache: SpeechCache
    limit: float = LIMIT_S
    bound: bool = False
    _best: dict[str, str] = field(default_factory=dict[str, str])

    def voices(self, language: str) -> tuple[Voice, ...]:
        """The engine's voices for a language, best first; raises as `Engine.voices` does."""
        return self.engine.voices(language)

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

    def say(self, text: str, voice: str, rate: int) -> Spoken:
        """Speak a line at `rate` words a minute, or find it where it has been spoken before.

        Raises:
            SpeechRequestError: for a text, a rate or a voice that cannot be spoken.
            SpeechError: when the engine fails, hangs, or makes no sound.
        """
        line = speakable(text)
        require_rate(rate)
        key = line_key(self.engine.name, self.engine.version, voice, rate, line)
        known = self.cache.find(key)
        if known is not None:
            try:
                return Spoken(key, known, read_sound(known))
            except SpeechError:
                self.cache.drop(key)
        sound = self._synthesised(line, voice, rate)
        path = self.cache.keep(key, encoded(sound.samples, sound.rate))
        # What was written, not what was meant, is what will be heard.
        return Spoken(key, path, read_sound(path))

    def _synthesised(self, line: str, voice: str, rate: int) -> Sound:
        what = self.engine.name
        with tempfile.TemporaryDirectory(prefix="adstudio-", ignore_cleanup_errors=True) as folder:
            target = Path(folder) / "line.wav"
            run(self.engine.command(line, voice, rate, target), self.limit, what, bound=self.bound)
            if not target.exists():
                raise SpeechError(f"{what} produced no sound for “{line[:40]}”: choose another voice")
            sound = read_sound(target).trimmed()
        if not len(sound.samples):
            raise SpeechError(f"{what} produced silence for “{line[:40]}”: choose another voice")
        if sound.ms > LONGEST_S * 1000:
            raise SpeechError(f"this line takes more than {LONGEST_S // 60} minutes to speak: split it")
        return sound
