"""Live planning in the editor: the same from wherever one comes, sound always, and never blank for a conflict."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_films import other_gaps, random_edit, random_film
from random_problems import brute_force, random_problem

from adstudio.core.document import Document
from adstudio.core.plan import Status
from adstudio.core.script import Pin, Script
from adstudio.core.timebase import Span
from adstudio.planning.engines.conflicts import restricted_to
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.live_plan import FilmPlanner, Outcome, ProofState
from adstudio.planning.film.second_opinion import Purpose
from adstudio.planning.film.suspended_pins import is_contradictory
from adstudio.planning.problem import NO_SHARE_LIMIT, Problem
from adstudio.planning.verify import verify

EDITS = 20


def states(
    rng: random.Random,
    script: Script,
    gaps: tuple[Span, ...],
    *,
    rules: bool = False,
    house: bool = False,
    edits: int = EDITS,
) -> Iterator[tuple[Script, tuple[Span, ...]]]:
    """Every state that a describer comes to who edits, undoes and redoes, now and then several steps at a time."""
    document = Document(script)
    for number in range(edits):
        for _ in range(rng.choice((1, 1, 1, 4))):
            jump = rng.random()
            if jump < 0.25:
                document.undo()
            elif jump < 0.4:
                document.redo()
            elif jump < 0.5:
                gaps = other_gaps(rng)
            else:
                fresh = number * 10 + rng.randrange(10**6)
                document.apply(random_edit(rng, document.script, fresh, rules=rules, house=house))
        yield document.script, gaps


def require_sound(planner: FilmPlanner) -> None:
    assert planner.outcome.plan.status in (Status.OPTIMAL, Status.FEASIBLE)
    assert verify(problem_json(planner.problem), plan_json(planner.outcome.plan)) == []


def require_sound_by_the_script(script: Script, gaps: tuple[Span, ...], outcome: Outcome) -> None:
    """The plan keeps every hold that is not set aside, every rule, and textual order; worked out from the script."""
    film = film_problem(script, gaps)
    aside = {(cause.element, cause.hold) for cause in outcome.suspended if hasattr(cause, "hold")}
    apart = {delivery.element for delivery in outcome.overlay}
    elements = []
    for element in film.elements:
        pin = element.pin
        if element.id in apart:
            pin = Pin(selected=False)
        if (element.id, "start") in aside:
            pin = replace(pin, selected=False, start=None, override=False)
        if (element.id, "selected") in aside and pin.selected:
            pin = replace(pin, selected=None)
        if (element.id, "variant") in aside:
            pin = replace(pin, variant=None)
        elements.append(replace(element, pin=pin))
    tied = film.rules
    if apart:
        # A rule that ties a line shown apart is not the plan's to keep.
        tied = replace(
            tied,
            alternatives=tuple(group for group in tied.alternatives if apart.isdisjoint(group)),
            requires=tuple(pair for pair in tied.requires if apart.isdisjoint(pair)),
            together=tuple(group for group in tied.together if apart.isdisjoint(group)),
        )
    left = replace(film, elements=tuple(elements), rules=tied)
    assert verify(problem_json(left), plan_json(outcome.plan)) == []


def infeasible(problem: Problem) -> bool:
    if problem.plain:
        return solve_exact(problem).status is Status.INFEASIBLE
    return solve_cpsat(problem, 10.0).status is Status.INFEASIBLE


def require_irreducible(film: Problem, outcome: Outcome) -> None:
    for conflict in outcome.conflicts:
        assert infeasible(restricted_to(film, conflict))
        for cause in conflict:
            assert not infeasible(restricted_to(film, [other for other in conflict if other != cause]))


@pytest.mark.parametrize("house", [False, True])
@pytest.mark.parametrize("seed", range(24))
def test_each_state_is_planned_as_from_cold(seed: int, house: bool) -> None:
    rng = random.Random(seed)
    script, gaps = random_film(seed, scenes=rng.choice((0, 4)), house=house)
    planner = FilmPlanner(script, gaps)
    for at, room in states(rng, script, gaps, house=house):
        outcome = planner.replan(at, room)
        if rng.random() < 0.5:
            planner.settle()
        cold = FilmPlanner(at, room).outcome
        assert outcome.plan.objective == cold.plan.objective
        assert (outcome.conflicts, outcome.overlay) == (cold.conflicts, cold.overlay)
        assert outcome.plan.status is Status.OPTIMAL
        require_sound(planner)
        require_sound_by_the_script(at, room, outcome)
        alone = solve_exact(film_problem(at, room))
        if alone.objective is None:
            assert outcome.conflicts
        else:
            assert not outcome.conflicts
            assert outcome.plan.objective == alone.objective


@pytest.mark.parametrize("house", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_conflicts_are_irreducible_and_the_rest_is_planned(seed: int, house: bool) -> None:
    script, gaps = random_film(100 + seed, pins=0.6, scenes=0, house=house)
    outcome = FilmPlanner(script, gaps).outcome
    require_irreducible(film_problem(script, gaps), outcome)
    require_sound_by_the_script(script, gaps, outcome)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_pins_leave_a_plan(data: st.DataObject) -> None:
    script, gaps = random_film(data.draw(st.integers(0, 30)), pins=0, scenes=0)
    planner = FilmPlanner(script, gaps)
    free = planner.outcome
    lines = list(script.eventualities)
    for place in data.draw(st.sets(st.integers(0, len(lines) - 1), max_size=8)):
        start = data.draw(st.none() | st.integers(0, 60_000))
        pin = Pin(selected=True, start=start, override=start is not None and data.draw(st.booleans()))
        lines[place] = replace(lines[place], pin=pin)
    pinned = replace(script, eventualities=tuple(lines))
    outcome = planner.replan(pinned, gaps)
    assert outcome.plan.status is Status.OPTIMAL
    require_sound(planner)
    require_sound_by_the_script(pinned, gaps, outcome)
    require_irreducible(film_problem(pinned, gaps), outcome)
    for delivery in outcome.overlay:
        assert delivery.start == pinned.eventuality(delivery.element).pin.start
        for spoken in outcome.plan.deliveries:
            if not pinned.eventuality(spoken.element).pin.held:
                assert spoken.end <= delivery.start or delivery.end <= spoken.start
    again = planner.replan(script, gaps)
    assert again.plan.objective == free.plan.objective
    assert not again.conflicts


def answered(planner: FilmPlanner, wanted: Purpose | None = None) -> Outcome:
    """All that is open answered by CP-SAT, as the worker would."""
    for _ in range(200):
        asked = [r for r in planner.outcome.open if wanted in (None, r.purpose)]
        if not asked:
            return planner.outcome
        request = asked[0]
        assert planner.accept(request, solve_cpsat(request.problem, request.limit)) is not None
    raise AssertionError("requests without end")


@pytest.mark.parametrize("house", [False, True])
@pytest.mark.parametrize("seed", range(16))
def test_with_rules_every_state_is_sound_and_ends_as_from_cold(seed: int, house: bool) -> None:
    rng = random.Random(seed)
    share = rng.choice((1_000_000, 1_000_000, 600_000))
    script, gaps = random_film(200 + seed, elements=16, scenes=3, share=share, house=house)
    planner = FilmPlanner(script, gaps)
    for at, room in states(rng, script, gaps, rules=True, house=house, edits=8):
        planner.replan(at, room)
        require_sound(planner)
        require_sound_by_the_script(at, room, planner.outcome)
        if rng.random() < 0.5:
            continue
        outcome = answered(planner)
        require_sound(planner)
        require_sound_by_the_script(at, room, outcome)
        assert outcome.plan.status is Status.OPTIMAL
        assert outcome.proof.state is not ProofState.OPEN
        fresh = FilmPlanner(at, room)
        cold = answered(fresh)
        assert outcome.plan.objective == cold.plan.objective
        assert outcome.conflicts == cold.conflicts
        alone = plan_film(at, room)
        if alone.status is Status.INFEASIBLE:
            assert outcome.conflicts
        elif at.settings.max_share == NO_SHARE_LIMIT or not outcome.conflicts:
            assert not outcome.conflicts
            assert outcome.plan.objective == alone.objective


@pytest.mark.parametrize("block", range(4))
def test_what_pins_and_rules_keep_in_decides_whether_they_can_hold(block: int) -> None:
    for seed in range(block * 60, block * 60 + 60):
        problem = random_problem(seed, elements=6, pins=0.5, rules=True)
        assert is_contradictory(problem) == (brute_force(problem) is None)
