"""Questions about a film's AD, each with five answers of which one is right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from adstudio.core.control_characters import CONTROL_CHARACTER
from adstudio.core.timebase import Span
from adstudio.core.words import composed, folded

MOST = 20_000
"""Questions of a file."""
LETTERS = "abcde"
"""The answers' names, in order."""
LONGEST_QUESTION = 500
LONGEST_ANSWER = 300
LONGEST_NAME = 200
_PUNCTUATION = " .,;:!?…\"'“”‘’«»()[]–—。、！？¿¡"


@dataclass(frozen=True)
class Question:
    """A question with five answers, of which the one at index `right` is right.

    `span` is the time of the reference description that answers it, in milliseconds; where that is not known, the name
    of a `sequence` says where in the film it belongs. `film` is empty where there is one film only. `keep` is what a
    person decided on reviewing it: None while nobody has.
    """

    id: str
    text: str
    answers: tuple[str, ...]
    right: int
    span: Span | None = None
    sequence: str = ""
    film: str = ""
    reference: str = ""
    keep: bool | None = None


def in_use(questions: Iterable[Question]) -> tuple[Question, ...]:
    """The questions that are put to a model: all that no reviewer rejected."""
    return tuple(each for each in questions if each.keep is not False)


def same_answer(text: str) -> str:
    """An answer as answers are compared: two that differ in case, spaces and punctuation around them are the same."""
    return " ".join(folded(text).split()).strip(_PUNCTUATION)


def one_line(text: str) -> str:
    """A text as questions hold it: composed, on one line."""
    return " ".join(composed(text).split())


def question_fault(question: Question) -> str:
    """What is wrong with a question, as what it has or lacks; empty if nothing is."""
    return next(chain(_faults_of_texts(question), _faults_of_answers(question)), "")


def _faults_of_texts(question: Question) -> Iterator[str]:
    names = (question.sequence, question.film, question.reference)
    if not question.id or len(question.id) > LONGEST_NAME:
        yield f"its id is empty or longer than {LONGEST_NAME} characters"
    if not question.text:
        yield "it has no question"
    if len(question.text) > LONGEST_QUESTION:
        yield f"its question is longer than {LONGEST_QUESTION} characters"
    if question.span is None and not question.sequence:
        yield "it has neither a time nor a sequence"
    if any(len(each) > LONGEST_NAME for each in names):
        yield f"the name of its film, sequence or reference is longer than {LONGEST_NAME} characters"
    if any(CONTROL_CHARACTER.search(each) for each in (question.id, question.text, *question.answers, *names)):
        yield "it has a control character in it"


def _faults_of_answers(question: Question) -> Iterator[str]:
    if len(question.answers) != len(LETTERS):
        yield f"it has {len(question.answers)} answers instead of {len(LETTERS)}"
        return
    known: dict[str, str] = {}
    for letter, answer in zip(LETTERS, question.answers, strict=True):
        plain = same_answer(answer)
        if not plain:
            yield f"its answer {letter} is empty"
        if len(answer) > LONGEST_ANSWER:
            yield f"its answer {letter} is longer than {LONGEST_ANSWER} characters"
        first = known.setdefault(plain, letter)
        if first != letter:
            yield f"its answers {first} and {letter} are the same"
    if not 0 <= question.right < len(LETTERS):
        yield f"its right answer is none of {', '.join(LETTERS)}"
