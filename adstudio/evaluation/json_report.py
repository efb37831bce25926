"""`adstudio-evaluation/1`: an evaluation as JSON, written and read back (docs/formats.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeVar, cast

from adstudio.core.json_reading import Node, parse_json
from adstudio.core.timebase import Span, seconds
from adstudio.evaluation.material import SequenceSource
from adstudio.evaluation.results import (
    Evaluation,
    FilmFacts,
    FilterCounts,
    GapComparison,
    Measure,
    QuestionResult,
    Scores,
    Selection,
    SequenceFacts,
    SequenceResult,
    Significance,
    SystemAnswer,
    SystemResult,
    Unrealistic,
)
from adstudio.system.files import read_bounded, written_atomically

FORMAT = "adstudio-evaluation/1"
MAX_BYTES = 500_000_000
"""Bytes of a file that is read."""
_MOST = 1_000_000
"""Items of an array."""
_MOST_TEXT = 200_000
"""Characters of what is said in a gap."""
_MOST_NAME = 10_000
_WHAT = "evaluation"
_RATES = frozenset(map(str, range(1_000)))
"""Rates of wordings, in per cent."""

T = TypeVar("T")
Name = TypeVar("Name", bound=StrEnum)


def write_json(evaluation: Evaluation, path: Path) -> None:
    """Write an evaluation to a file, piece by piece, and whole or not at all; `read_json` gives an equal one.

    Raises:
        BadInputError, OutsideFailureError: where it cannot be written.
    """
    with written_atomically(path) as temporary, temporary.open("wb") as file:
        file.writelines(piece.encode("utf-8", "replace") for piece in json_pieces(evaluation))


def json_pieces(evaluation: Evaluation) -> Iterator[str]:
    """The same as text: an item of each list on a line of its own."""
    yield f'{{"format": {_text(FORMAT)}, "day": {_text(evaluation.day)}'
    yield from _list("films", map(_film, evaluation.films))
    yield from _list("sequences", map(_facts, evaluation.sequences))
    yield from _list("systems", map(_system, evaluation.systems))
    yield from _list("significance", map(_significance, evaluation.significance))
    yield from _list("gaps", map(_gap, evaluation.gaps))
    yield from _list("questions", map(_question, evaluation.questions))
    yield from _list("notes", iter(evaluation.notes))
    yield "}\n"


def read_json(path: Path) -> Evaluation:
    """Read an evaluation from a file.

    Raises:
        BadInputError: for what is no evaluation, with the place and the error.
        OutsideFailureError: if the disk cannot be read.
    """
    return parse_evaluation(read_bounded(path, MAX_BYTES, _WHAT), path.name)


def parse_evaluation(data: bytes, source: str) -> Evaluation:
    """Read an evaluation; `source` names the file in messages.

    Raises:
        JsonError: with the place and the error: another version, unknown or missing keys, values out of range.
    """
    root = parse_json(data, source)
    # Before its keys: those of another version would be called unknown.
    if root.has("format"):
        form = Node(cast("dict[str, object]", root.value)["format"], "format", source)
        if form.value != FORMAT:
            form.fail(f"expected “{FORMAT}”, not “{form.text()[:60]}”")
    top = root.members(
        ("format", "films", "systems", "significance", "gaps", "notes"), ("day", "sequences", "questions")
    )
    return Evaluation(
        films=_each(top["films"], _read_film),
        systems=_each(top["systems"], _read_system),
        significance=_each(top["significance"], _read_significance),
        gaps=_each(top["gaps"], _read_gap),
        notes=_each(top["notes"], _read_name),
        sequences=_each(top["sequences"], _read_facts) if "sequences" in top else (),
        questions=_each(top["questions"], _read_question) if "questions" in top else (),
        day=top["day"].text(40) if "day" in top else "",
    )


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _list(key: str, items: Iterator[object]) -> Iterator[str]:
    yield f',\n "{key}": ['
    for number, item in enumerate(items):
        yield f"{',' if number else ''}\n  {_text(item)}"
    yield "]"


def _scores(scores: Scores) -> dict[str, float]:
    return {measure.value: scores[measure] for measure in Measure if measure in scores}


def _film(film: FilmFacts) -> dict[str, object]:
    return {
        "name": film.name,
        "language": film.language,
        "sequences": film.sequences,
        "sequence_source": film.sequence_source.value,
        "references": film.references,
        "notes": film.notes,
    }


def _facts(facts: SequenceFacts) -> dict[str, object]:
    return {
        "film": facts.film,
        "sequence": facts.sequence,
        "start": seconds(facts.span.start),
        "end": seconds(facts.span.end),
        "free": seconds(facts.free),
        "seconds_to_proof": facts.seconds_to_proof,
        "proven": facts.proven,
    }


def _system(system: SystemResult) -> dict[str, object]:
    found: dict[str, object] = {
        "name": system.name,
        "mean": _scores(system.mean),
        "intervals": {measure.value: list(ends) for measure, ends in system.intervals.items()},
        "films": {film: _scores(scores) for film, scores in system.films.items()},
        "sequences": [
            {"film": each.film, "sequence": each.sequence, "scores": _scores(each.scores)} for each in system.sequences
        ],
    }
    if system.filtered is not None:
        found["filtered"] = {
            "total": system.filtered.total,
            "removed": {reason.value: number for reason, number in system.filtered.removed.items()},
            "faster_than_500": system.filtered.faster_than_500,
        }
    if system.unfiltered is not None:
        found["unfiltered"] = system.unfiltered
    if system.selections:
        found["selections"] = [
            {
                "film": each.film,
                "sequence": each.sequence,
                "items": each.items,
                "variants": {str(rate): lines for rate, lines in each.variants.items()},
            }
            for each in system.selections
        ]
    return found


def _significance(each: Significance) -> dict[str, object]:
    return {
        "one": each.one,
        "other": each.other,
        "measure": each.measure.value,
        "difference": each.difference,
        "p": each.p,
    }


def _gap(gap: GapComparison) -> dict[str, object]:
    return {
        "film": gap.film,
        "sequence": gap.sequence,
        "start": seconds(gap.gap.start),
        "end": seconds(gap.gap.end),
        "references": dict(gap.references),
        "systems": dict(gap.systems),
        "scores": {system: _scores(scores) for system, scores in gap.scores.items()},
    }


def _question(question: QuestionResult) -> dict[str, object]:
    return {
        "film": question.film,
        "sequence": question.sequence,
        "id": question.id,
        "question": question.question,
        "right": question.right,
        "time": _times(question.time),
        "answers": {
            system: {"given": each.given, "source": _times(each.source), "in_time": each.in_time}
            for system, each in question.answers.items()
        },
    }


def _times(span: Span | None) -> list[float] | None:
    return None if span is None else [seconds(span.start), seconds(span.end)]


def _each(node: Node, read: Callable[[Node], T]) -> tuple[T, ...]:
    return tuple(read(item) for item in node.items(_MOST))


def _mapping(node: Node, read: Callable[[Node], T]) -> dict[str, T]:
    """An object whose keys are names."""
    value = node.value
    names = list(cast("dict[str, object]", value)) if isinstance(value, dict) else []
    return {name: read(each) for name, each in node.members((), names).items()}


def _named(node: Node, kind: type[Name], read: Callable[[Node], T]) -> dict[Name, T]:
    """An object whose keys are of a fixed list."""
    return {kind(name): read(value) for name, value in node.members((), [each.value for each in kind]).items()}


def _one_of(node: Node, kind: type[Name]) -> Name:
    try:
        return kind(node.text())
    except ValueError:
        node.fail(f"expected one of {', '.join(each.value for each in kind)}")


def _read_name(node: Node) -> str:
    return node.text(_MOST_NAME)


def _read_words(node: Node) -> str:
    return node.text(_MOST_TEXT)


def _read_count(node: Node) -> int:
    return node.integer(0, 10**9)


def _read_number(node: Node) -> float:
    number = float(node.number())
    if abs(number) > 1e9:
        node.fail("out of range")
    return number


def _read_scores(node: Node) -> Scores:
    return _named(node, Measure, _read_number)


def _read_span(members: Mapping[str, Node]) -> Span:
    start, end = members["start"].ms(), members["end"].ms()
    if end < start:
        members["end"].fail("is before the start")
    return Span(start, end)


def _read_film(node: Node) -> FilmFacts:
    found = node.members(("name", "sequences", "sequence_source", "references"), ("language", "notes"))
    return FilmFacts(
        name=_read_name(found["name"]),
        sequences=_read_count(found["sequences"]),
        sequence_source=_one_of(found["sequence_source"], SequenceSource),
        references=_each(found["references"], _read_name),
        notes=_each(found["notes"], _read_name) if "notes" in found else (),
        language=found["language"].text(100) if "language" in found else "",
    )


def _read_facts(node: Node) -> SequenceFacts:
    found = node.members(("film", "sequence", "start", "end", "free", "seconds_to_proof", "proven"))
    measured = found["seconds_to_proof"]
    return SequenceFacts(
        film=_read_name(found["film"]),
        sequence=_read_name(found["sequence"]),
        span=_read_span(found),
        free=found["free"].ms(),
        seconds_to_proof=None if measured.is_null else _read_number(measured),
        proven=found["proven"].boolean(),
    )


def _read_ends(node: Node) -> tuple[float, float]:
    low, high = (_read_number(item) for item in node.items(2, 2))
    if high < low:
        node.fail("ends before it starts")
    return low, high


def _read_sequence(node: Node) -> SequenceResult:
    found = node.members(("film", "sequence", "scores"))
    return SequenceResult(_read_name(found["film"]), _read_name(found["sequence"]), _read_scores(found["scores"]))


def _read_filtered(node: Node) -> FilterCounts:
    found = node.members(("total", "removed", "faster_than_500"))
    removed = _named(found["removed"], Unrealistic, _read_count)
    return FilterCounts(_read_count(found["total"]), removed, _read_count(found["faster_than_500"]))


def _read_selection(node: Node) -> Selection:
    found = node.members(("film", "sequence", "items", "variants"))
    variants = _mapping(found["variants"], _read_count)
    if not all(rate in _RATES for rate in variants):
        found["variants"].fail("a rate is not a whole number of per cent")
    rates = {int(rate): lines for rate, lines in variants.items()}
    return Selection(_read_name(found["film"]), _read_name(found["sequence"]), _read_count(found["items"]), rates)


def _read_system(node: Node) -> SystemResult:
    found = node.members(("name", "mean", "intervals", "films", "sequences"), ("filtered", "unfiltered", "selections"))
    return SystemResult(
        name=_read_name(found["name"]),
        mean=_read_scores(found["mean"]),
        films=_mapping(found["films"], _read_scores),
        sequences=_each(found["sequences"], _read_sequence),
        intervals=_named(found["intervals"], Measure, _read_ends),
        filtered=_read_filtered(found["filtered"]) if "filtered" in found else None,
        unfiltered=_read_name(found["unfiltered"]) if "unfiltered" in found else None,
        selections=_each(found["selections"], _read_selection) if "selections" in found else (),
    )


def _read_significance(node: Node) -> Significance:
    found = node.members(("one", "other", "measure", "difference", "p"))
    p = _read_number(found["p"])
    if not 0 <= p <= 1:
        found["p"].fail("is not a probability")
    return Significance(
        one=_read_name(found["one"]),
        other=_read_name(found["other"]),
        measure=_one_of(found["measure"], Measure),
        difference=_read_number(found["difference"]),
        p=p,
    )


def _read_gap(node: Node) -> GapComparison:
    found = node.members(("film", "sequence", "start", "end", "references", "systems", "scores"))
    return GapComparison(
        film=_read_name(found["film"]),
        sequence=_read_name(found["sequence"]),
        gap=_read_span(found),
        references=_mapping(found["references"], _read_words),
        systems=_mapping(found["systems"], _read_words),
        scores=_mapping(found["scores"], _read_scores),
    )


def _read_question(node: Node) -> QuestionResult:
    found = node.members(("film", "sequence", "id", "question", "right", "time", "answers"))
    film, sequence, name, text, right = (
        _read_name(found[key]) for key in ("film", "sequence", "id", "question", "right")
    )
    answers = _mapping(found["answers"], _read_answer)
    return QuestionResult(film, sequence, name, text, right, _read_times(found["time"]), answers)


def _read_answer(node: Node) -> SystemAnswer:
    found = node.members(("given", "source", "in_time"))
    return SystemAnswer(_read_name(found["given"]), _read_times(found["source"]), found["in_time"].boolean())


def _read_times(node: Node) -> Span | None:
    if node.is_null:
        return None
    start, end = node.items(2, 2)
    return _read_span({"start": start, "end": end})
