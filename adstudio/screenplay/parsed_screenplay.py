"""A parsed screenplay: scenes in order, each with a heading and its parts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from adstudio.core.errors import BadInputError, Oddity


class ScreenplayError(BadInputError):
    """A file that cannot be read as a screenplay; the message says how to fix it."""


class Form(Enum):
    """The format of a screenplay."""

    FOUNTAIN = "fountain"
    FDX = "fdx"
    TEXT = "text"
    PDF = "pdf"


@dataclass(frozen=True, slots=True)
class Action:
    """One paragraph of action, lines joined, without markup and notes.

    `line` counts from 1, in a PDF from the top of its `page`; `page` is 0 if there are no pages. `forced`: marked as
    action, or centred; a word or two in capitals are then more than a slug.
    """

    text: str
    line: int = 0
    page: int = 0
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Speech:
    """What one character says, from the name to the next blank line.

    `speaker` is the name as written, without extension, "" if there is none. `extension` is the text in parentheses
    after the name ("V.O.", "O.S."), without "CONT'D". `parentheticals` are without brackets and not in `text`. `dual`:
    simultaneous with the speech before it. `lyrics`: sung.
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
    """A transition to the next scene, or what else only names a fade, a cut, titles or the end ("THE END")."""

    text: str
    line: int = 0
    page: int = 0


Part = Action | Speech | Transition


@dataclass(frozen=True, slots=True)
class ScreenplayScene:
    """A heading and the parts below it; the heading is "" for parts before the first one."""

    heading: str
    parts: tuple[Part, ...]
    number: str = ""
    line: int = 0
    page: int = 0


@dataclass(frozen=True, slots=True)
class Screenplay:
    """A whole screenplay.

    `title_page` has the entries in order (keys as written, values with newlines). `language` is guessed ("en", "ru",
    "ja" …, see `language.py`), None if there is too little text.
    """

    scenes: tuple[ScreenplayScene, ...]
    title: str = ""
    title_page: tuple[tuple[str, str], ...] = ()
    form: Form = Form.FOUNTAIN
    oddities: tuple[Oddity, ...] = ()
    language: str | None = None
