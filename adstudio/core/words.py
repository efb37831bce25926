"""What counts as a word: the one definition behind speaking rates, validators and prompts.

A word is a run without white space, long dashes, ellipses or slashes that contains a letter or a digit, so
punctuation does not count (the paper's candidate prompt) and “crash-helmet” is one word. Dashes and ellipses may be
typed as `--` and `...`. Scripts written without spaces are counted by character, two to a word: the ratio between
common speaking rates in Japanese (300 to 350 characters a minute) and English (150 to 180 words a minute).
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import category, normalize

from adstudio.core.spoken_form import spoken_form

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
)
_TYPED_BREAK = re.compile(r"-{2,}|\.{2,}")
_TOKEN = re.compile(rf"[{UNSPACED}]+|[^\s\u2013\u2014\u2015\u2026/\\{UNSPACED}]+")
_UNSPACED_START = re.compile(rf"[{UNSPACED}]")


_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'"})


def is_one_line(text: str) -> bool:
    """Whether a text is one line of characters that can be written anywhere; what joins letters is among them."""
    return not any(category(char) in {"Cc", "Cn", "Cs", "Zl", "Zp"} for char in text)


def composed(text: str) -> str:
    """A text in Unicode NFC, the form in which every imported text is stored.

    “Zoë” can be three characters or four; PDFs and some systems' file names use the longer form.
    """
    return normalize("NFC", text)


def folded(text: str) -> str:
    """A text in the form used for comparison: NFC, case-folded, with typewriter apostrophes."""
    return normalize("NFC", composed(text).casefold()).translate(_APOSTROPHES)


def words(text: str) -> list[str]:
    """A text's words in order, with their punctuation; unspaced scripts in pieces of two characters."""
    found: list[str] = []
    for token in _TOKEN.findall(_TYPED_BREAK.sub(" ", text)):
        if _UNSPACED_START.match(token):
            found += [token[i : i + 2] for i in range(0, len(token), 2)]
        elif any(char.isalnum() for char in token):
            found.append(token)
    return found


@lru_cache(4_096)
def count_words(text: str) -> int:
    """The number of words to be spoken: “20 °C” has three (`spoken_form`)."""
    return len(words(spoken_form(text)))


def opening_words(text: str, most: int) -> str:
    """The first words of a line, as a sentence quotes them that goes on: without the marks that it has itself.

    A line’s own full stop goes, and so does the comma before “…”; a question or an exclamation keeps its mark.
    """
    found = text.split()
    shown = " ".join(found[:most])
    if len(found) > most:
        return f"{shown.rstrip('.,;:…。、')}…"
    return shown[:-1] if shown.endswith((".", "。")) and not shown.endswith("..") else shown


def spoken_ms(text: str, words_per_minute: int) -> int:
    """Milliseconds to speak a text at a rate, rounded up (δ of the paper, section 3)."""
    return -(-count_words(text) * 60_000 // words_per_minute)
