"""Of equally good plans, a film that is planned afresh has the one that people have approved."""

from dataclasses import replace
from itertools import permutations

import pytest

from adstudio.core.film import Film
from adstudio.core.script import Approval, Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.live_plan import FilmPlanner

# Each is 2 s long and the gap is 3 s, so that one of the three is spoken, and any of them is as good.
GAPS = (Span(0, 3_000),)
LINES = tuple(
    Eventuality(
        f"e{n}", (Variant("Full.", duration=2_000), Variant("Brief.", duration=2_000)), Span(500, 2_500), 500_000
    )
    for n in range(3)
)
FILM = Script(Film("Three of a kind", 10_000), eventualities=LINES)


def spoken(script: Script) -> list[tuple[str, int]]:
    return [(each.element, each.variant) for each in FilmPlanner(script, GAPS).outcome.plan.deliveries]


@pytest.mark.parametrize("accepted", [0, 1, 2])
@pytest.mark.parametrize("wording", [0, 1])
def test_an_accepted_line_is_spoken_as_it_was_accepted(accepted: int, wording: int):
    lines = list(LINES)
    lines[accepted] = replace(LINES[accepted], accepted=True, approval=Approval(wording, 500))
    script = replace(FILM, eventualities=tuple(lines))
    assert spoken(script) == [(f"e{accepted}", wording)]
    assert [each.element for each in plan_film(script, GAPS).deliveries] == [f"e{accepted}"]


@pytest.mark.parametrize("accepted", [0, 1, 2])
def test_an_accepted_line_stays_though_how_it_was_spoken_is_not_known(accepted: int):
    lines = list(LINES)
    lines[accepted] = replace(LINES[accepted], accepted=True)
    assert spoken(replace(FILM, eventualities=tuple(lines))) == [(f"e{accepted}", 0)]


@pytest.mark.parametrize("accepted", [0, 1, 2])
def test_a_line_of_a_reviewed_scene_stays_and_of_another_does_not(accepted: int):
    lines = list(LINES)
    lines[accepted] = replace(LINES[accepted], approval=Approval(1, 500))
    script = replace(FILM, eventualities=tuple(lines))
    for reviewed, wording in ((True, (f"e{accepted}", 1)), (False, spoken(FILM)[0])):
        scenes = (Scene("s", Span(0, 10_000), reviewed=reviewed),)
        assert spoken(replace(script, scenes=scenes)) == [wording]


@pytest.mark.parametrize(("accepted", "planned"), list(permutations(range(3), 2)))
def test_a_plan_that_is_given_is_kept(accepted: int, planned: int):
    chosen = list(LINES)
    chosen[planned] = replace(LINES[planned], accepted=True)
    plan = FilmPlanner(replace(FILM, eventualities=tuple(chosen)), GAPS).outcome.plan
    lines = list(LINES)
    lines[accepted] = replace(LINES[accepted], accepted=True)
    script = replace(FILM, eventualities=tuple(lines))
    assert FilmPlanner(script, GAPS, plan).outcome.plan.deliveries == plan.deliveries


def test_a_better_plan_is_not_given_up_for_an_accepted_line():
    better = replace(LINES[0], salience=500_001)
    script = replace(FILM, eventualities=(better, replace(LINES[1], accepted=True), LINES[2]))
    assert [each for each, _ in spoken(script)] == ["e0"]
