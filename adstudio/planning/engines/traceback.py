"""The way that the best plan takes through a chain's frontiers: mended where they change, and what leaves it.

Whatever changed, the new way is walked back from the last frontier that may differ, and where it comes to a state of
the old one before all that changed, it is the old one from there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from adstudio.planning.engines.frontier import Chain

Path = list[tuple[int, int]]
"""The ready time before each row and the variant taken there, or −1 (`Chain.path`)."""


def mend(chain: Chain, path: Path, first: int, last: int) -> tuple[int, list[int]]:
    """Make a path the best one again, in place, where frontiers first…last differ.

    Returns:
        Where it met the old one, and the rows at which another choice is made now.
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


def gone_from(chain: Chain, path: Path, first: int, last: int) -> Iterator[int]:
    """The rows taken on an old path but not on the best one, where frontiers first…last differ; it stays as it is."""
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


def left_out(chain: Chain, at: int, place: int, path: Sequence[tuple[int, int]]) -> Iterator[int]:
    """The rows taken on `path` but not on the way that leads to a state of `frontiers[at]`, until the two meet."""
    while at > 0:
        ready, value = chain.frontiers[at]
        if at < len(path) and path[at][0] == ready[place]:
            return
        variant, place = chain.step_back(at - 1, ready[place], value[place])
        at -= 1
        if variant < 0 <= path[at][1]:
            yield at


def _place_on(chain: Chain, path: Path, at: int) -> int:
    """The state of `frontiers[at]` that a path goes through; at the end of the film, the best one."""
    ready = chain.frontiers[at][0]
    return len(ready) - 1 if at == len(chain.rows) else bisect_left(ready, path[at][0])
