"""What is said, word by word: in a screenplay with its place, in a film with its time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from adstudio.core.script import Cue, CueKind
from adstudio.drafting.text.align.normalisation import normal_words
from adstudio.drafting.text.align.trusted_matches import Matches
from adstudio.screenplay.parsed_screenplay import Screenplay, Speech

SPOKEN = (CueKind.SPEECH, CueKind.SUNG)
"""The cues whose text is words: sounds and music are described, not said."""


ENGLISH = "en"


class ScreenplayWord(NamedTuple):
    """A word of dialogue in normal form, and its scene and part, from 0."""

    text: str
    scene: int
    part: int


class FilmWord(NamedTuple):
    """A word of a cue in normal form, which cue it is of those given, and when it is said, in milliseconds."""

    text: str
    cue: int
    start: int
    end: int


Place = tuple[int, int]
"""A scene and a part in it, from 0."""


@dataclass(frozen=True, slots=True)
class MatchedWords:
    """The words of both sides, and which of them match, as pairs of positions in the order of the screenplay."""

    screenplay: tuple[ScreenplayWord, ...] = ()
    film: tuple[FilmWord, ...] = ()
    matches: Matches = ()

    def pairs(self) -> Iterator[tuple[ScreenplayWord, FilmWord]]:
        """The matching words."""
        return ((self.screenplay[i], self.film[j]) for i, j in self.matches)


def screenplay_words(screenplay: Screenplay) -> tuple[ScreenplayWord, ...]:
    """The words of all speeches, in order."""
    return tuple(
        ScreenplayWord(word.text, s, p)
        for s, scene in enumerate(screenplay.scenes)
        for p, part in enumerate(scene.parts)
        if isinstance(part, Speech)
        for word in normal_words(part.text, screenplay.language or ENGLISH)
    )


def film_words(cues: Sequence[Cue], language: str | None = None) -> tuple[FilmWord, ...]:
    """The words of all spoken and sung cues in order of time; within a cue, time is proportional to characters.

    `language` is the screenplay's, whose numbers they are compared with; None is English.
    """
    found: list[FilmWord] = []
    spoken = [(cue, k) for k, cue in enumerate(cues) if cue.kind in SPOKEN]
    for cue, k in sorted(spoken, key=lambda pair: pair[0].start):
        words = normal_words(cue.text, language or ENGLISH)
        if not words:
            continue
        first, last = words[0].start, max(words[-1].end, words[0].start + 1)
        length = max(0, cue.end - cue.start)
        for word in words:
            start, end = ((min(at, last) - first) * length // (last - first) for at in (word.start, word.end))
            found.append(FilmWord(word.text, k, cue.start + start, cue.start + end))
    return tuple(found)
