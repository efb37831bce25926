"""Fusions of a script in its plan: offered where they hold, and planned the same whatever edits led there."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from adstudio.core.film import Film
from adstudio.core.fusions import usable_fusions
from adstudio.core.narration import VoiceSettings
from adstudio.core.plan import Delivery
from adstudio.core.script import Cue, Eventuality, Fusion, Penalty, Pin, Rules, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.ablating import problem_with_salience
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.ablations import script_without_compression, script_without_grounding, without_compression
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.film.film_plan import plan_film, settled
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.live_plan import FilmPlanner, ProofState
from adstudio.planning.film.preview_worker import PROTOCOL, Preview, Previewed, Previewer, film_parts
from adstudio.planning.film.reason_messages import ReasonWriter
from adstudio.planning.film.room import Rooms
from adstudio.planning.film.scene_problem import scene_problem
from adstudio.planning.film.second_opinion import Purpose
from adstudio.planning.film.sent_lengths import SentLengths
from adstudio.planning.solve import solve

PARKS = Eventuality("a", (Variant("She parks her old motorbike."),), Span(0, 2000), 500_000, "s")
CROSSES = Eventuality("b", (Variant("She crosses the road."),), Span(3000, 5000), 400_000, "s")
BOTH = Fusion(
    "f",
    ("a", "b"),
    (Variant("She parks and crosses the road."), Variant("She parks and crosses.")),
    ("She parks her old motorbike.", "She crosses the road."),
)
SCRIPT = Script(
    Film("Shop", 20_000),
    scenes=(Scene("s", Span(0, 20_000)),),
    cues=(Cue("c", 2600, 20_000, "…"),),
    eventualities=(PARKS, CROSSES),
    fusions=(BOTH,),
)


def gaps(script: Script) -> tuple[Span, ...]:
    return gaps_of(script).gaps


def test_a_fusion_as_the_planner_sees_it() -> None:
    (fused,) = film_problem(SCRIPT, gaps(SCRIPT)).fusions
    # At 200 words a minute: 5 and 4 words are 1.5 and 1.2 s, 6 and 4 words of the fusion 1.8 and 1.2 s.
    assert (fused.id, fused.of, fused.occurrence, fused.durations) == ("f", ("a", "b"), Span(0, 5000), (1800, 1200))
    # (.5 · 1500 + .4 · 1200) / 1800, up to the next millionth: one breath is better than two.
    assert fused.salience == 683_334
    assert scene_problem(SCRIPT, gaps(SCRIPT), "s").fusions == (fused,)


def test_a_short_gap_is_filled_by_saying_both_in_one_breath() -> None:
    # 2.6 s are too little for both (2.7 s); the fusion counts as much as both.
    plan = plan_film(SCRIPT, gaps(SCRIPT))
    assert plan.deliveries == (Delivery("f", 0, 800, 2600, members=("a", "b")),)
    assert plan.objective == 683_334 * 1800


def test_rooms_know_a_fused_line() -> None:
    plan, problem = plan_film(SCRIPT, gaps(SCRIPT)), film_problem(SCRIPT, gaps(SCRIPT))
    rooms = Rooms(SCRIPT, problem, plan)
    assert rooms.room("f", 1800).most == 2600
    assert [rooms.neighbours(name) for name in ("a", "b", "f")] == [(None, None)] * 3
    # By itself, another wording of a member could have all of the gap, from 0 to 2.6 s.
    assert rooms.room("a", 1500).most == 2600


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_member_that_is_left_out_frees_the_other(name: str) -> None:
    line = SCRIPT.eventuality(name)
    script = SCRIPT.with_eventuality(SCRIPT.eventuality_index[name], replace(line, pin=Pin(selected=False)))
    (other,) = plan_film(script, gaps(script)).deliveries
    assert other.element == ({"a", "b"} - {name}).pop()


def test_a_member_that_is_locked_in_may_be_fused() -> None:
    script = SCRIPT.with_eventuality(1, replace(CROSSES, pin=Pin(selected=True)))
    assert [each.element for each in plan_film(script, gaps(script)).deliveries] == ["f"]


def film_with_fusions(seed: int) -> Script:
    """A film of made-up lines, most neighbours of which have a fusion."""
    rng = random.Random(seed)
    lines: list[Eventuality] = []
    at = 0
    for number in range(24):
        at += rng.randrange(500, 4000, 100)
        texts = [f"Word{number} " + "word " * rng.randrange(2, 9) + "end.", f"Word{number} end."]
        span = Span(at, at + rng.randrange(500, 3000, 100))
        lines.append(Eventuality(f"e{number}", tuple(map(Variant, texts)), span, rng.randrange(100_000, 900_000), "s"))
    cues: list[Cue] = []
    start = 0
    while start < at:
        start += rng.randrange(1500, 9000, 100)
        cues.append(Cue(f"c{len(cues)}", start, start + 1500, "Yes."))
        start += 1500
    fusions: list[Fusion] = []
    for first in range(len(lines) - 2):
        for size in (2, 3):
            if rng.random() < 0.6:
                of = lines[first : first + size]
                full = " ".join(line.variants[0].text for line in of).split()
                short = full[: max(3, len(full) - rng.randrange(1, 5))]
                fusions.append(
                    Fusion(
                        f"f{first}-{size}",
                        tuple(line.id for line in of),
                        (Variant(" ".join(short)), Variant(" ".join(short[: max(2, len(short) // 2)]))),
                        tuple(line.variants[0].text for line in of),
                    )
                )
    end = at + 10_000
    return Script(
        Film("Made up", end),
        scenes=(Scene("s", Span(0, end)),),
        cues=tuple(cues),
        eventualities=tuple(lines),
        fusions=tuple(fusions),
    )


def edited(script: Script, original: Script, rng: random.Random) -> Script:
    """The script after an edit that makes fusions hold or not, or changes what they are worth."""
    place = rng.randrange(len(script.eventualities))
    line = script.eventualities[place]
    happens = line.occurrence or Span(0, 0)
    changed = rng.choice(
        (
            replace(line, variants=(Variant("Other words are said here."), *line.variants[1:])),
            original.eventualities[place],
            replace(line, pin=Pin(selected=False)),
            replace(line, pin=Pin(selected=True)),
            replace(line, pin=Pin(variant=1)),
            replace(line, joined=not line.joined),
            replace(line, salience=rng.randrange(100_000, 900_000)),
            replace(line, occurrence=Span(happens.start, happens.end + 700)),
        )
    )
    return script.with_eventuality(place, changed)


@pytest.mark.parametrize("seed", range(6))
def test_any_edit_gives_the_plan_that_a_fresh_start_gives(seed: int) -> None:
    rng, original = random.Random(seed), film_with_fusions(seed)
    script = original
    planner = FilmPlanner(script, gaps(script))
    spoken = 0
    for _ in range(25):
        script = edited(script, original, rng)
        outcome = planner.replan(script, gaps(script))
        if outcome.conflicts:
            continue
        problem = film_problem(script, gaps(script))
        assert outcome.plan.objective == solve_exact(problem).objective
        assert [each.id for each in problem.fusions] == [each.id for each in usable_fusions(script)]
        for each in outcome.plan.deliveries:
            assert each.members == (script.fusion_by_id[each.element].members if each.element[0] == "f" else ())
            spoken += bool(each.members)
    assert spoken


def test_reasons_say_what_a_line_is_said_with() -> None:
    planner = FilmPlanner(SCRIPT, gaps(SCRIPT))
    writer = ReasonWriter(planner.problem, planner.outcome.plan, str, str)
    parks, crosses = (line.variants[0].text.removesuffix(".") for line in SCRIPT.eventualities)
    for name, other, length in (("a", crosses, "1.2 s"), ("b", parks, "1.5 s")):
        reason = planner.reason(name)
        assert reason is not None
        said = writer.why(reason)
        assert said == (
            f"Said in one breath with “{other}”. Without it the plan would bring in {length} of “{other}”. "
            "That matters less to the story than this line."
        )


def test_reasons_of_lines_beside_fusions_name_them() -> None:
    script = film_with_fusions(1)
    planner = FilmPlanner(script, gaps(script))
    writer = ReasonWriter(planner.problem, planner.outcome.plan, str, str, most=100)
    fused = [each for each in planner.outcome.plan.deliveries if each.members]
    texts = {each.id: each.variants[0].text for each in script.fusions}
    named = 0
    for line in script.eventualities:
        reason = planner.reason(line.id)
        assert reason is not None
        said = writer.why(reason)
        assert said
        own = {reason.fusion, *(script.fusion_by_id[reason.fusion].members if reason.fusion else ())}
        for change in reason.others.changes:
            if change.element in texts and change.element not in own:
                assert writer.name(change) in said
                named += 1
    assert fused
    assert named


def test_ablations_have_fusions_too() -> None:
    problem = film_problem(SCRIPT, gaps(SCRIPT))
    full = film_problem(script_without_compression(SCRIPT), gaps(SCRIPT))
    assert without_compression(problem) == full
    assert full.fusions[0].durations == (1800,)
    free = script_without_grounding(SCRIPT)
    assert [each.element for each in plan_film(free, gaps(free)).deliveries] == ["f"]
    weighed = problem_with_salience(problem, "random", seed=3)
    first, second = (element.salience for element in weighed.elements)
    assert weighed.fusions[0].salience == (first * 1500 + second * 1200) // 1800 + 1


def test_a_film_planned_ahead_knows_how_long_the_voice_says_fusions() -> None:
    voiced = SCRIPT.with_changes(voice=VoiceSettings("espeak-ng"))
    texts = {"She parks and crosses the road.": 1900, "She parks and crosses.": 1300}
    lines = {"She parks her old motorbike.": 1600, "She crosses the road.": 1250}
    known = SentLengths(voiced.narrator, {(text, None): length for text, length in {**texts, **lines}.items()})
    script = voiced.with_changes(lengths=known)
    plan = FilmPlanner(script, gaps(script)).outcome.plan
    previewer = Previewer()
    for part in film_parts(script, plan):
        previewer.answer(PROTOCOL.read_request(PROTOCOL.request_line(part)))
    answer = previewer.answer(Preview(script.settings, script.film.language))
    assert isinstance(answer, Previewed)
    (fused,) = answer.plan.deliveries
    assert (fused.element, fused.members, fused.end - fused.start) == ("f", ("a", "b"), 1900)
    assert answer.plan.objective == plan.objective


@pytest.mark.parametrize("seed", [1, 3, 4])
def test_a_second_opinion_agrees_where_a_scene_with_rules_speaks_fusions(seed: int) -> None:
    script = film_with_fusions(seed)
    half = script.film.end // 2
    lines = tuple(
        replace(line, scene="s" if line.occurrence is not None and line.occurrence.start < half else "t")
        for line in script.eventualities
    )
    script = script.with_changes(
        scenes=(Scene("s", Span(0, half)), Scene("t", Span(half, script.film.end))),
        eventualities=lines,
        rules=Rules(
            requires=(("e0", "e2"),), alternatives=(("e3", "e5"),), penalties=(Penalty("e1", "e4", 400_000_000),)
        ),
    )
    planner = FilmPlanner(script, gaps(script))
    settled(planner)
    script = script.with_eventuality(len(lines) - 3, replace(lines[-3], salience=900_000))
    outcome = planner.replan(script, gaps(script))
    asked = 0
    while outcome.open:
        request = outcome.open[0]
        outcome = planner.accept(request, solve(request.problem, request.backend, 30)) or outcome
        asked += request.purpose is Purpose.CONFIRM
    assert asked
    assert outcome.proof.state is ProofState.IN_PARTS
    assert "confirmed by CP-SAT" in outcome.proof.text
    assert any(each.members for each in outcome.plan.deliveries)
