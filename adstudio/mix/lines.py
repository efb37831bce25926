"""A line as it is mixed: when it starts, its sound, and how far the film makes way for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adstudio.core.timebase import Span

if TYPE_CHECKING:
    # numpy comes with it, which the window does not need at its start.
    from adstudio.speech.sound import Sound


@dataclass(frozen=True)
class MixLine:
    """A line to be mixed."""

    id: str
    """The eventuality's."""
    number: int
    """From 1, in speaking order, as in the exported script."""
    start: int
    """Film time at which it starts, in milliseconds."""
    length: int
    """How long it sounds, in milliseconds."""
    load: Callable[[], Sound]
    """Its sound, of any sample rate. It is loaded when it is needed and then let go: a film has thousands of lines."""
    text: str = ""
    """What is spoken, for captions."""
    gain: int = 0
    """How much louder it is than the narration as a whole, in tenths of a dB."""
    duck: int | None = None
    """How far the film goes down under it, in tenths of a dB; None: as the settings have it."""
    gap: Span | None = None
    """The gap that it is spoken in; None if it is in none."""
    override: bool = False
    """The describer wants it where it is, over dialogue too."""
    planned: int | None = None
    """How long the plan has it, in milliseconds; None: it is not in the plan."""
    extended: bool = False
    """It is spoken at its start while the picture is held."""

    @property
    def span(self) -> Span:
        """From its start to its end, in film time."""
        return Span(self.start, self.start + self.length)
