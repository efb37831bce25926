"""Checking words by Enchant, which asks whichever dictionaries the system has (Hunspell's, Aspell's, its own).

Without the library or without a dictionary nothing is marked, and `problem` says why.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adstudio.core.errors import OutsideFailureError
from adstudio.spelling.names import WORD, stem

if TYPE_CHECKING:
    import enchant  # pyright: ignore[reportMissingTypeStubs] - typed inside

MOST_SUGGESTIONS = 8
MOST_DICTIONARIES = 4
"""Of one language, as each takes up to a tenth of a second to load; Spanish has more than twenty, all but equal."""
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


def choose_dictionaries(
    language: str, tags: Iterable[str], chosen: str = "", countries: Iterable[str] = ()
) -> tuple[str, ...]:
    """The dictionaries for a film's language, a tag such as `en` or `en-GB`, the preferred one first.

    Only the one that was chosen, if it is of the same language. Else, where the language has a country, only that one's
    or, if there is none, the preferred one; where it has no country, all of the language, up to `MOST_DICTIONARIES`.
    Those of `countries` (codes such as `GB`) are preferred, in their order.
    """
    base = _base(language)
    there = {_plain_tag(tag): tag for tag in tags if _base(tag) == base}
    own = [language] if "_" in _plain_tag(language) else []
    wanted = (chosen, *own, *(f"{base}_{country}" for country in countries), base, *there)
    found = tuple(dict.fromkeys(there[tag] for tag in map(_plain_tag, wanted) if tag in there))
    return found[:1] if own or _plain_tag(chosen) in there else found[:MOST_DICTIONARIES]


def _plain_tag(tag: str) -> str:
    return tag.replace("-", "_").casefold()


def _base(tag: str) -> str:
    return _plain_tag(tag).partition("_")[0]


class Speller:
    """Checks texts by dictionaries of a language; names of the project are right as well, with a capital.

    A word is right that any of the dictionaries knows. Those after the first are loaded when a word is not in it.
    """

    def __init__(self, tag: str, names: frozenset[str] = frozenset(), others: Iterable[str] = ()) -> None:
        """Load the first dictionary.

        Args:
            tag: The preferred dictionary: its suggestions come first, and words are added to it.
            names: The project's names, case-folded.
            others: Further dictionaries; one that is damaged or gone is left out.

        Raises:
            OutsideFailureError: where the first is damaged, or gone.
        """
        import enchant.errors  # pyright: ignore[reportMissingTypeStubs] - typed inside

        self.tag = tag
        self.tags = (tag, *others)
        self._broker = enchant.Broker()  # of its own: the one all share goes on with dictionaries that are gone
        try:
            self._dictionary = self._broker.request_dict(tag)
        except enchant.errors.Error as error:
            raise OutsideFailureError(f"Spelling is not checked: {tag} cannot be read ({error}).") from error
        self._further: list[enchant.Dict] | None = None
        self._names = names
        self._known: dict[str, bool] = {}

    def use_names(self, names: frozenset[str]) -> None:
        """Take these names as the project's, and forget what was ignored: the dictionaries stay loaded."""
        self._names = names
        self._known.clear()

    def misspelled(self, text: str) -> list[Span]:
        """From where to where the words are that neither dictionary nor project knows."""
        return [match.span() for match in WORD.finditer(text) if not self.knows(match.group())]

    def knows(self, word: str) -> bool:
        """Whether a word is right."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._is_name(word) or self._has(_plain(word))
        return known

    def suggestions(self, word: str) -> list[str]:
        """What may be meant, the likeliest first."""
        found: dict[str, None] = {}
        for dictionary in (self._dictionary, *self._rest()):
            found.update(dict.fromkeys(dictionary.suggest(_plain(word))))
            if len(found) >= MOST_SUGGESTIONS:
                break
        return list(found)[:MOST_SUGGESTIONS]

    def ignore(self, word: str) -> None:
        """Take a word as right as long as this speller is used."""
        self._known[word] = True

    def add(self, word: str) -> None:
        """Take a word as right from now on, in every project: it goes into the user's own word list."""
        self._dictionary.add(_plain(word))
        self._known[word] = True

    def _has(self, word: str) -> bool:
        return self._dictionary.check(word) or any(dictionary.check(word) for dictionary in self._rest())

    def _rest(self) -> list[enchant.Dict]:
        """The dictionaries after the first, each of which takes up to a tenth of a second to load."""
        if self._further is None:
            import enchant.errors  # pyright: ignore[reportMissingTypeStubs] - typed inside

            self._further = []
            for tag in self.tags[1:]:
                with suppress(enchant.errors.Error):
                    self._further.append(self._broker.request_dict(tag))
        return self._further

    def _is_name(self, word: str) -> bool:
        return len(word) == 1 or (word[:1].isupper() and stem(word).casefold() in self._names)


def _plain(word: str) -> str:
    return word.replace("’", "'").replace("ʼ", "'")
