"""People named in a text, linked to the cast: by name, part of a name, title and surname, short form, or role.

What is certain is linked; where a name may mean several people, or be no name at all, the mention says so (unsure) and
nobody is invented. A name that is a word as well (Will, Rose) is one within a sentence with a capital, and at the
beginning of one only where something else shows it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from adstudio.characters.name_evidence import Surroundings
from adstudio.characters.name_index import (
    Claim,
    Claimant,
    NameIndex,
    fitting,
    title_of,
)
from adstudio.characters.name_lists import (
    ACTS,
    FUNCTION_WORDS,
    GENERIC,
    SHORT_TITLES,
    WORD_NAMES,
    WRITE_TITLES_SMALL,
)
from adstudio.characters.name_words import Case, TextCase, Word, text_words, words_of_name
from adstudio.characters.unspaced_names import attached_mentions, unspaced_mentions
from adstudio.core.cast import Person
from adstudio.core.language_tags import primary_subtag


class MentionForm(Enum):
    """How somebody is mentioned."""

    NAME = "name"
    """By a name that the cast has, or a part of one."""
    TITLE = "title"
    """By title and name: Miss Vale."""
    SHORT = "short"
    """By a usual short form of the first name."""
    ROLE = "role"
    """By what they are, as the cast says it: the clerk."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody mentioned at `start` to `end` of a text, and the ids of those whom it may mean.

    `certain`: it surely mentions one of them; with one of them alone it is linked. `possessive`: “’s” follows, which is
    not part of it.
    """

    start: int
    end: int
    form: MentionForm
    people: tuple[str, ...]
    certain: bool
    possessive: bool = False

    @property
    def person(self) -> str | None:
        """Whom it certainly means (id); None where that is unsure."""
        return self.people[0] if self.certain and len(self.people) == 1 else None

    @property
    def names(self) -> bool:
        """Whether it says a name."""
        return self.form is not MentionForm.ROLE


def mentions(
    text: str, index: NameIndex, language: str = "en", ordinary: Collection[str] = frozenset()
) -> tuple[Mention, ...]:
    """The people of a cast whom a text mentions, in order, none overlapping.

    `ordinary` are keys of words that the film's texts also write with a small letter: they may be no names.
    """
    finder = _Finder(text, text_words(text), language, ordinary, index)
    found = list(finder.mentions())
    taken = [(each.start, each.end) for each in found]
    more = (*unspaced_mentions(text, index), *attached_mentions(text_words(text), index, language))
    for start, end, people, sure in more:
        if all(end <= first or start >= last for first, last in taken):
            found += finder.titled(Mention(start, end, MentionForm.NAME, people, sure))
            taken.append((start, end))
    return tuple(sorted(found, key=lambda each: each.start))


@dataclass
class _Finder(Surroundings):
    index: NameIndex

    def __post_init__(self) -> None:
        super().__post_init__()
        self.language_writes_small = primary_subtag(self.language) in WRITE_TITLES_SMALL

    def mentions(self) -> Iterator[Mention]:
        place = 0
        while place < len(self.words):
            mention, used = self._at(place)
            if mention is not None:
                yield mention
            place += max(used, 1)

    def _at(self, place: int) -> tuple[Mention | None, int]:
        """The mention that begins with a word, and how many words it takes."""
        longest = self.index.longest if self.index.may_start(self.words[place].key) else 0
        for count in range(min(longest, len(self.words) - place), 0, -1):
            run = self.words[place : place + count]
            if not self._together(run):
                continue
            keys = tuple(word.key for word in run)
            role = self._role(place, count, keys)
            if role is not None:
                return role, count
            found = self._name(place, count, keys)
            if found is not None:
                return found, count
        return self._family(place), 1

    def _together(self, run: Sequence[Word]) -> bool:
        """Whether words follow one another with no more than a space or the stop of an initial between them."""
        for one, other in pairwise(run):
            between = self.text[one.tail : other.start]
            initial = len(one.written) == 1 or one.key in SHORT_TITLES
            if one.tail != one.end or between.strip() not in ("", "." if initial else "") or len(between) > 3:
                return False
        return True

    # Names

    def _name(self, place: int, count: int, keys: tuple[str, ...]) -> Mention | None:
        claimed = self.index.claimants(keys)
        if not claimed:
            return None
        run = self.words[place : place + count]
        if not self._written_as_name(run):
            if self.read.case is not TextCase.SMALL or (count == 1 and self._is_word(run[0])):
                return None
            people = tuple(each.person.id for each in claimed)
            return Mention(run[0].start, run[-1].end, MentionForm.NAME, people, certain=False)
        start, titles = self._titles(place)
        people = fitting(self.index.bearers(keys), titles) if titles else [each.person for each in claimed]
        if not people:
            return None
        initial = "" if titles else self._initial(place)
        people = [person for person in people if not initial or _begins_with(person, initial)]
        if not people or self.in_a_place(place + count):
            return None
        certain = bool(titles or initial) or self._certain(place, count, claimed[0])
        form = (
            MentionForm.TITLE if titles else MentionForm.SHORT if claimed[0].claim is Claim.SHORT else MentionForm.NAME
        )
        last = run[-1]
        ids = tuple(dict.fromkeys(person.id for person in people))
        return Mention(start, last.end, form, ids, certain, last.possessive)

    def _written_as_name(self, run: Sequence[Word]) -> bool:
        if any(word.case is Case.NONE for word in run):
            return True
        if run[0].case is Case.SMALL:
            # Somebody may be written so by the cast itself: bell hooks.
            written = " ".join(word.written for word in run)
            return any(written in person.names for person in self.index.people)
        return all(word.case is not Case.SMALL or at for at, word in enumerate(run)) and run[-1].case is not Case.SMALL

    def titled(self, mention: Mention) -> list[Mention]:
        """A name of more than its letters (Vales Hut) with the titles before it; nobody where they do not fit."""
        place = next((at for at, word in enumerate(self.words) if word.start == mention.start), 0)
        start, titles = self._titles(place)
        if not titles:
            return [mention]
        people = fitting([person for person in self.index.people if person.id in mention.people], titles)
        ids = tuple(person.id for person in people)
        titled = replace(mention, start=start, form=MentionForm.TITLE, people=ids, certain=True)
        return [titled] if ids else []

    def _titles(self, place: int) -> tuple[int, list[str]]:
        """Where a mention begins whose name does at a word, and the titles before that: Frau Dr. Vale."""
        found: list[str] = []
        while found != (more := [*self._title(place - len(found) - 1), *found]):
            found = more
        return self.words[place - len(found)].start, found

    def _title(self, place: int) -> list[str]:
        """The title that a word is for the one behind it; none for any other word."""
        if place < 0:
            return []
        word, following = self.words[place], self.words[place + 1]
        title = title_of(word.key, self.language)
        gap = self.text[word.tail : following.start]
        joined = bool(gap) and gap.strip() in ("", "." if word.key in SHORT_TITLES else "")
        # “je me Vale”, “l’an m Vale”: an abbreviation has a capital, wherever a title has none.
        small = self.language_writes_small and len(word.written) > 2
        return [title] if title and joined and (word.case is not Case.SMALL or small) else []

    def _initial(self, place: int) -> str:
        """The initial before a surname, as its key: N. Vale; empty if there is none."""
        if not place:
            return ""
        before, first = self.words[place - 1], self.words[place]
        if len(before.written) != 1 or before.case is not Case.CAPITAL or before.key in ("i", "a"):
            return ""
        return before.key if self.text[before.tail : first.start].strip() == "." else ""

    def _certain(self, place: int, count: int, claimant: Claimant) -> bool:
        if self.read.case is TextCase.SMALL:
            return False
        if count == 1 and self._is_word(self.words[place]) and not self.shown_as_name(place):
            return False
        whole = claimant.given and claimant.family and count > 1
        return whole or not self.part_of_another(place, count, given=claimant.given)

    def _is_word(self, word: Word) -> bool:
        return word.key in self.ordinary or (self.english and word.key in WORD_NAMES)

    # Roles and descriptions

    def _role(self, place: int, count: int, keys: tuple[str, ...]) -> Mention | None:
        first, last = self.words[place], self.words[place + count - 1]
        if keys in self.index.phrases:
            people = self.index.phrases[keys]
            known = count > 2 or keys[-1] not in GENERIC
            return _role(first, last, people, certain=known and not self._noun_follows(place + count))
        people = self.index.roles.get(keys, [])
        if not people or self.index.claimants(keys):
            return None
        before = self.words[place - 1] if place else None
        article = before is not None and before.key in self.articles and self.adjacent(before, first)
        shouted = first.case is Case.SHOUTED and self.read.case is not TextCase.SHOUTED
        if article and before is not None:
            start, certain = before, before.key in self.definite
        elif before is not None and self._article_before_adjective(place):
            start, certain = first, False
        elif shouted:
            start, certain = first, True
        elif first.case is Case.CAPITAL and self.read.case is TextCase.MIXED:
            start, certain = first, not first.opens and count == 1
        else:
            return None
        generic = count == 1 and keys[0] in GENERIC and not shouted
        certain = certain and not generic and not self._noun_follows(place + count)
        return _role(start, last, people, certain=certain)

    def _article_before_adjective(self, place: int) -> bool:
        for back in (2, 3):
            if place < back:
                return False
            words = self.words[place - back : place + 1]
            if not all(self.adjacent(one, other) for one, other in pairwise(words)):
                return False
            if words[0].key in self.articles:
                return not any(word.key in FUNCTION_WORDS for word in words[1:-1])
        return False

    def _noun_follows(self, after: int) -> bool:
        """Whether a noun may follow that the role only belongs to: the guard dog."""
        if after >= len(self.words) or not self.english:
            return False
        last, following = self.words[after - 1], self.words[after]
        if last.possessive or self.text[last.tail : following.start] != " ":
            return False
        key = following.key
        return not (key in FUNCTION_WORDS or key in ACTS or key.endswith(("ly", "ing", "ed")))

    def _family(self, place: int) -> Mention | None:
        """All who share a surname, where it is in the plural: the Vales."""
        word = self.words[place]
        if not self.english or not place or word.case is Case.SMALL or not word.key.endswith("s"):
            return None
        before = self.words[place - 1]
        if before.key != "the" or not self.adjacent(before, word):
            return None
        names = [word.key.removesuffix("es"), word.key[:-1]]
        people = {each.person.id for name in names for each in self.index.claimants((name,)) if each.family}
        ids = tuple(person.id for person in self.index.people if person.id in people)
        return Mention(word.start, word.end, MentionForm.NAME, ids, certain=False) if ids else None


def _begins_with(person: Person, initial: str) -> bool:
    return any(len(keys) > 1 and keys[0][0] == initial for keys in map(words_of_name, person.names))


def _role(first: Word, last: Word, people: Sequence[Person], *, certain: bool) -> Mention:
    ids = tuple(dict.fromkeys(person.id for person in people))
    return Mention(first.start, last.end, MentionForm.ROLE, ids, certain, last.possessive)
