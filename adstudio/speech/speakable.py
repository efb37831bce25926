"""Prepares a line for speech engines: without control codes, and with at least one word."""

from __future__ import annotations

import re
import unicodedata

from adstudio.core.words import count_words
from adstudio.speech.engine import SpeechRequestError

LONGEST = 2_000
"""Characters in one line: about two minutes of speech, more than any gap takes."""

_BREAKS = re.compile(r"\s+")
# Two brackets open phoneme codes in eSpeak; they mean nothing to a describer.
_PHONEME_CODE = re.compile(r"\[(?=\[)")
_JOINERS = "\u200c\u200d"  # Persian, Indic scripts and joined emoji are spelt with them


def speakable(text: str) -> str:
    """The text as one line, without control characters and marks of direction, and without an engine's own codes.

    Raises:
        SpeechRequestError: for a text without a word in it, or one longer than `LONGEST` characters.
    """
    if len(text) > LONGEST:
        raise SpeechRequestError(f"this line has {len(text):,} characters, and the limit is {LONGEST:,}: split it")
    plain = "".join(char if _is_text(char) else " " if char.isspace() or char == "\0" else "" for char in text)
    line = _BREAKS.sub(" ", _PHONEME_CODE.sub("[ ", plain)).strip()
    if not count_words(line):
        shown = f"“{line[:40]}” has no words" if line else "this line is empty"
        raise SpeechRequestError(f"{shown}: write the text to be spoken")
    return line


def is_speakable(text: str) -> bool:
    """Whether `speakable` takes the text."""
    try:
        speakable(text)
    except SpeechRequestError:
        return False
    return True


def _is_text(char: str) -> bool:
    # Cc holds eSpeak's embedded commands (\x01), Cf the marks of direction, Cs halves of characters.
    return char in _JOINERS or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co"}
