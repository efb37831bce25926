"""A model asked who speaks, part by part; every request goes through the request store, so that nothing is paid twice.

Only the server of the connection is asked, and only where the project's policy permits it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from adstudio.characters.speakers import unnamed_cues
from adstudio.connections.model_access import OpenProvider
from adstudio.core.cast import People
from adstudio.core.errors import BadInputError
from adstudio.drafting.model.client import Asking, HaltedError, StoppedError, open_for_run
from adstudio.drafting.model.prompts import fixed_prompt
from adstudio.drafting.model.request_store import FINISHED, JobState, JobStore
from adstudio.drafting.speakers.events import AskSpeakers, SpeakersAsked
from adstudio.drafting.speakers.evidence import speakers_in_screenplay
from adstudio.drafting.speakers.requests import SpeakerPart, is_answer, parts_of, read_speakers, speakers_request
from adstudio.system.stop_request import StopRequest

NO_CAST = "a model names nobody but the cast, and the project has none yet: collect it first"
NOT_THE_FORM = "the model did not answer in the form that was asked for"
OnShare = Callable[[float], None]


def speaker_parts(request: AskSpeakers) -> tuple[list[SpeakerPart], dict[str, str]]:
    """What is to be asked, and the names that are known, by the id of their cue.

    Raises:
        BadInputError: if there is nobody that could be named.
        AdstudioError: if the screenplay cannot be read.
    """
    if not request.people:
        raise BadInputError(NO_CAST)
    screenplay = speakers_in_screenplay(request.screenplay, request.cues)
    unnamed = unnamed_cues(request.cues, screenplay)
    asked = {cue.id for cue in unnamed}
    known = {cue.id: cue.speaker for cue in request.cues if cue.speaker and cue.id not in asked} | screenplay
    return list(parts_of(request.cues, unnamed)), known


def requests_answered(
    parts: Sequence[SpeakerPart],
    known: dict[str, str],
    request: AskSpeakers,
    store: JobStore,
    name: str,
    *,
    bound: bool,
) -> int:
    """How many of the requests are answered in the store, so that they are not sent again; `name` as the provider's."""
    jobs = (store.job(speakers_request(part, request.people, known, bound=bound).content_hash(name)) for part in parts)
    states = (JobState.DONE,) if request.again else tuple(FINISHED)
    return sum(job is not None and job.state in states for job in jobs)


def ask_speakers(request: AskSpeakers, opened: OpenProvider, stop: StopRequest, on_share: OnShare) -> SpeakersAsked:
    """Ask for all parts; `opened` creates the provider in its event loop.

    What goes wrong with a part is said in the outcome; what came by then counts.

    Raises:
        NotAllowedError: where the policy does not permit the server; nothing is opened then.
        BadInputError, OutsideFailureError: as `speaker_parts`, and if the provider or the store cannot be used.
    """
    request.connection.require_allowed()
    parts, known = speaker_parts(request)

    async def run() -> SpeakersAsked:
        async with open_for_run(lambda: opened(request.connection), stop, request.store) as (provider, store, event):
            limits = request.again, request.most_micro_usd
            asking = Asking(provider, store, request.film, event, lambda _job: None, *limits)
            return await _Run(asking, request.people, known, parts, on_share).all()

    return asyncio.run(run()) if parts else SpeakersAsked((), 0)


@dataclass
class _Run:
    asking: Asking
    people: People
    known: dict[str, str]
    parts: Sequence[SpeakerPart]
    on_share: OnShare
    names: dict[str, str] = field(default_factory=dict[str, str])
    done: int = 0
    failed: int = 0
    why: str = ""

    async def all(self) -> SpeakersAsked:
        waiting = iter(self.parts)

        async def work() -> None:
            # All workers take from the one list, so that no more requests than their number are ever under way.
            for part in waiting:
                try:
                    await self._ask(part)
                except (StoppedError, HaltedError):
                    return
                self.done += 1
                self.on_share(self.done / len(self.parts))

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(max(self.asking.provider.concurrency, 1), len(self.parts))):
                    group.create_task(work())
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        asked = sum(len(part.asked) for part in self.parts)
        stopped, halted = self.asking.stop.is_set(), self.asking.halted
        return SpeakersAsked(
            tuple(self.names.items()), asked, halted, stopped, self.failed, self.why, self.asking.usage
        )

    async def _ask(self, part: SpeakerPart) -> None:
        bound = self.asking.provider.capabilities.schema
        request = speakers_request(part, self.people, self.known, bound=bound)
        job = await self.asking.ask(request, part.asked[0].id, fixed_prompt("speakers").key)
        if job.answered and is_answer(job.text, part):
            self.names |= read_speakers(job.text, part, self.people)
            return
        self.failed += len(part.asked)
        self.why = job.why or NOT_THE_FORM
        if job.answered:
            # The next run asks again.
            self.asking.give_back(job, self.why)
