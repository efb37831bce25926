"""Which word is meant: the selected one, the one at the text cursor, or a line's first name that no dictionary has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from adstudio.core.words import folded
from adstudio.spelling.names import stem

MOST_WORDS = 4
"""A selection of more is a passage, no word."""
_WORD = re.compile(r"[^\W_]+(?:['’ʼ‐‑-][^\W_]+)*")


def selected_word(selection: str) -> str:
    """The word, or the name of a few words, that is selected; empty where that is nothing, or a whole passage."""
    plain = " ".join(selection.split())
    found = _WORD.findall(plain)
    return stem(plain.strip(".,;:!?…“”\"'‘’()[]– ")) if 0 < len(found) <= MOST_WORDS else ""


def word_at(text: str, offset: int) -> str:
    """The word that a text cursor is in or beside, without its genitive; empty where there is none."""
    found = next((match for match in _WORD.finditer(text) if match.start() <= offset <= match.end()), None)
    return "" if found is None else stem(found[0])


def likely_name(text: str, misspelled: Sequence[tuple[int, int]], names: Iterable[str], known: Iterable[str]) -> str:
    """The word of a text that most likely needs a pronunciation: empty where none does.

    That is the first with a capital that no dictionary has or that is one of the project's `names` (case-folded), else
    the first with a capital inside a sentence; what has one already (`known`) comes last.
    """
    have, of_project = {folded(word) for word in known}, set(names)
    capital = [match for match in _WORD.finditer(text) if match[0][:1].isupper()]
    capital = [match for match in capital if folded(stem(match[0])) not in have]
    strange = [
        match
        for match in capital
        if stem(match[0]).casefold() in of_project or any(a <= match.start() < b for a, b in misspelled)
    ]
    inside = [match for match in capital if not _begins_sentence(text, match.start())]
    old = [match for match in _WORD.finditer(text) if folded(stem(match[0])) in have]
    return next((stem(match[0]) for match in (*strange, *inside, *old)), "")


def _begins_sentence(text: str, place: int) -> bool:
    before = text[:place].rstrip(" \t\n“\"‘'(–—-")
    return not before or before[-1] in ".!?…:"
