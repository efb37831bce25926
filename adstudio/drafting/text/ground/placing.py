"""Groundings of prose: its elements laid along the film by order, by what they have in common with it, by its times.

Times that the text gives cut the film into stretches. Within each the elements lie on a monotone path (`path`), whose
hints are what is said around a place, quotations, the cuts, and what credits are. How fast the text goes through the
film is found: each stretch has a pace of its own, near that of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.core.words import spoken_ms
from adstudio.drafting.text.ground.credits import titles_and_credits
from adstudio.drafting.text.ground.evidence import Grounding, Seen
from adstudio.drafting.text.ground.likeness import Encode, at_times, likeness
from adstudio.drafting.text.ground.path import Steps, chances, fit, middles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

WORDS_PER_MINUTE = 200
"""The rate by which an element's words are a length (ms): a pace of 1 is that of reading them out."""
PACES = (0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
"""How many times longer the film may take over what a text tells."""
ALIKE_PACES = 0.5
"""How much the paces of a text's stretches differ (the standard deviation of their logarithms)."""
FIRST_PACE = 2.0
"""The pace by which the first element after a time lies behind it: a time is that of its first words at most."""
LEAST_SHARE = 0.01
"""A pace that fits so much worse than the best one is left out."""
MOST_CELLS = 2_500
CELL_MS = 400.0
LEAST_CELLS = 12
NEAR_MS = 5_000
WINDOW_MS = 10_000
LEAST_CHANCE = 0.1
"""Below this chance of lying within the window an occurrence is not given: then a text says next to nothing of when."""
SHORTEST_MS = 1_000
LONGEST_MS = 10_000
LEAST_WORDS_MS = 1_000
AHEAD, BEHIND = 0.3, 0.5
"""The chances that film without a description lies ahead of the first element and behind the last."""
AFTER_TIME, AFTER_ONE = 0.1, 0.02
"""The chance of it behind a time that several elements share, and behind one that is that of one element."""
QUOTES = 8.0
"""For a place near the cue that an element quotes."""
QUOTED_MS = 3_000
CREDITS = 6.0
TITLES = 2.0
"""For credits behind the last that is said, and titles ahead of the first; `CREDITS_MS` of them may overlap."""
CREDITS_MS = 2_000


@dataclass(frozen=True)
class Placed:
    """An element of prose to place: after a time and before one (ms; None: the film's ends), of which it is `sure`.

    `timed`: `after` is the element's own time, or that of the paragraph that it is in. `quotes` is the cue that it
    quotes.
    """

    text: str
    after: int | None = None
    before: int | None = None
    sure: float = 1.0
    timed: bool = False
    quotes: Cue | None = None


@dataclass(frozen=True)
class _Stretch:
    """Elements (by their numbers) that lie between two times, on a grid of cells of the action's clock."""

    elements: range
    span: Span
    timed: bool
    ended: bool
    cell: float
    times: Numbers
    hints: Numbers


def placed(elements: Sequence[Placed], seen: Seen, cues: Sequence[Cue], encode: Encode | None) -> list[Grounding]:
    """The grounding of each element; `encode` gives texts their meaning, if there is a model for their language.

    Occurrences start in textual order, lie inside the film and have a positive length.
    """
    wanted = [place for place, element in enumerate(elements) if element.sure > 0]
    stretches = list(_stretches([elements[place] for place in wanted], seen, cues, encode))
    lengths = [max(float(spoken_ms(elements[place].text, WORDS_PER_MINUTE)), LEAST_WORDS_MS) for place in wanted]
    found: list[Grounding] = [Grounding(None, 0)] * len(elements)
    earliest = 0
    for stretch, (pace, rows) in zip(stretches, _paths(stretches, lengths), strict=True):
        for row, cell, number in zip(rows, middles(rows), stretch.elements, strict=True):
            element = elements[wanted[number]]
            middle = float(np.interp(cell, np.arange(len(stretch.times)), stretch.times))
            away = np.abs(stretch.times - middle)
            if element.sure * float(row[away <= WINDOW_MS].sum()) < LEAST_CHANCE:
                continue
            span = _around(middle, lengths[number] * pace, stretch, element.quotes)
            start = min(max(span.start, earliest), seen.end - 1)
            end = min(max(span.end, start + 1), seen.end)
            earliest = start
            chance = float(row[away <= NEAR_MS].sum())
            found[wanted[number]] = Grounding(Span(start, end), min(1000, round(1000 * element.sure * chance)))
    return found


def _around(middle: float, length: float, stretch: _Stretch, quoted: Cue | None) -> Span:
    """The span of an occurrence with that middle, behind its own time, and near what it quotes."""
    length = min(max(length, SHORTEST_MS), LONGEST_MS)
    start, end = round(middle - length / 2), round(middle + length / 2)
    if quoted is not None:
        near = Span(quoted.start - QUOTED_MS, max(quoted.start, quoted.end) + QUOTED_MS)
        if near.start <= middle <= near.end:
            start, end = max(start, near.start), min(end, near.end)
    if stretch.timed and len(stretch.elements) == 1:
        start, end = stretch.span.start, round(stretch.span.start + min(2 * (middle - stretch.span.start), LONGEST_MS))
    start = max(start, stretch.span.start if stretch.timed else 0)
    return Span(start, max(end, start + SHORTEST_MS // 2))


def _stretches(elements: Sequence[Placed], seen: Seen, cues: Sequence[Cue], encode: Encode | None) -> list[_Stretch]:
    said = [cue for cue in cues if cue.text.strip() and cue.end >= cue.start]
    texts = [element.text for element in elements]
    alike = likeness(texts, said, encode)
    spoken = [cue for cue in cues if cue.kind in (CueKind.SPEECH, CueKind.SUNG)]
    titles, closing = titles_and_credits(texts)
    found: list[_Stretch] = []
    bounds = _bounds(elements, seen.end)
    for (after, before), group in groupby(range(len(elements)), key=lambda place: bounds[place]):
        those = list(group)
        elements_here = range(those[0], those[-1] + 1)
        start, end = seen.pace.passed(after), seen.pace.passed(before)
        cells = min(MOST_CELLS, max(LEAST_CELLS, round((end - start) / CELL_MS)))
        cell = max(end - start, 1.0) / cells
        times = np.array([seen.pace.time(start + (place + 0.5) * cell) for place in range(cells)], dtype=np.float64)
        rows = slice(those[0], those[-1] + 1)
        hints = at_times((alike[0][rows], alike[1][rows]), said, times)
        for row, place in enumerate(elements_here):
            quoted = elements[place].quotes
            if quoted is not None:
                hints[row] += QUOTES * ((times >= quoted.start - QUOTED_MS) & (times <= quoted.end + QUOTED_MS))
            if spoken and place >= len(texts) - closing:
                hints[row] += CREDITS * (times >= max(cue.end for cue in spoken) - CREDITS_MS)
            elif spoken and place < titles:
                hints[row] += TITLES * (times <= min(cue.start for cue in spoken) + CREDITS_MS)
        timed = elements[those[0]].timed
        found.append(_Stretch(elements_here, Span(after, before), timed, before < seen.end, cell, times, np.exp(hints)))
    return found


def _bounds(elements: Sequence[Placed], end: int) -> list[tuple[int, int]]:
    """The two times of each element, inside the film, never going back, with at least a millisecond between them."""
    found: list[tuple[int, int]] = []
    latest = 0
    for element in elements:
        after = min(max(latest, element.after or 0), end - 1)
        before = end if element.before is None else min(max(element.before, after + 1), end)
        found.append((after, before))
        latest = after
    return found


def _paths(stretches: Sequence[_Stretch], lengths: Sequence[float]) -> Iterator[tuple[float, Numbers]]:
    """Each stretch's pace, and the chances of the cells for each of its elements."""
    if not stretches:
        return
    steps = [
        [_steps(stretch, tuple(lengths[place] for place in stretch.elements), pace) for pace in PACES]
        for stretch in stretches
    ]
    logs = np.array(
        [
            [fit(step, stretch.cell, len(stretch.times), stretch.hints) for step in paced]
            for stretch, paced in zip(stretches, steps, strict=True)
        ]
    )
    paces = np.log(np.array(PACES))
    near = np.exp(-0.5 * ((paces[:, None] - paces[None, :]) / ALIKE_PACES) ** 2)
    near /= near.sum(axis=1, keepdims=True)
    # For each pace of the text as a whole the likelihood of each stretch, whose own pace is near it.
    peaks = logs.max(axis=1, keepdims=True)
    of_text = peaks + np.log(np.exp(logs - peaks) @ near.T + 1e-300)
    whole = of_text.sum(axis=0)
    for place, stretch in enumerate(stretches):
        others = _shares(whole - of_text[place]) @ near
        shares = _shares(logs[place] + np.log(others + 1e-300))
        shares = np.where(shares < LEAST_SHARE * shares.max(), 0.0, shares)
        shares /= shares.sum()
        rows = np.zeros_like(stretch.hints)
        for share, step in zip(shares, steps[place], strict=True):
            if share:
                rows += share * chances(step, stretch.cell, len(stretch.times), stretch.hints)
        yield float(shares @ np.array(PACES)), rows


def _shares(logs: Numbers) -> Numbers:
    found = np.exp(logs - logs.max())
    return found / found.sum()


def _steps(stretch: _Stretch, lengths: tuple[float, ...], pace: float) -> Steps:
    if not stretch.timed:
        return Steps(lengths, pace, AHEAD, BEHIND)
    return Steps(lengths, pace, AFTER_ONE if len(lengths) == 1 else AFTER_TIME, BEHIND, min(pace, FIRST_PACE))
