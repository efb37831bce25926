"""Where in the film each action paragraph must lie: between the last trusted word before it and the first after it.

Cut dialogue gives no words, so it widens the bounds; nothing is guessed between them. Where cues overlap, the earliest
start of all that follows and the latest end of all that went before count, the smaller first. Where a speech next to
the paragraph was moved, the paragraph may have gone either way, so the bounds take in that speech's place as well. The
bounds of later paragraphs never lie before those of earlier ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from adstudio.drafting.text.align.spoken_words import MatchedWords, Place
from adstudio.drafting.text.align.trusted_matches import Matches
from adstudio.screenplay.parsed_screenplay import Action, Screenplay

NEAR = 24
"""Words of dialogue on each side of an action that speak for its place: about nine seconds of talk."""

_EDGE = 0.5
"""What the film's own start or end is worth where the screenplay has no dialogue on that side."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """What an action paragraph must lie between, in milliseconds; None where no dialogue on that side was found.

    `confidence`, from 0 to 1, is the product over both sides, for both bounds must hold, of the share of near dialogue
    that was found, up to halved by how much of the very next speech is missing: it may have changed places. Near are
    the `NEAR` words of the screenplay, and the words that the film says within the bounds, half of them to each side. A
    side on which the screenplay has no dialogue counts a half; without any trusted word all is 0.
    """

    after: int | None
    before: int | None
    confidence: float


def anchors(screenplay: Screenplay, words: MatchedWords, moved: Matches) -> Mapping[Place, Anchor]:
    """The anchor of every action, by its place, from the trusted matches between the words of both sides.

    `moved` are the matches of speeches that the film has in another order.
    """
    elsewhere = dict(moved)
    cue_words, matches = words.film, words.matches
    places = [(word.scene, word.part) for word in words.screenplay]
    lefts = [i for i, _ in matches]
    ends = list(accumulate((cue_words[j].end for _, j in matches), max))
    starts = list(accumulate((cue_words[j].start for _, j in reversed(matches)), min))[::-1]
    found: dict[Place, Anchor] = {}
    for s, scene in enumerate(screenplay.scenes):
        for p, part in enumerate(scene.parts):
            if not isinstance(part, Action):
                continue
            word = bisect_left(places, (s, p))
            k = bisect_left(lefts, word)
            after = ends[k - 1] if k else None
            before = starts[k] if k < len(starts) else None
            if after is not None and before is not None and after > before:
                after, before = before, after
            if after is not None and word and word - 1 in elsewhere:
                before = max(before or 0, cue_words[elsewhere[word - 1]].end) if before is not None else None
            if before is not None and word in elsewhere:
                after = min(after, cue_words[elsewhere[word]].start) if after is not None else None
            found[s, p] = Anchor(after, before, _confidence(word, k, lefts, matches, places, len(cue_words)))
    return _rising(found)


def _rising(found: dict[Place, Anchor]) -> dict[Place, Anchor]:
    """The anchors widened where one would lie before an earlier one."""
    latest: int | None = None
    for place, anchor in found.items():
        if anchor.before is not None:
            latest = anchor.before if latest is None else max(latest, anchor.before)
            found[place] = replace(anchor, before=latest)
    earliest: int | None = None
    for place, anchor in reversed(found.items()):
        if anchor.after is not None:
            earliest = anchor.after if earliest is None else min(earliest, anchor.after)
            found[place] = replace(anchor, after=earliest)
    return found


def _confidence(
    word: int, k: int, lefts: Sequence[int], matches: Matches, places: Sequence[Place], cue_words: int
) -> float:
    if not matches:
        return 0.0
    between = (matches[k][1] if k < len(matches) else cue_words) - (matches[k - 1][1] + 1 if k else 0)

    def found(first: int, last: int) -> int:
        return bisect_left(lefts, last) - bisect_left(lefts, first)

    shares: list[float] = []
    for first, last, nearest in (
        (max(0, word - NEAR), word, word - 1),
        (word, min(len(places), word + NEAR), word),
    ):
        if first == last:
            shares.append(_EDGE)
            continue
        speech = bisect_left(places, places[nearest]), bisect_right(places, places[nearest])
        near = found(first, last) / (last - first + between / 2)
        shares.append(near * (1 + found(*speech) / (speech[1] - speech[0])) / 2)
    return min(1.0, shares[0] * shares[1])
