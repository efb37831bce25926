"""How hard scenes are: the paper's problem of each scene, and that what is proven is the optimum."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.core.errors import OutsideFailureError
from adstudio.core.film import Film
from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Eventuality, Penalty, Pin, Rules, Scene, Script, Variant
from adstudio.core.settings import Near, Settings
from adstudio.core.timebase import Span
from adstudio.evaluation import difficulty
from adstudio.evaluation.difficulty import (
    Difficulty,
    difficulties,
    difficulty_of,
    scene_formulations,
    sequence_difficulties,
)
from adstudio.evaluation.material import FilmSequence
from adstudio.evaluation.paper_formulation import Outcome, solve_in_cpsat, solve_in_gurobi
from adstudio.planning.problem import Element, Problem
from adstudio.planning.solve import solve

PROBLEM = Problem(
    "s1",
    Span(0, 30_000),
    (Span(2_000, 6_000), Span(10_000, 13_000)),
    (
        Element("a", Span(3_000, 5_000), 900_000, (3_000, 2_000)),
        Element("b", Span(4_000, 6_000), 500_000, (3_000, 1_500)),
        Element("never", None, 0, (1_000,)),
        Element("c", Span(11_000, 12_000), 700_000, (2_500, 1_000)),
    ),
)


def test_the_papers_formulation_has_the_optimum_of_the_exact_engine() -> None:
    outcome = solve_in_cpsat(PROBLEM, 30, 1)
    assert outcome.proven
    assert outcome.objective == solve(PROBLEM).objective
    # By hand: a in full and c in full leave b 1.0 s and 0.5 s; a short and b short fill 3.5 s: 1.8 + 0.75 < 2.7.
    assert outcome.objective == 2_700_000_000 + 1_750_000_000


@pytest.mark.gurobi
def test_gurobi_agrees() -> None:
    pytest.importorskip("gurobipy")
    outcome = solve_in_gurobi(PROBLEM, 30, 1)
    assert outcome.proven
    assert outcome.objective == pytest.approx(4_450_000_000, abs=10_000)


def test_gurobi_that_is_not_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "gurobipy", None)
    with pytest.raises(OutsideFailureError, match="Gurobi is not installed"):
        difficulty_of(PROBLEM, 1, "gurobi")


def test_a_scene_is_proven_and_so_is_an_empty_one() -> None:
    found = difficulty_of(PROBLEM, 30)
    assert (found.scene, found.span, found.proven) == ("s1", Span(0, 30_000), True)
    assert difficulty_of(Problem("none", Span(0, 1_000), (), ()), 30).proven


def line(identity: str, start: int, **more: object) -> Eventuality:
    return Eventuality(identity, (Variant("He walks in."),), Span(start, start + 1_000), 500_000, **more)  # type: ignore[arg-type]


SCRIPT = Script(
    Film("T", 90_000),
    Settings(delta_max=2_000, delta_early=500, near=Near(100, 100, 500_000), reach=1, min_pause=400, max_share=500_000),
    scenes=(Scene("late", Span(40_000, 90_000)), Scene("early", Span(0, 40_000))),
    eventualities=(
        line("a", 5_000, scene="early", pin=Pin(selected=False)),
        line("b", 38_000, scene="early"),
        line("c", 41_000),
    ),
    rules=Rules(penalties=(Penalty("a", "b", 1_000),)),
)


def test_each_scene_is_the_papers_problem() -> None:
    first, second = scene_formulations(SCRIPT, [Span(1_000, 4_000), Span(38_500, 43_000), Span(50_000, 60_000)])
    assert (first.scene, first.span, first.gaps) == (
        "early",
        Span(0, 40_000),
        (Span(1_000, 4_000), Span(38_500, 40_000)),
    )
    assert second.gaps == (Span(40_000, 43_000), Span(50_000, 60_000))
    assert [element.id for element in first.elements] == ["a", "b"]
    assert [element.id for element in second.elements] == ["c"]
    for problem in (first, second):
        assert (problem.early, problem.late, problem.near, problem.reach) == (10_000, 10_000, None, None)
        assert (problem.min_pause, problem.max_share, problem.rules) == (0, 1_000_000, Rules())


def test_a_film_without_scenes_is_one() -> None:
    (film,) = scene_formulations(replace(SCRIPT, scenes=()), [Span(1_000, 4_000)])
    assert (film.scene, len(film.elements)) == ("film", 3)


def test_the_order_is_that_of_time_and_progress_is_reported() -> None:
    seen: list[Progress] = []
    found = difficulties(SCRIPT, [Span(1_000, 4_000), Span(50_000, 60_000)], limit=30, progress=seen.append)
    assert [each.scene for each in found] == ["early", "late"]
    assert [(each.stage, each.fraction) for each in seen] == [
        (Stage.MEASURING_DIFFICULTY, 0.0),
        (Stage.MEASURING_DIFFICULTY, 0.5),
        (Stage.MEASURING_DIFFICULTY, 1.0),
    ]


def test_it_can_be_stopped_between_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[str] = []

    def solve_one(problem: Problem, limit: float, workers: int) -> Outcome:
        solved.append(problem.scene)
        return Outcome(0.01, proven=True, objective=0, gap=0.0)

    def stop(progress: Progress) -> None:
        if progress.fraction:
            raise KeyboardInterrupt

    monkeypatch.setattr(difficulty, "solve_in_cpsat", solve_one)
    with pytest.raises(KeyboardInterrupt):
        difficulties(SCRIPT, [Span(1_000, 4_000)], progress=stop)
    assert solved == ["early"]


def test_the_limit_ends_the_search() -> None:
    # Nobody proves so many within a thousandth of a second.
    elements = tuple(
        Element(f"e{n}", Span(n * 700, n * 700 + 900), (n * 7919 % 97 + 3) * 10_000, (3_000, 2_600, 1_900, 1_300))
        for n in range(60)
    )
    found = difficulty_of(Problem("hard", Span(0, 42_000), (Span(0, 9_000), Span(20_000, 29_000)), elements), 0.001)
    assert not found.proven
    assert found.seconds > 0


def test_a_sequence_is_as_hard_as_its_hardest_scene() -> None:
    def scene(name: str, start: int, seconds: float, *, proven: bool = True) -> Difficulty:
        return Difficulty(name, Span(start, start + 10_000), seconds, proven)

    scenes = [
        scene("a", 0, 0.2),
        scene("b", 10_000, 3.0),
        scene("c", 20_000, 8.0),
        scene("d", 30_000, 1.0, proven=False),
    ]
    spans = {"one": Span(0, 20_000), "two": Span(20_000, 40_000), "none": Span(40_000, 50_000)}
    found = sequence_difficulties(scenes, [FilmSequence(name, span) for name, span in spans.items()])
    assert {name: each.scene for name, each in found.items()} == {"one": "b", "two": "d"}
