from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from adstudio.drafting.text.compress.knapsack import Group, Unit, best_of_each_size


def by_trying_all(units: tuple[Unit, ...]) -> dict[int, int]:
    """The worth of the best selection of each size, by looking at every subset."""
    best: dict[int, int] = {}
    places = range(1, len(units))
    for count in range(len(units)):
        for others in combinations(places, count):
            chosen = {0, *others}
            size = fits(units, chosen)
            if size is not None:
                worth = sum(units[at].worth for at in chosen)
                best[size] = max(worth, best.get(size, worth))
    return best


def fits(units: tuple[Unit, ...], chosen: set[int]) -> int | None:
    """How many words a selection has; None where it breaks the tree or a group."""
    size = 0
    allowed = {0}
    for at in chosen:
        size += units[at].words
        for group in units[at].groups:
            allowed.update(group.units)
            some = bool(chosen & set(group.units))
            if group.needed and not some:
                return None
            size += group.words if some else 0
    return size if chosen <= allowed else None


@st.composite
def trees(draw: st.DrawFn) -> tuple[Unit, ...]:
    count = draw(st.integers(1, 9))
    heads = [draw(st.integers(0, at - 1)) for at in range(1, count)]
    units = []
    for at in range(count):
        below = [child for child in range(1, count) if heads[child - 1] == at]
        groups = []
        while below:
            taken = draw(st.integers(1, len(below)))
            groups.append(Group(tuple(below[:taken]), draw(st.booleans()), draw(st.integers(0, 2))))
            below = below[taken:]
        units.append(Unit(draw(st.integers(1, 4)), draw(st.integers(-50, 500)), tuple(groups)))
    return tuple(units)


@given(trees())
def test_the_worth_is_that_of_trying_every_selection(units):
    found = best_of_each_size(units, 0)
    assert {size: selection.worth for size, selection in found.items()} == by_trying_all(units)
    for size, selection in found.items():
        assert fits(units, set(selection.units)) == size
        assert sum(units[at].worth for at in selection.units) == selection.worth


def test_by_hand():
    # "She | slowly | opens a door" with "and leaves": slowly 90, leaves 500 and its "and"
    units = (Unit(4, 400, (Group((1,)), Group((2,), words=1))), Unit(1, 90), Unit(1, 500))
    found = best_of_each_size(units, 0)
    assert {size: (selection.worth, set(selection.units)) for size, selection in found.items()} == {
        4: (400, {0}),
        5: (490, {0, 1}),
        6: (900, {0, 2}),
        7: (990, {0, 1, 2}),
    }


def test_a_needed_group_is_never_empty():
    units = (Unit(2, 0, (Group((1, 2), needed=True),)), Unit(3, 10), Unit(3, 20))
    found = best_of_each_size(units, 0)
    assert set(found) == {5, 8}
    assert found[5].units == {0, 2}


def test_a_chain_deeper_than_the_stack():
    units = (*(Unit(1, 1, (Group((at + 1,)),)) for at in range(1100)), Unit(1, 1))
    found = best_of_each_size(units, 0)
    assert len(found) == 1101
    assert found[700].units == frozenset(range(700))
