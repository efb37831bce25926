"""A plan: which eventualities are said, in which wording, and when. Derived from a script, never edited by hand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from operator import attrgetter

from adstudio.core.timebase import Span


class Status(Enum):
    """What a plan is worth: proven best, sound but unproven, none possible, none found in time, or broken."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    TIMEOUT = "timeout"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One line as it will be spoken: [d_i, d_i + L_i] in milliseconds.

    `text` is set only where the line comes from a pool and not from an eventuality (the random baseline).
    """

    element: str
    variant: int
    start: int
    end: int
    text: str | None = None

    @property
    def span(self) -> Span:
        """The delivery span."""
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class HoldConflict:
    """A pin's hold (`selected`, `variant` or `start`) that takes part in a conflict."""

    element: str
    hold: str


@dataclass(frozen=True, slots=True)
class RuleConflict:
    """A rule that takes part in a conflict: its name and the eventualities that it ties."""

    rule: str
    of: tuple[str, ...]


Conflict = HoldConflict | RuleConflict


@dataclass(frozen=True, slots=True)
class Violation:
    """Something a plan breaks: the kind, the eventualities concerned, and a sentence for a person."""

    kind: str
    elements: tuple[str, ...]
    what: str


_ELEMENT = attrgetter("element")


@dataclass(frozen=True)
class Plan:
    """Deliveries in the order they are spoken, and what is known of their worth.

    `objective` and `bound` are in billionths (millionths of salience times milliseconds), `deviation` is the sum of
    |midpoint − m_i| in half-milliseconds; each is None where there is no plan. `seconds` is the time planning took.
    """

    status: Status
    backend: str
    objective: int | None = None
    bound: int | None = None
    deviation: int | None = None
    seconds: float = 0.0
    deliveries: tuple[Delivery, ...] = ()
    conflict: tuple[Conflict, ...] = ()
    violations: tuple[Violation, ...] = ()

    @cached_property
    def by_element(self) -> dict[str, Delivery]:
        """Deliveries by eventuality."""
        return dict(zip(map(_ELEMENT, self.deliveries), self.deliveries, strict=True))

    def put_by(self) -> None:
        """It is kept for later: what can be made again at once need not be kept with it."""
        self.__dict__.pop("by_element", None)
