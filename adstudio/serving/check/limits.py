"""Checks 6 to 9: a cancelled answer ends, large requests come through, keys are asked for, many scenes are borne."""

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
    UnseenError,
    UntrustedError,
)
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Chunk, Clip, Limits, Request, Response, State, user
from adstudio.serving.check.test_clip import another
from adstudio.serving.check.vision import CHAT, OFF
from adstudio.serving.metrics import load_of, total

if TYPE_CHECKING:
    from adstudio.serving.check.client import Subject, Wire
    from adstudio.serving.check.findings import Seen

CANCELLED_S = 2.0
"""The time that a server has to see that nobody listens."""
SIZES = (20_000_000, 40_000_000)
SCENES = 32
WRONG = Secret("sk-ad-this-is-not-the-key-0000")
_LOOK_S = 0.2
_STARTED_S = 10.0
_TRIES = 3
"""A small model may be through with its answer before a busy machine has counted it."""
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
    UnseenError,
)
"""Turned away, or the model's own doing: that the server bears the load is the question here."""


async def cancelling(subject: Subject) -> Seen:
    """Begin a long answer, leave it, and watch the number of running ones fall, through whatever stands between."""
    before = await _running(subject.wire)
    if before is None:
        return "untestable", "/metrics is not to be had, which says how many are running", ""
    longest = min(4000, max(subject.context - 512, 256)) if subject.context else 2000
    request: dict[str, Any] = {
        "model": subject.model,
        "messages": [{"role": "user", "content": "Count."}],
        "stream": True,
    }
    request |= {"max_tokens": longest, "min_tokens": longest, "ignore_eos": True} | OFF
    why = "a running answer is not counted among those running"
    for _ in range(_TRIES):
        through = await _through(subject.wire)
        async with subject.wire.streaming(CHAT, request) as (said, events):
            if said.status != 200:
                return "failed", f"a long answer is refused: {said.words}", "look at the server’s log"
            await anext(events, None)
            during = await _until(subject.wire, lambda now: now > before, _STARTED_S)
            if during is None or during <= before:
                continue
        why = "the answer was through before the server could see that nobody listens"
        left = monotonic()
        now = await _until(subject.wire, lambda now: now <= before, CANCELLED_S)
        took = monotonic() - left
        if now is None or now > before:
            break
        if await _through(subject.wire) == through:
            return "passed", f"{took:.1f} s after its client left an answer is ended", ""
    else:
        return "untestable", why, ""
    if now is None:
        return "untestable", "/metrics, which says how many are running, was not answered in time", ""
    mend = (
        "look at what stands before vLLM: it has to close its own connection when the client does (nginx:"
        " proxy_ignore_client_abort off; LiteLLM hides it)"
    )
    return (
        "failed",
        f"{CANCELLED_S:g} s after its client left an answer still runs: stopped scenes cost as finished ones",
        mend,
    )


async def large_bodies(subject: Subject) -> Seen:
    """Requests of 20 and 40 MB: what the clips and faces of long scenes make."""
    request = {"model": subject.model, "messages": [{"role": "user", "content": "x"}], "max_tokens": 1} | OFF
    ours = capabilities_of("openai", subject.model).body_bytes
    for size in SIZES:
        try:
            said = await subject.wire.post_padded(CHAT, request, size)
            refused = "" if said.status == 200 else said.words
        except UntrustedError:
            raise
        except FaultError as error:
            refused = str(error)
        if refused:
            what = f"a request of {size // 1_000_000} MB is refused ({refused})"
            if size <= ours:
                mend = "raise the limit of what stands before vLLM (nginx: client_max_body_size 96m; --body-mb here)"
                return "failed", what, mend
            return "passed", f"{what}; for this model no more than {ours // 1_000_000} MB are sent at once", ""
    return "passed", "requests of 20 and 40 MB are taken", ""


async def wrong_keys(subject: Subject) -> Seen:
    """With a wrong key neither the models, nor the numbers, nor the tokenizer are to be had."""
    open_doors: list[str] = []
    if (await subject.wire.get("/v1/models", key=WRONG)).status == 200:
        open_doors.append("/v1/models")
    if (await subject.wire.get("/metrics", key=WRONG)).status == 200:
        open_doors.append("/metrics")
    request = {"model": subject.model, "prompt": "x"}
    if (await subject.wire.post("/tokenize", request, key=WRONG)).status == 200:
        open_doors.append("/tokenize")
    if not open_doors:
        return "passed", "a wrong key opens neither /v1/models, nor /metrics, nor /tokenize", ""
    if "/v1/models" in open_doors:
        mend = "start the server with a key: whoever reaches it can use it, and see what others ask"
        return "failed", f"any key opens {', '.join(open_doors)}", mend
    mend = "vLLM’s own key guards /v1 alone: put a front before it that closes the rest, as adstudio serve does"
    return "failed", f"any key opens {' and '.join(open_doors)}", mend


async def many_scenes(subject: Subject) -> Seen:
    """32 scenes at once, a clip of its own each: all are answered, or turned away in a way that can be tried again."""
    provider = subject.wire.provider(subject.model)
    waited: list[float] = []
    queued = await _queue(subject.wire)

    async def one(number: int) -> Response:
        began = monotonic()
        heard = False

        def hear(_: Chunk) -> None:
            nonlocal heard
            if not heard:
                waited.append(monotonic() - began)
            heard = True

        request = Request(
            (user(Clip(another(subject.clip, number)), "What happens?"),),
            limits=Limits(tokens=24, deadline=300.0),
            temperature=0.0,
            scene=f"check-scene-{number}",
        )
        return await provider.send(request, hear, asyncio.Event())

    answers = await asyncio.gather(*map(one, range(SCENES)))
    away = sum(isinstance(response.fault, OverloadedError | RateError) for response in answers)
    bad = [
        response
        for response in answers
        if response.state is State.FAILED and not isinstance(response.fault, _NOT_FAILED)
    ]
    what = f"{SCENES - away - len(bad)} of {SCENES} answered"
    if waited:
        what += f", first words after {min(waited):.1f} to {max(waited):.1f} s (median {median(waited):.1f})"
    if (after := await _queue(subject.wire)) and queued and after[1] > queued[1]:
        what += f", {(after[0] - queued[0]) / (after[1] - queued[1]):.1f} s of it queued in the engine"
    what += f", {away} turned away to try again" if away else ", none turned away"
    if bad:
        return (
            "failed",
            f"{what}; {len(bad)} failed ({bad[0].fault})",
            "look at the server’s log: memory, and its limits",
        )
    if away == SCENES:
        return "failed", what, "the server takes nothing: raise --max-num-queued-reqs, or look at its log"
    return "passed", what, ""


async def _running(wire: Wire) -> int | None:
    said = await wire.get("/metrics")
    return load_of(said.data.decode("utf-8", "replace")).running if said.status == 200 else None


async def _through(wire: Wire) -> float | None:
    """How many answers have come to the length that was asked for; None where that is not told."""
    try:
        said = await wire.get("/metrics")
    except UntrustedError:
        raise
    except FaultError:
        return None
    return total(said.data.decode("utf-8", "replace"), _ENDED, _AT_ITS_LENGTH) if said.status == 200 else None


async def _until(wire: Wire, wanted: Callable[[int], bool], most_s: float) -> int | None:
    deadline = monotonic() + most_s
    now: int | None = None
    while True:
        try:
            now = await _running(wire)
        except UntrustedError:
            raise
        except FaultError:
            pass  # a machine that is busy with the answer itself may leave /metrics waiting
        else:
            if now is None or wanted(now):
                return now
        if monotonic() > deadline:
            return now
        await asyncio.sleep(_LOOK_S)


async def _queue(wire: Wire) -> tuple[float, float] | None:
    said = await wire.get("/metrics")
    text = said.data.decode("utf-8", "replace") if said.status == 200 else ""
    seconds, count = total(text, f"{_QUEUED}_sum"), total(text, f"{_QUEUED}_count")
    return None if seconds is None or count is None else (seconds, count)
