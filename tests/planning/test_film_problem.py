"""Whole films: scopes, scenes with rules planned alone, shares, and the rest around them."""

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Plan, Status
from adstudio.core.script import Eventuality, Penalty, Pin, Rules, Scene, Script, Variant
from adstudio.core.settings import Scope, Settings
from adstudio.core.timebase import Span
from adstudio.delivery.unmet_pins import unmet_pins
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.verify import verify

GAPS = tuple(Span(start, start + 6000) for start in range(0, 120_000, 12_000))


def film(seed: int = 1) -> Script:
    """Four scenes of 30 s with six eventualities each, one of them without a scene of its own."""
    rng = random.Random(seed)
    scenes = tuple(Scene(f"s{n}", Span(n * 30_000, (n + 1) * 30_000)) for n in range(4))
    eventualities = []
    for scene in scenes:
        starts = sorted(rng.randrange(scene.span.start, scene.span.end - 2000) for _ in range(6))
        for number, start in enumerate(starts):
            texts = ["word " * rng.randint(4, 12), "word " * rng.randint(2, 4)]
            eventualities.append(
                Eventuality(
                    id=f"{scene.id}-e{number}",
                    variants=tuple(
                        Variant(text, rate) for text, rate in zip(texts, (Fraction(1), Fraction(1, 2)), strict=True)
                    ),
                    occurrence=Span(start, start + 1500),
                    salience=rng.randint(1, 99) * 10_000,
                    scene=scene.id if number else None,
                )
            )
    return Script(Film("f", 120_000), scenes=scenes, eventualities=tuple(eventualities))


def require_sound(script: Script, plan: Plan) -> None:
    problem = problem_json(film_problem(script, GAPS))
    assert verify(problem, plan_json(plan)) == []


def test_a_film_is_planned_as_one() -> None:
    plan = plan_film(film(), GAPS)
    assert plan.status is Status.OPTIMAL
    assert plan.backend == "exact"
    require_sound(film(), plan)


def test_by_scene_no_delivery_leaves_its_scene() -> None:
    script = replace(film(), settings=Settings(scope=Scope.SCENE))
    plan = plan_film(script, GAPS)
    for delivery in plan.deliveries:
        number = int(delivery.element[1])
        assert Span(number * 30_000, (number + 1) * 30_000).contains(delivery.span)
    whole, bounded = plan_film(film(), GAPS).objective, plan.objective
    assert whole is not None
    assert bounded is not None
    assert bounded <= whole


def test_a_scene_with_rules_is_planned_alone_and_the_rest_around_it() -> None:
    for seed in range(8):
        rules = Rules(
            alternatives=(("s1-e0", "s1-e1", "s1-e2"),),
            requires=(("s1-e3", "s1-e0"),),
            penalties=(Penalty("s1-e4", "s1-e5", 400_000),),
        )
        script = replace(film(seed), rules=rules, settings=Settings(min_pause=300))
        plan = plan_film(script, GAPS)
        assert plan.status is Status.OPTIMAL
        require_sound(script, plan)
        for delivery in plan.deliveries:
            if delivery.element.startswith("s1-"):
                assert Span(30_000, 60_000).contains(delivery.span)
        free = plan_film(replace(script, rules=Rules()), GAPS)
        assert free.objective is not None
        assert plan.objective is not None
        assert plan.objective <= free.objective


def test_a_share_leaves_room_to_breathe_in_every_gap() -> None:
    script = replace(film(), settings=Settings(max_share=500_000))
    plan = plan_film(script, GAPS)
    assert plan.status is Status.OPTIMAL
    require_sound(script, plan)
    for gap in GAPS:
        assert sum(d.end - d.start for d in plan.deliveries if gap.contains(d.span)) <= 3000


def test_a_scene_with_rules_avoids_a_pin_outside_it() -> None:
    """The last line of scene 0 is held at 48–51 s, inside scene 1: scene 1 speaks only after it."""
    script = film()
    held = replace(script.eventualities[5], pin=Pin(start=48_000, override=True, variant=1))
    lines = (*script.eventualities[:5], held, *script.eventualities[6:])
    ruled = replace(script, eventualities=lines, rules=Rules(alternatives=(("s1-e0", "s1-e1"),)))
    plan = plan_film(ruled, GAPS)
    assert plan.status is Status.OPTIMAL
    require_sound(ruled, plan)
    end = plan.by_element["s0-e5"].end
    assert all(d.start >= end for d in plan.deliveries if d.element.startswith("s1-"))


def test_a_gap_across_two_scenes_is_shared_once() -> None:
    """A gap from 27 to 33 s lies half in each scene; half of its 6 s may be narrated, by both scenes together."""
    gaps = (Span(0, 5000), Span(27_000, 33_000), Span(50_000, 58_000))
    for seed in range(12):
        script = replace(film(seed), settings=Settings(max_share=500_000))
        plan = plan_film(script, gaps)
        assert plan.status is Status.OPTIMAL
        assert verify(problem_json(film_problem(script, gaps)), plan_json(plan)) == []


def test_rules_across_scenes_hold_by_planning_as_one() -> None:
    for seed in range(4):
        rules = Rules(alternatives=(("s0-e1", "s2-e1"),), together=(("s1-e0", "s3-e2"),))
        script = replace(film(seed), rules=rules)
        plan = plan_film(script, GAPS)
        assert plan.objective is not None
        require_sound(script, plan)


def test_rules_between_lines_without_a_scene_hold() -> None:
    script = replace(film(), scenes=(), rules=Rules(alternatives=(("s0-e1", "s0-e2"),), requires=(("s1-e0", "s3-e2"),)))
    plan = plan_film(script, GAPS)
    assert plan.status is Status.OPTIMAL
    require_sound(script, plan)


def test_a_line_held_in_another_scene_does_not_break_the_film() -> None:
    """Scene 1 has rules; the last line of scene 0 is held in but can only be said inside scene 1."""
    script = film()
    late = replace(script.eventualities[5], occurrence=Span(48_500, 49_500), pin=Pin(selected=True))
    lines = (*script.eventualities[:5], late, *script.eventualities[6:])
    ruled = replace(script, eventualities=lines, rules=Rules(alternatives=(("s1-e0", "s1-e1"),)))
    plan = plan_film(ruled, GAPS)
    assert plan.status is Status.OPTIMAL
    require_sound(ruled, plan)
    assert "s0-e5" in plan.by_element


def test_pins_that_cannot_hold_name_themselves() -> None:
    script = film()
    first, second = script.eventualities[:2]
    lines = (
        replace(first, pin=Pin(start=2000, override=True)),
        replace(second, pin=Pin(start=2100, override=True)),
        *script.eventualities[2:],
    )
    plan = plan_film(replace(script, eventualities=lines), GAPS)
    assert plan.status is Status.INFEASIBLE
    assert {(cause.element, cause.hold) for cause in plan.conflict} == {(first.id, "start"), (second.id, "start")}


def test_rates_by_language_and_a_variants_own_duration() -> None:
    """Six words: 1.8 s at 200 a minute, 2.0 s at 180; a measured duration stands above both."""
    variant = Variant("one two three four five six")
    base = Script(Film("f", 10_000, language="pt-BR"))
    assert base.duration(variant) == 1800
    portuguese = replace(base, settings=Settings(rate_by_language=(("pt", 180),)))
    assert portuguese.duration(variant) == 2000
    assert portuguese.duration(replace(variant, duration=1234)) == 1234


@pytest.mark.parametrize(
    ("held", "planned"),
    [
        ({"extended": True}, True),
        ({"extended": True, "pin": Pin(selected=False)}, False),
        ({"extended": True, "occurrence": None}, False),
        ({"pin": Pin(selected=False)}, False),
    ],
)
def test_rules_do_not_wait_for_a_line_that_holds_the_picture(held: dict[str, Any], planned: bool) -> None:
    """It is spoken without being in the plan; one that is not spoken at all still keeps its dependents out."""
    needed, dependent, together = film().eventualities[:3]
    script = replace(
        film(),
        eventualities=(replace(needed, **held), dependent, together),
        rules=Rules(requires=((dependent.id, needed.id),), together=((together.id, needed.id),)),
    )
    assert plan_film(script, GAPS).by_element.keys() == ({dependent.id, together.id} if planned else set())


def test_a_locked_line_does_not_conflict_with_the_extended_one_that_it_requires() -> None:
    needed, dependent = film().eventualities[:2]
    script = replace(
        film(),
        eventualities=(replace(needed, extended=True), replace(dependent, pin=Pin(selected=True))),
        rules=Rules(requires=((dependent.id, needed.id),)),
    )
    plan = plan_film(script, GAPS)
    assert plan.status is Status.OPTIMAL
    assert plan.by_element.keys() == {dependent.id}
    assert not unmet_pins(script, plan)
