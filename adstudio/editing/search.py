"""Looking for words, or for a regular expression, in the texts of a script, within a limit of time.

An expression such as `(a+)+$` can take longer than anybody waits; the `regex` package, unlike `re`, ends it in time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

from adstudio.core.words import composed
from adstudio.editing.change import EditRefused

if TYPE_CHECKING:
    import regex

LONGEST_SEARCH = 500
"""Characters of a search; more is cut."""
SECONDS = 1.0
"""How long an expression may take for all texts together, what takes no time worth mentioning left aside."""
MENTIONABLE = 0.002
MOST_MATCHES = 10_000
"""In one text."""

_APOSTROPHES = frozenset("'’ʼ")
_ANY_APOSTROPHE = "['’ʼ]"
Span = tuple[int, int]


@dataclass(frozen=True)
class Search:
    """What to look for. Words are found with either apostrophe and, unless `match_case`, whatever their case."""

    text: str = ""
    is_regex: bool = False
    match_case: bool = False
    whole_words: bool = False

    @property
    def problem(self) -> str:
        """Why the regular expression is invalid; empty if it is valid."""
        return self._compiled if isinstance(self._compiled, str) else ""

    @cached_property
    def _compiled(self) -> regex.Pattern[str] | str:
        import regex  # when something is looked for

        wanted = composed(self.text[:LONGEST_SEARCH])
        if not self.is_regex:
            wanted = "".join(_ANY_APOSTROPHE if char in _APOSTROPHES else regex.escape(char) for char in wanted)
        if self.whole_words:
            wanted = rf"(?<!\w)(?:{wanted})(?!\w)"
        try:
            return regex.compile(wanted, 0 if self.match_case else regex.IGNORECASE | regex.FULLCASE)
        except (regex.error, RecursionError, OverflowError, ValueError, MemoryError) as error:
            return f"Invalid regular expression: {error}"

    def finder(self) -> Finder:
        """Begin to look through texts."""
        return Finder(None if not self.text or isinstance(self._compiled, str) else self._compiled, self.is_regex)


class Finder:
    """Looks through texts; finds nothing without a valid pattern, and nothing more once it has taken too long."""

    def __init__(self, pattern: regex.Pattern[str] | None, is_regex: bool) -> None:
        self._pattern, self._is_regex = pattern, is_regex
        self._left = SECONDS
        self.problem = ""
        """Why it has found nothing more."""

    def spans(self, text: str) -> list[Span]:
        """From where to where it is found; never of no characters."""
        return [match.span() for match in self._matches(text)]

    def contains(self, text: str) -> bool:
        """Whether it is found."""
        return next(self._matches(composed(text)), None) is not None

    def replaced(self, text: str, by: str) -> tuple[str, int]:
        """The text with every match replaced, and how often; of an expression, `by` may name groups by their numbers.

        Raises:
            EditRefused: where `by` is no valid replacement, or the expression takes too long.
        """
        parts: list[str] = []
        end = times = 0
        for match in self._matches(text):
            parts += [text[end : match.start()], self._expanded(match, by)]
            end, times = match.end(), times + 1
        if self.problem:
            raise EditRefused(self.problem)
        return composed("".join([*parts, text[end:]])), times

    def _expanded(self, match: regex.Match[str], by: str) -> str:
        if not self._is_regex:
            return by
        import regex

        try:
            return match.expand(by)
        except (regex.error, IndexError, ValueError) as error:
            raise EditRefused(f"“{by}” is not a valid replacement: {error}.") from None

    def _matches(self, text: str) -> Iterator[regex.Match[str]]:
        if self._pattern is None or self.problem or not text:
            return
        began = perf_counter()
        try:
            found = self._pattern.finditer(text, timeout=self._left)
            for number, match in enumerate(found):
                if number >= MOST_MATCHES:
                    break
                if match.end() > match.start():
                    yield match
        except TimeoutError:
            self._left = 0.0
        finally:
            taken = perf_counter() - began
            if taken > MENTIONABLE:
                self._left -= taken
            if self._left <= 0:
                self.problem = "This regular expression takes too long: make it simpler."
