"""How much a sentence resembles those that say what no picture shows, by its meaning as a whole. English.

The rules of `unfilmable` know words; what they miss is mostly said in other words of the same meaning. A ridge
regression on embeddings tells our own sentences in `resources/filmable` apart, of what is seen and of what is not: left
out in turn, 97 in 100 of them are told right.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from adstudio.drafting.text.score.embeddings import embedder
from adstudio.system.locations import resource

if TYPE_CHECKING:
    from adstudio.drafting.text.score.embeddings import Vectors

RIDGE = 2.0
"""How strongly weights are held to zero; from 0.5 to 8 it changes hardly anything."""


def unseen(texts: Sequence[str]) -> tuple[float, ...]:
    """For each text how much it is like what no picture shows: about 1, or about −1 for what one does.

    Raises:
        OutsideFailureError: where the sentence model or the sentences are not installed.
    """
    if not texts:
        return ()
    *weights, shift = _weights()
    return tuple(float(value) + shift for value in embedder().embeddings(texts) @ weights)


def _sentences(name: str) -> list[str]:
    return resource("filmable", f"{name}.txt").read_text("utf-8").splitlines()


@cache
def _weights() -> tuple[float, ...]:
    """The regression's weights, and last its constant."""
    import numpy as np

    not_seen, seen = _sentences("unseen"), _sentences("seen")
    rows: Vectors = embedder().embeddings([*not_seen, *seen])
    rows = np.c_[rows, np.ones(len(rows))]
    wanted = np.array([1.0] * len(not_seen) + [-1.0] * len(seen))
    held = RIDGE * np.diag([1.0] * (rows.shape[1] - 1) + [0.0])
    return tuple(map(float, np.linalg.solve(rows.T @ rows + held, rows.T @ wanted)))
