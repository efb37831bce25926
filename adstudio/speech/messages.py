"""What the editor asks of its speech process, and what that answers: one event for each request, in order.

Times are milliseconds of the film, rates words a minute. This module is light: the editor imports it at its start.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from adstudio.core.timebase import Span
from adstudio.speech.engine import Voice
from adstudio.system.codec import Limits
from adstudio.system.worker import Failed, WorkerProtocol

MOST_LINES = 1_000
"""Spoken lines in one segment."""

Name = Annotated[str, Limits(text=200)]
Number = Annotated[int, Limits()]
_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Say:
    """Speak one line, answered by `Said`; without a voice, with the language's best."""

    text: str
    rate: Number
    voice: Name = ""
    language: Name = _LANGUAGE


@dataclass(frozen=True, slots=True)
class Placed:
    """A line and the film time at which it starts."""

    text: str
    start: Number


@dataclass(frozen=True, slots=True)
class Render:
    """Speak the lines of a segment of the film into one sound, answered by `Rendered`."""

    span: Span
    lines: Annotated[tuple[Placed, ...], Limits(items=MOST_LINES)]
    rate: Number
    voice: Name = ""
    language: Name = _LANGUAGE


@dataclass(frozen=True, slots=True)
class ListVoices:
    """List the voices of a language, of all languages for the empty tag; answered by `VoiceList`."""

    language: Name = _LANGUAGE


@dataclass(frozen=True, slots=True)
class Said:
    """A line was spoken: its file and its audible length in milliseconds, rounded up."""

    wav: Path
    ms: Number


@dataclass(frozen=True, slots=True)
class Rendered:
    """A segment was spoken: its file, 48 kHz and exactly as long as the segment.

    `overlaps` are the film times at which two lines sound at once; `cut` numbers (from 0) the lines not wholly inside,
    `unspoken` those without a word to say, or too long.
    """

    wav: Path
    ms: Number
    overlaps: tuple[Span, ...] = ()
    cut: tuple[int, ...] = ()
    unspoken: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class VoiceList:
    """The engine's name and its voices, best first."""

    engine: str
    voices: tuple[Voice, ...]


Request = Say | Render | ListVoices
Answer = Said | Rendered | VoiceList | Failed
PROTOCOL = WorkerProtocol[Request, Answer]("adstudio.speech.worker", Request, Answer)
"""The process ends when its input does, and may be killed at any moment."""
CRASHED = "The speech engine has crashed: try again, or choose another voice"
