"""Salience where no model is asked: the mean of three views of how much the story would lose without an element.

Each part sees its scene's elements in order of rank, so that no part's scale outvotes another's; the blend is the mean
of the ranks and lies inside (0, 1). Tried against the saliences given by hand for the sample and left out: deletion
(no better with it, at five times the time), BM25 (it hardly agrees), being unlike all that came before (it favours
asides), length, the kind of verb, and who acts. `tests/bench/salience.py` prints the figures.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from adstudio.core.errors import OutsideFailureError
from adstudio.core.words import folded, words
from adstudio.drafting.text.score.embeddings import Encoder

_ON_SCREEN = re.compile(
    r"\b(?:reads|signs?|label(?:s|led)?|marked|titles?|titled|captions?|headlines?|inscription|written|words appear)\b"
    r"|\bsays:|[“”\"]",
    re.IGNORECASE,
)


Scores = tuple[tuple[float, ...], ...]
"""For each scene, one finite number for each of its elements."""
OnScenesDone = Callable[[int, int], None]
"""Called as work goes on: scenes done, scenes in all."""


@dataclass(frozen=True)
class SceneText:
    """A scene's description elements as sentences, in textual order, and its whole description.

    Where there is no description, the elements one after another stand for it.
    """

    elements: tuple[str, ...]
    text: str = ""

    @property
    def description(self) -> str:
        """The whole scene as one text."""
        return self.text.strip() or " ".join(self.elements)


def no_progress(_done: int, _total: int) -> None:
    """Reports nothing."""


def blend_scores(
    scenes: Sequence[SceneText], encoder: Encoder, language: str, on_scenes_done: OnScenesDone = no_progress
) -> Scores:
    """For each element the mean of its ranks in the scene by the `parts`, inside (0, 1)."""
    return blended(parts(scenes, encoder, language, on_scenes_done), scenes)


def blended(views: Mapping[str, Scores], scenes: Sequence[SceneText]) -> Scores:
    """The mean of the ranks that parts give, scene by scene."""
    return tuple(_mean([ranks(scores[place]) for scores in views.values()]) for place in range(len(scenes)))


def parts(
    scenes: Sequence[SceneText], encoder: Encoder, language: str, on_scenes_done: OnScenesDone = no_progress
) -> Mapping[str, Scores]:
    """What is blended, by name.

    - the middle of the scene (`central`): what the scene is about comes before asides;
    - what the film comes back to (`returning`): names, and things that matter more than once;
    - words on the screen (`on_screen`): describers read them out, whatever else there is.

    The last two know English only; in another language the first stands alone.
    """
    found = {"middle": central(scenes, encoder, on_scenes_done)}
    if language.lower().split("-")[0] == "en":
        found |= {"returning": returning(scenes), "on screen": on_screen(scenes)}
    return found


def central(scenes: Sequence[SceneText], encoder: Encoder, on_scenes_done: OnScenesDone = no_progress) -> Scores:
    """The cosine of the element and the mean of its scene's elements, so that a long one does not count for more."""
    found: list[tuple[float, ...]] = []
    for scene in scenes:
        vectors = encoder.embeddings(scene.elements)
        middle = vectors.sum(axis=0)
        length = float(math.sqrt(middle @ middle)) or 1.0
        found.append(tuple(float(cosine) / length for cosine in vectors @ middle))
        on_scenes_done(len(found), len(scenes))
    return tuple(found)


def returning(scenes: Sequence[SceneText]) -> Scores:
    """The mean over the element's words of ln(how many elements of the film have that word)."""
    words = [[sorted(set(terms(text))) for text in scene.elements] for scene in scenes]
    count = Counter(word for scene in words for element in scene for word in element)
    return tuple(
        tuple(sum(math.log(count[word]) for word in element) / max(1, len(element)) for element in scene)
        for scene in words
    )


def on_screen(scenes: Sequence[SceneText]) -> Scores:
    """1 if the element describes writing (a sign, a letter, a title, words in quotation marks), else 0."""
    return tuple(tuple(float(bool(_ON_SCREEN.search(text))) for text in scene.elements) for scene in scenes)


def ranks(values: Sequence[float]) -> tuple[float, ...]:
    """Each value's rank as a share of all, inside (0, 1): of n values the least gets ½/n; equal ones share.

    Values that differ by less than a millionth are equal.
    """
    near = [round(value, 6) for value in values]
    count, below, first = Counter(near), 0, dict[float, float]()
    for value in sorted(count):
        first[value] = (below + count[value] / 2) / len(near)
        below += count[value]
    return tuple(first[value] for value in near)


def _mean(parts: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(sum(shares) / len(parts) for shares in zip(*parts, strict=True))


_POSSESSIVE = re.compile(r"['\u2019]s?\Z")
_OUTSIDE = re.compile(r"^\W+|\W+$")


def terms(text: str) -> list[str]:
    """The words that carry meaning, in order, repetitions included: “Nora's wet coat.” gives nora, wet, coat."""
    found = (_POSSESSIVE.sub("", _OUTSIDE.sub("", folded(word))) for word in words(text))
    return [word for word in found if word and word not in _function_words()]


@cache
def _function_words() -> frozenset[str]:
    # The list that bm25s carries; “no” and “not” change what happens and stay.
    try:
        known: tuple[str, ...] = import_module("bm25s.stopwords").STOPWORDS_EN_PLUS
    except ImportError as error:
        raise OutsideFailureError(
            "the package for word matching (bm25s) is not installed: run packaging/setup.sh again"
        ) from error
    return frozenset(known) - {"no", "not", "nor"}
