"""What differs between two texts, word by word."""

from __future__ import annotations

from difflib import SequenceMatcher
from enum import Enum
from typing import NamedTuple

MAX_WORDS = 2000
"""Longer texts are compared as wholes: the time is quadratic."""


class In(Enum):
    """Which of two texts has some words."""

    BOTH = "both"
    OLD = "old"
    NEW = "new"


class Piece(NamedTuple):
    """Words that follow one another, and where they are."""

    text: str
    where: In


def word_changes(old: str, new: str) -> tuple[Piece, ...]:
    """The words of both texts in order, of those that were replaced the old ones first; white space does not count."""
    before, after = old.split(), new.split()
    if max(len(before), len(after)) > MAX_WORDS and before != after:
        return _pieces((before, In.OLD), (after, In.NEW))
    found: list[tuple[list[str], In]] = []
    for what, start, end, new_start, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            found.append((before[start:end], In.BOTH))
        else:
            found += [(before[start:end], In.OLD), (after[new_start:new_end], In.NEW)]
    return _pieces(*found)


def _pieces(*runs: tuple[list[str], In]) -> tuple[Piece, ...]:
    return tuple(Piece(" ".join(words), where) for words, where in runs if words)
