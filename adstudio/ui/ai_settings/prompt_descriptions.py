"""What each prompt is for, and how a project's wording differs from ours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

ABOUT: dict[str, str] = {
    "system": "Instructions that precede every request.",
    "describe": "Asks for a prose description of a scene; clip, faces and dialogue come before it.",
    "screenplay": "Added when the screenplay’s text of the scene is included.",
    "candidates": "Asks for times, wordings and salience of each item in the description.",
    "repair": "Asks again for wordings that are too long, too short or otherwise unsuitable.",
    "polish": "Asks for the plan’s fragments as fluent lines within their time.",
    "direct": "Asks for timed lines directly, from film, dialogue and gaps (draft --direct).",
    "schedule": "Asks a model to plan (solve --backend llm).",
    "weigh": "Asks what the story would lose without each line.",
}
"""By name: what it does."""
_PIECES = re.compile(r"\n|[^\S\n]+|[^\s]+")
_MOST_PAIRS = 500_000
"""Pieces of one text times those of the other beyond which they are not compared: that would keep the hand waiting."""

How = Literal["same", "gone", "new"]


@dataclass(frozen=True)
class Piece:
    """A stretch of text that both wordings have, or one of them alone."""

    how: How
    text: str


def purpose_of(prompt: str) -> str:
    """What a prompt is for; empty where nobody has said so."""
    return ABOUT.get(prompt, "")


def differences(ours: str, theirs: str) -> tuple[Piece, ...]:
    """Both wordings in one, word by word; where all too much differs, one after the other."""
    one, other = _PIECES.findall(ours), _PIECES.findall(theirs)
    head = _common(one, other)
    tail = _common(one[head:][::-1], other[head:][::-1])
    gone, new = one[head : len(one) - tail], other[head : len(other) - tail]
    found = [Piece("same", "".join(one[:head]))]
    if len(gone) * len(new) > _MOST_PAIRS:
        found += [Piece("gone", "".join(gone)), Piece("new", "".join(new))]
    else:
        for tag, a, b, c, d in SequenceMatcher(None, gone, new, autojunk=False).get_opcodes():
            if tag == "equal":
                found.append(Piece("same", "".join(gone[a:b])))
            else:
                found += [Piece("gone", "".join(gone[a:b])), Piece("new", "".join(new[c:d]))]
    found.append(Piece("same", "".join(one[len(one) - tail :])))
    return tuple(piece for piece in found if piece.text)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many pieces both begin with."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def counted_words(pieces: tuple[Piece, ...], how: How) -> int:
    """How many words are gone, or new."""
    return sum(len(piece.text.split()) for piece in pieces if piece.how == how)
