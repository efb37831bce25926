"""Guessing the encoding of a text that does not declare it.

Statistical detectors mistake short French texts in Windows-1252 for Windows-1250, and Latin-2 for Windows-1250, since
they look at single bytes. Here each candidate is scored by how well its letters fit a language that was written in that
encoding, supported by the language's common ASCII words, and penalised for what subtitles do not contain: control
characters, capitals inside words, symbols between letters. charset-normalizer is the last resort.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from adstudio.subtitles.languages import EAST_ASIAN, FREQUENT, LANGUAGES, Language

_SAMPLE = 60_000
_ASCII_WORD = re.compile(rb"(?<![A-Za-z\x80-\xff])[A-Za-z]+(?![A-Za-z\x80-\xff])")
_COMMON_SIGNS = frozenset("«»“”„‘’‚‹›–—…°·¡¿£€§©®™´\u00a0\u00ad♪♫")
_BETWEEN_LETTERS = frozenset("’‘´·\u00ad–—…“”«»")
_FLOOR = 0.55
_RARE = frozenset(("macintosh", "ibm850", "ibm852", "ibm866", "iso-8859-5", "iso-8859-6"))
_RARITY = 0.22
_CODECS = {
    "macintosh": "mac_roman",
    "ibm850": "cp850",
    "ibm852": "cp852",
    "ibm866": "cp866",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "big5": "big5hkscs",
    "windows-874": "cp874",
}


class Guess(NamedTuple):
    """An encoding's name, Python's codec, and how well it fits, from 0 to 1."""

    encoding: str
    codec: str
    fit: float


def guess_encoding(body: bytes) -> Guess:
    """The most plausible encoding of a text with non-ASCII bytes that is not UTF-8."""
    sample = _non_ascii_lines(body)
    words = Counter(word.lower().decode("ascii") for word in _ASCII_WORD.findall(body[:_SAMPLE]))
    best = max((*_two_byte_guesses(sample), *_one_byte_guesses(sample, words)), key=lambda guess: guess.fit)
    if best.fit >= _FLOOR:
        return best
    return _detected(sample) or best


def _non_ascii_lines(body: bytes) -> bytes:
    """The lines with non-ASCII bytes, since the others say nothing."""
    lines: list[bytes] = []
    length = 0
    for line in re.split(rb"[\r\n]+", body):
        if not line.isascii():
            lines.append(line[:1000])
            length += len(lines[-1])
            if length > _SAMPLE:
                break
    return b"\n".join(lines)


def _two_byte_guesses(sample: bytes) -> list[Guess]:
    guesses: list[Guess] = []
    for encoding, _, frequent in EAST_ASIAN:
        codec = _CODECS.get(encoding, encoding)
        text = sample.decode(codec, "replace")
        signs = [char for char in text if ord(char) >= 0x80]
        wide = [char for char in signs if char >= "\u3040" and not "\uff61" <= char <= "\uff9f"]
        faults = text.count("\ufffd") + sum(
            "\uff61" <= char <= "\uff9f" or "\ue000" <= char <= "\uf8ff" for char in signs
        )
        if not wide:
            continue
        # Some thirty characters make up half of dialogue in these languages, but only a few per cent by chance.
        common = sum(char in frequent for char in wide) / len(wide)
        kana = (
            sum("\u3040" <= char <= "\u30ff" for char in wide) / len(wide) if encoding in ("shift_jis", "euc-jp") else 0
        )
        fit = min(1.0, 3.0 * common + 0.6 * kana) - 4.0 * faults / len(signs)
        guesses.append(Guess(encoding, codec, fit))
    return guesses


def _one_byte_guesses(sample: bytes, words: Counter[str]) -> list[Guess]:
    found = max(1, words.total())
    guesses: list[Guess] = []
    readings: dict[str, tuple[Counter[str], float]] = {}
    for language in LANGUAGES:
        known = language.words.split()
        support = min(1.0, 4.0 * sum(words[word] for word in known) / found) if known else 0.0
        for rank, encoding in enumerate(language.encodings):
            if encoding not in readings:
                text = sample.decode(_codec(encoding), "replace")
                readings[encoding] = (Counter(char for char in text if ord(char) >= 0x80), _nonsense(text))
            signs, nonsense = readings[encoding]
            fit = _letter_fit(signs, language) - nonsense + 0.1 * support - 0.002 * rank
            fit -= _RARITY if encoding in _RARE else 0.0
            guesses.append(Guess(encoding, _codec(encoding), fit))
    return guesses


def _codec(encoding: str) -> str:
    return _CODECS.get(encoding, encoding)


def _letter_fit(signs: Counter[str], language: Language) -> float:
    """The share of non-ASCII letters that belong to the language, from 0 to 1, less if frequent ones are missing."""
    letters = Counter[str]()
    for char, count in signs.items():
        if char.isalpha() or "\u0e30" <= char <= "\u0e4e" or "\u0300" <= char <= "\u036f":
            letters[char.lower() if len(char.lower()) == 1 else char] += count
    total = letters.total()
    if not total:
        return 0.9
    fit = sum(count for char, count in letters.items() if char in language.letters) / total
    frequent = FREQUENT.get(language.tag)
    if frequent:
        fit *= min(1.0, 0.25 + 1.3 * sum(letters[char] for char in frequent) / total)
    return fit


_CAPITAL_INSIDE = re.compile(
    r"[a-zß-öø-ÿа-яёα-ω][A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮĶĹĻĽŁŃŅŇŐŔŘŚŞŠŢŤŪŮŰŲŹŻŽА-ЯЁΑ-Ω][a-zß-öø-ÿа-яёα-ω]"
)


def _nonsense(text: str) -> float:
    """How many implausible signs a reading has per non-ASCII character."""
    beyond = sum(ord(char) >= 0x80 for char in text)
    if not beyond:
        return 0.0
    faults = text.count("\ufffd") + len(_CAPITAL_INSIDE.findall(text))
    before = " "
    for char, after in zip(text, text[1:] + " ", strict=True):
        code = ord(char)
        if code >= 0x80:
            letter = char.isalpha() or "\u0300" <= char <= "\u036f" or "\u0e30" <= char <= "\u0e4e"
            stray = code < 0xA0 or not (letter or char in _COMMON_SIGNS)
            inside = not letter and char not in _BETWEEN_LETTERS and before.isalpha() and after.isalpha()
            faults += stray or inside
        before = char
    return 2.0 * faults / beyond


def _detected(sample: bytes) -> Guess | None:
    import charset_normalizer

    best = charset_normalizer.from_bytes(sample).best()
    if best is None or best.encoding.startswith(("utf", "ascii")):
        return None
    return Guess(best.encoding.replace("_", "-"), best.encoding, 0.5)
