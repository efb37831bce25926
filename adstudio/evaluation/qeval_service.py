"""QEval of an evaluation: which questions are asked about which text, what that takes, and the scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from adstudio.connections.model_access import OpenProvider, provider_of
from adstudio.core.counts import counted
from adstudio.core.errors import BadInputError
from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.core.timebase import Span
from adstudio.drafting.model.client import Asking
from adstudio.drafting.model.estimate import estimate_ask
from adstudio.evaluation.asking import Asked, ModelAsked, answered_before, run_with_model
from adstudio.evaluation.material import Description, EvaluatedFilm, Transcript
from adstudio.evaluation.qeval import AnsweredText, QuestionedText, answer_request, answer_texts
from adstudio.evaluation.questions import Question, in_use
from adstudio.evaluation.results import QuestionResult, Scores, SystemAnswer
from adstudio.evaluation.sequences import by_sequence, sequence_at
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Usage
from adstudio.system.stop_request import StopRequest

MOST_REQUESTS = 100_000
"""Requests that one evaluation may take at most."""


@dataclass(frozen=True)
class QEvalEstimate:
    """What answering takes: at least and at most so many requests, `before` of the least answered already.

    `usage` is for the most; its price is None where that of the model is not known.
    """

    least: int
    most: int
    before: int
    usage: Usage


@dataclass(frozen=True)
class QEvalResult:
    """The scores by system, film and sequence, the single answers, what they took, and what is to be said."""

    scores: Mapping[tuple[str, str, str], Scores]
    asked: Asked
    questions: tuple[QuestionResult, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Questioned:
    """What is asked about which texts, the questions by film and sequence, and what is to be said of the others."""

    texts: tuple[QuestionedText, ...]
    questions: Mapping[tuple[str, str], tuple[Question, ...]]
    notes: tuple[str, ...] = ()


def questioned(films: Sequence[EvaluatedFilm], questions: Iterable[Question]) -> Questioned:
    """The questions of each sequence with each system's descriptions there, by their middles.

    An expert is not asked what was made from its own description.

    Raises:
        BadInputError: where no question is about these films, or answering would take too many requests.
    """
    asked = in_use(questions)
    texts: list[QuestionedText] = []
    found: dict[tuple[str, str], tuple[Question, ...]] = {}
    used: set[str] = set()
    for film in films:
        placed = _placed(
            film, [each for each in asked if each.film == film.name or (not each.film and len(films) == 1)]
        )
        found |= {(film.name, sequence): tuple(mine) for sequence, mine in placed.items()}
        used.update(each.id for mine in placed.values() for each in mine)
        for system in film.systems:
            for sequence, there in zip(film.sequences, by_sequence(film, system.descriptions), strict=True):
                mine = [each for each in placed[sequence.name] if _is_put_to(each, system, film)]
                if mine:
                    texts.append(_text(system.name, film.name, sequence.name, mine, there))
    notes = _notes(asked, used)
    if not texts:
        raise BadInputError("none of the questions is about a time or a sequence of the films that are evaluated")
    if (most := sum(each.most_requests for each in texts)) > MOST_REQUESTS:
        raise BadInputError(
            f"answering the questions may take {most:,} requests, and at most {MOST_REQUESTS:,} are sent: divide the"
            " films into shorter sequences, or use fewer questions"
        )
    return Questioned(tuple(texts), found, notes)


def questioned_scenes(
    film: EvaluatedFilm, scenes: Sequence[tuple[Span, str]], asked: Questioned, name: str
) -> tuple[QuestionedText, ...]:
    """The questions of each sequence with the descriptions of its scenes, which have no times of their own.

    `scenes` are the spans of scenes with what describes each; `name` stands for the system.
    """
    return tuple(
        QuestionedText(
            name,
            film.name,
            sequence.name,
            questions,
            tuple(text for span, text in scenes if sequence_at(film.sequences, span) == number and text.strip()),
        )
        for number, sequence in enumerate(film.sequences)
        if (questions := asked.questions[film.name, sequence.name])
    )


def _text(
    system: str, film: str, sequence: str, questions: Sequence[Question], there: Sequence[Description]
) -> QuestionedText:
    texts, spans = tuple(each.text for each in there), tuple(each.span for each in there)
    return QuestionedText(system, film, sequence, tuple(questions), texts, spans)


def _placed(film: EvaluatedFilm, questions: Iterable[Question]) -> dict[str, list[Question]]:
    """The questions by the sequence that they are about; those about none are left out."""
    placed: dict[str, list[Question]] = {each.name: [] for each in film.sequences}
    for question in questions:
        span = question.span
        name = question.sequence if span is None else film.sequences[sequence_at(film.sequences, span)].name
        if name in placed and (span is None or span.start < film.end):
            placed[name].append(question)
    return placed


def _is_put_to(question: Question, system: Transcript, film: EvaluatedFilm) -> bool:
    """Whether a system is asked it: an expert only what was made from a reference that it is compared with."""
    compared = system.references
    known = question.reference in {each.name for each in film.references}
    return not compared or not known or question.reference in compared


def _notes(asked: Sequence[Question], used: set[str]) -> tuple[str, ...]:
    notes: list[str] = []
    if left := sum(each.id not in used for each in asked):
        are = "question is" if left == 1 else "questions are"
        notes.append(f"QEval: {left:,} {are} about no sequence of the films that are evaluated, and not asked")
    if new := sum(each.keep is None and each.id in used for each in asked):
        have = "has" if new == 1 else "have"
        notes.append(f"QEval: {new:,} of {len(asked):,} questions {have} not been reviewed by a person")
    return tuple(notes)


def estimate_qeval(
    texts: Sequence[QuestionedText], model: str, able: Capabilities, store: Path | None = None
) -> QEvalEstimate:
    """What answering from these texts takes; `model` is the provider's name, `able` what it supports and costs."""
    first = [(each, answer_request(group, each.texts, bound=able.schema)) for each in texts for group in each.groups]
    whole = Usage()
    for each, request in first:
        one = estimate_ask(request, able)
        times = 1 + len(each.spans or ())
        whole += Usage(one.tokens_in * times, 0, one.tokens_out * times, one.tokens_thought * times)
    before = sum(answered_before(store, [request for _, request in first], model))
    return QEvalEstimate(len(first), sum(each.most_requests for each in texts), before, able.priced(whole))


def run_qeval(
    texts: Sequence[QuestionedText],
    model: ModelAsked,
    progress: OnProgress = ignore_progress,
    stop: StopRequest | None = None,
    opened: OpenProvider = provider_of,
) -> QEvalResult:
    """Have a model answer the questions from each text. What it answered before is not requested again.

    Raises:
        NotAllowedError: where the policy does not permit the server.
        StoppedError: if it was stopped; what was answered is stored.
        BadInputError: where a sequence has more text than the model accepts at once.
        OutsideFailureError: if the model cannot be asked or did not answer, or the store cannot be used.
    """
    due, done = sum(each.most_requests for each in texts), 0

    def on_done(requests: int) -> None:
        nonlocal done
        done += requests
        progress(Progress(Stage.ANSWERING_QUESTIONS, done / max(due, 1)))

    async def work(asking: Asking) -> tuple[AnsweredText, ...]:
        return await answer_texts(texts, asking, on_done)

    progress(Progress(Stage.ANSWERING_QUESTIONS, 0.0))
    films = sorted({each.film for each in texts})
    answered, asked = run_with_model(model, f"answers {films}", opened, stop or StopRequest(), work)
    scores = {(each.asked.system, each.asked.film, each.asked.sequence): each.scores for each in answered}
    different = len({(each.asked.film, answer.question.id) for each in answered for answer in each.answers})
    notes = [f"QEval: {counted(different, 'question')}, answered by {model.connection.model} (“{model.name}”)"]
    if left_open := sum(answer.given is None for each in answered for answer in each.answers):
        are = "answer is" if left_open == 1 else "answers are"
        notes.append(f"QEval: {left_open:,} {are} missing, as the model gave none, and counted as wrong")
    return QEvalResult(scores, asked, _by_question(answered), tuple(notes))


def _by_question(answered: Sequence[AnsweredText]) -> tuple[QuestionResult, ...]:
    """The answers by question, those of a sequence side by side."""
    found: dict[tuple[str, str], dict[Question, dict[str, SystemAnswer]]] = {}
    for each in answered:
        asked = found.setdefault((each.asked.film, each.asked.sequence), {})
        for answer in each.answers:
            given = "" if answer.given is None else answer.question.answers[answer.given]
            source = each.source(answer)
            asked.setdefault(answer.question, {})[each.asked.system] = SystemAnswer(given, source, each.in_time(answer))
    return tuple(
        QuestionResult(*place, question.id, question.text, question.answers[question.right], question.span, answers)
        for place, asked in found.items()
        for question, answers in asked.items()
    )
