"""The random baseline: gaps filled greedily, the same for the same seed."""

from dataclasses import replace

import pytest

from adstudio.core.errors import BadInputError
from adstudio.core.settings import Near
from adstudio.core.timebase import Span
from adstudio.core.words import spoken_ms
from adstudio.planning.engines.baselines import parse_pool, solve_random
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.problem import Element, Problem
from adstudio.planning.verify import verify

POOL = [" ".join(["word"] * count) for count in range(1, 12)]
PROBLEM = Problem("s", Span(0, 60_000), (Span(0, 7000), Span(9000, 9200), Span(20_000, 31_000)), (), min_pause=100)


def test_gaps_are_filled_until_nothing_fits() -> None:
    plan = solve_random(PROBLEM, POOL, seed=3)
    assert verify(problem_json(PROBLEM), plan_json(plan)) == []
    for gap in PROBLEM.gaps:
        inside = [d for d in plan.deliveries if gap.contains(d.span)]
        said = [d.text for d in inside]
        assert len(set(said)) == len(said)
        left = gap.end - (inside[-1].end + PROBLEM.min_pause) if inside else gap.length
        assert all(spoken_ms(text, 200) > left for text in POOL if text not in said)


def test_lines_of_no_element_gain_nothing() -> None:
    element = Element("e1", Span(1_000, 2_000), 500_000, (3_000, 2_000))
    dull = Element("e2", Span(1_000, 2_000), -500_000, (3_000,))
    problem = replace(PROBLEM, elements=(element, dull))
    plan = solve_random(problem, POOL, 3)
    assert (plan.objective, plan.deviation) == (0, 0)
    assert plan.deliveries == solve_random(PROBLEM, POOL, 3).deliveries
    # No plan exceeds e1 at its longest.
    assert plan.bound == 500_000 * 3_000
    nothing_fits = solve_random(replace(problem, gaps=(Span(0, 100),)), POOL, 3)
    assert (nothing_fits.deliveries, nothing_fits.objective) == ((), 0)
    assert verify(problem_json(problem), plan_json(nothing_fits)) == []


def test_seeds_repeat_and_differ() -> None:
    assert solve_random(PROBLEM, POOL, 1).deliveries == solve_random(PROBLEM, POOL, 1).deliveries
    assert solve_random(PROBLEM, POOL, 1).deliveries != solve_random(PROBLEM, POOL, 2).deliveries


def test_texts_from_a_pool_know_no_house_rules() -> None:
    house = replace(
        PROBLEM, max_share=100_000, delta_early=0, delta_late=1, near=Near(early=0, late=0, far_gain=1), reach=0
    )
    plan = solve_random(house, POOL, 1)
    assert plan.deliveries == solve_random(PROBLEM, POOL, 1).deliveries
    assert verify(problem_json(house), plan_json(plan)) == []


def test_a_pool_without_words_is_refused() -> None:
    with pytest.raises(BadInputError, match="word"):
        solve_random(PROBLEM, ["…", ""])
    with pytest.raises(BadInputError):
        parse_pool(b'["a", 3]', "pool.json")
