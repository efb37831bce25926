"""How far each stretch that two cuts share goes on, by what sounds alike to the hundredth of a second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from adstudio.conform.sound_levels import AROUND, Core, louder, stretched
from adstudio.conform.time_map import Piece
from adstudio.core.timebase import Span
from adstudio.media.peaks import BIN_MS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Levels = NDArray[np.float64]

LEFT_OVER = 30
"""Bins at the beginning and end that go with what is next to them: fades differ from one encoder to the next."""
MOST_COUNTED = 0.5
"""Octaves; what differs by more counts no more than that."""
REPLACED = 3.0
"""How much better two runs must be that do not reach each other (bins times octaves)."""
PLATEAU = 0.5
"""Places that are worse by less than this are as good."""
LONG_WAY = 300
"""Bins beyond a core that are looked at once more."""
DOUBTFUL, DOUBTFUL_BY = 1.5, 0.03
"""They are unsure if they differ so many times, and by so many octaves, more than the core does."""
SURE_BINS = 20
SAME_MS = 25
"""Runs whose offsets differ by less are one, with other sound between them."""


class Edges:
    """How far each core goes on, by what sounds alike to the hundredth of a second."""

    def __init__(
        self, old: Levels, new: Levels, cores: Sequence[Core], ratio: Fraction, changes: Sequence[int]
    ) -> None:
        self.old, self.new, self.cores, self.ratio = stretched(old, ratio), new, list(cores), ratio
        self.changes = [change / BIN_MS * float(ratio) for change in changes]
        self.order = sorted(range(len(cores)), key=lambda place: cores[place].start + cores[place].lag)
        self.rank = {place: number for number, place in enumerate(self.order)}
        self.before = [0.0] * len(cores)
        self.after = [0.0] * len(cores)
        self.unsure: list[Span] = []

    def pieces(self) -> Iterator[Piece]:
        """The pieces, which may overlap a little."""
        self._ends()
        for left, right in pairwise(range(len(self.cores))):
            if self.rank[right] == self.rank[left] + 1:
                self._join(left, right)
            else:
                self._part(left, right)
        for core, before, after in zip(self.cores, self.before, self.after, strict=True):
            self._doubt(core, core.start - before, core.start)
            self._doubt(core, core.end, core.end + after)
            start, end = core.start - before, core.end + after
            old = Span(*(round(time * BIN_MS / float(self.ratio)) for time in (start, end)))
            new = Span(*(max(0, round((time + core.lag) * BIN_MS)) for time in (start, end)))
            yield Piece(old, new, round(1000 * min(core.alike, 1.0)))

    def _doubt(self, core: Core, start: float, end: float) -> None:
        """Note a long way beyond a core as unsure if it is less alike, as quiet film is that proves little."""
        import numpy as np

        if end - start < LONG_WAY:
            return
        usual = self._louder(core, core.start - AROUND, core.end + AROUND)
        gain = np.median(usual)
        beyond = np.abs(self._louder(core, start, end) - gain).mean()
        if beyond > DOUBTFUL * np.abs(usual - gain).mean() + DOUBTFUL_BY:
            self._note_unsure(start, end)

    def _join(self, left: int, right: int) -> None:
        """Two cores that follow one another in both cuts: between them lies a cut, or nothing."""
        one, other = self.cores[left], self.cores[right]
        gap = max(0.0, other.start - one.end)
        room = max(0.0, other.start + other.lag - one.end - one.lag)
        common = int(min(gap, room))
        after, before = self._onward(left, common), self._backward(right, common)
        together = after + before[::-1]
        best = int(together.argmax())
        alone = int(after.argmax()), int(before.argmax())
        is_replaced = sum(alone) < common and after[alone[0]] + before[alone[1]] > together[best] + REPLACED
        if is_replaced:
            if abs(gap - room) * BIN_MS > SAME_MS:
                self.after[left], self.before[right] = alone
                return
            # The same length to a hundredth of a second: the picture is the same, with other sound.
            self._note_unsure(one.end + alone[0], other.start - alone[1])
        first = last = best
        while first > 0 and together[first - 1] >= together[best] - PLATEAU:
            first -= 1
        while last < common and together[last + 1] >= together[best] - PLATEAU:
            last += 1
        at = self._at_change(one.end, best, (first, last), gap - common)
        if abs(gap - room) * BIN_MS > SAME_MS and last - first > SURE_BINS:
            self._note_unsure(one.end + first, one.end + last + gap - common)
        self.after[left], self.before[right] = at, min(gap, room) - at

    def _part(self, left: int, right: int) -> None:
        """Two cores that the new cut has apart."""
        one, other = self.cores[left], self.cores[right]
        gap = int(max(0.0, other.start - one.end))
        after, before = (
            self._onward(left, min(gap, self._room_after(left))),
            self._backward(right, min(gap, self._room_before(right))),
        )
        alone = int(after.argmax()), int(before.argmax())
        least, most = max(0, gap - len(before) + 1), min(gap, len(after) - 1)
        if least <= most:
            best = max(range(least, most + 1), key=lambda at: float(after[at] + before[gap - at]))
            together = after[best] + before[gap - best]
            if sum(alone) > gap or together > after[alone[0]] + before[alone[1]] - REPLACED:
                alone = best, gap - best
        self.after[left], self.before[right] = alone

    def _ends(self) -> None:
        """The first and last core of each cut go on to its beginning and end, as far as both sound alike."""
        first, last = 0, len(self.cores) - 1
        room = self._room_before(first)
        start = self.cores[first].start
        reach = min(start, room)
        same = self.order[0] == first and abs(room - start) * BIN_MS <= 4 * SAME_MS
        reached = float(self._backward(first, int(reach)).argmax())
        self.before[first] = reach if same or reach - reached <= LEFT_OVER else reached
        room = self._room_after(last)
        rest = max(0.0, len(self.old) - self.cores[last].end)
        reach = min(rest, room)
        same = self.order[-1] == last and abs(room - rest) * BIN_MS <= 4 * SAME_MS
        reached = float(self._onward(last, int(reach)).argmax())
        self.after[last] = reach if same or reach - reached <= LEFT_OVER else reached

    def _room_after(self, place: int) -> int:
        """Bins of the new cut up to the next core, or its end."""
        core, rank = self.cores[place], self.rank[place] + 1
        if rank == len(self.order):
            return int(max(0.0, len(self.new) - core.end - core.lag))
        following = self.cores[self.order[rank]]
        return int(max(0.0, following.start + following.lag - core.end - core.lag))

    def _room_before(self, place: int) -> int:
        core, rank = self.cores[place], self.rank[place] - 1
        if rank < 0:
            return int(max(0.0, core.start + core.lag))
        earlier = self.cores[self.order[rank]]
        return int(max(0.0, core.start + core.lag - earlier.end - earlier.lag))

    def _onward(self, place: int, bins: int) -> Levels:
        """How much speaks for going on after a core by 0, 1, 2 … bins."""
        core = self.cores[place]
        return self._sums(core, core.end, core.end + bins)

    def _backward(self, place: int, bins: int) -> Levels:
        core = self.cores[place]
        return self._sums(core, core.start - bins, core.start, backward=True)

    def _sums(self, core: Core, start: float, end: float, *, backward: bool = False) -> Levels:
        import numpy as np

        usual = self._louder(core, core.start - AROUND, core.end + AROUND)
        gain = float(np.median(usual))
        allowed = float(min(max(2.5 * np.median(np.abs(usual - gain)) + 0.05, 0.12), MOST_COUNTED))
        unlike = np.abs(self._louder(core, start, end) - gain)
        speaking = allowed - unlike.clip(None, allowed + MOST_COUNTED)
        speaking = speaking[: max(0, round(end - start))]
        if backward:
            speaking = speaking[::-1]
        return np.concatenate(([0.0], np.cumsum(speaking)))

    def _louder(self, core: Core, start: float, end: float) -> Levels:
        return louder(self.old, self.new, core.lag, start, end)

    def _at_change(self, start: float, best: int, within: tuple[int, int], gone: float) -> float:
        """Of places that are as good, one at which a scene changes, or ends behind which so much is gone."""
        first, last = within
        near = [change - start - back for change in self.changes for back in (0.0, gone)]
        near = [place for place in near if first <= place <= last]
        return min(near, key=lambda place: abs(place - best), default=float(best))

    def _note_unsure(self, start: float, end: float) -> None:
        first, last = (round(time * BIN_MS / float(self.ratio)) for time in (start, end))
        if last - first > SURE_BINS * BIN_MS:
            self.unsure.append(Span(first, last))
