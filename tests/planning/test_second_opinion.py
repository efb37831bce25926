"""What CP-SAT answers in the background: it confirms, delivers, comes too late, disagrees, or lies."""

import logging
import random
from dataclasses import replace
from itertools import pairwise

import pytest
from random_films import at_random, random_film

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Pin, Rules, Script
from adstudio.core.steps import Replace
from adstudio.core.timebase import Span
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film import live_plan, partition
from adstudio.planning.film.live_plan import Engines, FilmPlanner, ProofState
from adstudio.planning.film.second_opinion import Purpose, SceneRequest, confirmation, range_around, validated
from adstudio.planning.problem import far_worth, is_far
from adstudio.planning.verify import verify


def reweighted(script: Script, identity: str, salience: int) -> Script:
    old = script.eventuality(identity)
    return Replace(old, replace(old, salience=salience)).apply(script)


def planner_after_an_edit(seed: int = 1, scenes: int = 4) -> tuple[FilmPlanner, Script, tuple[Span, ...]]:
    script, gaps = random_film(seed, pins=0, scenes=scenes)
    planner = FilmPlanner(script, gaps)
    assert planner.outcome.open == ()
    edited = reweighted(script, script.eventualities[10].id, 990_000)
    planner.replan(edited, gaps)
    return planner, edited, gaps


def test_after_an_edit_the_touched_scene_is_to_be_confirmed_unbounded() -> None:
    planner, script, _ = planner_after_an_edit()
    (request,) = planner.outcome.open
    assert request.purpose is Purpose.CONFIRM
    assert script.eventualities[10].id in request.problem.index
    assert request.problem.plain
    assert request.problem.previous == ()
    assert planner.outcome.proof.state is ProofState.EXACT


def test_agreement_is_shown() -> None:
    planner, _, _ = planner_after_an_edit()
    (request,) = planner.outcome.open
    outcome = planner.accept(request, solve_cpsat(request.problem))
    assert outcome is not None
    assert outcome.open == ()
    assert outcome.proof.state is ProofState.CONFIRMED
    assert "CP-SAT" in outcome.proof.text


@pytest.mark.parametrize("house", [False, True])
@pytest.mark.parametrize("scenes", [0, 4])
def test_the_exact_plan_of_a_stretch_is_the_best_between_what_surrounds_it(scenes: int, house: bool) -> None:
    for seed in range(60 if house else 30):
        script, gaps = random_film(seed, elements=60, pins=0.1, scenes=scenes, house=house)
        rng = random.Random(seed)
        planner = FilmPlanner(script, gaps)
        for _ in range(3):
            old = at_random(rng, script)
            if old.occurrence is None:
                continue
            script = reweighted(script, old.id, rng.randint(0, 1_000_000))
            for request in planner.replan(script, gaps).open:
                assert solve_exact(request.problem).objective == request.expected


def test_an_answer_to_an_older_question_is_dropped() -> None:
    planner, script, gaps = planner_after_an_edit()
    (request,) = planner.outcome.open
    answer = solve_cpsat(request.problem)
    shown = planner.replan(reweighted(script, script.eventualities[11].id, 10_000), gaps)
    assert request not in shown.open
    assert planner.accept(request, answer) is None
    assert planner.outcome is shown


def test_coming_back_to_a_confirmed_state_asks_nothing() -> None:
    planner, script, gaps = planner_after_an_edit()
    (request,) = planner.outcome.open
    planner.accept(request, solve_cpsat(request.problem))
    planner.replan(reweighted(script, script.eventualities[10].id, 20_000), gaps)
    assert planner.replan(script, gaps).proof.state is ProofState.CONFIRMED


def lies(request: SceneRequest, honest: Plan) -> list[Plan]:
    first = honest.deliveries[0]
    twice = replace(honest, deliveries=(first, first, *honest.deliveries[1:]))
    return [
        replace(honest, objective=10**15, bound=10**15),
        replace(honest, deliveries=(replace(first, start=-5_000, end=10**9), *honest.deliveries[1:])),
        replace(honest, deliveries=(replace(first, variant=99), *honest.deliveries[1:])),
        replace(honest, deliveries=(replace(first, variant=-1), *honest.deliveries[1:])),
        replace(honest, deliveries=(Delivery("nobody", 0, 0, 1), *honest.deliveries)),
        replace(honest, deliveries=tuple(reversed(honest.deliveries))),
        twice,
        replace(honest, deliveries=tuple(Delivery(e.id, 0, 0, 1) for e in request.problem.elements)),
        Plan(Status.OPTIMAL, "cpsat"),
        Plan(Status.INVALID, "cpsat", deliveries=honest.deliveries),
        Plan(Status.TIMEOUT, "cpsat"),
        Plan(Status.INFEASIBLE, "cpsat"),
    ]


@pytest.mark.parametrize("number", range(12))
def test_a_lying_worker_changes_nothing_that_is_shown(number: int) -> None:
    planner, _, _ = planner_after_an_edit()
    (request,) = planner.outcome.open
    shown = planner.outcome.plan
    outcome = planner.accept(request, lies(request, solve_cpsat(request.problem))[number])
    assert outcome is not None
    assert outcome.plan.deliveries == shown.deliveries
    assert outcome.plan.objective == shown.objective


def test_what_is_taken_from_an_answer_is_sound_whatever_it_says() -> None:
    for seed in range(20):
        planner, _, _ = planner_after_an_edit(seed)
        for request in planner.outcome.open:
            honest = solve_cpsat(request.problem)
            for lie in lies(request, honest) if honest.deliveries else []:
                sound = validated(request.problem, lie)
                assert sound is None or verify(problem_json(request.problem), plan_json(sound)) == []


def test_a_better_answer_is_shown_and_said(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """An exact engine that was wrong: here the plan before the edit, which is no longer the best."""
    script, gaps = random_film(1, pins=0, scenes=0)
    planner = FilmPlanner(script, gaps)
    left_out = next(
        e for e in script.eventualities if planner.outcome.plan.by_element.get(e.id) is None and e.occurrence
    )
    edited = reweighted(script, left_out.id, 10_000 * 1_000_000)
    live = planner._live
    assert live is not None
    problem, stale = live_plan.IncrementalProblem().update(edited, gaps), live.plan
    path = list(live.path)
    best = solve_exact(problem)
    assert left_out.id in best.by_element

    def wrongly(problem: object) -> Plan:
        live.problem = problem
        live.path = path
        live.plan = stale
        return stale

    monkeypatch.setattr(live, "replan", wrongly)
    (request,) = planner.replan(edited, gaps).open
    with caplog.at_level(logging.ERROR):
        outcome = planner.accept(request, solve_cpsat(request.problem))
    assert outcome is not None
    assert outcome.proof.state is ProofState.DISPUTED
    assert "better plan" in outcome.proof.text
    assert outcome.plan.objective is not None
    assert stale.objective is not None
    assert outcome.plan.objective > stale.objective
    assert verify(problem_json(problem), plan_json(outcome.plan)) == []
    assert caplog.records


def test_an_engine_that_finds_nothing_where_a_plan_is_shown_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    planner, _, _ = planner_after_an_edit()
    (request,) = planner.outcome.open
    outcome = planner.accept(request, Plan(Status.INFEASIBLE, "cpsat"))
    assert outcome is not None
    assert outcome.proof.state is ProofState.DISPUTED
    assert caplog.records


def test_a_failed_request_is_not_asked_again() -> None:
    planner, _, _ = planner_after_an_edit()
    (request,) = planner.outcome.open
    outcome = planner.refuse(request, "Gurobi is not installed")
    assert outcome is not None
    assert outcome.open == ()
    assert outcome.proof.state is ProofState.EXACT
    assert planner.refuse(request, "again") is None


def test_the_engine_chosen_is_asked() -> None:
    planner, _, _ = planner_after_an_edit()
    assert [r.backend for r in planner.use(Engines("gurobi", 5)).open] == ["gurobi"]
    assert [(r.backend, r.limit) for r in planner.use(Engines("cpsat", 20)).open] == [("cpsat", 20)]
    assert planner.use(Engines("exact")).open == ()


@pytest.fixture
def nothing_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every scene whose rules matter is left to the worker."""
    monkeypatch.setattr(partition, "AT_ONCE", 0)


def ruled() -> tuple[Script, tuple[Span, ...], FilmPlanner]:
    """A film in which the two most valuable lines of a scene exclude each other: a repair may not be the best."""
    for seed in range(40):
        script, gaps = random_film(seed, pins=0, scenes=3)
        said = FilmPlanner(script, gaps).outcome.plan
        for scene in script.scenes:
            names = [d.element for d in said.deliveries if scene.span.contains(d.span)]
            if len(names) == len(said.deliveries):
                continue
            for first, second in pairwise(names):
                planner = FilmPlanner(replace(script, rules=Rules(alternatives=((first, second),))), gaps)
                if planner.outcome.open:
                    return replace(script, rules=Rules(alternatives=((first, second),))), gaps, planner
    raise AssertionError("no such film")


@pytest.mark.usefixtures("nothing_at_once")
def test_a_scene_with_rules_is_shown_soundly_until_it_is_planned() -> None:
    _, _, planner = ruled()
    before = planner.outcome
    assert before.proof.state is ProofState.OPEN
    assert before.proof.gap > 0
    (request,) = before.open
    assert request.purpose is Purpose.PLAN
    assert request.problem.rules
    assert verify(problem_json(planner.problem), plan_json(before.plan)) == []
    after = planner.accept(request, solve_cpsat(request.problem))
    assert after is not None
    assert after.proof.state is ProofState.IN_PARTS
    assert (after.plan.objective or 0) >= (before.plan.objective or 0)
    assert after.plan.bound == after.plan.objective


@pytest.mark.usefixtures("nothing_at_once")
def test_an_edit_elsewhere_leaves_a_planned_scene_alone() -> None:
    script, gaps, planner = ruled()
    (request,) = planner.outcome.open
    planner.accept(request, solve_cpsat(request.problem))
    other = next(e for e in script.eventualities if e.id not in request.problem.index and e.occurrence)
    outcome = planner.replan(reweighted(script, other.id, 1_000), gaps)
    assert all(r.purpose is Purpose.CONFIRM for r in outcome.open)
    planned = (e.id for r in outcome.open for e in r.problem.elements if e.pin.start is None)
    assert set(planned).isdisjoint(request.problem.index)


@pytest.mark.usefixtures("nothing_at_once")
def test_an_edit_of_the_scene_makes_its_answer_stale_and_keeps_the_plan_sound() -> None:
    script, gaps, planner = ruled()
    (request,) = planner.outcome.open
    answer = solve_cpsat(request.problem)
    inside = next(name for name in request.problem.index if script.eventuality(name).occurrence)
    planner.replan(reweighted(script, inside, 123_456), gaps)
    assert planner.accept(request, answer) is None
    assert verify(problem_json(planner.problem), plan_json(planner.outcome.plan)) == []


@pytest.mark.usefixtures("nothing_at_once")
def test_an_answer_that_breaks_a_rule_is_not_shown() -> None:
    _, _, planner = ruled()
    (request,) = planner.outcome.open
    shown = planner.outcome.plan
    free = solve_exact(replace(request.problem, rules=Rules()))
    outcome = planner.accept(request, replace(free, backend="cpsat"))
    assert outcome is not None
    assert outcome.plan.objective == shown.objective
    assert outcome.proof.state is ProofState.OPEN


def test_most_scenes_with_rules_are_proven_at_once() -> None:
    """By branch and bound within the step: the worker has nothing to do, and CP-SAT agrees."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition, "AT_ONCE", 0)
        script, gaps, left = ruled()
    planner = FilmPlanner(script, gaps)
    (request,) = left.outcome.open
    assert planner.outcome.open == ()
    assert planner.outcome.proof.state is ProofState.IN_PARTS
    answered = left.accept(request, solve_cpsat(request.problem))
    assert answered is not None
    assert planner.outcome.plan.objective == answered.plan.objective


def edited_scene_with_rules() -> tuple[FilmPlanner, SceneRequest]:
    """After an edit of a line in a scene with rules that was proven at once, and the second opinion on that scene."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition, "AT_ONCE", 0)
        script, gaps, _ = ruled()
    planner = FilmPlanner(script, gaps)
    tied = next(iter(script.rules.mentioned))
    planner.replan(reweighted(script, tied, 654_321), gaps)
    (request,) = planner.outcome.open
    assert request.purpose is Purpose.CONFIRM
    assert request.problem.rules
    return planner, request


def test_a_scene_with_rules_is_confirmed_by_cpsat() -> None:
    planner, request = edited_scene_with_rules()
    shown = planner.outcome.plan
    outcome = planner.accept(request, solve_cpsat(request.problem))
    assert outcome is not None
    assert outcome.open == ()
    assert outcome.plan.deliveries == shown.deliveries
    assert outcome.proof.state is ProofState.IN_PARTS
    assert outcome.proof.text.endswith("confirmed by CP-SAT")


def test_a_second_opinion_on_a_scene_with_rules_can_disagree(caplog: pytest.LogCaptureFixture) -> None:
    planner, request = edited_scene_with_rules()
    shown = planner.outcome.plan
    with caplog.at_level(logging.ERROR):
        outcome = planner.accept(request, Plan(Status.INFEASIBLE, "cpsat"))
    assert outcome is not None
    assert outcome.proof.state is ProofState.DISPUTED
    assert outcome.plan.deliveries == shown.deliveries
    assert "disagree" in caplog.text


@pytest.mark.usefixtures("nothing_at_once")
def test_rules_across_scenes_are_one_request() -> None:
    script, gaps = random_film(3, pins=0, scenes=3)
    said = [d.element for d in FilmPlanner(script, gaps).outcome.plan.deliveries]
    tied = replace(script, rules=Rules(alternatives=((said[0], said[-1]),), together=((said[1], said[-2]),)))
    planner = FilmPlanner(tied, gaps)
    assert len(planner.outcome.open) <= 1
    for request in planner.outcome.open:
        assert request.scene == ""
        assert len(request.problem.elements) == len(script.eventualities)


def test_a_stretch_is_a_scene_or_some_forty_lines() -> None:
    names = ["a"] * 5 + ["b"] * 7 + [""] * 100 + ["c"] * 300
    assert range_around(3, names) == (0, 5)
    assert range_around(11, names) == (5, 12)
    assert range_around(60, names) == (40, 81)
    first, last = range_around(250, names)
    assert first <= 250 < last
    assert last - first == 41


@pytest.mark.parametrize("house", [False, True])
def test_a_range_avoids_lines_outside_it(house: bool) -> None:
    """The lines spoken before and after a run of the plan are in its request, pinned where they are."""
    asked = 0
    for seed in range(20):
        script, gaps = random_film(seed, elements=40, pins=0, scenes=0, house=house)
        live = FilmPlanner(script, gaps)._live
        assert live is not None
        spoken = live.plan.by_element
        places = [live.problem.index[name] for name in spoken]
        if len(places) < 4:
            continue
        first, last = places[1], places[-2] + 1
        request = confirmation(live.problem, live.plan, (first, last), "", "cpsat", 1.0)
        part = request.problem
        for line in (live.plan.deliveries[0], live.plan.deliveries[-1]):
            pin = part.elements[part.index[line.element]].pin
            assert (pin.selected, pin.variant, pin.start) == (True, line.variant, line.start)
        ids = [element.id for element in live.problem.elements]
        assert [e.id for e in part.elements if e.pin.start is None] == ids[first:last]
        assert request.expected == sum(
            (far_worth(part, e) if is_far(part, e, spoken[e.id].start, spoken[e.id].end) else e.worth)
            * e.durations[spoken[e.id].variant]
            for e in part.elements
            if e.id in spoken
        )
        asked += 1
    assert asked > 5


def test_pins_hold_in_a_stretch() -> None:
    script, gaps = random_film(7, elements=40, pins=0, scenes=0)
    old = script.eventualities[12]
    held = Replace(old, replace(old, pin=Pin(selected=False))).apply(script)
    planner = FilmPlanner(script, gaps)
    for request in planner.replan(held, gaps).open:
        assert request.problem.elements[request.problem.index[old.id]].pin.selected is False
