"""Phonemes as people write them, in IPA or in eSpeak's mnemonics, brought into the notation that an engine takes.

eSpeak's mnemonics follow Kirshenbaum's ASCII IPA; which of them a voice knows depends on its language. Those here are
the ones that eSpeak NG 1.51 gives back for the IPA beside them (`espeak-ng -q --ipa "[[…]]"`, in English, German,
French or Spanish).
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import normalize

from adstudio.speech.engine import Notation

_TABLE = """
ˈ ' | ˌ , | ː :
tʃ tS | dʒ dZ | ts ts | θ T | ð D | ʃ S | ʒ Z | ŋ N | ɲ n^ | ʎ l^ | ç C | χ X | ɣ Q | β B | ɹ r | ʁ r | ɾ * | ʔ ?
ɬ l# | ɡ g | ɟ J | p p | b b | t t | d d | k k | f f | v v | s s | z z | h h | m m | n n | l l | ɫ l | r r | j j | w w
x x | c c
əʊ oU | oʊ oU | eɪ eI | aɪ aI | ɔɪ OI | aʊ aU | iə i@ | ɪə i@ | eə e@ | ɛə e@ | ʊə U@
ɑ̃ A~ | ɔ̃ O~ | ɛ̃ E~ | œ̃ W~ | n̩ @n | m̩ @m | l̩ @L
ɑː A: | ɜː 3: | øː Y: | ɑ A: | ɒ 0 | ɔ O | ɛ E | ɪ I | ʊ U | ʌ V | ɜ 3: | ɝ 3: | ɚ 3 | ə @ | ɐ a#
ø Y: | œ W | a a | æ a | e e | i i | o o | u u | y y | ʏ y
"""
_PAIRS = [tuple(pair.split()) for row in _TABLE.strip().split("\n") for pair in row.split("|")]
_IN_ESPEAK = {normalize("NFD", ipa): espeak for ipa, espeak in _PAIRS}
_IN_IPA = {espeak: ipa for ipa, espeak in reversed(_PAIRS)}
_SUBSTITUTES = str.maketrans({"'": "ˈ", "ʼ": "ˈ", "’": "ˈ", ":": "ː", "g": "ɡ"})
_UNSPOKEN = re.compile("[.\u0361\u035c\u203f\u02d1]")
"""Syllable breaks, ties, links and the mark of half length: no voice needs them."""
_WRAPPED = re.compile(r"\s*(?:\[\[(.*)\]\]|\[(.*)\]|/(.*)/)\s*", re.DOTALL)
_MNEMONIC = re.compile(r"[@A-Z0-9#~^*?]")
"""What is in eSpeak's mnemonics and not in IPA, although both may be ASCII."""
_MNEMONICS = re.compile(r"[A-Za-z0-9@:',#~^*?|%_=;/+.&! -]+")


def in_notation(phonemes: str, notation: Notation) -> str | None:
    """Phonemes in IPA or in eSpeak's mnemonics, with or without brackets around, in the notation of an engine.

    They are taken for mnemonics if all are ASCII and one is none of IPA (`SI'vO:n`). None where they cannot be
    rendered, or where there are none.
    """
    wrapped = _WRAPPED.fullmatch(phonemes)
    plain = next((part for part in wrapped.groups() if part is not None), "") if wrapped else phonemes
    plain = " ".join(plain.split())
    if plain.isascii() and _MNEMONIC.search(plain):
        if notation is Notation.ESPEAK:
            return plain if _MNEMONICS.fullmatch(plain) else None
        return _converted(plain, _IN_IPA)
    ipa = _UNSPOKEN.sub("", normalize("NFD", plain.translate(_SUBSTITUTES)))
    espeak = _converted(ipa, _IN_ESPEAK)
    return ipa if espeak and notation is Notation.IPA else espeak


def _converted(phonemes: str, table: dict[str, str]) -> str | None:
    found: list[str] = []
    place = 0
    longest = _longest(tuple(table))
    while place < len(phonemes):
        if phonemes[place] == " ":
            found.append(" ")
            place += 1
            continue
        for length in range(longest, 0, -1):
            piece = phonemes[place : place + length]
            if len(piece) == length and piece in table:
                found.append(table[piece])
                place += length
                break
        else:
            return None
    return "".join(found) if found else None


@cache
def _longest(keys: tuple[str, ...]) -> int:
    return max(map(len, keys))
