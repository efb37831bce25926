"""Files of questions: JSON in the form `adstudio-questions/1`, and the table for reviewing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.json_reading import Node, json_bytes, parse_json
from adstudio.core.timebase import seconds
from adstudio.evaluation.question_table import questions_in_table
from adstudio.evaluation.questions import (
    LETTERS,
    LONGEST_ANSWER,
    LONGEST_NAME,
    LONGEST_QUESTION,
    MOST,
    Question,
    one_line,
    question_fault,
)
from adstudio.system.files import read_bounded

FORMAT = "adstudio-questions/1"
LARGEST = 20_000_000
"""Bytes of a file."""


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions in a file: JSON, or the table for reviewing (CSV, XLSX).

    Raises:
        BadInputError: for a file that is neither, or has a fault; the message names the fault and its place.
        OutsideFailureError: if it cannot be read.
    """
    return questions_in(read_bounded(path, LARGEST, "question file"), str(path))


def questions_in(data: bytes, name: str) -> tuple[Question, ...]:
    """The questions in the bytes of a file; raises BadInputError as `read_questions`."""
    if len(data) > LARGEST:
        raise BadInputError(f"{name} is too large for a question file (over {LARGEST // 1_000_000} MB)")
    is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    return _from_json(data, name) if is_json else questions_in_table(data, name)


def questions_json(questions: Sequence[Question]) -> bytes:
    """The questions as `adstudio-questions/1`."""
    return json_bytes({"format": FORMAT, "questions": [_fields(each) for each in questions]})


def _fields(question: Question) -> dict[str, object]:
    fields: dict[str, object] = {"id": question.id}
    if question.film:
        fields["film"] = question.film
    if question.reference:
        fields["reference"] = question.reference
    if question.span is not None:
        fields["time"] = [seconds(question.span.start), seconds(question.span.end)]
    if question.sequence:
        fields["sequence"] = question.sequence
    fields |= {"question": question.text, "answers": list(question.answers), "right": LETTERS[question.right]}
    return fields if question.keep is None else {**fields, "keep": question.keep}


def _from_json(data: bytes, name: str) -> tuple[Question, ...]:
    root = parse_json(data, name)
    members = root.members(("format", "questions"))
    found = members["format"].text(100)
    if found != FORMAT:
        members["format"].fail(f"“{found}” is not “{FORMAT}”: give a question file")
    questions: list[Question] = []
    known: set[str] = set()
    for node in members["questions"].items(MOST, 1):
        question = _question(node)
        if fault := question_fault(question):
            node.fail(fault)
        if question.id in known:
            node.fail(f"the id “{question.id[:80]}” is there twice")
        known.add(question.id)
        questions.append(question)
    return tuple(questions)


def _question(node: Node) -> Question:
    members = node.members(("id", "question", "answers", "right"), ("film", "reference", "time", "sequence", "keep"))

    def text(key: str, longest: int = LONGEST_NAME) -> str:
        return one_line(members[key].text(longest)) if key in members else ""

    letter = members["right"].text(10)
    if letter not in LETTERS or len(letter) != 1:
        members["right"].fail(f"“{letter}” is none of the letters {LETTERS[0]} to {LETTERS[-1]}")
    keep = members.get("keep")
    time = members.get("time")
    return Question(
        text("id"),
        text("question", LONGEST_QUESTION),
        tuple(one_line(each.text(LONGEST_ANSWER)) for each in members["answers"].items(len(LETTERS), len(LETTERS))),
        LETTERS.index(letter),
        None if time is None else time.span(),
        text("sequence"),
        text("film"),
        text("reference"),
        None if keep is None or keep.is_null else keep.boolean(),
    )
