"""What the editor and the process that drafts by a model say to each other: a request as a file, lines of JSON back.

{"looking": 0.25}
{"moved": "s1", "state": "describing", "why": ""}
{"delayed": "s1", "why": "…"}
{"telling": "s1", "part": 0, "text": "…"}
{"found": "s1", "part": 0, "id": "e01", "text": "…", "start": 1500, "end": null}
{"spent": [in, cached, out, thought, micro_usd], "ended": 12}
{"drafted": "s1", "state": "done", "why": "", "description": "…", "notes": ["…"], "lines": ["…"]}
{"over": {"done": 40, "failed": 1}, "halted": "", "asked": 95, "spent": […]}
{"noted": "one sentence"}
{"error": "one sentence"}

The request is a file, as a script is too long for an argument; whoever asks removes it. It never holds a key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from adstudio.connections.model_access import KINDS, Connection
from adstudio.core.errors import BadInputError
from adstudio.core.policy import Policy
from adstudio.core.script import Eventuality, Script
from adstudio.drafting.limits import THINKING
from adstudio.drafting.model.events import Delayed, Event, Found, Moved, SceneDraft, SceneState, Spent, Telling
from adstudio.llm.messages import Thinking, Usage
from adstudio.store.codec import CodecError, decode, encode
from adstudio.system.files import read_bounded

MODULE = "adstudio.drafting.model.worker"
"""What the process runs."""
LARGEST_REQUEST = 500_000_000


@dataclass(frozen=True)
class Request:
    """What is to be drafted, and how.

    `scenes` are the ids of those that are wanted, all where it is empty. The people and the project's own prompts are
    the script's; `texts` is what a screenplay tells by scene, and `descriptions` what a description does.
    `most_micro_usd` is what the film may cost over all runs.
    """

    script: Script
    connection: Connection
    scenes: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    store: Path | None = None
    at_once: int = 16
    again: bool = False
    anew: bool = False
    descriptions: Mapping[str, str] = field(default_factory=dict[str, str])
    thinking: Thinking = "off"
    most_micro_usd: int | None = None


@dataclass(frozen=True)
class Over:
    """The draft has ended: scenes by state, why it ended early if it did, asks and tokens over all runs."""

    states: Mapping[SceneState, int]
    halted: str
    asked: int
    usage: Usage


@dataclass(frozen=True)
class Failed:
    """It could not be begun, and why, in one sentence."""

    sentence: str


@dataclass(frozen=True)
class Looking:
    """The film's cuts are looked for: how far that is (0..1, or -1 where nobody knows)."""

    fraction: float


@dataclass(frozen=True)
class Noted:
    """Something that the describer should know, without a full stop; it goes on all the same."""

    sentence: str


Message = Event | Looking | Noted | Over | Failed


def write_request(request: Request) -> bytes:
    """The content of a request's file."""
    connection = request.connection
    fields = {
        "script": encode(request.script).decode(),
        "scenes": list(request.scenes),
        "texts": dict(request.texts),
        "descriptions": dict(request.descriptions),
        "store": _name(request.store),
        "at_once": request.at_once,
        "again": request.again,
        "anew": request.anew,
        "thinking": request.thinking,
        "most_micro_usd": request.most_micro_usd,
        "connection": {
            "kind": connection.kind,
            "model": connection.model,
            "url": connection.url,
            "log": _name(connection.log),
            "project": connection.project,
            "authority": _name(connection.authority),
            "salt": connection.salt,
            "keyed": connection.keyed,
            "identity": connection.identity,
        },
        "policy": encode(connection.policy).decode(),
    }
    return json.dumps(fields).encode()


def read_request(path: Path) -> Request:
    """The request in a file.

    Raises:
        BadInputError: for anything else.
        OutsideFailureError: where it cannot be read.
    """
    try:
        found = cast("dict[str, Any]", json.loads(read_bounded(path, LARGEST_REQUEST, "request")))
        return Request(
            script=decode(str(found["script"]).encode(), Script),
            connection=_connection(found["connection"], decode(str(found["policy"]).encode(), Policy)),
            scenes=tuple(map(str, found["scenes"])),
            texts={str(scene): str(text) for scene, text in found["texts"].items()},
            descriptions={str(scene): str(text) for scene, text in found["descriptions"].items()},
            store=_path(found["store"]),
            at_once=int(found["at_once"]),
            again=bool(found["again"]),
            anew=bool(found["anew"]),
            thinking=THINKING[THINKING.index(found["thinking"])],
            most_micro_usd=None if found["most_micro_usd"] is None else int(found["most_micro_usd"]),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, CodecError) as error:
        raise BadInputError(f"{path} is no request for a draft by a model ({error})") from error


def write_message(message: Message) -> str:
    """The message as a line, without its end."""
    match message:
        case Moved(scene, state, why):
            fields: dict[str, object] = {"moved": scene, "state": state.value, "why": why}
        case Delayed(scene, why):
            fields = {"delayed": scene, "why": why}
        case Telling(scene, part, text):
            fields = {"telling": scene, "part": part, "text": text}
        case Found(scene, part, identity, text, start, end):
            fields = {"found": scene, "part": part, "id": identity, "text": text, "start": start, "end": end}
        case Spent(usage, ended):
            fields = {"spent": _usage_out(usage), "ended": ended}
        case SceneDraft(scene, state, lines, why, description, notes):
            fields = {"drafted": scene, "state": state.value, "why": why, "description": description}
            fields |= {"notes": list(notes), "lines": [encode(line).decode() for line in lines]}
        case Over(states, halted, asked, usage):
            counts = {state.value: count for state, count in states.items()}
            fields = {"over": counts, "halted": halted, "asked": asked, "spent": _usage_out(usage)}
        case Looking(fraction):
            fields = {"looking": round(fraction, 4)}
        case Noted(sentence):
            fields = {"noted": sentence}
        case Failed(sentence):
            fields = {"error": sentence}
    return json.dumps(fields)


def read_message(line: bytes | str) -> Message | None:
    """The message of a line, None for anything else: a library may have written into the stream."""
    try:
        found: Any = json.loads(line)
        return _message(cast("dict[str, Any]", found)) if isinstance(found, dict) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, CodecError):
        return None


def _message(found: dict[str, Any]) -> Message | None:
    message: Message | None = None
    match next(iter(found), ""):
        case "moved":
            message = Moved(str(found["moved"]), SceneState(found["state"]), str(found["why"]))
        case "delayed":
            message = Delayed(str(found["delayed"]), str(found["why"]))
        case "telling":
            message = Telling(str(found["telling"]), int(found["part"]), str(found["text"]))
        case "found":
            times = (_time(found[key]) for key in ("start", "end"))
            message = Found(str(found["found"]), int(found["part"]), str(found["id"]), str(found["text"]), *times)
        case "looking":
            message = Looking(float(found["looking"]))
        case "spent":
            message = Spent(_usage_in(found["spent"]), int(found["ended"]))
        case "drafted":
            lines = tuple(decode(str(line).encode(), Eventuality) for line in found["lines"])
            notes = tuple(map(str, found["notes"]))
            state, why, description = SceneState(found["state"]), str(found["why"]), str(found["description"])
            message = SceneDraft(str(found["drafted"]), state, lines, why, description, notes)
        case "over":
            states = {SceneState(state): int(count) for state, count in found["over"].items()}
            message = Over(states, str(found["halted"]), int(found["asked"]), _usage_in(found["spent"]))
        case "noted":
            message = Noted(str(found["noted"]))
        case "error":
            message = Failed(str(found["error"]))
        case _:
            pass
    return message


def _connection(found: dict[str, Any], policy: Policy) -> Connection:
    kind = found["kind"]
    if kind not in KINDS:
        raise ValueError(kind)
    return Connection(
        kind=kind,
        model=str(found["model"]),
        url=str(found["url"]),
        policy=policy,
        log=_path(found["log"]),
        project=str(found["project"]),
        authority=_path(found["authority"]),
        salt=str(found["salt"]),
        keyed=bool(found["keyed"]),
        identity=str(found["identity"]),
    )


def _usage_out(usage: Usage) -> list[int | None]:
    return [usage.tokens_in, usage.tokens_cached, usage.tokens_out, usage.tokens_thought, usage.micro_usd]


def _usage_in(found: list[Any]) -> Usage:
    *tokens, price = found
    return Usage(*map(int, tokens), micro_usd=None if price is None else int(price))


def _time(value: object) -> int | None:
    return value if type(value) is int else None


def _name(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(str(name))
