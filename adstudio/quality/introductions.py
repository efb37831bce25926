"""Which names the dialogue says, and when first, as far as that is certain (N1). A false alarm costs more than a miss.

The people of the cast are found as everywhere (`characters.mentions`). Where the cast is not known, names are those of
the speakers of cues, and words after a title in dialogue; such a word is only taken for a name if it is never written
with a small letter and is somewhere written with a capital inside a sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from adstudio.characters.cast_mentions import CastMentions
from adstudio.characters.introductions import SPOKEN, NameTimes
from adstudio.characters.name_lists import ROLES, SHORT_TITLES, TITLES
from adstudio.characters.name_words import text_words
from adstudio.core.language_tags import primary_subtag
from adstudio.core.naming import NamingPolicy
from adstudio.core.script import Cue, Script
from adstudio.core.words import folded
from adstudio.quality.findings import EarlyName, Finding
from adstudio.quality.rules import EARLY_NAME
from adstudio.quality.spoken import SpokenLine

NOUNS_IN_CAPITALS = frozenset({"de", "lb"})
"""Languages that write every noun with a capital, so that a name cannot be told from one."""


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
                if title and text[title.end() : start].strip() in ("", "." if folded(title[0]) in SHORT_TITLES else ""):
                    after_title.add(name)
        title = match if written[:1].isupper() and name in TITLES else None
    return _Words(capital, frozenset(inside), frozenset(small), frozenset(after_title))


class Introductions:
    """Who is introduced when in a script: its cast, and others whom it names, each by any part of the name."""

    def __init__(self, script: Script, cast: CastMentions | None = None) -> None:
        cues = sorted((cue for cue in script.cues if cue.kind in SPOKEN), key=_time)
        self.cast = cast or cast_mentions(script)
        self._times = NameTimes.of(script.people, cues, script.film.language, NamingPolicy.ONCE_SAID, self.cast)
        texts = [_words(cue.text) for cue in cues]
        self._small = frozenset[str]().union(*(each.small for each in texts))
        self._inside = frozenset[str]().union(*(each.inside for each in texts))
        said: dict[str, Cue] = {}
        for cue, each in zip(cues, texts, strict=True):
            for name in each.capital:
                said.setdefault(name, cue)
        index = self.cast.index
        people = {_name_words(each) for each in _speakers(script) if index.called(each) is None}
        people |= {frozenset({name}) for each in texts for name in each.after_title if not index.may_start(name)}
        first: dict[str, list[Cue]] = defaultdict(list)
        for person in people:
            found = [said[name] for name in person if name in said]
            for name in person if found else ():
                first[name].append(min(found, key=_time))
        # Whoever of them it is: the word is known once one of them is introduced.
        self.cues = {
            name: min(found, key=_time)
            for name, found in first.items()
            if name not in TITLES and name not in ROLES and name not in self._small and not index.may_start(name)
        }

    def findings(self, lines: Sequence[SpokenLine]) -> Iterator[Finding]:
        """N1: names that lines use before the dialogue says them, each once."""
        yield from self._of_the_cast(lines)
        yield from self._of_others(lines)

    def _of_the_cast(self, lines: Sequence[SpokenLine]) -> Iterator[Finding]:
        early: dict[tuple[str, ...], dict[str, list[SpokenLine]]] = {}
        for line in lines:
            for each in self.cast.mentions(line.text):
                if self._times.too_early(each, line.start):
                    name = line.text[each.start : each.end]
                    early.setdefault(each.people, {}).setdefault(name, []).append(line)
        for people, names in early.items():
            first = min((self._times.introduced[person] for person in people), key=lambda each: (each.time, each.cue))
            name = next(iter(names))
            using = {line.id: line for each in names.values() for line in each}
            start, span = min(((line.start, line.span) for line in using.values()), key=lambda each: each[0])
            facts = EarlyName(name, start, first.cue, first.time)
            yield Finding(EARLY_NAME, EARLY_NAME.level, tuple(using), span, facts)

    def _of_others(self, lines: Sequence[SpokenLine]) -> Iterator[Finding]:
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


def cast_mentions(script: Script) -> CastMentions:
    """What finds a script's cast in its texts; the first look at each text takes long, so it can be done beforehand."""
    spoken = [cue.text for cue in script.cues if cue.kind in SPOKEN]
    return CastMentions(script.people, spoken, script.film.language)


def remember_words(texts: Iterable[str]) -> None:
    """Look at the words of texts beforehand: for the texts of a whole film that takes long."""
    for text in texts:
        _words(text)
        text_words(text)


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


def _speakers(script: Script) -> Iterable[str]:
    return {cue.speaker for cue in script.cues if cue.speaker}


def _name_words(name: str) -> frozenset[str]:
    words = (folded(_POSSESSIVE.sub("", word)) for word in _WORD.findall(name))
    return frozenset(word for word in words if len(word) > 1)
