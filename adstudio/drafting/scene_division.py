"""A film cut into scenes for drafting where nothing else tells its scenes: at cuts, where nobody speaks for longest."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from adstudio.core.script import Cue, CueKind, Scene
from adstudio.core.timebase import Span

SHORTEST_MS = 40_000
LONGEST_MS = 120_000
PAUSE_MS = 15_000
"""A pause longer than this says no more for a boundary."""


def scenes_by_cuts(end: int, cuts: Sequence[int], cues: Sequence[Cue]) -> tuple[Scene, ...]:
    """Scenes that cover the film, each of 40 s to 2 min where its cuts allow it.

    A scene ends at the cut in reach that lies in the longest pause of the dialogue; of equal ones the latest, so that
    there are no more scenes than need be. Without a cut in reach it ends after two minutes.
    """
    spoken = sorted((cue.start, cue.end) for cue in cues if cue.kind in (CueKind.SPEECH, CueKind.SUNG))
    scenes: list[Scene] = []
    start = 0
    while start < end:
        stop = end
        if end - start > LONGEST_MS:
            latest = min(start + LONGEST_MS, end - SHORTEST_MS)
            near = [cut for cut in cuts if start + SHORTEST_MS <= cut <= latest]
            stop = max(near, key=lambda cut: (_pause(cut, spoken), cut), default=latest)
        scenes.append(Scene(f"s{len(scenes) + 1}", Span(start, stop)))
        start = stop
    return tuple(scenes)


def _pause(cut: int, spoken: Sequence[tuple[int, int]]) -> int:
    """How long nobody speaks around a cut, in whole seconds; 0 within a line."""
    starts = [start for start, _ in spoken]
    before = bisect_right(starts, cut) - 1
    last = max((end for _, end in spoken[max(before - 3, 0) : before + 1]), default=cut - PAUSE_MS)
    following = bisect_left(starts, cut)
    after = starts[following] if following < len(starts) else cut + PAUSE_MS
    return min(max(after - max(last, 0), 0), PAUSE_MS) // 1000 if last <= cut else 0
