"""A model makes questions from a reference AD: one for each description, checked here before anybody sees it.

What is checked can be checked by rule: five different answers of which the right one is not in the question, no answer
that is about the others, the reference's language. Whether a question is a good one is for a person to say. Where the
right answer stands is drawn by a seed, so that the same answers of the model give the same file.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from adstudio.core.timebase import Span
from adstudio.drafting.model.answers import read_answer
from adstudio.drafting.model.client import Asking
from adstudio.drafting.model.context import block, plain
from adstudio.drafting.model.prompts import fixed_prompt
from adstudio.drafting.model.requests import in_language
from adstudio.drafting.model.response_schema import closed, one_of_each, spelled
from adstudio.evaluation.asking import ask_text, give_back, side_by_side
from adstudio.evaluation.material import Transcript
from adstudio.evaluation.questions import (
    LETTERS,
    Question,
    one_line,
    question_fault,
    same_answer,
)
from adstudio.llm.messages import Limits, Request, scene_key, user
from adstudio.screenplay.language import guess_language

AT_ONCE = 12
"""Descriptions in one request; they are context for one another."""
ROUNDS = 2
"""How often a question is requested that is refused here."""
QUESTION_TOKENS = 150
QUESTION_LETTERS, ANSWER_LETTERS = 250, 100
"""The most of what a model writes: enough for anything worth reading, too little for what never ends."""
LONGEST_DESCRIPTION = 1_000
NO_QUESTION = "it says nothing to ask about"
UNANSWERED = "the model did not answer for it"
OTHER_LANGUAGE = "its question is in another language"
TWICE = "two of its answers are the same"
GIVEN_AWAY = "its question gives the answer away"
ABOUT_OTHERS = "one of its answers is about the other answers"
_WORD = re.compile(r"\w+")
_OTHERS = re.compile(
    r"\b(all|none|both|neither|any|either) of (the (above|others?|answers?|options?)|these|those)\b|\bthe above\b"
    r"|\b(alle|keine[rs]?|nichts) (der (genannten|anderen|antworten)|davon|von diesen)|\bobengenannt"
    r"|\b(toutes?|aucune?) (les|des|de ces) (réponses|autres|propositions)|\btodas? las anteriores"
    r"|\bningun[ao] de (las|los)|\btutte le (risposte|precedenti)|\bnessuna delle|\bnenhuma das"
    r"|\btodas as (anteriores|alternativas)",
    re.IGNORECASE,
)
_ALIKE = ({"es", "pt", "it", "fr"}, {"sv", "da"}, {"de", "nl"}, {"pl", "cs"})
"""Languages that a single question is too short to tell apart."""


@dataclass(frozen=True)
class NewQuestions:
    """The questions of a reference in the order of its descriptions; and how many have none, by the reason."""

    questions: tuple[Question, ...]
    dropped: Mapping[str, int]


@dataclass(frozen=True)
class Piece:
    """A description by its place in the reference, and what was wrong with the question that was made of it."""

    place: int
    text: str
    span: Span
    fault: str = ""

    @property
    def id(self) -> str:
        """Its name in requests."""
        return f"d{self.place + 1:03d}"


def groups_of(reference: Transcript) -> list[list[Piece]]:
    """The descriptions of a reference, by request."""
    pieces = [Piece(at, each.text, each.span) for at, each in enumerate(reference.descriptions)]
    return [pieces[first : first + AT_ONCE] for first in range(0, len(pieces), AT_ONCE)]


def questions_request(
    pieces: Sequence[Piece], of: Sequence[Piece], language: str = "", *, bound: bool = True
) -> Request:
    """The request for questions about some pieces (`of`), with all of the group as context."""
    ids = [each.id for each in of]
    listed = block("DESCRIPTIONS", [f"{each.id}: {plain(each.text, LONGEST_DESCRIPTION)}" for each in pieces])
    refused = [f"{each.id}: {each.fault}" for each in of if each.fault]
    parts = [listed]
    if refused:
        parts.append(block("REFUSED, pieces whose question is to be written anew, and why", refused))
    whole = "all of them" if len(of) == len(pieces) else f"these alone: {', '.join(ids)}"
    parts += [f"{fixed_prompt('questions').text}{in_language(language)}", f"Answer for {whole}."]
    schema = _schema(ids)
    if not bound:
        parts.append(spelled(schema))
    return Request(
        messages=(user("\n\n".join(parts)),),
        system=fixed_prompt("system").text,
        schema=schema,
        limits=Limits.of_answer(2 * QUESTION_TOKENS * len(of) + 500),
        temperature=0.0,
        scene=scene_key(listed),
    )


def _schema(ids: Sequence[str]) -> dict[str, Any]:
    answer = {"type": "string", "maxLength": ANSWER_LETTERS}
    wrong = {f"wrong{number}": answer for number in range(1, len(LETTERS))}
    question = {"type": "string", "maxLength": QUESTION_LETTERS}
    items = [
        closed({"id": {"type": "string", "enum": [each]}, "question": question, "right": answer, **wrong})
        for each in ids
    ]
    return one_of_each("questions", items)


async def make_questions(
    reference: Transcript,
    asking: Asking,
    *,
    film: str = "",
    language: str = "",
    seed: int = 0,
    prefix: str = "q",
    on_done: Callable[[], None] = lambda: None,
) -> NewQuestions:
    """Questions about a reference's descriptions; `on_done` is called once for each group of `groups_of`.

    `language` is a tag, empty where it is not known. `prefix` begins the questions' ids.

    Raises:
        StoppedError, HaltedError: as asking does.
        BadInputError, OutsideFailureError: as `ask_text`.
    """
    spoken = guess_language(each.text for each in reference.descriptions) or ""
    maker = _Maker(asking, reference.name, film, language, spoken, seed, prefix)

    async def one(pieces: Sequence[Piece]) -> tuple[dict[int, Question], Counter[str]]:
        found = await maker.questions(pieces)
        on_done()
        return found

    groups = await side_by_side(asking, [partial(one, pieces) for pieces in groups_of(reference)])
    questions = {place: question for found, _ in groups for place, question in found.items()}
    dropped: Counter[str] = sum((why for _, why in groups), Counter[str]())
    return NewQuestions(tuple(questions[place] for place in sorted(questions)), dropped)


@dataclass(frozen=True)
class _Maker:
    """`language` is what the model is told, `spoken` what the descriptions seem to be in; either may be empty."""

    asking: Asking
    reference: str
    film: str
    language: str
    spoken: str
    seed: int
    prefix: str

    async def questions(self, pieces: Sequence[Piece]) -> tuple[dict[int, Question], Counter[str]]:
        """The questions of a group by the places of its descriptions, and why others have none."""
        found: dict[int, Question] = {}
        dropped: Counter[str] = Counter()
        left: list[Piece] = list(pieces)
        for turn in range(ROUNDS):
            given = await self._given(pieces, left)
            checked = [(piece, *self._checked(piece, given.get(piece.id))) for piece in left]
            texts = [text for _, question, _ in checked if question is not None for text in _texts(question)]
            other = OTHER_LANGUAGE if self._is_other(texts, whole=True) else ""
            left.clear()
            for piece, question, fault in checked:
                if question is not None and not other:
                    found[piece.place] = question
                elif fault == NO_QUESTION or turn == ROUNDS - 1:
                    dropped[fault or other] += 1
                else:
                    left.append(replace(piece, fault=fault or other))
            if not left:
                break
        return found, dropped

    async def _given(self, pieces: Sequence[Piece], of: Sequence[Piece]) -> dict[str, dict[str, str]]:
        """What the model wrote for these pieces, by their names."""
        request = questions_request(pieces, of, self.language, bound=self.asking.provider.capabilities.schema)
        job = await ask_text(self.asking, request, self.reference, fixed_prompt("questions").key)
        wanted = {each.id for each in of}
        given: dict[str, dict[str, str]] = {}
        for element in read_answer(job.text):
            name = element.get("id")
            if isinstance(name, str) and name in wanted:
                given.setdefault(name, {key: plain(text) for key, text in element.items() if isinstance(text, str)})
        if job.answered and not given:
            give_back(self.asking, job, UNANSWERED)
        return given

    def _checked(self, piece: Piece, given: Mapping[str, str] | None) -> tuple[Question | None, str]:
        """The question about a piece, or why there is none."""
        if given is None:
            return None, UNANSWERED
        text = one_line(given.get("question", ""))
        right = one_line(given.get("right", ""))
        wrong = [one_line(given.get(f"wrong{number}", "")) for number in range(1, len(LETTERS))]
        if not text and not right:
            return None, NO_QUESTION
        name = f"{self.prefix}{piece.place + 1:04d}"
        answers = [right, *wrong]
        random.Random(f"{self.seed} {self.film} {self.reference} {name}").shuffle(answers)  # noqa: S311 - no secret
        question = Question(
            name, text, tuple(answers), answers.index(right), piece.span, film=self.film, reference=self.reference
        )
        fault = _fault(text, right, wrong) or question_fault(question)
        if not fault and self._is_other(_texts(question), whole=False):
            fault = OTHER_LANGUAGE
        return (None, fault) if fault else (question, "")

    def _is_other(self, texts: Sequence[str], *, whole: bool) -> bool:
        """Whether texts are in another language than the descriptions; of one question only where it is clear."""
        guessed = guess_language(texts)
        if guessed in (None, "und", self.spoken) or self.spoken in ("", "und"):
            return False
        return whole or not any({guessed, self.spoken} <= each for each in _ALIKE)


def _texts(question: Question) -> tuple[str, ...]:
    return (question.text, *question.answers)


def _fault(text: str, right: str, wrong: Sequence[str]) -> str:
    """What is wrong with the answers; empty if nothing is found."""
    plain_answers = [same_answer(each) for each in (right, *wrong)]
    if len(set(plain_answers)) < len(plain_answers):
        return TWICE
    if any(_OTHERS.search(each) for each in (right, *wrong)):
        return ABOUT_OTHERS
    asked = _words(text)
    return GIVEN_AWAY if _words(right) in asked and not any(_words(each) in asked for each in wrong) else ""


def _words(text: str) -> str:
    """A text as words between spaces, so that one is found in another only as whole words."""
    return f" {' '.join(_WORD.findall(same_answer(text)))} "
