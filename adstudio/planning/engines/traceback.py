"""The best plan's path through a chain's frontiers: repairing it after changes, and comparing paths.

The new path is traced back from the last frontier that may differ; once it reaches a state of the old path before all
changes, the rest is the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adstudio.planning.engines.frontier import Chain, PathStep
from adstudio.planning.engines.options import Option

Path = list[PathStep]
"""What the best plan takes at each row (`Chain.path`)."""


class Rewording(NamedTuple):
    """A row, and what is taken there now: a variant, near its action or far, or −1 for none."""

    place: int
    variant: int
    far: bool = False


def repair_path(chain: Chain, path: Path, first: int, last: int) -> tuple[int, list[int]]:
    """Update the best path in place after frontiers first…last changed.

    Returns:
        Where it met the old one, and the rows with another choice now.
    """
    at, moved = last, list[int]()
    place = _place_on(chain, path, at)
    while at > 0:
        option, place = chain.step_back(at - 1, place)
        at -= 1
        step, old = chain.step(at, place, option), path[at]
        if step.variant != old.variant:
            moved.append(at)
        path[at] = step
        if at < first and old.state == step.state:
            break
    return at, moved


def rewordings(chain: Chain, path: Path, first: int, last: int) -> Iterator[Rewording]:
    """What the best path takes in place of an old one's, if frontiers first…last differ; `path` is unchanged."""
    at, place = last, _place_on(chain, path, last)
    while at > 0:
        option, place = chain.step_back(at - 1, place)
        at -= 1
        if not path[at].takes(option):
            yield _rewording(at, option)
        if at < first and path[at].state == chain.frontiers[at][0][place]:
            return


def rewordings_to(chain: Chain, at: int, place: int, path: Sequence[PathStep]) -> list[Rewording]:
    """What the path to a state of `frontiers[at]` takes in place of what `path` does, until the two meet."""
    found: list[Rewording] = []
    rows, floors, origin = chain.rows, chain.floors, chain.states.origin
    states, values = chain.frontiers[at]
    while at > 0:
        state = states[place]
        if at < len(path) and path[at].state == state:
            break
        wanted = values[place] + chain.bases[at]
        at -= 1
        states, values = chain.frontiers[at]
        option, place = origin(states, values, rows[at], floors[at + 1], state, wanted)
        if not path[at].takes(option):
            found.append(_rewording(at, option))
    return found


def _rewording(at: int, option: Option | None) -> Rewording:
    return Rewording(at, -1) if option is None else Rewording(at, option.variant, option.far)


def _place_on(chain: Chain, path: Path, at: int) -> int:
    """The place of a path's state in `frontiers[at]`; at the end of the film, of the best one."""
    states = chain.frontiers[at][0]
    return len(states) - 1 if at == len(chain.rows) else bisect_left(states, path[at].state)
