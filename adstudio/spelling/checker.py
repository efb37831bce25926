"""Checking words by Enchant, which asks whichever dictionaries the system has (Hunspell's, Aspell's, its own).

Without the library or without a dictionary nothing is marked, and `problem` says why.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from adstudio.core.errors import OutsideFailureError
from adstudio.spelling.names import WORD, stem

MOST_SUGGESTIONS = 8
Span = tuple[int, int]


@dataclass(frozen=True)
class Dictionaries:
    """The dictionaries there are, by their tags, as `en_GB`; `problem` is why there are none."""

    tags: tuple[str, ...] = ()
    problem: str = ""


def dictionaries() -> Dictionaries:
    """Ask which dictionaries there are; takes some hundredths of a second at first."""
    try:
        import enchant  # pyright: ignore[reportMissingTypeStubs] - typed inside
    except ImportError:
        return Dictionaries(problem="Spelling is not checked: Enchant is missing. Install libenchant-2-2.")
    return Dictionaries(tuple(sorted(enchant.Broker().list_languages())))


def choose_dictionary(language: str, tags: Iterable[str], chosen: str = "", countries: Iterable[str] = ()) -> str:
    """The dictionary for a film's language, a tag such as `en` or `en-GB`; empty where there is none.

    The one that was chosen, if it is of the same language; else the film's own country's; else that of the first of
    `countries` (codes such as `GB`) that has one; else any of the language.
    """
    base = _base(language)
    there = {_plain_tag(tag): tag for tag in tags if _base(tag) == base}
    own = [language] if "_" in _plain_tag(language) else []
    wanted = (chosen, *own, *(f"{base}_{country}" for country in countries), base, *there)
    return next((there[tag] for tag in map(_plain_tag, wanted) if tag in there), "")


def _plain_tag(tag: str) -> str:
    return tag.replace("-", "_").casefold()


def _base(tag: str) -> str:
    return _plain_tag(tag).partition("_")[0]


class Speller:
    """Checks texts by a dictionary; names of the project are right as well, with a capital."""

    def __init__(self, tag: str, names: frozenset[str] = frozenset()) -> None:
        """Load the dictionary.

        Raises:
            OutsideFailureError: where it is damaged, or gone.
        """
        import enchant.errors  # pyright: ignore[reportMissingTypeStubs] - typed inside

        self.tag = tag
        self._broker = enchant.Broker()  # of its own: the one all share goes on with dictionaries that are gone
        try:
            self._dictionary = self._broker.request_dict(tag)
        except enchant.errors.Error as error:
            raise OutsideFailureError(f"Spelling is not checked: {tag} cannot be read ({error}).") from error
        self._names = names
        self._known: dict[str, bool] = {}

    def misspelled(self, text: str) -> list[Span]:
        """From where to where the words are that neither dictionary nor project knows."""
        return [match.span() for match in WORD.finditer(text) if not self.knows(match.group())]

    def knows(self, word: str) -> bool:
        """Whether a word is right."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._is_name(word) or self._dictionary.check(_plain(word))
        return known

    def suggestions(self, word: str) -> list[str]:
        """What may be meant, the likeliest first."""
        return self._dictionary.suggest(_plain(word))[:MOST_SUGGESTIONS]

    def ignore(self, word: str) -> None:
        """Take a word as right as long as this speller is used."""
        self._known[word] = True

    def add(self, word: str) -> None:
        """Take a word as right from now on, in every project: it goes into the user's own word list."""
        self._dictionary.add(_plain(word))
        self._known[word] = True

    def _is_name(self, word: str) -> bool:
        return len(word) == 1 or (word[:1].isupper() and stem(word).casefold() in self._names)


def _plain(word: str) -> str:
    return word.replace("’", "'").replace("ʼ", "'")
