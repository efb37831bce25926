"""Views of a scene's elements, each a number for every element: what the blend of salience is made of."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain

from adstudio.core.errors import OutsideFailureError
from adstudio.core.language_tags import primary_subtag
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.core.words import folded, words
from adstudio.drafting.text.score.embeddings import Encoder

_ON_SCREEN = re.compile(
    r"\b(?:reads|signs?|label(?:s|led)?|marked|titles?|titled|captions?|headlines?|inscription|written|words appear)\b"
    r"|\bsays:|[“”\"]",
    re.IGNORECASE,
)


_LISTS = {"en": "STOPWORDS_EN_PLUS", "de": "STOPWORDS_GERMAN", "fr": "STOPWORDS_FRENCH", "es": "STOPWORDS_SPANISH"}
_NEGATIONS = frozenset(("no", "not", "nor", "nicht", "kein", "keine", "keinen", "keiner", "nie", "pas", "ni", "nunca"))
_POINTING = {
    "en": re.compile(r"\b(?:th(?:is|at|[eo]se|ere)|here|who|what|where|look|see|is it you|it is you)\b", re.IGNORECASE),
    "de": re.compile(r"\b(?:da|dort|hier|dies\w*|wer|wo|schau|sieh|guck)\b", re.IGNORECASE),
    "fr": re.compile(r"(?<!\w)(?:là|ici|ça|ceci|cela|quoi|où|qui est-ce|regarde\w*)\b", re.IGNORECASE),
    "es": re.compile(r"\b(?:est[eoa]|es[eoa]|aquí|ahí|allí|quién|qué|dónde|mira)\b", re.IGNORECASE),
}
POINTING_WORDS = 12
"""A cue of more words mostly says itself what it is about."""
NEAR_MS = 1_500
"""What is said so soon before or after an action belongs to it."""

Scores = tuple[tuple[float, ...], ...]
"""For each scene, one finite number for each of its elements."""
OnScenesDone = Callable[[int, int], None]
"""Called as work goes on: scenes done, scenes in all."""


@dataclass(frozen=True)
class SceneText:
    """A scene's description elements as sentences, in textual order, and its whole description.

    Where there is no description, the elements one after another stand for it. `dialogue` is what is said at the time
    of each element (`NEAR_MS`); it is empty where no times are known.
    """

    elements: tuple[str, ...]
    text: str = ""
    dialogue: tuple[tuple[str, ...], ...] = ()

    @property
    def description(self) -> str:
        """The whole scene as one text."""
        return self.text.strip() or " ".join(self.elements)


def no_progress(_done: int, _total: int) -> None:
    """Reports nothing."""


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


def returning(scenes: Sequence[SceneText], language: str) -> Scores:
    """The mean over the element's words of ln(how many elements of the film have that word)."""
    scene_words = _scene_words(scenes, language)
    count = Counter(word for scene in scene_words for element in scene for word in element)
    return tuple(
        tuple(sum(math.log(count[word]) for word in element) / max(1, len(element)) for element in scene)
        for scene in scene_words
    )


def in_other_scenes(scenes: Sequence[SceneText], language: str) -> Scores:
    """ln(1 + how many other scenes have it too) for that word of the element of which it is most."""
    scene_words = _scene_words(scenes, language)
    count = Counter(word for scene in scene_words for word in set(chain.from_iterable(scene)))
    return tuple(
        tuple(max((math.log(count[word]) for word in element), default=0.0) for element in scene)
        for scene in scene_words
    )


def first_sight(scenes: Sequence[SceneText], language: str) -> Scores:
    """ln(how many elements of the film have it) for that word of which it is most, of those that come first here."""
    scene_words = _scene_words(scenes, language)
    count = Counter(word for scene in scene_words for element in scene for word in element)
    met: set[str] = set()
    found: list[tuple[float, ...]] = []
    for scene in scene_words:
        row: list[float] = []
        for element in scene:
            row.append(max((math.log(count[word]) for word in element if word not in met), default=0.0))
            met.update(element)
        found.append(tuple(row))
    return tuple(found)


def _scene_words(scenes: Sequence[SceneText], language: str) -> list[list[list[str]]]:
    return [[sorted(set(terms(text, language))) for text in scene.elements] for scene in scenes]


def on_screen(scenes: Sequence[SceneText]) -> Scores:
    """1 if the element describes writing (a sign, a letter, a title, words in quotation marks), else 0."""
    return tuple(tuple(float(bool(_ON_SCREEN.search(text))) for text in scene.elements) for scene in scenes)


def pointed_at(scenes: Sequence[SceneText], language: str) -> Scores:
    """1 if a short cue at the element's time points at something (“What's that?”, “Look!”), else 0."""
    pattern = _POINTING[primary_subtag(language)]
    return tuple(
        tuple(float(any(_points(cue, pattern) for cue in cues)) for cues in _dialogue(scene)) for scene in scenes
    )


def _points(cue: str, pattern: re.Pattern[str]) -> bool:
    return len(cue.split()) <= POINTING_WORDS and bool(pattern.search(cue))


def given_away(scenes: Sequence[SceneText], encoder: Encoder) -> Scores:
    """Minus the cosine of the element and what is said at its time, so that the most alike counts least; else 0."""
    found: list[tuple[float, ...]] = []
    for scene in scenes:
        said = [" ".join(cues) for cues in _dialogue(scene)]
        spoken_at = [place for place, text in enumerate(said) if text]
        row = [0.0] * len(scene.elements)
        if spoken_at:
            elements = encoder.embeddings([scene.elements[place] for place in spoken_at])
            dialogue = encoder.embeddings([said[place] for place in spoken_at])
            for place, element, cues in zip(spoken_at, elements, dialogue, strict=True):
                row[place] = -float(element @ cues)
        found.append(tuple(row))
    return tuple(found)


def _dialogue(scene: SceneText) -> Sequence[tuple[str, ...]]:
    return scene.dialogue or [()] * len(scene.elements)


def dialogue_near(occurrences: Sequence[Span | None], cues: Sequence[Cue]) -> tuple[tuple[str, ...], ...]:
    """For each occurrence, the texts of the cues of speech that are at most `NEAR_MS` from it."""
    speech = [cue for cue in cues if cue.kind is CueKind.SPEECH and cue.text.strip()]
    return tuple(
        ()
        if at is None
        else tuple(cue.text for cue in speech if cue.start < at.end + NEAR_MS and cue.end > at.start - NEAR_MS)
        for at in occurrences
    )


_POSSESSIVE = re.compile(r"['\u2019]s?\Z")
_OUTSIDE = re.compile(r"^\W+|\W+$")


def terms(text: str, language: str = "en") -> list[str]:
    """The words that carry meaning, in order, repetitions included: “Nora's wet coat.” gives nora, wet, coat.

    Of a language whose function words are not known (`knows_words`) all words are taken.
    """
    found = (_POSSESSIVE.sub("", _OUTSIDE.sub("", folded(word))) for word in words(text))
    ignored = _function_words(primary_subtag(language))
    return [word for word in found if word and word not in ignored]


def knows_words(language: str) -> bool:
    """Whether function words, and the words that point at something, are known of a language."""
    return primary_subtag(language) in _POINTING


@cache
def _function_words(language: str) -> frozenset[str]:
    name = _LISTS.get(language)
    if name is None:
        return frozenset()
    # The lists that bm25s carries; what negates changes what happens and stays.
    try:
        known: tuple[str, ...] = getattr(import_module("bm25s.stopwords"), name)
    except ImportError as error:
        raise OutsideFailureError(
            "the package for word matching (bm25s) is not installed: run packaging/setup.sh again"
        ) from error
    return frozenset(map(folded, known)) - _NEGATIONS
