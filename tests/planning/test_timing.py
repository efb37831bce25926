"""Timing against brute force over every millisecond, ties included."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from random_problems import in_reach, is_near, random_problem

from adstudio.core.settings import Near
from adstudio.core.timebase import Span
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.timing import Line, best_starts, deviation
from adstudio.planning.problem import Choice, Element, Problem, choice_of


def brute(lines: list[Line], pause: int) -> tuple[int, tuple[int, ...]] | None:
    """(total deviation, starts) of the best, the lexicographically earliest among equals, trying everything."""
    best = None
    spots = []
    for line in lines:
        gaps = line.gaps or (None,) * len(line.windows)
        windows = zip(line.windows, gaps, strict=True)
        spots.append([(start, gap) for (lo, hi), gap in windows for start in range(lo, hi + 1)])
    for choice in itertools.product(*spots):
        ready, sound, used = -1000, True, {}
        for line, (start, gap) in zip(lines, choice, strict=True):
            if start < ready:
                sound = False
                break
            ready = start + line.length + pause
            if gap is not None:
                used[gap] = used.get(gap, 0) + line.length
        if not sound or any(narrated > capacity for (_, _, capacity), narrated in used.items()):
            continue
        starts = tuple(start for start, _ in choice)
        found = (deviation(lines, starts), starts)
        if best is None or found < best:
            best = found
    return best


def random_lines(rng: random.Random, *, capped: bool) -> tuple[list[Line], int]:
    edges = sorted(rng.sample(range(30), 6))
    gaps = [
        (start, end, max(0, end - start - rng.randint(0, 4)))
        for start, end in zip(edges[::2], edges[1::2], strict=True)
    ]
    lines = []
    for _ in range(rng.randint(1, 4)):
        length = rng.randint(1, 5)
        windows, within = [], []
        overridden = rng.random() < 0.15
        if overridden:
            at = rng.randrange(28)
            windows = [(at, at)]
        else:
            lowest, highest = sorted((rng.randrange(-3, 30), rng.randrange(-3, 33)))
            for gap in gaps:
                lo, hi = max(gap[0], lowest), min(gap[1] - length, highest)
                if lo <= hi:
                    windows.append((lo, hi))
                    within.append(gap)
        target = None if rng.random() < 0.1 else rng.randrange(0, 60)
        lines.append(Line(length, tuple(windows), tuple(within) if capped and not overridden else None, target))
    return lines, rng.choice((0, 0, 1, 2))


def test_timing_is_the_best_and_the_earliest() -> None:
    placed = 0
    for seed, capped in itertools.product(range(1500), (False, True)):
        lines, pause = random_lines(random.Random(seed), capped=capped)
        expected = brute(lines, pause)
        starts = best_starts(lines, pause)
        if expected is None:
            assert starts is None
            continue
        placed += 1
        assert starts is not None
        assert (deviation(lines, starts), tuple(starts)) == expected
    assert placed > 700


def small_house_problem(seed: int) -> Problem:
    """A house problem of some tens of milliseconds, so that every start can be tried."""
    problem = random_problem(seed, elements=4, grid=1, pins=0.1, house=True)
    rng = random.Random(seed)
    early, late = rng.choice((None, 2, 5, 9)), rng.choice((None, 3, 7, 15))
    near = Near(rng.randint(0, early or 4), rng.randint(0, late or 4), rng.choice((300_000, 800_000)))
    pause = rng.choice((0, 0, 1, 2))
    return replace(problem, delta_max=20, delta_early=early, delta_late=late, near=near, min_pause=pause)


def brute_timing(problem: Problem, choices: list[Choice]) -> tuple[int, tuple[int, ...]] | None:
    """(deviation in half-milliseconds, starts) of the best way to speak these choices, trying every start of each."""
    best: tuple[int, tuple[int, ...]] | None = None

    def place(at: int, ready: int, off: int, starts: tuple[int, ...], used: dict[Span, int]) -> None:
        nonlocal best
        if at == len(choices):
            best = (off, starts) if best is None else min(best, (off, starts))
            return
        element = problem.elements[choices[at].place]
        length = element.durations[choices[at].variant]
        for start, gap in permitted_starts(problem, element, length, far=choices[at].far):
            if start < ready:
                continue
            then = dict(used)
            if gap is not None:
                then[gap] = then.get(gap, 0) + length
                if then[gap] * 1_000_000 > problem.max_share * gap.length:
                    continue
            more = 0 if element.occurrence is None else abs(2 * start + length - element.occurrence.doubled_midpoint)
            place(at + 1, start + length + problem.min_pause, off + more, (*starts, start), then)

    place(0, -1000, 0, (), {})
    return best


def permitted_starts(
    problem: Problem, element: Element, length: int, *, far: bool
) -> Iterator[tuple[int, Span | None]]:
    """Every start of a line near its action, or far from it, with the gap that it is in; None for an override."""
    within = element.within or Span(0, 10_000)
    if element.pin.override:
        assert element.pin.start is not None
        yield element.pin.start, None
        return
    assert element.occurrence is not None
    assert problem.near is not None
    alike = round(Fraction(element.salience * problem.near.far_gain, 1_000_000)) == element.salience
    for number, gap in enumerate(problem.gaps):
        for start in range(gap.start, gap.end - length + 1):
            after = Fraction(2 * start + length - element.occurrence.doubled_midpoint, 2)
            if (
                element.pin.start in (None, start)
                and within.start <= start <= within.end - length
                and -problem.early <= after <= problem.late
                and in_reach(problem, element.occurrence, number)
                and (alike or is_near(problem, element, start, length) != far)
            ):
                yield start, gap


def test_house_plans_are_timed_the_best_with_each_line_as_far_as_it_was_counted() -> None:
    """Timing brings no line that was counted as far near, or into another gap than its share allows."""
    lines = far = capped = 0
    for seed in range(400):
        problem = small_house_problem(seed)
        plan = solve_exact(problem)
        if plan.objective is None:
            continue
        choices = [choice_of(problem, each) for each in plan.deliveries]
        expected = brute_timing(problem, choices)
        assert (plan.deviation, tuple(each.start for each in plan.deliveries)) == expected
        lines += len(choices)
        far += sum(each.far for each in choices)
        capped += problem.capped and bool(choices)
    assert lines > 250
    assert far > 60
    assert capped > 100


def test_a_line_may_change_gaps_to_be_nearer() -> None:
    """2 s at a midpoint of 11 s: the gap from 0 to 5 is 7 s off, the one from 10 is right."""
    line = Line(2000, ((0, 3000), (10_000, 14_000)), None, 22_000)
    assert best_starts([line], 0) == [10_000]
    assert deviation([line], [10_000]) == 0


def test_midpoints_fall_on_half_milliseconds() -> None:
    """1 ms around 1.0 s: starting at 999 or 1000 is half a millisecond off either way; the earlier is taken."""
    line = Line(1, ((0, 5000),), None, 2000)
    assert best_starts([line], 0) == [999]
    assert deviation([line], [999]) == 1
