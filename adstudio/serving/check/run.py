"""Runs the nine checks in order. They observe the server's behaviour rather than trust what it reports of itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from adstudio.llm.faults import DeadlineError, FaultError, UnreachableError, UntrustedError
from adstudio.serving.check.client import CheckClient, CheckedServer, Subject
from adstudio.serving.check.findings import CheckResult, Finding
from adstudio.serving.check.generation import check_prefix_cache, check_schema
from adstudio.serving.check.limits import check_cancellation, check_keys, check_large_bodies, check_many_scenes
from adstudio.serving.check.test_clip import numbered_clip
from adstudio.serving.check.versions import versions
from adstudio.serving.check.vision import check_all_frames, check_frame_order, incoherent

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


def _ignore(_model: str) -> None:
    pass


async def findings(
    server: CheckedServer, log: Path, begun: Callable[[int, str], None], chosen: Callable[[str], None] = _ignore
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
        chosen(found.model)
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
    rest = (
        Finding(n, title, "untestable", "there is no server to check: see 1") for n, title in enumerate(TITLES[1:], 2)
    )
    return (first, *rest)


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
