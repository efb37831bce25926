"""English words found in sound by CMU Sphinx (pocketsphinx, BSD): its acoustic model and dictionary come in its wheel.

It runs only in a process of its own: its C code ends the process where it finds something it does not expect.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

from adstudio.characters.alignment import Alignment, WordSpan, logistic
from adstudio.characters.pronunciation import CueWord, english_sounds
from adstudio.core.errors import OutsideFailureError
from adstudio.core.optional_parts import install_part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MISSING = (
    "finding the words of English dialogue in the sound needs pocketsphinx, which is not installed:"
    f" {install_part('words')} and try again"
)
_SILENCE = "Zsil"
"""Said after the last word, so that what follows it is not counted as part of it. Its own words are lower case."""
_FRAME_MS = 10
_SHORTEST = 0.08
"""Seconds of the shortest sound that it is given."""
_SCALE = 1024
"""Scores come shifted down by so much (SENSCR_SHIFT in its acmod.h)."""
_FILLERS = ("<", "(", "[", "+")
_TIGHT = 3
"""Frames that a sound takes at least, three states of one frame each; a word of none longer was squeezed in."""
_BY_SCORE, _BY_ORDER, _OFFSET = 1.4, 1.4, 4.2
"""Weights of how well the words fit, per frame, and of how much better than the same words from last to first.

By logistic regression on the sample film: its cues, also under music as loud as they are, against the texts of others
that are as long.
"""


class _Found(NamedTuple):
    spans: tuple[tuple[int, int], ...]
    """First and last frame of each word."""
    score: float
    """The mean over the frames of the words of the logarithm of their likelihood beside the likeliest sound's."""


class SphinxAligner:
    """The decoder with its dictionary.

    Raises:
        OutsideFailureError: where pocketsphinx is not installed.
    """

    def __init__(self) -> None:
        try:
            library: Any = import_module("pocketsphinx")
        except ImportError as error:
            raise OutsideFailureError(MISSING) from error
        # Beams other than 0 drop words without a word about it; the second pass (bestpath) gives a false end.
        self._decoder: Any = library.Decoder(lm=None, bestpath=False, beam=0, wbeam=0, pbeam=0, loglevel="FATAL")
        self._decoder.add_word(_SILENCE, "SIL", update=True)
        self._names: dict[str, str] = {}
        self._backwards: dict[str, str] = {}
        """The sounds of words that are cues by themselves, from last to first."""

    def prepare(self, words: Sequence[CueWord]) -> None:
        """As `Aligner.prepare`: words that are not in the dictionary are pronounced as eSpeak NG does."""
        wanted = {token for word in words for token in word.tokens if token not in self._names}
        unknown: set[str] = set()
        for token in wanted:
            if self._decoder.lookup_word(token):
                self._names[token] = token
            else:
                unknown.add(token)
        sounds = english_sounds(unknown)
        for token in sorted(unknown):
            # A word that nobody can pronounce is silent: it gets a place between its neighbours.
            self._names[token] = self._add(" ".join(sounds[token])) if token in sounds else _SILENCE

    def align(self, sound: NDArray[np.float32], words: Sequence[CueWord]) -> Alignment | None:
        """As `Aligner.align`."""
        self.prepare(words)
        names = [self._names[token] for word in words for token in word.tokens]
        if not any(name != _SILENCE for name in names) or len(sound) < _SHORTEST * 16_000:
            return None
        raw = _pcm(sound)
        found = self._search(raw, names)
        if found is None:
            return None
        other_order = names[::-1] if len(names) > 1 else [self._reversed(names[0])]
        backwards = self._search(raw, other_order)
        better = found.score - backwards.score if backwards is not None else 0.0
        return Alignment(
            tuple(self._word_spans(words, names, found)),
            logistic(_BY_SCORE * found.score + _BY_ORDER * better + _OFFSET),
        )

    def _word_spans(self, words: Sequence[CueWord], names: Sequence[str], found: _Found) -> list[WordSpan]:
        spans: list[WordSpan] = []
        at = 0
        for word in words:
            after = at + len(word.tokens)
            first, last = found.spans[at][0], found.spans[after - 1][1]
            sounds = sum(len(self._sounds(name)) for name in names[at:after])
            tight = last + 1 - first <= _TIGHT * sounds
            spans.append(WordSpan(first * _FRAME_MS, (last + 1) * _FRAME_MS, squeezed=tight and sounds > 1))
            at = after
        return spans

    def _search(self, raw: bytes, names: Sequence[str]) -> _Found | None:
        decoder = self._decoder
        decoder.set_align_text(" ".join([*names, _SILENCE]))
        decoder.start_utt()
        decoder.process_raw(raw, full_utt=True)
        decoder.end_utt()
        entries = [(each.word, each.start_frame, each.end_frame, each.ascore) for each in decoder.seg() or ()]
        said = [entry for entry in entries if not entry[0].startswith(_FILLERS)]
        if len(said) != len(names) + 1:
            return None
        said = said[:-1]
        frames = sum(last + 1 - first for _, first, last, _ in said)
        total = sum(log(max(score, 1e-300)) for *_, score in said)
        return _Found(tuple((first, last) for _, first, last, _ in said), _SCALE * total / max(frames, 1))

    def _sounds(self, name: str) -> list[str]:
        found: str | None = self._decoder.lookup_word(name)
        return found.split() if found else []

    def _reversed(self, name: str) -> str:
        if name == _SILENCE:
            return name
        if name not in self._backwards:
            self._backwards[name] = self._add(" ".join(reversed(self._sounds(name))))
        return self._backwards[name]

    def _add(self, sounds: str) -> str:
        name = f"Z{len(self._names) + len(self._backwards)}"
        while self._decoder.lookup_word(name):
            name += "x"
        self._decoder.add_word(name, sounds, update=True)
        return name


def _pcm(sound: NDArray[np.float32]) -> bytes:
    import numpy as np

    return (np.clip(sound, -1, 1) * np.float32(32_767)).astype("<i2").tobytes()
