"""The best plan's path through a chain's frontiers: repairing it after changes, and comparing paths.

The new path is traced back from the last frontier that may differ; once it reaches a state of the old path before all
changes, the rest is the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from adstudio.planning.engines.frontier import Chain

Path = list[tuple[int, int]]
"""The ready time before each row and the variant taken there, or −1 (`Chain.path`)."""


def repair_path(chain: Chain, path: Path, first: int, last: int) -> tuple[int, list[int]]:
    """Update the best path in place after frontiers first…last changed.

    Returns:
        Where it met the old one, and the rows with another choice now.
    """
    at, moved = last, list[int]()
    place = _place_on(chain, path, at)
    while at > 0 and first <= last:
        ready, value = chain.frontiers[at]
        variant, place = chain.step_back(at - 1, ready[place], value[place])
        at -= 1
        came_from = chain.frontiers[at][0][place]
        old_from, old_variant = path[at]
        if variant != old_variant:
            moved.append(at)
        path[at] = (came_from, variant)
        if at < first and old_from == came_from:
            break
    return at, moved


def dropped_rows(chain: Chain, path: Path, first: int, last: int) -> Iterator[int]:
    """The rows taken on an old path but not on the best one, if frontiers first…last differ; `path` is unchanged."""
    at, place = last, _place_on(chain, path, last)
    while at > 0:
        ready, value = chain.frontiers[at]
        variant, place = chain.step_back(at - 1, ready[place], value[place])
        at -= 1
        old_from, old_variant = path[at]
        if variant < 0 <= old_variant:
            yield at
        if at < first and old_from == chain.frontiers[at][0][place]:
            return


def rows_left_out(chain: Chain, at: int, place: int, path: Sequence[tuple[int, int]]) -> Iterator[int]:
    """The rows taken on `path` but not on the path to a state of `frontiers[at]`, until the two meet."""
    while at > 0:
        ready, value = chain.frontiers[at]
        if at < len(path) and path[at][0] == ready[place]:
            return
        variant, place = chain.step_back(at - 1, ready[place], value[place])
        at -= 1
        if variant < 0 <= path[at][1]:
            yield at


def _place_on(chain: Chain, path: Path, at: int) -> int:
    """The state of `frontiers[at]` on a path; at the end of the film, the best one."""
    ready = chain.frontiers[at][0]
    return len(ready) - 1 if at == len(chain.rows) else bisect_left(ready, path[at][0])
