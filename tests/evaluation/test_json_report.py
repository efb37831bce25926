"""`adstudio-evaluation/1`: what is written can be read again, and what is no evaluation is refused by its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from evaluation_values import evaluation

from adstudio.core.errors import BadInputError
from adstudio.core.json_reading import JsonError
from adstudio.core.timebase import Span
from adstudio.evaluation.json_report import json_pieces, parse_evaluation, read_json, write_json
from adstudio.evaluation.material import SequenceSource
from adstudio.evaluation.results import (
    Evaluation,
    FilmFacts,
    FilterCounts,
    GapComparison,
    Measure,
    QuestionResult,
    Selection,
    SequenceFacts,
    SequenceResult,
    Significance,
    SystemAnswer,
    SystemResult,
    Unrealistic,
)

ONE = Evaluation(
    films=(FilmFacts("Film", 1, SequenceSource.FILM, ("British AD",), ("1 subtitle overlaps",), "en"),),
    systems=(
        SystemResult(
            "Plan",
            {Measure.SODA_T: 54.9},
            {"Film": {Measure.SODA_T: 54.9}},
            (SequenceResult("Film", "all", {Measure.SODA_T: 54.9}),),
            {Measure.SODA_T: (50.0, 60.5)},
            FilterCounts(10, {Unrealistic.TOO_FAST: 2}, 1),
            "Raw",
            (Selection("Film", "all", 4, {100: 1, 50: 2}),),
        ),
    ),
    significance=(Significance("Plan", "Raw", Measure.SODA_T, -1.5, 0.02),),
    gaps=(
        GapComparison(
            "Film",
            "all",
            Span(1_000, 3_250),
            {"British AD": "He returns."},
            {"Plan": "Returns."},
            {"Plan": {Measure.GAP_METEOR: 12.5}},
        ),
    ),
    notes=("few sequences",),
    questions=(
        QuestionResult(
            *("Film", "all", "q1", "Who returns?", "Snape", Span(1_000, 2_000)),
            {"Plan": SystemAnswer("Snape", Span(1_500, 2_500), in_time=True), "Raw": SystemAnswer("")},
        ),
        QuestionResult("Film", "all", "q2", "Where?", "Here", None, {"Plan": SystemAnswer("There")}),
    ),
    sequences=(SequenceFacts("Film", "all", Span(0, 9_000), 2_250, 0.04),),
    day="2026-11-29",
)
AS_JSON = {
    "format": "adstudio-evaluation/1",
    "day": "2026-11-29",
    "films": [
        {
            "name": "Film",
            "language": "en",
            "sequences": 1,
            "sequence_source": "film",
            "references": ["British AD"],
            "notes": ["1 subtitle overlaps"],
        }
    ],
    "sequences": [
        {
            "film": "Film",
            "sequence": "all",
            "start": 0.0,
            "end": 9.0,
            "free": 2.25,
            "seconds_to_proof": 0.04,
            "proven": True,
        }
    ],
    "systems": [
        {
            "name": "Plan",
            "mean": {"soda-t": 54.9},
            "intervals": {"soda-t": [50.0, 60.5]},
            "films": {"Film": {"soda-t": 54.9}},
            "sequences": [{"film": "Film", "sequence": "all", "scores": {"soda-t": 54.9}}],
            "filtered": {"total": 10, "removed": {"too-fast": 2}, "faster_than_500": 1},
            "unfiltered": "Raw",
            "selections": [{"film": "Film", "sequence": "all", "items": 4, "variants": {"100": 1, "50": 2}}],
        }
    ],
    "significance": [{"one": "Plan", "other": "Raw", "measure": "soda-t", "difference": -1.5, "p": 0.02}],
    "gaps": [
        {
            "film": "Film",
            "sequence": "all",
            "start": 1.0,
            "end": 3.25,
            "references": {"British AD": "He returns."},
            "systems": {"Plan": "Returns."},
            "scores": {"Plan": {"gap-meteor": 12.5}},
        }
    ],
    "notes": ["few sequences"],
    "questions": [
        {
            "film": "Film",
            "sequence": "all",
            "id": "q1",
            "question": "Who returns?",
            "right": "Snape",
            "time": [1.0, 2.0],
            "answers": {
                "Plan": {"given": "Snape", "source": [1.5, 2.5], "in_time": True},
                "Raw": {"given": "", "source": None, "in_time": False},
            },
        },
        {
            "film": "Film",
            "sequence": "all",
            "id": "q2",
            "question": "Where?",
            "right": "Here",
            "time": None,
            "answers": {"Plan": {"given": "There", "source": None, "in_time": False}},
        },
    ],
}


def text_of(found: Evaluation) -> str:
    return "".join(json_pieces(found))


def test_an_evaluation_is_written_key_by_key():
    assert json.loads(text_of(ONE)) == AS_JSON


@pytest.mark.parametrize("found", [ONE, evaluation(), evaluation(1, 1, 1, measures=2), Evaluation((), (), (), ())])
def test_what_is_written_is_read_again_the_same(found: Evaluation, tmp_path: Path):
    target = tmp_path / "found.json"
    write_json(found, target)
    assert read_json(target) == found


def test_each_gap_has_a_line_of_its_own():
    found = evaluation(2, 3, 4)
    gaps = [line for line in text_of(found).splitlines() if '"references": {' in line]
    assert len(gaps) == len(found.gaps) == 24


def test_halves_of_characters_do_not_stop_the_writing(tmp_path: Path):
    target = tmp_path / "found.json"
    write_json(Evaluation((), (), (), (), ("half \ud83d of a face",)), target)
    assert read_json(target).notes == ("half ? of a face",)


def changed(change: Callable[[Any], object]) -> bytes:
    value = json.loads(json.dumps(AS_JSON))
    change(value)
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda value: value.update(format="adstudio-evaluation/2"), "format"),
        (lambda value: value.update(more=1), "more"),
        (lambda value: value.pop("systems"), "systems"),
        (lambda value: value["systems"][0]["mean"].update(bleu=1.0), "systems[0].mean"),
        (lambda value: value["systems"][0]["mean"].update({"soda-t": "54.9"}), "systems[0].mean.soda-t"),
        (lambda value: value["systems"][0]["mean"].update({"soda-t": float("inf")}), "Infinity"),
        (lambda value: value["systems"][0]["intervals"].update({"soda-t": [3, 1]}), "systems[0].intervals.soda-t"),
        (lambda value: value["systems"][0]["intervals"].update({"soda-t": [3]}), "systems[0].intervals.soda-t"),
        (lambda value: value["systems"][0]["filtered"]["removed"].update(dull=1), "filtered.removed"),
        (lambda value: value["systems"][0]["filtered"].update(total=-1), "filtered.total"),
        (lambda value: value["systems"][0]["selections"][0]["variants"].update(full=1), "selections[0].variants"),
        (lambda value: value["significance"][0].update(p=1.5), "significance[0].p"),
        (lambda value: value["significance"][0].update(measure="bleu"), "significance[0].measure"),
        (lambda value: value["gaps"][0].update(end=0.5), "gaps[0].end"),
        (lambda value: value["gaps"][0].update(references=[]), "gaps[0].references"),
        (lambda value: value["films"][0].update(sequence_source="shots"), "films[0].sequence_source"),
        (lambda value: value["sequences"][0].update(proven=1), "sequences[0].proven"),
    ],
)
def test_what_is_no_evaluation_is_refused_by_its_place(change: Callable[[Any], object], place: str):
    with pytest.raises(JsonError) as caught:
        parse_evaluation(changed(change), "found.json")
    assert str(caught.value).startswith("found.json")
    assert place in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(BadInputError, match=r"found\.json"):
        read_json(tmp_path / "found.json")
