"""Why in, why out, and what an edit would bring, asked of the plan as it is shown."""

import random
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
from random_films import changed, random_edit, random_film

from adstudio.core.document import Document
from adstudio.core.plan import Plan, Status
from adstudio.core.script import Pin, Rules, Script, Variant
from adstudio.core.settings import Near
from adstudio.core.steps import Replace
from adstudio.core.timebase import Span
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.film import partition, reasons
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.planning.film.film_problem import film_problem, scene_of_each
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.planning.film.reason_messages import ReasonWriter
from adstudio.planning.film.second_opinion import Purpose
from adstudio.planning.live.explain import Explanation, explain, longer_gap


def pinned(script: Script, identity: str, pin: Pin) -> Script:
    old = script.eventuality(identity)
    return Replace(old, replace(old, pin=pin)).apply(script)


@pytest.mark.parametrize("seed", range(12))
def test_reasons_and_the_worth_of_gaps_are_those_of_explain(seed: int) -> None:
    rng = random.Random(seed)
    script, gaps = random_film(seed, elements=20, pins=0.05, scenes=0)
    planner = FilmPlanner(script, gaps)
    for number in range(4):
        script = random_edit(rng, script, number).apply(script)
        outcome = planner.replan(script, gaps)
        if outcome.conflicts:
            continue
        planner.settle()
        right = explain(film_problem(script, gaps), solve_exact)
        assert isinstance(right, Explanation)
        spoken = outcome.plan.by_element
        for each in right.reasons:
            mine = planner.reason(each.element)
            assert mine is not None
            assert mine.spoken == (each.element in spoken)
            # Of equally good plans the two may show different ones.
            if mine.spoken == each.spoken:
                assert mine.loss == each.loss
        assert [planner.gap_value(worth.gap) for worth in right.gaps] == list(right.gaps)


def test_nobody_has_no_reason_and_no_gap_no_worth() -> None:
    script, gaps = random_film(1)
    planner = FilmPlanner(script, gaps)
    assert planner.reason("nobody") is None
    assert planner.gap_value(Span(1, 2)) is None
    assert planner.reason_with(replace(script.eventualities[0], id="nobody")) is None
    assert planner.question("nobody") is None


def test_the_cost_of_forcing_a_line_pinned_out() -> None:
    for seed in range(10):
        script, gaps = random_film(seed, elements=30, pins=0, scenes=0)
        free = FilmPlanner(script, gaps).outcome.plan
        for delivery in free.deliveries[:4]:
            out = pinned(script, delivery.element, Pin(selected=False))
            planner = FilmPlanner(out, gaps)
            found = planner.reason(delivery.element)
            held_in = solve_exact(film_problem(pinned(script, delivery.element, Pin(selected=True)), gaps))
            assert found is not None
            assert not found.spoken
            assert found.loss == (planner.outcome.plan.objective or 0) - (held_in.objective or 0)


@pytest.mark.parametrize("seed", range(12))
def test_what_an_edit_would_bring_is_what_it_brings(seed: int) -> None:
    rng = random.Random(seed)
    script, gaps = random_film(seed, elements=25, pins=0.05, scenes=0)
    planner = FilmPlanner(script, gaps)
    before = planner.outcome
    for _ in range(15):
        old = rng.choice(script.eventualities)
        if rng.random() < 0.5:
            lengths = [rng.randint(1, 60) * 300 for _ in old.variants]
            new = replace(old, variants=tuple(Variant("", duration=length) for length in lengths))
        else:
            new = changed(rng, old, rng.choice(("reweight", "pin")))
        new = replace(new, pin=replace(new.pin, selected=None if new.pin.start is not None else True))
        found = planner.reason_with(new)
        right = solve_exact(film_problem(Replace(old, new).apply(script), gaps)).objective
        assert found is not None
        if not before.conflicts:
            assert found.loss == (None if right is None else (before.plan.objective or 0) - right)
    assert planner.outcome is before
    assert planner.replan(script, gaps).plan.objective == before.plan.objective


def test_undo_shows_the_remembered_plan() -> None:
    """Many lines of equal worth: there are many best plans, and undo must show the one that was shown."""
    for seed in range(10):
        rng = random.Random(seed)
        script, gaps = random_film(seed, elements=30, pins=0, scenes=0)
        lines = tuple(replace(e, salience=e.salience and 500_000) for e in script.eventualities)
        document = Document(replace(script, eventualities=lines))
        planner = FilmPlanner(document.script, gaps)
        shown: dict[int, Plan] = {document.revision: planner.outcome.plan}
        for number in range(12):
            document.apply(random_edit(rng, document.script, number))
            shown[document.revision] = planner.replan(document.script, gaps).plan
        while document.undo():
            expected = shown[document.revision]
            outcome = planner.replan(document.script, gaps, expected)
            assert outcome.plan.deliveries == expected.deliveries


def ruled_film(seed: int, share: int = 1_000_000) -> tuple[Script, tuple[Span, ...], FilmPlanner]:
    script, gaps = random_film(seed, elements=24, pins=0, scenes=2, share=share)
    first = [e.id for e in script.eventualities if e.occurrence and script.scenes[0].span.contains(e.occurrence)][:3]
    script = replace(script, rules=Rules(alternatives=(tuple(first),)) if len(first) > 1 else Rules())
    planner = FilmPlanner(script, gaps)
    while requests := [r for r in planner.outcome.open if r.purpose is Purpose.PLAN]:
        planner.accept(requests[0], solve_cpsat(requests[0].problem))
    return script, gaps, planner


@pytest.mark.parametrize("share", [1_000_000, 700_000])
def test_where_rules_apply_every_line_has_its_reason_at_once(share: int) -> None:
    judged = dict.fromkeys(("tied", "not tied", "impossible"), 0)
    for seed in range(6):
        script, _, planner = ruled_film(seed, share)
        for line in script.eventualities:
            request = planner.question(line.id)
            if request is None:
                continue
            found = planner.reason(line.id)
            assert found is not None
            assert not found.open
            assert found.spoken == (line.id in planner.outcome.plan.by_element)
            right = solve_cpsat(request.problem)
            expected = None if right.objective is None else request.expected - right.objective
            assert found.loss == expected
            tied = "tied" if line.id in script.rules.mentioned else "not tied"
            judged[tied if found.loss is not None else "impossible"] += 1
    assert min(judged.values()) > 0


HOUSES = {
    "fill": {"max_share": 850_000},
    "near": {"near": Near(500, 2_000, 800_000), "delta_early": 1_500, "delta_late": 4_000},
    "reach": {"reach": 1},
    "pause": {"min_pause": 300},
    "all": {
        "max_share": 850_000,
        "near": Near(500, 2_000, 800_000),
        "delta_early": 1_500,
        "delta_late": 4_000,
        "reach": 1,
        "min_pause": 300,
    },
}


@pytest.mark.parametrize("house", HOUSES)
def test_under_every_setting_each_line_has_its_reason_in_words_at_once(house: str) -> None:
    told = dict.fromkeys((True, False), 0)
    for seed in range(8):
        script, gaps = random_film(seed, elements=20, pins=0.05, scenes=3)
        script = replace(script, settings=replace(script.settings, **HOUSES[house]))
        planner = FilmPlanner(script, gaps)
        problem = film_problem(script, gaps)
        locks = partial(conflict_message, script, gaps)
        writer = ReasonWriter(planner.problem, planner.outcome.plan, script.film.timecode, locks)
        for place, line in enumerate(script.eventualities):
            found = planner.reason(line.id)
            assert found is not None
            assert not found.open
            words = writer.why(found)
            assert words.endswith(".")
            if planner.outcome.conflicts:
                continue
            pin = Pin(selected=False) if found.spoken else replace(line.pin, selected=True)
            elements = list(problem.elements)
            elements[place] = replace(elements[place], pin=pin)
            best = solve_exact(replace(problem, elements=tuple(elements))).objective
            assert found.loss == (None if best is None else (planner.outcome.plan.objective or 0) - best)
            # What keeps a line out is a limit or a lock, and is named; what would change is named as well.
            assert (found.loss is None) == ("No gap can" in words or "keep it out" in words or "no action" in words)
            named = [f"“{each.element}”" for each in found.others.changes[:2]]
            assert not named or any(name in words for name in named)
            told[found.loss is None] += 1
    assert min(told.values()) > 5


@pytest.mark.parametrize("share", [1_000_000, 700_000])
def test_a_second_of_a_gap_among_rules_is_worth_what_cpsat_says(share: int) -> None:
    asked = 0
    for seed in range(8):
        _, gaps, planner = ruled_film(seed, share)
        settled = planner._settled
        for gap in gaps:
            parts = [] if settled is None else settled.parts_at(gap)
            found = planner.gap_value(gap)
            if len(parts) != 1:
                assert not parts or found is None
                continue
            (part,) = parts
            if gap not in part.problem.gaps:
                assert found is None
                continue
            assert found is not None
            assert found.in_scene == bool(part.scene)
            best = solve_cpsat(longer_gap(part.problem, part.problem.gaps.index(gap))).objective
            assert found.value == (None if best is None else best - (part.plan.objective or 0))
            asked += 1
    assert asked > 8


@pytest.mark.parametrize("share", [1_000_000, 700_000])
def test_a_film_planned_as_one_has_its_reasons_at_once(share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it is: the frontiers of the film are there already."""
    monkeypatch.setattr(reasons, "MAX_IMMEDIATE", 0)
    judged = 0
    for seed in range(8):
        script, gaps = random_film(seed, elements=20, pins=0.05, scenes=0, share=share)
        ids = [line.id for line in script.eventualities]
        rules = Rules(alternatives=(tuple(ids[2:5]),), requires=((ids[6], ids[9]),), together=((ids[1], ids[7]),))
        planner = FilmPlanner(replace(script, rules=rules), gaps)
        if planner.outcome.conflicts:
            continue
        assert planner.outcome.plan.status is Status.OPTIMAL
        for identity in ids:
            found, request = planner.reason(identity), planner.question(identity)
            assert found is not None
            assert request is not None
            assert not found.open
            right = solve_cpsat(request.problem)
            assert found.loss == (None if right.objective is None else request.expected - right.objective)
            judged += found.loss is not None
    assert judged


@pytest.mark.parametrize("share", [1_000_000, 700_000])
def test_questions_to_the_worker_give_the_reasons_of_explain(share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "AT_ONCE", 0)
    asked = 0
    for seed in range(3):
        script, _, planner = ruled_film(seed, share)
        for line in script.eventualities[:8]:
            request = planner.question(line.id)
            found = planner.reason(line.id)
            assert found is not None
            if request is None or not found.open:
                assert not found.open
                continue
            asked += 1
            explained = planner.explained(request, solve_cpsat(request.problem))
            settled = planner._settled
            assert settled is not None
            part = settled.part_of(line.id)
            assert part is not None
            right = explain(part.problem, solve_cpsat, line.id)
            assert isinstance(right, Explanation)
            assert explained is not None
            if explained.spoken == right.reasons[0].spoken:
                assert explained.loss == right.reasons[0].loss
    assert asked


def test_before_a_scene_is_proven_its_reasons_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "AT_ONCE", 0)
    waiting = 0
    for seed in range(20):
        script, gaps = random_film(seed, elements=24, pins=0, scenes=2)
        ids = [e.id for e, name in zip(script.eventualities, scene_of_each(script), strict=True) if name == "s0"]
        planner = FilmPlanner(replace(script, rules=Rules(alternatives=tuple(pairwise(ids)))), gaps)
        for request in planner.outcome.open:
            waiting += 1
            assert all(found is not None and found.open for found in map(planner.reason, ids))
            planner.accept(request, solve_cpsat(request.problem))
            assert not any(found is None or found.open for found in map(planner.reason, ids))
    assert waiting


def test_an_answer_about_an_older_scene_tells_nothing() -> None:
    script, gaps, planner = ruled_film(0)
    name = next(e.id for e in script.eventualities if planner.question(e.id) is not None and e.occurrence)
    request = planner.question(name)
    assert request is not None
    answer = solve_cpsat(request.problem)
    old = script.eventuality(name)
    planner.replan(Replace(old, replace(old, salience=77_777)).apply(script), gaps)
    assert planner.explained(request, answer) is None
