"""The stages from a text to candidates, each of which can be another's: ours without a network, or a model's."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from adstudio.drafting.text.ground.evidence import Grounding, Passage, Seen
from adstudio.drafting.text.ground.ground import ground
from adstudio.drafting.text.stage_cache import code_of

if TYPE_CHECKING:
    from adstudio.drafting.text.compress.shorten import Compression
    from adstudio.drafting.text.score.scene_text import SceneText, Scores
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


class Grounder(Protocol):
    """Finds when elements are seen."""

    def ground(self, passages: Sequence[Passage], seen: Seen) -> tuple[tuple[Grounding, ...], ...]:
        """For each passage the grounding of each of its elements; starts never go back."""
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
class Dialogue:
    """Ours: from dialogue, cuts and order."""

    def ground(self, passages: Sequence[Passage], seen: Seen) -> tuple[tuple[Grounding, ...], ...]:
        """See `Grounder`."""
        return ground(passages, seen)


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
class Ranks:
    """Ours: one of the ways of `score.scorer`, by its name."""

    way: str = "blend"

    @property
    def name(self) -> str:
        """The way and the code it is made of."""
        return f"{self.way} {code_of('adstudio.drafting.text.score', *_TEXT)}"

    def scores(self, scenes: Sequence[SceneText], language: str, on_scenes_done: Callable[[int, int], None]) -> Scores:
        """See `Weigher`."""
        from adstudio.drafting.text.score.scorer import scorer

        return scorer(self.way, language=language, on_scenes_done=on_scenes_done).scores(scenes)


@dataclass(frozen=True)
class Stages:
    """Who does what."""

    segmenter: Segmenter = field(default_factory=Clauses)
    grounder: Grounder = field(default_factory=Dialogue)
    compressor: Compressor = field(default_factory=Dependencies)
    weigher: Weigher = field(default_factory=Ranks)
