"""BM25: how far an element's words are the words of its scene's description."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from adstudio.core.errors import OutsideFailureError
from adstudio.drafting.text.score.scene_text import SceneText, Scores
from adstudio.drafting.text.score.terms import MISSING, terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

K1, B = 1.5, 0.75


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
    """A function that gives a query's BM25 against each document.

    Raises:
        OutsideFailureError: where bm25s is not installed.
    """
    import numpy as np

    nothing = np.zeros(len(documents))
    if not any(documents):
        return lambda _query: nothing
    try:
        library: Any = import_module("bm25s")
    except ImportError as error:
        raise OutsideFailureError(MISSING) from error
    index = library.BM25(k1=K1, b=B, method="lucene", dtype="float64")
    index.index([list(document) for document in documents], show_progress=False)
    return lambda query: index.get_scores(list(query)) if query else nothing
