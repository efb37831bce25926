"""How often a long search keeps what it has found, so that little is lost when it is killed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from time import monotonic

FIRST_S, LONGEST_S = 2.0, 60.0
"""Seconds until results are first kept, and until they are kept next at the most."""
SHARE = 0.1
"""What at most is lost of a search's time, between the two."""
COST = 25
"""Keeping takes no more than one part in so many of a search's time."""


class SavePace:
    """When results are worth keeping again: soon, later each tenth of the time, and more rarely where that is slow."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._next = self._began + FIRST_S

    @property
    def is_due(self) -> bool:
        """Whether it is time."""
        return self._clock() >= self._next

    @contextlib.contextmanager
    def saving(self) -> Generator[None]:
        """Around keeping them, which is measured."""
        before = self._clock()
        yield
        now = self._clock()
        wanted = min(max(FIRST_S, SHARE * (now - self._began)), LONGEST_S)
        self._next = now + max(wanted, COST * (now - before))
