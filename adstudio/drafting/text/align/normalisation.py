"""Words as Whisper's English normaliser leaves them, each with its place in the text (Radford 2023, appendix C).

In small letters; what stands in [brackets] or (parentheses), hesitations, diacritics and signs go; contractions and
titles are written out, numbers are figures with their currency or per cent sign, spellings American. Written from the
published description. It differs from the original in this: typeset apostrophes count as apostrophes; writing without
spaces is cut into its characters, so that other languages can be matched too; British spellings follow rules over
stems in place of a table; cents are not joined to dollars.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from adstudio.drafting.text.align.foreign_numbers import knows_numbers, number_in

_ENCLOSED = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|<[^<>]*>")
_PIECE = re.compile(r"[^\s\u2013\u2014\u2015\u2026/\\-]+")
_APOSTROPHES = str.maketrans("’ʼ‘`´", "'''''")
_LETTERS = {"œ": "oe", "æ": "ae", "ø": "o", "ß": "ss", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"}
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\u3400-\u4dbf\u4e00-\u9fff"
_TOKEN = re.compile(
    r"(?P<number>[$£€]?\d+(?:,\d{3})*(?:,\d+)*(?:\.\d+)?(?:%|¢|(?:st|nd|rd|th|s)(?![^\W_]))?)"
    rf"|(?P<one>[{_UNSPACED}])"
    rf"|(?P<word>[^\W\d_{_UNSPACED}]+(?:'[^\W\d_{_UNSPACED}]+)*)"
    r"|(?P<suffix>'(?:s|d|t|m|re|ll|ve)(?![^\W_]))"
)
_STOP = re.compile(r"[,;:.!?…](?!\d)")
_POINT_IN_FIGURES = re.compile(r"(?<=\d)\.(?=\d{3}(?!\d))")
"""What sets thousands apart where English has a comma."""
_LONGEST = 200
"""Characters of a run without spaces that are considered; nobody says more in one breath."""
_HESITATIONS = frozenset({"hmm", "mm", "mhm", "mmm", "uh", "um"})
_WHOLE = {
    "won't": "will not", "can't": "can not", "shan't": "shall not", "let's": "let us", "ain't": "aint",
    "y'all": "you all", "wanna": "want to", "gotta": "got to", "gonna": "going to", "gimme": "give me",
    "i'ma": "i am going to", "imma": "i am going to", "woulda": "would have", "coulda": "could have",
    "shoulda": "should have", "ma'am": "madam", "mr": "mister", "mrs": "missus", "st": "saint", "dr": "doctor",
    "prof": "professor", "capt": "captain", "gov": "governor", "ald": "alderman", "gen": "general",
    "sen": "senator", "rep": "representative", "pres": "president", "rev": "reverend", "hon": "honorable",
    "asst": "assistant", "assoc": "associate", "lt": "lieutenant", "col": "colonel", "jr": "junior",
    "sr": "senior", "esq": "esquire",
}  # fmt: skip
_ENDINGS = {"re": "are", "ll": "will", "t": "not", "ve": "have", "m": "am", "s": "'s", "d": "'d"}
_PERFECT = {"'s": ("has", ("been", "gone", "got", "done")), "'d": ("had", ("been", "gone", "done"))}
_ALONE = {"1": "one", "1s": "ones"}
"""What stays a word: one is rarely counted."""
_SHORT = {"'s": "is", "'d": "would"}


class NormalWord(NamedTuple):
    """A word to compare, and the characters of the text that it comes from."""

    text: str
    start: int
    end: int


def normal_words(text: str, language: str = "en") -> tuple[NormalWord, ...]:
    """The words of a text in normal form, in order; numbers in words are read as those of its language.

    Those of other languages than `foreign_numbers` knows are read as English ones.
    """
    text = _ENCLOSED.sub(lambda found: " " * len(found[0]), text)
    if knows_numbers(language):
        text = _POINT_IN_FIGURES.sub(",", text)
    raw: list[NormalWord] = []
    for piece in _PIECE.finditer(text):
        at, length = piece.start(), min(_LONGEST, piece.end() - piece.start())
        known = _expanded(piece[0][:_LONGEST])
        raw += [NormalWord(word, at + int(start * length), at + round(end * length)) for word, start, end in known]
    return _with_foreign_figures(text, raw, language) if knows_numbers(language) else _with_figures(raw)


@lru_cache(maxsize=30_000)
def _expanded(piece: str) -> tuple[tuple[str, float, float], ...]:
    """The words in a stretch without spaces, with the share of the stretch before and after each."""
    decomposed = unicodedata.normalize("NFKD", piece.translate(_APOSTROPHES).lower())
    plain = "".join(_LETTERS.get(char, char) for char in decomposed if unicodedata.category(char) != "Mn")
    found: list[tuple[str, float, float]] = []
    for token in _TOKEN.finditer(plain):
        words = _contracted(token[0]) if token["word"] or token["suffix"] else [token[0].replace(",", "")]
        start, end = token.span()
        share = (end - start) / max(1, len(words))
        found += [
            (word, (start + k * share) / len(plain), (start + (k + 1) * share) / len(plain))
            for k, word in enumerate(words)
        ]
    return tuple(found)


def _contracted(word: str) -> list[str]:
    """A word written out: “don't” is “do not”; a hesitation is nothing."""
    if word in _HESITATIONS:
        return []
    if word in _WHOLE:
        return _WHOLE[word].split()
    if word.endswith("n't"):
        return [word[:-3], "not"]
    *parts, last = word.split("'")
    if parts and last in _ENDINGS:
        return [*(american(part) for part in parts if part), _ENDINGS[last]]
    return [american(part) for part in [*parts, last] if part]


def _with_foreign_figures(text: str, raw: list[NormalWord], language: str) -> tuple[NormalWord, ...]:
    words = [word.text for word in raw]
    # A number ends before a punctuation mark.
    ends = [k + 1 for k, (one, other) in enumerate(pairwise(raw)) if _STOP.search(text, one.end - 1, other.start)]
    stops = iter([*ends, len(raw)])
    found: list[NormalWord] = []
    at, stop = 0, 0
    while at < len(raw):
        while stop <= at:
            stop = next(stops)
        figures, length = number_in(language, words[at : min(stop, at + _LONGEST_NUMBER)], 0)
        if not figures:
            figures, length = words[at], 1
        end = at + length
        found.append(NormalWord(figures, raw[at].start, raw[end - 1].end))
        at = end
    return tuple(found)


def _with_figures(raw: list[NormalWord]) -> tuple[NormalWord, ...]:
    """Numbers joined into figures, and what was left short until the next word was known."""
    words = [word.text for word in raw]
    found: list[NormalWord] = []
    at = 0
    while at < len(raw):
        word = raw[at]
        if starts_number(word.text):
            figures, end = number_at(words, at)
            if figures:
                figures = _ALONE.get(figures, figures)
                found.append(NormalWord(figures, word.start, raw[end - 1].end))
                at = end
                continue
        if word.text in _SHORT:
            perfect, after = _PERFECT[word.text]
            following = words[at + 1] if at + 1 < len(words) else ""
            word = word._replace(text=perfect if following in after else _SHORT[word.text])
        found.append(word)
        at += 1
    return tuple(found)


# British spellings become American, so that a screenplay and subtitles of either side of the ocean match. Whisper's
# normaliser has a table of 1,700 forms; these are its families as rules over stems that occur in talk, with the single
# words that follow no rule. A form outside them stays as it is on both sides, so it still matches itself.

_OUR = """
arb arm behavi cand clam col demean endeav fav ferv flav glam harb hon hum lab neighb od parl ranc rig rum sav splend
succ tum val vap vig
"""
_RE = "cent theat met lit fib calib sab spect somb meag lust och"
_IS = """
agon american antagon apolog author bapt brutal cannibal capital categor central character civil colon commercial
critic crystall demoral dramat econom emphas energ equal familiar fantas fertil final formal general harmon hospital
hypnot ideal immortal immun item jeopard legal local magnet material maxim mechan memor mesmer minim mobil modern
monopol moral national natural neutral normal optim organ ostrac oxid patron penal personal philosoph plagiar polar
popular priorit public pulver random rational real recogn reorgan revital revolution romantic sanit satir scandal
scrutin sensational sensit social special stabil standard steril stigmat subsid summar symbol sympath synchron tantal
terror theor tranquill trauma traumat trivial union urban util vandal vapor verbal victim visual vocal western
"""
_YS = "anal paral catal"
_LL = """
bevel cancel channel counsel dial duel equal fuel initial jewel label level libel marvel model panel pedal quarrel
rival shovel shrivel signal snivel swivel total travel tunnel unravel
"""


def _any(stems: str) -> str:
    return "|".join(stems.split())


_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"^((?:un|dis|mis|en|multi)?(?:{_any(_OUR)}))our(?!s?t)(.*)$"), r"\1or\2"),
    (re.compile(rf"^((?:[a-z]{{3,6}})?(?:{_any(_RE)}))re(s|d)?$"), r"\1er\2"),
    (re.compile(rf"^((?:un|dis|de)?(?:{_any(_IS)}))is(e|ed|es|er|ers|ing|able|ation|ations)$"), r"\1iz\2"),
    (re.compile(rf"^({_any(_YS)})ys(e|ed|es|er|ers|ing)$"), r"\1yz\2"),
    (re.compile(rf"^({_any(_LL)})l(ed|ing|er|ers|or|ors|ous|ously|ings)$"), r"\1\2"),
    (re.compile(r"^(def|off|pret)ence(s|less)?$"), r"\1ense\2"),
    (re.compile(r"^(catal|dial|anal)ogue(s)?$"), r"\1og\2"),
    (re.compile(r"^(pl)ough(s|ed|ing|man)?$"), r"\1ow\2"),
    (re.compile(r"^(m|sm)ould(s|y|ed|ing|er|ering)?$"), r"\1old\2"),
    (re.compile(r"^sceptic(s|al|ism)?$"), r"skeptic\1"),
    (re.compile(r"^manoeuvr(e|es|ed)$"), r"maneuver\1"),
    (re.compile(r"^(an)aesth(.*)$"), r"\1esth\2"),
    (re.compile(r"^(encyclop|p)aed(ia|ias|iatric|iatrician)$"), r"\1ed\2"),
)

_PAIRS = """
ageing:aging aeroplane:airplane aeroplanes:airplanes aluminium:aluminum archaeology:archeology axe:ax
cheque:check cheques:checks cosy:cozy doughnut:donut doughnuts:donuts draught:draft draughty:drafty
enrol:enroll foetus:fetus fulfil:fulfill grey:gray greys:grays haemorrhage:hemorrhage instalment:installment
jewellery:jewelry judgement:judgment kerb:curb licence:license licences:licenses maneuvere:maneuver
maneuveres:maneuvers maneuvered:maneuvered moustache:mustache moustaches:mustaches practise:practice
practised:practiced practising:practicing programme:program programmes:programs pyjamas:pajamas skilful:skillful
storey:story storeys:stories tyre:tire tyres:tires wilful:willful woollen:woolen yoghurt:yogurt
"""
_WORDS = {british: spelling for british, _, spelling in (pair.partition(":") for pair in _PAIRS.split())}


def american(word: str) -> str:
    """The American spelling of a word in small letters; any other word as it is."""
    found = _WORDS.get(word)
    if found is not None:
        return found
    if len(word) < 5:
        return word
    for pattern, spelling in _RULES:
        changed, count = pattern.subn(spelling, word)
        if count:
            return _WORDS.get(changed, changed)
    return word


# Numbers in words become figures, as Whisper's normaliser writes them: “twenty-first” is 21st, “two dollars” $2.
# Figures that follow one another in words are set side by side (“nineteen eighty-four” is 1984, “one two three” 123).

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
_ORDINAL_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
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


_LONGEST_NUMBER = 40
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
    last = min(len(words), at + _LONGEST_NUMBER)
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
        reading.close("th" if teen else _ORDINAL_ENDINGS.get(int(figures[-1]), "th"))
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
