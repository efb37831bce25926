"""Films with rules in several scenes that share gaps and caps: each state is sound by the whole film’s problem."""

import os
import random

import pytest
from random_films import random_edit, ruled_film

from adstudio.core.plan import Plan, Status
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film import partition
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.live_plan import FilmPlanner, ProofState
from adstudio.planning.film.second_opinion import Purpose
from adstudio.planning.solve import solve
from adstudio.planning.verify import verify

FILMS = int(os.environ.get("ADSTUDIO_FILMS", "120"))
"""How many random films of each kind."""


def require_valid(script: Script, gaps: tuple[Span, ...], plan: Plan) -> None:
    assert verify(problem_json(film_problem(script, gaps)), plan_json(plan)) == []


@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize("house", [False, True])
def test_scenes_that_share_gaps_keep_their_caps_and_pauses(block: int, house: bool) -> None:
    """Whatever scene comes first: the parts and the rest together are a plan of the whole film."""
    in_parts = undivided = 0
    for seed in range(block * FILMS // 4, (block + 1) * FILMS // 4):
        script, gaps = ruled_film(seed, house=house)
        whole = solve(film_problem(script, gaps))
        planner = FilmPlanner(script, gaps)
        outcome = planner.outcome
        assert bool(outcome.conflicts) == (whole.objective is None)
        assert verify(problem_json(planner.problem), plan_json(outcome.plan)) == []
        if whole.objective is None:
            continue
        settled = planner._settled
        undivided += settled is not None and settled.undivided
        in_parts += outcome.proof.state is ProofState.IN_PARTS
        require_valid(script, gaps, outcome.plan)
        assert outcome.plan.status is Status.OPTIMAL
        assert (outcome.plan.objective or 0) <= whole.objective
        again = plan_film(script, gaps)
        assert (again.status, again.objective) == (Status.OPTIMAL, outcome.plan.objective)
        require_valid(script, gaps, again)
    assert in_parts > FILMS // 40
    # Parts that are planned clear of each other nearly always leave the rest a plan.
    assert undivided <= FILMS // 1000


@pytest.mark.parametrize("effort", [0, partition.AT_ONCE])
@pytest.mark.parametrize("seed", range(6))
def test_every_edit_leaves_a_valid_plan_and_answers_end_as_from_cold(
    seed: int, effort: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With everything planned at once, and with everything left to the worker, whose answers come or come too late."""
    monkeypatch.setattr(partition, "AT_ONCE", effort)
    rng = random.Random(seed)
    script, gaps = ruled_film(1_000 + seed, house=True)
    planner = FilmPlanner(script, gaps)
    for number in range(10):
        script = random_edit(rng, script, number, rules=True, house=True).apply(script)
        outcome = planner.replan(script, gaps)
        assert verify(problem_json(planner.problem), plan_json(outcome.plan)) == []
        if not outcome.conflicts:
            require_valid(script, gaps, outcome.plan)
        if rng.random() < 0.5:
            continue
        for at in (planner, cold := FilmPlanner(script, gaps)):
            while asked := [r for r in at.outcome.open if r.purpose is Purpose.PLAN]:
                at.accept(asked[0], solve(asked[0].problem, asked[0].backend))
        assert planner.outcome.plan.objective == cold.outcome.plan.objective
        assert planner.outcome.plan.status is cold.outcome.plan.status is Status.OPTIMAL
        assert verify(problem_json(planner.problem), plan_json(planner.outcome.plan)) == []
        if not outcome.conflicts:
            require_valid(script, gaps, planner.outcome.plan)
