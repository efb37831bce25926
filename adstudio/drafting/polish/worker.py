"""Polishing for the editor, in a process of its own: see `events.PROTOCOL` for what is exchanged.

When it is stopped it closes its connections and ends; what had come is cached, and the same request resumes there.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace

from adstudio.connections.model_access import Connection, provider_of
from adstudio.core.plan import Plan, Status
from adstudio.drafting.events import Noted
from adstudio.drafting.model.prompts import passed_over, prompts
from adstudio.drafting.model.request_store import JobStore, default_place
from adstudio.drafting.polish.events import PROTOCOL, PolishEvent, PolishFinished, PolishRequest
from adstudio.drafting.polish.plan_polish import Outcome, polish_plan
from adstudio.drafting.polish.proposals import Polished
from adstudio.drafting.servers import MOST_AT_ONCE
from adstudio.gaps.gaps import gaps_of
from adstudio.llm.keys import masked
from adstudio.llm.provider import Provider
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import STOPPED, run_job

OUT_OF_MEMORY = "there is not enough memory to polish this: close other programs, or polish scene by scene"

OpenProvider = Callable[[Connection], Provider]


def main(opened: OpenProvider = provider_of) -> int:
    """Do what is requested."""
    stop = StopRequest()

    def work(request: PolishRequest, send: Callable[[PolishEvent], None]) -> int:
        outcome = asyncio.run(_polish(request, stop, opened, send))
        count = sum(isinstance(each, Polished) for each in outcome.proposals)
        totals = outcome.totals
        send(PolishFinished(count, outcome.halted, outcome.stopped, totals.asked, totals.usage))
        return STOPPED if outcome.stopped else 0

    return run_job(
        PROTOCOL,
        work,
        stop=stop,
        out_of_memory=OUT_OF_MEMORY,
        redact=masked,
    )


async def _polish(
    request: PolishRequest, stop: StopRequest, opened: OpenProvider, send: Callable[[PolishEvent], None]
) -> Outcome:
    event, script = asyncio.Event(), request.script
    own = dict(script.prompts)
    at_once = min(max(request.options.at_once, 1), MOST_AT_ONCE)
    options = replace(request.options, prompts=prompts(own), at_once=at_once)
    if noted := passed_over(own):
        send(Noted(noted))
    provider = opened(request.connection)
    try:
        with stop.call_in_loop(event.set), JobStore(request.store or default_place()) as store:
            return await polish_plan(
                script,
                gaps_of(script).gaps,
                Plan(Status.FEASIBLE, "shown", deliveries=request.deliveries),
                provider,
                store,
                options,
                scenes=request.scenes,
                whole=request.whole,
                hear=send,
                stop=event,
            )
    finally:
        await provider.aclose()


if __name__ == "__main__":
    sys.exit(main())
