"""A passage to polish: lines as they are spoken, each with its time, and what is heard around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from adstudio.core.provenance import ModelWork
from adstudio.core.words import count_words
from adstudio.drafting.text.language.names import Known

AT_ONCE = 20
"""Lines in one request; longer scenes take several."""


@dataclass(frozen=True)
class Wanted:
    """A line to be rewritten.

    `room` is the milliseconds it may last where it is, `words` as many words as surely fit there. `wordings` are all
    that is known of its content, the full one first; `goes_on`: it directly follows the line before it; `leads_on`:
    another line directly follows it. `named` are the words, in lower case, of names in the lines before it, which it
    may use too.
    """

    id: str
    text: str
    wordings: tuple[str, ...]
    room: int
    words: int
    goes_on: bool = False
    leads_on: bool = False
    named: frozenset[str] = frozenset()

    @property
    def full(self) -> str:
        """The first of its wordings that is longer than what is spoken; "" if none is."""
        now = count_words(self.text)
        return next((each for each in self.wordings if count_words(each) > now), "")


@dataclass(frozen=True)
class ContextLine:
    """Something that is heard: a line of the description (with `id` if it is to be rewritten), or dialogue."""

    start: int
    end: int
    text: str
    id: str = ""
    dialogue: bool = False
    speaker: str = ""


@dataclass(frozen=True)
class Passage:
    """Lines to polish in the order in which they are spoken, and all that is heard around them.

    `scene` is the id of their scene; `people` are the words, in lower case, that are known to be names of people, and
    `ordinary` those that the film's texts use as ordinary words.
    """

    scene: str
    wanted: tuple[Wanted, ...]
    context: tuple[ContextLine, ...] = ()
    people: frozenset[str] = frozenset()
    ordinary: frozenset[str] = frozenset()
    language: str = "en"
    lasts: Callable[[str, str], int] = field(default=lambda _id, text: 300 * count_words(text), compare=False)
    """Milliseconds that a text takes in place of the line with this id."""

    @property
    def known(self) -> Known:
        """The names known from the film."""
        return Known(self.people, self.ordinary)


class Unusable(Enum):
    """Why there is nothing to propose for a line."""

    UNCHANGED = "unchanged"
    """The model returned it unchanged."""
    MISSING = "missing"
    """The answer lacks it."""
    FAULTY = "faulty"
    """What the model wrote cannot be used."""
    NOT_ASKED = "not_asked"
    """There was no answer."""


@dataclass(frozen=True)
class Worded:
    """The result for a line: its new text, with remarks for the describer; or why there is none.

    `unusable` is None if there is a text; `why` is the reason in words. `polished_by` are the models that wrote it.
    """

    id: str
    text: str = ""
    why: str = ""
    remarks: tuple[str, ...] = ()
    polished_by: ModelWork | None = None
    unusable: Unusable | None = None

    @property
    def good(self) -> bool:
        """Whether there is a proposal."""
        return bool(self.text)
