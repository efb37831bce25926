"""A model weighs a scene's lines against one another, by their words alone.

A model's numbers are not a measure: one gives 700 where another gives 300. Only their order within a scene counts
(`ranks`), as with the program's own weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adstudio.core.script import SALIENCE_UNIT
from adstudio.drafting.model.answers import read_answer
from adstudio.drafting.model.client import Asking
from adstudio.drafting.model.context import block, plain
from adstudio.drafting.model.prompts import Prompts
from adstudio.drafting.model.request_store import Job
from adstudio.drafting.model.response_schema import SALIENCE, closed, one_of_each
from adstudio.drafting.text.score.blend import ranks
from adstudio.drafting.weigh.scene import SceneWeights, WeighedScene, WeighingError
from adstudio.llm.messages import Limits, Request, scene_key, user

STAGE = "weigh"
AT_ONCE = 60
"""Lines weighed in one request; all lines of the scene are listed each time."""
ROUNDS = 3
"""How often missing lines are requested."""
MOST_LINES = 400
"""Lines of a scene; more would not fit into a model's context."""
LINE_TOKENS = 40
LONGEST_TEXT = 400


def weighing(scene: WeighedScene, of: Sequence[int], prompts: Prompts, *, bound: bool = True) -> Request:
    """The request for the saliences of some lines of a scene, by their indices."""
    ids = [_id(place) for place in of]
    listed = block(
        "PIECES", [f"{_id(place)}: {plain(line.text, LONGEST_TEXT)}" for place, line in enumerate(scene.lines)]
    )
    whole = "all of them" if len(of) == len(scene.lines) else f"these alone: {', '.join(ids)}"
    form = "" if bound else '\n\nThe form, with an entry for each piece:\n{"weights": [{"id": "", "salience": 0}]}'
    text = f"{listed}\n\n{prompts.weigh.text}\n\nAnswer for {whole}.{form}"
    tokens = 2 * LINE_TOKENS * len(of) + 500
    return Request(
        messages=(user(text),),
        system=prompts.system.text,
        schema=weights_schema(ids),
        limits=Limits.of_answer(tokens),
        scene=scene_key(f"{scene.id} {listed}"),
    )


def weights_schema(ids: Sequence[str]) -> dict[str, Any]:
    """The JSON schema for these lines: their ids in order, and an integer for each."""
    weight = {"type": "integer", "minimum": 1, "maximum": SALIENCE - 1}
    items = [closed({"id": {"type": "string", "enum": [each]}, "salience": weight}) for each in ids]
    return one_of_each("weights", items)


async def weigh_by_model(scene: WeighedScene, asking: Asking, prompts: Prompts) -> SceneWeights:
    """The saliences of a scene's lines, in millionths, inside (0, 1): their ranks by what the model gives.

    Raises:
        WeighingError: where it does not weigh all of them.
        StoppedError, HaltedError: as asking does.
    """
    if len(scene.lines) > MOST_LINES:
        raise WeighingError(f"a model weighs {MOST_LINES} lines at once, and there are more: divide the scene")
    given: dict[int, int] = {}
    jobs: list[Job] = []
    for _ in range(ROUNDS):
        left = [place for place in range(len(scene.lines)) if place not in given]
        for first in range(0, len(left), AT_ONCE):
            found, job = await _asked(scene, left[first : first + AT_ONCE], asking, prompts)
            given |= found
            jobs.append(job)
        if len(given) == len(scene.lines):
            shares = ranks([given[place] for place in range(len(scene.lines))])
            weights = zip(scene.lines, shares, strict=True)
            return SceneWeights({line.id: round(share * SALIENCE_UNIT) for line, share in weights}, tuple(jobs))
    why = f"the model weighed {len(given)} of {len(scene.lines)} lines: try another model"
    # What it did weigh stays; the last request is sent again by the next run.
    asking.give_back(jobs[-1], why)
    raise WeighingError(why)


async def _asked(
    scene: WeighedScene, of: Sequence[int], asking: Asking, prompts: Prompts
) -> tuple[dict[int, int], Job]:
    """The answer to one request, with at least one line's weight."""
    ask = weighing(scene, of, prompts, bound=asking.provider.capabilities.schema)
    job = await asking.ask(ask, scene.id, STAGE)
    if not job.answered:
        raise WeighingError(job.why or "it was not answered")
    if found := read_weights(job.text, of):
        return found, job
    why = job.why or "its answer holds no weights: try again, or another model"
    asking.give_back(job, why)
    raise WeighingError(why)


def read_weights(text: str, asked: Sequence[int]) -> dict[int, int]:
    """The weights in an answer, of the lines requested; all but integers from 1 to 999 are ignored."""
    known = {_id(place): place for place in asked}
    found: dict[int, int] = {}
    for element in read_answer(text):
        named, value = element.get("id"), element.get("salience")
        if not isinstance(named, str) or named not in known or known[named] in found:
            continue
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < SALIENCE:
            found[known[named]] = value
    return found


def _id(place: int) -> str:
    return f"e{place + 1:02d}"
