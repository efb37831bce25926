"""Random salience: the paper's floor."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from adstudio.drafting.text.score.scene_text import SceneText, Scores


def random_scores(scenes: Sequence[SceneText], seed: int) -> Scores:
    """Uniform in [0, 1) (paper, section 3). A scene's numbers depend on the seed and its place only."""
    return tuple(_uniform(len(scene.elements), f"{seed}/{place}") for place, scene in enumerate(scenes))


def _uniform(count: int, seed: str) -> tuple[float, ...]:
    source = Random(seed)  # noqa: S311 - a baseline is to be repeatable, not secret
    return tuple(source.random() for _ in range(count))
