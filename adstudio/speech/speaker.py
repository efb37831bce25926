"""Speaks a line to a WAV: from the cache, or synthesised by an engine, checked and trimmed."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from adstudio.core.narration import HIGHEST_PITCH, LOUDEST, LOWEST_PITCH, SOFTEST, Pronunciation
from adstudio.speech.cache import SpeechCache, line_key
from adstudio.speech.engine import FASTEST, SLOWEST, Capabilities, Engine, SpeechError, SpeechRequestError, Style
from adstudio.speech.engines import no_voice_message
from adstudio.speech.ignored import Ignored, Note
from adstudio.speech.sound import Sound, decoded, encoded, read_sound
from adstudio.speech.spoken_text import spoken_text

LIMIT_S = 20.0
"""Seconds that an engine may take for one line before it is taken to hang."""

LONGEST_S = 600
"""Seconds that one line may last: a slow voice says the longest line in less."""


@dataclass(frozen=True)
class Spoken:
    """A line as it was spoken: its key in the cache, its file (one channel), its sound without silence around.

    The sound is at the voice's own level: the style's volume is for whoever uses it (`Sound.with_gain`). `ignored` is
    what of lexicon and style is not heard, `style` the one that it was spoken in, with its voice.
    """

    key: str
    path: Path
    sound: Sound
    ignored: tuple[Ignored, ...] = ()
    style: Style = field(default_factory=Style)


@dataclass(frozen=True)
class Speaker:
    """An engine and the lines that it has spoken already; `limit` is the seconds that one line may take to make.

    It may be used by several threads at once, and several may share a cache.
    """

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
                raise SpeechError(no_voice_message(self.engine.name, language))
            self._best[language] = voices[0].id
        return self._best[language]

    def say(self, text: str, style: Style, language: str = "en", lexicon: Sequence[Pronunciation] = ()) -> Spoken:
        """Speak a line in a language and style, or find it where it has been spoken before.

        Raises:
            SpeechRequestError: for a text or a style that cannot be spoken.
            SpeechError: when the engine fails, hangs, or makes no sound, or has no voice for the language.
        """
        key, line, style, ignored = self._resolved(text, style, language, lexicon)
        known = self._known(key)
        if known is not None:
            return Spoken(key, *known, ignored, style)
        sound = self._synthesised(line, style)
        data = encoded(sound.samples, sound.rate)
        # What is written, not what was meant, is what will be heard.
        return Spoken(key, self.cache.store(key, data), decoded(data), ignored, style)

    def find(
        self, text: str, style: Style, language: str = "en", lexicon: Sequence[Pronunciation] = ()
    ) -> Sound | None:
        """A line as it has been spoken before, and is still in the cache; else None. It raises as `say` does."""
        known = self._known(self._resolved(text, style, language, lexicon)[0])
        return None if known is None else known[1]

    def length(
        self, text: str, style: Style, language: str = "en", lexicon: Sequence[Pronunciation] = (), *, cached: bool
    ) -> int:
        """How long a line is spoken, in milliseconds; its sound is left in the cache only if it is to be `cached`.

        Raises:
            SpeechRequestError, SpeechError: as `say`.
        """
        if cached:
            return self.say(text, style, language, lexicon).sound.ms
        key, line, style, _ = self._resolved(text, style, language, lexicon)
        known = self._known(key)
        return self._synthesised(line, style).ms if known is None else known[1].ms

    def _resolved(
        self, text: str, style: Style, language: str, lexicon: Sequence[Pronunciation]
    ) -> tuple[str, str, Style, tuple[Ignored, ...]]:
        """A line's key, what the engine is given, in which style, and what of that is not heard."""
        _require_permitted(style)
        can = self.engine.capabilities
        line = spoken_text(text, language, lexicon, can)
        style, beyond = _possible(style, can)
        style = replace(style, voice=style.voice or self.best_voice(language))
        ignored = (*line.ignored, *beyond)
        key = line_key(self.engine.name, self.engine.fingerprint(style.voice), style, line.text)
        return key, line.text, style, ignored

    def _known(self, key: str) -> tuple[Path, Sound] | None:
        """The file and the sound of a line that has been spoken before."""
        known = self.cache.find(key)
        if known is not None:
            try:
                return known, read_sound(known)
            except SpeechError:
                self.cache.drop(key)
        return None

    def close(self) -> None:
        """End what the engine keeps running; the next line starts it again."""
        self.engine.close()

    def _synthesised(self, line: str, style: Style) -> Sound:
        what = self.engine.name
        with tempfile.TemporaryDirectory(prefix="adstudio-", ignore_cleanup_errors=True) as folder:
            target = Path(folder) / "line.wav"
            self.engine.synthesise(line, style, target, self.limit)
            if not target.exists():
                raise SpeechError(f"{what} produced no sound for “{line[:40]}”: choose another voice")
            sound = read_sound(target).trimmed()
        if not len(sound.samples):
            raise SpeechError(f"{what} produced silence for “{line[:40]}”: choose another voice")
        if sound.ms > LONGEST_S * 1000:
            raise SpeechError(f"this line takes more than {LONGEST_S // 60} minutes to speak: split it")
        return sound


def _possible(style: Style, can: Capabilities) -> tuple[Style, list[Ignored]]:
    """The style as far as an engine can go, and what of it is ignored."""
    ignored: list[Ignored] = []
    if style.pitch and not can.pitch:
        ignored.append(Ignored(Note.NO_PITCH))
        style = replace(style, pitch=0)
    if style.pitch < can.lowest:
        ignored.append(Ignored(Note.TOO_LOW, limit=can.lowest))
    if style.rate < can.slowest:
        ignored.append(Ignored(Note.TOO_SLOW, limit=can.slowest))
    return replace(style, pitch=max(style.pitch, can.lowest), rate=max(style.rate, can.slowest)), ignored


def _require_permitted(style: Style) -> None:
    if not SLOWEST <= style.rate <= FASTEST:
        raise SpeechRequestError(
            f"{style.rate} words per minute is not a valid speaking rate: choose {SLOWEST} to {FASTEST}"
        )
    if not LOWEST_PITCH <= style.pitch <= HIGHEST_PITCH:
        raise SpeechRequestError(f"{style.pitch} % is not a valid pitch: choose {LOWEST_PITCH} to {HIGHEST_PITCH} %")
    if not SOFTEST <= style.volume <= LOUDEST:
        raise SpeechRequestError(
            f"{style.volume / 10:g} dB is not a valid volume: choose {SOFTEST // 10} to {LOUDEST // 10} dB"
        )
