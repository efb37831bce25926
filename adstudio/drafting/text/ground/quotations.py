"""Where prose quotes what is said: its words found again in the cues, in the order of both."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.core.script import Cue, CueKind
from adstudio.core.words import composed, folded

LEAST_WORDS = 2
"""A quotation of fewer words could be anywhere."""
LEAST_SHARE = 0.8
"""How many of a quotation's words must stand in the speech, in order."""

_QUOTED = re.compile(
    r"“([^”]{2,400})”|\"([^\"]{2,400})\"|„([^“”]{2,400})[“”]|«([^»]{2,400})»|(?<!\w)‘([^’]{2,400})’(?!\w)"
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class Mention:
    """A text, by its place, that quotes a cue, by its place; `words` of it stand there."""

    text: int
    cue: int
    words: int


def mentions(texts: Sequence[str], cues: Sequence[Cue]) -> tuple[Mention, ...]:
    """The quotations that are found, as many words as can be without texts or cues going back; one a text at most."""
    spoken = [_words(cue.text) if cue.kind in (CueKind.SPEECH, CueKind.SUNG) else () for cue in cues]
    by_word: dict[str, list[int]] = {}
    for place, said in enumerate(spoken):
        for word in set(said):
            by_word.setdefault(word, []).append(place)
    found: list[Mention] = []
    for place, text in enumerate(texts):
        for match in _QUOTED.finditer(text):
            quoted = _words(next(group for group in match.groups() if group))
            if len(quoted) >= LEAST_WORDS:
                near = {at for word in quoted for at in by_word.get(word, ())}
                found += _found(place, quoted, spoken, near)
    return _in_order(found)


def _found(place: int, quoted: tuple[str, ...], spoken: Sequence[tuple[str, ...]], near: set[int]) -> list[Mention]:
    found: list[Mention] = []
    for at in sorted(near):
        # A quotation may run on into the next cue.
        said = spoken[at] + (spoken[at + 1] if at + 1 < len(spoken) else ())
        common = _in_common(quoted, said)
        own = _in_common(quoted, spoken[at])
        if common >= LEAST_SHARE * len(quoted) and own * 2 >= common:
            found.append(Mention(place, at, own))
    return found


def _in_common(one: Sequence[str], other: Sequence[str]) -> int:
    row = [0] * (len(other) + 1)
    for word in one:
        diagonal = 0
        for at, said in enumerate(other):
            diagonal, row[at + 1] = row[at + 1], diagonal + 1 if word == said else max(row[at + 1], row[at])
    return row[-1]


def _in_order(found: list[Mention]) -> tuple[Mention, ...]:
    """The heaviest chain in which texts go forward and cues never go back."""
    ordered = sorted(found, key=lambda mention: (mention.text, -mention.cue))
    # Frontier over cues: the best weight of a chain that ends at or before a cue, growing in both.
    ends: list[int] = []
    weights: list[int] = []
    last: list[int] = []
    before: list[int] = [-1] * len(ordered)
    waiting: list[tuple[int, int, int]] = []

    def enter(cue: int, weight: int, number: int) -> None:
        at = bisect_right(ends, cue)
        if at and weights[at - 1] >= weight:
            return
        if at and ends[at - 1] == cue:
            at -= 1
            ends[at], weights[at], last[at] = cue, weight, number
        else:
            ends.insert(at, cue)
            weights.insert(at, weight)
            last.insert(at, number)
        while at + 1 < len(ends) and weights[at + 1] <= weight:
            del ends[at + 1], weights[at + 1], last[at + 1]

    text = -1
    for number, mention in enumerate(ordered):
        if mention.text != text:
            for each in waiting:
                enter(*each)
            waiting, text = [], mention.text
        at = bisect_right(ends, mention.cue)
        if at:
            before[number] = last[at - 1]
        waiting.append((mention.cue, mention.words + (weights[at - 1] if at else 0), number))
    for each in waiting:
        enter(*each)
    chain: list[Mention] = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append(ordered[number])
        number = before[number]
    return tuple(reversed(chain))


def _words(text: str) -> tuple[str, ...]:
    return tuple(map(folded, _WORD.findall(composed(text))))
