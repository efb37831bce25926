"""What is evaluated: films with their references, and what systems say of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from adstudio.core.script import Cue
from adstudio.core.timebase import Span

TAU_MS = 10_000
"""τ: two descriptions are of the same moment where their middles differ by less (paper, appendix B)."""


@dataclass(frozen=True, order=True, slots=True)
class Description:
    """One description as it is spoken: its time in milliseconds of the film, and its text, which is not empty."""

    span: Span
    text: str


@dataclass(frozen=True)
class Transcript:
    """The descriptions of one film by one system or in one reference AD, in the order of their times."""

    name: str
    descriptions: tuple[Description, ...]
    filtered: bool = False
    """Whether the realistic filter applies: to prompted systems and schedulers (paper, section 4)."""
    references: tuple[str, ...] = ()
    """The names of the references that it is compared with; none: all of the film. An expert's own is left out."""


@dataclass(frozen=True)
class FilmSequence:
    """A contiguous group of scenes, over which measures are averaged (paper, appendix B); `span` in milliseconds."""

    name: str
    span: Span


class SequenceSource(StrEnum):
    """Where the sequences of a film come from."""

    FILE = "file"
    """Groups of scenes made by hand, as the paper's."""
    SCENES = "scenes"
    FILM = "film"
    """There are no scenes: the whole film is one sequence."""


@dataclass(frozen=True)
class EvaluatedFilm:
    """One film with all that its scores need; `end` in milliseconds, `language` a tag, empty where not known.

    There is at least one reference; the names of references and systems are each unique. The sequences are in order,
    do not overlap, and cover the film.
    """

    name: str
    end: int
    dialogue: tuple[Cue, ...]
    references: tuple[Transcript, ...]
    systems: tuple[Transcript, ...]
    sequences: tuple[FilmSequence, ...]
    sequence_source: SequenceSource = SequenceSource.FILM
    language: str = ""
