"""The model of an evaluation on the command line: what allows texts to be sent to it, and what it has taken."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from adstudio.cli.interrupt import Stopped, stopping
from adstudio.cli.model_options import SendingOptions, is_allowed, micro_usd
from adstudio.cli.output import say
from adstudio.core.counts import counted
from adstudio.core.policy import OFFLINE, Policy

if TYPE_CHECKING:
    from adstudio.connections.saved_connections import SavedConnection
    from adstudio.core.progress import OnProgress
    from adstudio.evaluation.asking import Asked, ModelAsked
    from adstudio.evaluation.qeval import QuestionedText
    from adstudio.evaluation.qeval_service import QEvalResult
    from adstudio.llm.messages import Usage
    from adstudio.system.stop_request import StopRequest

LOGGED_AS = "an evaluation"
"""In place of a project's name in the log of what was sent."""


@dataclass(frozen=True)
class EvaluationModel:
    """A saved connection, and what allows the texts of an evaluation to be sent there.

    The projects whose texts are evaluated have to allow it, or else the options do, for this run alone: an evaluation
    writes into no project.
    """

    named: SavedConnection
    sending: SendingOptions
    current: Policy
    most_micro_usd: int | None
    again: bool

    @property
    def provider_name(self) -> str:
        """The name by which its answers are stored."""
        return f"{self.named.kind} {self.named.model}"

    def permitted(self, estimated: Iterable[str]) -> ModelAsked:
        """The model, as it may be asked; prints the estimate, and asks for consent where that is needed.

        Raises:
            BadInputError: when neither the projects nor an option allows it.
        """
        from adstudio.evaluation.asking import SENDS, ModelAsked

        policy = self.sending.policy(self.named, self.current, SENDS, estimated)
        # What one run has sent is of no use to another's cache.
        connection = self.named.connection(policy, project=LOGGED_AS, salt=token_hex(16))
        return ModelAsked(connection, self.named.name, self.most_micro_usd, self.again)


def evaluation_model(
    llm: str, sending: SendingOptions, projects: Sequence[Path], most_cost: float | None, *, again: bool
) -> EvaluationModel:
    """The model of that name, checked before any work.

    Raises:
        BadInputError: where there is no such connection, or nothing allows sending to it.
        OutsideFailureError: where its key is missing.
    """
    from adstudio.connections.saved_connections import connection_named
    from adstudio.evaluation.asking import SENDS

    named = connection_named(llm)
    most = micro_usd(most_cost, named)
    policies = list(map(_policy, projects)) or [OFFLINE]
    current = next((each for each in policies if not is_allowed(named, each, SENDS)), policies[0])
    sending.require(named, current, SENDS)
    return EvaluationModel(named, sending, current, most, again)


def _policy(project: Path) -> Policy:
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(project, read_only=True) as opened:
        return opened.policy


def about_requests(requests: str, before: int, usage: Usage, *, most: bool = False) -> str:
    """An estimate in words: the requests, how many of them are answered already, and what it takes, at `most`."""
    from adstudio.cli.draft_events import usage_words

    are = "is" if before == 1 else "are"
    known = f", of which {before:,} {are} answered before and reused" if before else ""
    return f"{requests}{known}; {'at most' if most else 'some'} {usage_words(usage)}"


def say_asked(name: str, asked: Asked) -> None:
    """Print what a run has taken."""
    from adstudio.cli.draft_events import usage_words

    reused = f"{counted(asked.reused, 'answer')} reused"
    if not asked.requests:
        say(f"{name}: no request was made, {reused}")
        return
    more = f"; {reused}" if asked.reused else ""
    say(f"{name}: {counted(asked.requests, 'request')}, {usage_words(asked.usage)}{more}")


def about_answering(texts: Sequence[QuestionedText], model: EvaluationModel) -> str:
    """What answering the questions from these texts takes, in words."""
    from adstudio.evaluation.qeval_service import estimate_qeval

    found = estimate_qeval(texts, model.provider_name, model.named.capabilities)
    requests = f"answering the questions takes {counted(found.least, 'request')}"
    requests += f", up to {found.most:,} to find where answers come from" if found.most > found.least else ""
    return about_requests(requests, found.before, found.usage, most=True)


def answered(texts: Sequence[QuestionedText], model: ModelAsked, progress: OnProgress) -> QEvalResult:
    """Have the model answer; a signal stops it, and what was answered is kept."""
    from adstudio.evaluation.qeval_service import run_qeval

    with asking_stoppable() as stop:
        found = run_qeval(texts, model, progress, stop)
    say_asked(model.name, found.asked)
    return found


@contextmanager
def asking_stoppable() -> Generator[StopRequest]:
    """What stops asking a model once a signal comes; that what was answered is kept is printed then."""
    from adstudio.drafting.model.client import StoppedError
    from adstudio.evaluation.asking import CONTINUES
    from adstudio.system.stop_request import StopRequest

    stop = StopRequest()
    with stopping(stop) as signals:
        try:
            yield stop
        except (StoppedError, KeyboardInterrupt):
            if signals:
                say(f"stopped; {CONTINUES}")
                raise Stopped(signals[0]) from None
            raise
