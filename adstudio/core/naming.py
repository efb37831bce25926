"""When narration may name a character."""

from __future__ import annotations

from enum import Enum


class NamingPolicy(Enum):
    """From when on narration may call a character by name. A house chooses; whom the film never names may be named.

    Until then a character is called what they are seen to be, such as “the clerk”.
    """

    ONCE_SAID = "once_said"
    """Once the film has said the name: characters “should remain unnamed until introduced through dialogue or
    plot-point, unless necessary for timing and clarification” (Netflix Audio Description Style Guide, second-hand)."""
    AT_ONCE = "at_once"
    """From the first: characters are to be described and named as early as possible (audio description guidelines of
    ARD, ORF, SRF, ZDF and others)."""
