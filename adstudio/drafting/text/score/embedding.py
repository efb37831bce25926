"""Embedding text: how near an element's meaning is to that of the whole scene."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.drafting.text.score.embeddings import Encoder
from adstudio.drafting.text.score.scene_text import OnScenesDone, SceneText, Scores, no_progress


def embedding_scores(
    scenes: Sequence[SceneText], encoder: Encoder, on_scenes_done: OnScenesDone = no_progress
) -> Scores:
    """The paper's “Embedding text”: the cosine of the element and the full scene description, from −1 to 1."""
    found: list[tuple[float, ...]] = []
    for scene in scenes:
        *elements, whole = encoder.embeddings([*scene.elements, scene.description])
        found.append(tuple(float(element @ whole) for element in elements))
        on_scenes_done(len(found), len(scenes))
    return tuple(found)
