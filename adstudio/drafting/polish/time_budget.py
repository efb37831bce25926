"""How long each spoken line may last with nothing else moved, and how long a text takes in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Script, Variant
from adstudio.core.timebase import Span
from adstudio.core.words import count_words, spoken_ms
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.room import Rooms, deliveries_in


@dataclass(frozen=True)
class Room:
    """The least and the most milliseconds that a line may last where it starts, and the most `between` its neighbours.

    The least is 0, unless its start is pinned and it is spoken about as early as it may be. Between its neighbours it
    may start earlier than it does.
    """

    least: int
    most: int
    between: int


def rooms(script: Script, gaps: Sequence[Span], plan: Plan) -> dict[str, Room]:
    """The room of every spoken line, by id: what its place leaves while every other line is spoken as planned.

    A line outside the gaps keeps the time it has. What the share of a gap leaves is divided among its lines, which may
    all become longer; between its neighbours a line may use all of it.
    """
    places = Rooms(script, film_problem(script, gaps), plan)
    spoken = [each for each in plan.deliveries if each.element in script.eventuality_index]
    return {each.element: _room(places, each) for each in spoken}


def _room(places: Rooms, delivery: Delivery) -> Room:
    identity, has = delivery.element, delivery.end - delivery.start
    pin = places.element(identity).pin
    here, around = places.room_at(identity, delivery.start), places.room_here(identity, delivery)
    least = min(has, here.least) if pin.start is not None else 0
    if places.obstacle(identity, delivery.span) is not None or around.gap is None:
        return Room(least, has, has)
    most = here.most
    if places.problem.capped:
        lines = sum(1 for _ in deliveries_in(places.plan.deliveries, around.gap))
        most = min(most, has + places.unused(around.gap) // lines)
    most = max(has, most)
    return Room(least, most, max(most, around.most))


def length_of(script: Script, before: Variant, text: str) -> int:
    """Milliseconds that a text takes in place of a wording.

    At the project's rate, or at the wording's own pace where that was measured and is slower.
    """
    lasts = spoken_ms(text, script.settings.rate_for(script.film.language))
    if before.duration is not None:
        lasts = max(lasts, -(-count_words(text) * before.duration // max(count_words(before.text), 1)))
    return lasts


def most_words(script: Script, before: Variant, room: int) -> int:
    """As many words as `length_of` finds room for, at least one."""
    most = room * script.settings.rate_for(script.film.language) // 60_000
    if before.duration:
        most = min(most, room * max(count_words(before.text), 1) // before.duration)
    return max(most, 1)
