"""A wording fits exactly if the planner can speak it while every other line stays as it is planned."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from random_films import eventuality
from random_problems import random_problem

from adstudio.core.film import Film
from adstudio.core.plan import Plan, Status
from adstudio.core.script import Eventuality, Pin, Script, Variant
from adstudio.core.settings import Near, Settings
from adstudio.core.timebase import Span
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.room import Obstacle, Room, Rooms
from adstudio.planning.problem import Problem

SEEDS = range(400)


def random_rooms(seed: int) -> Rooms | None:
    """A random script under house rules, planned; None where its pins conflict."""
    problem = random_problem(seed, elements=7, pins=0.3, house=True)
    if problem.early + problem.late == 0:
        # Then only lengths of one parity are possible, on a grid of milliseconds.
        problem = replace(problem, delta_late=300)
    settings = Settings(
        delta_max=problem.delta_max,
        min_pause=problem.min_pause,
        max_share=problem.max_share,
        delta_early=problem.delta_early,
        delta_late=problem.delta_late,
        near=problem.near,
        reach=problem.reach,
    )
    lines = tuple(eventuality(element) for element in problem.elements)
    script = Script(Film("f", 100_000_000), settings, eventualities=lines)
    plan = plan_film(script, problem.gaps)
    return None if plan.objective is None else Rooms(script, film_problem(script, problem.gaps), plan)


def held(rooms: Rooms, identity: str, lasts: int, start: int | None) -> Problem:
    """The problem with every other line held as it is planned, and this one held in with that length and start."""
    elements = []
    for element in rooms.problem.elements:
        spoken, pin = rooms.plan.by_element.get(element.id), element.pin
        if element.id == identity:
            mine = pin.start if start is None else start
            pin = Pin(selected=True, start=mine, override=pin.override and mine is not None)
            elements.append(replace(element, durations=(lasts,), texts=("",), rates=(1.0,), pin=pin))
        elif spoken is None:
            elements.append(replace(element, pin=Pin(selected=False)))
        else:
            elements.append(
                replace(element, pin=Pin(variant=spoken.variant, start=spoken.start, override=pin.override))
            )
    return replace(rooms.problem, elements=tuple(elements))


def holds(rooms: Rooms, identity: str, lasts: int, start: int | None = None) -> bool:
    return solve_exact(held(rooms, identity, lasts, start)).status is Status.OPTIMAL


def test_what_fits_is_what_the_planner_can_speak() -> None:
    answers = []
    for seed in SEEDS:
        rooms, dice = random_rooms(seed), random.Random(seed)
        if rooms is None:
            continue
        for line in rooms.script.eventualities:
            lengths = {*rooms.element(line.id).durations, dice.randint(1, 6_000)}
            lengths |= {each for each in (rooms.room(line.id, 1).most, rooms.room(line.id, 1).least) if each > 0}
            # The planner does not know where the film ends; only what is allowed over dialogue could reach so far.
            for lasts in sorted(each for each in lengths | {each + 1 for each in lengths} if each < 100_000):
                fits = rooms.room(line.id, lasts).fits(lasts)
                assert fits is holds(rooms, line.id, lasts), (seed, line.id, lasts)
                answers.append(fits)
    assert 0.2 < sum(answers) / len(answers) < 0.8
    assert len(answers) > 5_000


def test_where_it_fits_is_where_the_planner_can_speak_it() -> None:
    found: dict[Obstacle | None, int] = {}
    for seed in SEEDS:
        rooms, dice = random_rooms(seed), random.Random(seed)
        if rooms is None:
            continue
        for line in rooms.script.eventualities:
            spoken, lasts = rooms.plan.by_element.get(line.id), dice.choice(rooms.element(line.id).durations)
            near = 0 if line.occurrence is None else line.occurrence.start
            starts = {near, max(0, near - lasts), *([] if spoken is None else [spoken.start, spoken.end])}
            for gap in dice.sample(rooms.problem.gaps, min(2, len(rooms.problem.gaps))):
                starts |= {gap.start, dice.randint(gap.start, gap.end), max(gap.start, gap.end - lasts)}
            for start in sorted(starts):
                obstacle = rooms.obstacle(line.id, Span(start, start + lasts))
                assert (obstacle is None) is holds(rooms, line.id, lasts, start), (seed, line.id, start)
                found[obstacle] = found.get(obstacle, 0) + 1
                if obstacle is None:
                    assert rooms.room_at(line.id, start).fits(lasts)
    assert found.keys() == {None, *Obstacle}
    assert min(found.values()) > 5


SCRIPT = Script(
    Film("f", 60_000),
    eventualities=(
        Eventuality("a", (Variant("a", duration=2_000),), Span(1_000, 3_000), 500_000),
        Eventuality("b", (Variant("b", duration=3_000),), Span(6_000, 8_000), 500_000),
        Eventuality("c", (Variant("c", duration=1_000),), Span(9_000, 10_000), 500_000),
    ),
)
GAPS = (Span(0, 10_000), Span(14_000, 20_000))


def rooms_under(settings: Settings, *pins: Pin) -> Rooms:
    """Three lines planned at 1–3, 5.5–8.5 and 9–10 s, in a gap of 10 s; pins for the first of them."""
    lines = [replace(line, pin=pin) for line, pin in zip(SCRIPT.eventualities, pins, strict=False)]
    script = replace(SCRIPT, settings=settings, eventualities=(*lines, *SCRIPT.eventualities[len(lines) :]))
    problem = film_problem(script, GAPS)
    plan = plan_film(script, GAPS)
    assert [(each.start, each.end) for each in plan.deliveries] == [(1_000, 3_000), (5_500, 8_500), (9_000, 10_000)]
    return Rooms(script, problem, plan)


def test_room_is_between_the_neighbours_and_their_pauses() -> None:
    # From 3.0 + 0.4 to 9.0 − 0.4.
    assert rooms_under(Settings(min_pause=400)).room("b", 3_000) == Room(GAPS[0], 5_200)


def test_room_is_what_the_share_of_the_gap_has_left() -> None:
    # 7 of 10 s may be spoken in, of which a and c take 3.
    assert rooms_under(Settings(max_share=700_000)).room("b", 3_000) == Room(GAPS[0], 4_000)


def test_a_line_allowed_over_dialogue_takes_no_share() -> None:
    over = Pin(start=1_000, override=True)
    assert rooms_under(Settings(max_share=700_000), over).room("b", 3_000) == Room(GAPS[0], 6_000)


def test_room_is_within_the_window_of_each_side() -> None:
    # c happens about 9.5 s. With 2d + L ≤ 2 · 10 s and d ≥ 8.5 s it lasts at most 3 s, and its gap ends at 10 s.
    assert rooms_under(Settings(delta_early=2_000, delta_late=500)).room("c", 1_000) == Room(GAPS[0], 1_500)
    # b: from 3.0 on, 2d + L ≤ 2 · (7.0 + 0.2) s leaves 8.4 s; to 9.0 s, 2d + L ≥ 2 · (7.0 − 0.5) s leaves 5.0 s.
    assert rooms_under(Settings(delta_early=500, delta_late=200)).room("b", 3_000) == Room(GAPS[0], 5_000)


def test_a_locked_start_leaves_room_after_it_and_may_need_a_least_length() -> None:
    held_early = rooms_under(Settings(delta_early=1_000), Pin(start=1_000))
    # a happens about 2 s, so 2 · 1 + L ≥ 2 · 1 s: any length; up to b at 5.5 s.
    assert held_early.room("a", 2_000) == Room(GAPS[0], 4_500)
    # At 0.2 s it has to last 1.6 s for its middle to be at 1 s.
    assert held_early.room_at("a", 200) == Room(GAPS[0], 5_300, 1_600)
    assert held_early.obstacle("a", Span(200, 1_700)) is Obstacle.EARLY
    assert held_early.obstacle("a", Span(200, 1_800)) is None


def test_what_does_not_fit_in_its_own_gap_may_fit_in_another() -> None:
    rooms = rooms_under(Settings())
    # c has 1.5 s from the end of b to that of its gap; in the next, 2d + L ≤ 2 · 19.5 s leaves all of 6 s.
    assert rooms.room("c", 1_500) == Room(GAPS[0], 1_500)
    assert rooms.room("c", 1_501) == Room(GAPS[1], 6_000)
    assert rooms_under(Settings(reach=0)).room("c", 1_501) == Room(GAPS[0], 1_500)


def test_the_gap_near_a_line_is_one_in_reach() -> None:
    rooms = rooms_under(Settings())
    assert rooms.gap_near("c") == GAPS[0]
    nowhere = replace(rooms.script.eventuality("c"), occurrence=None)
    far = replace(rooms.script.eventuality("c"), occurrence=Span(40_000, 41_000))
    for line in (nowhere, far):
        script = rooms.script.with_eventuality(2, line)
        assert Rooms(script, film_problem(script, GAPS), Plan(Status.OPTIMAL, "exact")).gap_near("c") is None


@pytest.mark.parametrize("near", [None, Near(100, 100, 500_000)])
def test_near_limits_are_no_limits_of_room(near: Near | None) -> None:
    assert rooms_under(Settings(near=near)).room("b", 3_000) == Room(GAPS[0], 6_000)


def test_reach_counts_whole_gaps_where_one_is_in_two_pieces() -> None:
    """By hand: the first gap has lost its middle to a line in conflict; the action is in the second gap, now third."""
    line = Eventuality("a", (Variant("", duration=2_000),), occurrence=Span(25_000, 27_000), salience=500_000)
    script = Script(Film("f", 40_000), Settings(delta_max=60_000, reach=0), eventualities=(line,))
    whole = (Span(0, 10_000), Span(20_000, 40_000))
    pieces = (Span(0, 3_000), Span(5_000, 10_000), Span(20_000, 40_000))
    problem = replace(film_problem(script, whole), gaps=pieces, uncut_gaps=whole)
    rooms = Rooms(script, problem, Plan(Status.OPTIMAL, "exact"))
    assert rooms.room("a", 2_000).gap == whole[1]
    assert rooms.obstacle("a", Span(30_000, 32_000)) is None
    assert rooms.obstacle("a", Span(6_000, 8_000)) is Obstacle.REACH
