"""Checks 6 to 9: cancellation, large requests, keys, and load from many scenes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, Any

from adstudio.llm.capabilities import capabilities_of
from adstudio.llm.faults import (
    CutShortError,
    EmptyError,
    FaultError,
    OverloadedError,
    RateError,
    RefusedError,
    RunawayError,
    ThoughtError,
    ToolCallError,
    UnseenError,
    UntrustedError,
)
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Chunk, Clip, Limits, Request, Response, State, user
from adstudio.serving.check.vision import CHAT, OFF, distinct_copy
from adstudio.serving.metrics import load_of, total

if TYPE_CHECKING:
    from adstudio.serving.check.client import CheckClient, Subject
    from adstudio.serving.check.findings import CheckResult

CANCELLED_S = 2.0
"""Seconds within which a server must notice that its client has disconnected."""
SIZES = (20_000_000, 40_000_000)
SCENES = 32
WRONG = Secret("sk-ad-this-is-not-the-key-0000")
_POLL_S = 0.2
_STARTED_S = 10.0
_TRIES = 3
"""A small model may finish before a busy machine has counted its request as running."""
_QUEUED = "vllm:request_queue_time_seconds"
_ENDED, _AT_ITS_LENGTH = "vllm:request_success_total", 'finished_reason="length"'
_NOT_FAILED = (
    OverloadedError,
    RateError,
    CutShortError,
    EmptyError,
    RefusedError,
    RunawayError,
    ThoughtError,
    ToolCallError,
    UnseenError,
)
"""Rejected because of load, or caused by the model itself: neither shows that the server fails under load."""


async def check_cancellation(subject: Subject) -> CheckResult:
    """Start a long response, disconnect, and watch the number of running requests fall, through any proxy."""
    before = await _running(subject.client)
    if before is None:
        return "untestable", "/metrics, which reports the running requests, is not available", ""
    longest = min(4000, max(subject.context - 512, 256)) if subject.context else 2000
    request: dict[str, Any] = {
        "model": subject.model,
        "messages": [{"role": "user", "content": "Count."}],
        "stream": True,
    }
    request |= {"max_tokens": longest, "min_tokens": longest, "ignore_eos": True} | OFF
    why = "the server does not count the request as running"
    for _ in range(_TRIES):
        finished = await _finished_count(subject.client)
        async with subject.client.streaming(CHAT, request) as (reply, events):
            if reply.status != 200:
                return "failed", f"a request for a long response is rejected: {reply.words}", "check the server’s log"
            await anext(events, None)
            during = await _until(subject.client, lambda now: now > before, _STARTED_S)
            if during is None or during <= before:
                continue
        why = "the response finished before the server could notice the disconnection"
        left = monotonic()
        now = await _until(subject.client, lambda now: now <= before, CANCELLED_S)
        took = monotonic() - left
        if now is None or now > before:
            break
        if await _finished_count(subject.client) == finished:
            return "passed", f"a request is cancelled {took:.1f} s after its client disconnects", ""
    else:
        return "untestable", why, ""
    if now is None:
        return "untestable", "/metrics, which reports the running requests, did not respond in time", ""
    mend = (
        "check the proxy in front of vLLM: it must close its own connection when the client does (nginx:"
        " proxy_ignore_client_abort off; LiteLLM hides it)"
    )
    what = f"a request still runs {CANCELLED_S:g} s after its client disconnects: stopped scenes cost as finished ones"
    return "failed", what, mend


async def check_large_bodies(subject: Subject) -> CheckResult:
    """Requests of 20 and 40 MB, the size of long scenes with clips and faces."""
    request = {"model": subject.model, "messages": [{"role": "user", "content": "x"}], "max_tokens": 1} | OFF
    ours = capabilities_of("openai", subject.model).body_bytes
    for size in SIZES:
        try:
            reply = await subject.client.post_padded(CHAT, request, size)
            refused = "" if reply.status == 200 else reply.words
        except UntrustedError:
            raise
        except FaultError as error:
            refused = str(error)
        if refused:
            what = f"a request of {size // 1_000_000} MB is rejected ({refused})"
            if size <= ours:
                mend = "raise the proxy’s limit (nginx: client_max_body_size 96m; adstudio serve: --body-mb)"
                return "failed", what, mend
            return "passed", f"{what}; adstudio sends this model at most {ours // 1_000_000} MB", ""
    return "passed", "requests of 20 and 40 MB are accepted", ""


async def check_keys(subject: Subject) -> CheckResult:
    """With a wrong key, the models, metrics and tokenizer must not be accessible."""
    replies = {path: await subject.client.get(path, key=WRONG) for path in ("/v1/models", "/metrics")}
    request = {"model": subject.model, "prompt": "x"}
    replies["/tokenize"] = await subject.client.post("/tokenize", request, key=WRONG)
    open_endpoints = [path for path, reply in replies.items() if reply.status == 200]
    if not open_endpoints:
        return "passed", "/v1/models, /metrics and /tokenize reject a wrong key", ""
    if "/v1/models" in open_endpoints:
        mend = "start the server with a key: at present anyone who can reach it can use it"
        return "failed", f"{', '.join(open_endpoints)} accept any key", mend
    mend = "vLLM’s own key only protects /v1: use a front that blocks the rest, as adstudio serve does"
    return "failed", f"{' and '.join(open_endpoints)} accept any key", mend


async def check_many_scenes(subject: Subject) -> CheckResult:
    """32 concurrent scenes, each with a different clip: all are answered, or rejected in a way that can be retried."""
    provider = subject.client.provider(subject.model)
    waited: list[float] = []
    queued = await _queue(subject.client)

    async def one(number: int) -> Response:
        began = monotonic()
        started = False

        def on_chunk(_: Chunk) -> None:
            nonlocal started
            if not started:
                waited.append(monotonic() - began)
            started = True

        request = Request(
            (user(Clip(distinct_copy(subject.clip, number)), "What happens?"),),
            limits=Limits(tokens=24, deadline=300.0),
            temperature=0.0,
            scene=f"check-scene-{number}",
        )
        return await provider.send(request, on_chunk, asyncio.Event())

    answers = await asyncio.gather(*map(one, range(SCENES)))
    away = sum(isinstance(response.fault, OverloadedError | RateError) for response in answers)
    failed = [response for response in answers if response.state is State.FAILED]
    bad = [response for response in failed if not isinstance(response.fault, _NOT_FAILED)]
    what = f"{SCENES - away - len(bad)} of {SCENES} answered"
    if waited:
        what += f", time to first token {min(waited):.1f} to {max(waited):.1f} s (median {median(waited):.1f} s)"
    if (after := await _queue(subject.client)) and queued and after[1] > queued[1]:
        what += f", of which {(after[0] - queued[0]) / (after[1] - queued[1]):.1f} s queued in the engine"
    what += f", {away} rejected for a later retry" if away else ", none rejected"
    if bad:
        what += f"; {len(bad)} failed ({bad[0].fault})"
        return "failed", what, "check the server’s log for memory and limits"
    if away == SCENES:
        return "failed", what, "the server rejects everything: raise --max-num-queued-reqs, or check its log"
    return "passed", what, ""


async def _metrics(client: CheckClient) -> str | None:
    reply = await client.get("/metrics")
    return reply.data.decode("utf-8", "replace") if reply.status == 200 else None


async def _running(client: CheckClient) -> int | None:
    metrics = await _metrics(client)
    return None if metrics is None else load_of(metrics).running


async def _finished_count(client: CheckClient) -> float | None:
    """How many responses have reached the requested length; None if the server does not report it."""
    try:
        return total(await _metrics(client) or "", _ENDED, _AT_ITS_LENGTH)
    except UntrustedError:
        raise
    except FaultError:
        return None


async def _until(client: CheckClient, wanted: Callable[[int], bool], most_s: float) -> int | None:
    deadline = monotonic() + most_s
    now: int | None = None
    while True:
        try:
            now = await _running(client)
        except UntrustedError:
            raise
        except FaultError:
            pass  # a machine busy with the response itself may keep /metrics waiting
        else:
            if now is None or wanted(now):
                return now
        if monotonic() > deadline:
            return now
        await asyncio.sleep(_POLL_S)


async def _queue(client: CheckClient) -> tuple[float, float] | None:
    text = await _metrics(client) or ""
    seconds, count = total(text, f"{_QUEUED}_sum"), total(text, f"{_QUEUED}_count")
    return None if seconds is None or count is None else (seconds, count)
