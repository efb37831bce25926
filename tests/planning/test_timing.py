"""Timing against brute force over every millisecond, ties included."""

import itertools
import random

from adstudio.planning.engines.timing import Line, best_starts, deviation


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
