"""What the describer has in hand: lines, a gap, a silence, an opening, a cue, a scene or a shot."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from adstudio.core.timebase import Span


class Kind(Enum):
    """What sort of thing is selected."""

    NOTHING = "nothing"
    LINE = "line"
    GAP = "gap"
    SILENCE = "silence"
    OPENING = "opening"
    CUE = "cue"
    SCENE = "scene"


@dataclass(frozen=True)
class Selection:
    """Some things of one kind, in the order they were taken; the last one is the current one.

    A gap has no id, since it is derived: its span stands for it.
    """

    kind: Kind = Kind.NOTHING
    ids: tuple[str, ...] = ()
    gap: Span | None = None

    @property
    def current(self) -> str | None:
        """The id taken last."""
        return self.ids[-1] if self.ids else None

    def lines(self) -> tuple[str, ...]:
        """The selected eventualities; none where something else is selected."""
        return self.ids if self.kind is Kind.LINE else ()


NOTHING = Selection()
