"""A passage to polish: lines as they are spoken, each with the time it has, and what is heard around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from adstudio.core.provenance import ModelWork
from adstudio.core.words import count_words
from adstudio.drafting.text.language.names import Known

AT_ONCE = 20
"""Lines that are asked for in one ask; longer scenes are asked for in several."""


@dataclass(frozen=True)
class Wanted:
    """A line to be written again.

    `room` is the milliseconds it may last where it is, `words` as many words as surely fit there. `wordings` are all
    that is known of what it tells, the full one first; `goes_on` says that it follows the line before it at once, and
    `leads_on` that another line follows it so.
    `named` are the words, in small letters, that names in it may be of besides its own: whom the lines before it name.
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
        """The first of its wordings that says more than is spoken, empty where none does."""
        now = count_words(self.text)
        return next((each for each in self.wordings if count_words(each) > now), "")


@dataclass(frozen=True)
class ContextLine:
    """Something that is heard: a line of the description (`id` where it is to be written again), or dialogue."""

    start: int
    end: int
    text: str
    id: str = ""
    dialogue: bool = False
    speaker: str = ""


@dataclass(frozen=True)
class Passage:
    """Lines to polish in the order in which they are spoken, and all that is heard from before the first to the last.

    `scene` is the id of their scene; `people` are the words, in small letters, that are known to be names of people,
    and `ordinary` those that the film's texts use as words.
    """

    scene: str
    wanted: tuple[Wanted, ...]
    context: tuple[ContextLine, ...] = ()
    people: frozenset[str] = frozenset()
    ordinary: frozenset[str] = frozenset()
    language: str = "en"
    lasts: Callable[[str, str], int] = field(default=lambda _id, text: 300 * count_words(text), compare=False)
    """Milliseconds that a text of the line of that id takes."""

    @property
    def known(self) -> Known:
        """What the film tells of names."""
        return Known(self.people, self.ordinary)


class Unusable(Enum):
    """Why there is nothing to propose for a line."""

    UNCHANGED = "unchanged"
    """The model gave it back as it was."""
    MISSING = "missing"
    """The answer does not have it."""
    FAULTY = "faulty"
    """What the model wrote cannot be used."""
    NOT_ASKED = "not_asked"
    """No answer could be had, whatever the model might have written."""


@dataclass(frozen=True)
class Worded:
    """What came of a line: its new text, with what the describer should look at; or why there is none.

    `unusable` is None where there is a text; `why` says it in words. `polished_by` is which models wrote the text.
    """

    id: str
    text: str = ""
    why: str = ""
    remarks: tuple[str, ...] = ()
    polished_by: ModelWork | None = None
    unusable: Unusable | None = None

    @property
    def good(self) -> bool:
        """Whether there is something to propose."""
        return bool(self.text)
