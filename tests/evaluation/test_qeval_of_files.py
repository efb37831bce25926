"""QEval of whole evaluations: questions of a reference, systems that say the same earlier or later, plans and experts.

The reader of `question_model` stands for the model, so that what it answers can be worked out: what a text says word
for word, else E.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from evaluated_films import AMERICAN, BRITISH, film_files, moved, srt, write
from polish_model import station
from scripted_model import ScriptedModel
from word_scorer import WordScorer

from adstudio.connections.model_access import Connection
from adstudio.core.errors import BadInputError
from adstudio.core.policy import Host, Policy
from adstudio.core.timebase import Span
from adstudio.evaluation.asking import ModelAsked
from adstudio.evaluation.qeval import QuestionedText
from adstudio.evaluation.qeval_service import QEvalResult, run_qeval
from adstudio.evaluation.question_file import questions_json
from adstudio.evaluation.questions import Question
from adstudio.evaluation.request import EvaluationRequest, ScriptFile
from adstudio.evaluation.results import Evaluation, Measure, Scores
from adstudio.evaluation.service import evaluate_files
from adstudio.store.project import ProjectFile

WRONG = ("a kite", "a drum", "a goat")
RIGHT = ("the wooden door", "the slate roof", "a lantern and", "across the gravel")


def asked(at: int, right: str, reference: str = "american") -> Question:
    """The question about one of the American descriptions; E is wrong."""
    start, end, _ = AMERICAN[at]
    return Question(
        f"q{at}{reference}", f"What is there at {at}?", (*WRONG[:2], right, WRONG[2], "a hat"), 2, Span(start, end),
        reference=reference, keep=True,
    )  # fmt: skip


QUESTIONS = [asked(at, right) for at, right in enumerate(RIGHT)]


class House:
    """A model that may be asked, and the results of asking it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.model = folder, ScriptedModel(name="vllm model-1")
        self.results: list[QEvalResult] = []

    def answer(self, texts: Sequence[QuestionedText]) -> QEvalResult:
        policy = Policy("on premises", (Host("127.0.0.1", 8000, plain=True),))
        connection = Connection("vllm", "model-1", "http://127.0.0.1:8000/v1", policy)
        model = ModelAsked(connection, "house", store=self.folder / "jobs.sqlite")
        self.results.append(run_qeval(texts, model, opened=lambda _connection: self.model))
        return self.results[-1]

    def evaluated(self, *systems: ScriptFile, **more: object) -> Evaluation:
        questions = write(self.folder / "questions.json", questions_json(more.pop("questions", QUESTIONS)))  # type: ignore[arg-type]
        references = more.pop("references", None)
        files = film_files(self.folder, *systems, **({} if references is None else {"references": references}))
        request = EvaluationRequest((files,), questions=questions, **more)  # type: ignore[arg-type]
        return evaluate_files(request, scorer=WordScorer(), answer=self.answer)


def qeval(found: Evaluation, name: str) -> tuple[float | None, float | None]:
    mean: Scores = next(each.mean for each in found.systems if each.name == name)
    return mean.get(Measure.QEVAL), mean.get(Measure.QEVAL_T)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.parametrize(
    ("later", "in_time"), [(0, 100), (5_000, 100), (9_900, 100), (9_999, 100), (10_000, 0), (10_100, 0)]
)
def test_an_ad_that_says_the_same_later(house: House, tmp_path: Path, later: int, in_time: float) -> None:
    """All four are said, each in one description alone: QEval is 100, QEval-T that too while less than 10 s later."""
    path = write(tmp_path / "late.srt", srt(moved(AMERICAN, later)))
    found = house.evaluated(ScriptFile("late", path, shift=0))
    assert qeval(found, "late") == (100, in_time)


def test_each_system_is_asked_what_its_references_give(house: House, tmp_path: Path) -> None:
    """Of the American's four questions the British AD says none word for word: E is wrong for all of them.

    The one question of the British reference is not put to the British expert. Rows as the paper has them: the
    realistic one is asked about what the filter leaves, which is nothing of a description in ten milliseconds.
    """
    fast = write(tmp_path / "fast.srt", srt([(6_000, 6_010, AMERICAN[0][2]), *AMERICAN[1:]]))
    british = asked(1, "raining on the", "british")
    found = house.evaluated(ScriptFile("fast", fast), expert=True, realistic=("fast",), questions=[*QUESTIONS, british])
    names = [each.name for each in found.systems]
    experts = [name for name in names if "expert" in name]
    american, other = sorted(experts)
    assert qeval(found, american)[0] == 0, "what only the British say, it does not"
    assert qeval(found, other) == (0, 0)
    assert qeval(found, "fast") == (80, 80), "all but what only the British say"
    assert qeval(found, "fast, realistic") == (60, 60), "and without the description of the door"
    assert found.notes[-1] == "QEval: 5 questions, answered by model-1 (“house”)"
    assert house.results[0].asked.requests == len(house.model.asks)


def test_a_plan_and_the_descriptions_that_it_was_drafted_from(house: House, tmp_path: Path) -> None:
    project = tmp_path / "station.adproj"
    script = station()
    ProjectFile.create(project, script).close()
    lines = [line.variants[0].text for line in script.eventualities]
    question = Question("q1", "What is said?", (*WRONG, "a hat", lines[0].rstrip(".")), 4, Span(1_000, 2_000))
    reference = ScriptFile("american", write(tmp_path / "ad.srt", srt(AMERICAN)))
    found = house.evaluated(
        ScriptFile("plan", project), references=(reference,), questions=[question], scene_descriptions=True
    )
    assert [each.name for each in found.systems] == ["plan", "plan, scene descriptions"]
    assert qeval(found, "plan, scene descriptions") == (100, None), "scenes have no times of their own"


def test_nothing_is_asked_without_permission_or_questions(house: House, tmp_path: Path) -> None:
    path = write(tmp_path / "model.srt", srt(BRITISH))

    def refuse(_texts: Sequence[QuestionedText]) -> QEvalResult:
        raise BadInputError("nothing was sent")

    questions = write(tmp_path / "questions.json", questions_json(QUESTIONS))
    request = EvaluationRequest((film_files(tmp_path, ScriptFile("model", path)),), questions=questions)
    with pytest.raises(BadInputError, match="nothing was sent"):
        evaluate_files(request, scorer=WordScorer(), answer=refuse)
    found = evaluate_files(EvaluationRequest(request.films), scorer=WordScorer(), answer=refuse)
    assert Measure.QEVAL not in found.systems[0].mean
    assert house.model.asks == []


def test_a_question_file_with_a_fault_is_refused_before_anything_is_read(house: House, tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.json", '{"format": "adstudio-questions/1", "questions": [{}]}')
    files = film_files(tmp_path, ScriptFile("missing", tmp_path / "none.srt"))
    with pytest.raises(BadInputError, match=r"bad\.json: questions\[0\]: missing key “id”"):
        evaluate_files(EvaluationRequest((files,), questions=bad), scorer=WordScorer(), answer=house.answer)
