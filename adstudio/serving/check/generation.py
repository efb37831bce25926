"""Checks 4 and 5: responses conform to a JSON schema, and a follow-up request reuses the prefix cache."""

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
    from adstudio.serving.check.findings import CheckResult

RUNS, AT_ONCE = 20, 8
IDS = ("e1", "e2", "e3")
_TEMPERATURE = 0.7


def bound_schema() -> dict[str, Any]:
    """A small version of the drafting schema: elements with fixed ids in order, times that may be null."""

    def closed(properties: dict[str, Any]) -> dict[str, Any]:
        return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}

    def row(name: str) -> dict[str, Any]:
        properties = {
            "id": {"const": name},
            "start_ds": {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 400}, {"type": "null"}]},
            "salience_pct": {"type": "integer", "minimum": 1, "maximum": 99},
            "ad": {"type": "string", "minLength": 1, "maxLength": 40},
        }
        return closed(properties)

    rows = {"type": "array", "prefixItems": [row(name) for name in IDS], "minItems": len(IDS), "maxItems": len(IDS)}
    return closed({"elements": rows})


class SchemaFault(Enum):
    """How a response violates the schema, in words."""

    DOUBLED_BRACE = "a doubled brace"
    NO_JSON = "no JSON"
    OTHER_SHAPE = "another shape"
    WRONG_IDS = "wrong ids"
    WRONG_TIMES = "times out of bounds"
    WRONG_VALUES = "values out of bounds"


def schema_fault(text: str) -> SchemaFault | None:
    """How a response violates the schema; None if it conforms."""
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


async def check_schema(subject: Subject) -> CheckResult:
    """20 responses bound by a schema, 8 at a time, without reasoning, and 20 with it: all must conform."""
    plain = await _many(subject.client.provider(subject.model), thinks=False)
    thinking = await _many(subject.client.provider(subject.model, thinks=True), thinks=True)
    wrong = Counter(_fault(response) for response in plain)
    good = wrong.pop(None, 0)
    what = f"{good} of {RUNS} responses conform to the schema"
    refused = sum(response.fault is not None and not response.text for response in thinking)
    if refused == RUNS:
        what += f"; reasoning is not available ({str(thinking[0].fault)[:120]})"
    else:
        more = Counter(_fault(response) for response in thinking)
        valid = more.pop(None, 0)
        what += f"; {valid} of {RUNS} after reasoning"
        if subject.incoherent and more:
            # Models with random weights stop in mid-reasoning or reason again in the response: not the server's fault.
            what += ", which cannot be judged because the model’s output is incoherent"
        else:
            wrong += more
    if not wrong:
        return "passed", what, ""
    faults = ", ".join(
        f"{count} × {fault.value if isinstance(fault, SchemaFault) else fault}" for fault, count in wrong.most_common(3)
    )
    if SchemaFault.DOUBLED_BRACE in wrong:
        return "failed", f"{what} ({faults})", "turn off speculative decoding (MTP): it breaks JSON after reasoning"
    mend = (
        'start vLLM with --structured-outputs-config \'{"backend":"xgrammar","disable_any_whitespace":true}\' and'
        " --reasoning-parser for a reasoning model, as adstudio serve does"
    )
    return "failed", f"{what} ({faults})", mend


async def check_prefix_cache(subject: Subject) -> CheckResult:
    """Send a request about the clip and a follow-up: how much of the prompt comes from the prefix cache."""
    url = f"data:video/mp4;base64,{b64encode(subject.clip).decode()}"
    parts = [{"type": "video_url", "video_url": {"url": url}}, {"type": "text", "text": "What happens?"}]
    first: list[dict[str, Any]] = [{"role": "user", "content": parts}]
    more: list[dict[str, Any]] = [{"role": "assistant", "content": "Numbers are counted."}]
    more += [{"role": "user", "content": "What is the last one?"}]
    request = {"model": subject.model, "max_tokens": 2} | OFF
    await subject.client.post(CHAT, request | {"messages": first})
    reply = await subject.client.post(CHAT, request | {"messages": first + more})
    if reply.status != 200:
        return "failed", f"the follow-up request is rejected: {reply.words}", "check the server’s log"
    usage: Any = reply.json.get("usage")
    details: Any = cast("dict[str, Any]", usage).get("prompt_tokens_details") if isinstance(usage, dict) else None
    if not isinstance(details, dict):
        mend = "start vLLM with --enable-prompt-tokens-details"
        return "failed", "the server does not report cached tokens", mend
    cached: Any = cast("dict[str, Any]", details).get("cached_tokens")
    asked: Any = cast("dict[str, Any]", usage).get("prompt_tokens")
    if not isinstance(cached, int) or cached <= 0:
        what = "nothing is cached: each follow-up is processed from the start (models like Qwen3.5 cache little)"
        return "passed", what, ""
    return "passed", f"{cached:,} of {asked:,} prompt tokens came from the cache", ""


def _fault(response: Response) -> SchemaFault | str | None:
    """What is wrong with a response: its form, or the fault that ended it; None if nothing is."""
    fault = schema_fault(response.text)
    if fault is None and response.state is not State.COMPLETE and response.fault is not None:
        return type(response.fault).__name__.removesuffix("Error").lower()
    return fault


async def _many(provider: OpenAIProvider, *, thinks: bool) -> list[Response]:
    room = asyncio.Semaphore(AT_ONCE)
    patient = Retrying(provider)  # overload is the subject of another check

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
