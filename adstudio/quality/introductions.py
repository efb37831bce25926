"""Which names the dialogue says, and when first, as far as that is certain (N1). A false alarm costs more than a miss.

Names are those of the cast, of the speakers of cues, and words after a title in dialogue. A word is only taken for a
name if it is never written with a small letter and is somewhere written with a capital inside a sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from adstudio.core.language_tags import primary_subtag
from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.words import folded
from adstudio.quality.findings import EarlyName, Finding
from adstudio.quality.rules import EARLY_NAME
from adstudio.quality.spoken import SpokenLine

NOUNS_IN_CAPITALS = frozenset({"de", "lb"})
"""Languages that write every noun with a capital, so that a name cannot be told from one."""


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TITLES = _word_set(
    "mr mrs ms miss mx dr doctor prof professor sir lady lord madam madame mme mlle mademoiselle monsieur señor señora"
    " señorita signor signora signorina don doña captain colonel sergeant inspector detective officer father sister"
    " brother mother uncle aunt auntie king queen prince princess"
)
"""Words before a name; none of them is one."""
_SHORT = _word_set("mr mrs ms mx dr prof mme mlle")
"""Titles that may end with a stop."""
_NO_NAMES = _word_set(
    "man woman boy girl child kid baby men women boys girls children kids crowd all both voice narrator announcer"
    " reporter host guard soldier driver nurse waiter waitress clerk teacher student customer guest priest judge lawyer"
    " mum mom mummy mommy dad daddy papa mama grandma grandpa granny son daughter wife husband the an of and old young"
    " first second third one two three four five radio television phone computer robot"
)
"""What speakers are called instead of a name."""
_SAID = frozenset({CueKind.SPEECH, CueKind.SUNG})
_WORD = re.compile(r"[^\W\d_]+(?:['’\u02bc-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’\u02bc]s?\Z")
_SENTENCE_START = re.compile(r"(?:\A|[.!?…:;]|[—–-])[\s\"“”‘’'„«»()\[\]¿¡-]*\Z")
_LOOK_BACK = 12
"""Characters before a word in which the end of a sentence is looked for."""


@dataclass(frozen=True)
class _Words:
    """The words of a text as names are compared: those with a capital as they are written, in order."""

    capital: dict[str, str]
    inside: frozenset[str]
    """Those with a capital inside a sentence."""
    small: frozenset[str]
    after_title: frozenset[str]


@lru_cache(16_384)
def _words(text: str) -> _Words:
    capital: dict[str, str] = {}
    inside: set[str] = set()
    small: set[str] = set()
    after_title: set[str] = set()
    title: re.Match[str] | None = None
    for match in _WORD.finditer(text):
        written = _POSSESSIVE.sub("", match[0])
        name = folded(written)
        if not written[:1].isupper():
            small.add(name)
        else:
            capital.setdefault(name, written)
            if not written.isupper():
                start = match.start()
                if not _SENTENCE_START.search(text[max(0, start - _LOOK_BACK) : start]):
                    inside.add(name)
                if title and text[title.end() : start].strip() in ("", "." if folded(title[0]) in _SHORT else ""):
                    after_title.add(name)
        title = match if written[:1].isupper() and name in _TITLES else None
    return _Words(capital, frozenset(inside), frozenset(small), frozenset(after_title))


class Introductions:
    """The names of a script, and the cue in which the dialogue first says each; a cast's member by any part of it."""

    def __init__(self, script: Script) -> None:
        cues = sorted((cue for cue in script.cues if cue.kind in _SAID), key=_time)
        texts = [_words(cue.text) for cue in cues]
        self._small = frozenset[str]().union(*(each.small for each in texts))
        self._inside = frozenset[str]().union(*(each.inside for each in texts))
        said: dict[str, Cue] = {}
        for cue, each in zip(cues, texts, strict=True):
            for name in each.capital:
                said.setdefault(name, cue)
        people = {_name_words(each) for each in _people(script)}
        people |= {frozenset({name}) for each in texts for name in each.after_title}
        first: dict[str, list[Cue]] = defaultdict(list)
        for person in people:
            found = [said[name] for name in person if name in said]
            for name in person if found else ():
                first[name].append(min(found, key=_time))
        # Whoever of them it is: the word is known once one of them is introduced.
        self.cues = {
            name: min(found, key=_time)
            for name, found in first.items()
            if name not in _TITLES and name not in _NO_NAMES and name not in self._small
        }

    def findings(self, lines: Sequence[SpokenLine]) -> Iterator[Finding]:
        """N1: names that lines use before the dialogue says them, each once."""
        early: dict[str, dict[str, list[SpokenLine]]] = {}

        @cache
        def is_name(name: str) -> bool:
            return self._is_name(name, lines)

        for line in lines:
            capital = _words(line.text).capital
            for name in capital:
                if name in self.cues and line.start < self.cues[name].start and is_name(name):
                    early.setdefault(self.cues[name].id, {}).setdefault(capital[name], []).append(line)
        said = {cue.id: cue for cue in self.cues.values()}
        for cue_id, names in early.items():
            for name, using in _full_names(names).items():
                facts = EarlyName(name, using[0].start, cue_id, said[cue_id].start)
                ids = tuple(line.id for line in using)
                yield Finding(EARLY_NAME, EARLY_NAME.level, ids, using[0].span, facts)

    def _is_name(self, name: str, lines: Sequence[SpokenLine]) -> bool:
        """Whether a word is never written small in a line, and somewhere with a capital inside a sentence."""
        inside = name in self._inside
        for line in lines:
            words = _words(line.text)
            if name in words.small:
                return False
            inside = inside or name in words.inside
        return inside


def remember_words(texts: Iterable[str]) -> None:
    """Look at the words of texts beforehand: for the texts of a whole film that takes long."""
    for text in texts:
        _words(text)


def can_find_names(language: str) -> bool:
    """Whether a language writes names otherwise than other nouns."""
    return primary_subtag(language) not in NOUNS_IN_CAPITALS


def _full_names(names: dict[str, list[SpokenLine]]) -> dict[str, list[SpokenLine]]:
    """Words of names with the lines that use them, those joined that stand together in the first line of either."""
    found: dict[str, list[SpokenLine]] = {}
    latest = ""
    for name, using in names.items():
        full = f"{latest} {name}"
        if latest and full in using[0].text:
            before = found.pop(latest)
            found[full] = sorted({*before, *using}, key=lambda line: line.start)
            latest = full
        else:
            found[name] = using
            latest = name
    return found


def _time(cue: Cue) -> tuple[int, str]:
    return cue.start, cue.id


def _people(script: Script) -> Iterable[str]:
    return {*(person.name for person in script.people), *(cue.speaker for cue in script.cues if cue.speaker)}


def _name_words(name: str) -> frozenset[str]:
    words = (folded(_POSSESSIVE.sub("", word)) for word in _WORD.findall(name))
    return frozenset(word for word in words if len(word) > 1)
