"""Other ways to give salience, which the blend is compared with: the paper's baselines and oracles, and deletion.

Oracles have the answer at hand, to see what better salience could bring (paper, section 3): an element is as salient as
the reference line that is nearest to it. Each scene has its own reference lines, those of every reference together; a
scene without any scores 0 throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from adstudio.drafting.ablation import SalienceMethod
from adstudio.drafting.text.score.blend import blend_scores
from adstudio.drafting.text.score.embeddings import DIMENSIONS, Encoder, embedder
from adstudio.drafting.text.score.views import SceneText, Scores, terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1, B = 1.5, 0.75
REACH = 1
"""Elements before and after that are read together with one, where it is left out."""

Reference = Sequence[Sequence[str]]
"""For each scene, the lines that professional describers spoke in it."""


def scores_by(
    method: SalienceMethod,
    scenes: Sequence[SceneText],
    *,
    seed: int = 0,
    language: str = "en",
    reference: Reference = (),
    encoder: Encoder | None = None,
) -> Scores:
    """The saliences by the method of that name; `encoder` is the program's own where none is given.

    Raises:
        OutsideFailureError: where the model of the embeddings, or the list of function words, is not installed.
    """
    methods: dict[SalienceMethod, Callable[[], Scores]] = {
        "random": lambda: random_scores(scenes, seed),
        "bm25": lambda: bm25_scores(scenes),
        "embedding": lambda: embedding_scores(scenes, encoder or embedder()),
        "deletion": lambda: deletion_scores(scenes, encoder or embedder()),
        "blend": lambda: blend_scores(scenes, encoder or embedder(), language),
        "oracle-bm25": lambda: bm25_oracle_scores(scenes, reference),
        "oracle-embedding": lambda: embedding_oracle_scores(scenes, reference, encoder or embedder()),
    }
    return methods[method]()


class RememberingEncoder:
    """The program's encoder, for several methods in turn: a text is read once."""

    def __init__(self) -> None:
        self._rows: dict[str, NDArray[np.float64]] = {}

    def embeddings(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """As the encoder's."""
        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        self._rows.update(zip(new, embedder().embeddings(new), strict=True))
        return np.array([self._rows[text] for text in texts]).reshape(len(texts), DIMENSIONS)


def bm25_scores(scenes: Sequence[SceneText]) -> Scores:
    """The paper's BM25: “the lexical overlap between the element and the scene description”.

    The documents are the scene descriptions of the film, the query is the element, its score that of its own scene:
    the sum over its words (each as often as it says it) of idf · tf / (tf + k1 (1 − b + b · length / mean length)),
    with idf = ln(1 + (N − n + ½) / (n + ½)), k1 = 1.5 and b = 0.75. It is not divided by the element's length and
    not normalised, as in the paper; function words do not count.
    """
    score = matcher([terms(scene.description) for scene in scenes])
    return tuple(
        tuple(float(score(terms(text))[place]) for text in scene.elements) for place, scene in enumerate(scenes)
    )


def matcher(documents: Sequence[Sequence[str]]) -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """A function that gives a query's BM25 against each document."""
    nothing = np.zeros(len(documents))
    if not any(documents):
        return lambda _query: nothing
    bm25s: Any = import_module("bm25s")  # which comes without types
    index = bm25s.BM25(k1=K1, b=B, method="lucene", dtype="float64")
    index.index([list(document) for document in documents], show_progress=False)
    return lambda query: index.get_scores(list(query)) if query else nothing


def deletion_scores(scenes: Sequence[SceneText], encoder: Encoder) -> Scores:
    """1 − the cosine of the story with the element and without it, from 0 to 2.

    The story is the element with its neighbours in the scene. A whole scene is more than the model reads at once, and
    in the mean of so many words one element's going is noise: against the sample's saliences given by hand, whole
    scenes correlated at −0.05 and three elements at +0.22.
    """
    return tuple(_of_scene(scene.elements, encoder) for scene in scenes)


def _of_scene(elements: Sequence[str], encoder: Encoder) -> tuple[float, ...]:
    before = [elements[max(0, i - REACH) : i] for i in range(len(elements))]
    after = [elements[i + 1 : i + 1 + REACH] for i in range(len(elements))]
    full = [" ".join((*b, element, *a)) for b, element, a in zip(before, elements, after, strict=True)]
    without = [" ".join((*b, *a)) for b, a in zip(before, after, strict=True)]
    vectors = encoder.embeddings([*full, *without])
    return tuple(float(1 - vectors[i] @ vectors[i + len(full)]) for i in range(len(full)))


def embedding_scores(scenes: Sequence[SceneText], encoder: Encoder) -> Scores:
    """The paper's “Embedding text”: the cosine of the element and the full scene description, from −1 to 1."""
    found: list[tuple[float, ...]] = []
    for scene in scenes:
        *elements, whole = encoder.embeddings([*scene.elements, scene.description])
        found.append(tuple(float(element @ whole) for element in elements))
    return tuple(found)


def random_scores(scenes: Sequence[SceneText], seed: int) -> Scores:
    """Uniform in [0, 1) (paper, section 3). A scene's numbers depend on the seed and its place only."""
    return tuple(_uniform(len(scene.elements), f"{seed}/{place}") for place, scene in enumerate(scenes))


def _uniform(count: int, seed: str) -> tuple[float, ...]:
    source = Random(seed)  # noqa: S311 - it must be repeatable, not secret
    return tuple(source.random() for _ in range(count))


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
