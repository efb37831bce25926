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

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import regex

from adstudio.core.narration import Pronunciation
from adstudio.core.words import UNSPACED, composed
from adstudio.speech.engine import Capabilities, Notation
from adstudio.speech.ignored import Ignored, Note
from adstudio.speech.phonemes import in_notation

_OPENING = regex.compile(r"\[(?=\[)")
_LETTER = r"[\w\p{M}]"
_ENDINGS = "s|d|ll|ve|re|m"
_CONTRACTED = {*_ENDINGS.split("|"), "t"}
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
    pattern, entries = _pattern(tuple(lexicon))
    if pattern is None:
        return AppliedText(without_codes(text))
    folded, places = _folded(text)
    result = ""
    ignored: dict[Ignored, None] = {}
    done = 0
    for match in pattern.finditer(folded):
        word, (start, end) = match["word"], match.span("word")
        if _is_contraction(folded, start, word):
            continue
        entry = entries[word]
        spoken, problem = _given(entry, capabilities.phonemes)
        if problem is not None:
            ignored[Ignored(problem, entry.word)] = None
            continue
        before = ""
        if entry.phonemes:
            before, start = _elided(folded, start)
            end = match.end()
        result = _joined(result, without_codes(text[places[done] : places[start]]))
        if entry.phonemes and capabilities.phonemes is not None:
            code = _code(before, spoken, match["ending"] or "", capabilities.phonemes)
            result = _spaced(result, code, text[places[end] : places[end] + 1])
        else:
            result = _joined(result, spoken)
        done = end
    return AppliedText(_joined(result, without_codes(text[places[done] :])), tuple(ignored))


def without_codes(text: str) -> str:
    """A text in which nothing opens phonemes: engines take two brackets for that, writers do not."""
    return _OPENING.sub("[ ", text)


@lru_cache(16)
def _pattern(lexicon: tuple[Pronunciation, ...]) -> tuple[regex.Pattern[str] | None, dict[str, Pronunciation]]:
    entries: dict[str, Pronunciation] = {}
    for entry in lexicon:
        word = _folded(composed(entry.word))[0].strip()
        if word:
            entries.setdefault(word, entry)
    if not entries:
        return None, entries
    found = "|".join(_whole(word) for word in sorted(entries, key=len, reverse=True))
    return cast("Any", regex).compile(f"(?P<word>{found})(?:'(?P<ending>{_ENDINGS})(?!{_LETTER}))?"), entries


def _whole(word: str) -> str:
    """What finds a word alone; scripts that are written without spaces have no such edges."""
    unspaced = regex.compile(f"[{UNSPACED}]")
    letter = regex.compile(_LETTER)
    before = f"(?<!{_LETTER})" if letter.match(word[0]) and not unspaced.match(word[0]) else ""
    after = ""
    if letter.match(word[-1]) and not unspaced.match(word[-1]):
        after = f"(?!{_LETTER})(?!'(?!(?:{_ENDINGS})?(?!{_LETTER})){_LETTER})"
    return f"{before}{regex.escape(word)}{after}"


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


def _is_contraction(folded: str, start: int, word: str) -> bool:
    return word in _CONTRACTED and start > 1 and folded[start - 1] == "'" and folded[start - 2].isalpha()


def _elided(folded: str, start: int) -> tuple[str, int]:
    """The sound of an elided article before a place, and where the article begins."""
    match = regex.search(rf"(?<!{_LETTER})({'|'.join(_ELIDED)})'\Z", folded[:start])
    return ("", start) if match is None else (_ELIDED[match[1]], match.start())


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
