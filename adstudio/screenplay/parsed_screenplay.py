"""A screenplay as it is read: scenes in order, each a heading and its parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from adstudio.core.errors import BadInputError, Oddity

_OF_THE_CUT = re.compile(
    r"(?:(?:SLOW(?:LY)? )?FADE[SD]?(?: BACK)?(?: UP)?(?: IN| OUT| TO| FROM| INTO)?(?: ON)?(?: (?:A )?(?:BLACK|WHITE))?"
    r"|[\w' -]{0,30}\bCUT(?: BACK)?(?: TO)?(?: (?:BLACK|WHITE))?|DISSOLVE(?: TO)?|INTERCUT(?: WITH)?|BLACK ?OUT"
    r"|THE END|END CREDITS|ROLL CREDITS|END|FIN"
    r"|フェード(?:イン|アウト)|ИЗ ЗТМ|(?:В )?ЗТМ|ЗАТЕМНЕНИЕ|КОНЕЦ)[\s.:。：…!]*"
)
_LONGEST_OF_THE_CUT = 60


class ScreenplayError(BadInputError):
    """A file that cannot be read as a screenplay; the message says how to mend it."""


class Form(Enum):
    """How a screenplay is written down."""

    FOUNTAIN = "fountain"
    FDX = "fdx"
    TEXT = "text"
    PDF = "pdf"


@dataclass(frozen=True, slots=True)
class Action:
    """One paragraph of what is seen and heard, lines joined, markup and notes taken off.

    `line` counts from 1, in a PDF from the top of its `page`; `page` is 0 where there are no pages.
    """

    text: str
    line: int = 0
    page: int = 0

    @property
    def of_the_cut(self) -> bool:
        """Whether it only names a fade, a cut or the end ("FADE IN:", "THE END"), so that there is nothing to see."""
        return len(self.text) <= _LONGEST_OF_THE_CUT and _OF_THE_CUT.fullmatch(self.text) is not None


@dataclass(frozen=True, slots=True)
class Speech:
    """What one character says, from the name to the next blank line.

    `speaker` is as written, without extension; empty where nobody is named. `extension` is what stood in round brackets
    after the name ("V.O.", "O.S."), without them and without "CONT'D". `parentheticals` lose their brackets too and are
    not in `text`. `dual`: said at the same time as the speech before it. `lyrics`: sung.
    """

    speaker: str
    text: str
    line: int = 0
    parentheticals: tuple[str, ...] = ()
    extension: str = ""
    dual: bool = False
    lyrics: bool = False
    page: int = 0


@dataclass(frozen=True, slots=True)
class Transition:
    """How one scene goes over into the next."""

    text: str
    line: int = 0
    page: int = 0


Part = Action | Speech | Transition


@dataclass(frozen=True, slots=True)
class ScreenplayScene:
    """A heading and what stands under it; the heading is empty for what stands before the first one."""

    heading: str
    parts: tuple[Part, ...]
    number: str = ""
    line: int = 0
    page: int = 0


@dataclass(frozen=True, slots=True)
class Screenplay:
    """A whole screenplay.

    `title_page` holds its entries in order (key as written, lines parted by newlines). `language` is a guess by script
    and by function words ("en", "ru", "ja" …, see `language.py`), None where there is too little to go by.
    """

    scenes: tuple[ScreenplayScene, ...]
    title: str = ""
    title_page: tuple[tuple[str, str], ...] = ()
    form: Form = Form.FOUNTAIN
    oddities: tuple[Oddity, ...] = ()
    language: str | None = None
