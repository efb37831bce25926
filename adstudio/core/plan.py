"""A plan: which eventualities are spoken, in which wording, and when. Derived from a script, never edited."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from operator import attrgetter

from adstudio.core.timebase import Span


class Status(Enum):
    """How planning ended: proven optimal, valid but unproven, impossible, out of time, or an invalid plan."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    TIMEOUT = "timeout"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Delivery:
    """When an eventuality is spoken and in which variant: [d_i, d_i + L_i] in milliseconds.

    `text` is set only if the wording comes from a pool instead of an eventuality (the random baseline). `members` are
    the eventualities that it speaks where `element` is a fusion; empty otherwise.
    """

    element: str
    variant: int
    start: int
    end: int
    text: str | None = None
    members: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The eventualities that it speaks: one, unless it is of a fusion."""
        return self.members or (self.element,)

    @property
    def line(self) -> str:
        """The eventuality that it is shown as: the first that it speaks."""
        return self.members[0] if self.members else self.element

    @property
    def span(self) -> Span:
        """The delivery span."""
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class HoldConflict:
    """Part of a pin (`selected`, `variant` or `start`) that is involved in a conflict."""

    element: str
    hold: str


@dataclass(frozen=True, slots=True)
class RuleConflict:
    """A rule that is involved in a conflict: its kind and the eventualities it applies to."""

    rule: str
    of: tuple[str, ...]


Conflict = HoldConflict | RuleConflict


@dataclass(frozen=True, slots=True)
class Violation:
    """A constraint that a plan breaks: its kind, the eventualities concerned, and a sentence for the user."""

    kind: str
    elements: tuple[str, ...]
    what: str


_ELEMENT, _MEMBERS = attrgetter("element"), attrgetter("members")


@dataclass(frozen=True)
class Plan:
    """Deliveries in speaking order, with their score.

    `objective` and `bound` are in billionths (millionths of salience times milliseconds), `deviation` is the sum of
    |midpoint − m_i| in half-milliseconds; all three are None without a plan. `seconds` is the planning time.
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
        """Deliveries by element: an eventuality, or a fusion."""
        return dict(zip(map(_ELEMENT, self.deliveries), self.deliveries, strict=True))

    @cached_property
    def by_line(self) -> dict[str, Delivery]:
        """Deliveries by eventuality: one of a fusion is there for each of its members, as if in its own full wording.

        For what is really said, see `spoken_as`.
        """
        if not any(map(_MEMBERS, self.deliveries)):
            return self.by_element
        found: dict[str, Delivery] = {}
        for each in self.deliveries:
            if each.members:
                found.update(dict.fromkeys(each.members, replace(each, variant=0)))
            else:
                found[each.element] = each
        return found

    @property
    def choices(self) -> tuple[tuple[str, int], ...]:
        """What is spoken, with its wording's number: what a problem holds as its previous choices."""
        return tuple((each.element, each.variant) for each in self.deliveries)

    def spoken_as(self, line: str) -> Delivery | None:
        """The delivery, as planned, that speaks an eventuality; None where it is left out."""
        found = self.by_line.get(line)
        return None if found is None else self.by_element[found.element]

    def drop_caches(self) -> None:
        """Free what can be recomputed at once, before the plan is stored for later."""
        self.__dict__.pop("by_element", None)
        self.__dict__.pop("by_line", None)
