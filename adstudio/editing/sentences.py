"""Capitals and stops where a wording is cut in two, or several are run together.

A wording that is written without a full stop stays without one, and scripts without capitals stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_CLOSERS = r"[\s”’»›\"')\]）」』]*"
_STOP = re.compile(rf"([.!?…。！？])({_CLOSERS})\Z")
"""The mark that ends a sentence, and what closes after it."""
_PAUSE = re.compile(r"[\s,;:，、；：–—-]+\Z")
"""What ends a clause, but no sentence."""
_LETTER = re.compile(r"[^\W\d_]")
_FIRST_WORD = re.compile(r"[^\w“”„\"«»‘]*([^\W\d_]+)")
"""Not within a quotation, which has the letters of what it quotes, and not behind a number."""
_IDEOGRAPHIC_STOP = "。"


def two_sentences(text: str, first: str, second: str) -> tuple[str, str]:
    """The two parts of a text as sentences of their own: the first gets a stop, the second a capital.

    So they are only where the text itself ends with a stop, or begins with a capital.
    """
    stop = _STOP.search(text)
    if stop and not _STOP.search(first):
        mark = _IDEOGRAPHIC_STOP if stop[1] in "。！？" else "."
        bare = _PAUSE.sub("", first)
        first = f"{bare or first}{mark}"
    if _starts_with_capital(text):
        second = _capitalised(second)
    return first, second


def run_together(parts: Iterable[str], names: Collection[str] = ()) -> str:
    """Wordings as one text.

    What goes on with a small letter loses the full stop before it; a new sentence gets one before it, unless it may
    only be a name (one of `names`, case-folded) that the sentence before goes on with. Marks of speech stay.
    """
    text = ""
    for part in (part.strip() for part in parts):
        if not part:
            continue
        if text and goes_on(part):
            text = re.sub(r"(?<![.…])\.\Z", "", text)
        elif text and not _STOP.search(text) and not _PAUSE.search(text) and _starts_with_capital(part):
            first = re.match(r"[\w’'-]+", part)
            known = first is not None and first[0].casefold().removesuffix("’s").removesuffix("'s") in names
            text += "" if known else "."
        text = f"{text} {part}" if text else part
    return text


def goes_on(text: str) -> bool:
    """Whether a wording begins with a small letter, as what goes on with a sentence does.

    A number, a quotation or a name such as iPhone begins a sentence of its own; so do letters that sentences begin with
    as they are, as in Georgian.
    """
    found = _FIRST_WORD.match(text)
    return found is not None and found[1].islower() and found[1][0] != found[1][0].title()


def _starts_with_capital(text: str) -> bool:
    found = _LETTER.search(text)
    return found is not None and found[0].isupper()


def _capitalised(text: str) -> str:
    found = _LETTER.search(text)
    # A sign or a number before it, as in “3rd”, is where the sentence begins.
    if found is None or re.search(r"\w", text[: found.start()]):
        return text
    return text[: found.start()] + found[0].upper()[:1] + text[found.end() :]
