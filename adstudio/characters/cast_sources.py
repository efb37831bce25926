"""Who is in a film, as its screenplay, its subtitles or a cast list say: found people, not yet a cast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adstudio.characters.cast_names import people_in, spelling_key
from adstudio.core.cast import CharacterSource, Pronouns
from adstudio.core.script import Cue
from adstudio.screenplay.parsed_screenplay import Screenplay, Speech


@dataclass(frozen=True)
class FoundPerson:
    """Somebody whom a source names; `count` is how many cues or speeches have the name."""

    name: str
    source: CharacterSource
    count: int = 0
    aliases: tuple[str, ...] = ()
    described_as: str = ""
    pronouns: Pronouns = Pronouns.UNKNOWN


def in_subtitles(cues: Sequence[Cue]) -> tuple[FoundPerson, ...]:
    """The speakers that cues name, the most talkative first."""
    return _counted((cue.speaker for cue in cues if cue.speaker), CharacterSource.SUBTITLES)


def in_screenplay(screenplay: Screenplay) -> tuple[FoundPerson, ...]:
    """The speakers of a screenplay, the most talkative first."""
    parts = (part for scene in screenplay.scenes for part in scene.parts if isinstance(part, Speech))
    return _counted((part.speaker for part in parts), CharacterSource.SCREENPLAY)


def _counted(written: Iterable[str], source: CharacterSource) -> tuple[FoundPerson, ...]:
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for name in (name for each in written for name in people_in(each)):
        key = spelling_key(name)
        names.setdefault(key, name)
        counts[key] += 1
    return tuple(FoundPerson(names[key], source, count) for key, count in counts.most_common())
