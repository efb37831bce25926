"""What the editor asks of the process that measures how long texts are spoken, and what that says.

Lengths are in milliseconds. This module is light: the editor imports it at its start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from adstudio.core.narration import LineVoice, Narrator
from adstudio.system.codec import Limits
from adstudio.system.worker import Failed, WorkerProtocol

MOST_TEXTS = 4_000
"""Texts of one request; those left over are for the next one."""
MOST_GROUPS = 200
LEAST_TO_CALIBRATE = 20
"""With fewer texts to measure, a line's own voice is not calibrated: they are soon measured themselves."""

Version = Annotated[str, Limits(text=300)]


@dataclass(frozen=True)
class TextGroup:
    """Texts that are spoken in one voice: that of the project, or of lines that have another one.

    The sounds of the first `cached` are left in the cache, where they are found when they are to be heard. `calibrate`:
    a model of the voice is needed before anything else.
    """

    voice: LineVoice | None
    texts: Annotated[tuple[str, ...], Limits(items=MOST_TEXTS, text=20_000)]
    cached: int = 0
    calibrate: bool = False


@dataclass(frozen=True)
class MeasureLengths:
    """Measure texts, group after group, each group in order."""

    narrator: Narrator
    groups: Annotated[tuple[TextGroup, ...], Limits(items=MOST_GROUPS)]


@dataclass(frozen=True)
class LengthsMeasured:
    """The lengths of a group's texts from the `first` on; 0 for a text that cannot be spoken.

    `version` is the engine's and the voice's, empty for a voice that is not here.
    """

    group: int
    version: Version
    first: int
    lengths: Annotated[tuple[int, ...], Limits(items=MOST_TEXTS)]


@dataclass(frozen=True)
class ModelFitted:
    """A model of a group's voice, by its weights (`LengthModel`)."""

    group: int
    version: Version
    weights: Annotated[tuple[float, ...], Limits(items=2_000)]


@dataclass(frozen=True)
class MeasuringFinished:
    """Everything was measured but `failed` texts; `why` is what was wrong with the first of them."""

    failed: int = 0
    why: str = ""


MeasuringEvent = LengthsMeasured | ModelFitted | MeasuringFinished | Failed
PROTOCOL = WorkerProtocol[MeasureLengths, MeasuringEvent](
    "adstudio.speech.measuring_worker", MeasureLengths, MeasuringEvent
)
"""The process may be stopped at any moment."""
