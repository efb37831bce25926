"""Text that was encoded in UTF-8 more than once: “Ã©” for “é”, “РІС‹” for “вы”.

A program read UTF-8 in a code page of one byte a character, and saved what it saw as UTF-8. Each character is then a
run of two to four others. Such runs are rare in any language; a file is repaired if nearly all its letters beyond ASCII
are in them and some of them cannot be words.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

_CODECS = {
    "cp1252": "windows-1252",
    "cp1251": "windows-1251",
    "cp1250": "windows-1250",
    "mac_roman": "macintosh",
    "cp850": "ibm850",
    "cp437": "ibm437",
}
_SAMPLE = 200_000
_NEARLY_ALL = 0.8
_LEAST_SIGNS = 4
_MOST_ROUNDS = 5
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f\ufffd]+")
# Letters that no language is written in, such as those that “CAFÉ®” would be.
_PHONETIC = frozenset(map(chr, range(0x250, 0x2B0)))
_AFTER_WORDS = frozenset("\u00a0…”’»“‘«‹›–—")
"""What can follow a letter in a sentence, besides letters: “MANHÃ…” is Portuguese."""


class Repair(NamedTuple):
    """A repaired text, the code pages through which it went, the last one first, and where the first repair is."""

    text: str
    through: tuple[str, ...]
    at: int


def repaired(text: str) -> Repair | None:
    """The text as it was before it was encoded again, once or several times; None if it was not."""
    through: list[str] = []
    at = len(text)
    while len(through) < _MOST_ROUNDS and not text.isascii():
        codec, changed = _once_less(text)
        if changed == text:
            break
        at = min(at, next(k for k, (old, new) in enumerate(zip(text, changed, strict=False)) if old != new))
        text = changed
        through.append(_CODECS[codec])
    return Repair(text, tuple(through), at) if through else None


def _once_less(text: str) -> tuple[str, str]:
    shares = {codec: _share(text[:_SAMPLE], codec) for codec in _CODECS}
    likeliest = max(_CODECS, key=lambda codec: shares[codec])
    if shares[likeliest] >= _NEARLY_ALL:
        return likeliest, _decoded(text, likeliest)
    # In a file that was joined from two, only some lines are affected.
    changed = ((codec, _by_line(text, codec)) for codec in _CODECS)
    return next(((codec, new) for codec, new in changed if new != text), ("", text))


def _share(text: str, codec: str) -> float:
    """How much of the text beyond ASCII was encoded a second time through this code page, 0 if all could be words."""
    runs = [run for run in _runs(codec).findall(text) if _decoded_run(run, codec) != run]
    if not any(map(_is_no_word, runs)):
        return 0.0
    return sum(map(len, runs)) / sum(match.end() - match.start() for match in _BEYOND_ASCII.finditer(text))


def _by_line(text: str, codec: str) -> str:
    signs = [run for run in _runs(codec).findall(text) if _is_no_word(run) and _decoded_run(run, codec) != run]
    if len(signs) < _LEAST_SIGNS:
        return text
    lines = text.split("\n")
    return "\n".join([_decoded(line, codec) if _share(line, codec) >= _NEARLY_ALL else line for line in lines])


def _is_no_word(run: str) -> bool:
    return any(not (char.isalpha() or char in _AFTER_WORDS) for char in run[1:])


def _decoded(text: str, codec: str) -> str:
    text = _runs(codec).sub(lambda match: _decoded_run(match[0], codec), text)
    # Where no-break spaces became spaces, “à” has lost its second half.
    return text.replace("Ã ", "à") if codec == "cp1252" else text


def _decoded_run(run: str, codec: str) -> str:
    table = _bytes_of(codec)
    try:
        char = bytes(table[char] for char in run).decode()
    except UnicodeDecodeError:
        return run
    return run if char in _PHONETIC else char


@cache
def _bytes_of(codec: str) -> dict[str, int]:
    """The byte of each character; bytes that the code page lacks are control characters, as in Latin-1."""
    table = {chr(byte): byte for byte in range(0x80, 0x100)} if codec == "cp1252" else {}
    for byte in range(0x80, 0x100):
        char = bytes((byte,)).decode(codec, "replace")
        table[chr(byte) if char == "\ufffd" else char] = byte
    return table


@cache
def _runs(codec: str) -> re.Pattern[str]:
    """Characters whose bytes have the form of one character in UTF-8."""
    table = _bytes_of(codec)

    def within(first: int, last: int) -> str:
        return f"[{re.escape(''.join(char for char, byte in table.items() if first <= byte <= last))}]"

    follow = within(0x80, 0xBF)
    return re.compile(
        f"{within(0xC2, 0xDF)}{follow}|{within(0xE0, 0xEF)}{follow}{{2}}|{within(0xF0, 0xF4)}{follow}{{3}}"
    )
