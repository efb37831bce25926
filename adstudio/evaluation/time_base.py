"""Whether two ADs of one film have the same time base, found by the rare words that both use, such as names.

Two ADs say the same things within seconds of one another. Where far more of what they share comes together once the
times of one are moved, or run at the speed of another frame rate, it was timed to another version of the film.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
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
_SHARE = 5
"""One in so many has to; the others are the same word at different times."""
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


def other_time_base(other: Sequence[Description], one: Sequence[Description]) -> OtherTimeBase | None:
    """How the times of `one` are off from those of `other`; None where they are not, or nothing can be told."""
    pairs = _shared(other, one)
    if len(pairs) < _LEAST_SHARED:
        return None
    before = sum(abs(second - first) <= TAU_MS for first, second in pairs)
    found = [_densest(pairs, Fraction(1), ("", ""))]
    for theirs in _SPEEDS:
        for ours in _SPEEDS:
            # Its film runs so many times longer; 23.976 for 24 is less than can be seen in this way.
            speed = RATES[theirs].rate / RATES[ours].rate
            if abs(speed - 1) > Fraction(1, 100):
                found.append(_densest(pairs, speed, (theirs, ours)))
    best = max(found, key=lambda each: (each.together, not each.rates[0], -abs(each.later)))
    if not best.rates[0] and abs(best.later) <= TAU_MS:
        return None
    enough = best.together >= max(_LEAST_SHARED, _BETTER * before) and _SHARE * best.together >= len(pairs)
    return replace(best, before=before) if enough else None


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


def _densest(pairs: Sequence[tuple[int, int]], speed: Fraction, rates: tuple[str, str]) -> OtherTimeBase:
    """By how much the second of each pair is later, where the most agree, and how many do."""
    later = sorted(round(second / speed) - first for first, second in pairs)
    best = max(later, key=lambda each: bisect_right(later, each + _WINDOW_MS) - bisect_left(later, each))
    there = later[bisect_left(later, best) : bisect_right(later, best + _WINDOW_MS)]
    return OtherTimeBase(round(median(there)), rates, len(pairs), len(there))
