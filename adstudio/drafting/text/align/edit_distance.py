"""Two sequences of words aligned with the least edits, exactly and in little memory.

An insertion, a deletion and a substitution cost 1. Among the alignments of least distance the one with the most matches
(hits, H) is taken, and among those the one that, read from the end, takes a match wherever it can, then a
substitution, then leaves out a word of the left side, then one of the right; last, a match that nothing follows closely
is drawn to the match before it, where that word stands there too. So runs of matches stay together.

Both aims are one integer, BIG for an edit and −1 for a match, with BIG greater than any number of matches. Counted from
what leaving out every word would cost, an insertion and a deletion become 0, so a row of the matrix is one running
minimum. A quick alignment gives an upper bound of the distance; no alignment within it leaves the band of diagonals
that it allows (Ukkonen 1985, “Algorithms for approximate string matching”), so the band loses nothing. Every so many
rows one is kept, and the way back is found block by block from those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING, Any

from adstudio.core.errors import BadInputError
from adstudio.core.longest_rise import longest_rise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Row = NDArray[np.signedinteger[Any]]

MOST_WORDS = 60_000
"""Words on one side: three times the longest screenplay."""

_GRAM = 3
"""Words in a run that, if either side has it once, serves the quick alignment."""


class AlignmentError(BadInputError):
    """More dialogue than one film can have."""


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """The least number of edits, and the pairs of places, from 0, whose words match: both rise."""

    distance: int
    matches: tuple[tuple[int, int], ...]

    @property
    def hits(self) -> int:
        """How many words match (H)."""
        return len(self.matches)


def aligned(left: Sequence[str], right: Sequence[str]) -> WordAlignment:
    """The alignment of least distance, then most matches, then by the fixed rule above.

    Raises:
        AlignmentError: more than `MOST_WORDS` on a side.
    """
    for side in (left, right):
        if len(side) > MOST_WORDS:
            raise AlignmentError(
                f"{len(side):,} words of dialogue are more than one film can have (the limit is {MOST_WORDS:,}): "
                "give the screenplay and subtitles of a single film"
            )
    if not left or not right:
        return WordAlignment(max(len(left), len(right)), ())
    numbers: dict[str, int] = {}
    rows = [numbers.setdefault(word, len(numbers)) for word in left]
    columns = [numbers.setdefault(word, len(numbers)) for word in right]
    matches, edits = _Matrix(rows, columns, quick_distance(rows, columns)).traceback()
    return WordAlignment(edits, _drawn_together(matches, rows, columns))


def _drawn_together(
    matches: list[tuple[int, int]], left: Sequence[int], right: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    """The matches with each that stands apart on one side moved next to the one before it, if that word is there too.

    Between two matches the edits are as many as the longer side has words, so the distance cannot rise.
    """
    drawn: list[tuple[int, int]] = []
    before = (-1, -1)
    for k, (i, j) in enumerate(matches):
        next_i, next_j = before[0] + 1, before[1] + 1
        near = (i == next_i and right[next_j] == right[j]) or (j == next_j and left[next_i] == left[i])
        alone = k > 0 and matches[k + 1 : k + 2] != [(i + 1, j + 1)]
        before = (next_i, next_j) if near and alone else (i, j)
        drawn.append(before)
    return tuple(drawn)


def quick_distance(left: Sequence[int], right: Sequence[int]) -> int:
    """An upper bound of the distance: the cost of an alignment based on runs that occur once on both sides.

    Between two such places what is the same at both ends is matched, and the rest is taken for changed.
    """
    pairs = _rising(_single_runs(left, right))
    cost, i, j = 0, -1, -1
    for end_i, end_j in [*pairs, (len(left), len(right))]:
        next_i, next_j = end_i, end_j
        i, j = i + 1, j + 1
        while i < next_i and j < next_j and left[i] == right[j]:
            i, j = i + 1, j + 1
        while i < next_i and j < next_j and left[next_i - 1] == right[next_j - 1]:
            next_i, next_j = next_i - 1, next_j - 1
        cost += max(next_i - i, next_j - j)
        i, j = end_i, end_j
    return min(cost, max(len(left), len(right)))


def _single_runs(left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
    places: list[dict[tuple[int, ...], int]] = []
    for side in (left, right):
        found: dict[tuple[int, ...], int] = {}
        for i in range(len(side) - _GRAM + 1):
            run = tuple(side[i : i + _GRAM])
            found[run] = -1 if run in found else i
        places.append(found)
    there = places[1]
    return [(i, there[run]) for run, i in places[0].items() if i >= 0 and there.get(run, -1) >= 0]


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest sequence of pairs in which both sides rise."""
    pairs = sorted(pairs)
    return [pairs[place] for place in longest_rise([j for _, j in pairs])]


class _Matrix:
    """The matrix of costs, a row for a word on the left; a row's cell for `j` words of the right is at `j` + 1."""

    def __init__(self, left: Sequence[int], right: Sequence[int], bound: int) -> None:
        import numpy as np

        self.left, self.right = left, right
        self.n, self.m = len(left), len(right)
        self.big = min(self.n, self.m) + 1
        small = (2 * self.big + 1) * (self.big + 1) < 2**29
        self.type = np.int32 if small else np.int64
        self.far = 2**30 if small else 2**62
        self.most_left = -((bound - (self.m - self.n)) // 2)
        self.most_right = (bound + self.m - self.n) // 2
        places: dict[int, list[int]] = {}
        for j, word in enumerate(right):
            places.setdefault(word, []).append(j + 2)
        self.places = {word: np.array(found, dtype=np.intp) for word, found in places.items()}
        self.scratch: Row = np.zeros(self.m + 3, dtype=self.type)

    def band(self, i: int) -> tuple[int, int]:
        """The first and the last column that row `i` needs."""
        return max(0, i + self.most_left), min(self.m, i + self.most_right)

    def fill(self, i: int, above: Row, row: Row, last: int) -> None:
        """Row `i` from the one above it, up to column `last`; outside the band it is made unreachable."""
        import numpy as np

        first, end = self.band(i)
        a, b = first + 1, min(end, last) + 2
        scratch = self.scratch
        np.subtract(above[a - 1 : b - 1], self.big, out=scratch[a:b])
        places = self.places.get(self.left[i - 1])
        if places is not None:
            # Outside the band the scratch row holds leavings, which nobody reads.
            scratch[places] -= self.big + 1
        np.minimum(above[a:b], scratch[a:b], out=scratch[a:b])
        np.minimum.accumulate(scratch[a:b], out=row[a:b])
        row[a - 1] = self.far
        row[b] = self.far

    def first_row(self) -> Row:
        import numpy as np

        row: Row = np.full(self.m + 3, self.far, dtype=self.type)
        row[1 : self.band(0)[1] + 2] = 0
        return row

    def traceback(self) -> tuple[list[tuple[int, int]], int]:
        """The matches of the best alignment, and its distance."""
        import numpy as np

        step = max(16, isqrt(self.n))
        checkpoints: list[tuple[int, Row]] = []
        row, other = self.first_row(), self.first_row()
        for i in range(self.n + 1):
            if i:
                self.fill(i, row, other, self.m)
                row, other = other, row
            if i % step == 0:
                first, end = self.band(i)
                checkpoints.append((first, row[first + 1 : end + 2].copy()))
        total = int(row[self.m + 1]) + (self.n + self.m) * self.big
        block = np.full((step + 1, self.m + 3), self.far, dtype=self.type)
        matches: list[tuple[int, int]] = []
        i, j = self.n, self.m
        for number in range(len(checkpoints) - 1, -1, -1):
            top = number * step
            if i < top or (i == top and number):
                continue
            first, cells = checkpoints[number]
            block[0] = self.far
            block[0, first + 1 : first + 1 + len(cells)] = cells
            for row_number in range(top + 1, i + 1):
                self.fill(row_number, block[row_number - top - 1], block[row_number - top], j)
            i, j = self.back(block, top, i, j, matches)
        matches.reverse()
        return matches, -(-total // self.big)

    def back(self, block: Row, top: int, i: int, j: int, matches: list[tuple[int, int]]) -> tuple[int, int]:
        """The way from a cell up to row `top`; where that is the first row, all that is left is insertions."""
        row, value = block[i - top], int(block[i - top, j + 1])
        while i > top:
            above = block[i - top - 1]
            if j:
                same = self.left[i - 1] == self.right[j - 1]
                diagonal = int(above[j])
                if value == diagonal - self.big - (self.big + 1 if same else 0):
                    if same:
                        matches.append((i - 1, j - 1))
                    i, j, row, value = i - 1, j - 1, above, diagonal
                    continue
            if value == int(above[j + 1]):
                i, row = i - 1, above
            elif j and value == int(row[j]):
                j -= 1
            else:
                raise AssertionError("the matrix has no way back")
        return i, j
