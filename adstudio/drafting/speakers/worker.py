"""Asks a model who speaks, for the editor: see `events.PROTOCOL` for what is exchanged.

When it is stopped it closes its connections and ends; what had come is cached, and the same request resumes there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.connections.model_access import OpenProvider, provider_of
from adstudio.drafting.speakers.asking import ask_speakers
from adstudio.drafting.speakers.events import PROTOCOL, AskEvent, AskSpeakers, ShareAsked
from adstudio.llm.keys import masked
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import STOPPED, run_job

OUT_OF_MEMORY = "there is not enough memory to ask who speaks: close other programs"


def main(opened: OpenProvider = provider_of) -> int:
    """Do what is requested."""
    stop = StopRequest()

    def work(request: AskSpeakers, send: Callable[[AskEvent], None]) -> int:
        outcome = ask_speakers(request, opened, stop, lambda share: send(ShareAsked(share)))
        send(outcome)
        return STOPPED if outcome.stopped else 0

    return run_job(PROTOCOL, work, stop=stop, out_of_memory=OUT_OF_MEMORY, redact=masked)


if __name__ == "__main__":
    sys.exit(main())
