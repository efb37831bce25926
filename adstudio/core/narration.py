"""How lines are voiced: the project's voice, what single lines say otherwise, pronunciations, takes, and lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from adstudio.core.words import folded

LOWEST_PITCH, HIGHEST_PITCH = -50, 50
"""Per cent of a voice's own pitch."""
SOFTEST, LOUDEST = -200, 100
"""Tenths of a decibel."""
MAX_TAKES = 50
"""The most takes of one wording."""
MIN_TAKE_MS = 300
"""A recording that is shorter was stopped at once: it is no take."""
MAX_PRONUNCIATIONS = 5_000
MAX_PRONUNCIATION_LENGTH = 200
"""Characters in a word of the lexicon, and in how it is spoken."""


def _require_levels(pitch: int, volume: int) -> None:
    if not LOWEST_PITCH <= pitch <= HIGHEST_PITCH:
        raise ValueError(f"a pitch is {LOWEST_PITCH} to {HIGHEST_PITCH} per cent")
    if not SOFTEST <= volume <= LOUDEST:
        raise ValueError(f"a volume is {SOFTEST // 10} to {LOUDEST // 10} dB")


@dataclass(frozen=True)
class VoiceSettings:
    """A project's voice; without an engine there is none, and lines are timed by the speaking rate.

    `voice` is the engine's name of it, empty for the best of the film's language; `pitch` is in per cent above or below
    its own, `volume` in tenths of a decibel. It speaks at the speaking rate of the project's settings.
    """

    engine: str = ""
    voice: str = ""
    pitch: int = 0
    volume: int = 0

    def __post_init__(self) -> None:
        _require_levels(self.pitch, self.volume)


NO_VOICE = VoiceSettings()
"""Lines are timed by the speaking rate."""


@dataclass(frozen=True)
class LineVoice:
    """What one line has otherwise than the project's voice: units as there, `rate` in words a minute; None as there."""

    voice: str | None = None
    rate: int | None = None
    pitch: int | None = None
    volume: int | None = None

    def __post_init__(self) -> None:
        _require_levels(self.pitch or 0, self.volume or 0)


@dataclass(frozen=True)
class Pronunciation:
    """How a word is spoken: spelt otherwise or, with `phonemes`, in the engines' phonemes (IPA)."""

    word: str
    spoken: str
    phonemes: bool = False

    def __post_init__(self) -> None:
        for text in (self.word, self.spoken):
            if not text.strip() or len(text) > MAX_PRONUNCIATION_LENGTH or not text.isprintable():
                raise ValueError(f"a word and how it is spoken are 1 to {MAX_PRONUNCIATION_LENGTH} characters each")


Lexicon = tuple[Pronunciation, ...]
"""A project's pronunciations, each word once."""


def lexicon_error(lexicon: Lexicon) -> str:
    """Why these cannot be a project's lexicon, as a sentence; empty if they can."""
    if len(lexicon) > MAX_PRONUNCIATIONS:
        return f"a lexicon can have at most {MAX_PRONUNCIATIONS:,} words: leave out some"
    times = Counter(folded(entry.word) for entry in lexicon)
    twice = next((entry.word for entry in lexicon if times[folded(entry.word)] > 1), None)
    return "" if twice is None else f"“{twice}” is in the lexicon twice: remove one of them"


@dataclass(frozen=True)
class Take:
    """A recording of a wording, as it was read.

    `sound` is the key of its samples in the project file, the SHA-256 of their file in hexadecimal. Times are in
    milliseconds of the recording: of its `length`, what is from `start` to `end` is used (None: to its end). `level` is
    a gain in tenths of a decibel, `name` what a person calls it.
    """

    id: str
    sound: str
    length: int
    text: str
    start: int = 0
    end: int | None = None
    level: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        if len(self.sound) != 64 or not set(self.sound) <= set("0123456789abcdef"):
            raise ValueError("the sound of a take is named by a SHA-256")
        if not 0 <= self.start < (self.length if self.end is None else self.end) <= self.length:
            raise ValueError("a take is used from some point of its recording to a later one")

    @property
    def duration(self) -> int:
        """How long what is used of it lasts, in milliseconds."""
        return (self.length if self.end is None else self.end) - self.start


@dataclass(frozen=True)
class Narrator:
    """All that decides how a project's lines are spoken, beside their text and what they have otherwise.

    `rate` is in words a minute, `language` a tag.
    """

    voice: VoiceSettings
    rate: int
    language: str
    lexicon: Lexicon = ()


class LengthSource(Enum):
    """Where the length of a wording comes from."""

    OWN = "own"
    """The describer set it."""
    TAKE = "take"
    """The chosen take's."""
    ACCEPTED = "accepted"
    """As long as it was when a person accepted it, which is not what has been measured or predicted since."""
    MEASURED = "measured"
    """The voice has spoken it."""
    PREDICTED = "predicted"
    """The model fitted to the voice predicts it."""
    RATE = "rate"
    """By the speaking rate."""


class Lengths(Protocol):
    """How long voices speak texts, in milliseconds: what is known of any narrator, so that it suits every script."""

    def measured(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        """How long the narrator has spoken a text, in a line's own `voice`; None if it has not yet."""
        ...

    def predicted(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        """How long the narrator probably speaks a text; None if nothing is known of the voice yet."""
        ...

    def changed_from(self, before: Lengths, narrator: Narrator) -> Callable[[str], bool] | None:
        """Which texts may have other lengths than what was known before had; None if all may."""
        ...
