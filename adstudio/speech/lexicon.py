"""The pronunciation lexicon: words of a line are replaced by how they are spoken, as far as the engine can be told.

A *respelling* is read like any text (`Shivawn`). One in the trade's notation, its syllables joined by hyphens and the
stressed one in capitals (`shiv-AWN`), is given to the voice as one lower-case word, because voices spell capitals out.
*Phonemes* are IPA or eSpeak's mnemonics (`phonemes.in_notation`); an engine that takes none reads the word itself.

A word is found as a whole, whatever its case, hyphens, apostrophes and white space are like; the longest entry first.
A hyphen or an apostrophe ends a word (`Siobhan-like`, `d'Artagnan`) unless it belongs to the entry. What follows an
apostrophe has to be an English ending ('s, 'd, 'll, 've, 're, 'm): “Don” is not in “don't”. Phonemes take such an
ending, or a French elided article, along, since engines would spell the letter out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import category

from adstudio.core.narration import Pronunciation
from adstudio.core.words import UNSPACED, composed
from adstudio.speech.engine import Capabilities, Notation
from adstudio.speech.ignored import Ignored, Note
from adstudio.speech.phonemes import in_notation

_OPENING = re.compile(r"\[(?=\[)")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_ENDINGS = ("s", "d", "ll", "ve", "re", "m")
_CONTRACTED = {*_ENDINGS, "t"}
"""After an apostrophe these are no words of their own."""
_ELIDED = {"l": "l", "d": "d", "m": "m", "t": "t", "s": "s", "n": "n", "c": "s", "j": "ʒ", "qu": "k"}
_ALIKE = {"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "‐": "-", "‑": "-"}
_VOICELESS = ("p", "t", "k", "f", "θ")
_SIBILANT = ("s", "z", "ʃ", "ʒ")


@dataclass(frozen=True, slots=True)
class AppliedText:
    """A text with its pronunciations, and what of them was ignored."""

    text: str
    ignored: tuple[Ignored, ...] = ()


def apply_lexicon(text: str, lexicon: Sequence[Pronunciation], capabilities: Capabilities) -> AppliedText:
    """The text with every word of the lexicon as it is spoken; of two entries for a word the first counts.

    Phonemes are put between `[[` and `]]`, which the text itself and respellings cannot open (`without_codes`).
    """
    text = composed(text)
    words = _words_of(tuple(lexicon))
    if not words.entries:
        return AppliedText(without_codes(text))
    folded, places = _folded(text)
    result = ""
    ignored: dict[Ignored, None] = {}
    done = 0
    for start, end in words.found_in(folded):
        entry = words.entries[folded[start:end]]
        spoken, problem = _given(entry, capabilities.phonemes)
        if problem is not None:
            ignored[Ignored(problem, entry.word)] = None
        elif entry.phonemes and capabilities.phonemes is not None:
            before, first = _elided(folded, start)
            ending = _ending(folded, end)
            last = end + len(ending) + 1 if ending else end
            code = _code(before, spoken, ending, capabilities.phonemes)
            result = _joined(result, without_codes(text[places[done] : places[first]]))
            result = _spaced(result, code, text[places[last] : places[last] + 1])
            done = last
        else:
            result = _joined(_joined(result, without_codes(text[places[done] : places[start]])), spoken)
            done = end
    return AppliedText(_joined(result, without_codes(text[places[done] :])), tuple(ignored))


class SpokenTexts:
    """Texts in which words are looked up as a lexicon finds them."""

    def __init__(self, texts: Sequence[str]) -> None:
        # No word of a lexicon has a line break in it.
        self._folded = "\n".join(_folded(composed(text))[0] for text in texts)
        self._starts = [0, *(place + 1 for place, char in enumerate(self._folded) if char == "\n")]

    def having(self, word: str) -> list[int]:
        """The numbers of the texts that have a word, each once."""
        wanted = _folded(composed(word))[0].strip()
        if not wanted or wanted not in self._folded:
            return []
        found: list[int] = []
        start = self._folded.find(wanted)
        while start >= 0:
            end = start + len(wanted)
            if _is_whole(self._folded, start, end):
                found.append(bisect_right(self._starts, start) - 1)
            start = self._folded.find(wanted, end)
        return list(dict.fromkeys(found))


def without_codes(text: str) -> str:
    """A text in which nothing opens phonemes: engines take two brackets for that, writers do not."""
    return _OPENING.sub("[ ", text)


@dataclass(frozen=True)
class _Words:
    """A lexicon by its words as they are compared, and the lengths of those that begin with a character."""

    entries: dict[str, Pronunciation]
    lengths: dict[str, tuple[int, ...]]
    """The longest first."""

    @staticmethod
    def of(lexicon: Sequence[Pronunciation]) -> _Words:
        entries: dict[str, Pronunciation] = {}
        lengths: dict[str, set[int]] = {}
        for entry in lexicon:
            word = _folded(composed(entry.word))[0].strip()
            if word:
                entries.setdefault(word, entry)
                lengths.setdefault(word[0], set()).add(len(word))
        return _Words(entries, {first: tuple(sorted(each, reverse=True)) for first, each in lengths.items()})

    def found_in(self, folded: str) -> Iterator[tuple[int, int]]:
        """Where its words stand in a text, from left to right; at each place the longest."""
        place = 0
        while place < len(folded):
            ends = (place + length for length in self.lengths.get(folded[place], ()))
            end = next((end for end in ends if self._is_at(folded, place, end)), None)
            if end is not None:
                yield place, end
            place = place + 1 if end is None else end

    def _is_at(self, folded: str, start: int, end: int) -> bool:
        return folded[start:end] in self.entries and _is_whole(folded, start, end)


_indexed: dict[int, tuple[tuple[Pronunciation, ...], _Words]] = {}
"""Lexicons by identity, which takes no time to compare: the lines of a film share one."""
_MOST_INDEXED = 16


def _words_of(lexicon: tuple[Pronunciation, ...]) -> _Words:
    found = _indexed.get(id(lexicon))
    if found is None or found[0] is not lexicon:
        if len(_indexed) >= _MOST_INDEXED:
            _indexed.clear()
        found = _indexed[id(lexicon)] = (lexicon, _Words.of(lexicon))
    return found[1]


def _is_whole(folded: str, start: int, end: int) -> bool:
    """Whether no letter or mark joins what is there to what is beside it."""
    word = folded[start:end]
    if _is_spaced(word[0]) and start:
        after_apostrophe = folded[start - 1] == "'" and _is_letter(folded[max(0, start - 2)]) and start > 1
        if _is_spaced(folded[start - 1]) or (after_apostrophe and word in _CONTRACTED):
            return False
    if not _is_spaced(word[-1]) or end == len(folded):
        return True
    if folded[end] == "'":
        return not _letters(folded, end + 1) or bool(_ending(folded, end))
    return not _is_spaced(folded[end])


def _ending(folded: str, place: int) -> str:
    """The English ending that an apostrophe at a place begins; empty where there is none."""
    after = _letters(folded, place + 1) if folded[place : place + 1] == "'" else ""
    return after if after in _ENDINGS else ""


def _letters(folded: str, start: int) -> str:
    end = start
    while end < len(folded) and _is_letter(folded[end]):
        end += 1
    return folded[start:end]


def _is_letter(char: str) -> bool:
    return char.isalnum() or char == "_" or category(char)[0] == "M"


def _is_spaced(char: str) -> bool:
    """Whether it is a letter of a script whose words stand apart."""
    return _is_letter(char) and not _UNSPACED.match(char)


def _folded(text: str) -> tuple[str, list[int]]:
    """A text as words are compared, and where each of its characters, and its end, stands in the text."""
    folded: list[str] = []
    places: list[int] = []
    spaced = False
    for place, char in enumerate(text):
        again, spaced = spaced, char.isspace()
        same = _ALIKE.get(char) or char.casefold() if not spaced else "" if again else " "
        folded.append(same)
        places.extend([place] * len(same))
    return "".join(folded), [*places, len(text)]


def _elided(folded: str, start: int) -> tuple[str, int]:
    """The sound of an elided article before a place, and where the article begins."""
    for article, sound in _ELIDED.items():
        first = start - len(article) - 1
        if first >= 0 and folded[first:start] == f"{article}'" and not (first and _is_letter(folded[first - 1])):
            return sound, first
    return "", start


def _given(entry: Pronunciation, notation: Notation | None) -> tuple[str, Note | None]:
    """How an entry is given to an engine, else why it is not."""
    if not entry.phonemes:
        return without_codes(_respelled(entry.spoken)), None
    if notation is None:
        return "", Note.NO_PHONEMES
    phonemes = in_notation(entry.spoken, notation)
    return (phonemes, None) if phonemes else ("", Note.UNKNOWN_PHONEMES)


def _respelled(spoken: str) -> str:
    def word(text: str) -> str:
        syllables = text.split("-")
        stressed = any(each.isupper() for each in syllables) and any(each.islower() for each in syllables)
        noted = all(each.isupper() or each.islower() for each in syllables)
        return "".join(syllables).lower() if stressed and noted else text

    return " ".join(map(word, spoken.split()))


def _code(before: str, phonemes: str, ending: str, notation: Notation) -> str:
    """Phonemes between brackets, with the sounds of an elided article and of an English ending."""
    last = phonemes.rstrip("ː:")
    in_ipa = last if notation is Notation.IPA else in_notation(last, Notation.IPA) or last
    match ending:
        case "":
            after = ""
        case "s":
            after = "ɪz" if in_ipa.endswith(_SIBILANT) else "s" if in_ipa.endswith(_VOICELESS) else "z"
        case _:
            after = {"d": "d", "ll": "əl", "ve": "əv", "re": "ə", "m": "m"}[ending]
    return f"[[{in_notation(before, notation) or ''}{phonemes}{in_notation(after, notation) or ''}]]"


def _joined(before: str, after: str) -> str:
    # Half an opening on each side would make one.
    return before + (" " if before.endswith("[") and after.startswith("[") else "") + after


def _spaced(before: str, code: str, after: str) -> str:
    """A text and a code with space around it: eSpeak loses one that a quotation mark touches."""
    left = " " if before and not before[-1].isspace() else ""
    return before + left + code + (" " if after and not (after.isspace() or after in ".,;:!?…") else "")
