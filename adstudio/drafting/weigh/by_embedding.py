"""Saliences from a server's embeddings, as in the paper: how near a line is to its scene as a whole.

“Embedding text” is the cosine of a line and the full description of its scene, “Embedding video” that of a line and the
scene's clip, which a model embeds natively as a whole. They are used as they are, not ranked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adstudio.core.errors import OutsideFailureError
from adstudio.core.script import SALIENCE_UNIT
from adstudio.drafting.model.client import Asking
from adstudio.drafting.model.context import plain
from adstudio.drafting.model.request_store import Job, JobState
from adstudio.drafting.weigh.scene import SceneWeights, Shown, WeighedScene, WeighingError
from adstudio.llm.embedding_format import LINE, from_text
from adstudio.llm.faults import GarbledError
from adstudio.llm.messages import Clip, Limits, Part, Request, Text, scene_key, user
from adstudio.llm.openai_protocol import INSTRUCTION

if TYPE_CHECKING:
    from adstudio.llm.embedding_format import Vectors

AT_ONCE = 16
"""Texts of one request: at 8,192 numbers each, the answer just fits into the request store."""
NOTHING = "…"
"""In place of a text without words, which servers reject."""


def embedding(things: Sequence[Part], scene: str, instruction: str = "") -> Request:
    """The request for embeddings; with an instruction, texts are embedded like clips."""
    return Request(
        system=instruction,
        messages=tuple(map(user, things)),
        limits=Limits(tokens=1, characters=(LINE + 1) * len(things)),
        scene=scene_key(scene),
    )


async def weigh_by_text(scene: WeighedScene, asking: Asking) -> SceneWeights:
    """Each line's cosine with its scene's description, in millionths, from −1 to 1.

    Raises:
        WeighingError: where an embedding did not come.
        StoppedError, HaltedError: as asking does.
    """
    jobs: list[Job] = []
    lines = await _of_lines(scene, asking, jobs)
    (whole,) = await _embedded([_text(scene.description)], scene, asking, jobs)
    found = {each.id: _millionths(vector, whole) for each, vector in zip(scene.lines, lines, strict=True)}
    return SceneWeights(found, tuple(jobs))


async def weigh_by_video(scene: WeighedScene, asking: Asking) -> SceneWeights:
    """Each line's cosine with its scene's clip, in millionths; in a long scene, with the part in which it happens.

    Raises:
        WeighingError: where an embedding did not come, or the scene has no clip.
        StoppedError, HaltedError: as asking does.
    """
    if not scene.shown:
        raise WeighingError("there is no clip of it")
    # One instruction for both: embeddings made in different ways cannot be compared.
    jobs: list[Job] = []
    lines = await _of_lines(scene, asking, jobs, INSTRUCTION)
    clips = [(await _embedded([_clip(part)], scene, asking, jobs, INSTRUCTION))[0] for part in scene.shown]
    found = {
        each.id: _millionths(vector, clips[_part_of(each.middle, scene.shown)])
        for each, vector in zip(scene.lines, lines, strict=True)
    }
    return SceneWeights(found, tuple(jobs))


async def _of_lines(scene: WeighedScene, asking: Asking, jobs: list[Job], instruction: str = "") -> list[Vectors]:
    found: list[Vectors] = []
    for first in range(0, len(scene.lines), AT_ONCE):
        texts = [_text(line.text) for line in scene.lines[first : first + AT_ONCE]]
        found += list(await _embedded(texts, scene, asking, jobs, instruction))
    return found


async def _embedded(
    things: Sequence[Part], scene: WeighedScene, asking: Asking, jobs: list[Job], instruction: str = ""
) -> Vectors:
    """The embeddings; the job that brought them is added to `jobs`."""
    job = await asking.ask(embedding(things, scene.id, instruction), scene.id, "embed")
    if job.state is not JobState.DONE:
        raise WeighingError(job.why or "its embeddings did not come")
    try:
        vectors = from_text(job.text)
    except GarbledError as error:
        raise WeighingError(str(error)) from None
    if len(vectors) != len(things):
        raise WeighingError("its embeddings that were kept are not those of its lines: ask for them again")
    jobs.append(job)
    return vectors


def _clip(part: Shown) -> Clip:
    try:
        return Clip(part.read())
    except OutsideFailureError as error:
        raise WeighingError(str(error)) from None


def _text(text: str) -> Text:
    return Text(plain(text) or NOTHING)


def _part_of(middle: int, shown: Sequence[Shown]) -> int:
    """The index of the part in which something happens, or of the nearest, by twice its middle."""
    return min(
        range(len(shown)),
        key=lambda place: max(2 * shown[place].span.start - middle, middle - 2 * shown[place].span.end, 0),
    )


def _millionths(one: Vectors, other: Vectors) -> int:
    if one.shape != other.shape:
        raise WeighingError("the server changed its model: its embeddings are of different lengths")
    return round(max(-1.0, min(1.0, float(one @ other))) * SALIENCE_UNIT)
