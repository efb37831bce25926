"""The replaceable stages from a text to candidates, without a network: segmenting, compressing and weighing.

A test puts in others of the same form. Results are cached by a stage's name, so different ones need different names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adstudio.core.language_tags import primary_subtag
from adstudio.drafting.text.stage_cache import code_of

if TYPE_CHECKING:
    from adstudio.core.script import Cue
    from adstudio.drafting.text.compress.shorten import Compression
    from adstudio.drafting.text.ground.evidence import Grounding, Seen
    from adstudio.drafting.text.ground.placing import Placed
    from adstudio.drafting.text.score.views import SceneText, Scores
    from adstudio.drafting.text.segment.elements import Element
    from adstudio.drafting.text.wording.scene_wording import SceneLines, Worded

_TEXT = ("adstudio.core.words", "adstudio.characters.name_lists", "adstudio.drafting.text.language")


class Segmenter:
    """Cuts sentences at clauses by their grammar."""

    @property
    def name(self) -> str:
        """The code it is made of."""
        return f"clauses {code_of('adstudio.drafting.text.segment', *_TEXT)}"

    def elements(
        self, descriptions: Sequence[str], language: str, names: Collection[str]
    ) -> tuple[tuple[Element, ...], ...]:
        """The elements of each description, in the order of the text."""
        from adstudio.drafting.text.segment.elements import elements_of

        return elements_of(descriptions, language=language, names=names)


class Worder:
    """Words lines as a describer says them, by rules of English grammar."""

    @property
    def name(self) -> str:
        """The code it is made of."""
        faults = ("line_faults", "fragments", "sounds_alone", "unfilmable", "filmable", "wording_certainty")
        modules = [f"adstudio.drafting.text.{each}" for each in ("wording", *faults, "segment", "score.embeddings")]
        return f"rules {code_of(*modules, *_TEXT, data='filmable')}"

    def worded(self, scenes: Sequence[SceneLines], language: str, names: Collection[str]) -> tuple[Worded, ...]:
        """Each scene with its lines as they are said."""
        from adstudio.drafting.text.wording.scene_wording import worded_scenes

        return worded_scenes(scenes, language=language, names=names)


class Compressor:
    """Shortens wordings by an exact optimum over each sentence's dependencies."""

    @property
    def name(self) -> str:
        """The code it is made of."""
        return f"dependencies {code_of('adstudio.drafting.text.compress', *_TEXT)}"

    def compressions(
        self, texts: Sequence[str], language: str, names: Collection[str], film: Sequence[str]
    ) -> tuple[tuple[Compression, ...], ...]:
        """For each text its compressions by falling rate; a rate that cannot be reached is left out.

        `film` are the film's descriptions that mention a colour, in order: they say which colours must stay.
        """
        from adstudio.drafting.text.compress.shorten import compressions

        return compressions(texts, language=language, names=names, film=film)


class Weigher:
    """Gives salience: the mean of the ranks that each line has in three views of its scene."""

    @property
    def name(self) -> str:
        """The code it is made of."""
        return f"blend {code_of('adstudio.drafting.text.score', *_TEXT)}"

    def scores(self, scenes: Sequence[SceneText], language: str, on_scenes_done: Callable[[int, int], None]) -> Scores:
        """One finite number for each element of each scene; `on_scenes_done` gets the scenes done and in all."""
        from adstudio.drafting.text.score.blend import blend_scores
        from adstudio.drafting.text.score.embeddings import embedder

        return blend_scores(scenes, embedder(), language, on_scenes_done)


class Placer:
    """Lays prose along the film by order, by its times, and by what it has in common with what is said."""

    @property
    def name(self) -> str:
        """The code it is made of."""
        return f"path {code_of('adstudio.drafting.text.ground', 'adstudio.drafting.text.score.embeddings', *_TEXT)}"

    def groundings(
        self, elements: Sequence[Placed], seen: Seen, cues: Sequence[Cue], language: str
    ) -> Sequence[Grounding]:
        """The grounding of each element; meaning is compared in English only, words in any language."""
        from adstudio.drafting.text.ground.placing import placed
        from adstudio.drafting.text.score.embeddings import embedder

        english = primary_subtag(language) == "en"
        return placed(elements, seen, cues, embedder().embeddings if english else None)


@dataclass(frozen=True)
class Stages:
    """Who does what."""

    segmenter: Segmenter = field(default_factory=Segmenter)
    worder: Worder = field(default_factory=Worder)
    compressor: Compressor = field(default_factory=Compressor)
    weigher: Weigher = field(default_factory=Weigher)
    placer: Placer = field(default_factory=Placer)
