"""A film's shots and scenes as a table: where each begins and ends, and how long it is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from adstudio.core.film import Film
from adstudio.core.script import Scene
from adstudio.core.timebase import Span
from adstudio.delivery.columns import Cell, seconds_cell
from adstudio.delivery.tables import csv_rows

HEADINGS = ("number", "in", "out", "in s", "out s", "duration s", "scene", "scene title")


@dataclass(frozen=True)
class Shot:
    """A shot, or a whole scene where shots are not known; `scene` is the number of its scene, from 1, None without."""

    span: Span
    scene: int | None
    title: str


def shots_of(film: Film, scenes: Sequence[Scene], boundaries: Sequence[int]) -> tuple[Shot, ...]:
    """The shots that have these boundaries (ms); without any, the scenes; without those, the film as one.

    A shot is of the scene in which its middle is.
    """
    ordered = sorted(scenes, key=lambda scene: scene.span)
    if len(boundaries) < 2:
        found = tuple(Shot(scene.span, number, scene.title) for number, scene in enumerate(ordered, 1))
        return found or (Shot(Span(0, film.end), None, ""),)
    starts = [scene.span.start for scene in ordered]
    shots: list[Shot] = []
    for start, end in pairwise(boundaries):
        middle = (start + end) // 2
        place = bisect_right(starts, middle)
        within = place > 0 and middle <= ordered[place - 1].span.end
        shots.append(Shot(Span(start, end), place if within else None, ordered[place - 1].title if within else ""))
    return tuple(shots)


def shot_list(film: Film, shots: Sequence[Shot], separator: str = ",") -> bytes:
    """The shots as CSV (`csv_rows`), in timecode and in seconds; a shot's out is the next one's in.

    Raises:
        TimeError: for a start timecode that is not valid at the film's rate.
    """
    rows: list[Sequence[Cell]] = [
        (
            number,
            film.timecode(shot.span.start),
            film.timecode(shot.span.end),
            seconds_cell(shot.span.start),
            seconds_cell(shot.span.end),
            seconds_cell(shot.span.length),
            shot.scene,
            shot.title,
        )
        for number, shot in enumerate(shots, 1)
    ]
    return csv_rows(HEADINGS, rows, separator)
