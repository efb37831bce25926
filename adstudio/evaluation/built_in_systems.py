"""Systems that need no file of their own: each reference as an expert against the others, and random descriptions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.evaluation.material import Description, EvaluatedFilm, Transcript
from adstudio.evaluation.request import EXPERT, RANDOM, expert_name
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.engines.baselines import MAX_POOL_BYTES, parse_pool, solve_random
from adstudio.planning.film.film_problem import film_problem
from adstudio.system.files import read_bounded


def experts(film: EvaluatedFilm) -> Iterator[Transcript]:
    """Each reference as a system that is compared with the others, called `expert NAME`.

    Raises:
        BadInputError: where there is no other.
    """
    if len(film.references) < 2:
        raise BadInputError(
            f"{film.name} has one reference, and {EXPERT} compares each with the others: give another, or leave"
            f" {EXPERT} out"
        )
    for each in film.references:
        others = tuple(other.name for other in film.references if other is not each)
        yield Transcript(expert_name(each.name), each.descriptions, references=others)


def read_pool(path: Path) -> list[str]:
    """A pool of descriptions for `random`: a JSON array of texts.

    Raises:
        BadInputError, OutsideFailureError: if it is none, or cannot be read.
    """
    return parse_pool(read_bounded(path, MAX_POOL_BYTES, "pool of descriptions"), str(path))


def random_transcript(script: Script, pool: list[str], seed: int) -> Transcript:
    """The paper's lower bound in a film's gaps: each filled from its start with descriptions drawn from the pool.

    Raises:
        BadInputError: if no text in the pool contains a word.
    """
    plan = solve_random(film_problem(script, gaps_of(script).gaps), pool, seed)
    said = (Description(Span(each.start, each.end), each.text or "") for each in plan.deliveries)
    return Transcript(RANDOM, tuple(said))
