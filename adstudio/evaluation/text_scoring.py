"""What the measures need of texts: tokens as the Penn Treebank has them, and METEOR. Programs outside do both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from adstudio.core.errors import OutsideFailureError
from adstudio.core.optional_parts import install_part

PACKAGE = "pycocoevalcap"
"""The package that has the scores of the benchmark (extra `eval`)."""

LONGEST = 1_000
"""Tokens of a text that METEOR is still asked to compare: the time that it takes grows faster than their square."""


class ScoringError(OutsideFailureError):
    """Texts cannot be scored here: a program is missing or failed; the message says how to mend it."""


class TextScorer(Protocol):
    """Makes tokens of texts and compares texts; nothing but METEOR 1.5 may take its place under the same name."""

    def tokens(self, texts: Sequence[str]) -> list[str]:
        """The tokens of each text in the Penn Treebank's way, in lower case, without punctuation, a space between two.

        A text without words has none: an empty string.

        Raises:
            ScoringError: when that cannot be done here.
        """
        ...

    def meteor(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """METEOR 1.5 for English, 0 to 1, of each pair of tokens: a reference's, a hypothesis's; 0 if either is empty.

        Raises:
            ScoringError: when that cannot be done here.
        """
        ...


def missing_package(score: str) -> str:
    """What is said where a score cannot be computed as its package is missing."""
    return f"{score} needs the package {PACKAGE}, which is not installed: {install_part('eval')}"
