"""The best plan's path through a chain's frontiers: repairing it after changes, and comparing paths.

The new path is traced back from the last frontier that may differ; once it reaches a state of the old path before all
changes, the rest is the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adstudio.planning.engines.frontier import STEPPED_OVER, Chain, PathStep
from adstudio.planning.engines.options import Option

Path = list[PathStep]
"""What the best plan takes at each row (`Chain.path`)."""


class Rewording(NamedTuple):
    """A row, and what is taken there now: a variant, near its action or far, or −1 for none.

    Where `fusion` is the id of one, it is that which is taken, in place of this row and those after it.
    """

    place: int
    variant: int
    far: bool = False
    fusion: str = ""


class Step(NamedTuple):
    """What a path takes in place of rows first…last−1, which is one row unless it is a fusion; None for nothing."""

    first: int
    last: int
    option: Option | None


def visited(path: Path, at: int) -> int:
    """The first frontier from here on that a path goes through: fusions step past some."""
    while at < len(path) and path[at].state == STEPPED_OVER.state:
        at += 1
    return at


def repair_path(chain: Chain, path: Path, first: int, last: int) -> tuple[int, list[int]]:
    """Update the best path in place after frontiers first…last changed.

    Returns:
        Where it met the old one, and the rows with another choice now.
    """
    at, moved = visited(path, last), list[int]()
    place = _place_on(chain, path, at)
    while at > 0:
        step, place = _back(chain, at, place)
        at = step.first
        met = at < first and path[at].state == chain.frontiers[at][0][place]
        taken = [chain.step(at, place, step.option), *[STEPPED_OVER] * (step.last - at - 1)]
        for row, (new, old) in enumerate(zip(taken, path[at : step.last], strict=True), start=at):
            if new.variant != old.variant or new.fusion != old.fusion:
                moved.append(row)
        path[at : step.last] = taken
        if met:
            break
    return at, moved


def rewordings(chain: Chain, path: Path, first: int, last: int) -> Iterator[Rewording]:
    """What the best path takes in place of an old one's, if frontiers first…last differ; `path` is unchanged."""
    at = visited(path, last)
    place = _place_on(chain, path, at)
    while at > 0:
        step, place = _back(chain, at, place)
        at = step.first
        yield from reworded(path, step)
        if at < first and path[at].state == chain.frontiers[at][0][place]:
            return


def steps_to(chain: Chain, at: int, place: int, path: Sequence[PathStep]) -> Iterator[Step]:
    """What the path to a state of `frontiers[at]` takes, backwards until it meets another path."""
    while at > 0:
        if at < len(path) and path[at].state == chain.frontiers[at][0][place]:
            return
        step, place = _back(chain, at, place)
        at = step.first
        yield step


def reworded(path: Path, step: Step) -> Iterator[Rewording]:
    """What is other in a path where it takes a step instead."""
    first, last, option = step
    if not path[first].takes(option):
        yield rewording(first, option)
    for row in range(first + 1, last):
        if path[row].variant >= 0:
            yield Rewording(row, -1)


def rewording(at: int, option: Option | None) -> Rewording:
    """An option that is taken at a row, None for none."""
    return Rewording(at, -1) if option is None else Rewording(at, option.variant, option.far, option.fusion)


def _back(chain: Chain, at: int, place: int) -> tuple[Step, int]:
    """The step that leads to a state of `frontiers[at]`, and the place of the state it came from."""
    option, place = chain.step_back(at - 1, place)
    return Step(at - (1 if option is None else option.over), at, option), place


def _place_on(chain: Chain, path: Path, at: int) -> int:
    """The place of a path's state in `frontiers[at]`; at the end of the film, of the best one."""
    states = chain.frontiers[at][0]
    return len(states) - 1 if at == len(chain.rows) else bisect_left(states, path[at].state)
