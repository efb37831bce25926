"""Classifies lines of a screenplay by their form: scene heading, transition, character name."""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST_CUE = 250
LONGEST_HEADING = 500
_LONGEST_UNCASED = 24

_PLACES = r"INT|EXT|EST|ИНТ|ЭКСТ|НАТ|INNEN|AUSSEN|AUßEN|WN|PL|BINNEN|BUITEN"
_TOGETHER = r"(?:INT|EXT|ИНТ|НАТ|INNEN|AUSSEN)\.?\s?/\s?(?:INT|EXT|ИНТ|НАТ|INNEN|AUSSEN)|I\s?/\s?E|E\s?/\s?I"
_DOTTED = re.compile(rf"(?:{_TOGETHER}|{_PLACES})[.。．]", re.IGNORECASE)
_SPACED = re.compile(rf"(?:(?:{_TOGETHER})(?=[\s-])|(?:INT|EXT)(?=\s))", re.IGNORECASE)
_SPACED_CAPITALS = re.compile(rf"(?:{_PLACES})(?=\s)")
_NUMBER_AFTER = re.compile(r"#([\w.\-]{1,30})#$")
_NUMBER_BEFORE = re.compile(r"([A-Z]{0,3}\d{1,4}(?:[-.]?[A-Z\d]{1,3})?)[.)]?\s+(?=\S)")
_CONTINUED = frozenset(("contd", "cont", "continued", "contin", "more"))
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
    """Whether a line starts like a scene heading: INT., EXT., EST., INT./EXT., I/E and their foreign equivalents.

    With a full stop in upper or lower case; with a space only if it cannot be a word ("EST" is one in French).
    """
    found = _DOTTED.match(text) or _SPACED.match(text) or _SPACED_CAPITALS.match(text)
    return found is not None and len(text) <= LONGEST_HEADING and bool(text[found.end() :].strip())


def heading(text: str) -> Heading:
    """A heading's text, and the scene number that Fountain puts after it between number signs."""
    text = text.strip()
    found = _NUMBER_AFTER.search(text[-40:])
    if found is None:
        return Heading(text, "")
    return Heading(text[: len(text) - len(found[0])].rstrip(), found[1])


def numbered_heading(text: str) -> Heading | None:
    """A heading as printed, with its number before it, after it, or both; None if it is not a heading."""
    text = text.strip()
    before = _NUMBER_BEFORE.match(text)
    if before is not None and is_heading(text[before.end() :]):
        body, number = text[before.end() :], before[1]
        if body.endswith(number) and body[: -len(number)].endswith((" ", "\t")):
            body = body[: -len(number)].rstrip()
        return Heading(body, number)
    return heading(text) if is_heading(text) else None


def is_transition(text: str) -> bool:
    """Whether a line is a transition by Fountain's rule: capitals that end in "TO:"."""
    return text.endswith("TO:") and is_capitals(text) and len(text) <= LONGEST_CUE


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
    if not forced and (not _is_name(name) or is_heading(name) or is_transition(text)):
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
