"""How well a screenplay matches a film, by words and by scenes (paper, appendix “Screenplay descriptions”)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

from adstudio.core.counts import percent

LEAST_WIP = 0.03
"""Word match (WIP) below which a screenplay probably belongs to another film.

Unrelated screenplays and subtitles (20 to 1,400 words, and synthetic ones of 12,000) reached at most 0.019, or 0.010
where both sides were equally long. Films with 60 % of their lines changed had at least 0.119 (one of 112 words), longer
ones 0.22. The paper has early drafts below 0.02, so users may override it.
"""

LEAST_SURE = 0.05
"""Share of the shorter side's words: with this many trusted matches it is the same film, or an excerpt of it.

None of the unrelated pairs had any trusted match.
"""


AS_FILMED = ((0.01, 0.2), (0.2, 0.7), (0.7, 0.9), (1.0, 1.0))
"""Word matches, and the share of a screenplay's scenes that people found in ten features of that word match (paper)."""


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """Word information preserved (WIP): H matched words of N_S in the screenplay's and N_M in the film's dialogue.

    `sure` of the matches are trusted, that is, not coincidental.
    """

    hits: int
    screenplay_words: int
    film_words: int
    sure: int = 0

    @property
    def another_film(self) -> bool:
        """Whether the screenplay probably belongs to another film."""
        shorter = min(self.screenplay_words, self.film_words)
        return shorter == 0 or (self.wip < LEAST_WIP and self.sure < LEAST_SURE * shorter)

    @property
    def screenplay_share(self) -> float:
        """H / N_S: the share of the screenplay's dialogue that is in the film."""
        return _share(self.hits, self.screenplay_words)

    @property
    def film_share(self) -> float:
        """H / N_M: the share of the film's dialogue that is in the screenplay."""
        return _share(self.hits, self.film_words)

    @property
    def wip(self) -> float:
        """H / N_S · H / N_M, from 0 to 1 (Morris 2004); 0 if either side has no dialogue."""
        return self.screenplay_share * self.film_share

    @property
    def as_filmed(self) -> float:
        """How much of the action is likely to be in the film as it is written, from 0 to 1.

        Where dialogue was changed, cut and moved on the way to the film, so was what happens between it. Between
        `AS_FILMED` it goes by the logarithm of the word match. For films that are made up of changed screenplays
        (tests/bench/screenplay_confidence.py) this is too careful.
        """
        wip = max(self.wip, AS_FILMED[0][0])
        at = next((place for place, (high, _) in enumerate(AS_FILMED[1:]) if wip <= high), len(AS_FILMED) - 2)
        (low, before), (high, after) = AS_FILMED[at : at + 2]
        return before + (after - before) * log(wip / low) / log(high / low)


@dataclass(frozen=True, slots=True)
class SceneMatch:
    """Scene information preserved (SIP): how many scenes of each side have a counterpart."""

    screenplay_aligned: int
    screenplay_scenes: int
    film_aligned: int
    film_scenes: int

    @property
    def screenplay_share(self) -> float:
        """|S_aligned| / |S|."""
        return _share(self.screenplay_aligned, self.screenplay_scenes)

    @property
    def film_share(self) -> float:
        """|M_aligned| / |M|."""
        return _share(self.film_aligned, self.film_scenes)

    @property
    def sip(self) -> float:
        """The product of both, from 0 to 1; 0 if either side has no scenes."""
        return self.screenplay_share * self.film_share


def match_summary(words: Match | None, scenes: SceneMatch | None) -> Iterator[str]:
    """How well screenplay and film match, for people: clauses without capital or full stop.

    None means not compared; without dialogue on both sides there is nothing to report either.
    """
    if words is None or not words.film_words or not words.screenplay_words:
        return
    yield (
        f"{_percent(words.screenplay_share)} of the screenplay’s dialogue is in the film; "
        f"{_percent(words.film_share)} of the film’s dialogue is in the screenplay"
    )
    if scenes is not None:
        found, all_of_them = scenes.screenplay_aligned, scenes.screenplay_scenes
        yield f"{found:,} of the screenplay’s {all_of_them:,} scenes were found in the film"


def _percent(share: float) -> str:
    return percent(share)
