"""Who is in a film, as its screenplay, its subtitles or a cast list say: found people, not yet a cast."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adstudio.characters.cast_names import people_in, spelling_key
from adstudio.core.cast import CharacterSource, Pronouns, SpeakerSource
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


_SOURCES_OF_CUES = {
    None: CharacterSource.SUBTITLES,
    SpeakerSource.LABEL: CharacterSource.SUBTITLES,
    SpeakerSource.SCREENPLAY: CharacterSource.SCREENPLAY,
    SpeakerSource.MODEL: CharacterSource.SUBTITLES,
    SpeakerSource.VOICE: None,
    SpeakerSource.DIARISATION: CharacterSource.DIARISATION,
    SpeakerSource.CAST: None,
    SpeakerSource.DESCRIBER: CharacterSource.DESCRIBER,
}
"""Where the names of cues come from; None where the name was carried to the cue from another one or from the cast."""


def in_cues(cues: Sequence[Cue]) -> tuple[FoundPerson, ...]:
    """The speakers that cues name, the most talkative first; once for each source of theirs, the first with the count.

    Names that were only carried to their cues count as those of the subtitles.
    """
    return _counted((cue.speaker, _SOURCES_OF_CUES[cue.speaker_source]) for cue in cues if cue.speaker)


def in_screenplay(screenplay: Screenplay) -> tuple[FoundPerson, ...]:
    """The speakers of a screenplay, the most talkative first."""
    parts = (part for scene in screenplay.scenes for part in scene.parts if isinstance(part, Speech))
    return _counted((part.speaker, CharacterSource.SCREENPLAY) for part in parts)


def _counted(written: Iterable[tuple[str, CharacterSource | None]]) -> tuple[FoundPerson, ...]:
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    sources: defaultdict[str, dict[CharacterSource, None]] = defaultdict(dict)
    for speaker, source in written:
        for name in people_in(speaker):
            key = spelling_key(name)
            names.setdefault(key, name)
            counts[key] += 1
            if source is not None:
                sources[key].setdefault(source)
    return tuple(
        FoundPerson(names[key], source, 0 if number else count)
        for key, count in counts.most_common()
        for number, source in enumerate(sources[key] or (CharacterSource.SUBTITLES,))
    )
