"""The stages from a text to candidates, each of which can be another's: ours without a network, or a model's."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from adstudio.drafting.text.stage_cache import code_of

if TYPE_CHECKING:
    from adstudio.drafting.text.compress.shorten import Compression
    from adstudio.drafting.text.score.blend import SceneText, Scores
    from adstudio.drafting.text.segment.elements import Element

_TEXT = ("adstudio.core.words", "adstudio.drafting.text.language")


class Segmenter(Protocol):
    """Cuts descriptions into elements."""

    @property
    def name(self) -> str:
        """What made a result: a kept one of another name is never taken for it."""
        ...

    def elements(
        self, descriptions: Sequence[str], language: str, names: Collection[str]
    ) -> tuple[tuple[Element, ...], ...]:
        """The elements of each description, in the order of the text."""
        ...


class Compressor(Protocol):
    """Shortens wordings."""

    @property
    def name(self) -> str:
        """As `Segmenter.name`."""
        ...

    def compressions(
        self, texts: Sequence[str], language: str, names: Collection[str]
    ) -> tuple[tuple[Compression, ...], ...]:
        """For each text its compressions by falling rate; a rate that cannot be had is left out."""
        ...


class Weigher(Protocol):
    """Gives salience."""

    @property
    def name(self) -> str:
        """As `Segmenter.name`."""
        ...

    def scores(self, scenes: Sequence[SceneText], language: str, on_scenes_done: Callable[[int, int], None]) -> Scores:
        """One finite number for each element of each scene; `on_scenes_done` hears of scenes done and in all."""
        ...


@dataclass(frozen=True)
class Clauses:
    """Ours: sentences cut at clauses by their grammar."""

    @property
    def name(self) -> str:
        """The code it is made of."""
        return f"clauses {code_of('adstudio.drafting.text.segment', *_TEXT)}"

    def elements(
        self, descriptions: Sequence[str], language: str, names: Collection[str]
    ) -> tuple[tuple[Element, ...], ...]:
        """See `Segmenter`."""
        from adstudio.drafting.text.segment.elements import elements_of

        return elements_of(descriptions, language=language, names=names)


@dataclass(frozen=True)
class Dependencies:
    """Ours: an exact optimum over the sentence's dependencies."""

    @property
    def name(self) -> str:
        """The code it is made of."""
        return f"dependencies {code_of('adstudio.drafting.text.compress', *_TEXT)}"

    def compressions(
        self, texts: Sequence[str], language: str, names: Collection[str]
    ) -> tuple[tuple[Compression, ...], ...]:
        """See `Compressor`."""
        from adstudio.drafting.text.compress.shorten import compressions

        return compressions(texts, language=language, names=names)


@dataclass(frozen=True)
class Blend:
    """Ours: the mean of the ranks that each line has in three views of its scene."""

    @property
    def name(self) -> str:
        """The code it is made of."""
        return f"blend {code_of('adstudio.drafting.text.score', *_TEXT)}"

    def scores(self, scenes: Sequence[SceneText], language: str, on_scenes_done: Callable[[int, int], None]) -> Scores:
        """See `Weigher`."""
        from adstudio.drafting.text.score.blend import blend_scores
        from adstudio.drafting.text.score.embeddings import embedder

        return blend_scores(scenes, embedder(), language, on_scenes_done)


@dataclass(frozen=True)
class Stages:
    """Who does what."""

    segmenter: Segmenter = field(default_factory=Clauses)
    compressor: Compressor = field(default_factory=Dependencies)
    weigher: Weigher = field(default_factory=Blend)
