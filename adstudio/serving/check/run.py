"""Runs the nine checks in order. They observe the server's behaviour rather than trust what it reports of itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from adstudio.llm.faults import DeadlineError, FaultError, UnreachableError, UntrustedError
from adstudio.llm.keys import masked
from adstudio.serving.check.client import CheckClient, CheckedServer, Reply, Subject
from adstudio.serving.check.findings import CheckResult, Finding
from adstudio.serving.check.generation import check_prefix_cache, check_schema
from adstudio.serving.check.limits import check_cancellation, check_keys, check_large_bodies, check_many_scenes
from adstudio.serving.check.vision import check_all_frames, check_frame_order, incoherent, numbered_clip
from adstudio.serving.vllm_program import BETTER, LEAST, version_of

if TYPE_CHECKING:
    from adstudio.serving.check.findings import CheckResult

TITLES = (
    "versions",
    "all frames",
    "frame order",
    "JSON schema",
    "prefix cache",
    "cancellation",
    "large requests",
    "keys",
    "32 scenes",
)
"""The checks' titles, in order."""


LONGEST_S = 1_200.0
"""Seconds that a check may take, in case a server never stops responding."""
Check = Callable[[Subject], Awaitable[CheckResult]]

CHECKS: tuple[Check, ...] = (
    check_all_frames,
    check_frame_order,
    check_schema,
    check_prefix_cache,
    check_cancellation,
    check_large_bodies,
    check_keys,
    check_many_scenes,
)
"""All but the first, which finds out which model to check."""


async def findings(
    server: CheckedServer,
    log: Path,
    begun: Callable[[int, str], None],
    chosen: Callable[[str], None] = lambda _model: None,
) -> AsyncGenerator[Finding]:
    """Yield each finding; `begun` is called when a check starts, `chosen` with the model that is checked.

    Raises:
        UnreachableError, UntrustedError, DeadlineError: if there is no server to check.
    """
    client = CheckClient(server, log)
    try:
        begun(1, TITLES[0])
        try:
            found = await asyncio.wait_for(versions(client), LONGEST_S)
        except TimeoutError:
            raise DeadlineError(
                f"{client.server.base} had not said what it is after {LONGEST_S / 60:.0f} minutes"
            ) from None
        yield Finding(1, TITLES[0], *found.seen)
        if not found.model:
            for number, title in enumerate(TITLES[1:], 2):
                yield Finding(number, title, "untestable", "there is no model to check: see 1")
            return
        chosen(masked(found.model))
        subject = Subject(client, found.model, found.context, numbered_clip())
        with contextlib.suppress(FaultError, TimeoutError):
            reply = await asyncio.wait_for(incoherent(subject), LONGEST_S)
            subject = replace(subject, incoherent=reply)
        for number, check in enumerate(CHECKS, 2):
            begun(number, TITLES[number - 1])
            yield Finding(number, TITLES[number - 1], *await _seen(check, subject))
    finally:
        await client.aclose()


def unchecked(why: str) -> tuple[Finding, ...]:
    """The findings if there is no server to check, for the reason `why`."""
    first = Finding(1, TITLES[0], "failed", why, "check that it is running, and its address")
    why = "there is no server to check: see 1"
    return (first, *(Finding(number, title, "untestable", why) for number, title in enumerate(TITLES[1:], 2)))


async def _seen(check: Check, subject: Subject) -> CheckResult:
    try:
        return await asyncio.wait_for(check(subject), LONGEST_S)
    except TimeoutError:
        what = f"it had not finished after {LONGEST_S / 60:.0f} minutes"
        return "failed", what, "check the server’s log: its response never ends"
    except (UnreachableError, UntrustedError) as error:
        return "failed", f"the server went down: {error}", "check its log, and whether it was restarted"
    except FaultError as error:
        return "failed", str(error), "check the server’s log, and any proxy in front of it"


ROOMY = 24_000
"""Tokens of a three-minute scene with faces, response included."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the check found: `model` is "" if there is none, `context` 0 if it is not reported."""

    seen: CheckResult
    model: str = ""
    context: int = 0


async def versions(client: CheckClient) -> Found:
    """Get the models and the version; reject versions older than 0.30.

    Raises:
        UnreachableError, UntrustedError: if there is no server.
    """
    listed = await client.get("/v1/models")
    if listed.status in {401, 403}:
        mend = "set the key that the server’s administrator gave you: adstudio connect NAME --key, or --key-file"
        return Found(("failed", f"the key is rejected ({listed.words})", mend))
    rows = _rows(listed)
    if listed.status != 200 or not rows:
        mend = "give the server’s address, like https://gpu.example:8000"
        if listed.status == 503:
            mend = "wait a few minutes until the model is loaded, and check again"
        return Found(("failed", f"it lists no models ({listed.words})", mend))
    wanted = client.server.model
    row = next((row for row in rows if row["id"] == wanted), None if wanted else rows[0])
    if row is None:
        names = ", ".join(str(each["id"]) for each in rows[:5])
        return Found(("failed", f"it has {names}, but no model {wanted}", "choose one of these in the connection"))
    length: Any = row.get("max_model_len")
    context = length if isinstance(length, int) and length > 0 else 0
    version_reply = await client.get("/version")
    return Found(_judged(version_reply, str(row["id"]), context), str(row["id"]), context)


def _judged(version_reply: Reply, model: str, context: int) -> CheckResult:
    reply = version_reply.json.get("version")
    what = f"{model}, " + (f"{context:,} tokens" if context else "context length not reported")
    if context and context < ROOMY:
        what += " (a three-minute scene with faces takes up to about 24,000: longer scenes are split)"
    if version_reply.status != 200 or not isinstance(reply, str) or version_of(reply) == (0, 0):
        return "untestable", f"{what}; no version reported: not vLLM, or hidden by a proxy", ""
    if version_of(reply) < LEAST:
        why = f"vLLM {reply} can be crashed by one bad request (CVE-2026-105757, -105758); {what}"
        return "failed", why, "install vLLM 0.32 or newer"
    if version_of(reply) < BETTER:
        what = f"vLLM {reply}: a request can hang it (CVE-2026-115911), 0.32 or newer is better; {what}"
        return "passed", what, ""
    return "passed", f"vLLM {reply}; {what}", ""


def _rows(listed: Reply) -> list[dict[str, Any]]:
    data: Any = listed.json.get("data")
    if not isinstance(data, list):
        return []
    rows = cast("list[Any]", data)
    return [cast("dict[str, Any]", row) for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]  # pyright: ignore[reportUnknownMemberType]
