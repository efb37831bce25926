"""Which kinds of data leave the machine for a model: what users consent to, and what the policy enforces."""

from __future__ import annotations

from adstudio.core.cast import People
from adstudio.core.policy import Sent

POLISHING: frozenset[Sent] = frozenset({"text"})
"""Lines and the dialogue around them; never images."""
SPEAKERS: frozenset[Sent] = frozenset({"text"})
"""Dialogue, and the names of the cast; never images or sound."""
_PLAIN: frozenset[Sent] = frozenset({"clips", "text"})
_WITH_FACES: frozenset[Sent] = frozenset({"clips", "text", "pictures"})


def drafting(people: People) -> frozenset[Sent]:
    """Clips and dialogue, and photos of people, if there are any."""
    return _WITH_FACES if any(person.face for person in people) else _PLAIN
