"""Stages that do next to nothing, so that a test sees what is done around them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from adstudio.drafting.text.compress.shorten import Compression
from adstudio.drafting.text.score.views import SceneText, Scores
from adstudio.drafting.text.segment.elements import Element
from adstudio.drafting.text.stages import Stages
from adstudio.drafting.text.wording.scene_wording import SceneLines, Worded


@dataclass
class Sentences:
    """Cuts at “. ”, and remembers what it was asked."""

    name: str = "sentences"
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def elements(
        self, descriptions: Sequence[str], language: str, names: Collection[str]
    ) -> tuple[tuple[Element, ...], ...]:
        self.asked.append(tuple(descriptions))
        return tuple(tuple(_elements(each)) for each in descriptions)


def _elements(text: str) -> list[Element]:
    found: list[Element] = []
    start = 0
    for part in text.split(". "):
        extract = part if part.endswith(".") else f"{part}."
        found.append(Element(extract, start, start + len(extract), extract, True))
        start += len(extract) + 1
    return found


@dataclass
class AsTheyAre:
    """Words nothing anew."""

    name: str = "as they are"

    def worded(self, scenes: Sequence[SceneLines], language: str, names: Collection[str]) -> tuple[Worded, ...]:
        return tuple(Worded(scene.elements) for scene in scenes)


@dataclass
class FirstHalf:
    """Keeps the first half of the words."""

    name: str = "first half"
    asked: int = 0

    def compressions(
        self, texts: Sequence[str], language: str, names: Collection[str], film: Sequence[str]
    ) -> tuple[tuple[Compression, ...], ...]:
        self.asked += 1
        return tuple(
            (Compression(" ".join(words[: len(words) // 2]) + ".", Fraction(1, 2)),) if len(words) > 3 else ()
            for words in (text.split() for text in texts)
        )


@dataclass
class ByLength:
    """The longer, the weightier."""

    name: str = "length"
    asked: int = 0

    def scores(self, scenes: Sequence[SceneText], language: str, told: Callable[[int, int], None]) -> Scores:
        self.asked += 1
        told(len(scenes), len(scenes))
        return tuple(tuple(len(text) / 1000 for text in scene.elements) for scene in scenes)


def plain_stages() -> Stages:
    return Stages(segmenter=Sentences(), worder=AsTheyAre(), compressor=FirstHalf(), weigher=ByLength())
