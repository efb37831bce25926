"""Drafting in a process of its own, for the editor: `python -m adstudio.drafting.worker`, see `events.PROTOCOL`.

It never overwrites a file, and leaves none half-written when it is stopped. What had come of a model by then is cached,
and the same request resumes there.
"""

from __future__ import annotations

import sys

from adstudio.core.errors import AdstudioError
from adstudio.core.progress import Progress, Stage
from adstudio.drafting.events import PROTOCOL, DraftEvent, Emit, OtherFilm, SampleRequest
from adstudio.drafting.request import DraftRequest, sample_request
from adstudio.drafting.servers import StoppedDraftError
from adstudio.drafting.service import DraftRun
from adstudio.drafting.text.text_drafting import OtherFilmError
from adstudio.llm.keys import masked
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import STOPPED, Failed, run_job

OUT_OF_MEMORY = "there is not enough memory to draft this: close other programs, or draft less at a time"


def main(**services: object) -> int:
    """Do what is requested; `services` replace those of `DraftRun`, for tests."""
    stop = StopRequest()

    def work(request: DraftRequest | SampleRequest, emit: Emit) -> int:
        if isinstance(request, SampleRequest):
            emit(Progress(Stage.COPYING_SAMPLE))
            request = sample_request(request.folder)
        try:
            DraftRun(request, emit, stop=stop, **services).run()  # type: ignore[arg-type] - as DraftRun has them
        except StoppedDraftError:
            return STOPPED
        return 0

    return run_job(PROTOCOL, work, stop=stop, failure=_failed, out_of_memory=OUT_OF_MEMORY, redact=masked)


def _failed(error: AdstudioError) -> DraftEvent:
    return (OtherFilm if isinstance(error, OtherFilmError) else Failed)(str(error))


if __name__ == "__main__":
    sys.exit(main())
