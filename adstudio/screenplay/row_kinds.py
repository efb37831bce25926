"""Tells what each row of a laid-out screenplay is by the file's own statistics and by the film's subtitles.

No column is fixed. Rows whose form shows what they are (headings, names that recur, the rows directly below them) give
the first counts of columns, widths, empty rows and words; the likeliest sequence of kinds under these counts gives the
next ones, until nothing changes (a hidden Markov model, fitted by its own classification).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.screenplay.line_kinds import Cue
from adstudio.screenplay.row_statistics import Kind, Read, Statistics, fills

MOST_ROUNDS = 6
_RECURS = 2
_NAME_ONCE, _NAME_TWICE, _NAME_OFTEN = -3.0, -0.5, 2.0
_SPOKEN, _NOT_SPOKEN = 6.0, -1.5
_SPOKEN_AT_LEAST = 0.5
_WORDS_TO_COMPARE = 4
_TOO_LONG = -6.0
_CAPITALS_IN_ACTION = -2.0
_UNFILLED = {Kind.SPEECH: -3.5, Kind.ACTION: -2.5}
_FILLED = -0.1
_FULL_AT_THE_END = -1.4


@dataclass(frozen=True)
class Classified:
    """What each row is; `sure` is the probability of that, for rows of speech and of action."""

    kinds: tuple[Kind, ...]
    sure: tuple[float, ...]
    statistics: Statistics


def classify(rows: Sequence[Read]) -> Classified:
    """What each row is."""
    often = Counter(read.name.speaker for read in rows if read.name is not None)
    kinds: Sequence[Kind | None] = _first_kinds(rows, often)
    statistics = _statistics(rows, kinds)
    for _ in range(MOST_ROUNDS):
        before = kinds
        kinds = _Path(rows, statistics, often).likeliest()
        statistics = _statistics(rows, kinds)
        if kinds == before:
            break
    path = _Path(rows, statistics, often)
    found = path.likeliest()
    return Classified(tuple(found), tuple(path.probabilities(found)), statistics)


def _statistics(rows: Sequence[Read], kinds: Sequence[Kind | None]) -> Statistics:
    statistics = Statistics()
    statistics.count(rows, kinds)
    return statistics


def _first_kinds(rows: Sequence[Read], often: Counter[str]) -> list[Kind | None]:
    """The kinds that form and place alone show: headings and the rows below, names that recur and the rows below."""
    kinds: list[Kind | None] = [None] * len(rows)
    for at, read in enumerate(rows):
        if len(read.kinds) == 1:
            kinds[at] = read.kinds[0]
        elif read.name is not None and often[read.name.speaker] >= _RECURS:
            kinds[at] = Kind.NAME
    for at in range(1, len(rows)):
        if kinds[at] is not None:
            continue
        above, allowed = kinds[at - 1], rows[at].kinds
        if above is Kind.HEADING and Kind.ACTION in allowed:
            kinds[at] = Kind.ACTION
        elif above in (Kind.NAME, Kind.ASIDE) and Kind.ASIDE in allowed:
            kinds[at] = Kind.ASIDE
        elif above in (Kind.NAME, Kind.ASIDE) and Kind.SPEECH in allowed:
            kinds[at] = Kind.SPEECH
    return kinds


class _Path:
    """The sequences of kinds that rows can have, and how likely they are."""

    def __init__(self, rows: Sequence[Read], statistics: Statistics, often: Counter[str]) -> None:
        self.rows = rows
        self.statistics = statistics
        self.often = often
        self.own = [{kind: self._own(read, kind) for kind in read.kinds} for read in rows]

    def likeliest(self) -> list[Kind]:
        """The likeliest kinds (Viterbi)."""
        if not self.rows:
            return []
        best = {kind: value + _begins(kind) for kind, value in self.own[0].items()}
        origins: list[dict[Kind, Kind]] = []
        for at in range(1, len(self.rows)):
            values: dict[Kind, float] = {}
            origin: dict[Kind, Kind] = {}
            for kind, own in self.own[at].items():
                before = max(best, key=lambda each: best[each] + self._step(at, each, kind))
                values[kind] = best[before] + self._step(at, before, kind) + own
                origin[kind] = before
            best = values
            origins.append(origin)
        kinds = [max(best, key=lambda each: best[each])]
        for origin in reversed(origins):
            kinds.append(origin[kinds[-1]])
        return kinds[::-1]

    def probabilities(self, kinds: Sequence[Kind]) -> list[float]:
        """The probability of each row's kind among all sequences (forward and backward sums)."""
        if not self.rows:
            return []
        forward = [{kind: value + _begins(kind) for kind, value in self.own[0].items()}]
        for at in range(1, len(self.rows)):
            forward.append(
                {
                    kind: own + _log_sum([value + self._step(at, each, kind) for each, value in forward[-1].items()])
                    for kind, own in self.own[at].items()
                }
            )
        backward = dict.fromkeys(self.own[-1], 0.0)
        found: list[float] = []
        for at in range(len(self.rows) - 1, -1, -1):
            both = {kind: forward[at][kind] + backward[kind] for kind in self.own[at]}
            found.append(math.exp(min(0.0, both[kinds[at]] - _log_sum(list(both.values())))))
            if at:
                backward = {
                    each: _log_sum(
                        [self._step(at, each, kind) + own + backward[kind] for kind, own in self.own[at].items()]
                    )
                    for each in self.own[at - 1]
                }
        return found[::-1]

    def _own(self, read: Read, kind: Kind) -> float:
        value = self.statistics.column(read, kind)
        if kind is Kind.NAME:
            value += self._as_name(read.name)
        elif kind is Kind.SPEECH:
            value += self.statistics.said(read) / 2
            if read.spoken >= 0 and len(read.words) >= _WORDS_TO_COMPARE:
                value += _SPOKEN if read.spoken >= _SPOKEN_AT_LEAST else _NOT_SPOKEN
            if read.length > self.statistics.widths[Kind.SPEECH] + 2:
                value += _TOO_LONG
        elif kind is Kind.ACTION:
            value -= self.statistics.said(read) / 2
            if read.name is not None:
                value += _CAPITALS_IN_ACTION
        return value

    def _as_name(self, name: Cue | None) -> float:
        count = self.often[name.speaker] if name is not None else 0
        if count <= 1:
            return _NAME_ONCE
        return _NAME_TWICE if count == _RECURS else _NAME_OFTEN

    def _step(self, at: int, before: Kind, kind: Kind) -> float:
        read = self.rows[at]
        value = self.statistics.step(before, kind, read)
        if before in (Kind.SPEECH, Kind.ACTION) and not read.row.breaks:
            full = fills(self.rows[at - 1], read, self.statistics.widths[before])
            if before is kind:
                # A row in the middle of a paragraph is full.
                value += _FILLED if full or read.row.gap else _UNFILLED[kind]
            elif full:
                value += _FULL_AT_THE_END
        return value


def _begins(kind: Kind) -> float:
    return -math.inf if kind in (Kind.SPEECH, Kind.ASIDE) else 0.0


def _log_sum(values: Sequence[float]) -> float:
    most = max(values)
    return most if most == -math.inf else most + math.log(sum(math.exp(value - most) for value in values))
