"""Words found in sound by their likeness to the same text as eSpeak NG speaks it: for languages without another engine.

Both sounds become spectra of 10 ms, and dynamic time warping lays the sound along the speech. Between words there is
silence that may be as long as it likes, or none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

from adstudio.characters.alignment import Alignment, WordSpan, logistic
from adstudio.characters.espeak_words import EspeakWords
from adstudio.characters.mel_filters import mel_filters
from adstudio.characters.pronunciation import CueWord

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE = 16_000
FRAME_MS = 10
_HOP, _WINDOW, _FFT = 160, 400, 512
_BANDS = 26
_COEFFICIENTS = 13
_WORDS_PER_MINUTE = 220
"""A little faster than people speak: the sound may dwell on what is said, but passes over it at most twice as fast."""
_QUIET_DB = 30.0
"""What lies this far below the loudest counts as silence."""
_STAY = 0.15
"""Cost of dwelling on a frame of speech, so that speech does not stand for silence."""
_SKIP = 0.2
"""Cost of passing over one."""
_BY_ORDER, _OFFSET = 2.6, -3.0
"""Weights of how much cheaper the text is than the same sounds in other orders, by the root of the frames.

Texts of other cues, as long as the cue's own, come to 0.87 at most, its own text to 2 and more in nine of ten cases: so
1 is known, and 2 is sure. (German lines by two voices, also under music; of old radio plays nothing is known.)
"""


class SynthesisAligner:
    """The aligner of one language.

    Raises:
        OutsideFailureError: as `EspeakWords`.
    """

    def __init__(self, language: str) -> None:
        self._voice = EspeakWords(language, _WORDS_PER_MINUTE)

    def prepare(self, words: Sequence[CueWord]) -> None:
        """As `Aligner.prepare`: there is nothing to learn."""

    def align(self, sound: NDArray[np.float32], words: Sequence[CueWord]) -> Alignment | None:
        """As `Aligner.align`."""
        import numpy as np

        text = " ".join(word.text for word in words)
        said = self._voice.say(text)
        if len(said.samples) < said.rate // 20 or len(sound) < RATE // 20:
            return None
        model = _features(_resampled(said.samples, said.rate))
        starts = _word_frames(words, said.words, said.rate, len(model))
        sound_frames = _features(sound)
        columns, owners = _model(model, starts)
        if len(columns) > 2 * len(sound_frames):
            return None
        silence = sound_frames[np.argsort(sound_frames[:, 0])[: max(len(sound_frames) // 10, 1)]].mean(axis=0)
        columns = np.where((owners < 0)[:, np.newaxis], silence, columns)
        path, cost = _path(sound_frames, columns, owners)
        decoys = min(_path(sound_frames, columns[order], owners[order])[1] for order in _disordered(len(columns)))
        spans = _spans(owners[path], len(words))
        if spans is None:
            return None
        return Alignment(spans, logistic(_BY_ORDER * (decoys - cost) * sqrt(len(sound_frames)) + _OFFSET))


def _disordered(count: int) -> Iterator[NDArray[np.intp]]:
    """The same columns in other orders, silent at both ends as before: backwards, and with their halves exchanged."""
    import numpy as np

    inner = np.arange(1, count - 1)
    half = len(inner) // 2
    for order in (
        inner[::-1],
        np.concatenate((inner[half:], inner[:half])),
        np.concatenate((inner[half:][::-1], inner[:half])),
    ):
        yield np.concatenate(([0], order, [count - 1]))


def _spans(owners: NDArray[np.int32], count: int) -> tuple[WordSpan, ...] | None:
    """The first and last frame of each word on the path; None where one is not on it."""
    import numpy as np

    spans: list[WordSpan] = []
    for number in range(count):
        frames = np.flatnonzero(owners == number)
        if not len(frames):
            return None
        spans.append(WordSpan(int(frames[0]) * FRAME_MS, (int(frames[-1]) + 1) * FRAME_MS))
    return tuple(spans)


def _word_frames(
    words: Sequence[CueWord], events: Sequence[tuple[int, int]], rate: int, frames: int
) -> list[tuple[int, int]]:
    """The frames in which each word of the text is spoken; words that are spoken as one share them by their letters."""
    places: list[int] = []
    at = 0
    for word in words:
        places.append(at)
        at += len(word.text) + 1
    marks = sorted({0: 0, **{place: sample * 1000 // rate // FRAME_MS for place, sample in events}}.items())
    letters = [place for place, _ in marks] + [at]
    times = [min(frame, frames) for _, frame in marks] + [frames]

    def frame_of(place: int) -> int:
        k = min(bisect_right(letters, place) - 1, len(marks) - 1)
        share = (place - letters[k]) / max(letters[k + 1] - letters[k], 1)
        return round(times[k] + share * (times[k + 1] - times[k]))

    edges = [frame_of(place) for place in [*places, at]]
    return [(start, max(end, start + 1)) for start, end in pairwise(edges)]


def _model(
    speech: NDArray[np.float32], words: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """The columns that the sound is laid along, and the word of each, -1 for the silence around every word."""
    import numpy as np

    loud = speech[:, 0] > speech[:, 0].max() - _QUIET_DB / 10 * np.log(10)
    columns: list[NDArray[np.float32]] = [speech[:1]]
    owners: list[int] = [-1]
    for number, (start, end) in enumerate(words):
        frames = np.arange(start, min(end, len(speech)))
        frames = frames[loud[frames]] if loud[frames].any() else frames
        if not len(frames):
            frames = np.array([min(start, len(speech) - 1)])
        columns += [speech[frames], speech[:1]]
        owners += [number] * len(frames) + [-1]
    return np.concatenate(columns), np.array(owners, np.int32)


def _path(
    sound_frames: NDArray[np.float32], columns: NDArray[np.float32], owners: NDArray[np.int32]
) -> tuple[NDArray[np.int32], float]:
    """The column of each frame of sound on the cheapest way from the first column to the last, and its mean cost.

    From one frame to the next it stays, goes on by one column, or passes over one.
    """
    import numpy as np

    speech = owners >= 0
    weights = _weights()
    costs = np.abs(sound_frames[:, np.newaxis] * weights - columns[np.newaxis] * weights).sum(axis=2) / weights.sum()
    stay = np.where(speech, np.float32(_STAY), np.float32(0))
    skipped = np.concatenate((speech[:1], speech[:-1]))
    skip = np.where(skipped, np.float32(_SKIP), np.float32(0))
    count = len(columns)
    total = np.full(count, np.inf, np.float32)
    total[0] = costs[0, 0]
    if count > 1:
        total[1] = costs[0, 1]
    moves = np.zeros((len(sound_frames), count), np.int8)
    padded = np.full(count + 2, np.inf, np.float32)
    for frame in range(1, len(sound_frames)):
        padded[2:] = total
        options = np.stack((total + stay, padded[1:-1], padded[:-2] + skip))
        best = options.argmin(axis=0)
        moves[frame] = best
        total = np.take_along_axis(options, best[np.newaxis], axis=0)[0] + costs[frame]
    at = count - 1 if count < 2 or total[-1] <= total[-2] else count - 2
    cost = float(total[at]) / len(sound_frames)
    path = np.zeros(len(sound_frames), np.int32)
    for frame in range(len(sound_frames) - 1, -1, -1):
        path[frame] = at
        at = max(at - int(moves[frame, at]), 0)
    return path, cost


@cache
def _weights() -> NDArray[np.float32]:
    import numpy as np

    return np.array([1.5] + [1.0] * (_COEFFICIENTS - 1), np.float32)


@cache
def _cosines() -> NDArray[np.float32]:
    import numpy as np

    place = (np.arange(_BANDS) + 0.5) * np.pi / _BANDS
    return np.cos(np.arange(_COEFFICIENTS)[:, np.newaxis] * place).astype(np.float32)


def _features(sound: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cepstra of each 10 ms, each coefficient with a mean of 0 and a variance of 1 over the loud frames."""
    import numpy as np

    emphasised = np.append(sound[:1], sound[1:] - np.float32(0.97) * sound[:-1])
    padded = np.pad(emphasised, (_WINDOW // 2, _WINDOW))
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[: len(sound) + 1 : _HOP]
    power = np.abs(np.fft.rfft(frames * np.hanning(_WINDOW).astype(np.float32), _FFT)) ** 2
    bands = np.log(power @ mel_filters(_BANDS, _FFT, RATE).T + 1e-8)
    cepstra = (bands @ _cosines().T / np.float32(_BANDS)).astype(np.float32)
    loud = cepstra[:, 0] > cepstra[:, 0].max() - _QUIET_DB / 10 * np.log(10)
    mean, spread = cepstra[loud].mean(axis=0), cepstra[loud].std(axis=0) + np.float32(1e-3)
    return ((cepstra - mean) / spread).astype(np.float32)


def _resampled(samples: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    import numpy as np

    if rate == RATE:
        return samples
    spectrum = np.fft.rfft(samples)
    count = round(len(samples) * RATE / rate)
    low = np.zeros(count // 2 + 1, spectrum.dtype)
    size = min(len(low), len(spectrum))
    low[:size] = spectrum[:size]
    return (np.fft.irfft(low, count) * (count / len(samples))).astype(np.float32)
