"""When the film first says who a character is, and from when on narration may say the name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from adstudio.characters.cast_mentions import CastMentions
from adstudio.characters.mentions import Mention
from adstudio.core.cast import People
from adstudio.core.naming import NamingPolicy
from adstudio.core.script import Cue, CueKind

SPOKEN = frozenset({CueKind.SPEECH, CueKind.SUNG})
"""The kinds of cues whose words are said."""


@dataclass(frozen=True)
class Introduction:
    """From when on (ms) the audience knows a character's name.

    `cue` (id), `said` (the name) and `by` (who says it, as the cue has it) are of the cue that first says it, and empty
    where the describer set the time.
    """

    time: int
    cue: str = ""
    said: str = ""
    by: str | None = None


def introductions(
    people: People, cues: Iterable[Cue], language: str, cast: CastMentions | None = None
) -> dict[str, Introduction]:
    """The introduction of each character (id) whom the dialogue certainly names, or whose time the describer set.

    It is that of the earliest cue; who is called by what they are (GUARD) has no name to be introduced by.
    """
    chosen = {person.id: Introduction(person.first_named) for person in people if person.first_named is not None}
    missing = {person.id for person in people} - chosen.keys()
    found: dict[str, Introduction] = {}
    spoken = sorted((cue for cue in cues if cue.kind in SPOKEN), key=lambda cue: (cue.start, cue.id))
    cast = cast or CastMentions(people, [cue.text for cue in spoken], language)
    for cue in spoken:
        if not missing:
            break
        for mention in cast.mentions(cue.text):
            if mention.person in missing and mention.names:
                missing.remove(mention.person)
                said = cue.text[mention.start : mention.end]
                found[mention.person] = Introduction(cue.start, cue.id, said, cue.speaker)
    return found | chosen


@dataclass(frozen=True)
class NameTimes:
    """From when on each character may be named, by a house's policy."""

    policy: NamingPolicy = NamingPolicy.ONCE_SAID
    introduced: Mapping[str, Introduction] = field(default_factory=dict[str, Introduction])
    """By the id of the character; who has none may be named at any time."""

    @classmethod
    def of(
        cls,
        people: People,
        cues: Iterable[Cue],
        language: str,
        policy: NamingPolicy,
        cast: CastMentions | None = None,
    ) -> NameTimes:
        """The times of a cast in a film with this dialogue; `cast` is what has been read of it already."""
        known = introductions(people, cues, language, cast) if policy is NamingPolicy.ONCE_SAID else {}
        return cls(policy, known)

    def since(self, person: str) -> int:
        """From when on a character may be named, in ms; 0 for one whom the film never names."""
        known = self.introduced.get(person)
        return 0 if known is None else known.time

    def may_name(self, person: str, time: int) -> bool:
        """Whether narration that begins at a time may name a character."""
        return time >= self.since(person)

    def too_early(self, mention: Mention, time: int) -> bool:
        """Whether a mention certainly names somebody, whoever of those it may mean, before that may be."""
        return mention.certain and mention.names and not any(self.may_name(person, time) for person in mention.people)
