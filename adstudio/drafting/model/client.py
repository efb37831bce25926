"""Sends a request through the request store: reused, awaited if another process is sending it, or sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from adstudio.core.provenance import Contribution, ModelTask, ModelWork
from adstudio.drafting.model.context import plain
from adstudio.drafting.model.cost import WHOLE, Begun, Costs, dollars, thought_of
from adstudio.drafting.model.request_store import FINISHED, NOTHING, Job, JobState, JobStore, default_place, together
from adstudio.llm.faults import (
    CutShortError,
    EmptyError,
    GarbledError,
    RunawayError,
    ThoughtError,
    TooLargeError,
    ToolCallError,
    TooLongError,
)
from adstudio.llm.messages import Chunk, Request, Response, State, Usage
from adstudio.llm.provider import Provider
from adstudio.system.stop_request import StopRequest

LOOK_S = 0.3
"""Seconds between looks at a job that another process is sending."""
REPORT_S = 0.1
"""Seconds between reports of the text received so far."""
KEEP_S = 2.0
"""Seconds between saves of the text received so far."""

OF_THE_ANSWER = (CutShortError, RunawayError, GarbledError, EmptyError, ThoughtError, ToolCallError)
"""Faults of what the model wrote: it would write the same again. All others are faults of the connection."""

Delayed = Callable[[str, str], None]
"""Called with a scene of which nothing is received for now, and why."""
OnText = Callable[[str], None]
"""Called with the whole text received so far."""


class StoppedError(Exception):
    """The describer stopped the draft."""


class HaltedError(Exception):
    """Every request would fail as one has; the message is its sentence."""


class LimitError(HaltedError):
    """The film has reached its cost limit."""


@asynccontextmanager
async def open_for_run(
    opened: Callable[[], Provider], stop: StopRequest, store: Path | None = None
) -> AsyncGenerator[tuple[Provider, JobStore, asyncio.Event]]:
    """The provider that `opened` creates, the request store (None: the user’s own), and the event that `stop` sets."""
    event = asyncio.Event()
    provider = opened()
    try:
        with stop.call_in_loop(event.set), JobStore(store or default_place()) as jobs:
            yield provider, jobs, event
    finally:
        await provider.aclose()


@dataclass
class Asking:
    """Sends all requests of one film. `finished` is called with each job that ended in this run.

    Once the film has cost `most_micro_usd` (millionths of a US dollar, over all runs), or would with the requests under
    way and the next one, no more is sent. What costs nothing by the token continues. Scenes that have begun (`begin`)
    come before others: what they will still take is reserved for them.
    """

    provider: Provider
    store: JobStore
    film: str
    stop: asyncio.Event
    finished: Callable[[Job], None]
    again: bool = False
    most_micro_usd: int | None = None
    anew: bool = False
    """Whether what was answered before this run is requested again; what came since a run `anew` began is reused."""
    failed: bool = False
    """Whether a connection failed in this run."""
    delayed: Delayed = lambda _scene, _why: None
    halted: str = ""
    limited: bool = False
    """Whether the cost limit halted it: what is stored can be used all the same."""
    spoilt: set[str] = field(default_factory=set[str])
    """Keys of this run's requests that failed by what the model wrote: a smaller request may succeed."""
    usage: Usage = NOTHING
    """What this run has used so far."""
    requests: int = 0
    """How many requests were sent in this run."""
    reused: dict[str, Job] = field(default_factory=dict[str, Job])
    """Jobs that were answered before this run, and used in it."""
    _asked: set[str] = field(default_factory=set[str])
    _costs: Costs = field(default_factory=Costs)
    _begun: Begun = field(init=False)
    _ends_by: type[HaltedError] = HaltedError

    def __post_init__(self) -> None:
        self._begun = Begun(self._costs)

    def require_going_on(self, *, begun: bool = False) -> None:
        """Check that requests are still sent or, if `begun`, that stored answers may be used; raises as `ask`."""
        if self.stop.is_set():
            raise StoppedError
        if self.halted and not (begun and self.limited):
            raise self._ends_by(self.halted)

    async def begin(self, scene: str, thought: int, spent: int | None = None) -> None:
        """Begin a scene with this estimated cost once that can be reserved for it; to be ended (`end`).

        One that has answers, for which it has `spent` this much, begins at once.

        Raises:
            StoppedError: if the draft was stopped.
            LimitError, HaltedError: if no more scenes may begin.
        """
        while True:
            self.require_going_on(begun=spent is not None)
            if scene in self._begun:
                return
            if spent is not None or self._may_begin(thought):
                self._begun.begin(scene, thought, spent or 0)
            elif not self.halted:
                await asyncio.sleep(LOOK_S)

    def end(self, scene: str, *, whole: bool) -> None:
        """End a scene, complete (`whole`) or not: no more requests are sent about it."""
        self._begun.end(scene, whole=whole)

    async def ask(
        self,
        ask: Request,
        scene: str,
        stage: str,
        on_text: OnText = lambda _text: None,
        *,
        keep: Callable[[str], bool] | None = None,
        again: bool = False,
    ) -> Job:
        """The job of a request, once it is finished or has failed; text is saved on the way if `keep` accepts it.

        If the connection is lost, the job has failed and its text is what had been received; the next run continues
        from there if `keep` accepts it, and else requests it anew. `again`: what was withheld or cut short before this
        run is requested again.

        Raises:
            StoppedError: if the draft was stopped.
            HaltedError: if no request can succeed.
        """
        key = ask.content_hash(self.provider.name)
        self.store.announce(key, self.film, scene, stage)
        while True:
            if self.stop.is_set():
                raise StoppedError
            job = self.store.job(key)
            if job is not None and (job.state in FINISHED or job.state is JobState.FAILED) and key in self._asked:
                return job
            again = (again or self.again) and key not in self._asked
            anew = self.anew and key not in self._asked and not self._came_anew(job)
            if job is not None and job.state in FINISHED and not anew and (job.state is JobState.DONE or not again):
                # An older version stored answers that were broken off without a model: the job is this one's.
                job = job if job.model else replace(job, model=self.provider.name)
                self.reused[key] = job
                return job
            thought = thought_of(ask, self.provider.capabilities)
            due = self._costs.due(stage, thought)
            affordable = self._affordable(due, scene)
            if affordable and not self.halted and self.store.claim(key, again=again, anew=anew):
                self._asked.add(key)
                claimed = self.store.job(key)
                before = 0 if claimed is None else claimed.usage.micro_usd or 0
                with self._costs.pending(key, due, scene):
                    job = await self._send(ask, key, scene, on_text, keep=keep)
                # A job stores what it has cost in all; this request is the last part of it.
                cost = (job.usage.micro_usd or 0) - before
                self._costs.learn(stage, thought, cost)
                self._begun.spend(scene, cost)
                return job
            if self.halted:
                raise self._ends_by(self.halted)
            await asyncio.sleep(LOOK_S)

    def _came_anew(self, job: Job | None) -> bool:
        """Whether a job was answered in a run `anew` that has not ended and is continued."""
        if job is None:
            return False
        since = self.store.anew_since(self.film, job.scene)
        return since is not None and job.number > since

    def give_back(self, job: Job, why: str) -> None:
        """Note that a job's answer is of no use after all: the next run requests it again."""
        self.store.finish(job.key, JobState.FAILED, why=why, model=job.model)

    def _spent(self) -> int | None:
        """What the film has cost; None without a limit, or if none can be kept, which halts the run."""
        if self.halted or self.most_micro_usd is None or self.provider.capabilities.free:
            return None
        spent = self.store.totals(self.film).usage.micro_usd
        if spent is None:
            self.limited = True
            self.halted = (
                "some requests for this film went to a model whose price is not known, so its limit cannot be"
                " kept: go on without a limit"
            )
        return spent

    def _affordable(self, due: int, scene: str) -> bool:
        """Whether one more request stays within the limit, with those under way; if none are, this halts the run."""
        spent, most = self._spent(), self.most_micro_usd
        if spent is None or most is None:
            return True
        earlier = self._begun.left_before(scene)
        if spent < most and spent + self._costs.held + earlier + due <= most:
            return True
        if self._costs.held or earlier:
            return False
        self._reached(spent, most, f"the next request will cost about {dollars(due)}")
        return True

    def _may_begin(self, thought: int) -> bool:
        """Whether one more scene may begin; False if it has to wait, or if this halts the run."""
        spent, most = self._spent(), self.most_micro_usd
        if spent is None or most is None:
            return not self.halted
        due = self._begun.due(thought)
        if spent < most and spent + self._costs.held + self._begun.left + due <= most:
            return True
        if self._begun:
            return False
        # How good the estimates are is unknown until one scene is complete.
        if spent < most and not self._costs.knows(WHOLE):
            return True
        self._reached(spent, most, f"the next scene takes about {dollars(due)}")
        return False

    def _reached(self, spent: int, most: int, following: str) -> None:
        more = f", and {following}" if spent < most else ""
        self.limited, self._ends_by = True, LimitError
        self.halted = (
            f"the film has cost {dollars(spent)} of the {dollars(most, exactly=True)} that were set as"
            f" its limit{more}: raise it to go on"
        )

    async def _send(
        self, ask: Request, key: str, scene: str, on_text: OnText, *, keep: Callable[[str], bool] | None
    ) -> Job:
        before = self.store.job(key)
        if before is not None and before.asked > 1 and keep is not None and keep(before.text):
            # A process was killed, or a connection lost, while this was received: only the rest is requested.
            why = before.why or "the program ended while the answer came"
            # The model is reported at an answer's end; the job is this one's, as its key says.
            model = before.model or self.provider.name
            nothing = Response("", State.TRUNCATED, attempts=0)
            return self._ended(key, JobState.TRUNCATED, before.text, why, model, nothing)

        def save(text: str) -> None:
            if keep is not None and keep(text):
                self.store.note_partial(key, text)

        if keep is None and self.provider.capabilities.usd_out == 0:
            # Nothing could be continued, and nothing is paid twice.
            ask = replace(ask, repeat_paid=True)
        receiver = _Receiver(
            on_text, save if keep is not None else None, ask.limits.characters, partial(self.delayed, scene)
        )
        try:
            answer = await self.provider.send(ask, receiver.hear, self.stop)
            receiver.report()
        except BaseException:
            self.store.release(key)
            raise
        self.usage, self.requests = together([self.usage, answer.usage]), self.requests + answer.attempts
        if answer.state is State.CANCELLED:
            self.store.release(key, answer.usage)
            raise StoppedError
        if answer.fault is not None and answer.fault.affects_all:
            self.halted = self.halted or str(answer.fault)
        state = _STATES[answer.state]
        lost = answer.fault is not None and not isinstance(answer.fault, OF_THE_ANSWER)
        came = state is JobState.TRUNCATED
        # Runaway prose is repetition; of a runaway list the elements before can be used.
        runaway = keep is None and isinstance(answer.fault, RunawayError)
        if came and (lost or runaway or not answer.text.strip()):
            state = JobState.FAILED
        if isinstance(answer.fault, RunawayError | GarbledError | EmptyError | ThoughtError | ToolCallError):
            self.spoilt.add(key)
        if isinstance(answer.fault, TooLongError | TooLargeError):
            state = JobState.TOO_LONG
        why = answer.why or (str(answer.fault) if answer.fault else "")
        # What a provider calls no answer is none, whatever its text: clips that were never seen are described too.
        text = answer.text if came or state is JobState.DONE else ""
        return self._ended(key, state, text, why, answer.model or self.provider.name, answer)

    def _ended(self, key: str, state: JobState, text: str, why: str, model: str, answer: Response) -> Job:
        self.failed = self.failed or (state is JobState.FAILED and key not in self.spoilt)
        job = self.store.finish(
            key,
            state,
            text=text,
            why=why,
            model=model,
            usage=answer.usage,
            tries=answer.attempts,
            fingerprint=answer.fingerprint,
            response=answer.response_id,
        )
        self.finished(job)
        return job


_STATES = {
    State.COMPLETE: JobState.DONE,
    State.TRUNCATED: JobState.TRUNCATED,
    State.BLOCKED: JobState.BLOCKED,
    State.REFUSED: JobState.BLOCKED,
    State.FAILED: JobState.FAILED,
}


class _Receiver:
    """Collects the text received, and reports and saves it now and then."""

    def __init__(self, on_text: OnText, keep: OnText | None, most: int, delayed: OnText) -> None:
        self._on_text, self._keep, self._most, self._delayed = on_text, keep, most, delayed
        self._pieces: list[str] = []
        self._size = 0
        self._next_text_at = self._next_save_at = 0.0

    def hear(self, piece: Chunk) -> None:
        if piece.restarted:
            self._pieces, self._size = [], 0
        if piece.retry_reason:
            self._delayed(piece.retry_reason)
        if not piece.text or self._size >= self._most:
            return
        self._pieces.append(piece.text)
        self._size += len(piece.text)
        now = asyncio.get_running_loop().time()
        if now >= self._next_text_at:
            self._next_text_at = now + REPORT_S
            self.report()
        if self._keep is not None and now >= self._next_save_at:
            self._next_save_at = now + KEEP_S
            self._keep(self._text())

    def report(self) -> None:
        if self._pieces:
            self._on_text(self._text())

    def _text(self) -> str:
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]


LONGEST_MODEL = 80
"""Characters of a model's name, as a server reports it."""


def model_work(jobs: Sequence[Job], task: ModelTask | None = None) -> ModelWork | None:
    """The models that answered these jobs, with their tasks, or all with `task`; None without jobs."""
    if not jobs:
        return None
    tasks: dict[str, dict[ModelTask, None]] = {}
    for job in jobs:
        found = (ModelTask.from_key(key) for key in job.stage.split(", ") if key) if task is None else (task,)
        tasks.setdefault(plain(job.model, LONGEST_MODEL), {}).update(dict.fromkeys(found))
    return ModelWork(
        tuple(Contribution(model, tuple(done)) for model, done in tasks.items()), int(max(job.at for job in jobs))
    )
