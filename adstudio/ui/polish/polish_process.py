"""Polishing in the editor: which lines, what keeps a model from being asked, the process, and accepting a proposal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from adstudio.connections import data_categories
from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.cast import Person
from adstudio.core.plan import Delivery
from adstudio.core.script import Scene
from adstudio.drafting.events import Noted
from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.polish.events import PROTOCOL, PolishEvent, PolishFinished, PolishRequest
from adstudio.drafting.polish.proposals import (
    MOST_ROUNDS,
    Polished,
    ScenePolished,
    Unpolished,
    may_polish,
    stale,
    taking,
)
from adstudio.drafting.polish.time_budget import rooms
from adstudio.editing.polish import lost_lines
from adstudio.llm.messages import Usage
from adstudio.planning.film.film_problem import scene_of_each
from adstudio.store.project import ProjectFile
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.drafts.messages import usage_words
from adstudio.ui.drafts.model_request import Obstacle, connection_for, find_refusal
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import counted

READ_ONLY = "This project was opened to read, so no polished line could be kept in it: save it under another name."
_RESUME = "What had arrived is saved: start again to continue."
CRASHED = f"Polishing stopped unexpectedly; see the log. {_RESUME}"
GARBLED = f"The polishing process returned invalid data and was stopped. {_RESUME}"
ABANDONED = "A model is still polishing. That will be stopped. What has arrived is saved: start it again to continue."

TEXTS = JobTexts(CRASHED, GARBLED, abandoned=ABANDONED)


class PolishProcess(JobClient[PolishRequest, PolishEvent]):
    """Its answer is PolishFinished or Failed; None where it was stopped before it had begun.

    Attributes:
        lines: how many are being polished.
        done: how many of them have come back, with a proposal or without.
        failed: how many of them could not be asked for, and
        why_failed: why, of the last that could not.
        usage: what the film has taken so far.
        noted: what the describer should know of the run, without a full stop.
    """

    polished = Signal(object)
    """ScenePolished: the proposals for some lines of a scene."""
    spent = Signal()
    """`usage` has changed."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(jobs, parent, PROTOCOL, (PolishFinished,), TEXTS)
        self.received.connect(self._receive)
        self._reset(0)

    def _reset(self, lines: int) -> None:
        self.lines, self.done, self.failed = lines, 0, 0
        self.why_failed, self.usage, self.noted = "", Usage(), ""

    def polish(self, title: str, request: PolishRequest, lines: int) -> None:
        """Polish as requested, `lines` in all; what was asked before is forgotten.

        Raises:
            CodecError: where the request is too large.
        """
        self.start(title, request)
        self._reset(lines)

    def forget(self) -> None:
        """Stop, and pass nothing of it on any more."""
        super().forget()
        self._reset(0)

    def _receive(self, event: ScenePolished | Spent | Noted) -> None:
        match event:
            case ScenePolished(proposals=proposals, why=why):
                self.done += len(proposals)
                failed = sum(isinstance(each, Unpolished) and each.failed for each in proposals)
                self.failed += failed
                self.why_failed = why if failed else self.why_failed
                self.report(self.done / max(self.lines, 1), f"{self.done:,} of {self.lines:,}")
                self.polished.emit(event)
            case Spent(usage=usage):
                self.usage = usage
                self.spent.emit()
            case Noted(sentence):
                self.noted = sentence


def find_obstacle(project: ProjectFile | None, named: SavedConnection | None) -> Obstacle | None:
    """What keeps a model from being asked; None where nothing does. Nothing is opened."""
    if project is None:
        return Obstacle("")
    if project.read_only:
        return Obstacle(READ_ONLY)
    return find_refusal(project, named, data_categories.POLISHING)


def lines_to_polish(session: Session, scenes: Sequence[Scene] | None) -> int:
    """How many spoken lines of these scenes, or of the whole film, nobody has worked on."""
    script = session.script
    wanted = None if scenes is None else {scene.id for scene in scenes}
    spoken = [line for line in script.eventualities if line.id in session.plan.by_line and may_polish(line)]
    if wanted is None:
        return len(spoken)
    scene_of = dict(zip((line.id for line in script.eventualities), scene_of_each(script), strict=True))
    return sum(scene_of[line.id] in wanted for line in spoken)


def request_for(
    project: ProjectFile,
    session: Session,
    named: SavedConnection,
    scenes: Sequence[Scene] | None,
    most_micro_usd: int | None,
) -> PolishRequest:
    """What the process is asked to do; no more is asked once the film has cost `most_micro_usd`, over all runs."""
    connection = connection_for(project, named)
    wanted = () if scenes is None else tuple(scene.id for scene in scenes)
    # Of people no more than their names.
    people = tuple(Person.named(person.name) for person in session.script.people)
    return PolishRequest(
        replace(session.script, people=people),
        connection,
        session.plan.deliveries,
        scenes=wanted,
        options=ModelOptions(most_micro_usd=most_micro_usd),
    )


def take(session: Session, proposal: Polished) -> str:
    """Take a proposal over as one step of the describer's; why not, where it cannot be, as a sentence.

    Where the plan would lose another line by it, that line is held as it is spoken, in the same step.
    """
    session.flush()
    before = session.plan
    room = rooms(session.script, session.gaps, before).get(proposal.eventuality)
    why = stale(session.script, before, room, proposal)
    if why:
        return why
    held: tuple[Delivery, ...] = ()
    for _ in range(MOST_ROUNDS):
        pinned = held
        if not session.edits.attempt(
            lambda script, pinned=pinned: taking(script, before, proposal, pinned, agreed=True),
            amends=f"polish {proposal.eventuality}",
        ):
            break
        gone = [each for each in lost_lines(before, session.plan, proposal.eventuality) if each not in held]
        if not gone:
            break
        held = (*held, *gone)
    return ""


def progress_words(done: int, lines: int, usage: Usage) -> str:
    """How far a run is."""
    spent = f" · {usage_words(usage)}" if usage.tokens_in else ""
    return f"{done:,} of {counted(lines, 'line')}{spent}"
