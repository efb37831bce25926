"""Lines that a model wrote with their times, held in the script as it wrote them, and how many can be spoken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from adstudio.core.script import Eventuality, Pin, Script
from adstudio.core.timebase import Span
from adstudio.core.words import count_words

FASTEST = 300
"""Words a minute above which no narrator speaks: 99 % of broadcast lines are slower (the paper's realistic filter)."""
COLLAR_MS = 1_000
"""How far a line may reach out of its gap in the paper's realistic filter."""


@dataclass(frozen=True)
class Realistic:
    """How many lines a model wrote, and how many of them the paper's realistic filter would take out, and why.

    `fast` are spoken faster than 300 words a minute, `outside` in no gap (a second over is let pass), `overlapping`
    before the line ahead has ended; a line can be several of these. `unheld` reach out of their gap at all.
    """

    lines: int
    realistic: int
    fast: int
    outside: int
    overlapping: int
    unheld: int


def as_written(script: Script, gaps: Sequence[Span]) -> Script:
    """The script with each line held where the model put it, in the order of time.

    A line that does not lie in a gap is held there all the same. One that begins before the line ahead has ended cannot
    be spoken beside it: it is held out, and its note says so.
    """
    lines = sorted(script.eventualities, key=_stretch)
    held: list[Eventuality] = []
    spoken_until = 0
    for line in lines:
        stretch = _stretch(line)
        if stretch.start < spoken_until:
            note = "the model has it begin before the line ahead has ended, so that it cannot be spoken as it stands"
            held.append(replace(line, pin=Pin(selected=False), note=note))
            continue
        spoken_until = stretch.end
        rate = _rate(line)
        note = f"the model wants it said at {rate} words a minute" if rate > FASTEST else ""
        held.append(replace(line, pin=Pin(start=stretch.start, override=not _fits(stretch, gaps, 0)), note=note))
    return script.with_changes(eventualities=tuple(held))


def realistic(lines: Sequence[Eventuality], gaps: Sequence[Span]) -> Realistic:
    """The paper's measure of lines that a model wrote with their times (section on evaluation, “realistic”)."""
    ordered = sorted(lines, key=_stretch)
    fast = {line.id for line in ordered if _rate(line) > FASTEST}
    outside = {line.id for line in ordered if not _fits(_stretch(line), gaps, COLLAR_MS)}
    overlapping = {line.id for before, line in pairwise(ordered) if _stretch(line).start < _stretch(before).end}
    return Realistic(
        lines=len(ordered),
        realistic=len(ordered) - len(fast | outside | overlapping),
        fast=len(fast),
        outside=len(outside),
        overlapping=len(overlapping),
        unheld=sum(not _fits(_stretch(line), gaps, 0) for line in ordered),
    )


def _stretch(line: Eventuality) -> Span:
    if line.occurrence is None:
        raise ValueError(f"{line.id} has no times")
    return line.occurrence


def _rate(line: Eventuality) -> int:
    """Words a minute, rounded up."""
    return -(-count_words(line.variants[0].text) * 60_000 // _stretch(line).length)


def _fits(stretch: Span, gaps: Sequence[Span], collar: int) -> bool:
    return any(gap.start - collar <= stretch.start and stretch.end <= gap.end + collar for gap in gaps)
