"""What stands around a word that may be a name, and shows whether it is one, and whose."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from adstudio.characters.name_index import articles, definite_articles
from adstudio.characters.name_lists import (
    ACTS,
    ADJECTIVES_OF_NAMES,
    AFTER_ADDRESS,
    CALENDAR,
    FUNCTION_WORDS,
    NOT_OWNED,
    PART_OF_PLACES,
    PERSONS_ACT,
    TIME_WORDS,
    UNCOUNTED_NAMES,
)
from adstudio.characters.name_words import Case, TextCase, TextWords, Word

_ACTS = ACTS - {"is", "was", "has", "does"}


@dataclass
class Surroundings:
    """The words of a text around one that may be a name."""

    text: str
    read: TextWords
    language: str
    ordinary: Collection[str]

    def __post_init__(self) -> None:
        self.words = self.read.words
        self.english = self.language.lower().split("-")[0] == "en"
        self.articles = articles(self.language)
        self.definite = definite_articles(self.language)

    def adjacent(self, one: Word, other: Word) -> bool:
        """Whether only white space is between two words."""
        return self.text[one.tail : other.start].isspace()

    def in_a_place(self, after: int) -> bool:
        """Whether a name that ends before a word goes on as a street or a firm does: Vale Street, Finch Brothers."""
        if after >= len(self.words):
            return False
        last, following = self.words[after - 1], self.words[after]
        adjacent = self.text[last.tail : following.start] == " " and not last.possessive
        return adjacent and following.key in PART_OF_PLACES and following.case in (Case.CAPITAL, Case.SHOUTED)

    def shown_as_name(self, place: int) -> bool:
        """Whether a word that is also a name is one here."""
        word = self.words[place]
        if word.case is Case.NONE:
            return word.key not in self.ordinary
        if self.read.case is TextCase.MIXED:
            if not word.opens:
                return self._no_time(place) and not self._with_article(place)
            if word.case is Case.SHOUTED:
                return True  # “ROSE enters”: a screenplay’s first appearance, or a shout
        return self.read.case in (TextCase.MIXED, TextCase.SHOUTED) and self._followed_as_name(place)

    def _no_time(self, place: int) -> bool:
        """Whether a month or a day is none here: not in May, not May 5."""
        word, before, following = self.words[place], self._before(place), self._after(place)
        if word.key not in CALENDAR:
            return True
        dated = following is not None and following.key.isdigit() and self.adjacent(word, following)
        return not dated and not (before is not None and before.key in TIME_WORDS and self.adjacent(before, word))

    def _with_article(self, place: int) -> bool:
        before = self._before(place)
        return before is not None and before.key in self.articles and self.adjacent(before, self.words[place])

    def _followed_as_name(self, place: int) -> bool:
        """Whether what follows shows it: Rose’s hand; Will!; Rose, wait; Will sits."""
        word, before, following = self.words[place], self._before(place), self._after(place)
        if following is None or following.opens:
            mark = self.text[word.tail : word.tail + 1]
            return mark in ("!", "?") and (before is None or word.opens)
        between = self.text[word.tail : following.start]
        if word.possessive and between.isspace():
            return following.key not in NOT_OWNED and not following.key.endswith(("ed", "ing"))
        if between.strip() == ",":
            return following.key in AFTER_ADDRESS
        # “Mark opens the door”: one that is counted would need an article.
        acts = following.key in (PERSONS_ACT if word.key in UNCOUNTED_NAMES else _ACTS)
        return between == " " and following.case is not Case.CAPITAL and acts

    def part_of_another(self, place: int, count: int, *, given: bool) -> bool:
        """Whether words around a name make it somebody else’s, or may: Tom Hanks, Anna Vale, Peeping Tom.

        `given`: it has a first name in it, which may follow a word that opens a sentence.
        """
        if self.read.case is not TextCase.MIXED:
            return False
        return self._goes_on(place + count) or self._begins_before(place, given=given)

    def _goes_on(self, after: int) -> bool:
        if after >= len(self.words) or self.words[after - 1].possessive:
            return False
        following = self.words[after]
        gap = self.text[self.words[after - 1].tail : following.start]
        more = gap == " " and following.case is Case.CAPITAL and following.key not in FUNCTION_WORDS
        return more or gap.strip() in ("&", "+")

    def _begins_before(self, place: int, *, given: bool) -> bool:
        before = self._before(place)
        if before is None or not self.adjacent(before, self.words[place]) or before.possessive:
            return False
        if before.key in self.articles:
            return given or not self.english or before.key in self.definite
        if before.case is not Case.CAPITAL or before.key in FUNCTION_WORDS or before.key in ADJECTIVES_OF_NAMES:
            return False
        return (not given and not before.key.endswith("ly")) if before.opens else len(before.written) > 1

    def _before(self, place: int) -> Word | None:
        return self.words[place - 1] if place else None

    def _after(self, place: int) -> Word | None:
        return self.words[place + 1] if place + 1 < len(self.words) else None
