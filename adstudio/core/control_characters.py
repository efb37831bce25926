"""Control characters in a text: nothing is written with them, XML cannot hold most of them, and no voice speaks them.

These are Unicode's control codes (chapter 23.1) without tab and line ends, halves of characters, and U+FFFE and U+FFFF,
which are no characters. Those that some programs use as white space, such as Word's line break within a paragraph
(U+000B), stand between words.
"""

from __future__ import annotations

import re

_SPACES = "\x0b\x0c\x1c-\x1f\x85"
CONTROL_CHARACTER = re.compile(f"[\x00-\x08{_SPACES}\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_AS_SPACE = re.compile(rf" ?[{_SPACES}]+ ?")
_NAMED_AT_MOST = 3


def without_control_characters(text: str) -> str:
    """A text without them; those that are white space become one space."""
    if CONTROL_CHARACTER.search(text) is None:
        return text
    return CONTROL_CHARACTER.sub("", _AS_SPACE.sub(" ", text))


def control_characters_in(text: str) -> str:
    """Which are in a text, for a sentence: “U+0001, U+000B”; empty without any."""
    found = list(dict.fromkeys(f"U+{ord(char):04X}" for char in CONTROL_CHARACTER.findall(text)))
    return ", ".join(found[:_NAMED_AT_MOST]) + (", …" if len(found) > _NAMED_AT_MOST else "")
