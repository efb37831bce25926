"""The interface of speech engines: voices, styles, and one line synthesised to a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Protocol

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.narration import LOWEST_PITCH
from adstudio.system.codec import Limits

SLOWEST, FASTEST = 40, 600
"""The permitted speaking rates, in words per minute."""


_PLAIN_TAG = re.compile("[a-z]{2,3}(-[a-z]{2})?")


class SpeechError(OutsideFailureError):
    """An engine is missing, fails, hangs or produces no sound; the message is for the user."""


class EngineMissingError(SpeechError):
    """An engine that is not installed, or has no voice yet; the message says how to get it."""


class SpeechRequestError(BadInputError):
    """A line, rate or voice that no engine can speak; the message is for the user."""


class UnspeakableError(SpeechRequestError):
    """A text that no voice can speak: it has no word in it, or is too long."""


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice: what its engine calls it, what a person calls it, and its language tag (lower case, `en-gb`)."""

    id: str
    name: str
    language: str


@dataclass(frozen=True, slots=True)
class Style:
    """How a line is spoken: a voice's id, words a minute, pitch in per cent and volume in tenths of a dB.

    Pitch and volume count from the voice's own. Without a voice, the language's best speaks. The volume changes nothing
    but the level: a line is synthesised once and turned up or down where it is used, so neither its length nor its
    place in the cache depends on it.
    """

    voice: Annotated[str, Limits(text=300)] = ""
    rate: Annotated[int, Limits()] = 200
    pitch: Annotated[int, Limits()] = 0
    volume: Annotated[int, Limits()] = 0


class Notation(Enum):
    """How an engine is given phonemes between `[[` and `]]`."""

    ESPEAK = "eSpeak's mnemonics"
    IPA = "the International Phonetic Alphabet"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an engine can be told beside a text: phonemes (None: no phonemes), and whether it changes the pitch.

    It speaks at `slowest` words a minute or faster, and goes down to `lowest` per cent of the voice's own pitch.
    """

    phonemes: Notation | None = None
    pitch: bool = True
    slowest: int = SLOWEST
    lowest: int = LOWEST_PITCH


@dataclass(frozen=True, slots=True)
class EngineVoices:
    """An engine with its voices for a language, best first, and what it can.

    `problem` says why there are none, or which ones cannot be used. Where there is nothing to mend, only nothing to
    choose, they are `absent`.
    """

    engine: str
    voices: tuple[Voice, ...]
    phonemes: bool = False
    pitch: bool = True
    problem: str = ""
    absent: bool = False


class Engine(Protocol):
    """A speech program outside this process: one process for each line, or one that answers line after line.

    It may be called by several threads at once.
    """

    @property
    def name(self) -> str:
        """What it is called, `espeak-ng`."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can be told beside a text."""
        ...

    def fingerprint(self, voice: str) -> str:
        """The versions of the program and of the voice's data; with another one, lines are synthesised again."""
        ...

    def voices(self, language: str) -> tuple[Voice, ...]:
        """The voices for a language tag, best first; all voices for the empty tag.

        Raises:
            SpeechError: when the engine cannot list them.
        """
        ...

    def synthesise(self, text: str, style: Style, target: Path, limit: float) -> None:
        """Speak `text` (already made speakable) into the new file `target`, within about `limit` seconds.

        The style is within its capabilities; one that cannot go so fast goes as fast as it can. The volume is not its
        business. That it does not fail says nothing: only the decoded file is to be trusted (`sound.read_sound`).

        Raises:
            SpeechRequestError: for what cannot be a voice's name.
            SpeechError: when its process fails, hangs, or gives no sense; that process has ended then.
        """
        ...

    def close(self) -> None:
        """End its process, where it keeps one; the next line starts another."""
        ...


def language_tag(language: str) -> str:
    """A language as voices are compared by it: `en_GB` and `en-GB` are `en-gb` (BCP 47 tags ignore case)."""
    return language.strip().replace("_", "-").lower()


def voices_for(voices: Sequence[Voice], language: str) -> tuple[Voice, ...]:
    """The voices of a language tag, the same tag first, then the same main language; all for the empty tag.

    Of voices that fit equally those of a language, or of a country's, come before those of regions and dialects; else
    they keep their order.
    """
    wanted = language_tag(language)
    if not wanted:
        return tuple(voices)
    main = wanted.split("-", 1)[0]

    def distance(voice: Voice) -> tuple[int, bool]:
        has = language_tag(voice.language)
        special = _PLAIN_TAG.fullmatch(has) is None
        if has == wanted:
            return 0, special
        if has.startswith(f"{wanted}-"):
            return 1, special
        return (2 if has == main else 3), special

    fitting = [voice for voice in voices if language_tag(voice.language).split("-", 1)[0] == main]
    return tuple(sorted(fitting, key=distance))
