"""What the editor asks of its speech process, and what that answers: one event for each request, in order.

Times are milliseconds of the film, rates words a minute. This module is light: the editor imports it at its start.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from adstudio.core.narration import MAX_PRONUNCIATIONS, Pronunciation, Take
from adstudio.core.timebase import Span
from adstudio.speech.engine import EngineVoices, Style
from adstudio.speech.ignored import Ignored
from adstudio.system.codec import Limits
from adstudio.system.worker import Failed, WorkerProtocol

MOST_LINES = 1_000
"""Spoken lines in one segment."""
PEAK_RATE = 100
"""Peaks in a second of a line."""
MOST_PEAKS = 2 * PEAK_RATE * 601
"""Digits of the peaks of a line of ten minutes, the longest that can be spoken."""

Name = Annotated[str, Limits(text=200)]
Number = Annotated[int, Limits()]
Lexicon = Annotated[tuple[Pronunciation, ...], Limits(items=MAX_PRONUNCIATIONS)]
_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Say:
    """Speak one line, answered by `Said`; without an engine, by this machine's first.

    With a take, that is heard: `recordings` is the folder that has its recording under the recording’s key.
    """

    text: str
    style: Style
    engine: Name = ""
    language: Name = _LANGUAGE
    lexicon: Lexicon = ()
    take: Take | None = None
    recordings: Path | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A line, its style, the film time at which it starts, and the take that is heard instead of the voice."""

    text: str
    start: Number
    style: Style = field(default_factory=Style)
    take: Take | None = None


@dataclass(frozen=True, slots=True)
class Render:
    """Speak the lines of a segment of the film into one sound, answered by `Rendered`; `recordings` as in `Say`."""

    span: Span
    lines: Annotated[tuple[Placed, ...], Limits(items=MOST_LINES)]
    engine: Name = ""
    language: Name = _LANGUAGE
    lexicon: Lexicon = ()
    recordings: Path | None = None


@dataclass(frozen=True, slots=True)
class ListVoices:
    """List the engines with their voices for a language, of all languages for the empty tag; answered by `VoiceList`.

    With the name of an engine, that one alone.
    """

    language: Name = _LANGUAGE
    engine: Name = ""


@dataclass(frozen=True, slots=True)
class FindPeaks:
    """The peaks of lines that have been spoken, or recorded, answered by `PeaksFound`; nothing is spoken for it.

    `lines` and the rest are as in `Render`; when they start is of no matter.
    """

    lines: Annotated[tuple[Placed, ...], Limits(items=MOST_LINES)]
    engine: Name = ""
    language: Name = _LANGUAGE
    lexicon: Lexicon = ()
    recordings: Path | None = None


@dataclass(frozen=True, slots=True)
class PeaksFound:
    """The peaks of each line, empty for one that has not been spoken.

    They are the greatest amplitudes of each hundredth of a second, from 0 to 255 for full scale, two hexadecimal digits
    each.
    """

    peaks: Annotated[tuple[Annotated[str, Limits(text=MOST_PEAKS)], ...], Limits(items=MOST_LINES)]


@dataclass(frozen=True, slots=True)
class Said:
    """A line was spoken: its file, its volume applied, and its audible length in milliseconds, rounded up.

    `ignored` is what of its style and lexicon is not heard, and `engine` who spoke it.
    """

    wav: Path
    ms: Number
    engine: Name = ""
    ignored: Annotated[tuple[Ignored, ...], Limits(items=MAX_PRONUNCIATIONS)] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """A segment was spoken: its file, 48 kHz and exactly as long as the segment.

    `overlaps` are the film times at which two lines sound at once; `cut` numbers (from 0) the lines not wholly inside,
    `unspoken` those without a word to say, or too long; `engine` and `ignored` as in `Said`.
    """

    wav: Path
    ms: Number
    overlaps: tuple[Span, ...] = ()
    cut: tuple[int, ...] = ()
    unspoken: tuple[int, ...] = ()
    engine: Name = ""
    ignored: Annotated[tuple[Ignored, ...], Limits(items=MAX_PRONUNCIATIONS)] = ()


@dataclass(frozen=True, slots=True)
class VoiceList:
    """The engines, the first choice first, each with its voices or why it has none."""

    engines: tuple[EngineVoices, ...]

    @property
    def first(self) -> EngineVoices | None:
        """The engine that speaks where none was chosen; None where there is none."""
        return next((each for each in self.engines if each.voices or not each.problem), None)


Request = Say | Render | FindPeaks | ListVoices
Answer = Said | Rendered | PeaksFound | VoiceList | Failed
PROTOCOL = WorkerProtocol[Request, Answer]("adstudio.speech.worker", Request, Answer)
"""The process ends when its input does, and may be killed at any moment."""
CRASHED = "The speech engine has crashed: try again, or choose another voice"
