"""Classifies lines of a screenplay by their form: scene heading, transition, act, cast list, character name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from adstudio.screenplay.terms import (
    ACT_WORDS,
    ACTS_WITHOUT_NUMBER,
    BETWEEN_ACTS,
    BYLINE,
    CAST,
    CUT,
    NUMERALS,
    PLACES,
    SCENE_WORDS,
    SHORT_PLACES,
    TIMES_OF_DAY,
    TRANSITION,
    UNCASED_PLACES,
    UNMISTAKABLE_ACTS,
)

LONGEST_CUE = 250
LONGEST_HEADING = 500
_LONGEST_UNCASED = 24
_LONGEST_PLACE_LAST = 100
_LONGEST_TRANSITION = 60
_WORDS_BEFORE_COLON = 3
_WORDS_OF_AN_ACT = 6
_WORDS_OF_A_NAME = 4
_WORDS_OF_A_SLUG = 2
_WORDS_OF_A_TITLE = 8
_DIGITS_OF_A_YEAR = 4
_SENTENCE_ENDS = (".", "!", "?", "…")
_SENTENCE_STOP = re.compile(r"[^\W\d_]{4,}[.!?…](?:\s|$)")
_OF_ACTS = ACT_WORDS | ACTS_WITHOUT_NUMBER | BETWEEN_ACTS
_LINES_AT_ONCE = 2_000
"""Lines of which is remembered what they are: each is asked about several times."""
_UNCASED_ACT = re.compile(r"第\s?[\d一二三四五六七八九十]+\s?[幕场場話话集章]|제\s?\d+\s?[막장화]")
_NUMERAL = re.compile(r"\d{1,4}[A-Z]?|[IVXLC]{1,6}|[A-Z]|\d{1,2}(?:ST|ND|RD|TH)")

_JOINED = r"\s?[/&+–-]\s?"
_SHORT = rf"(?:{SHORT_PLACES})\.?(?:{_JOINED}(?:{PLACES})\.?)*|I\.?\s?/\s?E|E\.?\s?/\s?I"
_WORDS = rf"(?:{PLACES})\.?(?:{_JOINED}(?:{PLACES})\.?)*"
_DOTTED = re.compile(rf"(?:{_SHORT}|INNEN|AUSSEN|AUßEN|BINNEN|BUITEN)(?<=[.])|(?:{_SHORT})[.。．:]", re.IGNORECASE)
_DOTTED_WORDS = re.compile(rf"{_WORDS}[.:](?=\s)", re.IGNORECASE)
_SPACED = re.compile(
    rf"(?:(?:(?:{PLACES})\.?(?:{_JOINED}(?:{PLACES})\.?)+|I\s?/\s?E|E\s?/\s?I)(?=[\s–-])|(?:INT|EXT)(?=\s))",
    re.IGNORECASE,
)
_SPACED_CAPITALS = re.compile(rf"{_WORDS}\s*(?=[\s,/–-])(?!\s*[(（^])")
_UNCASED = re.compile(rf"(?:{UNCASED_PLACES})(?:\s?/\s?(?:{UNCASED_PLACES}))?(?=[\s.:：,，、・/–—-])|[○〇◯]\s?(?=\S)")
_PLACE_LAST = re.compile(
    rf".*\S\s*[.,/(–—-]\s*(?:{_WORDS}|I\s?/\s?[EN]|E\s?/\s?[TN])[\s./,)–—-]*(?:(?:{TIMES_OF_DAY})\b.{{0,40}})?"
    r"|.*\S[\s.,(–—-]\s*[IA]/[TN]\)?"
)
_PLACE_AND_TIME = re.compile(
    r"(?:INT|EXT|INNEN|AUSSEN|INTERIOR|EXTERIOR|INTÉRIEUR|EXTÉRIEUR|INTERNO|ESTERNO)[\s.,/–—-]{1,3}"
    rf"(?:(?:{TIMES_OF_DAY})[.,/–—-].*|.{{1,80}}[.,/–—-]\s*(?:{TIMES_OF_DAY})\.)"
)
"""A heading written as a sentence: Interior. Cocina. Día."""
_TIME_LAST = re.compile(rf"\S.{{0,80}}(?:\s[–—-]\s|\s?/\s?|[.,]\s)(?:{TIMES_OF_DAY})(?:\s?[/(–—-].{{0,40}})?")
_TIME_AT_END = re.compile(rf"[.,/(–—-]\s*(?:{TIMES_OF_DAY})\)?$")
_NUMBER_AFTER = re.compile(r"#([\w.\-]{1,30})#$")
_SCENE_WORD = rf"(?:(?:{SCENE_WORDS})(?![^\W\d_])\.?\s{{0,3}}(?:(?:NO|NR|N°)\.?\s)?[#:]?\s{{0,3}}|#\s?)"
_NUMBER_BEFORE = re.compile(
    rf"\(?(?:{_SCENE_WORD})?([A-Z]{{0,3}}\d{{1,4}}(?:[-./]?(?:\d{{1,3}}[A-Z]?|[A-Z]{{1,2}}))?)"
    r"(?:\s?[.):：]\s*|\s?[/–—-]\s*|\s+)(?:[–—-]\s+)?(?=\S)",
    re.IGNORECASE,
)
_WORD_AND_NUMBER = re.compile(rf"{_SCENE_WORD}\d", re.IGNORECASE)
_CONTINUED = frozenset(
    (
        "contd",
        "cont",
        "continued",
        "contin",
        "more",
        "weiter",
        "forts",
        "fortsetzung",
        "suite",
        "continúa",
        "continua",
        "sigue",
    )
)
_BRACKETED = re.compile(r"(?:[(（][^()（）]*+[)）]\s*+)+")
_IN_BRACKETS = re.compile(r"[(（]([^()（）]*+)[)）]")
_SENTENCE_SIGNS = frozenset('。！？!?….,、，:：;；「」『』"“”')


class Heading(NamedTuple):
    """A scene heading without its number."""

    text: str
    number: str


class Cue(NamedTuple):
    """A character name above a speech. `continued`: followed by "(CONT'D)"; `dual`: marked as dual dialogue."""

    speaker: str
    extension: str = ""
    continued: bool = False
    dual: bool = False


def is_heading(text: str) -> bool:
    """Whether a line is a scene heading by its first words: INT., EXT., INT./EXT., I/E and their equivalents elsewhere.

    With a full stop in upper or lower case; with a space only if it cannot be a word ("EST" is one in French). In
    capitals the place may come last, as in KÜCHE – INNEN/TAG.
    """
    if len(text) > LONGEST_HEADING:
        return False
    found = _DOTTED.match(text) or _SPACED.match(text) or _SPACED_CAPITALS.match(text) or _UNCASED.match(text)
    if found is None and not text.rstrip().endswith(_SENTENCE_ENDS):
        found = _DOTTED_WORDS.match(text)
    if found is not None:
        return any(map(str.isalnum, text[found.end() :]))
    if _PLACE_AND_TIME.fullmatch(text.upper()) is not None:
        return True
    return is_capitals(text) and len(text) <= _LONGEST_PLACE_LAST and _PLACE_LAST.fullmatch(text) is not None


def is_mini_heading(text: str) -> bool:
    """Whether a line of its own is a heading without inside or outside: THE KITCHEN - LATER."""
    return is_capitals(text) and len(text) <= _LONGEST_PLACE_LAST and _TIME_LAST.fullmatch(text) is not None


def is_slug(text: str) -> bool:
    """Whether a paragraph is a few words in capitals without a stop: a place, a shot, a transition in any language."""
    return is_capitals(text) and text.rstrip()[-1:].isalnum() and len(text.split()) <= _WORDS_OF_A_SLUG


def heading(text: str) -> Heading:
    """A heading's text, and the scene number that Fountain puts after it between number signs."""
    text = text.strip()
    found = _NUMBER_AFTER.search(text[-40:])
    if found is None:
        return Heading(text, "")
    return Heading(text[: len(text) - len(found[0])].rstrip(), found[1])


@lru_cache(_LINES_AT_ONCE)
def numbered_heading(text: str) -> Heading | None:
    """A heading as printed, with its number before it, after it, or both; None if it is not a heading.

    Beside the number may stand the word for a scene (SEC. 12 INT. SÓTANO).
    """
    text = text.strip()
    if len(text) > LONGEST_HEADING:
        return None
    before = _NUMBER_BEFORE.match(text)
    if before is not None:
        body, number = text[before.end() :], before[1]
        timed = _TIME_AT_END.search(text.upper()) is not None
        worded = _WORD_AND_NUMBER.match(text) is not None and (is_capitals(text) or timed)
        if is_heading(body) or is_mini_heading(body) or worded:
            end = re.search(rf"\s+{re.escape(number)}[.)]?$", body)
            found = heading(body[: end.start()] if end is not None else body)
            return Heading(found.text, found.number or number)
    return heading(text) if is_heading(text) else None


def is_transition(text: str) -> bool:
    """Whether a line is a transition by Fountain's rule: capitals that end in "TO:"."""
    return text.endswith("TO:") and is_capitals(text) and len(text) <= LONGEST_CUE


@lru_cache(_LINES_AT_ONCE)
def names_transition(text: str, *, alone: bool = True) -> bool:
    """Whether a line only names a transition, titles or the end, in any language: FONDU AU NOIR, The end.

    `alone`: it is a paragraph of its own; else it must be in capitals, and more than one word or end in a stop.
    """
    text = text.strip()
    if not text or len(text) > _LONGEST_TRANSITION or names_act(text):
        return False
    capitals = is_capitals(text)
    known = TRANSITION.fullmatch(text.upper()) is not None or (capitals and CUT.fullmatch(text) is not None)
    if not alone:
        return is_transition(text) or (known and capitals and (" " in text or not text[-1].isalnum()))
    return known or (capitals and text.endswith((":", "：")) and len(text.split()) <= _WORDS_BEFORE_COLON)


def cut_to(text: str) -> tuple[str, str] | None:
    """A transition and what it leads to (CORTE A: Rosa corre.); None for any other line."""
    found = re.match(r"([^:：]{3,40}[:：])\s*(\S.*)", text)
    known = found is not None and TRANSITION.fullmatch(found[1].upper()) is not None and names_transition(found[1])
    return (found[1], found[2]) if found is not None and known else None


@lru_cache(_LINES_AT_ONCE)
def names_act(text: str, *, alone: bool = True) -> bool:
    """Whether a line only marks an act, a part or a multi-camera scene: ACT ONE, END OF TEASER, (A), Scene 3.

    `alone`: it is a paragraph of its own; else it must be in capitals, and more than a letter or a word of other uses.
    """
    if len(text) > LONGEST_CUE or not (alone or is_capitals(text)):
        return False
    text = text.strip(" \t()[].:–—-_*")
    head = re.split(r"\s*[:：]\s|\s[–—-]\s", text, maxsplit=1)[0]
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", head.upper())
    if len(words) > 1 or (words and head != text):
        return _marks_act(head, words)
    if len(text) == 1 or text.isdigit():
        # Four digits may be a year on the screen.
        return alone and (text.isupper() or (text.isdigit() and len(text) < _DIGITS_OF_A_YEAR))
    return (alone or (bool(words) and words[0] in UNMISTAKABLE_ACTS)) and _marks_act(head, words)


def _marks_act(head: str, words: Sequence[str]) -> bool:
    if len(words) > _WORDS_OF_AN_ACT:
        return False
    if _UNCASED_ACT.fullmatch(head) is not None:
        return True
    numbered = [bool(_NUMERAL.fullmatch(word)) or word in NUMERALS for word in words]
    if not words or not all(first or word in _OF_ACTS for first, word in zip(numbered, words, strict=True)):
        return False
    if any(numbered):
        return not ACT_WORDS.isdisjoint(words)
    unnumbered = not ACTS_WITHOUT_NUMBER.isdisjoint(words) or "OPEN" in words or (words[0] == "END" and len(words) > 1)
    return is_capitals(head) and unnumbered


def is_mark(text: str) -> bool:
    """Whether a line is a transition or an act's mark wherever it stands, even above or below other lines."""
    return names_transition(text, alone=False) or names_act(text, alone=False)


def credits_end(texts: Sequence[str], gaps: Sequence[bool]) -> int:
    """How many of the first lines name a film and who wrote it; none if nothing there says who, or of which draft.

    `gaps`: whether an empty line stands before each. A sentence, a long line or a transition ends them; after the last
    line that says who, only those that go on with it belong to them: a name, directly below or after an empty line.
    """
    end = 0
    for at, text in enumerate(texts):
        byline = BYLINE.match(text) is not None and not text.endswith(_SENTENCE_ENDS)
        if not byline and (text.endswith((*_SENTENCE_ENDS, ":")) or len(text.split()) > _WORDS_OF_A_TITLE):
            break
        if names_transition(text):
            break
        goes_on = bool(end) and at == end and (not gaps[at] or BYLINE.match(texts[at - 1]) is not None)
        if byline or (goes_on and text[:1].isupper()):
            end = at + 1
    return end


def listed_names(text: str) -> list[str]:
    """The parts of a list, without brackets: names, if it is one of people."""
    inside = parenthetical(text) or text
    names = re.split(r"[,;/&+、，]|\s(?:and|und|et|y|e|en|och|og|i|и)\s", inside)
    return [name.strip(" .") for name in names if name.strip(" .")]


def lists_cast(text: str, *, below_heading: bool) -> bool:
    """Whether a line lists who is in a scene: "CAST: BEN, RUTH", and below a heading "(Ben, Ruth)"."""
    text = text.strip()
    if CAST.fullmatch(text.upper()) is not None and len(text) <= LONGEST_CUE and not text.endswith("."):
        return True
    inside = parenthetical(text)
    if not below_heading or inside is None:
        return False
    words = [name.split() for name in listed_names(inside)]
    if _SENTENCE_STOP.search(inside) is not None or not words or any(len(name) > _WORDS_OF_A_NAME for name in words):
        return False
    return all(
        word[0].isupper() or word[0].isdigit() or not word[0].isalpha()
        for name in words
        for word in (name[0], name[-1])
    )


def is_capitals(text: str) -> bool:
    """Whether all cased letters are capitals, and there is at least one."""
    letters = text.replace("ß", "")
    return letters == letters.upper() and any(char.isupper() for char in letters)


def cue(text: str, *, forced: bool = False) -> Cue | None:
    """A character name with its extensions, or None if the line cannot be one.

    By Fountain's rules: capitals with at least one letter (unless `forced` by "@"), extensions in parentheses in either
    case, "^" at the end for dual dialogue. In scripts without capitals: a few letters without sentence punctuation.
    """
    text = text.strip()
    if not text or len(text) > LONGEST_CUE:
        return None
    dual = text.endswith("^")
    text = text.rstrip("^").rstrip() if dual else text
    at = min((place for place in (text.find("("), text.find("（")) if place >= 0), default=len(text))
    name, rest = text[:at].strip(), text[at:]
    if not name or "^" in name or (rest and _BRACKETED.fullmatch(rest) is None):
        return None
    if not forced and (
        not _is_name(name) or is_heading(name) or names_transition(text, alone=False) or names_act(name, alone=False)
    ):
        return None
    extensions: list[str] = []
    continued = False
    for found in _IN_BRACKETS.finditer(rest):
        inside = " ".join(found[1].split())
        if "".join(char for char in inside.lower() if char.isalpha()) in _CONTINUED:
            continued = True
        elif inside:
            extensions.append(inside)
    return Cue(" ".join(name.split()), ", ".join(extensions), continued, dual)


def _is_name(name: str) -> bool:
    if is_capitals(name):
        return True
    without_case = any(char.isalpha() for char in name) and not any(char.isupper() or char.islower() for char in name)
    return without_case and len(name) <= _LONGEST_UNCASED and not _SENTENCE_SIGNS.intersection(name)


def parenthetical(text: str) -> str | None:
    """The text inside brackets that enclose the whole line, or None."""
    text = text.strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] in "(（" and text[-1] in ")）" else None
