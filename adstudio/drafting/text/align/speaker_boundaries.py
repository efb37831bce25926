"""Gaps in a run of matches slid to where one speaker ends and the next begins.

Where “… new. | It does look as new.” lost its second speech, either “new” may be the one that was kept: the edits and
the matches are as many. Whole speeches are cut and whole cues put in, so of all the places to which a gap can slide,
the one is taken that has most edges of speeches and cues at its own edges; among equal ones the gap moves least.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from adstudio.drafting.text.align.trusted_matches import Matches

_FARTHEST = 40
"""Words that a gap may slide: more than a speech has."""


def moved_to_boundaries(
    matches: Matches,
    left: Sequence[str],
    right: Sequence[str],
    left_starts: Collection[int],
    right_starts: Collection[int],
) -> Matches:
    """The matches with each gap on one side only slid to its best place.

    `left_starts` and `right_starts` are the places of the words with which a speech or a cue begins, and the ends of
    both texts.
    """
    pairs = list(matches)
    sides, starts = (left, right), (left_starts, right_starts)
    for k in range(len(pairs) - 1):
        steps = [pairs[k + 1][side] - pairs[k][side] for side in (0, 1)]
        if steps[0] == 1 < steps[1] or steps[1] == 1 < steps[0]:
            side = 0 if steps[0] > 1 else 1
            _slide(pairs, k, side, sides[side], starts)
    return tuple(pairs)


def _slide(
    pairs: list[tuple[int, int]], k: int, side: int, words: Sequence[str], starts: Sequence[Collection[int]]
) -> None:
    """Slides the gap after the pair `k`, which is on that side only."""
    size = pairs[k + 1][side] - pairs[k][side] - 1
    moves = [0, *_moves(pairs, k, side, size, words, back=True), *_moves(pairs, k, side, size, words, back=False)]

    def worth(move: int) -> tuple[int, int]:
        first = pairs[k][side] + 1 + move
        other = pairs[k][1 - side] + 1 + move
        at = (first in starts[side]) + (first + size in starts[side]) + (other in starts[1 - side])
        return at, -abs(move)

    best = max(moves, key=worth)
    for step in range(1, abs(best) + 1):
        number = k - step + 1 if best < 0 else k + step
        shift = size if best < 0 else -size
        pair = [*pairs[number]]
        pair[side] += shift
        pairs[number] = (pair[0], pair[1])


def _moves(
    pairs: Sequence[tuple[int, int]], k: int, side: int, size: int, words: Sequence[str], *, back: bool
) -> list[int]:
    """How far the gap can slide one way: as long as the run goes on and the same word stands beyond the gap."""
    moves: list[int] = []
    sign, at = (-1, k) if back else (1, k + 1)
    while 0 <= at < len(pairs) and len(moves) < _FARTHEST:
        if moves and any(pairs[at - sign][axis] + sign != pairs[at][axis] for axis in (0, 1)):
            break
        place = pairs[at][side]
        if words[place] != words[place - sign * size]:
            break
        moves.append(sign * (len(moves) + 1))
        at += sign
    return moves
