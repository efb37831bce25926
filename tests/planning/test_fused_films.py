"""Fusions in a film that is edited: planned live with rules, pins and second opinions, as from cold and soundly."""

import random
from dataclasses import replace

import pytest
from random_films import random_edit, random_film, ruled_film

from adstudio.core.script import Fusion, Script, Variant
from adstudio.core.timebase import Span
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.live_plan import FilmPlanner, ProofState
from adstudio.planning.film.reasons import question
from adstudio.planning.film.second_opinion import Purpose
from adstudio.planning.solve import solve
from adstudio.planning.verify import verify


def with_fusions(script: Script, rng: random.Random, share: float = 0.7) -> Script:
    """The script with wordings that say neighbours of one scene in one breath, shorter than they are."""
    found: list[Fusion] = []
    for first in range(len(script.eventualities) - 1):
        lines = script.eventualities[first : first + rng.choice((2, 2, 3))]
        if rng.random() > share or len(lines) < 2:
            continue
        full = sum(line.variants[0].duration or 0 for line in lines)
        lengths = [max(300, full * part // 10 // 300 * 300) for part in (8, 6, 4)[: rng.randint(1, 3)]]
        found.append(
            Fusion(
                f"f{first}-{rng.randrange(10**6)}",
                tuple(line.id for line in lines),
                tuple(Variant("", duration=length) for length in lengths),
                tuple(line.variants[0].text for line in lines),
            )
        )
    return replace(script, fusions=tuple(found))


def fused_deliveries(planner: FilmPlanner) -> int:
    return sum(bool(delivery.members) for delivery in planner.outcome.plan.deliveries)


def require_sound(planner: FilmPlanner) -> None:
    assert verify(problem_json(planner.problem), plan_json(planner.outcome.plan)) == []
    for delivery in planner.outcome.plan.deliveries:
        assert delivery.members == planner.problem.fused_members.get(delivery.element, ())


@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize("house", [False, True])
def test_each_state_is_planned_as_from_cold(block: int, house: bool) -> None:
    said = confirmed = 0
    for seed in range(block * 6, block * 6 + 6):
        rng = random.Random(seed)
        script, gaps = random_film(seed, scenes=rng.choice((0, 4)), house=house)
        script = with_fusions(script, rng)
        planner = FilmPlanner(script, gaps)
        for number in range(15):
            script = random_edit(rng, script, number, house=house).apply(script)
            outcome = planner.replan(script, gaps)
            require_sound(planner)
            if not outcome.conflicts:
                assert outcome.plan.objective == solve(film_problem(script, gaps)).objective
            said += fused_deliveries(planner)
            while planner.outcome.open and rng.random() < 0.4:
                asked = planner.outcome.open[0]
                assert asked.purpose is Purpose.CONFIRM
                answer = solve_cpsat(asked.problem)
                assert answer.objective == asked.expected
                planner.accept(asked, answer)
                assert planner.outcome.proof.state is not ProofState.DISPUTED
                confirmed += 1
    assert said > 10
    assert confirmed > 5


@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize("house", [False, True])
def test_scenes_with_rules_are_sound_and_end_as_from_cold(block: int, house: bool) -> None:
    said = 0
    for seed in range(block * 8, block * 8 + 8):
        rng = random.Random(seed)
        script, gaps = ruled_film(seed, house=house)
        script = with_fusions(script, rng)
        planner = FilmPlanner(script, gaps)
        for number in range(6):
            script = random_edit(rng, script, number, rules=True, house=house).apply(script)
            outcome = planner.replan(script, gaps)
            require_sound(planner)
            if not outcome.conflicts:
                assert verify(problem_json(film_problem(script, gaps)), plan_json(outcome.plan)) == []
                whole = solve(film_problem(script, gaps))
                assert (outcome.plan.objective or 0) <= (whole.objective or 0)
            for at in (planner, cold := FilmPlanner(script, gaps)):
                while asked := [r for r in at.outcome.open if r.purpose is Purpose.PLAN]:
                    at.accept(asked[0], solve(asked[0].problem, asked[0].backend))
            assert planner.outcome.plan.objective == cold.outcome.plan.objective
            require_sound(planner)
            said += fused_deliveries(planner)
    assert said > 5


@pytest.mark.parametrize("house", [False, True])
def test_conflicts_are_only_where_no_plan_is(house: bool) -> None:
    """Lines that are locked in and fit only in one breath are no conflict."""
    conflicts = saved = 0
    for seed in range(150):
        rng = random.Random(seed)
        script, gaps = random_film(400 + seed, elements=10, pins=0.2, scenes=rng.choice((0, 3)), house=house)
        lines = tuple(
            replace(line, pin=replace(line.pin, selected=True))
            if not line.pin.held and line.occurrence and rng.random() < 0.4
            else line
            for line in script.eventualities
        )
        script = with_fusions(replace(script, eventualities=lines), rng, share=0.9)
        planner = FilmPlanner(script, gaps)
        require_sound(planner)
        whole = solve(film_problem(script, gaps))
        assert bool(planner.outcome.conflicts) == (whole.objective is None)
        conflicts += whole.objective is None
        saved += (
            whole.objective is not None and solve(replace(film_problem(script, gaps), fusions=())).objective is None
        )
    assert conflicts > 20
    assert saved > 2


def test_reasons_in_scenes_with_rules_equal_planning_again() -> None:
    asked = fused = 0
    for seed in range(40):
        rng = random.Random(seed)
        script, gaps = ruled_film(500 + seed)
        script = with_fusions(script, rng)
        planner = FilmPlanner(script, gaps)
        settled = planner._settled
        if settled is None or planner.outcome.conflicts or planner.outcome.open:
            continue
        for state in settled.states:
            for name in state.problem.index.keys() - state.fixed:
                reason = planner.reason(name)
                assert reason is not None
                assert reason.spoken == (name in state.plan.by_line)
                answer = solve(question(state, name, "auto", 10).problem)
                if reason.open:
                    continue
                expected = None if answer.objective is None else (state.plan.objective or 0) - answer.objective
                assert reason.loss == expected
                asked += 1
                fused += bool(reason.fusion)
    assert asked > 50
    assert fused > 2


def test_a_fusion_at_the_edge_of_a_second_opinion_is_planned_whole() -> None:
    """Without scenes an opinion is about twenty lines on either side: one more where a fusion begins there."""
    rng = random.Random(1)
    script, gaps = random_film(900, elements=60, pins=0, scenes=0)
    script = with_fusions(script, rng, share=1)
    planner = FilmPlanner(script, gaps)
    for number in range(8):
        line = rng.choice(script.eventualities)
        script = replace(
            script,
            eventualities=tuple(
                replace(each, salience=rng.randint(1, 1_000_000)) if each is line and each.occurrence else each
                for each in script.eventualities
            ),
        )
        for request in planner.replan(script, gaps).open:
            assert solve_cpsat(request.problem).objective == request.expected, number
    assert gaps[0] < Span(10**9, 10**9)
