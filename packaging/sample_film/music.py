"""A little piano: three pieces of a slow waltz in F, the film's only tune."""

from __future__ import annotations

import numpy as np

from sample_film.speech import Samples
from sample_film.synthesis import clock_of, in_room, put, samples_in

_BEAT = 0.52

_TUNE = ((0, 72, 2), (2, 69, 1), (3, 70, 2), (5, 67, 1), (6, 69, 2), (8, 65, 1), (9, 67, 3))
_ANSWER = ((12, 72, 2), (14, 76, 1), (15, 77, 2), (17, 74, 1), (18, 72, 2), (20, 70, 1), (21, 69, 4))
_CHORDS = (
    (53, 57, 60),
    (50, 57, 65),
    (58, 62, 65),
    (48, 58, 64),
    (53, 57, 60),
    (55, 58, 62),
    (48, 58, 64),
    (53, 60, 65),
)


def theme(_: float) -> Samples:
    """The opening: the first half of the tune."""
    return _played(_TUNE, _CHORDS[:4], 13)


def phrase(_: float) -> Samples:
    """A reminder of it: the first bars, without the bass."""
    return _played(_TUNE[:5], (), 9)


def finale(_: float) -> Samples:
    """All of it."""
    return _played((*_TUNE, *_ANSWER), _CHORDS, 27)


def _played(tune: tuple[tuple[int, int, int], ...], chords: tuple[tuple[int, ...], ...], beats: int) -> Samples:
    out = np.zeros(samples_in(beats * _BEAT + 1.5), np.float32)
    for beat, pitch, lasts in tune:
        put(out, _note(pitch, lasts * _BEAT + 1.4), beat * _BEAT)
    for bar, (bass, *upper) in enumerate(chords):
        put(out, _note(bass - 12, 2.2), bar * 3 * _BEAT, 0.6)
        for beat in (1, 2):
            for pitch in upper:
                put(out, _note(pitch, 1.2), (bar * 3 + beat) * _BEAT, 0.22)
    sound = in_room(out, "hall", 1.6, 0.45)
    return (sound / (np.max(np.abs(sound)) + 1e-9)).astype(np.float32)


def _note(pitch: int, seconds: float) -> Samples:
    t = clock_of(seconds)
    frequency = 440 * 2 ** ((pitch - 69) / 12)
    out = np.zeros_like(t)
    for k in range(1, 7):
        stretched = frequency * k * (1 + 0.0004 * k * k)
        out += np.sin(2 * np.pi * stretched * t) * np.exp(-t * (1.1 + 0.7 * k)) / k**1.4
    return (out * np.minimum(t / 0.006, 1) * np.minimum((seconds - t) / 0.08, 1)).astype(np.float32)
