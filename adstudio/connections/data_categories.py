"""What of a film leaves the machine when a model is asked: what is confirmed before, and what a policy is held to."""

from __future__ import annotations

from adstudio.core.policy import Sent
from adstudio.core.script import People

POLISHING: frozenset[Sent] = frozenset({"text"})
"""Lines, and the dialogue around them; never pictures."""
_PLAIN: frozenset[Sent] = frozenset({"clips", "text"})
_WITH_FACES: frozenset[Sent] = frozenset({"clips", "text", "pictures"})


def drafting(people: People) -> frozenset[Sent]:
    """Clips and dialogue, and the faces of people who have one."""
    return _WITH_FACES if any(person.face for person in people) else _PLAIN
