"""A text about a film as chapters: scenes of paragraphs, each between two times of the film."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.provenance import DescriptionLine, ScreenplayLine
from adstudio.core.timebase import Span


@dataclass(frozen=True)
class Paragraph:
    """Action that lies between two times of the film (ms; None where nothing says), which are that sure (0..1)."""

    text: str
    source: ScreenplayLine | DescriptionLine | None = None
    line: int | None = None
    after: int | None = None
    before: int | None = None
    sure: float = 0.0


@dataclass(frozen=True)
class Chapter:
    """What becomes a scene: its heading, its paragraphs, and when its dialogue is heard, if that is known."""

    heading: str
    paragraphs: tuple[Paragraph, ...]
    dialogue_span: Span | None = None
    line: int | None = None
