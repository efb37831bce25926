"""How far a screenplay and a film agree, in words and in scenes (paper, appendix “Screenplay descriptions”)."""

from __future__ import annotations

from dataclasses import dataclass


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """Word information preserved: H matched words, of N_S in the screenplay's dialogue and N_M in the film's."""

    hits: int
    screenplay_words: int
    film_words: int

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
