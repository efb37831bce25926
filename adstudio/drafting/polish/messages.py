"""What the editor and the process that polishes say to each other: two request files, lines of JSON back.

{"polished": "s1", "why": "", "proposals": [{"line": "e1", "text": "…", "before": "…", …}]}
{"spent": [in, cached, out, thought, micro_usd], "ended": 12}
{"over": 40, "halted": "", "stopped": false, "asked": 95, "spent": […]}
{"noted": "one sentence"}
{"error": "one sentence"}

The first file is a request as for drafting (`model_messages`), the second says what is spoken and of which lines new
wordings are wanted. Neither ever holds a key; whoever asks removes them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Delivery
from adstudio.core.provenance import ModelWork
from adstudio.core.timebase import Span
from adstudio.drafting.model import messages
from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.messages import Failed, Noted
from adstudio.drafting.polish.passage import Unusable
from adstudio.drafting.polish.proposals import Polished, Proposal, ScenePolished, Unpolished
from adstudio.llm.messages import Usage
from adstudio.store.codec import CodecError, decode, encode
from adstudio.system.files import read_bounded

MODULE = "adstudio.drafting.polish.worker"
"""What the process runs."""
LARGEST = 50_000_000
"""Bytes of what is said to be spoken."""


@dataclass(frozen=True)
class Wish:
    """What the editor shows as spoken, and whether all its lines are wanted or only those that are nobody's work."""

    deliveries: tuple[Delivery, ...]
    whole: bool = False


@dataclass(frozen=True)
class Over:
    """It has ended: how many proposals, why early if it did, asks and tokens over all runs."""

    proposals: int
    halted: str
    stopped: bool
    asked: int
    usage: Usage


Message = ScenePolished | Spent | Noted | Over | Failed


def write_wish(wish: Wish) -> bytes:
    """The content of a wish's file."""
    spoken = [[each.element, each.variant, each.start, each.end] for each in wish.deliveries]
    return json.dumps({"spoken": spoken, "whole": wish.whole}).encode()


def read_wish(path: Path) -> Wish:
    """The wish in a file.

    Raises:
        BadInputError: for anything else.
        OutsideFailureError: where it cannot be read.
    """
    try:
        found = cast("dict[str, Any]", json.loads(read_bounded(path, LARGEST, "request")))
        spoken = tuple(Delivery(str(line), int(a), int(b), int(c)) for line, a, b, c in found["spoken"])
        return Wish(spoken, bool(found["whole"]))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadInputError(f"{path} does not say what is to be polished ({error})") from error


def write_message(message: Message) -> str:
    """The message as a line, without its end."""
    match message:
        case ScenePolished(scene, proposals, why):
            return json.dumps({"polished": scene, "why": why, "proposals": [_out(each) for each in proposals]})
        case Over(proposals, halted, stopped, asked, usage):
            fields = {"over": proposals, "halted": halted, "stopped": stopped, "asked": asked}
            return json.dumps(fields | {"spent": json.loads(messages.write_message(Spent(usage, 0)))["spent"]})
        case _:
            return messages.write_message(message)


def read_message(line: bytes | str) -> Message | None:
    """The message of a line, None for anything else: a library may have written into the stream."""
    try:
        found: Any = json.loads(line)
        if not isinstance(found, dict):
            return None
        fields = cast("dict[str, Any]", found)
        if "polished" in fields:
            proposals = tuple(_in(each) for each in fields["proposals"])
            return ScenePolished(str(fields["polished"]), proposals, str(fields["why"]))
        if "over" in fields:
            *tokens, price = fields["spent"]
            usage = Usage(*map(int, tokens), micro_usd=None if price is None else int(price))
            halted, stopped = str(fields["halted"]), bool(fields["stopped"])
            return Over(int(fields["over"]), halted, stopped, int(fields["asked"]), usage)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, CodecError):
        return None
    message = messages.read_message(line)
    return message if isinstance(message, Spent | Noted | Failed) else None


def _out(proposal: Proposal) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "line": proposal.eventuality,
        "variant": proposal.variant,
        "before": proposal.before,
        "start": proposal.span.start,
        "end": proposal.span.end,
        "scene": proposal.scene,
    }
    if isinstance(proposal, Unpolished):
        return fields | {"why": proposal.why, "reason": proposal.reason.value}
    return fields | {
        "text": proposal.text,
        "room": proposal.room,
        "duration": proposal.duration,
        "remarks": list(proposal.remarks),
        "polished_by": None if proposal.polished_by is None else encode(proposal.polished_by).decode(),
    }


def _in(fields: dict[str, Any]) -> Proposal:
    line, variant, before = str(fields["line"]), int(fields["variant"]), str(fields["before"])
    span, scene = Span(int(fields["start"]), int(fields["end"])), str(fields["scene"])
    if "text" not in fields:
        return Unpolished(line, variant, before, span, str(fields["why"]), scene, Unusable(fields["reason"]))
    remarks = tuple(map(str, fields["remarks"]))
    room, duration, work = int(fields["room"]), int(fields["duration"]), fields["polished_by"]
    polished_by = None if work is None else decode(str(work).encode(), ModelWork)
    return Polished(line, variant, str(fields["text"]), before, span, room, duration, scene, remarks, polished_by)
