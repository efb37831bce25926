"""Ways to give salience, by name: what the command line and the editor offer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from adstudio.core.errors import BadInputError
from adstudio.drafting.candidates_file.element import LARGEST_SALIENCE
from adstudio.drafting.text.score.blend import blend_scores
from adstudio.drafting.text.score.bm25 import bm25_scores
from adstudio.drafting.text.score.deletion import deletion_scores
from adstudio.drafting.text.score.embedding import embedding_scores
from adstudio.drafting.text.score.embeddings import embedder
from adstudio.drafting.text.score.oracles import Reference, bm25_oracle_scores, embedding_oracle_scores
from adstudio.drafting.text.score.random_baseline import random_scores
from adstudio.drafting.text.score.scene_text import OnScenesDone, SceneText, Scores, no_progress

DEFAULT = "blend"
"""What is used where nobody chose."""
SUMMARIES = {
    "blend": "The scene’s topic, recurring names and things, and on-screen text, weighted equally",
    "deletion": "How much the meaning of the surrounding lines changes without a line",
    "embedding": "How close a line’s meaning is to that of the whole scene",
    "bm25": "How many of a line’s words are also in the scene’s description",
    "random": "Random, as a baseline",
}
"""One-line summaries, in the order in which the methods are offered."""
ORACLES = ("bm25_oracle", "embedding_oracle")
"""Against a reference description: for evaluation, never offered for a draft."""


class Scorer(Protocol):
    """A way to give salience."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def scores(self, scenes: Sequence[SceneText]) -> Scores:
        """One finite number for each element, |σ| ≤ 10⁴. All scenes of the film are given: some ways look at all."""
        ...


@dataclass(frozen=True)
class Way:
    """A scorer that works its numbers out from the texts."""

    name: str
    work: Callable[[Sequence[SceneText]], Scores]

    def scores(self, scenes: Sequence[SceneText]) -> Scores:
        """See `Scorer`."""
        return self.work(scenes)


@dataclass(frozen=True)
class Given:
    """A scorer whose numbers came from outside, a model's or a describer's.

    Raises, when asked for scores:
        BadInputError: where the numbers are not one finite number for each element, |σ| ≤ 10⁴.
    """

    name: str
    numbers: Scores

    def scores(self, scenes: Sequence[SceneText]) -> Scores:
        """See `Scorer`."""
        if [len(scene.elements) for scene in scenes] != [len(scene) for scene in self.numbers]:
            raise BadInputError(f"{self.name} did not return one salience per line: request them again")
        if not all(math.isfinite(n) and abs(n) <= LARGEST_SALIENCE for scene in self.numbers for n in scene):
            raise BadInputError(
                f"{self.name} returned a salience that is not a number from −10,000 to 10,000: request them again"
            )
        return self.numbers


def scorer(
    name: str = DEFAULT,
    *,
    seed: int = 0,
    language: str = "en",
    reference: Reference | None = None,
    on_scenes_done: OnScenesDone = no_progress,
) -> Scorer:
    """A way to give salience by its name. `reference`, a scene's lines for each scene, is for the oracles.

    Raises:
        BadInputError: where there is no way of that name, or an oracle has no reference.
        OutsideFailureError: where it needs the sentence model and that is not installed; never something else instead.
    """
    if name in ORACLES:
        return _oracle(name, reference)
    if name == "random":
        return Way(name, lambda scenes: random_scores(scenes, seed))
    if name == "bm25":
        return Way(name, bm25_scores)
    if name not in SUMMARIES:
        raise BadInputError(f"there is no salience method “{name}”: choose one of {', '.join(SUMMARIES)}")
    encoder = embedder()
    if name == "embedding":
        return Way(name, lambda scenes: embedding_scores(scenes, encoder, on_scenes_done))
    if name == "deletion":
        return Way(name, lambda scenes: deletion_scores(scenes, encoder, on_scenes_done))
    return Way(name, lambda scenes: blend_scores(scenes, encoder, language, on_scenes_done))


def _oracle(name: str, reference: Reference | None) -> Scorer:
    if reference is None:
        raise BadInputError(f"the salience method “{name}” needs a reference description to compare with")
    if name == "bm25_oracle":
        return Way(name, lambda scenes: bm25_oracle_scores(scenes, reference))
    encoder = embedder()
    return Way(name, lambda scenes: embedding_oracle_scores(scenes, reference, encoder))
