"""QEval and QEval-T: how many questions about a film a model answers from an AD alone, and from which description.

The model always chooses one of the five answers, also where the AD says nothing of it or is empty: a guess is counted
as it falls, as in the paper, where even random AD answers a third of the questions. A question that the model leaves
open counts as wrong.

A right answer is attributed by leaving out one description at a time, in the order of time, and asking the same
questions again: the first description without which the answer is another one is what the answer comes from. Without
such a description it comes from none, and counts as wrong in QEval-T. No probabilities are used: few servers give them.
All questions of a request are asked again together, so that nothing but the description differs; the requests for a
group end once all its right answers are attributed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from adstudio.core.timebase import Span
from adstudio.drafting.model.answers import read_answer
from adstudio.drafting.model.client import Asking
from adstudio.drafting.model.context import block, plain
from adstudio.drafting.model.prompts import fixed_prompt
from adstudio.drafting.model.response_schema import closed, one_of_each
from adstudio.evaluation.asking import ask_text, give_back, side_by_side
from adstudio.evaluation.material import TAU_MS
from adstudio.evaluation.questions import LETTERS, LONGEST_ANSWER, LONGEST_QUESTION, Question
from adstudio.evaluation.results import Measure, Scores
from adstudio.llm.messages import Limits, Request, scene_key, user

AT_ONCE = 20
"""Questions in one request."""
ROUNDS = 2
"""How often a question is asked that gets no answer."""
ANSWER_TOKENS = 25
LONGEST_TEXT = 2_000
SILENCE = "(Nothing is described in this part of the film.)"
_LETTERS = LETTERS.upper()


@dataclass(frozen=True)
class QuestionedText:
    """What is asked about one sequence of a film: the questions, and the texts from which they are to be answered.

    `spans` are the times of the texts, which are in their order; None where they have none, as with descriptions of
    whole scenes: then nothing is attributed.
    """

    system: str
    film: str
    sequence: str
    questions: tuple[Question, ...]
    texts: tuple[str, ...]
    spans: tuple[Span, ...] | None = None

    def __post_init__(self) -> None:
        if self.spans is not None and len(self.spans) != len(self.texts):
            raise ValueError(f"{len(self.texts)} texts with {len(self.spans)} times")

    @property
    def groups(self) -> tuple[tuple[Question, ...], ...]:
        """The questions, by request."""
        return tuple(self.questions[first : first + AT_ONCE] for first in range(0, len(self.questions), AT_ONCE))

    @property
    def most_requests(self) -> int:
        """The requests that it takes where some answer of each group remains to be attributed to the end."""
        return len(self.groups) * (1 + len(self.spans or ()))


@dataclass(frozen=True)
class Answer:
    """A model's answer to a question: an index, None for no answer; and the index of the text that it comes from."""

    question: Question
    given: int | None
    attributed: int | None = None

    @property
    def right(self) -> bool:
        """Whether it is the right one."""
        return self.given == self.question.right


@dataclass(frozen=True)
class AnsweredText:
    """The answers from one text, in the order of its questions."""

    asked: QuestionedText
    answers: tuple[Answer, ...]

    def source(self, answer: Answer) -> Span | None:
        """The time of the description that a right answer comes from."""
        return None if answer.attributed is None or not self.asked.spans else self.asked.spans[answer.attributed]

    def in_time(self, answer: Answer) -> bool:
        """Whether it is right and comes from a description less than ten seconds from the reference's, by middles."""
        span, source = answer.question.span, self.source(answer)
        if not answer.right or source is None or span is None:
            return False
        # Twice the middles, as they are whole.
        return abs(source.doubled_midpoint - span.doubled_midpoint) < 2 * TAU_MS

    @property
    def scores(self) -> Scores:
        """QEval, and QEval-T over the questions with a time; a measure without a question to go by is left out."""
        scores: dict[Measure, float] = {}
        if self.answers:
            scores[Measure.QEVAL] = _per_cent([each.right for each in self.answers])
        timed = [self.in_time(each) for each in self.answers if each.question.span is not None]
        if timed and self.asked.spans is not None:
            scores[Measure.QEVAL_T] = _per_cent(timed)
        return scores


def _per_cent(hits: Sequence[bool]) -> float:
    return 100 * sum(hits) / len(hits)


def answer_request(questions: Sequence[Question], texts: Sequence[str], *, bound: bool = True) -> Request:
    """The request for the answers to some questions from these texts alone.

    The questions come first: requests that leave out another text then begin alike, which servers' caches use.
    """
    asked: list[str] = []
    for at, question in enumerate(questions):
        asked.append(f"{_name(at)}: {plain(question.text, LONGEST_QUESTION)}")
        asked += [
            f"  {letter}. {plain(answer, LONGEST_ANSWER)}"
            for letter, answer in zip(_LETTERS, question.answers, strict=True)
        ]
    descriptions = [plain(text, LONGEST_TEXT) for text in texts] or [SILENCE]
    parts = [block("QUESTIONS", asked), block("AUDIO DESCRIPTION", descriptions), fixed_prompt("answer").text]
    if not bound:
        parts.append('The form, with an entry for each question:\n{"answers": [{"id": "", "answer": ""}]}')
    items = [
        closed(
            {
                "id": {"type": "string", "enum": [_name(at)]},
                "answer": {"type": "string", "enum": list(_LETTERS)},
            }
        )
        for at in range(len(questions))
    ]
    return Request(
        messages=(user("\n\n".join(parts)),),
        system=fixed_prompt("system").text,
        schema=one_of_each("answers", items),
        limits=Limits.of_answer(2 * ANSWER_TOKENS * len(questions) + 500),
        temperature=0.0,
        scene=scene_key("\n".join(asked)),
    )


def _name(at: int) -> str:
    return f"q{at + 1:02d}"


async def answer_texts(
    texts: Sequence[QuestionedText], asking: Asking, on_done: Callable[[int], None] = lambda _requests: None
) -> tuple[AnsweredText, ...]:
    """The answers from each of the texts; `on_done` is called with how many requests are done or not needed after all.

    Raises:
        StoppedError, HaltedError: as asking does.
        BadInputError, OutsideFailureError: as `ask_text`.
    """
    examiner = _Examiner(asking, on_done)
    works = [partial(examiner.answered, each, group) for each in texts for group in each.groups]
    answers = iter(await side_by_side(asking, works))
    return tuple(
        AnsweredText(each, tuple(answer for group in islice(answers, len(each.groups)) for answer in group))
        for each in texts
    )


@dataclass(frozen=True)
class _Examiner:
    asking: Asking
    on_done: Callable[[int], None]

    async def answered(self, asked: QuestionedText, questions: Sequence[Question]) -> list[Answer]:
        """The answers to a group of questions, the right ones attributed."""
        given = await self._given(asked, questions, asked.texts)
        self.on_done(1)
        left = {at for at, question in enumerate(questions) if given.get(at) == question.right}
        attributed: dict[int, int] = {}
        for without in range(len(asked.spans or ())):
            if left:
                texts = (*asked.texts[:without], *asked.texts[without + 1 :])
                otherwise = await self._given(asked, questions, texts)
                # No answer is not another answer.
                changed = {at for at in left if otherwise.get(at, given[at]) != given[at]}
                attributed |= dict.fromkeys(changed, without)
                left -= changed
            self.on_done(1)
        return [Answer(question, given.get(at), attributed.get(at)) for at, question in enumerate(questions)]

    async def _given(
        self, asked: QuestionedText, questions: Sequence[Question], texts: Sequence[str]
    ) -> dict[int, int]:
        """The answers by the places of the questions; those that remain without one are not in it."""
        found: dict[int, int] = {}
        label = f"{asked.film}, {asked.sequence}".strip(", ")
        for _ in range(ROUNDS):
            left = [at for at in range(len(questions)) if at not in found]
            request = answer_request(
                [questions[at] for at in left], texts, bound=self.asking.provider.capabilities.schema
            )
            job = await ask_text(self.asking, request, label, fixed_prompt("answer").key)
            read = read_letters(job.text, len(left))
            if job.answered and not read:
                give_back(self.asking, job, "its answer holds no letters")
            found |= {left[at]: letter for at, letter in read.items()}
            if len(found) == len(questions) or not read:
                break
        return found


def read_letters(text: str, count: int) -> dict[int, int]:
    """The answers in a model's response, by the places of so many questions; the first one to each counts."""
    known = {_name(at): at for at in range(count)}
    found: dict[int, int] = {}
    for element in read_answer(text):
        name, letter = element.get("id"), element.get("answer")
        if not isinstance(name, str) or name not in known or not isinstance(letter, str):
            continue
        plain_letter = letter.strip(" .)(").upper()
        if len(plain_letter) == 1 and plain_letter in _LETTERS:
            found.setdefault(known[name], _LETTERS.index(plain_letter))
    return found
