"""The words of a cue as they are spoken, and the sounds of those that a dictionary does not have.

Sounds are ARPAbet, as the acoustic model of CMU Sphinx knows them, from the IPA that eSpeak NG gives of English words.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adstudio.core.spoken_form import spoken_form
from adstudio.core.word_times import MAX_WORDS_OF_CUE
from adstudio.core.words import folded, words
from adstudio.system.child_process import ProcessError, run

LONGEST_TOKEN = 40
"""Letters of what is pronounced as one word; longer ones are no words."""
_LIMIT_S = 20.0
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*'?")
_TABLE = """
tʃ CH | dʒ JH | aɪə AY AH | aɪɚ AY ER | aʊɚ AW ER | aʊə AW AH | aɪ AY | aʊ AW | eɪ EY | oʊ OW | əʊ OW | ɔɪ OY
ɛə EH R | eə EH R | ɪə IH R | iə IY AH | ʊə UH R | ɜː ER | ɝ ER | ɚ ER | ɜ ER | əl AH L | n̩ AH N | m̩ AH M | l̩ AH L
iː IY | uː UW | ɑː AA | ɔː AO | ɑ AA | ɔ AO | ɒ AA | ɛ EH | ɪ IH | ᵻ IH | ʊ UH | ʌ AH | ə AH | ɐ AH | æ AE | a AE
ɑ̃ AA N | ɔ̃ AO N | ɛ̃ AE N | e EY | i IY | o OW | u UW | y UW | ø ER | œ ER
b B | d D | ð DH | f F | ɡ G | h HH | x HH | ç HH | j Y | k K | l L | ɬ L | ʎ L | m M | n N | ŋ NG | ɲ N | p P | ɹ R
r R | ʁ R | ɾ T | s S | ʃ SH | t T | θ TH | v V | w W | z Z | ʒ ZH | ʔ T | β V | ɣ G
"""
_SOUNDS: Mapping[str, tuple[str, ...]] = {
    ipa: tuple(sounds)
    for row in _TABLE.strip().split("\n")
    for ipa, *sounds in (pair.split() for pair in row.split("|"))
}
_LONGEST_SOUND = max(map(len, _SOUNDS))


@dataclass(frozen=True, slots=True)
class CueWord:
    """A word as the cue has it, and what is pronounced of it: “six-forty” is six, forty; “8” is one without letters."""

    text: str
    tokens: tuple[str, ...]


def cue_words(text: str, language: str = "en") -> tuple[CueWord, ...]:
    """The words of a cue with at least one thing to pronounce, `MAX_WORDS_OF_CUE` at most."""
    found: list[CueWord] = []
    for word in words(spoken_form(text, language)):
        tokens = tuple(token for token in _TOKEN.findall(folded(word)) if len(token) <= LONGEST_TOKEN)
        if tokens:
            found.append(CueWord(word, tokens))
    return tuple(found[:MAX_WORDS_OF_CUE])


def english_sounds(tokens: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """How eSpeak NG pronounces English words or numerals; those that it cannot say are left out, all without it."""
    wanted = sorted(set(tokens))
    program = shutil.which("espeak-ng")
    if program is None or not wanted:
        return {}
    command = (program, "-q", "--ipa", "-v", "en-us", "-b", "1", "--stdin")
    try:
        # A blank line ends a clause, so that no word colours the next.
        said = run(command, "\n\n".join(wanted).encode(), _LIMIT_S).decode(errors="replace")
    except ProcessError:
        return {}
    lines = [line for line in said.split("\n") if line.strip()]
    if len(lines) != len(wanted):
        return {}
    return {token: sounds for token, line in zip(wanted, lines, strict=True) if (sounds := arpabet(line))}


def arpabet(ipa: str) -> tuple[str, ...]:
    """The sounds of a transcription; marks of stress and length, and what has no counterpart, are passed over."""
    found: list[str] = []
    text = re.sub(r"[ˈˌ.\s_\u0361\u200d]", "", ipa)
    place = 0
    while place < len(text):
        for length in range(_LONGEST_SOUND, 0, -1):
            sounds = _SOUNDS.get(text[place : place + length])
            if sounds is not None:
                found += sounds
                place += length
                break
        else:
            place += 1
    return tuple(found)
