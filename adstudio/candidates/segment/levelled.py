"""Screenplay shouting and camera talk taken out of a description: ANNA (30s), a KEY, CUT TO."""

from __future__ import annotations

import re
from collections.abc import Collection

from adstudio.candidates.text.grammar import noun_lemmas, verb_lemmas

_SHORT_FORMS = re.compile(
    r"TV|DVD|CD|US|USA|UK|EU|UN|FBI|CIA|NYPD|LAPD|SUV|ATM|VIP|ID|DJ|MC|PA|OK|DNA|MRI|ER|IV|GPS|SOS|BBC|CCTV|NASA"
    r"|SWAT|RAF|PC|HQ|DC|LA|NYC|WC|II|III|VI|VII|VIII|IX|XI|XII"
)
_SHOUTED = re.compile(r"\b[^\W\d_](?:[^\W\d_]|[’'\-](?=[^\W\d_]))+\b")
_ASIDE = re.compile(r"(?<=[A-Z’'])\s*\([^()\n]{1,40}\)")
_AGE = re.compile(r"\s*\((?:(?:early|mid|late)[ -]?)?(?:\d{1,2}s?|teens|twenties|thirties|forties|fifties|sixties)\)")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|‘[^’]*’")
_BEFORE_A_THING = re.compile(
    r"(?:^|[\s(])(?:a|an|the|his|her|its|their|my|our|your|this|that|these|those|some|any|no|one|two|three|four|five|several|"
    r"many|of|another|each|every|[a-z]+(?:ed|ing|y|ish|ous|ful|en))\s+$",
    re.IGNORECASE,
)
_CUES = re.compile(
    r"^\s*(?:(?:smash |match |jump |hard |quick )?(?:cut|dissolve|fade) (?:back )?(?:to|in|out|up)(?: black)?\s*[:.]\s+"
    r"|(?:(?:extreme |tight |very )?close(?:[ -]?up)? (?:on|of)|angle on|insert(?: on)?(?= |:)|reverse on"
    r"|wide on|pov on|(?:the )?camera (?:finds|reveals|follows|shows|discovers))\s*[:–—-]*\s+)",
    re.IGNORECASE,
)


def levelled(description: str, names: Collection[str] = ()) -> str:
    """A description of the same length whose shouted words are written as others are and whose asides are blanks.

    ANNA (30s) lifts a KEY becomes Anna       lifts a key: offsets stay what they were. Words within quotation marks
    and short forms (FBI) stay. `names` are those of the film's characters.
    """
    quoted = [found.span() for found in _QUOTED.finditer(description)]
    known = {part.lower() for name in names for part in name.split()}
    known |= {
        found.group().lower()
        for found in _SHOUTED.finditer(description)
        if found.group().isupper() and _is_named(description, found)
    }

    def blank(found: re.Match[str]) -> str:
        return " " * len(found.group())

    def quiet(found: re.Match[str]) -> str:
        word = found.group()
        if (
            not word.isupper()
            or _SHORT_FORMS.fullmatch(word)
            or any(start <= found.start() < end for start, end in quoted)
        ):
            return word
        lower = word.lower()
        begins = not text[: found.start()].strip() or text[: found.start()].rstrip()[-1] in ".!?…:"
        thing = bool(_BEFORE_A_THING.search(text[: found.start()])) and lower not in known
        common = bool(noun_lemmas(lower) or verb_lemmas(lower)) and lower not in known
        made = lower if not begins and (thing or common) else "-".join(part.capitalize() for part in lower.split("-"))
        return made if len(made) == len(word) else word

    text = _AGE.sub(blank, _ASIDE.sub(blank, description))
    return _SHOUTED.sub(quiet, text)


def _is_named(text: str, found: re.Match[str]) -> bool:
    before, after = text[: found.start()], text[found.end() :]
    return bool(_AGE.match(after)) and not _BEFORE_A_THING.search(before)


def without_cue(sentence: str) -> str:
    """A sentence without the camera's direction that it begins with: Close on the key. → The key."""
    rest = _CUES.sub("", sentence)
    return capitalised(rest) if rest.strip(" .") else sentence


def cue_length(sentence: str) -> int:
    """How many characters of a sentence are a camera's direction that it begins with."""
    found = _CUES.match(sentence)
    return found.end() if found and sentence[found.end() :].strip(" .") else 0


def tidied(description: str, names: Collection[str] = ()) -> str:
    """A description, or a part of one, as a describer would write it: one line, nothing shouted, capital, full stop."""
    return ended(capitalised(without_cue(" ".join(levelled(description, names).split()))))


def capitalised(text: str) -> str:
    """A text whose first letter is a capital."""
    at = next((place for place, letter in enumerate(text) if letter.isalnum()), None)
    return text if at is None else text[:at] + text[at].upper() + text[at + 1 :]


def ended(text: str) -> str:
    """A text that ends as a sentence does; a comma, colon or dash at its end goes."""
    text = text.strip().rstrip(",;:–—- ").rstrip()
    if not text or re.search(r"[.!?…][”’\"')\]»]*$", text):
        return text
    return text + "."
