"""What was asked for of a voice and is not heard, and how a person is told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from adstudio.system.codec import Limits


class Note(Enum):
    """Why something that was asked for is not heard."""

    NO_PHONEMES = "the engine takes no phonemes"
    UNKNOWN_PHONEMES = "the phonemes are not known"
    NO_PITCH = "the engine has one pitch"
    TOO_LOW = "the engine does not go so low"
    TOO_SLOW = "the engine does not go so slow"


@dataclass(frozen=True, slots=True)
class Ignored:
    """Something that was asked for and is not heard; `word` is the lexicon's, where it is one of its entries.

    `limit` is what is heard instead: the pitch in per cent of the voice's own, or the rate in words a minute.
    """

    note: Note
    word: Annotated[str, Limits()] = ""
    limit: Annotated[int, Limits()] = 0


def ignored_message(ignored: Ignored, engine: str) -> str:
    """A sentence that says what was ignored, and what to do."""
    word = ignored.word[:40]
    match ignored.note:
        case Note.NO_PHONEMES:
            return f"{engine} takes no phonemes, so “{word}” is spoken as written: add a respelling to the lexicon"
        case Note.UNKNOWN_PHONEMES:
            return f"{engine} does not know the phonemes of “{word}”, so it is spoken as written: add a respelling"
        case Note.NO_PITCH:
            return f"{engine} cannot change the pitch of this voice, so it speaks in its own"
        case Note.TOO_LOW:
            return f"{engine} cannot go lower than {-ignored.limit} % below the voice's own pitch, so that is used"
        case Note.TOO_SLOW:
            return f"{engine} cannot speak slower than {ignored.limit} words a minute, so it speaks at that rate"
