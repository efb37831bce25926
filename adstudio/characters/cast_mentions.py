"""The mentions of a cast in one text after another of a film: what has been read is remembered."""

from __future__ import annotations

from collections.abc import Iterable

from adstudio.characters.mentions import Mention, mentions
from adstudio.characters.name_index import NameIndex
from adstudio.characters.name_words import Case, TextCase, text_words
from adstudio.core.cast import People


class CastMentions:
    """Finds a cast in a film's texts; words that its dialogue writes with small letters need more to be names."""

    def __init__(self, people: People, dialogue: Iterable[str], language: str) -> None:
        self.index = NameIndex(people)
        self.language = language
        self.ordinary = written_small(dialogue, self.index)
        self._known: dict[str, tuple[Mention, ...]] = {}

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """Whom a text mentions."""
        if not self.index.people:
            return ()
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = mentions(text, self.index, self.language, self.ordinary)
        return found


def written_small(texts: Iterable[str], index: NameIndex) -> frozenset[str]:
    """Words of a cast's names (keys) that texts with capitals write with a small letter: no sure names.

    Small words of names (van, the) are none of them.
    """
    return frozenset(
        word.key
        for each in map(text_words, texts)
        if each.case is TextCase.MIXED
        for word in each.words
        if word.case is Case.SMALL and index.may_start(word.key)
    )
