"""The sample film's ablation table: its directions, and that it is the one that is documented."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from adstudio.drafting.draft import draft_film, planned
from adstudio.drafting.request import Sources
from adstudio.evaluation.java_scorer import JavaScorer
from adstudio.evaluation.request import EvaluationRequest, FilmFiles, ScriptFile
from adstudio.evaluation.results import Evaluation, Measure, Scores, SystemResult
from adstudio.evaluation.service import evaluate_files
from adstudio.presets.library import preset_named
from adstudio.sample_film import sample_paths
from adstudio.store.project import ProjectFile

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = sample_paths(ROOT / "resources" / "sample")
COLUMNS = (Measure.GAP_CIDER, Measure.GAP_METEOR, Measure.SODA_M, Measure.SODA_T)
EMBEDDED = {"Embed. text", "Deletion", "Blend", "Embed. oracle"}
"""Rows that another processor may round differently."""


@pytest.fixture(scope="module")
def found(java_scorer: JavaScorer, tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    folder, settings = tmp_path_factory.mktemp("sample"), preset_named("paper").settings
    systems = []
    base = Sources(SAMPLE.srt, video=SAMPLE.film, settings=settings)
    texts = {
        "plan": replace(base, candidates=SAMPLE.candidates),
        "Screenplay": replace(base, screenplay=SAMPLE.screenplay),
    }
    for name, sources in texts.items():
        project = folder / f"{name}.adproj"
        draft = planned(sources, project, draft_film(sources, project))
        ProjectFile.create(project, draft.script, plan=draft.plan).close()
        systems.append(ScriptFile(name, project))
    references = {"british": SAMPLE.reference_british, "american": SAMPLE.reference_american}
    film = FilmFiles("sample", tuple(ScriptFile(*each) for each in references.items()), tuple(systems))
    pool = ROOT / "tests" / "data" / "random_pool.json"
    request = EvaluationRequest((film,), expert=True, pool=pool, ablations=True)
    return evaluate_files(request, scorer=java_scorer)


def rows(found: Evaluation) -> dict[str, Scores]:
    return {row.name: row.mean for row in found.systems}


def lines(row: SystemResult) -> int:
    return sum(each.spoken for each in row.selections)


def test_each_part_brings_what_the_paper_says(found: Evaluation) -> None:
    scores = rows(found)
    ablated = ("w/o grounding", "w/o compression", "w/o both")
    for measure in COLUMNS:
        assert all(scores[name][measure] < scores["plan"][measure] for name in ablated)
    # Without either, lines are furthest from where references have theirs.
    assert min(scores, key=lambda name: scores[name][Measure.SODA_T]) == "w/o both"
    # What the oracles select is what the references say.
    others = [name for name in scores if "oracle" not in name]
    for oracle in ("BM25 oracle", "Embed. oracle"):
        assert scores[oracle][Measure.SODA_M] > max(scores[name][Measure.SODA_M] for name in others)


def test_compression_brings_lines_and_grounding_costs_some(found: Evaluation) -> None:
    count = {row.name: lines(row) for row in found.systems}
    assert count["w/o compression"] < count["plan"] < count["w/o grounding"]
    for row in found.systems:
        rates = {rate for each in row.selections for rate in each.variants}
        assert (rates == {100}) is (row.name in ("w/o compression", "w/o both"))


def test_the_table_is_the_documented_one(found: Evaluation) -> None:
    page = (ROOT / "docs" / "evaluation.md").read_text("utf-8")
    table = re.findall(r"^\| ([\w/. ]+?) \|" + r" ([\d.]+) \|" * 4 + "$", page, re.MULTILINE)
    documented = {name: tuple(map(float, numbers)) for name, *numbers in table}
    assert set(documented) == set(rows(found))
    for name, scores in rows(found).items():
        if name not in EMBEDDED:
            assert tuple(round(scores[measure], 1) for measure in COLUMNS) == documented[name], name


def test_three_sequences_prove_nothing_and_that_is_noted(found: Evaluation) -> None:
    assert all(each.p >= 0.05 for each in found.significance)
    assert any("no difference can be significant in 3 sequences" in note for note in found.notes)
