"""How far a screenplay and a film agree, in words and in scenes (paper, appendix “Screenplay descriptions”)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LEAST_WIP = 0.03
"""Below this a screenplay is likely to be that of another film.

Measured on unrelated screenplays and subtitles (20 to 1,400 words, and made-up ones of 12,000): the highest came to
0.019, and to 0.010 where both sides were as long. Of films with 60 % of their lines changed the lowest came to 0.119
(one of 112 words), and to 0.22 among longer ones. The paper has early drafts below 0.02, so a describer may insist.
"""

LEAST_SURE = 0.05
"""Part of the shorter side's words: with so many trusted matches it is the same film, or a piece of it.

No pair of those unrelated ones had a single trusted match.
"""


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """Word information preserved: H matched words, of N_S in the screenplay's dialogue and N_M in the film's.

    `sure` of the matches are trusted: they are not there by accident.
    """

    hits: int
    screenplay_words: int
    film_words: int
    sure: int = 0

    @property
    def another_film(self) -> bool:
        """Whether the screenplay is likely to be that of another film."""
        shorter = min(self.screenplay_words, self.film_words)
        return shorter == 0 or (self.wip < LEAST_WIP and self.sure < LEAST_SURE * shorter)

    @property
    def kept(self) -> float:
        """H / N_S: how much of the screenplay's dialogue is in the film."""
        return _share(self.hits, self.screenplay_words)

    @property
    def covered(self) -> float:
        """H / N_M: how much of the film's dialogue is in the screenplay."""
        return _share(self.hits, self.film_words)

    @property
    def wip(self) -> float:
        """H / N_S · H / N_M, from 0 to 1 (Morris 2004); 0 where either side says nothing."""
        return self.kept * self.covered


@dataclass(frozen=True, slots=True)
class SceneMatch:
    """Scene information preserved: how many scenes of each side have a counterpart, of how many."""

    screenplay_aligned: int
    screenplay_scenes: int
    film_aligned: int
    film_scenes: int

    @property
    def kept(self) -> float:
        """|S_aligned| / |S|."""
        return _share(self.screenplay_aligned, self.screenplay_scenes)

    @property
    def covered(self) -> float:
        """|M_aligned| / |M|."""
        return _share(self.film_aligned, self.film_scenes)

    @property
    def sip(self) -> float:
        """The product of both, from 0 to 1; 0 where either side has no scenes."""
        return self.kept * self.covered


def match_words(words: Match | None, scenes: SceneMatch | None) -> Iterator[str]:
    """How far screenplay and film agree, for a person: clauses without capital or stop, none where nobody knows.

    None stands for what was not compared; a film or a screenplay in which nothing is said tells nothing either.
    """
    if words is None or not words.film_words or not words.screenplay_words:
        return
    yield (
        f"the film keeps {_percent(words.kept)} of the words that are said in the screenplay; "
        f"{_percent(words.covered)} of what is said in the film stands in it (word match, WIP: {words.wip:.2f})"
    )
    if scenes is not None:
        yield (
            f"{scenes.screenplay_aligned:,} of the screenplay’s {scenes.screenplay_scenes:,} scenes are found in the "
            f"film (scene match, SIP: {scenes.sip:.2f})"
        )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
