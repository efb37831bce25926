"""A chosen plan's lines polished by a model, and what it proposes for each.

Each proposal fits where its line is spoken, so that the plan stays: the time that the plan gives the line, and what
its gap leaves free behind it with nothing else moved.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.request_store import JobStore, Totals, name_of_film
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.polish.grammar_check import Grammar
from adstudio.drafting.polish.passage import Unusable
from adstudio.drafting.polish.plan_passages import Asked, passages
from adstudio.drafting.polish.proposals import Polished, Proposal, ScenePolished, Unpolished
from adstudio.drafting.polish.run import PassageDone, polish
from adstudio.drafting.polish.time_budget import Room, length_of, rooms
from adstudio.llm.provider import Provider


@dataclass(frozen=True)
class Outcome:
    """All proposals in the order of the film, and what was spent on it over all runs; `halted` says what ended it.

    `failed` are the lines that could not be had, by no fault of what the model wrote of them; `why` says why not.
    """

    proposals: tuple[Proposal, ...]
    totals: Totals
    halted: str = ""
    stopped: bool = False
    failed: int = 0
    why: str = ""


Event = ScenePolished | Spent
Hear = Callable[[Event], None]


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
    hear: Hear = lambda _event: None,
    stop: asyncio.Event | None = None,
    grammar: Grammar | None = None,
) -> Outcome:
    """Ask a model for a plan's lines; nothing is raised for what goes wrong with some of them.

    Raises:
        OutsideFailureError, BadInputError: where the job store cannot be used.
    """
    asked = passages(script, gaps, plan, scenes=scenes, whole=whole)
    room = rooms(script, gaps, plan)
    by_passage = {id(each.passage): each for each in asked}

    def report(event: PassageDone | Spent) -> None:
        if isinstance(event, Spent):
            hear(event)
        else:
            proposals = tuple(_proposals(script, by_passage[id(event.passage)], event, room))
            hear(ScenePolished(event.passage.scene, proposals, event.why))

    outcome = await polish(
        [each.passage for each in asked],
        provider,
        store,
        way,
        name_of_film(script),
        hear=report,
        stop=stop,
        grammar=grammar,
    )
    proposals = [
        proposal
        for each, done in zip(asked, outcome.passages, strict=True)
        for proposal in _proposals(script, each, done, room)
    ]
    proposals.sort(key=lambda each: each.span)
    failed = [each.why for each in proposals if isinstance(each, Unpolished) and each.failed]
    why = "; ".join(dict.fromkeys(failed))
    return Outcome(tuple(proposals), outcome.totals, outcome.halted, outcome.stopped, len(failed), why)


def _proposals(script: Script, asked: Asked, done: PassageDone, room: dict[str, Room]) -> Iterator[Proposal]:
    for line in done.lines:
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
            # What ended an ask is told in a sentence; what is wrong with a text is the end of one.
            reason = line.unusable or Unusable.FAULTY
            subject = (
                "it " if reason is Unusable.UNCHANGED else "" if reason is Unusable.NOT_ASKED else "the model’s line "
            )
            why = f"{subject}{line.why}"
            yield Unpolished(delivery.element, delivery.variant, before.text, delivery.span, why, scene, reason)
