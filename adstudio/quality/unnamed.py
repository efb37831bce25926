"""N4: people of the cast who are seen, and of whom neither narration nor dialogue ever says who they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from adstudio.characters.cast_mentions import CastMentions
from adstudio.characters.introductions import SPOKEN
from adstudio.characters.name_index import is_role
from adstudio.core.cast import Person
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.quality.findings import Finding, NeverNamed
from adstudio.quality.rules import NEVER_NAMED
from adstudio.quality.spoken import SpokenLine


def never_named(
    script: Script, lines: Sequence[SpokenLine], cast: CastMentions, first_seen: Mapping[str, int]
) -> Iterator[Finding]:
    """Who is seen, by the describer's word, by found faces or because lines describe them, and is named by nobody.

    `first_seen` is when a face of somebody (id) was first found (ms).

    A name that may mean them counts: what is not certain is not found. Who is called by what they are (GUARD) needs no
    name; a description in a line says who that is.
    """
    people = [person for person in script.people if not is_role(person.name)]
    if not people:
        return
    said = [cue.text for cue in script.cues if cue.kind in SPOKEN]
    named = _named((*(line.text for line in lines), *said), cast)
    for person in people:
        if person.id not in named and (found := _seen(script, person, lines, cast, first_seen)) is not None:
            yield found


def _named(texts: Iterable[str], cast: CastMentions) -> frozenset[str]:
    """Everybody (id) whom a name in texts may mean."""
    return frozenset(
        person for text in texts for mention in cast.mentions(text) if mention.names for person in mention.people
    )


def _seen(
    script: Script, person: Person, lines: Sequence[SpokenLine], cast: CastMentions, first_seen: Mapping[str, int]
) -> Finding | None:
    using = [line for line in lines if any(each.person == person.id for each in cast.mentions(line.text))]
    times = [*(face.time for face in script.named_faces if face.person == person.id), *(line.start for line in using)]
    times += [time for time in (person.first_seen, first_seen.get(person.id)) if time is not None]
    if not times:
        return None
    seen = min(times)
    span = using[0].span if using and using[0].start == seen else Span(seen, seen)
    ids = tuple(dict.fromkeys(line.id for line in using))
    return Finding(NEVER_NAMED, NEVER_NAMED.level, ids, span, NeverNamed(person.name, seen, len(ids)))
