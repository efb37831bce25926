"""Guessing the encoding of a text that does not declare it.

Statistical detectors mistake short French texts in Windows-1252 for Windows-1250, and Latin-2 for Windows-1250, since
they look at single bytes. Here each candidate is scored by how well its letters fit a language that was written in that
encoding, supported by the language's common ASCII words, and penalised for what subtitles do not contain: control
characters, capitals inside words, symbols between letters. charset-normalizer is the last resort.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import NamedTuple

from adstudio.subtitles.languages import COMMON_WORDS, EAST_ASIAN, LANGUAGES, Language
from adstudio.subtitles.word_forms import is_letter, main_script, misformed, words_of

_SAMPLE = 20_000
_ASCII_LETTER = re.compile("[A-Za-z]")
_MARKUP = re.compile(rb"<[^<>]{0,200}>|\{\\[^{}]{0,200}\}|^[A-Z][A-Za-z ]{0,20}:(?:[^,\r\n]{0,200},){9}", re.MULTILINE)
_ASCII_WORD = re.compile(rb"(?<![A-Za-z\x80-\xff])[A-Za-z]+(?![A-Za-z\x80-\xff])")
_COMMON_SIGNS = frozenset("«»“”„‘’‚‹›–—…•°·¡¿£€§©®™´\u00a0\u00ad♪♫")
_BETWEEN_LETTERS = frozenset("’‘´·\u00ad–—…“”«»")
_NEVER_AFTER_LETTERS = frozenset("‚„¿¡")
_FLOOR = 0.55
_RARE = frozenset(("macintosh", "ibm850", "ibm852"))
_RARITY = 0.22
_MARGIN = 0.05
_UNCERTAINTY = 0.8
_MOST_RIVALS = 3
_ENOUGH = 2_000
_NO_LETTER = 6.0
_AMONG_ASCII = 0.6
_UNUSUAL_CASE = 0.15
_LONE = 0.5
_FEW_WORDS = 5
_CODECS = {
    "macintosh": "mac_roman",
    "ibm737": "cp737",
    "ibm850": "cp850",
    "ibm852": "cp852",
    "ibm862": "cp862",
    "ibm866": "cp866",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "big5": "big5hkscs",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
}


class Guess(NamedTuple):
    """An encoding's name, Python's codec, and how well it fits, from 0 to 1."""

    encoding: str
    codec: str
    fit: float


def guess_encoding(body: bytes) -> tuple[Guess, ...]:
    """The most plausible encoding of a text with non-ASCII bytes that is not UTF-8, then those that may be meant.

    The latter make another text of it and fit nearly as well: in short texts, letters of another script often do.
    """
    lines = _non_ascii_lines(body)
    plain = _MARKUP.sub(b" ", lines)
    sample = lines if plain.isascii() else plain
    words = Counter(word.lower().decode("ascii") for word in _ASCII_WORD.findall(_MARKUP.sub(b" ", body[:_SAMPLE])))
    guesses = [*_two_byte_guesses(sample), *_one_byte_guesses(sample, words)]
    guesses.sort(key=lambda guess: guess.fit, reverse=True)
    best = guesses[0]
    if best.fit < _FLOOR:
        best = _detected(sample) or best
    return (best, *_rivals(best, guesses, sample))


def _rivals(best: Guess, guesses: list[Guess], sample: bytes) -> list[Guess]:
    """The best guess of each other reading that fits nearly as well; of those in Latin letters, the best.

    The shorter the text, the more may be meant.
    """
    scale = 1 / math.sqrt(max(1, sum(byte >= 0x80 for byte in sample)))
    found: dict[str, Guess] = {}
    for guess in (best, *(each for each in guesses if each.fit >= best.fit - _MARGIN - _UNCERTAINTY * scale)):
        text = sample[:_ENOUGH].decode(guess.codec, "replace")
        script = main_script(text)
        # Two readings in one script that is not Latin differ in their capitals, at least.
        near = guess.fit >= best.fit - _UNCERTAINTY / 4 * scale
        found.setdefault(text if near and script not in ("LATIN", "") else script, guess)
        found.setdefault(script, guess)
    return list(dict.fromkeys(found.values()))[1 : 1 + _MOST_RIVALS]


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
    for encoding, frequent, lead, last in EAST_ASIAN:
        codec = _CODECS.get(encoding, encoding)
        text = sample.decode(codec, "replace")
        signs = [char for char in text if ord(char) >= 0x80]
        wide = [char for char in signs if char.isalpha() and char >= "\u3040" and not "\uff61" <= char <= "\uff9f"]
        faults = text.count("\ufffd") + sum(
            "\uff61" <= char <= "\uff9f" or "\ue000" <= char <= "\uf8ff" for char in signs
        )
        if not wide:
            continue
        # Some thirty characters make up half of dialogue in these languages, but only a few per cent by chance.
        common = sum(char in frequent for char in wide) / len(wide)
        japanese = encoding in ("shift_jis", "euc-jp")
        kana = sum("\u3040" <= char <= "\u30ff" for char in wide) / len(wide) if japanese else 0.0
        ordinary = sum(lead <= char.encode(codec, "replace")[0] <= last for char in wide) / len(wide)
        ordinary = ordinary**4 * (0.75 + min(0.15, 1.5 * common)) * (not japanese or kana > 0)
        fit = max(min(1.0, 3.0 * common + 0.6 * kana), ordinary) - 4.0 * faults / len(signs)
        guesses.append(Guess(encoding, codec, fit))
    return guesses


def _one_byte_guesses(sample: bytes, words: Counter[str]) -> list[Guess]:
    found = max(1, words.total())
    guesses: list[Guess] = []
    readings: dict[str, _Reading] = {}
    supports = {each.tag: min(1.0, 4.0 * sum(words[word] for word in each.words.split()) / found) for each in LANGUAGES}
    latin = max(supports.values()) if found > _FEW_WORDS else 0.0
    for language in LANGUAGES:
        support = supports[language.tag]
        for rank, encoding in enumerate(language.encodings):
            if encoding not in readings:
                readings[encoding] = _reading(sample.decode(_codec(encoding), "replace"))
            reading = readings[encoding]
            if language.tag in COMMON_WORDS:
                among = _AMONG_ASCII * max(reading.ascii_share, latin)
                fit = _ranked_fit(reading, language) - among - _UNUSUAL_CASE * reading.case - _LONE * reading.lone
            else:
                fit = _letter_fit(reading.signs, language) + 0.1 * support
                fit -= _RARITY if encoding in _RARE else 0.0
            fit -= reading.nonsense + 0.002 * rank
            guesses.append(Guess(encoding, _codec(encoding), fit))
    return guesses


class _Reading(NamedTuple):
    """A text in one of the encodings: its signs beyond ASCII, its words with such signs, and how implausible it is."""

    signs: Counter[str]
    words: Counter[str]
    nonsense: float
    ascii_share: float
    """The share of ASCII letters: hardly any beside another script."""
    case: float
    """The share of capitals, or 1 if there is none."""
    lone: bool
    """Whether no letter has another one beside it."""


def _reading(text: str) -> _Reading:
    words = Counter(words_of(text))
    length = sum(len(word) * count for word, count in words.items())
    odd = sum(len(word) * count for word, count in words.items() if misformed(word)) / max(1, length)
    signs = Counter(char for char in text if not char.isascii())
    capitals = sum(count for char, count in signs.items() if char.isupper())
    cased = sum(count for char, count in signs.items() if char.islower()) + capitals
    case = 0.0 if not cased else capitals / cased if capitals else 1.0
    plain = len(_ASCII_LETTER.findall(text))
    share = plain / max(1, plain + length)
    lower = Counter[str]()
    for word, count in words.items():
        lower[word.lower()] += count
    return _Reading(signs, lower, _nonsense(text) + odd, share, case, max(map(len, words), default=1) < 2)


def _codec(encoding: str) -> str:
    return _CODECS.get(encoding, encoding)


def _ranked_fit(reading: _Reading, language: Language) -> float:
    """How well letters fit a language by their frequency, and words by being common; about 1 for the right one."""
    total = likelihood = 0.0
    scale = len(language.letters) / 4
    ranks = {letter: rank for rank, letter in enumerate(language.letters)}
    for char, count in reading.signs.items():
        if is_letter(char):
            total += count
            rank = ranks.get(char.lower())
            likelihood -= count * (_NO_LETTER if rank is None else rank / scale)
    if not total:
        return 0.9
    common = COMMON_WORDS[language.tag].split()
    known = sum(reading.words[word] for word in common) / max(1, reading.words.total())
    # In order of frequency, the letters' likelihoods fall off exponentially: their mean is about that of rank `scale`.
    return 1.0 + (likelihood / total + 1.0) / 3.0 + 0.3 * min(known, 0.5)


def _letter_fit(signs: Counter[str], language: Language) -> float:
    """The share of non-ASCII letters that belong to the language, from 0 to 1."""
    letters = Counter[str]()
    for char, count in signs.items():
        if is_letter(char):
            letters[char.lower() if len(char.lower()) == 1 else char] += count
    total = letters.total()
    if not total:
        return 0.9
    return sum(count for char, count in letters.items() if char in language.letters) / total


def _nonsense(text: str) -> float:
    """How many implausible signs a reading has per non-ASCII character."""
    beyond = sum(ord(char) >= 0x80 for char in text)
    if not beyond:
        return 0.0
    faults = text.count("\ufffd")
    before = " "
    for char, after in zip(text, text[1:] + " ", strict=True):
        code = ord(char)
        if code >= 0x80:
            letter = is_letter(char)
            stray = code < 0xA0 or not (letter or char in _COMMON_SIGNS)
            inside = not letter and char not in _BETWEEN_LETTERS and before.isalpha() and after.isalpha()
            faults += stray or inside or (char in _NEVER_AFTER_LETTERS and before.isalpha())
        before = char
    return 2.0 * faults / beyond


def _detected(sample: bytes) -> Guess | None:
    import charset_normalizer

    best = charset_normalizer.from_bytes(sample).best()
    if best is None or best.encoding.startswith(("utf", "ascii")):
        return None
    return Guess(best.encoding.replace("_", "-"), best.encoding, 0.5)
