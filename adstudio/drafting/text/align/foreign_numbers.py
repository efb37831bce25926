"""Numbers in German, French and Spanish words, which become figures as those in English do.

Words are in small letters without diacritics, as `normalisation` leaves them; what a hyphen joined is several words.
“One” alone stays a word, because it is the article too. Ordinals become the same figures: subtitles write “am 3. Mai”
for “am dritten Mai”.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from adstudio.core.language_tags import primary_subtag

_THOUSAND = 1_000
_MILLION = 1_000_000


def _words(text: str) -> list[str]:
    return text.split()


_GERMAN_SMALL = _words(
    "ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn "
    "achtzehn neunzehn"
)
_GERMAN_TENS = _words("zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig")
_FRENCH_SMALL = _words(
    "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit "
    "dix-neuf"
)
_FRENCH_TENS = {2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante", 6: "soixante"}
_SWISS_TENS = {7: "septante", 8: "huitante", 9: "nonante"}
_FRENCH_ORDINALS = {"premier": 1, "premiere": 1, "deuxieme": 2, "troisieme": 3, "quatrieme": 4, "cinquieme": 5} | {
    f"{word}ieme": value
    for word, value in (
        ("six", 6), ("sept", 7), ("huit", 8), ("neuv", 9), ("dix", 10), ("onz", 11), ("douz", 12), ("treiz", 13),
        ("quatorz", 14), ("quinz", 15), ("seiz", 16), ("vingt", 20),
    )
}  # fmt: skip
_SPANISH_SMALL = _words(
    "un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho "
    "diecinueve veinte veintiun veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho "
    "veintinueve"
)
_SPANISH_TENS = _words("treinta cuarenta cincuenta sesenta setenta ochenta noventa")
_SPANISH_HUNDREDS = _words(
    "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
)
_SPANISH_ORDINALS = {
    stem + ending: value
    for stem, value in (
        ("primer", 1), ("segund", 2), ("tercer", 3), ("cuart", 4), ("quint", 5), ("sext", 6), ("septim", 7),
        ("octav", 8), ("noven", 9), ("decim", 10),
    )
    for ending in ("o", "a")
} | {"primer": 1, "tercer": 3}  # fmt: skip

Words = tuple[str, ...]
_Written = Iterator[tuple[str, int]]
"""Numbers as they are written, and their values."""


@dataclass(frozen=True)
class _Numbers:
    """A language's numbers: those below a thousand, ordinals, and the words for a thousand and for a million.

    `joined` says that a number of thousands is one word; `suffixes` make an ordinal of figures: 1er, 2º.
    """

    below: Mapping[Words, int]
    ordinals: Mapping[str, int]
    thousand: str
    millions: frozenset[str]
    suffixes: frozenset[str] = frozenset()
    joined: bool = False

    @cached_property
    def longest(self) -> int:
        """The most words of a number below a thousand."""
        return max(map(len, self.below))


def knows_numbers(language: str) -> bool:
    """Whether numbers in a language's words are known: German, French and Spanish."""
    return primary_subtag(language) in ("de", "fr", "es")


def number_in(language: str, words: Sequence[str], at: int) -> tuple[str, int]:
    """The number that begins at a position, in figures, and where it ends; the position itself if there is none.

    There is none in languages other than these three.
    """
    numbers = _of(primary_subtag(language))
    if numbers is None:
        return "", at
    word = words[at]
    if word[0].isdecimal():
        following = words[at + 1] if at + 1 < len(words) else ""
        if following in numbers.millions and word.isdecimal():
            return f"{word}000000", at + 2
        return word, at + 1 + (following in numbers.suffixes)
    if word in numbers.ordinals:
        return str(numbers.ordinals[word]), at + 1
    if numbers.joined and word != numbers.thousand and numbers.thousand in word:
        value = _in_one_word(numbers, word)
        return ("", at) if value is None else (str(value), at + 1)
    total, end = 0, at
    value, after = _below(numbers, words, at)
    if after > at and after < len(words) and words[after] in numbers.millions:
        total, end = value * _MILLION, after + 1
        value, after = _below(numbers, words, end)
    if after < len(words) and words[after] == numbers.thousand:
        total, end = total + max(value, 1) * _THOUSAND, after + 1
        value, after = _below(numbers, words, end)
    if after > end and (value > 1 or total):
        total, end = total + value, after
    return (str(total), end) if total else ("", at)


def _below(numbers: _Numbers, words: Sequence[str], at: int) -> tuple[int, int]:
    """A number below a thousand, and where it ends."""
    for end in range(min(len(words), at + numbers.longest), at, -1):
        value = numbers.below.get(tuple(words[at:end]))
        if value is not None:
            return value, end
    return 0, at


def _in_one_word(numbers: _Numbers, word: str) -> int | None:
    """The value of a number of thousands that is one word: zweitausenddreihundert."""
    head, _, rest = word.partition(numbers.thousand)
    thousands = numbers.below.get((head,)) if head else 1
    ones = numbers.below.get((rest.removeprefix("und"),)) if rest else 0
    return None if thousands is None or ones is None else thousands * _THOUSAND + ones


@cache
def _of(language: str) -> _Numbers | None:
    if language == "de":
        ordinals = dict(_german_ordinals())
        return _Numbers(_split(_german()), ordinals, "tausend", frozenset({"million", "millionen"}), joined=True)
    if language == "fr":
        suffixes = frozenset(_words("er re e eme nd nde ieme"))
        return _Numbers(_split(_french()), _FRENCH_ORDINALS, "mille", frozenset({"million", "millions"}), suffixes)
    if language == "es":
        suffixes = frozenset(_words("o a er ro ra do da"))
        return _Numbers(_split(_spanish()), _SPANISH_ORDINALS, "mil", frozenset({"millon", "millones"}), suffixes)
    return None


def _split(written: _Written) -> dict[Words, int]:
    return {tuple(text.replace("-", " ").split()): value for text, value in written}


def _german() -> _Written:
    yield from (("ein", 1), ("eine", 1))
    for value in range(2, 2 * _THOUSAND):
        hundreds, rest = divmod(value, 100)
        if hundreds == 10:
            continue  # tausend…
        heads = [_GERMAN_SMALL[hundreds - 1] + "hundert"] if hundreds else [""]
        heads += ["hundert"] if hundreds == 1 else []
        for head in heads:
            yield head + _german_pair(rest), value
            if head and rest:
                yield f"{head}und{_german_pair(rest)}", value


def _german_pair(value: int) -> str:
    tens, ones = divmod(value, 10)
    if value < 20:
        return "eins" if value == 1 else _GERMAN_SMALL[value - 1] if value else ""
    return (f"{_GERMAN_SMALL[ones - 1]}und" if ones else "") + _GERMAN_TENS[tens - 2]


def _german_ordinals() -> _Written:
    stems = {"zweit": 2, "dritt": 3, "siebt": 7, "acht": 8}
    stems |= {
        text + ("t" if value < 20 else "st"): value
        for text, value in _german()
        if 3 < value < 100 and value not in stems.values()
    }
    for stem, value in stems.items():
        for ending in ("e", "en", "er", "es", "em"):
            yield stem + ending, value


def _french() -> _Written:
    yield "une", 1
    for value in range(1, _THOUSAND):
        hundreds, rest = divmod(value, 100)
        head = "cent" if hundreds == 1 else f"{_FRENCH_SMALL[hundreds - 1]} cent" if hundreds else ""
        pairs = list(_french_pairs(rest)) if rest else [""]
        for pair in pairs:
            yield f"{head} {pair}", value
        if not rest and hundreds > 1:
            yield f"{head}s", value


def _french_pairs(value: int) -> Iterator[str]:
    if value < 20:
        yield _FRENCH_SMALL[value - 1]
        return
    tens, ones = divmod(value, 10)
    if tens in (7, 8, 9):
        score, more = ("soixante", value - 60) if tens == 7 else ("quatre vingt", value - 80)
        yield f"{score} {_FRENCH_SMALL[more - 1]}" if more else score
        if more == 11 and tens == 7:
            yield f"{score} et onze"
        if value == 80:
            yield "quatre vingts"
        if value == 81:
            yield "quatre vingt une"
    names = [each[tens] for each in (_FRENCH_TENS, _SWISS_TENS) if tens in each]
    for name in names:
        yield f"{name} {_FRENCH_SMALL[ones - 1]}" if ones else name
        if ones == 1:
            yield from (f"{name} et un", f"{name} et une")


def _spanish() -> _Written:
    yield from (("uno", 1), ("una", 1), ("cien", 100))
    for value in range(1, _THOUSAND):
        hundreds, rest = divmod(value, 100)
        heads = [""] if not hundreds else ["ciento"] if hundreds == 1 else [_SPANISH_HUNDREDS[hundreds - 2]]
        heads += [heads[0].removesuffix("os") + "as"] if hundreds > 1 else []
        tens, ones = divmod(rest, 10)
        pair = _SPANISH_SMALL[rest - 1] if 0 < rest < 30 else ""
        if rest >= 30:
            pair = _SPANISH_TENS[tens - 3] + (f" y {_SPANISH_SMALL[ones - 1]}" if ones else "")
        for head in heads:
            yield f"{head} {pair}", value
            if pair.endswith("un"):
                yield from ((f"{head} {pair}o", value), (f"{head} {pair}a", value))
