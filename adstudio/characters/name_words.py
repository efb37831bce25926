"""The words of a text as names are found in it: where they are, how they are written, and where sentences begin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from unicodedata import combining, normalize

from adstudio.core.words import folded

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u1dc0-\u1dff\u200c\u200d\ufe20-\ufe2f"
)
"""What is written on or within letters, and is no letter for `re`."""
APOSTROPHES = "'’ʼ"
_LETTER = rf"(?:[^\W_]|[{_MARKS}])"
_WORD = re.compile(rf"{_LETTER}+(?:[{APOSTROPHES}‑-]{_LETTER}+)*")
_POSSESSIVE = re.compile(rf"[{APOSTROPHES}]s\Z", re.IGNORECASE)
_SHORT_FORM = re.compile(rf"[{APOSTROPHES}](?:ll|d|ve|re|m)\Z", re.IGNORECASE)
_SENTENCE_START = re.compile(r"(?:\A|[.!?…:;。！？]|[—–]|(?:\A|\s)-)[\s\"“”‘’'„«»()\[\]¿¡*_-]*\Z")
_LOOK_BACK = 12
"""Characters before a word in which the end of a sentence is looked for."""


class Case(Enum):
    """How a word is written."""

    SMALL = "small"
    CAPITAL = "capital"
    SHOUTED = "shouted"
    """In capitals; a single letter is CAPITAL."""
    NONE = "none"
    """In a script without capitals, or a number."""


class TextCase(Enum):
    """How a text is written, which says how much its capitals tell."""

    MIXED = "mixed"
    SHOUTED = "shouted"
    """All in capitals."""
    SMALL = "small"
    """All in small letters."""
    TITLE = "title"
    """Nearly Every Word Has a Capital."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text, without “’s”: its place, and the key by which it is compared."""

    start: int
    end: int
    written: str
    key: str
    case: Case
    opens: bool
    """Whether it begins a sentence."""
    possessive: bool
    """Whether “’s” follows, or the apostrophe after an s."""
    whole: str
    """As written, with its ending."""
    tail: int
    """Where that ends."""


@dataclass(frozen=True, slots=True)
class TextWords:
    """The words of a text in order, and how the text is written."""

    words: tuple[Word, ...]
    case: TextCase


def key_of(word: str) -> str:
    """A word as names are compared: folded, dashes alike, without the joiners of some scripts."""
    return folded(word).replace("‑", "-").replace("\u200c", "").replace("\u200d", "")


def plain_key(key: str) -> str:
    """A key without accents: zoe for zoë. Scripts whose vowels are marks keep them."""
    parts = normalize("NFD", key)
    if not any("a" <= char <= "z" for char in parts):
        return key
    return normalize("NFC", "".join(char for char in parts if not combining(char)))


def words_of_name(name: str) -> tuple[str, ...]:
    """The keys of the words of a name, in order."""
    return tuple(key_of(match[0]) for match in _WORD.finditer(name))


@lru_cache(16_384)
def text_words(text: str) -> TextWords:
    """The words of a text."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        whole, start = match[0], match.start()
        ending = _POSSESSIVE.search(whole) or _SHORT_FORM.search(whole)
        written = whole[: ending.start()] if ending else whole
        tail = match.end()
        possessive = ending is not None and ending[0][1:].lower() == "s"
        if ending is None and written[-1:] in "sSxXzZ" and text[tail : tail + 1] in tuple(APOSTROPHES):
            possessive = _not_quoted(text, start)
        opens = _SENTENCE_START.search(text[max(0, start - _LOOK_BACK) : start]) is not None
        found.append(
            Word(start, start + len(written), written, key_of(written), _case(written), opens, possessive, whole, tail)
        )
    return TextWords(tuple(found), _text_case(found))


def _not_quoted(text: str, start: int) -> bool:
    """Whether an apostrophe after a word is its genitive’s, and no closing quotation mark."""
    return text[:start].count("‘") == 0 and text[:start].count("'") % 2 == 0


def _case(word: str) -> Case:
    letters = [char for char in word if char.isalpha()]
    if not any(char.isupper() or char.islower() for char in letters):
        return Case.NONE
    if not letters[0].isupper():
        return Case.SMALL
    if len(letters) > 1 and not any(char.islower() for char in letters):
        return Case.SHOUTED
    return Case.CAPITAL


def _text_case(words: list[Word]) -> TextCase:
    cased = [word for word in words if word.case is not Case.NONE]
    if not cased:
        return TextCase.NONE
    small = sum(word.case is Case.SMALL for word in cased)
    if small == len(cased):
        return TextCase.SMALL
    long = [word for word in cased if len(word.written) > 1]
    if small == 0 and len(long) > 1 and all(word.case is Case.SHOUTED for word in long):
        return TextCase.SHOUTED
    within = [word for word in cased if not word.opens]
    capitals = sum(word.case is not Case.SMALL for word in within)
    if len(cased) >= 5 and capitals >= 0.8 * len(within) and any(word.case is Case.CAPITAL for word in within):
        return TextCase.TITLE
    return TextCase.MIXED
