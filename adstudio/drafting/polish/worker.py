"""Polishing for the editor, in a process of its own: see `events.PROTOCOL` for what is exchanged.

When it is stopped it closes its connections and ends; what had come is cached, and the same request resumes there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.connections.model_access import OpenProvider, provider_of
from adstudio.drafting.polish.events import PROTOCOL, PolishEvent, PolishFinished, PolishRequest
from adstudio.drafting.polish.proposals import Polished
from adstudio.drafting.polish.run import polish_lines
from adstudio.llm.keys import masked
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import STOPPED, run_job

OUT_OF_MEMORY = "there is not enough memory to polish this: close other programs, or polish scene by scene"


def main(opened: OpenProvider = provider_of) -> int:
    """Do what is requested."""
    stop = StopRequest()

    def work(request: PolishRequest, send: Callable[[PolishEvent], None]) -> int:
        outcome = polish_lines(request, send, stop, opened)
        count = sum(isinstance(each, Polished) for each in outcome.proposals)
        totals = outcome.totals
        send(PolishFinished(count, outcome.halted, outcome.stopped, totals.asked, totals.usage))
        return STOPPED if outcome.stopped else 0

    return run_job(PROTOCOL, work, stop=stop, out_of_memory=OUT_OF_MEMORY, redact=masked)


if __name__ == "__main__":
    sys.exit(main())
