"""A piece of a sentence, and what kinds there are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from adstudio.drafting.text.segment.verbs import Form


class Kind(Enum):
    """What a piece is, which decides how it becomes a sentence of its own."""

    OPENING = "how the sentence begins"
    CLAUSE = "a clause with its own subject"
    VERB_PHRASE = "a verb whose subject stands before it"
    PARTICIPLE = "wearing a blue shirt"
    PASSIVE = "watched by a footman"
    ABSOLUTE = "his hands shaking"
    RELATIVE = "who is on the phone"


@dataclass(frozen=True)
class Piece:
    """Words `first` to `last` (not included) of a sentence.

    `verb` is the place of its verb, None where none was made out; `form` that verb's form where it is finite.
    """

    kind: Kind
    first: int
    last: int
    verb: int | None
    form: Form | None


@dataclass(frozen=True)
class Start:
    """How a piece begins: its verb’s place (-1 where none was made out), and that verb’s form where it is finite."""

    kind: Kind
    verb: int
    form: Form | None
