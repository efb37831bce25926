"""The messages between whoever looks for words in sound and the process that finds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from adstudio.characters.alignment import Alignment
from adstudio.characters.pronunciation import CueWord
from adstudio.system.codec import Limits
from adstudio.system.worker import Failed, WorkerProtocol

LARGEST_SOUND = 1_000_000
"""Bytes of a stretch of sound: half a minute."""


@dataclass(frozen=True)
class FindWords:
    """Find words in a sound (16-bit PCM, little-endian, one channel, 16 kHz); answered by `WordsFound`."""

    language: str
    words: tuple[CueWord, ...]
    sound: Annotated[bytes, Limits(data=LARGEST_SOUND)]


@dataclass(frozen=True)
class PrepareWords:
    """Load the engine of a language and learn its words; answered by `WordsFound` without any."""

    language: str
    words: tuple[CueWord, ...]


@dataclass(frozen=True)
class WordsFound:
    """Where the words are; None where they cannot be in the sound."""

    alignment: Alignment | None


PROTOCOL = WorkerProtocol[FindWords | PrepareWords, WordsFound | Failed](
    "adstudio.characters.alignment_worker", FindWords | PrepareWords, WordsFound | Failed
)
