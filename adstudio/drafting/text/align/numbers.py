"""Numbers in words made figures, as Whisper's normaliser writes them: “twenty-first” is 21st, “two dollars” $2.

Figures that follow one another in words are set side by side (“nineteen eighty-four” is 1984, “one two three” 123).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

_SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_CARDINALS = {word: value for value, word in enumerate(_SMALL)} | {w: 20 + 10 * k for k, w in enumerate(_TENS)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ODD_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
}  # fmt: skip
_ORDINALS = (
    _ODD_ORDINALS
    | {f"{word}th": _CARDINALS[word] for word in _SMALL if f"{word}th" not in ("oneth", "twoth", "threeth")}
    | {f"{word[:-1]}ieth": value for word, value in _CARDINALS.items() if word in _TENS}
)
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_DECADES = {f"{word[:-1]}ies": value for word, value in _CARDINALS.items() if word in _TENS}
_MONEY = {
    "dollar": "$", "dollars": "$", "pound": "£", "pounds": "£", "euro": "€", "euros": "€", "cent": "¢", "cents": "¢",
}  # fmt: skip
_STARTS = frozenset(_CARDINALS) | _SCALES.keys() | _ORDINALS.keys() | _DECADES.keys()


def starts_number(word: str) -> bool:
    """Whether a number can begin with this word, or this figure."""
    return word in _STARTS or word[:1].isdecimal() or word in ("minus", "negative", "double", "triple")


def number_at(words: Sequence[str], at: int) -> tuple[str, int]:
    """The number that begins at a position, in figures, and where it ends; the position itself if there is none."""
    i = at
    sign = ""
    if words[i] in ("minus", "negative"):
        sign, i = "-", i + 1
    if i >= len(words) or not starts_number(words[i]) or words[i] in ("minus", "negative"):
        return "", at
    figures, i = _figures(words, i)
    if not figures:
        return "", at
    if figures[-1].isdecimal() and i < len(words):
        if words[i] in _MONEY:
            return sign + _MONEY[words[i]] + figures, i + 1
        if words[i] == "percent":
            return f"{sign}{figures}%", i + 1
        if words[i : i + 2] == ["per", "cent"]:
            return f"{sign}{figures}%", i + 2
    return sign + figures, i


_LONGEST = 40
"""Words of one number."""
_LARGEST = 1000


@dataclass
class _Reading:
    """What has been read of one number: figures that are settled, whole thousands, and the part below."""

    settled: str = ""
    thousands: int = 0
    below: Fraction | None = None
    scaled: bool = False
    closed: bool = False

    def settle(self, more: str) -> None:
        """All that was read so far is final, followed by these figures."""
        self.settled, self.thousands, self.below, self.scaled = self.text() + more, 0, None, False

    def close(self, more: str) -> None:
        """This ends the number."""
        self.settle(more)
        self.closed = True

    def value(self) -> Fraction:
        return self.thousands + (self.below or Fraction(0))

    def text(self) -> str:
        if self.below is None and not self.thousands:
            return self.settled
        value = self.value()
        whole = str(value.numerator) if value.denominator == 1 else f"{float(value):.10g}"
        return self.settled + whole

    def add(self, value: int) -> None:
        """A number word below a hundred: fits into what was said, or begins a new figure."""
        below = self.below
        if below is None or (self.scaled and below % 100 == 0) or (below % 10 == 0 and below % 100 and 0 < value < 10):
            fits = below is None or below.denominator == 1
        else:
            fits = False
        if not fits or (below == 10 and not self.scaled):
            self.settle("")
            below = None
        self.below = (below or Fraction(0)) + value
        self.scaled = False

    def scale(self, by: int) -> None:
        if self.value() >= by * _LARGEST:
            self.settle("")
        if by == 100:
            self.below = (self.below if self.below is not None else Fraction(1)) * 100
        else:
            self.thousands += int((self.below if self.below is not None else Fraction(1)) * by)
            self.below = None
        self.scaled = True


def _literal(word: str) -> Fraction | None:
    return Fraction(word) if word.replace(".", "", 1).isdecimal() and word.isascii() and len(word) < 20 else None


def _figures(words: Sequence[str], at: int) -> tuple[str, int]:
    """The figures from a place on, and where they end."""
    if words[at][:1].isdecimal():
        value = _literal(words[at])
        if value is None or words[at + 1 : at + 2] == [] or words[at + 1] not in _SCALES:
            return words[at], at + 1
        reading = _Reading(below=value)
        at += 1
    else:
        reading = _Reading()
    last = min(len(words), at + _LONGEST)
    while at < last and not reading.closed:
        end = _word(reading, words[at], at) or _joined(reading, words, at)
        if not end:
            break
        at = end
    return reading.text(), at


def _word(reading: _Reading, word: str, at: int) -> int:
    """Reads a number word; returns the position after it, or 0 if it is not one."""
    if word in _CARDINALS:
        reading.add(_CARDINALS[word])
    elif word in _SCALES:
        reading.scale(_SCALES[word])
    elif word in _ORDINALS:
        reading.add(_ORDINALS[word])
        figures = reading.text()
        teen = figures[-2:-1] == "1"
        reading.close("th" if teen else _ENDINGS.get(int(figures[-1]), "th"))
    elif word in _DECADES:
        reading.add(_DECADES[word])
        reading.close("s")
    else:
        return 0
    return at + 1


def _joined(reading: _Reading, words: Sequence[str], at: int) -> int:
    """Reads what joins number words; returns the position after it, or 0 if nothing is joined."""
    word = words[at]
    following = words[at + 1] if at + 1 < len(words) else ""
    if word in ("double", "triple") and 0 <= _CARDINALS.get(following, -1) < 10:
        reading.settle(str(_CARDINALS[following]) * (2 if word == "double" else 3))
        return at + 2
    said = reading.text() != ""
    if said and word == "and" and words[at + 1 : at + 3] == ["a", "half"]:
        reading.close(".5")
        return at + 3
    if not said or following not in _CARDINALS:
        return 0
    zero = word in ("oh", "o") and not reading.scaled
    if zero:
        reading.settle("0")
    if zero or (word == "and" and reading.scaled):
        return at + 1
    if word == "point":
        end = next((k for k in range(at + 1, len(words)) if words[k] not in _CARDINALS), len(words))
        reading.close("." + "".join(str(_CARDINALS[figure]) for figure in words[at + 1 : end]))
        return end
    return 0
