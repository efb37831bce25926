"""Strict readers of what the program writes, straight from DESIGN section 5 and in nobody else's code."""

import json
from decimal import Decimal
from typing import Any


def exact(data: bytes) -> Any:
    """JSON with its numbers as they are written; no constants, no key twice."""

    def refuse(name: str):
        raise AssertionError(f"{name} in JSON")

    def once(pairs):
        assert len({key for key, _ in pairs}) == len(pairs), pairs
        return dict(pairs)

    text = data.decode("utf-8")
    assert text.endswith("\n")
    return json.loads(text, parse_float=Decimal, parse_constant=refuse, object_pairs_hook=once)


def seconds(value: Any, *, least: int = 0) -> Decimal:
    assert isinstance(value, int | Decimal), value
    assert not isinstance(value, bool)
    number = Decimal(value)
    assert number >= least
    assert -number.as_tuple().exponent <= 3, f"{number} has more than three places"
    return number


def keys(value: Any, *names: str) -> None:
    assert list(value) == list(names)


def check_gaps(data: bytes) -> Any:
    value = exact(data)
    keys(value, "format", "end", "encoding", "gaps", "dialogue", "problems")
    assert value["format"] == "adstudio-gaps/1"
    end = seconds(value["end"])
    assert isinstance(value["encoding"], str)
    before = Decimal(-1)
    for gap in value["gaps"]:
        first, last = map(seconds, gap)
        assert before < first < last <= end
        before = last
    for cue in value["dialogue"]:
        keys(cue, "start", "end", "text", "speaker", "kind")
        seconds(cue["start"], least=-(10**6))
        seconds(cue["end"], least=-(10**6))
        assert isinstance(cue["text"], str)
        assert cue["speaker"] is None or isinstance(cue["speaker"], str)
        assert cue["kind"] in ("speech", "sound", "music", "sung")
    for oddity in value["problems"]:
        keys(oddity, "line", "what")
        assert oddity["line"] is None or (isinstance(oddity["line"], int) and oddity["line"] >= 1)
        assert oddity["what"]
    return value


STATUSES = ("optimal", "feasible", "infeasible", "timeout", "invalid")


def check_plan(data: bytes) -> Any:
    value = exact(data)
    near = ("near_event",) if "near_event" in value else ()
    keys(
        value,
        *("format", "status", "backend", "objective", "bound", "deviation", "seconds", *near),
        *("deliveries", "conflict", "violations"),
    )
    if near:
        keys(value["near_event"], "1", "2", "4")
        assert 0 <= value["near_event"]["1"] <= value["near_event"]["2"] <= value["near_event"]["4"] <= 1
    assert value["format"] == "adstudio-plan/1"
    assert value["status"] in STATUSES
    assert value["backend"]
    seconds(value["seconds"])
    if value["status"] in ("infeasible", "timeout"):
        assert value["objective"] is value["bound"] is value["deviation"] is None
        assert value["deliveries"] == []
    if value["status"] != "infeasible":
        assert value["conflict"] == []
    for delivery in value["deliveries"]:
        named = ("text",) if "text" in delivery else ("element", "variant")
        keys(delivery, *named, "start", "end")
        assert seconds(delivery["start"]) <= seconds(delivery["end"])
    for cause in value["conflict"]:
        if "hold" in cause:
            keys(cause, "element", "hold")
            assert cause["hold"] in ("selected", "variant", "start")
        else:
            keys(cause, "rule", "of")
            assert cause["rule"] in ("alternatives", "requires", "together")
    assert value["violations"] == []
    return value


CHANGED = ("displaces", "shortens", "adds", "lengthens", "far")


def check_explain(data: bytes) -> Any:
    value = exact(data)
    keys(value, "format", "status", "objective", "bound", "elements", "gaps")
    assert value["format"] == "adstudio-explain/1"
    for each in value["elements"]:
        keys(each, "element", "in", "loss", "why", "variant", *CHANGED)
        assert isinstance(each["in"], bool)
        assert each["loss"] is None or each["loss"] >= 0
        assert each["why"].strip()
        assert (each["variant"] is None) == (each["in"] or each["loss"] is None)
    for each in value["gaps"]:
        keys(each, "gap", "value_per_second", *CHANGED)
        first, last = map(seconds, each["gap"])
        assert first < last
        assert each["value_per_second"] is None or isinstance(each["value_per_second"], int | Decimal)
    for each in (*value["elements"], *value["gaps"]):
        assert all(isinstance(name, str) for key in ("displaces", "adds", "far") for name in each[key])
        for line in (*each["shortens"], *each["lengthens"]):
            keys(line, "element", "from", "to")
    return value


def check_reframed(data: bytes) -> Any:
    value = exact(data)
    assert list(value) == [str(number) for number in range(1, len(value) + 1)]
    for each in value.values():
        keys(each, "start", "end", "text")
        assert seconds(each["start"]) < seconds(each["end"])
        assert each["text"].strip()
    return value
