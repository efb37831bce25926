"""What each prompt is for, and how a project's wording differs from ours."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

ABOUT: dict[str, tuple[str, str]] = {
    "system": ("In all", "What every model is told before anything else."),
    "describe": ("Describing", "Asks for a scene’s telling in prose; the clip, faces and dialogue stand before it."),
    "screenplay": ("With a screenplay", "Is added where the screenplay’s text of the scene goes along."),
    "candidates": ("Elements", "Asks for times, wordings and salience of each element of the telling."),
    "repair": ("Mending", "Asks once more for wordings that are too long, too short or otherwise not right."),
    "polish": ("Polish", "Asks for a plan’s fragments as fluent lines, each no longer than it may be."),
    "direct": ("Direct", "Asks for timed lines at once, from film, dialogue and gaps (draft --direct)."),
    "schedule": ("Planning", "Asks a model to plan (solve --backend llm)."),
    "weigh": ("Salience", "Asks what the story would lose without each element."),
}
"""By name: what it is called in the list, and what it does. One that is not here goes by its own name."""
_PIECES = re.compile(r"\n|[^\S\n]+|[^\s]+")
_MOST_PIECES = 6_000
"""Pieces of a text beyond which differences are told by lines."""

How = Literal["same", "gone", "new"]


@dataclass(frozen=True)
class Piece:
    """A stretch of text that both wordings have, or one of them alone."""

    how: How
    text: str


def name_of(prompt: str) -> str:
    """What a prompt is called in the list."""
    return ABOUT[prompt][0] if prompt in ABOUT else prompt.capitalize()


def purpose_of(prompt: str) -> str:
    """What a prompt is for; empty where nobody has said so."""
    return ABOUT[prompt][1] if prompt in ABOUT else ""


def differences(ours: str, theirs: str) -> tuple[Piece, ...]:
    """Both wordings in one, word by word."""
    one, other = _PIECES.findall(ours), _PIECES.findall(theirs)
    if max(len(one), len(other)) > _MOST_PIECES:
        one, other = ours.splitlines(keepends=True), theirs.splitlines(keepends=True)
    found: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(Piece("same", "".join(one[a:b])))
            continue
        if b > a:
            found.append(Piece("gone", "".join(one[a:b])))
        if d > c:
            found.append(Piece("new", "".join(other[c:d])))
    return tuple(found)


def counted_words(pieces: tuple[Piece, ...], how: How) -> int:
    """How many words are gone, or new."""
    return sum(len(piece.text.split()) for piece in pieces if piece.how == how)
