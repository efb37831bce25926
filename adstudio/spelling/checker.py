"""Checking words by Enchant, which asks whichever dictionaries the system has (Hunspell's, Aspell's, its own).

Without the library or without a dictionary nothing is marked, and `problem` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def choose_dictionaries(language: str, tags: Iterable[str], chosen: str = "") -> tuple[str, ...]:
    """The dictionaries for a film's language, a tag such as `en` or `en-GB`; empty where there is none.

    The one that was chosen, if it is of the same language; else the film's own country's; else, since nothing says
    which country's spelling it has, all of the language: what one of them knows is right.
    """
    base = _base(language)
    there = tuple(tag for tag in tags if _base(tag) == base)
    for wanted in (chosen, language):
        found = tuple(tag for tag in there if _plain_tag(tag) == _plain_tag(wanted))
        if found and (wanted == chosen or "_" in _plain_tag(wanted)):
            return found
    return there


def _plain_tag(tag: str) -> str:
    return tag.replace("-", "_").casefold()


def _base(tag: str) -> str:
    return _plain_tag(tag).partition("_")[0]


class Speller:
    """Checks texts by some dictionaries of one language; names of the project are right as well, with a capital."""

    def __init__(self, tags: Sequence[str], names: frozenset[str] = frozenset()) -> None:
        """Load the dictionaries; the first one suggests, and takes what is added.

        Raises:
            OutsideFailureError: where one is damaged, or gone.
        """
        import enchant.errors  # pyright: ignore[reportMissingTypeStubs] - typed inside

        self.tags = tuple(tags)
        self._broker = enchant.Broker()  # of its own: the one all share goes on with dictionaries that are gone
        try:
            self._dictionaries = [self._broker.request_dict(tag) for tag in self.tags]
        except enchant.errors.Error as error:
            names_of = ", ".join(self.tags)
            raise OutsideFailureError(f"Spelling is not checked: {names_of} cannot be read ({error}).") from error
        self._names = names
        self._known: dict[str, bool] = {}

    def misspelled(self, text: str) -> list[Span]:
        """From where to where the words are that neither dictionary nor project knows."""
        return [match.span() for match in WORD.finditer(text) if not self.knows(match.group())]

    def knows(self, word: str) -> bool:
        """Whether a word is right."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._is_name(word) or self._is_listed(_plain(word))
        return known

    def suggestions(self, word: str) -> list[str]:
        """What may be meant, the likeliest first."""
        return self._dictionaries[0].suggest(_plain(word))[:MOST_SUGGESTIONS]

    def ignore(self, word: str) -> None:
        """Take a word as right as long as this speller is used."""
        self._known[word] = True

    def add(self, word: str) -> None:
        """Take a word as right from now on, in every project: it goes into the user's own word list."""
        self._dictionaries[0].add(_plain(word))
        self._known[word] = True

    def _is_listed(self, word: str) -> bool:
        return any(each.check(word) for each in self._dictionaries)

    def _is_name(self, word: str) -> bool:
        return len(word) == 1 or (word[:1].isupper() and stem(word).casefold() in self._names)


def _plain(word: str) -> str:
    return word.replace("’", "'").replace("ʼ", "'")
