"""The channels of what is rendered: their loudness weights, and those that the narration is in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

RATE = 48_000
"""Samples a second of all that is rendered."""
PER_MS = RATE // 1000
"""Samples a millisecond: each time in film is a whole sample."""
BLOCK = RATE
"""Samples that are worked on at a time."""

SURROUND = 1.41
"""How much more the channels at the sides count (ITU-R BS.1770-5, annex 1, table 3)."""


@dataclass(frozen=True)
class Layout:
    """Channels in the order of WAV files; `name` is FFmpeg's."""

    name: str
    weights: tuple[float, ...]
    """What a channel's power counts in the loudness (ITU-R BS.1770-5); that of the low frequencies does not."""
    narration: tuple[int, ...]
    """The channels that the narration is in: the centre, else all."""
    mask: int
    """The speakers, as WAVE_FORMAT_EXTENSIBLE names them."""

    @property
    def channels(self) -> int:
        """How many there are."""
        return len(self.weights)


MONO = Layout("mono", (1.0,), (0,), 0x4)
STEREO = Layout("stereo", (1.0, 1.0), (0, 1), 0x3)
FIVE_ONE = Layout("5.1", (1.0, 1.0, 1.0, 0.0, SURROUND, SURROUND), (2,), 0x3F)

UNMAPPED = ("stereo", "5.1", "5.1(side)")
"""FFmpeg's names of layouts that are taken as they are."""
_BEHIND = {"BL", "BR", "BC", "SL", "SR", "TBL", "TBC", "TBR", "TSL", "TSR", "SSL", "SSR", "WL", "WR", "BFL", "BFR"}


def layout_for(channels: Sequence[str]) -> Layout:
    """What a film with these channels is rendered in: 5.1 if there are some behind the listener, else stereo.

    Channels of unknown places are taken for 5.1 if there are six or more.
    """
    unknown = not any(name.isupper() and name != "NONE" for name in channels)
    behind = len(channels) >= FIVE_ONE.channels if unknown else bool(_BEHIND & set(channels))
    return FIVE_ONE if behind else STEREO
