"""What the sound of two cuts has in common: where, and with that, where the cuts lie to a frame."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from adstudio.conform.evidence import SoundMatch
from adstudio.conform.runs import disjoint
from adstudio.conform.sound_edges import Edges
from adstudio.conform.sound_levels import believed, levels_of, stretched
from adstudio.conform.sound_places import find_cores, short_cores
from adstudio.core.timebase import Span
from adstudio.media.peaks import BIN_MS

if TYPE_CHECKING:
    from adstudio.media.peaks import Peaks


def match_sound(old: Peaks, new: Peaks, changes: Sequence[int] = ()) -> SoundMatch:
    """Compare the sound of two cuts; `changes` are times at which the former cut's scenes change (ms)."""
    before, after = levels_of(old), levels_of(new)
    cores, ratio = find_cores(before, after, old.duration)
    same_speed = stretched(before, ratio)
    cores = believed(same_speed, after, cores)
    if not cores:
        return SoundMatch((), Fraction(1), 0, old.duration, new.duration)
    edges = Edges(before, after, cores, ratio, changes)
    pieces = list(edges.pieces())
    covered = [_bins(piece.old, ratio) for piece in pieces]
    there = [_bins(piece.new, Fraction(1)) for piece in pieces]
    more = believed(same_speed, after, short_cores(before, after, ratio, covered, there), cores)
    if more:
        edges = Edges(before, after, sorted([*cores, *more], key=lambda core: core.start), ratio, changes)
        pieces = list(edges.pieces())
    found = tuple(disjoint(pieces, ratio, old.duration, new.duration))
    shared = sum(piece.old.length for piece in found)
    return SoundMatch(found, ratio, shared, old.duration, new.duration, tuple(edges.unsure))


def _bins(span: Span, ratio: Fraction) -> tuple[float, float]:
    return float(span.start * ratio) / BIN_MS, float(span.end * ratio) / BIN_MS
