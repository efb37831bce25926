"""Plans in files as systems: a model's in the planner's place, and random lines; with the project that they are of."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from evaluated_films import srt, write
from test_evaluated_projects import REFERENCE, evaluated, files

from adstudio.core.errors import BadInputError
from adstudio.evaluation.plan_files import is_plan_file
from adstudio.evaluation.request import FilmFiles, ScriptFile

PLAN = {
    "format": "adstudio-plan/1",
    "status": "feasible",
    "backend": "llm",
    "objective": 2.0,
    "bound": 3.0,
    "deviation": 0.5,
    "deliveries": [
        {"element": "e1", "variant": 1, "start": 2.5, "end": 3.5},
        {"element": "e3", "variant": 0, "start": 32.0, "end": 34.0},
    ],
}


def plan_file(folder: Path, **changes: object) -> ScriptFile:
    return ScriptFile("scheduler", write(folder / "plan.json", json.dumps({**PLAN, **changes})))


def with_plan(folder: Path, **changes: object) -> FilmFiles:
    film = files(folder)
    return replace(film, systems=(*film.systems, plan_file(folder, **changes)))


def test_a_plan_speaks_the_lines_of_the_project(tmp_path: Path) -> None:
    found = evaluated(with_plan(tmp_path))
    said = {gap.gap.start: gap.systems["scheduler"] for gap in found.gaps if "scheduler" in gap.systems}
    assert said == {0: "She here.", 30_000: "Opens the drawer."}
    row = next(each for each in found.systems if each.name == "scheduler")
    assert [(each.sequence, each.items, dict(each.variants)) for each in row.selections] == [
        (found.sequences[0].sequence, 2, {50: 1}),
        (found.sequences[1].sequence, 2, {100: 1}),
    ]


def test_only_the_project_is_ablated(tmp_path: Path) -> None:
    names = [each.name for each in evaluated(with_plan(tmp_path), ablations=True).systems]
    assert names[:3] == ["plan", "scheduler", "w/o grounding"]


def test_random_lines_need_no_project(tmp_path: Path) -> None:
    random = plan_file(tmp_path, deliveries=[{"text": "A man walks by.", "start": 1.0, "end": 2.2}])
    reference = ScriptFile("reference", write(tmp_path / "reference.srt", srt(REFERENCE)))
    found = evaluated(FilmFiles("station", (reference,), (random,), end=40_000, without_dialogue=True))
    assert found.gaps[0].systems == {"scheduler": "A man walks by."}
    assert not found.systems[0].selections, "its lines are of no item"


def test_a_plan_without_its_project(tmp_path: Path) -> None:
    reference = ScriptFile("reference", write(tmp_path / "reference.srt", srt(REFERENCE)))
    alone = FilmFiles("station", (reference,), (plan_file(tmp_path),), end=40_000, without_dialogue=True)
    with pytest.raises(BadInputError, match=r"plan\.json is a plan of lines that are in a project: give that"):
        evaluated(alone)


@pytest.mark.parametrize("delivery", [{"element": "other", "variant": 0}, {"element": "e1", "variant": 7}])
def test_a_plan_of_another_project(tmp_path: Path, delivery: dict[str, object]) -> None:
    with pytest.raises(BadInputError, match=r"plan\.json is a plan of lines that the project .* does not have"):
        evaluated(with_plan(tmp_path, deliveries=[{**delivery, "start": 2.5, "end": 3.5}]))


def test_a_plan_that_speaks_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"plan\.json is a plan that speaks nothing \(infeasible\)"):
        evaluated(with_plan(tmp_path, status="infeasible", deliveries=[]))


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"format": "adstudio-script/1"}', '{"lines": []}'])
def test_what_is_no_plan_is_read_as_a_script(tmp_path: Path, text: str) -> None:
    assert not is_plan_file(write(tmp_path / "a.json", text))
    assert not is_plan_file(tmp_path / "gone.json")
    assert not is_plan_file(write(tmp_path / "a.srt", json.dumps(PLAN)))
    assert is_plan_file(plan_file(tmp_path).path)
