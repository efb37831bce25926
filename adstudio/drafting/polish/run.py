"""A plan's lines polished by a model: passages side by side, each asked, checked, and its bad lines asked once more.

Each proposal fits where its line is spoken, so that the plan stays: the time that the plan gives the line, and what
its gap leaves free after it with nothing else moved. Every request goes through the request store: nothing is asked
twice, and what was stopped continues where it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from adstudio.connections.model_access import OpenProvider
from adstudio.core.errors import AdstudioError
from adstudio.core.plan import Plan, Status
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.drafting.events import Noted
from adstudio.drafting.model.answers import read_answer
from adstudio.drafting.model.client import Asking, HaltedError, StoppedError, model_work, open_for_run
from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.prompts import passed_over, prompts
from adstudio.drafting.model.request_store import (
    FINISHED,
    Job,
    JobState,
    JobStore,
    Totals,
    name_of_film,
)
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.polish.checks import MISSING, Grammar, check
from adstudio.drafting.polish.events import PolishRequest
from adstudio.drafting.polish.passage import Passage, Unusable, Wanted, Worded
from adstudio.drafting.polish.plan_passages import Asked, passages
from adstudio.drafting.polish.proposals import Polished, Proposal, ScenePolished, Unpolished
from adstudio.drafting.polish.requests import Refused, about_passage
from adstudio.drafting.polish.time_budget import Room, length_of, rooms
from adstudio.gaps.gaps import gaps_of
from adstudio.llm.provider import Provider
from adstudio.system.stop_request import StopRequest

STOPPED = "it was not asked for any more, as it was stopped"
NOT_THE_FORM = "the model did not answer in the form that was asked for"
Event = ScenePolished | Spent


@dataclass(frozen=True)
class Outcome:
    """All proposals in the order of the film, and the film's totals over all runs; `halted` says what ended the run.

    `failed` counts lines without an answer, and `why` says why.
    """

    proposals: tuple[Proposal, ...]
    totals: Totals
    halted: str = ""
    stopped: bool = False
    failed: int = 0
    why: str = ""


def polish_lines(
    request: PolishRequest, emit: Callable[[Event | Noted], None], stop: StopRequest, opened: OpenProvider
) -> Outcome:
    """Do what is requested, with the project's own prompts; `opened` creates the provider in its event loop.

    Raises:
        OutsideFailureError, BadInputError: as `polish_plan`, and if a prompt or the provider cannot be used.
    """
    script = request.script
    own = dict(script.prompts)
    options = replace(request.options, prompts=prompts(own))
    if noted := passed_over(own):
        emit(Noted(noted))

    async def run() -> Outcome:
        async with open_for_run(lambda: opened(request.connection), stop, request.store) as (provider, store, event):
            return await polish_plan(
                script,
                gaps_of(script).gaps,
                Plan(Status.FEASIBLE, "shown", deliveries=request.deliveries),
                provider,
                store,
                options,
                scenes=request.scenes,
                whole=request.whole,
                hear=emit,
                stop=event,
            )

    return asyncio.run(run())


async def polish_plan(
    script: Script,
    gaps: Sequence[Span],
    plan: Plan,
    provider: Provider,
    store: JobStore,
    way: ModelOptions,
    *,
    scenes: Sequence[str] = (),
    whole: bool = False,
    hear: Callable[[Event], None] = lambda _event: None,
    stop: asyncio.Event | None = None,
    grammar: Grammar | None = None,
) -> Outcome:
    """Ask a model for a plan's lines, at most `way.at_once` passages at a time.

    Nothing is raised for what goes wrong with a line: it says why it has no proposal.

    Raises:
        OutsideFailureError, BadInputError: if the request store cannot be used.
    """
    asked = passages(script, gaps, plan, scenes=scenes, whole=whole)
    room = rooms(script, gaps, plan)
    ended = 0

    def finished(_job: Job) -> None:
        nonlocal ended
        ended += 1
        hear(Spent(asking.usage, ended))

    film = name_of_film(script)
    asking = Asking(provider, store, film, stop or asyncio.Event(), finished, way.again, way.most_micro_usd)
    waiting = iter(list(enumerate(asked)))
    done: dict[int, tuple[Proposal, ...]] = {}

    async def work() -> None:
        # All workers take from the one list, so that no more requests than their number are ever under way.
        for place, each in waiting:
            lines, why = await _polished(_Passage(each.passage, asking, way, grammar))
            done[place] = tuple(_proposals(script, each, lines, room))
            hear(ScenePolished(each.passage.scene, done[place], why))

    async with asyncio.TaskGroup() as group:
        for _ in range(min(max(way.at_once, 1), max(len(asked), 1))):
            group.create_task(work())
    proposals = sorted(chain(*(done[place] for place in range(len(asked)))), key=lambda each: each.span)
    failed = [each.why for each in proposals if isinstance(each, Unpolished) and each.failed]
    why = "; ".join(dict.fromkeys(failed))
    totals = store.totals(film)
    return Outcome(tuple(proposals), totals, asking.halted, asking.stop.is_set(), len(failed), why)


def answered_before(passages: Sequence[Passage], store: JobStore, way: ModelOptions, name: str, *, bound: bool) -> int:
    """How many of the passages' requests are answered in the store, so that they are not sent again.

    `name` is the provider's; `bound`: its server enforces the JSON schema. Second requests for bad lines do not count.
    """
    keys = [about_passage(each, way, bound=bound).content_hash(name) for each in passages]
    jobs = [store.job(key) for key in keys]
    states = (JobState.DONE,) if way.again else tuple(FINISHED)
    return sum(job is not None and job.state in states for job in jobs)


@dataclass
class _Passage:
    """A passage while it is polished."""

    passage: Passage
    asking: Asking
    way: ModelOptions
    grammar: Grammar | None
    job: Job | None = None
    """The last job."""
    why: str = ""

    async def ask(self, refused: Mapping[str, Refused] | None = None) -> dict[str, Any]:
        """The model's texts for the lines, or for the `refused` ones; the first answer to an id counts."""
        bound = self.asking.provider.capabilities.schema
        ask = about_passage(self.passage, self.way, refused, bound=bound)
        job = await self.asking.ask(ask, self.passage.scene, self.way.prompts.polish.key)
        self.job = job
        if job.state is not JobState.DONE:
            self.why = job.why
        given: dict[str, Any] = {}
        for line in read_answer(job.text):
            given.setdefault(str(line.get("id")), line.get("text"))
        if job.answered and not any(isinstance(given.get(each.id), str) for each in self.passage.wanted):
            self.asking.give_back(job, job.why or NOT_THE_FORM)
        return given

    def worded(self, wanted: Wanted, given: object) -> Worded:
        """The result for a line in the last answer."""
        found = check(wanted, given, self.passage, self.grammar)
        return replace(found, polished_by=model_work([self.job])) if found.good and self.job is not None else found


async def _polished(at: _Passage) -> tuple[tuple[Worded, ...], str]:
    """The results for the lines of a passage, in order; and why it is not complete, "" if it is."""
    lines: dict[str, Worded] = {}
    try:
        at.asking.require_going_on()
        given = await at.ask()
        lines = {each.id: at.worded(each, given.get(each.id)) for each in at.passage.wanted}
        refused = {
            identity: Refused(_text(given.get(identity)), line.why)
            for identity, line in lines.items()
            if not line.good and line.unusable is not Unusable.UNCHANGED
        }
        # If nothing at all was received, the same request would bring the same nothing.
        if refused and any(isinstance(given.get(each.id), str) for each in at.passage.wanted):
            again = await at.ask(refused)
            for each in at.passage.wanted:
                if each.id in refused and each.id in again:
                    lines[each.id] = at.worded(each, again[each.id])
    except StoppedError:
        at.why = STOPPED
    except (HaltedError, AdstudioError) as error:
        at.why = str(error)
    except (MemoryError, ImportError) as error:
        at.why = f"a part of the program could not be used: {error}"
    missing = (
        Worded("", why=at.why, unusable=Unusable.NOT_ASKED)
        if at.why
        else Worded("", why=MISSING, unusable=Unusable.MISSING)
    )
    # A line that is missing because its request failed says that.
    found = {identity: line for identity, line in lines.items() if line.unusable is not Unusable.MISSING}
    return tuple(found.get(each.id) or replace(missing, id=each.id) for each in at.passage.wanted), at.why


def _text(given: object) -> str:
    return given if isinstance(given, str) else ""


def _proposals(script: Script, asked: Asked, lines: Sequence[Worded], room: dict[str, Room]) -> Iterator[Proposal]:
    for line in lines:
        delivery = asked.deliveries[line.id]
        before = script.eventuality(delivery.element).variants[delivery.variant]
        scene = asked.passage.scene
        if line.good:
            yield Polished(
                delivery.element,
                delivery.variant,
                line.text,
                before.text,
                delivery.span,
                room[delivery.element].most,
                length_of(script, before, line.text),
                scene,
                line.remarks,
                line.polished_by,
            )
        else:
            # The fault of a request is a sentence; what is wrong with a text is the end of one.
            reason = line.unusable or Unusable.FAULTY
            subject = (
                "it " if reason is Unusable.UNCHANGED else "" if reason is Unusable.NOT_ASKED else "the model’s line "
            )
            why = f"{subject}{line.why}"
            yield Unpolished(delivery.element, delivery.variant, before.text, delivery.span, why, scene, reason)
