"""Whether two ADs are of one film and have the same time base, found by the rare words that both use, such as names.

Two ADs say the same things within seconds of one another. Where far more of what they share comes together once the
times of one are moved, or run at the speed of another frame rate, it was timed to another version of the film. Where
no more comes together than chance brings, one is of another film.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import median

from adstudio.core.timebase import RATES
from adstudio.core.words import folded, words
from adstudio.evaluation.material import TAU_MS, Description

_WINDOW_MS = 6_000
"""By how much their differences vary."""
_RARE = 2
"""In so many lines of an AD a word may be to tell where it is."""
_LEAST_LETTERS = 4
_LEAST_SHARED = 8
"""Of fewer shared words nothing can be told."""
_BETTER = 3
"""So many times more must come together in another time base."""
_CHANCE = 4
"""So many times what chance brings must come together besides: most pairs are the same word at different times."""
_MANY_SHARED = 300
"""Of so many, as in a feature film, more come together than three times what chance brings if both are of one film."""
_SPEEDS = ("24", "25", "23.976")
_MOST_PAIRS = 20_000


@dataclass(frozen=True)
class OtherTimeBase:
    """How the times of an AD are off: at the other's speed, and then `later` ms earlier, they are the other's.

    `rates` are the names of the frame rates, of the other and of this one, where its speed differs. `together` of
    `shared` words come together then, `before` did.
    """

    later: int
    rates: tuple[str, str] = ("", "")
    shared: int = 0
    together: int = 0
    before: int = 0


@dataclass(frozen=True)
class OtherFilm:
    """Two ADs are of different films: of `shared` words only `together` come together."""

    shared: int
    together: int


def mismatch(other: Sequence[Description], one: Sequence[Description]) -> OtherTimeBase | OtherFilm | None:
    """How the times of `one` are off from those of `other`; None where they are not, or nothing can be told."""
    pairs = _shared(other, one)
    if len(pairs) < _LEAST_SHARED:
        return None
    # So many pairs chance brings together in each millisecond, at most.
    by_chance = len(pairs) / max(1, *(line.span.end for line in (*other, *one)))
    before = _within(pairs, _WINDOW_MS // 2)
    found = [_densest(pairs, Fraction(1), ("", ""))]
    for theirs in _SPEEDS:
        for ours in _SPEEDS:
            # Its film runs so many times longer; 23.976 for 24 is less than can be seen in this way.
            speed = RATES[theirs].rate / RATES[ours].rate
            if abs(speed - 1) > Fraction(1, 100):
                found.append(_densest(pairs, speed, (theirs, ours)))
    best, times = max(found, key=lambda each: (each[0].together, not each[0].rates[0], -abs(each[0].later)))
    # Scenes at the same place, in a court say, share words in two films.
    if best.together >= _LEAST_SHARED + _CHANCE * by_chance * _WINDOW_MS and not _in_one_place(pairs, times):
        is_other = (best.rates[0] or abs(best.later) > TAU_MS) and best.together >= _BETTER * before
        return replace(best, before=before) if is_other else None
    near = _within(pairs, TAU_MS)
    is_same = len(pairs) < _MANY_SHARED or near > 3 * by_chance * 2 * TAU_MS
    return None if is_same else OtherFilm(len(pairs), near)


def _within(pairs: Sequence[tuple[int, int]], most: int) -> int:
    """How many pairs are no further apart."""
    return sum(abs(second - first) <= most for first, second in pairs)


def _shared(other: Sequence[Description], one: Sequence[Description]) -> list[tuple[int, int]]:
    """The middles of lines, of the one and of the other, that share a rare word; each two once."""
    places = [_rare(each) for each in (other, one)]
    both = sorted({(a, b) for word, mine in places[0].items() for a in mine for b in places[1].get(word, ())})
    return [(_middle(other[a]), _middle(one[b])) for a, b in both[:_MOST_PAIRS]]


def _rare(lines: Sequence[Description]) -> dict[str, list[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        for word in {folded(word).strip(".,;:!?…\"'“”‘’()[]-") for word in words(line.text)}:
            # Words of a script without spaces come in two characters.
            if len(word) >= _LEAST_LETTERS or (len(word) > 1 and not word.isascii()):
                found[word].append(place)
    return {word: places for word, places in found.items() if len(places) <= _RARE}


def _middle(line: Description) -> int:
    return line.span.doubled_midpoint // 2


def _densest(
    pairs: Sequence[tuple[int, int]], speed: Fraction, rates: tuple[str, str]
) -> tuple[OtherTimeBase, Sequence[int]]:
    """By how much the second of each pair is later, where the most agree, and how many do; and when the first are."""
    ordered = sorted((round(second / speed) - first, first) for first, second in pairs)
    later = [each for each, _ in ordered]
    best = max(later, key=lambda each: bisect_right(later, each + _WINDOW_MS) - bisect_left(later, each))
    there = ordered[bisect_left(later, best) : bisect_right(later, best + _WINDOW_MS)]
    off = OtherTimeBase(round(median(each for each, _ in there)), rates, len(pairs), len(there))
    return off, [first for _, first in there]


def _in_one_place(pairs: Sequence[tuple[int, int]], times: Sequence[int]) -> bool:
    """Whether most of these times are in one quarter of what two ADs have in common."""
    start, end = min(pairs)[0], max(pairs)[0] + 1
    quarters = Counter(4 * (time - start) // (end - start) for time in times)
    return 3 * max(quarters.values()) > 2 * len(times)
