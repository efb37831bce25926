"""The interface of speech engines: voices, and a command that synthesises one line to a WAV file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from adstudio.core.errors import BadInputError, OutsideFailureError

SLOWEST, FASTEST = 40, 600
"""The permitted speaking rates, in words per minute."""


class SpeechError(OutsideFailureError):
    """An engine is missing, fails, hangs or produces no sound; the message is for the user."""


class SpeechRequestError(BadInputError):
    """A line, rate or voice that no engine can speak; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice: what its engine calls it, what a person calls it, and its language tag (lower case, `en-gb`)."""

    id: str
    name: str
    language: str


@dataclass(frozen=True, slots=True)
class Command:
    """A process to run: the program, its arguments (never through a shell), and the bytes it reads from its input."""

    program: str
    arguments: tuple[str, ...]
    input: bytes = b""


class Engine(Protocol):
    """A speech program outside this process; it is stopped by ending its process."""

    @property
    def name(self) -> str:
        """What it is called, `espeak-ng`."""
        ...

    @property
    def version(self) -> str:
        """Its version; another version is another voice, so measured lines are measured again."""
        ...

    def voices(self, language: str) -> tuple[Voice, ...]:
        """The voices for a language tag, best first; all voices for the empty tag.

        Raises:
            SpeechError: when the engine cannot list them.
        """
        ...

    def command(self, text: str, voice: str, rate: int, target: Path) -> Command:
        """The process that speaks `text` (already made speakable) into the new file `target`.

        `rate` is in words a minute; an engine that cannot go so slow or fast goes as slow or fast as it can. The
        process's exit code is not to be trusted: only the decoded file is (`wav.read_sound`).

        Raises:
            SpeechRequestError: for what cannot be a voice's name.
        """
        ...


def language_tag(language: str) -> str:
    """A language as voices are compared by it: `en_GB` and `en-GB` are `en-gb` (BCP 47 tags ignore case)."""
    return language.strip().replace("_", "-").lower()


def voices_for(voices: Sequence[Voice], language: str) -> tuple[Voice, ...]:
    """The voices of a language tag, the same tag first, then the same main language; all for the empty tag.

    Voices that fit equally keep their order.
    """
    wanted = language_tag(language)
    if not wanted:
        return tuple(voices)
    main = wanted.split("-", 1)[0]

    def distance(voice: Voice) -> int:
        has = language_tag(voice.language)
        if has == wanted:
            return 0
        if has.startswith(f"{wanted}-"):
            return 1
        return 2 if has == main else 3

    fitting = [voice for voice in voices if language_tag(voice.language).split("-", 1)[0] == main]
    return tuple(sorted(fitting, key=distance))
