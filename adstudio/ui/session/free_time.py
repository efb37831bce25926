"""How much of gaps is used, the same figures in status line, inspector and answers."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.counts import percent
from adstudio.core.timebase import Span
from adstudio.planning.film.room import Rooms
from adstudio.planning.problem import NO_SHARE_LIMIT
from adstudio.ui.widgets.formatting import duration, free, used_of


def free_time_used(rooms: Rooms, gaps: Sequence[Span]) -> str:
    """How much of all gaps is used: `20.0 s of 22.0 s free time used`."""
    used = sum(map(rooms.narrated, gaps))
    return f"{used_of(used, sum(gap.length for gap in gaps))} free time used"


def gap_used(rooms: Rooms, gap: Span, between: str = " · ") -> str:
    """How much of a gap is used and what is left: of its whole length, or of what its maximum fill leaves of that."""
    used, usable, share = rooms.narrated(gap), rooms.capacity(gap), rooms.problem.max_share
    said = f"{used_of(used, gap.length)} used{between}{free(usable - used)} free"
    if share >= NO_SHARE_LIMIT:
        return said
    return f"{said} (may be filled to {percent(share / NO_SHARE_LIMIT, 4)}, {duration(usable)})"
