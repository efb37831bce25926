"""When each word of the dialogue is spoken, as found in the film's sound."""

from __future__ import annotations

from dataclasses import dataclass

MAX_WORDS_OF_CUE = 400
"""Words of one cue; a subtitle has a dozen."""
MAX_WORD_LENGTH = 200


@dataclass(frozen=True)
class SpokenWord:
    """A word as the cue has it, with its time in milliseconds; `confidence` in thousandths, None if nobody rated it."""

    text: str
    start: int
    end: int
    confidence: int | None = None

    def __post_init__(self) -> None:
        if len(self.text) > MAX_WORD_LENGTH or self.end < self.start or self.start < 0:
            raise ValueError("a word of the dialogue has impossible times or is too long")


@dataclass(frozen=True)
class CueWords:
    """The words of a cue, in order; empty where the sound did not tell, such as under loud music.

    They were found for a `text` and for times of the cue (`start`, `end`, ms): where those have changed since, the
    words are stale, and nothing goes by them.
    """

    id: str
    """The id of the cue."""
    text: str
    start: int
    end: int
    words: tuple[SpokenWord, ...] = ()

    def __post_init__(self) -> None:
        if len(self.words) > MAX_WORDS_OF_CUE:
            raise ValueError(f"a cue has more than {MAX_WORDS_OF_CUE} words")
