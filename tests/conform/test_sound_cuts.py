"""New cuts found by the sound alone: to a frame, at any speed, with another mix; and other films."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from conform_scripts import cut_of, dialogue, dialogue_in
from numpy.typing import NDArray

from adstudio.conform.matching import Cut, OtherFilmError, match_cuts
from adstudio.conform.sound_match import match_sound
from adstudio.conform.time_map import Fate, TimeMap
from adstudio.core.timebase import Span
from adstudio.media.peaks import BIN_MS, Peaks

LENGTH = 240_000
A, B, C, D = 52_430, 81_110, 149_870, 190_020


def levels(ms: int, seed: int) -> NDArray[np.float64]:
    """Amplitudes of something like speech with pauses over quiet sound, a bin each."""
    rng = np.random.default_rng(seed)
    count = ms // BIN_MS
    syllables = np.repeat(rng.gamma(1.5, 22, count // 18 + 1), 18)[:count]
    phrases = np.repeat(rng.random(count // 160 + 1) < 0.6, 160)[:count]
    smooth = np.convolve(np.where(phrases, syllables, 0), np.hanning(9) / np.hanning(9).sum(), "same")
    return smooth * rng.uniform(0.85, 1.15, count) + rng.uniform(2, 7, count)


def peaks(values: NDArray[np.float64], *, gain: float = 1.0, seed: int = 0) -> Peaks:
    """The peaks of a mix of these, each of them a little different from any other mix."""
    noise = np.random.default_rng(seed).normal(1, 0.03, len(values))
    return Peaks(np.rint(values * gain * noise).clip(0, 255).astype(np.uint8), len(values) * BIN_MS)


FILM = levels(LENGTH, 1)
OLD = peaks(FILM)


def new_peaks(true: TimeMap, *, gain: float = 1.0) -> Peaks:
    """The sound of a new cut."""
    found = levels(true.new_end, 99)
    for piece in true.pieces:
        first, last = piece.new.start // BIN_MS, piece.new.end // BIN_MS
        at = piece.old.start / BIN_MS + np.arange(last - first) / float(true.ratio)
        found[first:last] = np.interp(at, np.arange(len(FILM)), FILM)
    return peaks(found, gain=gain, seed=5)


def worst(found: TimeMap, true: TimeMap, margin: int = 60) -> int:
    """How far (ms) times are off, or 10,000 where film is gone that is not; near a cut either will do."""
    off = 0
    for time in range(0, LENGTH, 100):
        there = [true.at(time - margin), true.at(time), true.at(time + margin)]
        here = found.at(time)
        if None in there and any(each is not None for each in there):
            continue
        if (here is None) is not (there[1] is None):
            return 10_000
        if here is not None and there[1] is not None:
            off = max(off, min(abs(here - each) for each in there if each is not None))
    return off


CUTS = {
    "as it was": cut_of(LENGTH, (0, LENGTH)),
    "a scene cut out": cut_of(LENGTH, (0, A), (B, LENGTH)),
    "a scene moved": cut_of(LENGTH, (0, A), (B, C), (A, B), (C, LENGTH)),
    "titles in front": cut_of(LENGTH, 23_400, (0, LENGTH)),
    "a scene for another": cut_of(LENGTH, (0, A), 17_330, (B, LENGTH)),
    "short trims": cut_of(LENGTH, (0, A), (A + 400, B), (B + 900, C), (C + 250, LENGTH)),
    "a short scene moved": cut_of(LENGTH, (0, A), (A + 5000, C), (A, A + 5000), (C, LENGTH)),
    "24 to 25": cut_of(LENGTH, (0, LENGTH), ratio=Fraction(24, 25)),
    "23.976 to 24": cut_of(LENGTH, (0, LENGTH), ratio=Fraction(1000, 1001)),
    "25 to 23.976": cut_of(LENGTH, (0, LENGTH), ratio=Fraction(25025, 24000)),
    "all of it": cut_of(LENGTH, 23_400, (0, A), (B, C), (A, B), (D, LENGTH), ratio=Fraction(24, 25)),
}


def compare(true: TimeMap, new: Peaks) -> TimeMap:
    return match_cuts(Cut((), LENGTH, OLD), Cut((), true.new_end, new)).time_map


@pytest.mark.parametrize("name", CUTS)
def test_what_the_cut_did_is_found_to_a_frame(name: str):
    true = CUTS[name]
    found = compare(true, new_peaks(true))
    assert found.ratio == true.ratio
    assert worst(found, true) <= 40
    assert len(found.of(Fate.MOVED)) == len(true.of(Fate.MOVED))


def test_another_level_does_no_harm():
    true = CUTS["all of it"]
    assert worst(compare(true, new_peaks(true, gain=0.6)), true) <= 40


def test_equal_film_in_two_places_goes_where_its_neighbours_are():
    """Title music that comes again at the end."""
    film = FILM.copy()
    film[20_000:22_000] = film[1_000:3_000]
    found = match_sound(peaks(film), peaks(film[500:], seed=3))
    (piece,) = found.pieces
    assert piece.new.start - piece.old.start == -5000
    assert piece.old.contains(Span(5040, LENGTH - 40))


def test_another_film_is_refused_with_figures():
    with pytest.raises(OtherFilmError, match=r"another film.*\d\s% of the sound matches \(\d+\.\d s\)"):
        compare(CUTS["as it was"], peaks(levels(LENGTH, 2)))


@pytest.mark.parametrize("speed", [Fraction(1), Fraction(24, 25)])
def test_a_trailer_with_the_same_music_is_another_film(speed: Fraction):
    other = levels(LENGTH, 2)
    other[2000:4500] = FILM[1000:3500]
    true = cut_of(LENGTH, (0, LENGTH), ratio=speed)
    with pytest.raises(OtherFilmError):
        compare(true, peaks(other))


def test_silence_shows_nothing():
    silent = Peaks(np.zeros(20_000, np.uint8), 200_000)
    assert match_sound(silent, silent).pieces == ()
    assert match_sound(OLD, silent).pieces == ()
    short = Peaks(OLD.bins[:100], 1000)
    assert match_sound(OLD, short).pieces == match_sound(short, OLD).pieces == ()


def test_where_the_sound_is_another_one_dialogue_decides():
    """A scene of which the sound was recorded again."""
    cues = dialogue(LENGTH)
    true = CUTS["titles in front"]
    new = new_peaks(true)
    bins = new.bins.copy()
    bins[(A + 23_400) // BIN_MS : (D + 23_400) // BIN_MS] = peaks(levels(D - A, 8)).bins[: (D - A) // BIN_MS]
    found = match_cuts(
        Cut(cues, LENGTH, OLD), Cut(dialogue_in(cues, true), true.new_end, Peaks(bins, new.duration))
    ).time_map
    assert worst(found, true) <= 40


def test_where_the_dialogue_is_in_another_language_sound_decides():
    true = CUTS["a scene moved"]
    found = match_cuts(Cut(dialogue(LENGTH), LENGTH, OLD), Cut(dialogue(LENGTH, 4), true.new_end, new_peaks(true)))
    assert worst(found.time_map, true) <= 40
