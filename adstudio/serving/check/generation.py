"""Checks 4 and 5: answers keep the form that binds them, and a second question finds the first one's work done."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from adstudio.llm.messages import Limits, Request, Response, State, user
from adstudio.llm.retry import Retrying
from adstudio.serving.check.vision import CHAT, OFF

if TYPE_CHECKING:
    from adstudio.llm.openai_protocol import OpenAIProvider
    from adstudio.serving.check.client import Subject
    from adstudio.serving.check.findings import Seen

RUNS, AT_ONCE = 20, 8
IDS = ("e1", "e2", "e3")
_TEMPERATURE = 0.7


def bound_schema() -> dict[str, Any]:
    """The shape that drafts are asked in, small: elements with ids in their order, times that may be null."""

    def row(name: str) -> dict[str, Any]:
        properties = {
            "id": {"const": name},
            "start_ds": {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 400}, {"type": "null"}]},
            "salience_pct": {"type": "integer", "minimum": 1, "maximum": 99},
            "ad": {"type": "string", "minLength": 1, "maxLength": 40},
        }
        return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}

    rows = {"type": "array", "prefixItems": [row(name) for name in IDS], "minItems": len(IDS), "maxItems": len(IDS)}
    return {
        "type": "object",
        "properties": {"elements": rows},
        "required": ["elements"],
        "additionalProperties": False,
    }


class SchemaFault(Enum):
    """What is wrong with an answer that was bound to that shape, in words."""

    DOUBLED_BRACE = "a doubled brace"
    NO_JSON = "no JSON"
    OTHER_SHAPE = "another shape"
    WRONG_IDS = "wrong ids"
    WRONG_TIMES = "times out of bounds"
    WRONG_VALUES = "values out of bounds"


def schema_fault(text: str) -> SchemaFault | None:
    """What is wrong with an answer in that shape; None where nothing is."""
    if text.lstrip().startswith("{{"):
        return SchemaFault.DOUBLED_BRACE
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return SchemaFault.NO_JSON
    rows: Any = cast("dict[str, Any]", found).get("elements") if isinstance(found, dict) else None
    if not isinstance(rows, list) or len(cast("list[Any]", rows)) != len(IDS):
        return SchemaFault.OTHER_SHAPE
    wrong = (_row_fault(name, row) for name, row in zip(IDS, cast("list[Any]", rows), strict=True))
    return next((each for each in wrong if each is not None), None)


def _row_fault(name: str, row: Any) -> SchemaFault | None:  # noqa: ANN401 - what a server says
    if not isinstance(row, dict) or cast("dict[str, Any]", row).get("id") != name:
        return SchemaFault.WRONG_IDS
    each = cast("dict[str, Any]", row)
    start, salience, words = each.get("start_ds"), each.get("salience_pct"), each.get("ad")
    if start is not None and not (isinstance(start, int) and 0 <= start <= 400):
        return SchemaFault.WRONG_TIMES
    if not isinstance(salience, int) or not 1 <= salience <= 99 or not isinstance(words, str) or len(words) > 40:
        return SchemaFault.WRONG_VALUES
    return None


async def schema_kept(subject: Subject) -> Seen:
    """20 answers bound by a schema, 8 at a time, without thoughts, and 20 after some: all of that shape."""
    plain = await _many(subject.wire.provider(subject.model), thinks=False)
    thinking = await _many(subject.wire.provider(subject.model, thinks=True), thinks=True)
    wrong = Counter(_fault(response) for response in plain)
    good = wrong.pop(None, 0)
    what = f"{good} of {RUNS} answers keep the schema"
    refused = sum(response.fault is not None and not response.text for response in thinking)
    if refused == RUNS:
        what += f"; thinking is not to be had ({str(thinking[0].fault)[:120]})"
    else:
        more = Counter(_fault(response) for response in thinking)
        kept = more.pop(None, 0)
        what += f"; {kept} of {RUNS} after thinking"
        if subject.senseless and more:
            # Random weights end in mid-thought, or think again within the answer: that is no fault of the server.
            what += ", which cannot be judged where a model’s thoughts have no sense"
        else:
            wrong += more
    if not wrong:
        return "passed", what, ""
    faults = ", ".join(
        f"{count} × {fault.value if isinstance(fault, SchemaFault) else fault}" for fault, count in wrong.most_common(3)
    )
    if SchemaFault.DOUBLED_BRACE in wrong:
        return "failed", f"{what} ({faults})", "end speculative decoding (MTP): it breaks bound answers after thinking"
    mend = (
        'start vLLM with --structured-outputs-config \'{"backend":"xgrammar","disable_any_whitespace":true}\' and'
        " --reasoning-parser for a model that thinks, as adstudio serve does"
    )
    return "failed", f"{what} ({faults})", mend


async def continuation(subject: Subject) -> Seen:
    """Ask about the clip, then go on: how much of the first question's work is used again."""
    url = f"data:video/mp4;base64,{b64encode(subject.clip).decode()}"
    parts = [{"type": "video_url", "video_url": {"url": url}}, {"type": "text", "text": "What happens?"}]
    first: list[dict[str, Any]] = [{"role": "user", "content": parts}]
    more: list[dict[str, Any]] = [{"role": "assistant", "content": "Numbers are counted."}]
    more += [{"role": "user", "content": "What is the last one?"}]
    request = {"model": subject.model, "max_tokens": 2} | OFF
    await subject.wire.post(CHAT, request | {"messages": first})
    said = await subject.wire.post(CHAT, request | {"messages": first + more})
    if said.status != 200:
        return "failed", f"the second question is not taken: {said.words}", "look at the server’s log"
    usage: Any = said.json.get("usage")
    details: Any = cast("dict[str, Any]", usage).get("prompt_tokens_details") if isinstance(usage, dict) else None
    if not isinstance(details, dict):
        mend = "start vLLM with --enable-prompt-tokens-details"
        return "failed", "how much is used again is not told", mend
    cached: Any = cast("dict[str, Any]", details).get("cached_tokens")
    asked: Any = cast("dict[str, Any]", usage).get("prompt_tokens")
    if not isinstance(cached, int) or cached <= 0:
        return (
            "passed",
            "nothing is used again: each second question is read anew (models like Qwen3.5 keep little)",
            "",
        )
    return "passed", f"{cached:,} of {asked:,} tokens are used again", ""


def _fault(response: Response) -> SchemaFault | str | None:
    """What is wrong with a response: its form, else the name of what ended it; None where nothing is."""
    fault = schema_fault(response.text)
    if fault is None and response.state is not State.COMPLETE and response.fault is not None:
        return type(response.fault).__name__.removesuffix("Error").lower()
    return fault


async def _many(provider: OpenAIProvider, *, thinks: bool) -> list[Response]:
    room = asyncio.Semaphore(AT_ONCE)
    patient = Retrying(provider)  # being turned away is looked at by another check

    async def one(number: int) -> Response:
        request = Request(
            (user("List three things that happen in a film about a train, as JSON."),),
            schema=bound_schema(),
            limits=Limits(tokens=600, deadline=240.0),
            thinking="low" if thinks else "off",
            temperature=_TEMPERATURE,
            seed=number,
            scene=f"check-{number}",
        )
        async with room:
            return await patient.send(request, lambda _: None, asyncio.Event())

    return list(await asyncio.gather(*map(one, range(RUNS))))
