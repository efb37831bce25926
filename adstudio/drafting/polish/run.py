"""Passages polished by a model, side by side: asked, checked, what is bad asked once more, and what came of each line.

Each ask goes through the job store: nothing is asked twice, and what was stopped goes on where it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adstudio.core.errors import AdstudioError
from adstudio.drafting.model.answers import read_answer
from adstudio.drafting.model.attribution import model_work
from adstudio.drafting.model.client import Asking, HaltedError, StoppedError
from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.request_store import FINISHED, Job, JobState, JobStore, Totals
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.polish.checks import MISSING, check
from adstudio.drafting.polish.grammar_check import Grammar
from adstudio.drafting.polish.passage import Passage, Unusable, Wanted, Worded
from adstudio.drafting.polish.requests import Refused, about_passage
from adstudio.llm.provider import Provider

STOPPED = "it was not asked for any more, as it was stopped"


@dataclass(frozen=True)
class PassageDone:
    """A passage has come to its end: each of its lines, in order."""

    passage: Passage
    lines: tuple[Worded, ...]
    why: str = ""
    """Why it is not whole, where it is not."""


@dataclass(frozen=True)
class Outcome:
    """All passages in their order, and what the film has taken over all runs; `halted` says what ended it early."""

    passages: tuple[PassageDone, ...]
    totals: Totals
    halted: str = ""
    stopped: bool = False


Event = PassageDone | Spent
Hear = Callable[[Event], None]


def _unheard(_event: Event) -> None:
    pass


async def polish(
    passages: Sequence[Passage],
    provider: Provider,
    store: JobStore,
    way: ModelOptions,
    film: str,
    *,
    hear: Hear = _unheard,
    stop: asyncio.Event | None = None,
    grammar: Grammar | None = None,
) -> Outcome:
    """Polish passages, at most `way.at_once` at a time; `film` is what it is called in the store.

    Nothing is raised for what goes wrong with a passage: each line says why there is no text for it.

    Raises:
        OutsideFailureError, BadInputError: where the store cannot be used.
    """
    ended = 0

    def finished(_job: Job) -> None:
        nonlocal ended
        ended += 1
        hear(Spent(asking.usage, ended))

    asking = Asking(provider, store, film, stop or asyncio.Event(), finished, way.again, way.most_micro_usd)
    waiting = iter(list(enumerate(passages)))
    done_passages: dict[int, PassageDone] = {}

    async def work() -> None:
        # All workers take from the one list, so that no more than their number is ever in hand.
        for place, passage in waiting:
            done = await _polished(_Passage(passage, asking, way, grammar))
            done_passages[place] = done
            hear(done)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(max(way.at_once, 1), max(len(passages), 1))):
            group.create_task(work())
    done = tuple(done_passages[place] for place in range(len(passages)))
    return Outcome(done, store.totals(film), asking.halted, asking.stop.is_set())


def answered_before(passages: Sequence[Passage], store: JobStore, way: ModelOptions, name: str, *, bound: bool) -> int:
    """How many of the passages' asks are answered in the store, so that they are not asked again.

    `name` is the provider's, and `bound` says whether its server binds answers to a form. What is asked once more of
    lines that are bad is not counted.
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
    """The last one that was asked."""
    why: str = ""

    async def ask(self, refused: Mapping[str, Refused] | None = None) -> dict[str, Any]:
        """What the model gives for the lines, or for the `refused` ones; the first answer to an id counts."""
        bound = self.asking.provider.capabilities.schema
        ask = about_passage(self.passage, self.way, refused, bound=bound)
        job = await self.asking.ask(ask, self.passage.scene, self.way.prompts.polish.key)
        self.job = job
        if job.state is not JobState.DONE:
            self.why = job.why
        given: dict[str, Any] = {}
        for line in read_answer(job.text):
            given.setdefault(str(line.get("id")), line.get("text"))
        return given

    def worded(self, wanted: Wanted, given: object) -> Worded:
        """What came of a line in the last answer."""
        found = check(wanted, given, self.passage, self.grammar)
        return replace(found, polished_by=model_work([self.job])) if found.good and self.job is not None else found


async def _polished(at: _Passage) -> PassageDone:
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
        # Where nothing at all came, the same question would bring the same nothing.
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
    missing = Worded("", why=MISSING, unusable=Unusable.MISSING)
    done = tuple(lines.get(each.id) or replace(missing, id=each.id) for each in at.passage.wanted)
    done = tuple(_with_reason(line, at.why) for line in done)
    return PassageDone(at.passage, done, at.why)


def _with_reason(line: Worded, why: str) -> Worded:
    """A line that is missing because its ask failed says that."""
    return Worded(line.id, why=why, unusable=Unusable.NOT_ASKED) if line.unusable is Unusable.MISSING and why else line


def _text(given: object) -> str:
    return given if isinstance(given, str) else ""
