"""Questions from the references of a film: what making them takes, and the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from adstudio.connections.model_access import OpenProvider, provider_of
from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.drafting.model.client import Asking
from adstudio.drafting.model.estimate import estimate_ask
from adstudio.evaluation.asking import Asked, ModelAsked, answered_before, run_with_model
from adstudio.evaluation.material import Transcript
from adstudio.evaluation.question_making import NewQuestions, groups_of, make_questions, questions_request
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Usage
from adstudio.system.stop_request import StopRequest


@dataclass(frozen=True)
class MakingEstimate:
    """What making takes: so many first requests, `before` of them answered already; repeats are not counted.

    `usage` is that of the others; its price is None where that of the model is not known.
    """

    requests: int
    before: int
    usage: Usage


def estimate_making(
    references: Sequence[Transcript], model: str, able: Capabilities, language: str = "", store: Path | None = None
) -> MakingEstimate:
    """What making questions of these takes; `model` is the provider's name, `able` what it supports and costs."""
    asked = [
        questions_request(pieces, pieces, language, bound=able.schema)
        for reference in references
        for pieces in groups_of(reference)
    ]
    before = answered_before(store, asked, model)
    new = [estimate_ask(each, able) for each, known in zip(asked, before, strict=True) if not known]
    return MakingEstimate(len(asked), sum(before), able.priced(sum(new, Usage())))


def run_making(
    references: Sequence[Transcript],
    model: ModelAsked,
    progress: OnProgress = ignore_progress,
    stop: StopRequest | None = None,
    opened: OpenProvider = provider_of,
    *,
    film: str = "",
    language: str = "",
    seed: int = 0,
) -> tuple[NewQuestions, Asked]:
    """Have a model make questions of each reference. What it answered before is not requested again.

    `film` is the film's name in the questions, `language` the tag of what they are in; either may be empty.

    Raises:
        NotAllowedError: where the policy does not permit the server.
        StoppedError: if it was stopped; what was answered is stored.
        BadInputError, OutsideFailureError: if the model cannot be asked or did not answer, or the store cannot be used.
    """
    due, done = sum(len(groups_of(each)) for each in references), 0

    def on_done() -> None:
        nonlocal done
        done += 1
        progress(Progress(Stage.MAKING_QUESTIONS, done / max(due, 1)))

    async def work(asking: Asking) -> NewQuestions:
        new: list[NewQuestions] = []
        for number, reference in enumerate(references, 1):
            prefix = "q" if len(references) == 1 else f"q{number}-"
            new.append(
                await make_questions(
                    *(reference, asking), film=film, language=language, seed=seed, prefix=prefix, on_done=on_done
                )
            )
        questions = tuple(question for each in new for question in each.questions)
        return NewQuestions(questions, sum((Counter(each.dropped) for each in new), Counter[str]()))

    progress(Progress(Stage.MAKING_QUESTIONS, 0.0))
    names = [each.name for each in references]
    return run_with_model(model, f"questions {film} {names}", opened, stop or StopRequest(), work)
