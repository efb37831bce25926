"""Guesses a text's language by its script or, for Latin script, by the commonest function words.

Deliberately simple: it only decides whether English grammar may be used. Languages not in the list below come out as
"und" (Latin) or as the script's commonest language (Cyrillic: Russian or Ukrainian, Arabic script: Arabic, Devanagari:
Hindi).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

_SAMPLE = 60_000
_LEAST_LETTERS = 20
_LEAST_WORDS = 40
_LEAST_KNOWN = 3
_LEAST_SHARE = 0.08
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = {
    "CYRILLIC": "ru",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "CJK": "zh",
    "GREEK": "el",
    "ARABIC": "ar",
    "HEBREW": "he",
    "THAI": "th",
    "DEVANAGARI": "hi",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
}
_FUNCTION_WORDS = {
    "en": "the and of to is in his her with he she it on at from into you that for they as up this was what",
    "de": "der die das und ist nicht ein eine mit den dem sich auf er sie ich es zu von im wir",
    "fr": "le la les des et est une un dans du qui que elle il sur pas avec pour ne au ce je vous",
    "es": "el la los las de que en un una se con por su es del al no lo está",
    "it": "il lo la gli che di un una si con per non è del della sul nel sono",
    "pt": "os as de que em um uma se com por não do da no na está",
    "nl": "de het een en van is niet in op met zijn haar dat hij ze te voor aan",
    "pl": "się na nie do to jest że jak po od za przez jego jej",
    "sv": "och att det en ett är på som med han hon inte av till för den sig",
    "da": "og at det en et er på som med han hun ikke af til for den sig",
    "cs": "se na je že to do ne si jako ale jeho",
}
_SETS = {language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()}


def guess_language(texts: Iterable[str]) -> str | None:
    """The language of the texts together: an ISO 639-1 code, or "und" for an unknown language in Latin script.

    None for fewer than twenty letters, or fewer than forty words without enough function words.
    """
    sample = _sample(texts)
    scripts = Counter(_script(char) for char in sample if char.isalpha())
    scripts.pop("", None)
    if scripts.total() < _LEAST_LETTERS:
        return None
    # Kanji are Chinese characters: a tenth of kana makes it Japanese.
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if kana * 10 > scripts.total():
        return "ja"
    name = scripts.most_common(1)[0][0]
    if name != "LATIN":
        ukrainian = name == "CYRILLIC" and sum(sample.lower().count(char) for char in "іїєґ") * 50 > scripts[name]
        return "uk" if ukrainian else _SCRIPTS.get(name, "und")
    words = Counter(word.lower() for word in _WORD.findall(sample))
    shares = {language: sum(words[word] for word in known) / max(1, words.total()) for language, known in _SETS.items()}
    best = max(shares, key=lambda language: shares[language])
    if shares[best] >= _LEAST_SHARE and shares[best] * words.total() >= _LEAST_KNOWN:
        return best
    return "und" if words.total() >= _LEAST_WORDS else None


def _sample(texts: Iterable[str]) -> str:
    pieces: list[str] = []
    length = 0
    for text in texts:
        pieces.append(text[: _SAMPLE - length])
        length += len(pieces[-1])
        if length >= _SAMPLE:
            break
    return " ".join(pieces)


def _script(char: str) -> str:
    return "LATIN" if char.isascii() else unicodedata.name(char, "").partition(" ")[0]
