"""The paper's lower bound: each gap filled greedily with descriptions sampled from a pool (section 4, Random)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from random import Random
from time import perf_counter

from adstudio.core.errors import BadInputError
from adstudio.core.json_reading import parse_json
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.words import spoken_ms
from adstudio.planning.problem import Problem

BACKEND = "random"
MAX_POOL = 1_000_000
MAX_POOL_BYTES = 64_000_000
WORDS_PER_MINUTE = 200


def parse_pool(data: bytes, source: str) -> list[str]:
    """A pool of descriptions: a JSON array of strings.

    Raises:
        JsonError: for anything else.
    """
    return [item.text() for item in parse_json(data, source).items(MAX_POOL)]


def solve_random(problem: Problem, pool: Sequence[str], seed: int = 0) -> Plan:
    """Fill every gap from its start with random descriptions until none of the pool fits the rest.

    Each gap draws from the whole pool; a text is not repeated within a gap. Durations assume 200 words a minute. The
    same seed gives the same plan. Its objective and deviation are 0: its lines are of no element, so that
    none gains anything, and none has an action. Its bound is what all elements at their longest would gain.

    Raises:
        BadInputError: if no text in the pool contains a word.
    """
    began = perf_counter()
    timed = sorted((duration, text) for text in pool if (duration := spoken_ms(text, WORDS_PER_MINUTE)) > 0)
    if not timed:
        raise BadInputError("no description in the pool contains a word")
    rng = Random(seed)  # noqa: S311 - the baseline must be repeatable, not secret
    deliveries: list[Delivery] = []
    for gap in problem.gaps:
        at = gap.start
        left = list(timed)
        while fitting := bisect_right(left, (gap.end - at, chr(0x10FFFF))):
            duration, text = left.pop(rng.randrange(fitting))
            deliveries.append(Delivery(str(len(deliveries) + 1), 0, at, at + duration, text))
            at += duration + problem.min_pause
    bound = sum(max(0, element.worth) * max(element.durations) for element in problem.elements)
    return Plan(Status.FEASIBLE, BACKEND, 0, bound, 0, round(perf_counter() - began, 6), tuple(deliveries))
