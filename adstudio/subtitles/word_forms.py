"""Whether words could be those of a script: a reading in the wrong encoding makes words that break its habits."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

_WORD = re.compile(r"[^\W\d_][^\W\d_\u0300-\u036f\u064b-\u0652\u05b0-\u05c7]*")
_THAI = re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e]+")
# In Serbian and Macedonian, р can be the vowel.
_CYRILLIC_SYLLABLE = re.compile("[аеёиоуыэюяіїєўър]+")
_GREEK_SYLLABLE = re.compile("[αεηιουωάέήίόύώϊϋΐΰ]+")
_THAI_MARK = re.compile("[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]")
_THAI_VOWEL = re.compile("[\u0e30-\u0e39\u0e40-\u0e44]")
_GREEK_ACCENTED = re.compile("[άέήίόύώΐΰ]")


def is_letter(char: str) -> bool:
    """Whether a character is a letter or a mark upon one."""
    return char.isalpha() or "\u0300" <= char <= "\u036f" or "\u0e30" <= char <= "\u0e4e"


@lru_cache(1_024)
def script_of(char: str) -> str:
    """A letter's script as its name says: LATIN, CYRILLIC, GREEK; "" for marks and what is no letter."""
    name = unicodedata.name(char, "").split(" ", 1)[0] if is_letter(char) else ""
    return {"COMBINING": "", "HIRAGANA": "CJK", "KATAKANA": "CJK", "HALFWIDTH": "CJK", "HANGUL": "CJK"}.get(name, name)


def main_script(text: str) -> str:
    """The script of most letters beyond ASCII; East Asian ones count as one."""
    counts = Counter(script for char in text if not char.isascii() and (script := script_of(char)))
    return max(counts, key=lambda script: counts[script], default="")


def words_of(text: str) -> list[str]:
    """The words with letters beyond ASCII."""
    return [word for word in (*_WORD.findall(text), *_THAI.findall(text)) if not word.isascii()]


def misformed(word: str) -> bool:
    """Whether a word breaks the habits of its script."""
    letters = [char for char in word if not char.isascii()]
    script = script_of(letters[0])
    if any(script_of(char) not in (script, "") for char in letters):
        return True
    if script == "LATIN":
        # In no language are words of several letters spelt without any of ASCII’s.
        return len(letters) == len(word) > 1 or _odd_latin(word)
    habit = _HABITS.get(script)
    return len(letters) < len(word) or _odd_case(word) or (habit is not None and habit(word))


def _odd_case(word: str) -> bool:
    return not (word.islower() or word.isupper() or word[1:].islower()) and word.lower() != word.upper()


def _odd_latin(word: str) -> bool:
    # “McCafé” is a name, “cafÉ” is no word.
    return any(letter.isupper() and not letter.isascii() and before.islower() for before, letter in pairwise(word))


def _odd_cyrillic(word: str) -> bool:
    lower = word.lower()
    return lower[0] in "ьы" or (len(word) > 2 and not _CYRILLIC_SYLLABLE.search(lower))


def _odd_greek(word: str) -> bool:
    lower = word.lower()
    syllables = len(_GREEK_SYLLABLE.findall(lower))
    if "ς" in word[:-1] or (len(word) > 1 and word[-1] == "σ") or (len(word) > 2 and not syllables):
        return True
    # Each word of several syllables has an accent, except in capitals.
    return syllables > 1 and not word.isupper() and not _GREEK_ACCENTED.search(lower)


def _odd_hebrew(word: str) -> bool:
    # Foreign words can end in a pe that is not a final one.
    return any(char in "ךםןףץ" for char in word[:-1]) or (len(word) > 1 and word[-1] in "כמנצ")


def _odd_arabic(word: str) -> bool:
    return any(char in "ةى" for char in word[:-1])


def _odd_thai(word: str) -> bool:
    return _THAI_MARK.match(word) is not None or (len(word) > 3 and not _THAI_VOWEL.search(word))


_HABITS: dict[str, Callable[[str], bool]] = {
    "CYRILLIC": _odd_cyrillic,
    "GREEK": _odd_greek,
    "HEBREW": _odd_hebrew,
    "ARABIC": _odd_arabic,
    "THAI": _odd_thai,
}
