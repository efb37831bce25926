"""What is left out of planning, or replaced, to see what it contributes: the paper's ablations, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from adstudio.core.timebase import Span

SalienceMethod = Literal["random", "bm25", "embedding", "deletion", "blend", "oracle-bm25", "oracle-embedding"]
"""How salience is scored instead: without a model of language; the oracles score against a reference AD."""
METHODS: tuple[SalienceMethod, ...] = (
    "random",
    "bm25",
    "embedding",
    "deletion",
    "blend",
    "oracle-bm25",
    "oracle-embedding",
)
ORACLES: frozenset[SalienceMethod] = frozenset({"oracle-bm25", "oracle-embedding"})


@dataclass(frozen=True)
class ReferenceLine:
    """A line of a reference AD, as the oracles see it: its time in milliseconds of the film, and its text."""

    span: Span
    text: str


@dataclass(frozen=True)
class Ablation:
    """What is changed before a film is planned; by default nothing.

    `grounding`: lines keep within the limits of distance from their action. `compression`: they have shorter wordings.
    `salience`: the method that replaces the salience of all lines, by `seed` where it is random, and against the
    `reference`, the lines of all reference ADs, where it is an oracle.
    """

    grounding: bool = True
    compression: bool = True
    salience: SalienceMethod | None = None
    seed: int = 0
    reference: tuple[ReferenceLine, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is changed."""
        return not self.grounding or not self.compression or self.salience is not None


NO_ABLATION = Ablation()
