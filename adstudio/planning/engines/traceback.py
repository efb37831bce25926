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


def rewordings_to(
    chain: Chain, at: int, place: int, own: Sequence[PathStep], path: Sequence[PathStep], mirrored: int = 0
) -> list[Rewording]:
    """What the path to a state of `frontiers[at]` takes in place of what `path` does, until it meets its own path.

    Args:
        chain: the frontiers.
        at: the number of the frontier.
        place: the place of the state in it.
        own: the path of `path` through this chain: the same, unless the chain is mirrored.
        path: the path that is compared with.
        mirrored: the number of rows, where the chain is mirrored.
    """
    found: list[Rewording] = []
    rows, floors, origin = chain.rows, chain.floors, chain.states.origin
    states, values = chain.frontiers[at]
    while at > 0:
        state = states[place]
        if at < len(own) and own[at].state == state:
            break
        row, last = rows[at - 1], at
        before = chain.frontiers[at - 1]
        way = origin(*before, row, floors[at], state, values[place] + chain.bases[at])
        option, place = chain.step_back(at - 1, place) if way is None else way
        over = 1 if option is None else option.over
        at -= over
        states, values = before if over == 1 else chain.frontiers[at]
        first = mirrored - last if mirrored else at
        old = path[first]
        if option is None:
            if old.variant >= 0:
                found.append(Rewording(first, -1))
        elif old.variant != option.variant or old.far != option.far or old.fusion != option.fusion:
            found.append(Rewording(first, option.variant, option.far, option.fusion))
        if over > 1:
            found += [Rewording(each, -1) for each in range(first + 1, first + over) if path[each].variant >= 0]
    return found


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
