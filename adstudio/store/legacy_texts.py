"""What file versions up to 6 said in English alone, and version 7 says in values: provenance, and who made a step.

The patterns are those by which the programs of that time read their own texts; nothing else may read them.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

_LATER = re.compile(r"(?:^|; )(?=(?:weighed|polished|held) by )")
_HELD = "held by the polishing of another line"
_SCREENPLAY = re.compile(r"screenplay, (?:page (\d{1,8}), )?line (\d{1,8})")
_DESCRIPTION = re.compile(r"description, line (\d{1,8})")
_PROMPTED = re.compile(r"(?:^|, (?:then )?)\w+ \d+( edited \w+)?, \d{4}-\d\d-\d\d \d\d:\d\d UTC$")
"""How a text ends that says by which prompts a model drafted a line."""
_DATED = re.compile(r"(?P<work>.+), (?P<at>\d{4}-\d\d-\d\d \d\d:\d\d) UTC\n?", re.DOTALL)
_TASK = re.compile(r"(\w+) (\d{1,8})(?: edited (\w+))?")
_PROMPTS = frozenset(
    ("system", "describe", "screenplay", "candidates", "repair", "weigh", "polish", "direct", "schedule")
)
_METHODS = frozenset(("text embedding", "video embedding"))
_UNNAMED = "a model"

_COMMAND = " (by a command)"
_SCENE = re.compile(r"Scene .* drafted by (?P<by>.*)", re.DOTALL)
_WEIGHTS = re.compile(r"Weigh (?P<count>[\d,]+) lines? by (?P<by>.*)", re.DOTALL)
_MOST_LINES = 99_999_999
_KINDS = {"Take over who is in the film": "people", "Set the rules that lines suggest": "rules"}


def provenance(source: str) -> dict[str, Any]:
    """The provenance that a line's `source` told of, as version 7 writes it; other people's words stay as they are."""
    drafted, *later = _LATER.split(source)
    found: dict[str, Any] = {"drafted": None, "weighed": None, "polished": None, "held_by_polishing": False}
    for each in later:
        how, _, text = each.partition(" by ")
        if how in ("weighed", "polished"):
            found[how] = _work(text) or _text(text)
        elif each == _HELD:
            found["held_by_polishing"] = True
        else:
            drafted += f"{'; ' * bool(drafted)}{each}"
    if drafted:
        found["drafted"] = _drafted(drafted)
    return found


def origin(label: str) -> tuple[str, dict[str, Any]]:
    """A step's label without what it told of its maker, and that as version 7 writes it."""
    name = label.removesuffix(_COMMAND)
    agent = "person" if name == label else "command"
    if weights := _WEIGHTS.fullmatch(name):
        # Nothing but a command ever had lines weighed by a server, also before such steps bore the mark.
        return "", _origin(
            "command", "weights", weights["by"], min(int(weights["count"].replace(",", "") or 0), _MOST_LINES)
        )
    if scene := _SCENE.fullmatch(name):
        return name, _origin("editor" if agent == "person" else agent, "scene_draft", scene["by"])
    if agent == "command" and name in _KINDS:
        return "", _origin(agent, _KINDS[name])
    return name, _origin(agent, "edit")


def _origin(agent: str, kind: str, by: str = "", count: int = 0) -> dict[str, Any]:
    return {"agent": agent, "kind": kind, "by": by, "count": count}


def _drafted(text: str) -> dict[str, Any]:
    if found := _SCREENPLAY.fullmatch(text):
        return {"type": "screenplay", "line": int(found[2]), "page": int(found[1] or 0)}
    if found := _DESCRIPTION.fullmatch(text):
        return {"type": "description", "line": int(found[1])}
    return (_work(text) if _PROMPTED.search(text) else None) or _text(text)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _work(text: str) -> dict[str, Any] | None:
    """The work of models: `m, describe 1, then n, candidates 1, 2026-11-28 08:00 UTC`; None where it is not told so."""
    found = _DATED.fullmatch(text)
    if found is None:
        return None
    try:
        at = int(dt.datetime.strptime(f"{found['at']} +0000", "%Y-%m-%d %H:%M %z").timestamp())
    except ValueError:
        at = None
    contributions = [_contribution(part.split(", ")) for part in found["work"].split(", then ")]
    return {"type": "models", "contributions": contributions, "at": at if at is None or at >= 0 else None}


def _contribution(pieces: list[str]) -> dict[str, Any]:
    """One model's part: its name, which some versions left out of an answer that was gone on from, then its tasks."""
    tasks: list[dict[str, Any]] = []
    while pieces and (task := _task(pieces[-1], last=not tasks)) is not None:
        tasks.insert(0, task)
        pieces = pieces[:-1]
    model = ", ".join(pieces)
    return {"model": "" if model == _UNNAMED else model, "tasks": tasks}


def _task(text: str, *, last: bool) -> dict[str, Any] | None:
    """A prompt with its version or a method; of what stands before the last task only names of prompts are tasks."""
    if text in _METHODS:
        return {"name": text, "version": 0, "edited": ""}
    found = _TASK.fullmatch(text)
    if found is None or not (last or found[1] in _PROMPTS):
        return None
    return {"name": found[1], "version": int(found[2]), "edited": found[3] or ""}
