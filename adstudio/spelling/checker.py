"""Checking words by Enchant, which asks whichever dictionaries the system has (Hunspell's, Aspell's, its own).

Without the library or without a dictionary nothing is marked, and `problem` says why.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adstudio.core.errors import OutsideFailureError
from adstudio.spelling.names import WORD, stem

if TYPE_CHECKING:
    import enchant  # pyright: ignore[reportMissingTypeStubs] - typed inside

MOST_SUGGESTIONS = 8
USUAL = {"en": "en_US"}
"""The dictionary of a language where neither film nor system says which country’s, and none is for all of them."""

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


def choose_dictionary(language: str, tags: Iterable[str], preferred: Iterable[str] = ()) -> str | None:
    """The dictionary for a film's language, a tag such as `en` or `en-GB`; None where there is none.

    The first of those preferred that is of the same language; else the film's own country's, one for all countries, the
    usual one, or the first.
    """
    wanted = language.replace("-", "_")
    base = _base(wanted)
    there = [tag for tag in tags if _base(tag) == base]
    order = [*preferred, wanted, base, USUAL.get(base, ""), f"{base}_{base.upper()}", *there]
    folded = {tag.replace("-", "_").casefold(): tag for tag in there}
    return next((folded[key] for tag in order if (key := tag.replace("-", "_").casefold()) in folded), None)


def _base(tag: str) -> str:
    return tag.replace("-", "_").partition("_")[0].casefold()


class Speller:
    """Checks texts by one dictionary; names of the project are right as well, with a capital."""

    def __init__(self, tag: str, names: frozenset[str] = frozenset()) -> None:
        """Load a dictionary.

        Raises:
            OutsideFailureError: where it is damaged, or gone.
        """
        import enchant.errors  # pyright: ignore[reportMissingTypeStubs] - typed inside

        self.tag = tag
        try:
            self._dictionary: enchant.Dict = enchant.Dict(tag)
        except enchant.errors.Error as error:
            raise OutsideFailureError(
                f"Spelling is not checked: the dictionary {tag} cannot be read ({error})."
            ) from error
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
