"""What explaining a plan says of the other lines, under every setting: it is a plan, and the one that the pin gives."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from random_problems import random_problem

from adstudio.core.plan import Plan, Status
from adstudio.core.script import NO_PIN, Rules
from adstudio.core.timebase import Span, clock
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.film.reason_messages import OPEN, ReasonWriter
from adstudio.planning.live.explain import (
    Explanation,
    LineChange,
    explain,
    gap_value,
    longer_gap,
    planner_for,
    reason,
)
from adstudio.planning.problem import Choice, Element, Problem, choice_of
from adstudio.planning.shortfall import Limit, shortfall
from adstudio.planning.solve import solve

FILMS = 120


def problems(block: int) -> list[tuple[Problem, Plan]]:
    seeds = range(block * FILMS, (block + 1) * FILMS)
    found = [random_problem(seed, elements=14, pins=0.15, house=True) for seed in seeds]
    planned = [(problem, solve_exact(problem)) for problem in found]
    return [(problem, plan) for problem, plan in planned if plan.objective is not None]


def changed_plan(problem: Problem, plan: Plan, changes: Sequence[LineChange]) -> Plan | None:
    """The plan with these changes; None where that is no plan. Each change begins with what the plan has."""
    choices = {choice.place: choice for choice in (choice_of(problem, each) for each in plan.deliveries)}
    for each in changes:
        place = problem.index[each.element]
        lengths = problem.elements[place].durations
        was = choices.pop(place, None)
        assert (None if was is None else was.variant) == each.before
        lasted = 0 if each.before is None else lengths[each.before]
        assert each.longer == (0 if each.after is None else lengths[each.after]) - lasted
        if each.after is not None:
            choices[place] = Choice(place, each.after, each.far)
    return timed_plan(problem, sorted(choices.values()), backend="exact", status=Status.FEASIBLE)


@pytest.mark.parametrize("block", range(6))
def test_what_a_reason_says_of_all_lines_is_what_planning_with_the_pin_gives(block: int) -> None:
    told = 0
    for problem, plan in problems(block):
        planner = planner_for(problem, plan)
        for place, element in enumerate(problem.elements):
            found = reason(planner, place)
            assert found.spoken == (element.id in plan.by_element)
            pin = replace(NO_PIN if found.spoken else element.pin, selected=not found.spoken)
            elements = list(problem.elements)
            elements[place] = replace(element, pin=pin)
            asked = replace(problem, elements=tuple(elements))
            best = solve_exact(asked).objective
            assert found.loss == (None if best is None else (plan.objective or 0) - best)
            if best is None:
                continue
            own = []
            if not found.spoken:
                assert found.variant is not None
                own = [LineChange(element.id, None, found.variant, element.durations[found.variant], found.far)]
            elif element.id in plan.by_element:
                variant = plan.by_element[element.id].variant
                own = [LineChange(element.id, variant, None, -element.durations[variant])]
            then = changed_plan(asked, plan, [*own, *found.others.changes])
            assert then is not None
            assert then.objective == best
            told += len(found.others.changes)
    assert told > 50


@pytest.mark.parametrize("block", range(3))
def test_what_a_second_of_a_gap_brings_is_what_planning_with_it_gives(block: int) -> None:
    told = 0
    for problem, plan in problems(block):
        planner = planner_for(problem, plan)
        for place in range(len(problem.gaps)):
            found = gap_value(planner, place)
            longer = longer_gap(problem, place)
            best = solve_exact(longer).objective
            assert found.value == (None if best is None else best - (plan.objective or 0))
            if best is not None:
                then = changed_plan(longer, plan, found.lines.changes)
                assert then is not None
                assert then.objective == best
                told += len(found.lines.changes)
        assert planner.plan.deliveries == plan.deliveries
    assert told > 10


@pytest.mark.parametrize("block", range(4))
def test_what_keeps_a_line_out_is_what_keeps_it_out(block: int) -> None:
    """Without an excess other lines are in the way; with one, the line fits once the limit is so much wider."""
    kinds = set[Limit]()
    for problem, _ in problems(block):
        for place, element in enumerate(problem.elements):
            alone = replace(element, pin=replace(element.pin, selected=True, start=None, override=False))
            found = shortfall(problem, element)
            if element.occurrence is None:
                assert found is None
                continue
            only = replace(problem, elements=(alone,))
            fits = solve_exact(only).objective is not None
            assert found is not None
            assert fits == (not found.excesses), (problem, place)
            if len(found.excesses) != 1:
                continue
            ((limit, by),) = ((each.limit, each.by) for each in found.excesses)
            kinds.add(limit)
            match limit:
                case Limit.EARLY:
                    more = replace(only, delta_early=only.early + by)
                case Limit.LATE:
                    more = replace(only, delta_late=only.late + by)
                case Limit.REACH:
                    assert only.reach is not None
                    more = replace(only, reach=only.reach + by)
                case Limit.LENGTH:
                    assert by == found.length - found.gap.length > 0
                    continue
                case Limit.SHARE:
                    assert by == found.length - found.capacity > 0
                    assert found.gap.length >= found.length
                    continue
                case Limit.WITHIN:
                    within = alone.within
                    assert within is not None
                    wider = Span(max(0, within.start - by), within.end + by)
                    more = replace(only, elements=(replace(alone, within=wider),))
            assert solve_exact(more).objective is not None
    assert len(kinds) >= 5


def test_what_is_not_proven_is_not_said() -> None:
    """With rules, a question that ends unproven leaves its answer open."""
    lamp, door = (Element(name, Span(0, 4_000), 500_000, (3_000,), texts=(name,)) for name in ("lamp", "door"))
    rules = Rules(alternatives=(("lamp", "door"),))
    problem = Problem("s", Span(0, 10_000), (Span(0, 10_000),), (lamp, door), rules=rules)

    def unsure(asked: Problem) -> Plan:
        plan = solve(asked)
        whole = all(each.pin == NO_PIN for each in asked.elements) and asked.gaps == problem.gaps
        return plan if whole else replace(plan, status=Status.FEASIBLE)

    found = explain(problem, unsure)
    assert isinstance(found, Explanation)
    assert all(each.open and each.loss is None for each in found.reasons)
    assert [each.value for each in found.gaps] == [None]
    writer = ReasonWriter(problem, found.plan, clock, str)
    assert {writer.why(each) for each in found.reasons} == {OPEN}
