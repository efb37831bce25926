"""The project's names: words that are right in this film although no dictionary has them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from adstudio.core.script import Cue, Script

WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’ʼ][^\W\d_]+)*(?!\w)")
"""A word that is checked: of letters alone, with apostrophes inside. What has figures in it is none."""
_POSSESSIVE = re.compile(r"['’ʼ]s?$", re.IGNORECASE)


def stem(word: str) -> str:
    """A name without its genitive: `Nora` of `Nora’s`."""
    return _POSSESSIVE.sub("", word)


def project_names(script: Script) -> frozenset[str]:
    """The names of a film, case-folded: its cast, who speaks in it, its title, and who or what is named in dialogue."""
    found = _words([person.name for person in script.people])
    found |= _words([script.film.title])
    found |= _words([cue.speaker for cue in script.cues if cue.speaker])
    return frozenset(found | _named(script.cues))


def _words(texts: Iterable[str]) -> set[str]:
    return {stem(word).casefold() for text in texts for word in WORD.findall(text)}


def _named(cues: Iterable[Cue]) -> set[str]:
    """The words of the dialogue that are written with a capital wherever they are."""
    words = [word for cue in cues for word in WORD.findall(cue.text)]
    small = {stem(word) for word in words if word[:1].islower()}
    return {stem(word).casefold() for word in words if word[:1].isupper() and not word.isupper()} - small
