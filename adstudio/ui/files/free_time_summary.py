"""How much of a film is free, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.timebase import Span
from adstudio.ui.widgets.formatting import counted, duration


def free_time(gaps: Sequence[Span], end: int) -> str:
    """`14 gaps · 3 min 42 s free of 12 min 10 s`."""
    free = sum(gap.length for gap in gaps)
    return f"{counted(len(gaps), 'gap')} · {duration(free)} free of {duration(end)}"


def changed_time(before: Sequence[Span], after: Sequence[Span]) -> list[str]:
    """What other settings change: `2 gaps fewer`, `3.5 s more free`; nothing where nothing does."""
    said: list[str] = []
    gaps = len(after) - len(before)
    free = sum(gap.length for gap in after) - sum(gap.length for gap in before)
    if gaps:
        said.append(f"{counted(abs(gaps), 'gap')} {'more' if gaps > 0 else 'fewer'}")
    if free:
        said.append(f"{duration(abs(free))} {'more' if free > 0 else 'less'} free")
    return said
