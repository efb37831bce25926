"""The text that a voice is given for a line: without what no voice can say, numerals and symbols as they are spoken."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from adstudio.core.narration import Pronunciation
from adstudio.core.spoken_form import spoken_form
from adstudio.core.words import count_words
from adstudio.speech.engine import Capabilities, UnspeakableError
from adstudio.speech.lexicon import AppliedText, apply_lexicon

LONGEST = 2_000
"""Characters in one line: about two minutes of speech, more than any gap takes."""

_BREAKS = re.compile(r"\s+")
_JOINERS = "\u200c\u200d"  # Persian, Indic scripts and joined emoji are spelt with them


def spoken_text(
    text: str, language: str = "en", lexicon: Sequence[Pronunciation] = (), capabilities: Capabilities | None = None
) -> AppliedText:
    """The text as one line in its spoken form, with the words of the lexicon as they are pronounced.

    Control characters, marks of direction and an engine's codes are not in it (see `lexicon.apply_lexicon`).

    Raises:
        UnspeakableError: for a text without a word in it, or one longer than `LONGEST` characters, be it through its
            pronunciations.
    """
    _require_short(text)
    plain = "".join(char if _is_text(char) else " " if char.isspace() or char == "\0" else "" for char in text)
    line = _one_line(plain, language)
    if not count_words(line):
        shown = f"“{line[:40]}” has no words" if line else "this line is empty"
        if not line and text.strip():
            shown = "this line consists of characters that cannot be spoken"
        raise UnspeakableError(f"{shown}: write the text to be spoken")
    # Before the spoken form: words are found as they are written.
    applied = apply_lexicon(plain, lexicon, capabilities or Capabilities())
    spoken = _one_line(applied.text, language)
    _require_short(spoken, " with its pronunciations")
    return replace(applied, text=spoken)


def _one_line(text: str, language: str) -> str:
    return _BREAKS.sub(" ", spoken_form(text, language)).strip()


def _require_short(text: str, with_what: str = "") -> None:
    if len(text) > LONGEST:
        raise UnspeakableError(
            f"this line has {len(text):,} characters{with_what}, and the limit is {LONGEST:,}: split it"
        )


def _is_text(char: str) -> bool:
    # Cc holds eSpeak's embedded commands (\x01), Cf the marks of direction, Cs halves of characters.
    return char in _JOINERS or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co"}
