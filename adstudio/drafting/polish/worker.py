"""Polishing in a process of its own: `python -m adstudio.drafting.polish.worker REQUEST-FILE WISH-FILE`.

It says what comes in lines of JSON (see `polish_messages`). When its input closes, or it is terminated, it closes its
connections and ends; what had come is kept, and the same request goes on there.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from adstudio.connections.model_access import Connection, provider_of
from adstudio.core.plan import Plan, Status
from adstudio.drafting.model.messages import Failed, Noted, Request, read_request
from adstudio.drafting.model.prompts import passed_over, prompts
from adstudio.drafting.model.request_store import JobStore, default_place
from adstudio.drafting.model.requests import Way
from adstudio.drafting.polish.messages import Message, Over, Wish, read_wish, write_message
from adstudio.drafting.polish.plan_polish import Outcome, polish_plan
from adstudio.drafting.polish.proposals import Polished
from adstudio.drafting.stopping import Stopping
from adstudio.drafting.worker_runtime import MOST_AT_ONCE, STOPPED, at_work
from adstudio.gaps.gaps import gaps_of
from adstudio.llm.provider import Provider
from adstudio.system.child_process import Write

SHORT_OF_MEMORY = "there is not enough memory to polish this: close other programs, or polish scene by scene"

Say = Callable[[Message], None]
Opened = Callable[[Connection], Provider]


def main(given: list[str] | None = None, opened: Opened = provider_of) -> int:
    """Do what a request asks; the exit code is 0, that of the failure, or 130 where it was stopped."""
    request, wish = sys.argv[1:] if given is None else given
    stopping = Stopping()

    def work(write: Write) -> int:
        return _run(Path(request), Path(wish), stopping, opened, lambda message: write(write_message(message)))

    return at_work(stopping, work, lambda error: write_message(Failed(str(error))), SHORT_OF_MEMORY)


def _run(request: Path, wish: Path, stopping: Stopping, opened: Opened, say: Say) -> int:
    outcome = asyncio.run(_polish(read_request(request), read_wish(wish), stopping, opened, say))
    count = sum(isinstance(each, Polished) for each in outcome.proposals)
    say(Over(count, outcome.halted, outcome.stopped, outcome.totals.asked, outcome.totals.usage))
    return STOPPED if outcome.stopped else 0


async def _polish(request: Request, wish: Wish, stopping: Stopping, opened: Opened, say: Say) -> Outcome:
    stop = asyncio.Event()
    stopping.sets(stop)
    script = request.script
    own = dict(script.prompts)
    way = Way(
        prompts(own),
        at_once=min(max(request.at_once, 1), MOST_AT_ONCE),
        again=request.again,
        most_micro_usd=request.most_micro_usd,
    )
    if noted := passed_over(own):
        say(Noted(noted))
    provider = opened(request.connection)
    try:
        with JobStore(request.store or default_place()) as store:
            return await polish_plan(
                script,
                gaps_of(script).gaps,
                Plan(Status.FEASIBLE, "shown", deliveries=wish.deliveries),
                provider,
                store,
                way,
                scenes=request.scenes,
                whole=wish.whole,
                hear=say,
                stop=stop,
            )
    finally:
        await provider.aclose()


if __name__ == "__main__":
    sys.exit(main())
