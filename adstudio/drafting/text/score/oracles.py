"""Oracles: salience with the answer at hand, to see what better salience could bring (paper, section 3).

An element is as salient as the reference line that is nearest to it. Each scene has its own reference lines, those of
every reference together; a scene without any scores 0 throughout. For evaluation only.
"""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.drafting.text.score.bm25 import matcher
from adstudio.drafting.text.score.embeddings import Encoder
from adstudio.drafting.text.score.scene_text import SceneText, Scores
from adstudio.drafting.text.score.terms import terms

Reference = Sequence[Sequence[str]]
"""For each scene, the lines that professional describers spoke in it."""


def bm25_oracle_scores(scenes: Sequence[SceneText], reference: Reference) -> Scores:
    """The highest BM25 of the element (the query) and a line of its scene; the documents are all lines of the film."""
    score = matcher([terms(line) for lines in reference for line in lines])
    found: list[tuple[float, ...]] = []
    first = 0
    for scene, lines in zip(scenes, reference, strict=True):
        mine = slice(first, first + len(lines))
        found.append(tuple(float(score(terms(text))[mine].max(initial=0.0)) for text in scene.elements))
        first += len(lines)
    return tuple(found)


def embedding_oracle_scores(scenes: Sequence[SceneText], reference: Reference, encoder: Encoder) -> Scores:
    """The highest cosine of the element and a line of its scene; not below 0."""
    found: list[tuple[float, ...]] = []
    for scene, lines in zip(scenes, reference, strict=True):
        cosines = encoder.embeddings(scene.elements) @ encoder.embeddings(lines).T
        found.append(tuple(float(row.max(initial=0.0)) for row in cosines))
    return tuple(found)
