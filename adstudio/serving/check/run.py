"""The nine checks in turn. Each asks the server and says what was seen; none believes what a server says of itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from adstudio.llm.faults import DeadlineError, FaultError, UnreachableError, UntrustedError
from adstudio.serving.check.client import Place, Subject, Wire
from adstudio.serving.check.findings import Finding, Seen
from adstudio.serving.check.generation import continuation, schema_kept
from adstudio.serving.check.limits import cancelling, large_bodies, many_scenes, wrong_keys
from adstudio.serving.check.test_clip import numbered_clip
from adstudio.serving.check.versions import versions
from adstudio.serving.check.vision import clip_whole, number_shown, senseless

TITLES = (
    "versions",
    "whole clip",
    "order in time",
    "bound answers",
    "continuation",
    "cancelling",
    "large requests",
    "keys",
    "32 scenes",
)
"""What each check is called; their order is that of the serving notes."""


LONGEST_S = 1_200.0
"""No check takes longer: a server that says a little for ever is not listened to for ever."""
Check = Callable[[Subject], Awaitable[Seen]]

CHECKS: tuple[Check, ...] = (
    clip_whole,
    number_shown,
    schema_kept,
    continuation,
    cancelling,
    large_bodies,
    wrong_keys,
    many_scenes,
)
"""All but the first, which finds out what there is to check."""


def _unheard(_model: str) -> None:
    pass


async def findings(
    place: Place, log: Path, begun: Callable[[int, str], None], chosen: Callable[[str], None] = _unheard
) -> AsyncGenerator[Finding]:
    """Each finding as it is made; `begun` hears which check is under way, `chosen` which model is checked.

    Raises:
        UnreachableError, UntrustedError, DeadlineError: where there is no server to check.
    """
    wire = Wire(place, log)
    try:
        begun(1, TITLES[0])
        try:
            found = await asyncio.wait_for(versions(wire), LONGEST_S)
        except TimeoutError:
            raise DeadlineError(
                f"{wire.place.base} had not said what it is after {LONGEST_S / 60:.0f} minutes"
            ) from None
        yield Finding(1, TITLES[0], *found.seen)
        if not found.model:
            for number, title in enumerate(TITLES[1:], 2):
                yield Finding(number, title, "untestable", "there is no model to ask: see 1")
            return
        chosen(found.model)
        subject = Subject(wire, found.model, found.context, numbered_clip())
        with contextlib.suppress(FaultError, TimeoutError):
            said = await asyncio.wait_for(senseless(subject), LONGEST_S)
            subject = replace(subject, senseless=said)
        for number, check in enumerate(CHECKS, 2):
            begun(number, TITLES[number - 1])
            yield Finding(number, TITLES[number - 1], *await _seen(check, subject))
    finally:
        await wire.aclose()


def unchecked(why: str) -> tuple[Finding, ...]:
    """The findings where there is no server to check, and why not."""
    first = Finding(1, TITLES[0], "failed", why, "look whether it runs, and at its address")
    rest = (
        Finding(n, title, "untestable", "there is no server to ask: see 1") for n, title in enumerate(TITLES[1:], 2)
    )
    return (first, *rest)


async def _seen(check: Check, subject: Subject) -> Seen:
    try:
        return await asyncio.wait_for(check(subject), LONGEST_S)
    except TimeoutError:
        what = f"it had not ended after {LONGEST_S / 60:.0f} minutes"
        return "failed", what, "look at the server’s log: it answers without ever coming to an end"
    except (UnreachableError, UntrustedError) as error:
        return "failed", f"the server went away: {error}", "look at its log, and whether it was started again"
    except FaultError as error:
        return "failed", str(error), "look at the server’s log, and at the proxy before it where there is one"
